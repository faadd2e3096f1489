"""The server log: one line for each event, as text or JSON.

It contains no more about people than was requested: client addresses only with the option for them,
paths without query strings, and queries as hashes.
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

PROGRAM = Path(__file__).parents[2]  # the folder that contains kg/
MAX_METHOD = 20
MAX_MESSAGE = 500
MAX_FRAMES = 12
MAX_QUEUED = 10_000  # queued lines
FLUSH_TIMEOUT = 1.0  # seconds to write the last lines when the server stops


def to_stderr(line: str) -> None:
    with suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


@dataclass(frozen=True)
class EventLog:
    """Writes events with `write`; `dropped` counts the lines that could not be written. Internal
    errors are always logged, requests only on demand. Start, reloads and shutdown are logged as
    JSON only; the command prints them as text.
    """

    write: Callable[[str], None] = to_stderr
    is_json: bool = False
    requests: bool = False
    clients: bool = False  # whether to log client addresses
    dropped: Callable[[], int] = int  # always 0

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
        """Logs an internal error and its traceback, innermost frame first."""
        kind, message = type(error).__name__, str(error)[:MAX_MESSAGE]
        frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
        places = [f"{short_path(each.filename)}:{each.lineno}" for each in reversed(frames)]
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
    """Writes lines in a separate thread, so that a blocked log reader does not block requests. When
    the queue is full, lines are dropped and counted.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.lines: Queue[str | None] = Queue(MAX_QUEUED)
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
            with suppress(OSError):  # the reader has closed the pipe
                os.write(self.descriptor, f"{line}\n".encode(errors="replace"))

    def close(self) -> None:
        with suppress(Full):
            self.lines.put(None, timeout=FLUSH_TIMEOUT)
        self.thread.join(FLUSH_TIMEOUT)


def address(request: Request) -> dict[str, str]:
    """Method and path, percent-encoded so that they stay on one line."""
    method = quote(request.method[:MAX_METHOD])
    return {"method": method, "path": quote(request.path, safe="/.,:~@!$&'()*+;=-")}


def short_path(file: str) -> str:
    """A file path relative to the folder of kg/; for other files, the last three parts."""
    path = Path(file)
    if path.is_relative_to(PROGRAM / "kg"):
        return path.relative_to(PROGRAM).as_posix()
    return "/".join(path.parts[-3:])


def fingerprint(query: str) -> str:
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()[:12]
