"""A checked fact with the document it belongs to, and the key of a document."""

from __future__ import annotations

from typing import NamedTuple

from kg.facts.models.base import Entry, Main
from kg.facts.values.terms import Fact
from kg.facts.yaml.rows import Row

Key = tuple[str, str]  # of a document: its kind and slug


class Loaded(NamedTuple):
    """A checked fact, the document it belongs to, and the row it was written in."""

    kind: str
    slug: str
    fact: Fact
    row: Row

    @property
    def is_main(self) -> bool:
        """Whether it says what the document is about: an entry of a registry, or the basics of a
        CV.
        """
        return isinstance(self.fact, Main)

    @property
    def is_private(self) -> bool:
        return isinstance(self.fact, Entry) and self.fact.visibility == "private"
