"""What is public of loaded facts, by document; and what is wrong where two of them meet."""

from __future__ import annotations

from typing import NamedTuple

from kg.errors import Problem
from kg.facts import privacy
from kg.facts.load import Facts, Loaded
from kg.facts.models.people import Cv, Person
from kg.facts.notes import Key
from kg.facts.values.text import slugify
from kg.mapping.origins import Clash, Conflict, row_at

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
    """People have an address in common only where nobody lists their names."""
    first, second = found.facts
    if isinstance(first, Person) and isinstance(second, Person):
        message = (
            f"{found.second.label}: Who is {second.name!r}? Nobody lists this name, and "
            f"{first.name!r} would get the same address. Register both."
        )
        return Problem(found.second.place, "error", message, "unknown-name")
    message = (
        f"{found.second.label}: this contradicts {found.first.label} in {found.first.place}, "
        "which speaks of the same. Correct one of them."
    )
    return Problem(found.second.place, "warning", message, "contradiction")
