"""A validated fact with its document."""

from __future__ import annotations

from typing import NamedTuple

from kg.facts.models.base import Entry, Main
from kg.facts.values.terms import Fact
from kg.facts.yaml.rows import Row

Key = tuple[str, str]  # kind and slug of a document


class Loaded(NamedTuple):
    """A validated fact, its document, and the row it was read from."""

    kind: str
    slug: str
    fact: Fact
    row: Row

    @property
    def is_main(self) -> bool:
        """Whether the document is about this fact: a registry entry, or `basics` of a CV."""
        return isinstance(self.fact, Main)

    @property
    def is_private(self) -> bool:
        return isinstance(self.fact, Entry) and self.fact.visibility == "private"
