"""What is public of loaded facts, by document; and what is wrong where two of them meet."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

from kg.errors import Problem
from kg.facts import privacy
from kg.facts.load import Loaded
from kg.facts.models.base import Entry
from kg.facts.models.people import Cv
from kg.facts.notes import Key
from kg.facts.values.text import slugify
from kg.graph.pages import Profile
from kg.mapping.origins import Clash, Conflict, row_at

# Documents that stand for themselves, as CVs do. All others must be mentioned by something public.
ROOTS = ("publications", "patents", "press")


class Public(NamedTuple):
    """The public facts of each document, what CVs say of their pages, and the documents that are
    private as a whole.
    """

    documents: dict[Key, list[Loaded]]
    profiles: dict[str, Profile]
    private: set[Key]


def public_documents(loaded: Iterable[Loaded], hidden: Set[Key] = frozenset()) -> Public:
    """`hidden` are private documents besides those that are found here: nothing may point there."""
    documents: dict[Key, list[Loaded]] = {}
    private: set[Key] = set()
    profiles: dict[str, Profile] = {}
    for each in loaded:
        shown = privacy.public(each.fact) if isinstance(each.fact, Entry) else each.fact
        if shown is not None:
            documents.setdefault((each.kind, each.slug), []).append(each._replace(fact=shown))
        elif each.is_main:
            private.add((each.kind, each.slug))
        if isinstance(each.fact, Cv):
            profiles[each.slug] = Profile(each.fact.modified, each.fact.sources)
    if unseen := private | hidden:
        spared = {
            key: [public for each in found if (public := spare(each, unseen))]
            for key, found in documents.items()
        }
        documents = {key: found for key, found in spared.items() if key not in unseen}
        profiles = {
            slug: profile for slug, profile in profiles.items() if ("people", slug) not in unseen
        }
    return Public(documents, profiles, private)


def spare(loaded: Loaded, hidden: Set[Key]) -> Loaded | None:
    fact = privacy.spared(loaded.fact, hidden)
    return None if fact is None else loaded._replace(fact=fact)


def clash(found: Clash) -> Problem:
    fragment = found.iri.partition("#")[2]
    named = all("id" in row_at(each) for each in (found.first, found.second))
    hint = "Write another 'id' in one of them" if named else "Give one of them an 'id'"
    unread = next(
        (
            text
            for text in row_at(found.second).values()
            if isinstance(text, str) and not slugify(text)
        ),
        None,
    )
    if unread and not named:
        hint += f" in Latin letters, for {unread!r} makes no part of an address"
    place, other = (
        each.row.at(*each.steps, "id") if named else each.place
        for each in (found.second, found.first)
    )
    message = (
        f"{found.second.label}: this would get the same address (#{fragment}) as "
        f"{found.first.label} in {other}. {hint}, or merge the two."
    )
    return Problem(place, "error", message, "same-address", (other,))


def conflict(found: Conflict) -> Problem:
    message = (
        f"{found.second.label}: this contradicts {found.first.label} in {found.first.place}, "
        "which speaks of the same. Correct one of them."
    )
    return Problem(found.second.place, "warning", message, "contradiction")
