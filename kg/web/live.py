"""Pages that renew themselves while `kg serve --watch` runs: each loads itself anew when the files
were saved, and shows the errors of their newest state.

They do so for the author. A server that listens on this machine only gives the author's browser a
cookie with each page, and the script of the page sends it back. It gives none to a request that
names another host, as after DNS rebinding, or that a proxy has forwarded. On any other server, a
page that was opened with the key (`/?key=…`) keeps the key for its tab. Without cookie and key the
script does nothing, and what it asks for does not exist. Built pages have no such script.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from dataclasses import dataclass, field, replace
from functools import partial
from hmac import compare_digest
from pathlib import Path
from typing import cast

from kg.publish.formats.media import HTML, OTHER_SUFFIXES, TEXT
from kg.web.answers import Reply, build_reply
from kg.web.request import Request, is_loopback
from kg.web.state import CurrentSite

PATH = "/live"
FILES = Path(__file__).parent / "live_files"
SCRIPT = '<script src="/live.js" data-state="{}"{} defer></script>\n'
AS_AUTHOR = " data-author"
WAIT = 25.0  # seconds, after which the page asks anew
EVERY = 0.1  # seconds between looks at the state; no thread is held
# A page that was known or packed could not get its script.
UNWANTED = ("if-none-match", "accept-encoding")


@dataclass(frozen=True)
class LocalAuthor:
    """Recognises the browser of the author, by a cookie, where `host` is on this machine and no
    proxy is expected.
    """

    host: str
    proxies: int
    token: str = field(default_factory=partial(secrets.token_urlsafe, 24), repr=False)

    def is_direct(self, request: Request) -> bool:
        """Whether a browser on this machine sent this request to this server. Browsers keep
        connections alive; a proxy has a `Connection` header of its own, or names itself.
        """
        headers = request.headers
        is_forwarded = any(re.match(r"x-forwarded|forwarded|via", name) for name in headers)
        return (
            not self.proxies
            and not is_forwarded
            and headers.get("connection") == "keep-alive"
            and is_loopback(self.host)
            and is_loopback(request.host)
        )

    def is_recognised(self, request: Request) -> bool:
        """Whether a page of this server sent the cookie, or the author typed the address."""
        if request.headers.get("sec-fetch-site") not in ("same-origin", "none"):
            return False
        sent = request.headers.get("cookie", "").encode(errors="replace").split(b"; ")
        wanted = f"{cookie_name(request)}={self.token}".encode()
        return self.is_direct(request) and any(compare_digest(each, wanted) for each in sent)

    def cookie(self, request: Request) -> str:
        return f"{cookie_name(request)}={self.token}; Path=/; HttpOnly; SameSite=Strict"


def cookie_name(request: Request) -> str:
    """Servers on several ports of one host share their cookies."""
    return "kg-" + re.sub(r"\W", "", request.headers.get("host", ""))


def is_visit(request: Request, current: CurrentSite) -> bool:
    """Whether the files are watched, and a page is opened in a browser. A program gets the page as
    it is.
    """
    return current.watched and request.headers.get("sec-fetch-dest") == "document"


async def next_version(request: Request, current: CurrentSite) -> Reply:
    """The newest state, as soon as it is another than the one that a page shows, or after a
    while.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + WAIT
    while current.version == request.field("state") and loop.time() < end and not current.ending:
        await asyncio.sleep(EVERY)
    return build_reply(request, current.version.encode(), TEXT, cache="no-store")


def show_file(request: Request) -> Reply:
    """The script and the looks of the banner."""
    file = FILES / request.path[1:]
    return build_reply(request, file.read_bytes(), OTHER_SUFFIXES[file.suffix], cache="no-store")


def plain(request: Request) -> Request:
    """A request whose reply can be changed."""
    headers = {name: text for name, text in request.headers.items() if name not in UNWANTED}
    return replace(request, headers=headers)


def inject(reply: Reply, current: CurrentSite, request: Request, author: LocalAuthor) -> None:
    """Adds the script to a page, and the cookie for the author."""
    if not reply.headers.get("Content-Type", "").startswith(HTML):
        return
    before, end, after = cast(bytes, reply.body).rpartition(b"</body>")
    is_direct = author.is_direct(request)
    added = SCRIPT.format(current.version, AS_AUTHOR if is_direct else "").encode()
    reply.body = before + added + end + after if end else after + added
    reply.headers.pop("ETag", None)
    if is_direct:
        reply.headers |= {"Set-Cookie": author.cookie(request), "Cache-Control": "no-store"}
