"""Field mappings between other formats and ours: one YAML table for each format, beside this
module.

Used by the readers of bibliographies and by `docs/formats.md`. A field can map to several of ours,
depending on the kind of entry:

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
ELSE = "else"  # all other kinds
Targets = Mapping[str, list[str] | str]  # our field -> kinds of entry that it applies to


@dataclass(frozen=True)
class Correspondence:
    """The mapping of one format.

    `at` is the part of a CV that contains all fields. `types` maps types of entry to our kinds;
    `kinds` gives the type to write for a kind, if it is not the first in `types`.
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
        """The type to write for an entry of this kind."""
        return self.kinds.get(kind) or next(
            each for each, ours in self.types.items() if ours == kind
        )

    def path(self, name: str, kind: str) -> str:
        """The field that a field maps to, for an entry of this kind; empty if none."""
        targets = self.fields.get(name, {})
        return next((path for path, kinds in targets.items() if kinds == ELSE or kind in kinds), "")

    def paths(self) -> Iterator[tuple[str, str]]:
        """Every field with each of our fields that it maps to, as a path from the top of a CV."""
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
