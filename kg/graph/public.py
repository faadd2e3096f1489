"""What is public of loaded facts, by document."""

from __future__ import annotations

from typing import NamedTuple

from kg.facts import privacy
from kg.facts.load import Facts, Loaded
from kg.facts.models.people import Cv
from kg.facts.notes import Key

# Documents that stand for themselves, as CVs do. All others must be mentioned by something public.
ROOTS = ("publications", "patents", "press")


class Public(NamedTuple):
    """The public facts of each document, and of each CV what it says of its page."""

    documents: dict[Key, list[Loaded]]
    profiles: dict[str, Cv]


def public_documents(facts: Facts) -> Public:
    """Nothing of a private document is public, and nothing that points there."""
    documents: dict[Key, list[Loaded]] = {}
    profiles: dict[str, Cv] = {}
    for each in facts.loaded:
        shown = privacy.public(each.fact, facts.private)
        if shown is None or (each.kind, each.slug) in facts.private:
            continue
        documents.setdefault((each.kind, each.slug), []).append(each._replace(fact=shown))
        if isinstance(shown, Cv):
            profiles[each.slug] = shown
    return Public(documents, profiles)
