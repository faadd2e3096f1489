"""Other processes that judge portions of a graph, so that all cores have something to do.

A worker is a program of its own, `python -m kg.graph.workers`, that knows nothing of its parent: it reads shapes, then portions, and
writes what it finds, each with its length before it. It ends when nobody writes to it any more.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict
from queue import SimpleQueue
from typing import IO

from kg.errors import KgError
from kg.graph.findings import Finding
from kg.graph.validate import validate

LENGTH = 8  # bytes before each message


class Worker:
    """The near end of a worker."""

    def __init__(self, shapes: bytes) -> None:
        command = [sys.executable, "-P", "-m", "kg.graph.workers"]
        # In a session of its own: Ctrl-C is for the parent, which then ends it.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)  # noqa: S603
        assert self.process.stdin and self.process.stdout  # noqa: S101
        self.to, self.back = self.process.stdin, self.process.stdout
        send(self.to, shapes)

    def judge(self, portion: str) -> list[Finding]:
        try:
            send(self.to, portion.encode())
            answer = receive(self.back)
        except BrokenPipeError:
            answer = None
        if answer is None:
            raise KgError("A process that judges the graph has ended. Is there enough memory?")
        found = json.loads(answer)
        if "wrong" in found:
            raise KgError(found["wrong"])
        return [Finding(**each) for each in found["findings"]]

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self.to.close()
        self.back.close()
        self.process.wait()


@contextmanager
def judged(shapes: bytes, portions: Iterable[str], number: int) -> Iterator[Iterator[list[Finding]]]:
    """What so many workers find in the portions. They begin at once, and are gone in the end, whatever happens."""
    idle: SimpleQueue[Worker] = SimpleQueue()
    workers = [Worker(shapes) for _ in range(number)]
    for worker in workers:
        idle.put(worker)

    def judge(portion: str) -> list[Finding]:
        worker = idle.get()
        try:
            return worker.judge(portion)
        finally:
            idle.put(worker)

    pool = ThreadPoolExecutor(number)
    try:
        yield pool.map(judge, portions)
    finally:
        pool.shutdown(cancel_futures=True)
        for worker in workers:
            worker.close()


def send(stream: IO[bytes], message: bytes) -> None:
    stream.write(len(message).to_bytes(LENGTH, "big") + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    head = stream.read(LENGTH)
    return stream.read(int.from_bytes(head, "big")) if len(head) == LENGTH else None


def main() -> None:
    """The far end."""
    shapes = receive(sys.stdin.buffer)
    while shapes is not None and (portion := receive(sys.stdin.buffer)) is not None:
        try:
            answer: dict[str, object] = {"findings": [asdict(found) for found in validate(shapes, portion.decode())]}
        except KgError as error:
            answer = {"wrong": str(error)}
        send(sys.stdout.buffer, json.dumps(answer).encode())


if __name__ == "__main__":
    main()
