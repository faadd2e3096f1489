"""Pages that renew themselves while `kg serve --watch` runs: each loads itself anew when the files
were saved, and shows the errors of their newest state.

The problems quote the author's files. So it is for clients on this machine only, and no page of
another site may read it in the author's browser. Built pages know nothing of it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from kg.errors import summary, why
from kg.publish.formats.media import HTML, OTHER_SUFFIXES, TEXT
from kg.web.answers import Reply, build_reply
from kg.web.request import Request
from kg.web.state import Stage

if TYPE_CHECKING:
    from kg.web.state import Shown

PATH = "/live"
FILES = Path(__file__).parent / "live_files"
MOST_SHOWN = 3  # errors
WAIT = 25.0  # seconds, after which the page asks anew
EVERY = 0.1  # seconds between looks at the state; no thread is held
# A page that was known or packed could not get its banner.
UNWANTED = ("if-none-match", "accept-encoding")


def is_visit(request: Request, stage: Stage) -> bool:
    """Whether the files are watched, and the author opens a page in a browser. A program gets the
    page as it is.
    """
    is_opened = request.headers.get("sec-fetch-dest") == "document"
    return stage.watched and request.is_local and is_opened


def is_own(request: Request, stage: Stage) -> bool:
    """Whether the files are watched, and it is an open page of ours that asks."""
    is_ours = request.headers.get("sec-fetch-site") == "same-origin"
    return stage.watched and request.is_local and is_ours


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


def inject(reply: Reply, stage: Stage, documents: Shown) -> None:
    """Adds the script and the banner to a page."""
    if not reply.headers.get("Content-Type", "").startswith(HTML):
        return
    version, (newest, _) = stage.version, stage.latest()
    failure, errors = "", []
    if isinstance(newest, Exception):
        failure = why(newest)
    elif newest:
        errors = [problem for problem in newest.problems if problem.severity == "error"]
    added = documents.pages.rendered(
        "live.html",
        version=version,
        failure=failure,
        summary=summary(errors),
        errors=errors[:MOST_SHOWN],
        more=len(errors) - MOST_SHOWN,
    )
    before, end, after = cast(bytes, reply.body).rpartition(b"</body>")
    reply.body = before + added + end + after if end else after + added
    reply.headers = {**reply.headers, "Cache-Control": "no-store"}
    reply.headers.pop("ETag", None)
