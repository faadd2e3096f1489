"""Private facts are dropped here, after they were checked and before anything is mapped. What never enters the graph cannot leak."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

from kg.facts.models.base import Entry, Fact


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
    return tuple(name for name, field in model.model_fields.items() if holds_entries(field.annotation))


def holds_entries(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Entry):
        return True
    return any(holds_entries(argument) for argument in get_args(annotation))
