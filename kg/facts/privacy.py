"""Removes private facts after validation and before mapping: what never enters the graph cannot
leak.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import cache
from operator import is_
from typing import Any

from kg.facts.load import Facts
from kg.facts.loaded import Key, Loaded
from kg.facts.models.base import Entry, classes_in, fields_with
from kg.facts.models.people import Cv
from kg.facts.values.references import Reference
from kg.facts.values.terms import Fact, Mention

# Documents that are always published, like CVs. Others only if a public fact mentions them.
ROOTS = ("publications", "patents", "press")


def is_root(kind: str, slug: str, owners: Set[str]) -> bool:
    """Whether a document is published even if nothing mentions it: a CV, or a work."""
    return kind in ROOTS or (kind == "people" and slug in owners)


def public_facts(facts: Facts) -> list[Loaded]:
    """All facts except those of private documents, and those that require a reference to one."""
    return [
        each if fact is each.fact else each._replace(fact=fact)
        for each in facts.loaded
        if (each.kind, each.slug) not in facts.private
        and (fact := public(each.fact, facts.private))
    ]


def profiles_of(loaded: Iterable[Loaded]) -> dict[str, Cv]:
    """slug -> CV"""
    return {each.slug: each.fact for each in loaded if isinstance(each.fact, Cv)}


def public(fact: Fact, hidden: Set[Key] = frozenset()) -> Fact | None:
    """Removes private parts and references to hidden documents. Returns None if the fact is private
    or requires such a reference, which would reveal it.
    """
    if isinstance(fact, Entry) and fact.visibility == "private":
        return None
    changes = {}
    for name in fields_to_check(type(fact), bool(hidden)):
        value = getattr(fact, name)
        if not value:  # the usual case
            continue
        shown = public_value(value, hidden)
        if not shown and is_needed(type(fact), name):
            return None
        if shown is not value:
            changes[name] = shown
    return fact.model_copy(update=changes) if changes else fact


@cache
def fields_to_check(model: type[Fact], is_hiding: bool) -> tuple[str, ...]:
    """The fields that can hold private data: entries, parts that contain entries, and references if
    any documents are hidden.
    """
    parts = {
        each
        for field in model.model_fields.values()
        for each in classes_in(field.annotation)
        if issubclass(each, Fact)
    }
    closed = [each for each in parts if issubclass(each, Entry) or fields_to_check(each, is_hiding)]
    return fields_with(model, *closed, *[Reference] if is_hiding else [])


def is_needed(model: type[Fact], field: str) -> bool:
    return model.model_fields[field].is_required() or field in model.essential


def public_value(value: Any, hidden: Set[Key]) -> Any:
    """Removes what is not public; returns the same object if nothing was removed."""
    if isinstance(value, (Reference, Mention)):
        return None if (value.kind, value.slug) in hidden else value
    if isinstance(value, Fact):
        return public(value, hidden)
    if isinstance(value, list):
        shown = [public_value(item, hidden) for item in value]
        return value if same(shown, value) else [item for item in shown if item is not None]
    if isinstance(value, dict):
        left = {key: public_value(item, hidden) for key, item in value.items()}
        if not same(left.values(), value.values()):
            return {key: item for key, item in left.items() if item is not None}
    return value


def same(some: Iterable[Any], others: Iterable[Any]) -> bool:
    """Whether these are the same objects."""
    return all(map(is_, some, others))
