"""What can be written at a place of a file, from the JSON Schemas: fields, values, their meanings,
and the kinds of entries that a field refers to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel

from kg.facts.bibliography.placement import CV, kind_of
from kg.facts.expand import NESTED
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.base import Entry, classes_in
from kg.facts.models.people import Cv, Owner
from kg.facts.schema import schemas
from kg.facts.values.references import Reference
from kg.settings import SITE_FILE

Json = dict[str, Any]


def schema_of(file: str) -> str:
    """The name of the schema of a file in a site; empty if it has none."""
    if file == str(SITE_FILE):
        return "site"
    kind = kind_of(file.removeprefix("data/"))
    return "cv" if kind == CV else REGISTRIES[kind].file if kind in REGISTRIES else ""


def alternatives(node: Any, defs: Json) -> Iterator[Json]:
    """A node and everything that may be written instead of it; items of a list stand for it."""
    if not isinstance(node, dict):
        return
    yield node
    if reference := node.get("$ref"):
        yield from alternatives(defs.get(reference.rpartition("/")[2]), defs)
    for each in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        yield from alternatives(each, defs)
    yield from alternatives(node.get("items"), defs)


def nodes(name: str, steps: Iterable[str]) -> list[Json]:
    """The nodes of a schema at the end of some fields."""
    whole = schemas()[name]
    found: list[Json] = [whole]
    for step in steps:
        if step in NESTED:  # it has the fields of the entry around it
            continue
        found = [
            child
            for node in found
            for each in alternatives(node, whole["$defs"])
            for child in children(each, step)
        ]
    return found


def children(node: Json, step: str) -> Iterator[Json]:
    if step in (own := node.get("properties", {})):
        yield own[step]
        return
    matching = [
        each
        for pattern, each in node.get("patternProperties", {}).items()
        if re.search(pattern, step)
    ]
    more = node.get("additionalProperties")
    yield from matching or ([more] if isinstance(more, dict) else [])


def fields_at(name: str, steps: Iterable[str]) -> dict[str, str]:
    """The fields that can be written there, with their meanings."""
    defs = schemas()[name]["$defs"]
    return {
        field: str(each.get("description", ""))
        for node in nodes(name, steps)
        for option in alternatives(node, defs)
        for field, each in option.get("properties", {}).items()
        if isinstance(each, dict)
    }


def values_at(name: str, steps: Iterable[str]) -> list[str]:
    """The values that a field accepts, if there are only some."""
    found: list[str] = []
    for node in nodes(name, steps):
        for option in alternatives(node, schemas()[name]["$defs"]):
            found += [*option.get("enum", ()), *([option["const"]] if "const" in option else ())]
    return [str(each) for each in dict.fromkeys(found)]


def meaning_at(name: str, steps: Iterable[str]) -> str:
    """What a field means."""
    texts = (str(node.get("description", "")) for node in nodes(name, steps))
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


@cache
def kinds_by_field() -> dict[str, tuple[str, ...]]:
    """Field -> kinds of entries that it can refer to, in any model."""
    models: list[type[BaseModel]] = [Cv, Owner]
    models += [
        each for section in SECTIONS.values() for each in (section.model, section.other) if each
    ]
    models += [each for registry in REGISTRIES.values() for each in registry.models]
    found: dict[str, dict[str, None]] = {}
    for model in models:
        for name, info in model.model_fields.items():
            for kind in kinds_in(info.annotation):
                found.setdefault(info.alias or name, {})[kind] = None
    for name, section in SECTIONS.items():  # an entry that is only a name
        if section.model.accepts_text:
            found.setdefault(name, {}).update(dict.fromkeys(first_kinds(section.model)))
    return {name: tuple(kinds) for name, kinds in found.items()}


def first_kinds(model: type[BaseModel]) -> tuple[str, ...]:
    own = (info for name, info in model.model_fields.items() if name not in Entry.model_fields)
    inner = (tuple(kinds_in(info.annotation, 1)) for info in own)
    return next(filter(None, inner), ())


def kinds_in(annotation: Any, depth: int = 0) -> Iterator[str]:
    """The kinds of entries that a type refers to; for a short form, those of its first one."""
    for each in classes_in(annotation):
        if issubclass(each, Reference):
            yield from each.kinds
        elif issubclass(each, BaseModel) and getattr(each, "accepts_text", True) and depth == 0:
            yield from first_kinds(each)
