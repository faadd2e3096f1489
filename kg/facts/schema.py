"""JSON Schema of each kind of file, from the models, for completion and checks in editors.

The classes say what a field is and which RDF terms it becomes; pydantic says its type. What it
cannot know is added here: short forms, single values where a list is meant, the fields that are
spread, and that YAML has numbers where we read text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from kg.facts.expand import NESTED
from kg.facts.models import REGISTRIES, SECTIONS, Section
from kg.facts.models.base import FileSources
from kg.facts.models.people import Cv, Owner
from kg.facts.site_file import SiteFile
from kg.facts.values.terms import Join, Unmapped
from kg.facts.values.text import Listed
from kg.vocab import EXTERNAL, cut
from kg.vocab import cv as own

FOLDER = Path("data") / ".schema"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT = ["string", "number", "boolean"]  # an editor takes 2019 for a number; we read it as text
PREFIXES = {str(namespace): prefix for prefix, namespace in {**EXTERNAL, "cv": own}.items()}
COMMON = {
    "id": "A fragment of your own for the address of this entry.",
    "visibility": (
        "'private' keeps the entry out of everything that is published; 'public' opens what is "
        "private by default."
    ),
    "source": (
        "The key of the document this was taken from, or several; without it, the 'sources' at "
        "the top of the file."
    ),
    "note": "A remark for yourself; never published.",
    "disputed": "Readings of other sources that were rejected, by field; never published.",
    "accept": "Warnings you accept, by the name of the rule, with the reason; never published.",
    "was": (
        "The key this had before, or several: each old address leads here. With its folder, "
        "'orgs/…', where that was another."
    ),
    "dates": "A date, a period (2018/2022), or a list of either: one entry for each.",
    "positions": "Several titles at one employer, each with its own dates.",
    "years": "A list of years: one entry for each.",
    "given": "Where and when it was given.",
}
SPREAD = {
    **{name: {"type": "array", "items": {"type": "object"}} for name in NESTED},
    "dates": {"type": ["string", "number", "array"], "items": {"type": TEXT}},
    "years": {"type": "array", "items": {"type": TEXT}},
}
# `2026-03: A paper is out.`
BY_DATE = {
    "type": "object",
    "patternProperties": {"^[0-9]": {"type": TEXT}},
    "additionalProperties": False,
    "maxProperties": 1,
}
# what a work that is written in a CV itself may say besides
IN_A_CV = {
    "key": {
        "type": TEXT,
        "description": "The end of its address; without it, made from the entry.",
    },
    "selected": {"type": TEXT, "description": "'true' shows the work first."},
}
Json = dict[str, Any]


class Describing(GenerateJsonSchema):
    """pydantic's own schemas of our classes, with what is added to each class."""

    def model_schema(self, schema: core_schema.ModelSchema) -> Json:
        model: type[BaseModel] = schema["cls"]
        described = describe(super().model_schema(schema), model)
        if getattr(model, "accepts_date", False):
            return {"anyOf": [BY_DATE, described], "description": doc(model)}
        if not getattr(model, "accepts_text", False):
            return described
        return {"anyOf": [{"type": TEXT}, described], "description": doc(model)}


@cache
def schemas() -> dict[str, Json]:
    """File kind -> its schema; `cv` is for the files in data/cv/, the others are named after their
    files.
    """
    files = {registry.file: registry for registry in REGISTRIES.values()}
    found: dict[str, Json] = {
        name: {"$schema": DRAFT, "title": f"{name}.yaml of a cv-kg site", "$defs": {}}
        for name in ("site", "cv", *files)
    }
    found["site"] |= one(SiteFile, found["site"]["$defs"])
    found["cv"] |= cv(found["cv"]["$defs"])
    for name, registry in files.items():
        entry = any_of(registry.models, found[name]["$defs"])
        of_all = one(FileSources, found[name]["$defs"])["properties"]
        found[name] |= {"type": "object", "properties": of_all, "additionalProperties": entry}
    return found


def cv(defs: Json) -> Json:
    whole = one(Cv, defs)
    whole["properties"] |= {"basics": one(Owner, defs)} | {
        name: {
            "type": "array",
            "items": entry_of(section, defs),
            "description": doc(section.model),
        }
        for name, section in SECTIONS.items()
    }
    works = any_of(REGISTRIES["publications"].models, defs)
    for each in works["anyOf"]:
        each["properties"] |= IN_A_CV
    publications = whole["properties"]["publications"]
    publications["items"] = {"anyOf": [publications["items"], *works["anyOf"]]}
    publications["type"] = ["string", "array"]  # one file of works, or a list
    return {**whole, "required": ["basics"]}


