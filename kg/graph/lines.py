"""The lines of a graph, document by document, without a copy of them.

Lines are sorted by subject, and the subjects of a document stand together but for few others, so
each has few runs of lines.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

RUN = re.compile(
    rb"<([^>#]*)[>#][^\n]*+\n(?:<\1[>#][^\n]*+\n)*+"
)  # lines whose subjects are of one document


class Lines:
    def __init__(self, nquads: bytes) -> None:
        self.nquads = nquads

    @cached_property
    def runs(self) -> dict[str, list[tuple[int, int]]]:
        """Document -> where its lines begin and end."""
        found: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
        for each in RUN.finditer(self.nquads):
            found[each[1]].append(each.span())
        return {document.decode(): runs for document, runs in found.items()}

    def of(self, document: str) -> bytes:
        return b"".join(self.nquads[start:end] for start, end in self.runs.get(document, []))

    def number(self, document: str) -> int:
        """The first line of a document, counted from 1."""
        return (
            self.nquads.count(b"\n", 0, self.runs[document][0][0]) + 1
            if document in self.runs
            else 1
        )
