"""What is wrong with a reference that leads nowhere: an entry of another kind is meant, or a key is
mistyped, or the entry is yet to be added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_core import PydanticCustomError

from kg.facts.reading.rows import flow

if TYPE_CHECKING:
    from kg.facts.values.references import Context, Reference

# Kinds are the folders of the site's addresses; the words are the author's.
WORDS = {
    "people": "people",
    "orgs": "organisations",
    "places": "places",
    "topics": "topics",
    "languages": "languages",
    "software": "software",
    "venues": "venues",
    "publications": "publications",
    "sources": "sources",
    "courses": "courses",
    "tutorials": "tutorials",
    "projects": "projects",
    "grants": "grants",
    "patents": "patents",
    "press": "press items",
}
ONE = {"people": "person", "software": "piece of software"}  # of a kind
# things that are not called as people are, unlike topics and sources
UNLIKE_PEOPLE = ("orgs", "venues", "places", "projects", "courses")


def kind_word(kind: str, number: int) -> str:
    word = WORDS[kind]
    return ONE.get(kind, word.removesuffix("s")) if number == 1 else word


def an(kind: str) -> str:
    """`an organisation`"""
    word = kind_word(kind, 1)
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def as_name(key: str) -> str:
    """`sea-ice` -> `Sea ice`: what has a capital letter is no key."""
    return key.replace("-", " ").capitalize()


def kind_elsewhere(reference: type[Reference], text: str, context: Context) -> str:
    """The kind of another registry that has an entry of this key. By name only people are told from
    other things: a journal may be called as its publisher.
    """
    rows, kinds = context.rows, reference.kinds
    by_key = (kind for kind in rows if kind not in kinds and text in rows[kind])
    others = UNLIKE_PEOPLE if "people" in kinds else ("people",)
    by_name = (
        kind
        for kind in (others if reference.in_place in ("people", *UNLIKE_PEOPLE) else ())
        if kind in rows and any(slug in rows[kind] for slug in context.known.find(kind, text))
    )
    return next(by_key, "") or next(by_name, "")


def unknown_reference(
    reference: type[Reference], text: str, context: Context, hint: str
) -> PydanticCustomError:
    """`hint` tells what is surely meant, if that is known. The line to add is told where the fields
    of all registries are known.
    """
    kinds, kind = reference.kinds, reference.in_place or reference.kinds[0]
    if other := kind_elsewhere(reference, text, context):
        *first, last = map(an, kinds)
        expected = " or ".join(filter(None, [", ".join(first), last]))
        message = f"{text!r} is {an(other)}; {expected} is expected. "
        remedy = f"Write the {'key or the name' if reference.in_place else 'key'} of one"
        if text not in context.rows[other]:
            remedy += f", or {flow({'name': text})} if it is called so"
        elif kind != "people" and reference.is_name(as_name(text), context):
            remedy += f", or '{as_name(text)}' if it is called so"
        return PydanticCustomError("unknown-reference", f"{message}{remedy}.")
    missed = f"{text!r} is not among the {' or '.join(WORDS[kind] for kind in kinds)}."
    if hint:
        return PydanticCustomError("unknown-reference", f"{missed} {hint}")
    by_name = reference.in_place not in ("", "press")  # of which a title alone says too little
    near = ", ".join(context.known.keys_of(kinds).nearest(text))
    return PydanticCustomError(
        "unknown-reference",
        f"{missed} Closest: {near}." if near else missed,
        {"kind": kind, "named": text, "is_near": bool(near), "by_name": by_name},
    )
