"""What is known of the files of one document after they were made: from which answers, and what was
proved of them.

As long as it is still true, they need not be made or read again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property

from kg.publish.export.tracing_store import Asking, Question, digest

Stamp = tuple[int, int]  # the size of a file, and when it was last written, in nanoseconds


@dataclass
class Made:
    """`links` are the places in the site that its files lead to, `anchors` those on its page,
    `labels` what it says of other documents, as N-Triples; `secrets` the digests of private texts
    that stand in it, being public too; `parts` where the parts of a dump are, as their names,
    places, sizes and prefixes.
    """

    address: str
    files: dict[str, Stamp] = field(default_factory=dict)
    notes: dict[Question, str] = field(default_factory=dict)
    is_proved: bool = False
    links: list[str] = field(default_factory=list)
    count: int = 0  # of links
    anchors: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    parts: list[tuple[str, int, int, tuple[str, ...]]] = field(default_factory=list)

    @cached_property
    def line(self) -> str:
        """For a file; not to be asked for before all is known."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        said = {
            **known,
            "notes": [
                [each.kind, name_of(each.query), each.about, answer]
                for each, answer in self.notes.items()
            ],
        }
        return json.dumps(said, separators=(",", ":"))

    @property
    def is_of_many(self) -> bool:
        """Whether it is no form of a document, but one of several files that are made together."""
        return self.address.startswith("=")

    @cached_property
    def patterns(self) -> frozenset[Asking]:
        """What was asked, whatever it was about."""
        return frozenset(each.asking for each in self.notes)

    @cached_property
    def asked_about(self) -> tuple[str, ...]:
        """All things that queries were about."""
        return tuple(
            {
                thing
                for each in self.notes
                if each.query
                for _, things in each.about
                for thing in things
            }
        )

    @cached_property
    def mentioned(self) -> tuple[str, ...]:
        """All documents that were read, and all things whose names were."""
        return tuple(
            {
                thing
                for each in self.notes
                if not each.query
                for _, things in each.about
                for thing in things
            }
        )

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """The documents of which it says something."""
        return frozenset(map(spoken_of, self.labels))


def spoken_of(label: str) -> str:
    return label[1 : label.index(">")].partition("#")[0]


def read(line: str, queries: Mapping[str, str]) -> Made:
    """`queries` are by their names. A KeyError: it was made with another."""
    said = json.loads(line)
    said["parts"] = [(name, start, size, tuple(used)) for name, start, size, used in said["parts"]]
    said["files"] = {path: (size, time) for path, (size, time) in said["files"].items()}
    said["notes"] = {
        Question(
            kind, queries[query], tuple((name, tuple(values)) for name, values in about)
        ): answer
        for kind, query, about, answer in said["notes"]
    }
    made = Made(**said)
    made.line = line.rstrip("\n")
    return made


def name_of(query: str) -> str:
    return digest([query])[:12] if query else ""
