"""The log of a server: each event is one line, of text for people or of JSON for programs.

It holds no more about people than was wanted: the address of a client only where that was said; of
an address its path, without what was asked there; of a query its hash.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from urllib.parse import quote

from kg.web.request import Request
from kg.web.state import now

PROGRAM = Path(__file__).parents[2]  # the folder that holds ours
LONGEST_METHOD = 20
LONGEST_MESSAGE = 500
MOST_FRAMES = 12
MOST_WAITING = 10_000  # lines
TO_END = 1.0  # seconds for the last lines


def to_stderr(line: str) -> None:
    with suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


@dataclass(frozen=True)
class EventLog:
    """`write` takes a line, and `dropped` counts those that nobody took. Faults of the program are
    always logged, requests where they are wanted; the start, reloads and the end only for programs,
    for people are told of them anyway.
    """

    write: Callable[[str], None] = to_stderr
    is_json: bool = False
    requests: bool = False
    clients: bool = False  # whether their addresses are written
    dropped: Callable[[], int] = int  # none

    def note_request(
        self, request: Request, client: str, status: int, size: int, seconds: float
    ) -> None:
        if not self.requests:
            return
        who = client if self.clients else ""
        asked = fingerprint(request.query) if request.outcome else ""
        milliseconds = round(seconds * 1000)
        if self.is_json:
            details = {"query": asked, "outcome": request.outcome} if asked else {}
            self.note(
                "request",
                **({"client": who} if who else {}),
                **address(request),
                status=status,
                bytes=size,
                milliseconds=milliseconds,
                **details,
            )
            return
        where = " ".join(address(request).values())
        tail = f" query={asked} {request.outcome}" if asked else ""
        self.write(f"{now()} {who or '-'} {where} {status} {size} B {milliseconds} ms{tail}")

    def note_fault(self, error: BaseException, request: Request | None = None) -> None:
        """What went wrong in the program itself, and where: the innermost place first."""
        kind, message = type(error).__name__, str(error)[:LONGEST_MESSAGE]
        frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
        places = [f"{shortened(each.filename)}:{each.lineno}" for each in reversed(frames)]
        where = address(request) if request else {}
        if self.is_json:
            self.note("fault", **where, error=kind, message=message, places=places)
            return
        words = " ".join(["fault", *where.values(), f"{kind}:", ascii(message), "at", *places])
        self.write(f"{now()} {words}")

    def note(self, event: str, **details: object) -> None:
        if self.is_json:
            self.write(json.dumps({"time": now(), "event": event, **details}))


class LineWriter:
    """Writes lines to a descriptor in a thread of its own, so that no request waits for who reads
    the log, or does not. Lines that are too many are left out, and counted.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.lines: Queue[str | None] = Queue(MOST_WAITING)
        self.dropped = 0
        self.thread = Thread(target=self.run, name="log", daemon=True)
        self.thread.start()

    def write(self, line: str) -> None:
        try:
            self.lines.put_nowait(line)
        except Full:
            self.dropped += 1

    def run(self) -> None:
        while (line := self.lines.get()) is not None:
            with suppress(OSError):  # the reader has gone
                os.write(self.descriptor, f"{line}\n".encode(errors="replace"))

    def close(self) -> None:
        with suppress(Full):
            self.lines.put(None, timeout=TO_END)
        self.thread.join(TO_END)


def address(request: Request) -> dict[str, str]:
    """All that was sent stays on one line."""
    method = quote(request.method[:LONGEST_METHOD])
    return {"method": method, "path": quote(request.path, safe="/.,:~@!$&'()*+;=-")}


def shortened(file: str) -> str:
    """Where a file is, from our own folder on; of others the last parts."""
    path = Path(file)
    if path.is_relative_to(PROGRAM / "kg"):
        return path.relative_to(PROGRAM).as_posix()
    return "/".join(path.parts[-3:])


def fingerprint(query: str) -> str:
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()[:12]
