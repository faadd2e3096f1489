"""The application as granian calls it: queries on the event loop, pages in a few threads.

A request waits in no thread: neither while its body arrives, nor for a worker, nor for a client
that reads its answer slowly.
"""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from kg.web import live, questions
from kg.web.answers import Reply
from kg.web.app import App, refuse
from kg.web.connections import TO_BE_READ, Outbox, shut_down
from kg.web.request import LONGEST_BODY, Refusal, Request, too_long
from kg.web.sparql import PATH, RETRY_AFTER

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol as HTTPProtocol
    from granian.rsgi import Scope

TO_ARRIVE = 30.0  # seconds for a body
SOON = 0.2  # seconds; for a query that takes longer, it is watched whether its client is there
UNREAD = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)  # more may come
SLOW = (PATH, live.PATH, questions.PATH)  # how addresses begin
LARGE = 256 * 1024  # bytes; a larger answer is sent from a file


class Application:
    def __init__(self, app: App, port: int) -> None:
        self.app, self.port = app, port
        self.outbox = Outbox()
        self.requests = 0  # that are under way

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answers one request."""
        request = read_request(scope, protocol)
        self.requests += 1
        try:
            with Watch(protocol) if request.path.startswith(SLOW) else nullcontext():
                reply = await self.app.respond(request)
            await self.send(reply, request, scope, protocol)
        except asyncio.CancelledError:  # the client has gone, or the server ends
            protocol.response_empty(HTTPStatus.SERVICE_UNAVAILABLE, [])
        except Exception as error:  # no place for a large answer, say
            self.app.note_fault(error, request)
            protocol.response_empty(HTTPStatus.INTERNAL_SERVER_ERROR, [("Connection", "close")])
        finally:
            self.requests -= 1

    async def send(
        self, reply: Reply, request: Request, scope: Scope, protocol: HTTPProtocol
    ) -> None:
        reply.headers["Server"] = "kg"
        if reply.status in UNREAD:
            reply.headers["Connection"] = "close"
        headers = list(reply.headers.items())
        if request.method == "HEAD" or reply.status == HTTPStatus.NOT_MODIFIED:
            protocol.response_empty(reply.status, headers)
        elif isinstance(reply.body, bytes) and len(reply.body) <= LARGE:
            protocol.response_bytes(reply.status, headers, reply.body)
        else:
            await self.send_file(reply, request, scope, protocol)

    async def send_file(
        self, reply: Reply, request: Request, scope: Scope, protocol: HTTPProtocol
    ) -> None:
        """The connection is closed after it, which tells that all was read."""
        client, size = request.client(self.app.options.proxies), len(reply.body)
        if not self.outbox.reserve(client, size):
            message = "Read the answers that were sent to you first."
            busy = refuse(Refusal(503, message, Retry_After=RETRY_AFTER))
            busy.finish()
            return await self.send(busy, request, scope, protocol)
        pieces = [reply.body] if isinstance(reply.body, bytes) else reply.body
        path = await asyncio.to_thread(self.outbox.write, pieces)
        try:
            headers = [*reply.headers.items(), ("Connection", "close")]
            reply.body, pieces = b"", []
            protocol.response_file(reply.status, headers, str(path))
            async with asyncio.timeout(TO_BE_READ):
                await protocol.client_disconnect()
        except TimeoutError:
            await asyncio.to_thread(shut_down, self.port, scope.client)
        finally:
            path.unlink(missing_ok=True)
            self.outbox.free(client, size)

    def close(self) -> None:
        self.app.close()
        self.outbox.close()


class Watch:
    """Cancels the current task when its client has gone."""

    def __init__(self, protocol: HTTPProtocol) -> None:
        self.gone: asyncio.Future[None] | None = None
        self.timer = asyncio.get_running_loop().call_later(SOON, self.begin, protocol)

    def begin(self, protocol: HTTPProtocol) -> None:
        """Holds no reference to the protocol: where its body is not read to the end, the connection
        is closed when nobody has it any more.
        """
        self.gone = asyncio.ensure_future(protocol.client_disconnect())
        self.gone.add_done_callback(self.cancel)

    def cancel(self, gone: asyncio.Future[None]) -> None:
        if self.task and not gone.cancelled():
            self.task.cancel()

    def __enter__(self) -> None:
        self.task = asyncio.current_task()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()
        if self.gone:
            self.gone.remove_done_callback(self.cancel)
            self.gone.cancel()


def read_request(scope: Scope, protocol: HTTPProtocol) -> Request:
    """A header that is sent several times counts as one, and one whose value is not plain text as
    empty.
    """
    headers = dict.fromkeys(scope.headers.keys(), "")
    for name, value in scope.headers.items():
        headers[name] = f"{headers[name]}, {value}" if headers[name] else value
    if scope.http_version == "1":  # HTTP/1.0, where a request need not name a Host
        headers.setdefault("host", "")
    peer = scope.client.rpartition(":")[0]
    body = partial(read_body, headers.get("content-length", ""), protocol)
    return Request(scope.method, scope.path, scope.query_string, headers, peer, body)


async def read_body(length: str, protocol: HTTPProtocol) -> bytes:
    """Raises Refusal where it is too long, comes too slowly or is broken."""
    if length.isdecimal() and int(length) > LONGEST_BODY:
        raise too_long()
    found = bytearray()
    ends = 0
    try:
        async with asyncio.timeout(TO_ARRIVE):
            async for piece in protocol:
                found += piece
                ends += not piece
                if len(found) > LONGEST_BODY:
                    raise too_long()
    except TimeoutError as error:
        raise Refusal(408, f"The request took longer than {TO_ARRIVE:g} seconds.") from error
    if ends > 1:  # one empty piece is the end; before it, one stands for what cannot be read
        raise Refusal(400, "The body of the request is broken.")
    return bytes(found)
