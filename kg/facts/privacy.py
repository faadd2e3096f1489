"""Private facts are dropped here, after they were checked and before anything is mapped. What never
enters the graph cannot leak.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from typing import Any, get_args

from kg.facts.models.base import Entry, Fact
from kg.facts.values.references import Reference
from kg.facts.values.terms import Mention


def public(fact: Entry) -> Entry | None:
    """The fact without its private parts, or None where it is private itself."""
    if fact.visibility == "private":
        return None
    changes = {}
    for name in fields_with_entries(type(fact)):
        value = getattr(fact, name)
        shown = only_public(value)
        if shown != value:
            changes[name] = shown
    return fact.model_copy(update=changes) if changes else fact


def only_public(value: Any) -> Any:
    if isinstance(value, list):
        return [shown for item in value if (shown := public(item)) is not None]
    if isinstance(value, dict):
        return {key: shown for key, item in value.items() if (shown := public(item)) is not None}
    return None if value is None else public(value)


@cache
def fields_with_entries(model: type[Fact]) -> tuple[str, ...]:
    return tuple(
        name for name, field in model.model_fields.items() if holds_entries(field.annotation)
    )


def holds_entries(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Entry):
        return True
    return any(holds_entries(argument) for argument in get_args(annotation))


def spared(fact: Fact, hidden: Set[tuple[str, str]]) -> Fact | None:
    """The fact without its references to hidden documents; None where it cannot do without one, for
    it would tell of it.
    """
    changes: dict[str, Any] = {}
    for name, info in type(fact).model_fields.items():
        value = getattr(fact, name)
        shown = seen(value, hidden)
        if shown is None and value is not None and info.is_required():
            return None
        if isinstance(value, list) and value and not shown and info.is_required():
            return None
        if shown is not value:
            changes[name] = shown
    return fact.model_copy(update=changes) if changes else fact


def seen(value: Any, hidden: Set[tuple[str, str]]) -> Any:
    """A value without what is hidden; the same object where nothing is."""
    if isinstance(value, Reference | Mention):
        return None if (value.kind, value.slug) in hidden else value
    if isinstance(value, list):
        shown = [found for item in value if (found := seen(item, hidden)) is not None]
        return value if list(map(id, shown)) == list(map(id, value)) else shown
    if isinstance(value, dict):
        left = {
            key: found for key, item in value.items() if (found := seen(item, hidden)) is not None
        }
        return value if list(map(id, left.values())) == list(map(id, value.values())) else left
    if isinstance(value, Fact):
        return spared(value, hidden)
    return value
