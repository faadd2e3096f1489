"""What parts of a site gave when they were last read, for a process that checks it again and again:
only what an edit touches is read anew.

A part is a function of its inputs, so whoever has the same inputs has the same. What the last check
had no use for is let go.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from kg.check import shape_files
from kg.check.leaks import Searched
from kg.check.problems import Telling
from kg.graph.lasting import Lasting
from kg.graph.looked import Looked
from kg.graph.parallel.executor import Progress, Workers, silent
from kg.memo import PartOfFiles, read_body

P = TypeVar("P", bound=PartOfFiles)
Result = TypeVar("Result")
Stamp = tuple[int, int]
LITTLE = 1 << 22  # bytes of what is to be done, which this process has soon done itself


class Read(NamedTuple):
    """A file as it was read: when it was last written, what stands for its bytes, and how many
    there are.
    """

    stamp: Stamp | None
    digest: bytes
    size: int


class Memo:
    """Does what Workers do, where it is not known already; little by itself, or all where there is
    nobody else.

    `in_place`: who has something checked again has let the last state go, whose store may be
    changed to be that of the next.
    """

    def __init__(self, in_place: bool = False) -> None:
        self.workers: Workers | None = None
        self.known: dict[str, Any] = {}
        self.used: dict[str, Any] = {}
        self.stamps: Mapping[str, Stamp] = {}
        self.read: dict[str, Read] = {}
        self.looked: Looked | None = None
        self.lasting = Lasting(in_place)
        self.searched, self.shapes, self.telling = Searched(), shape_files.Reader(), Telling()

    def see(self, stamps: Mapping[str, Stamp]) -> None:
        """Takes these files to be as they were when they had the same stamps, and any other to be
        new.
        """
        self.stamps, self.read = (
            stamps,
            {path: read for path, read in self.read.items() if path in stamps},
        )

    def begin(self, workers: Workers | None) -> Memo:
        """Before each check. What was done for the last one, or for one that went wrong since, is
        what is known.
        """
        self.workers, self.known, self.used = workers, self.known | self.used, {}
        return self

    def end(self) -> None:
        """The whole is done."""
        self.workers, self.known, self.used = None, self.used, {}

    def counting(self, what: str) -> Progress:
        return self.workers.counting(what) if self.workers else silent

    def each(self, work: Callable[[P], Result], tasks: Iterable[P]) -> Iterator[Result]:
        """What the work makes of each task, in their order."""
        keys = [(task, *self.key(work, task, self.body)) for task in tasks]
        new = [task for task, key, _ in keys if key not in self.known]
        much = sum(size for _, key, size in keys if key not in self.known) >= LITTLE
        made = self.workers.each(work, new) if self.workers and much else map(work, new)
        for task, key, _ in keys:
            result = self.known[key] if key in self.known else next(made)
            if (
                key in self.known or self.key(work, task, read)[0] == key
            ):  # otherwise a file was written to while it was read
                self.used[key] = result
            yield result

    def key(
        self, work: Callable[[P], Result], task: P, body: Callable[[str], Read]
    ) -> tuple[str, int]:
        """A name for what comes of a task, and the size of what it is made from."""
        name, bodies = getattr(getattr(work, "work", work), "__qualname__", ""), list[Read]()

        def told(path: str) -> bytes:
            bodies.append(body(path))
            return bodies[-1].digest

        inputs = task.inputs(told)
        return hashlib.blake2b(name.encode() + b"\0" + inputs, digest_size=16).hexdigest(), sum(
            each.size for each in bodies
        )

    def body(self, path: str) -> Read:
        """A file as it is, which is only read where it may have changed."""
        stamp, known = self.stamps.get(path), self.read.get(path)
        if stamp is None or known is None or known.stamp != stamp:
            known = read(path)._replace(stamp=stamp)
            if stamp:
                self.read[path] = known
        return known


def read(path: str) -> Read:
    body = read_body(path)
    return Read(None, hashlib.blake2b(body, digest_size=16).digest(), len(body))
