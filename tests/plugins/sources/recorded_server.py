"""A server on loopback that answers as the services do: from recorded answers, or with faults."""

from __future__ import annotations

import gzip
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from kg.plugins.sources.answers import Answer, read_answer

RECORDED = Path(__file__).parent / "recorded"
KEYS = re.compile(r"[?&](?:api_key|key)=[^&]*")


class Reply(NamedTuple):
    """What the server sends. `promised` bytes are announced; `pause` is before the body."""

    status: int = 200
    body: bytes = b"{}"
    media_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    promised: int = 0
    pause: float = 0.0


class RecordedServer:
    """Recorded answers by address, and replies that tests put in their place, by a part of it."""

    def __init__(self, folder: Path = RECORDED) -> None:
        found = (read_answer(path.read_bytes()) for path in sorted(folder.rglob("*.txt")))
        self.answers: dict[str, Answer] = {each.address: each for each in found if each}
        self.replies: dict[str, list[Reply]] = {}  # the last one is repeated
        self.asked: list[tuple[float, str, dict[str, str]]] = []
        self.root = ""

    def reply(self, part: str, *replies: Reply) -> None:
        self.replies[part] = list(replies)

    def change(self, part: str, change: Callable[[str], str]) -> None:
        """Changes the text of the recorded answers whose address has this part."""
        for address, answer in list(self.answers.items()):
            if part in address:
                body = change(answer.text).encode()
                found = Answer(address, answer.status, answer.media_type, answer.asked, body)
                self.answers[address] = found

    def addresses(self) -> list[str]:
        return [address for _, address, _ in self.asked]

    def answer(self, address: str) -> Reply:
        for part, replies in self.replies.items():
            if part in address:
                return replies.pop(0) if len(replies) > 1 else replies[0]
        found = self.answers.get(KEYS.sub("", address))
        if found is None:
            return Reply(404, b'{"error": "not found"}')
        return Reply(found.status, found.body, found.media_type)


@contextmanager
def served(server: RecordedServer) -> Iterator[RecordedServer]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a body need not wait until headers are confirmed

        def do_GET(self) -> None:
            address = f"https:/{self.path}"
            server.asked.append((time.monotonic(), address, dict(self.headers)))
            reply = server.answer(address)
            packs = "gzip" in self.headers.get("Accept-Encoding", "") and not reply.promised
            body = gzip.compress(reply.body) if packs else reply.body
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.media_type)
            self.send_header("Content-Length", str(reply.promised or len(body)))
            if packs:
                self.send_header("Content-Encoding", "gzip")
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            if reply.pause:
                self.wfile.flush()
                time.sleep(reply.pause)
            if self.command == "GET":
                self.wfile.write(body)
            if reply.promised:
                self.close_connection = True

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Tests read `asked`."""

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:  # a client that gave up
                self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        server.root = f"http://127.0.0.1:{http.server_port}"
        yield server
        http.shutdown()
        thread.join()
