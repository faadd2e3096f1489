"""Live reload for `kg serve --watch`: open pages reload on every save, and show errors in a banner.

Only the author gets this. A server that listens on this machine only sends a cookie with each page,
which the page's script sends back. Requests with another host name (as in DNS rebinding) and
requests forwarded by a proxy get no cookie. On any other server, a page opened with the key
(`/?key=…`) keeps the key for its tab. Without cookie or key the script does nothing, and the server
answers 404. Built pages do not contain the script.
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
SCRIPT_TAG = '<script src="/live.js" data-state="{}"{} defer></script>\n'
AUTHOR_ATTRIBUTE = " data-author"
POLL_TIMEOUT = 25.0  # seconds until a long-polling request is answered without news
POLL_INTERVAL = 0.1  # seconds between checks for a new state; no thread is blocked
# Request headers to drop: the script cannot be added to a 304 or to gzipped pages.
DROPPED_HEADERS = ("if-none-match", "accept-encoding")


@dataclass(frozen=True)
class LocalAuthor:
    """Recognises the author's browser by a cookie, if `host` is on this machine and there is no
    proxy.
    """

    host: str
    proxies: int
    token: str = field(default_factory=partial(secrets.token_urlsafe, 24), repr=False)

    def is_direct(self, request: Request) -> bool:
        """Whether a browser on this machine sent the request directly to this server. Browsers send
        `Connection: keep-alive`; a proxy sends its own `Connection` header or identifies itself.
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
        """Whether the request has the cookie, and comes from a page of this server or the address
        bar.
        """
        if request.headers.get("sec-fetch-site") not in ("same-origin", "none"):
            return False
        sent = request.headers.get("cookie", "").encode(errors="replace").split(b"; ")
        wanted = f"{cookie_name(request)}={self.token}".encode()
        return self.is_direct(request) and any(compare_digest(each, wanted) for each in sent)

    def cookie(self, request: Request) -> str:
        return f"{cookie_name(request)}={self.token}; Path=/; HttpOnly; SameSite=Strict"


def cookie_name(request: Request) -> str:
    """A cookie name that includes the port, because servers on different ports of a host share
    cookies.
    """
    return "kg-" + re.sub(r"\W", "", request.headers.get("host", ""))


def is_visit(request: Request, current: CurrentSite) -> bool:
    """Whether files are watched and a browser opens the page. Programs get the page unchanged."""
    return current.watched and request.headers.get("sec-fetch-dest") == "document"


async def next_version(request: Request, current: CurrentSite) -> Reply:
    """The newest version: as soon as it differs from the one that the page shows, or after a
    timeout.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + POLL_TIMEOUT
    while current.version == request.field("state") and loop.time() < end and not current.ending:
        await asyncio.sleep(POLL_INTERVAL)
    return build_reply(request, current.version.encode(), TEXT, cache="no-store")


def show_file(request: Request) -> Reply:
    """The script, or the style sheet of the banner."""
    file = FILES / request.path[1:]
    return build_reply(request, file.read_bytes(), OTHER_SUFFIXES[file.suffix], cache="no-store")


def plain(request: Request) -> Request:
    """A copy of the request without the headers that would keep its reply from being changed."""
    headers = {name: text for name, text in request.headers.items() if name not in DROPPED_HEADERS}
    return replace(request, headers=headers)


def inject(reply: Reply, current: CurrentSite, request: Request, author: LocalAuthor) -> None:
    """Adds the script to a page, and the author's cookie."""
    if not reply.headers.get("Content-Type", "").startswith(HTML):
        return
    before, end, after = cast(bytes, reply.body).rpartition(b"</body>")
    is_direct = author.is_direct(request)
    added = SCRIPT_TAG.format(current.version, AUTHOR_ATTRIBUTE if is_direct else "").encode()
    reply.body = before + added + end + after if end else after + added
    reply.headers.pop("ETag", None)
    if is_direct:
        reply.headers |= {"Set-Cookie": author.cookie(request), "Cache-Control": "no-store"}
