"""Sends cases to a real server, while and after which somebody else asks a simple question."""

from __future__ import annotations

import re
import socket
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from tests.web.hostile.case import CLOSED, STOPPED, Case, gets
from tests.web.serving import ROOT, Server

DEADLINE = 2  # seconds
PATIENCE = 2  # more
OTHER = (
    "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
)  # who asks the simple question is somebody else
SIMPLE = gets("a simple question", "ASK { ?s a <http://schema.org/Person> }", 200, says="true")
MUTE = {400, 414, 431}  # what cannot be read as HTTP is refused without a word
SECRETS = ("Traceback", "site-packages", "root:x:", str(ROOT), sys.prefix)


def send(server: Server, sent: bytes, patience: float, source: str = "127.0.0.1") -> bytes:
    """All that comes back until the connection is closed."""
    where = urlsplit(server.address)
    until = time.monotonic() + patience
    with socket.create_connection(
        (where.hostname, where.port), timeout=patience, source_address=(source, 0)
    ) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was sent whole
            connection.sendall(sent)
        got = b""
        with suppress(ConnectionResetError):
            while True:
                connection.settimeout(max(until - time.monotonic(), 0.01))
                more = connection.recv(65536)
                if not more:
                    break
                got += more
        return got


def wrong(
    server: Server, case: Case, source: str = "127.0.0.1", patience: float = DEADLINE + PATIENCE
) -> str:
    """What is wrong with the answer to a case; empty if nothing is."""
    start = time.monotonic()
    try:
        got = send(server, case.sent, patience, source)
    except TimeoutError:
        return f"{case.name}: nothing within {time.monotonic() - start:.1f} s"
    found = re.match(rb"HTTP/1\.[01] (\d{3}) ", got)
    status = int(found[1]) if found else CLOSED
    head, _, body = got.partition(b"\r\n\r\n")
    text = body.decode("utf-8", "replace")
    if status not in case.expected:
        return f"{case.name}: {status} {text[:200]!r}, not {sorted(case.expected)}"
    if status not in STOPPED and case.says not in text:
        return f"{case.name}: {text[:200]!r} does not say {case.says!r}"
    if re.search(rb"^set-cookie", head, re.IGNORECASE | re.MULTILINE):
        return f"{case.name}: a header got in"
    if status >= 400 and not text.strip() and status not in MUTE:
        return f"{case.name}: {status} and not a word"
    return "".join(
        f"{case.name}: {secret} is in the answer. " for secret in SECRETS if secret in text
    )


@contextmanager
def watched(server: Server) -> Iterator[list[str]]:
    """Somebody asks the simple question all the time, and once more at the end; gives what was
    wrong with the answers.
    """
    complaints: list[str] = []
    done = threading.Event()

    def ask() -> None:
        while not done.wait(0.05):
            complaints.extend(filter(None, [wrong(server, SIMPLE, OTHER, PATIENCE)]))

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield complaints
    finally:
        done.set()
        asking.join()
        complaints.extend(filter(None, [wrong(server, SIMPLE, OTHER, PATIENCE)]))


def attack(server: Server, cases: Iterable[Case], at_once: int = 2) -> list[str]:
    """Everything that was wrong, with the answers to the cases or to the simple question
    meanwhile.
    """
    with watched(server) as complaints, ThreadPoolExecutor(at_once) as pool:
        found = [
            complaint
            for complaint in pool.map(lambda case: wrong(server, case), cases)
            if complaint
        ]
    return [*found, *complaints]
