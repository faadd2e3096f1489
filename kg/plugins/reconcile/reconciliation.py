"""The Reconciliation Service API 0.2 (https://www.w3.org/community/reports/reconciliation/).

OpenRefine and other clients use it to match table rows with entities of a site, and to add their
properties as columns.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from kg.errors import KgError
from kg.plugins.reconcile.candidates import Checkpoint, EntityQuery, Short, find, never
from kg.plugins.reconcile.entities import (
    PROPERTIES,
    TYPES,
    Entities,
    EntityProperty,
    EntityType,
    EntityValue,
    type_of,
)
from kg.publish.pages.frame import Frame
from kg.settings import Site
from kg.text.nearest import closest
from kg.text.normalize import fold_text
from kg.vocab import schema

MAX_QUERIES = 50  # queries per request
MAX_BATCH = 256 * 1024  # characters of a batch
MAX_IDS, MAX_COLUMNS = 500, 20  # per request to extend
MAX_SUGGESTED = 20
MAX_SKIPPED = 1000
PREVIEW_SIZE = (420, 200)  # pixels
PREVIEW_PROPERTIES = (
    "position",
    "currentAffiliation",
    "affiliation",
    "author",
    "venue",
    "year",
    "parent",
    "place",
    "homepage",
)
MAX_IN_PREVIEW = 4  # values per property
T = TypeVar("T")


class BadBatch(KgError):
    """An invalid request."""


class LargeBatch(BadBatch):
    """A request with too many queries, ids or properties."""


class WantedProperty(BaseModel):
    """A requested property; it has no settings."""

    id: Short
    settings: dict[str, Any] = {}


class ExtensionQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")
    ids: list[Annotated[str, Field(max_length=2000)]]
    properties: list[WantedProperty]


QUERIES = TypeAdapter(dict[str, EntityQuery])
EXTENSION = TypeAdapter(ExtensionQuery)


def manifest(site: Site, root: str) -> dict[str, Any]:
    """The service manifest; `root` is the address of the service."""
    service = f"{root}reconcile"

    def at(path: str) -> dict[str, str]:
        return {"service_url": service, "service_path": path}

    return {
        "versions": ["0.2"],
        "name": site.title,
        "identifierSpace": site.base,
        "schemaSpace": str(schema),
        "defaultTypes": [named(each) for each in TYPES.values()],
        "view": {"url": f"{root}{{{{id}}}}"},
        "preview": {
            "url": f"{service}/preview?id={{{{id}}}}",
            "width": PREVIEW_SIZE[0],
            "height": PREVIEW_SIZE[1],
        },
        "suggest": {each: at(f"/suggest/{each}") for each in ("entity", "property", "type")},
        "extend": {"propose_properties": at("/properties"), "property_settings": []},
        "batchSize": MAX_QUERIES,
    }


def named(each: EntityType | EntityProperty) -> dict[str, str]:
    return {"id": each.id, "name": each.name}


def parse(adapter: TypeAdapter[T], name: str, text: str) -> T:
    if len(text) > MAX_BATCH:
        raise LargeBatch(f"'{name}' is longer than {MAX_BATCH // 1024} kB. Send fewer at once.")
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(each)[:40] for each in (name, *first["loc"])[:5])
        raise BadBatch(f"{place}: {first['msg'][:200]}.") from None


def reconcile(entities: Entities, text: str, checkpoint: Checkpoint = never) -> dict[str, Any]:
    """The candidates for each query of a JSON batch. The checkpoint may raise an exception to stop
    it.
    """
    batch = parse(QUERIES, "queries", text)
    if len(batch) > MAX_QUERIES:
        raise LargeBatch(f"The batch has {len(batch)} queries. Send at most {MAX_QUERIES} at once.")
    for asked in batch.values():
        check(asked)
    return {
        key: {"result": [candidate.as_json() for candidate in find(entities, asked, checkpoint)]}
        for key, asked in batch.items()
    }


def check(asked: EntityQuery) -> None:
    if not asked.query and not asked.properties:
        raise BadBatch("The query is empty. Send a name as 'query', or 'properties', or both.")
    for each in asked.types:
        known("type", each, TYPES)
    for given in asked.properties:
        known("property", given.pid, PROPERTIES)


def known(noun: str, id: str, all: Mapping[str, T]) -> T:
    if id not in all:
        near = closest(id[:50], list(all), most=1)
        advice = f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(all)}."
        raise BadBatch(f"Unknown {noun} '{id[:50]}'. {advice}")
    return all[id]


def extend(entities: Entities, text: str, checkpoint: Checkpoint = never) -> dict[str, Any]:
    """Property values of entities, by id; empty for an unknown id."""
    asked = parse(EXTENSION, "extend", text)
    if len(asked.ids) > MAX_IDS or len(asked.properties) > MAX_COLUMNS:
        raise LargeBatch(f"Send at most {MAX_IDS} ids and {MAX_COLUMNS} properties at once.")
    columns = [known("property", each.id, PROPERTIES) for each in asked.properties]
    checkpoint()
    return {
        "meta": [
            named(each) | ({"type": named(TYPES[each.target])} if each.target else {})
            for each in columns
        ],
        "rows": {
            id: {each.id: extension(entities, entities.find(id), each.id) for each in columns}
            for id in asked.ids
        },
    }


def extension(entities: Entities, id: str, property: str) -> list[dict[str, Any]]:
    return [written(property, value) for value in entities.known(id, property)] if id else []


def written(property: str, value: EntityValue) -> dict[str, Any]:
    if value.id:
        return {"id": value.id, "name": value.text}
    is_year = property == "year" and value.text.isdecimal()
    return {"int": int(value.text)} if is_year else {"str": value.text}


def suggest_entities(entities: Entities, prefix: str, cursor: int) -> dict[str, Any]:
    """The entity with this id, and entities with words that start with the prefix."""
    own = entities.find(prefix)
    found, *_ = entities.index(TYPES).ranked(prefix)
    ids = dict.fromkeys([*([own] if own else []), *(entry.address for _, entry in found)])
    return {"result": [suggestion(entities, id) for id in [*ids][cursor : cursor + MAX_SUGGESTED]]}


def suggestion(entities: Entities, id: str) -> dict[str, Any]:
    entry = entities.entries[id]
    note = {"description": entry.note} if entry.note else {}
    return {"id": id, "name": entry.name, **note, "notable": [named(type_of(id))]}


def suggest_from(
    all: Sequence[EntityType | EntityProperty], prefix: str, cursor: int
) -> dict[str, Any]:
    """Types or properties whose id or name starts with the prefix."""
    start = fold_text(prefix).letters
    found = [
        named(each)
        for each in all
        if any(fold_text(text).letters.startswith(start) for text in each[:2])
    ]
    return {"result": found[cursor : cursor + MAX_SUGGESTED]}


SUGGESTERS = {
    "property": partial(suggest_from, list(PROPERTIES.values())),
    "type": partial(suggest_from, list(TYPES.values())),
}


def propose(type: str, limit: int) -> dict[str, Any]:
    """The properties that entities of a type can have."""
    known("type", type, TYPES)
    found = [named(each) for each in PROPERTIES.values() if type in each.types]
    return {"type": type, "limit": limit, "properties": found[:limit]}


def preview(entities: Entities, pages: Frame, root: str, given: str) -> bytes | None:
    """A small page about an entity, to be framed by other sites; None if it is unknown."""
    id = entities.find(given)
    if not id:
        return None
    entry = entities.entries[id]
    facts = [
        (PROPERTIES[each].name, [value.text for value in values[:MAX_IN_PREVIEW]])
        for each in PREVIEW_PROPERTIES
        if (values := entities.known(id, each))
    ]
    return pages.rendered(
        "preview.html", entry=entry, kind=type_of(id).id, facts=facts, url=root + id
    )


def as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
