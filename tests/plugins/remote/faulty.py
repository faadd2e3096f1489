"""A door before a real server, that has faults: it is slow, answers 500, hangs up, or lets nobody
in.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass
class Door:
    """`fault` is asked at each request, with its number and its method, what happens: nothing (""),
    or a status, `slow`, `hang up`.
    """

    root: str = ""
    fault: Callable[[int, str], str] = lambda number, method: ""
    requests: list[str] = field(default_factory=list)


@contextmanager
def faulty(behind: str) -> Iterator[Door]:
    door = Door()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a body need not wait until headers are confirmed

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            door.requests.append(self.command)
            fault = door.fault(len(door.requests), self.command)
            if fault == "hang up":
                self.close_connection = True
                return
            if fault == "slow":
                time.sleep(2)
            status, text, media_type = (
                int(fault) if fault.isdecimal() else 0,
                b"The engine is ill.",
                "text/plain",
            )
            if not status:
                status, text, media_type = self.ask(body)
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(text)))
            if fault == "429":
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815

        def ask(self, body: bytes) -> tuple[int, bytes, str]:
            connection = http.client.HTTPConnection(urlsplit(behind).netloc, timeout=60)
            try:
                headers = {
                    name: value
                    for name, value in self.headers.items()
                    if name in ("Accept", "Content-Type")
                }
                connection.request(self.command, self.path, body, headers)
                response = connection.getresponse()
                return (
                    response.status,
                    response.read(),
                    response.getheader("Content-Type", "text/plain"),
                )
            finally:
                connection.close()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        door.root = f"http://127.0.0.1:{server.server_address[1]}/"
        try:
            yield door
        finally:
            server.shutdown()
            thread.join()
