"""The application as granian calls it: queries on the event loop, pages in a few threads.

A request waits in no thread: neither while its body arrives, nor for a worker, nor for a client
that reads its answer slowly.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from kg.web.answers import Reply
from kg.web.connections import TO_BE_READ, Outbox, shut_down
from kg.web.log import Log
from kg.web.request import LONGEST_BODY, Refusal, Request, canonical, join_headers, too_long
from kg.web.sparql import PATH, RETRY_AFTER, finish, respond
from kg.web.state import Stage

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from granian._granian import RSGIHTTPProtocol as HTTPProtocol
    from granian.rsgi import Scope

PAGE_THREADS = 16
TO_ARRIVE = 30.0  # seconds for a body
SOON = 0.2  # seconds; for a query that takes longer, it is watched whether its client is there
SERVER = ("Server", "kg")
CLOSE = ("Connection", "close")
UNREAD = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)  # more may come
LARGE = 256 * 1024  # bytes; a larger answer is sent from a file


class Application:
    def __init__(self, pages: WSGIApplication, stage: Stage, log: Log, port: int) -> None:
        self.pages, self.stage, self.log, self.port = pages, stage, log, port
        self.threads = ThreadPoolExecutor(PAGE_THREADS, "page")
        self.outbox = Outbox()

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answers one request."""
        began = time.perf_counter()
        client = canonical(scope.client.rpartition(":")[0], "")
        try:
            try:
                request = read_request(scope, protocol)
                client = request.client(self.log.proxies)
                reply = await self.reply(request, protocol)
            except Refusal as refusal:
                reply = refuse(refusal.status, str(refusal))
                seconds, size = time.perf_counter() - began, len(reply.body)
                self.log.note(client, scope.method, scope.path, reply.status, size, seconds)
            except Exception:
                logging.getLogger(__name__).exception("%s %s", scope.method, scope.path)
                reply = refuse(500, "The server made a mistake.")
            await self.send(reply, scope, protocol, client)
        except asyncio.CancelledError:  # the client has gone, or the server ends
            protocol.response_empty(HTTPStatus.SERVICE_UNAVAILABLE, [])

    async def reply(self, request: Request, protocol: HTTPProtocol) -> Reply:
        if request.path != PATH:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.threads, self.page, request)
        watch = Watch(protocol)
        try:
            reply = await respond(request, self.stage, self.log)
        finally:
            watch.end()
        if len(reply.body) > LARGE and request.method != "HEAD":
            reply.file = await asyncio.to_thread(self.outbox.write, [reply.body])
            reply.body = b""
        return reply

    def page(self, request: Request) -> Reply:
        """The reply of the application of WSGI."""
        reply = Reply(500)

        def start(status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
            reply.status, reply.headers = int(status.split(maxsplit=1)[0]), headers

        pieces = self.pages(request.environ(), start)
        try:
            if int(dict(reply.headers).get("Content-Length", 0)) <= LARGE:
                reply.body = b"".join(pieces)
            elif request.method != "HEAD":
                reply.file = self.outbox.write(pieces)
        finally:
            if hasattr(pieces, "close"):
                pieces.close()
        return reply

    async def send(self, reply: Reply, scope: Scope, protocol: HTTPProtocol, client: str) -> None:
        reply.headers.append(SERVER)
        if reply.status in UNREAD:
            reply.headers.append(CLOSE)
        if scope.method == "HEAD" or reply.status == HTTPStatus.NOT_MODIFIED:
            protocol.response_empty(reply.status, reply.headers)
            return
        if reply.file is None:
            protocol.response_bytes(reply.status, reply.headers, reply.body)
            return
        try:
            size = reply.file.stat().st_size
            if self.outbox.reserve(client, size):
                # The connection is closed after it, which tells that all was read.
                headers = [*reply.headers, CLOSE]
                protocol.response_file(reply.status, headers, str(reply.file))
                await self.wait_until_read(scope, protocol)
                self.outbox.free(client, size)
            else:
                busy = refuse(503, "Read the answers that were sent to you first.", RETRY_AFTER)
                protocol.response_bytes(busy.status, busy.headers, busy.body)
        finally:
            reply.file.unlink(missing_ok=True)

    async def wait_until_read(self, scope: Scope, protocol: HTTPProtocol) -> None:
        try:
            async with asyncio.timeout(TO_BE_READ):
                await protocol.client_disconnect()
        except TimeoutError:
            await asyncio.to_thread(shut_down, self.port, scope.client)

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.outbox.close()


class Watch:
    """Cancels the current task when its client has gone."""

    def __init__(self, protocol: HTTPProtocol) -> None:
        self.task = asyncio.current_task()
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

    def end(self) -> None:
        self.timer.cancel()
        if self.gone:
            self.gone.remove_done_callback(self.cancel)
            self.gone.cancel()


def read_request(scope: Scope, protocol: HTTPProtocol) -> Request:
    """Raises Refusal."""
    headers = join_headers(scope.headers.keys(), scope.headers.items())
    if scope.http_version != "1" and ("host" not in headers or "," in headers["host"]):
        raise Refusal(400, "A request names one Host.")
    if not scope.method.isupper():
        raise Refusal(400, "The name of a method is written in capitals.")
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


def refuse(status: int, message: str, *headers: tuple[str, str]) -> Reply:
    body = f"{message}\n".encode()
    plain = ("Content-Type", "text/plain; charset=utf-8")
    return finish(Reply(status, body, [plain, CLOSE, *headers]))
