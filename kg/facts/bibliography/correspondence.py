"""Which field of another format is which of ours: a table for each format, in YAML beside this
module.

The readers of bibliographies go by them, and so does `docs/formats.md`. A field may go to several
of ours, each for some kinds of entry:

    booktitle: {conference: [conference, workshop], book.title: [book-chapter]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
NAMES = ("json-resume", "rendercv", "orcid", "biblatex", "csl")
ELSE = "else"  # all kinds that are not named
Targets = Mapping[str, list[str] | str]  # our fields, and the kinds of entry for which they are


@dataclass(frozen=True)
class Correspondence:
    """The table of one format. `at` is the part of a CV in which all its fields are; `types` are
    its types of entry, each with our kind, and `kinds` tells which type is written for one of ours,
    where it is not the first of these.
    """

    name: str
    version: str
    fields: Mapping[str, Targets]
    not_taken: Mapping[str, str]
    at: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    types_not_taken: Mapping[str, str] = field(default_factory=dict)

    def type_of(self, kind: str) -> str:
        """The type that an entry of this kind is written as."""
        return self.kinds.get(kind) or next(
            each for each, ours in self.types.items() if ours == kind
        )

    def path(self, name: str, kind: str) -> str:
        """Where a field of an entry of this kind goes; empty where it is not taken."""
        targets = self.fields.get(name, {})
        return next((path for path, kinds in targets.items() if kinds == ELSE or kind in kinds), "")

    def paths(self) -> Iterator[tuple[str, str]]:
        """Every field with each of ours that it goes to, from the top of a CV."""
        for name, targets in self.fields.items():
            for path in targets:
                yield name, ".".join(filter(None, [self.at, path]))


@cache
def correspondence(name: str) -> Correspondence:
    read = yaml.load((FOLDER / f"{name}.yaml").read_bytes(), yaml.CSafeLoader)
    fields = {
        each: {written: ELSE} if isinstance(written, str) else written
        for each, written in read.pop("fields").items()
    }
    return Correspondence(
        fields=fields, **{key.replace(" ", "_"): value for key, value in read.items()}
    )