def entry_of(section: Section, defs: Json) -> Json:
    """An entry of a section, with the fields of the thing that may stand there, too."""
    models = {model: one(model, defs) for model in (section.model, section.other) if model}
    if section.holder:
        holder = models[section.holder]
        own = holder["anyOf"][-1] if section.holder.accepts_text else holder
        thing = one(section.model_of_thing, defs)
        beside = section.beside or {name: name for name in thing["properties"]}
        more = {name: thing["properties"][field] for name, field in beside.items()}
        own["properties"] = {**more, **own["properties"]}
        required = [own.pop("required"), thing["required"]]
        own["anyOf"] = [
            {"required": each} for each in required if set(each) <= {*own["properties"]}
        ]
    return {"anyOf": [*models.values()]} if len(models) > 1 else models[section.model]


def any_of(models: Iterable[type[BaseModel]], defs: Json) -> Json:
    """An entry that may be of one of several classes."""
    each = [one(model, defs) for model in dict.fromkeys(models)]
    return {"anyOf": each} if len(each) > 1 else each[0]


def one(model: type[BaseModel], defs: Json) -> Json:
    """The schema of a class; those of the classes inside it are put into `defs`."""
    schema = loosen(TypeAdapter(model).json_schema(schema_generator=Describing))
    defs |= schema.pop("$defs", {})
    return dict(schema)


def describe(schema: Json, model: type[BaseModel]) -> Json:
    """Adds what fields mean, the fields that are spread, and lists that may be a single value."""
    del schema["title"]
    schema["description"] = doc(model)
    spread, unwritten = getattr(model, "spread", ()), getattr(model, "from_loader", ())
    optional = (*getattr(model, "filled", ()), *unwritten)
    required = [name for name in schema.pop("required", ()) if name not in optional]
    fields = {info.alias or name: (name, info) for name, info in model.model_fields.items()}
    for key, (name, info) in fields.items():
        field = schema["properties"].pop(key)
        if name in unwritten:
            continue
        for extra in ("title", "default"):
            field.pop(extra, None)
        if Listed in info.metadata and "items" in field:
            items = field.pop("items")
            field.update({"anyOf": [items, {"type": "array", "items": items}]})
            field.pop("type")
        field["description"] = meaning(name, info.metadata)
        if terms := [short(mark.predicate) for mark in info.metadata if isinstance(mark, Join)]:
            field["x-rdf"] = terms
        schema["properties"][key] = field
    for name in spread:
        schema["properties"][name] = {**SPREAD[name], "description": COMMON[name]}
    inside = [name for name in NESTED if name in spread]
    if inside:  # what is required may stand in each of the inner entries
        schema["anyOf"] = [{"required": required}, *({"required": [name]} for name in inside)]
    elif required:
        schema["required"] = required
    return schema


def meaning(name: str, metadata: list[Any]) -> str:
    """What to write in a field, which a text among its marks says, and what it becomes, or why
    nothing: for the format page and for editors.
    """
    words = next((mark for mark in metadata if isinstance(mark, str)), "")
    mark = next((mark for mark in metadata if isinstance(mark, Unmapped)), None)
    terms = ", ".join(
        dict.fromkeys(short(mark.predicate) for mark in metadata if isinstance(mark, Join))
    )
    if mark is None:
        becomes = COMMON.get(name) or (f"Becomes {terms}." if terms else "")
    else:
        why = f"Not published: {mark.why}." if mark.is_withheld else f"{mark.why}."
        becomes = f"{why[:1].upper()}{why[1:]}"
    return " ".join(filter(None, [words, becomes])).replace("`", "'")


def short(iri: str) -> str:
    """`http://schema.org/name` -> `schema:name`."""
    namespace, local = cut(iri)
    return f"{PREFIXES[namespace]}:{local}" if local and namespace in PREFIXES else iri


def doc(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").replace("`", "'").split())


def loosen(schema: Any) -> Any:
    """Plain text may look like a number or a truth value to an editor."""
    if isinstance(schema, list):
        return [loosen(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    loose = {key: loosen(value) for key, value in schema.items()}
    is_free = loose.keys().isdisjoint(("enum", "const"))
    if is_free and loose.get("type") in ("string", "integer", "boolean"):
        loose["type"] = TEXT
        for limit in ("minLength", "pattern", "format"):
            loose.pop(limit, None)
    if loose.get("anyOf") and {"type": "null"} in loose["anyOf"]:
        loose["anyOf"] = [each for each in loose["anyOf"] if each != {"type": "null"}]
    return loose


def text(schema: Json) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def files() -> dict[str, str]:
    """Path -> text: the schemas where the data files' first lines look for them."""
    return {f"{FOLDER}/{name}.json": text(schema) for name, schema in schemas().items()}
