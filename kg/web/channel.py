"""A connection that does not wait for ever: for a request that trickles in, for a client that does
not read, for a heap of requests.

(One on which nothing happens at all waitress closes by itself.)
"""

from __future__ import annotations

import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import WSGITask

from kg.web.client import known
from kg.web.plain import environ_of
from kg.web.ready import REQUEST

TO_ARRIVE = 30  # seconds for a request
TO_BE_TAKEN = 300  # seconds for an answer
MOST_AHEAD = 4  # requests that are sent before the first is answered
MOST_OF_ONE = 500  # connections of one client
MOST_UNREAD = 512 * 1024 * 1024  # bytes of answers that one client has not read, in files of ours
LARGE = 1024 * 1024


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Says 400 also to an address or a length of which Python itself can make nothing."""

    def parse_header(self, header: bytes) -> None:
        try:
            super().parse_header(header)
        except ValueError as error:
            raise ParsingError("The first line or the Content-Length is invalid") from error


class Task(WSGITask):  # type: ignore[misc]
    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[REQUEST] = self.channel.plain
        return environ


class Channel(HTTPChannel):  # type: ignore[misc]
    parser_class, task_class = Parser, Task
    plain = b""  # the request that is being answered, if it came in one piece and is like others
    arriving: float | None = None  # since when
    leaving: float | None = None

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)
        self.will_close = len(self.of_the_same()) > MOST_OF_ONE

    def of_the_same(self) -> list[Channel]:
        """All connections of the client, this one among them."""
        mine = known(self.addr[0], "")
        return [
            channel
            for channel in list(self.server.active_channels.values())
            if known(channel.addr[0], "") == mine
        ]

    def received(self, data: bytes) -> bool:
        if (
            self.request is None
            and not self.requests
            and not self.will_close
            and self.server.lane.takes(self, data)
        ):
            return True
        is_new = self.request is None and not self.requests
        self.plain = data if is_new and environ_of(data, "") else b""
        now = time.monotonic()
        self.arriving = self.arriving or now
        done = super().received(data)
        if self.request is None:
            self.arriving = None
        elif now - self.arriving > TO_ARRIVE:
            self.will_close = True
        if len(self.requests) > MOST_AHEAD:
            self.will_close = True
        return bool(done)

    def put(self, reply: bytes) -> None:
        """Sends a whole reply, or as much of it as goes now; the rest follows when it can."""
        if not self.connected or not self.socket:
            return
        sent = self.send(reply)
        self.last_activity = time.time()
        if sent < len(reply) and self.connected:
            with self.outbuf_lock:
                self.outbufs[-1].append(reply[sent:])
                self.current_outbuf_count += len(reply) - sent
                self.total_outbufs_len += len(reply) - sent

    def handle_write(self) -> None:
        now = time.monotonic()
        self.leaving = (self.leaving or now) if self.total_outbufs_len else None
        if self.leaving and now - self.leaving > TO_BE_TAKEN:
            self.will_close = True
        if (
            self.total_outbufs_len > LARGE
            and sum(channel.total_outbufs_len for channel in self.of_the_same()) > MOST_UNREAD
        ):
            self.will_close = True
        super().handle_write()
