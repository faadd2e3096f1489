"""Pages that renew themselves while `kg serve --watch` runs: each loads itself anew when the files
were saved, and shows the errors of their newest state.

They do so for the author: a page that was opened with the key of the server (`/?key=…`) keeps it
for its tab, and its script asks with it. Without the key the script does nothing, and what it asks
for is not there. Built pages know nothing of it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast

from kg.publish.formats.media import HTML, OTHER_SUFFIXES, TEXT
from kg.web.answers import Reply, build_reply
from kg.web.request import Request
from kg.web.state import Stage

PATH = "/live"
FILES = Path(__file__).parent / "live_files"
SCRIPT = '<script src="/live.js" data-state="{}" defer></script>\n'
WAIT = 25.0  # seconds, after which the page asks anew
EVERY = 0.1  # seconds between looks at the state; no thread is held
# A page that was known or packed could not get its script.
UNWANTED = ("if-none-match", "accept-encoding")


def is_visit(request: Request, stage: Stage) -> bool:
    """Whether the files are watched, and a page is opened in a browser. A program gets the page as
    it is.
    """
    return stage.watched and request.headers.get("sec-fetch-dest") == "document"


async def next_version(request: Request, stage: Stage) -> Reply:
    """The newest state, as soon as it is another than the one that a page shows, or after a
    while.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + WAIT
    while stage.version == request.field("state") and loop.time() < end and not stage.ending:
        await asyncio.sleep(EVERY)
    return build_reply(request, stage.version.encode(), TEXT, cache="no-store")


def show_file(request: Request) -> Reply:
    """The script and the looks of the banner."""
    file = FILES / request.path[1:]
    return build_reply(request, file.read_bytes(), OTHER_SUFFIXES[file.suffix], cache="no-store")


def plain(request: Request) -> Request:
    """A request whose reply can be changed."""
    headers = {name: text for name, text in request.headers.items() if name not in UNWANTED}
    return replace(request, headers=headers)


def inject(reply: Reply, stage: Stage) -> None:
    """Adds the script to a page."""
    if not reply.headers.get("Content-Type", "").startswith(HTML):
        return
    before, end, after = cast(bytes, reply.body).rpartition(b"</body>")
    added = SCRIPT.format(stage.version).encode()
    reply.body = before + added + end + after if end else after + added
    reply.headers.pop("ETag", None)
