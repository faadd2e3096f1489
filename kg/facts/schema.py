"""JSON Schema of each kind of file, from the models, for completion and checks in editors.

The classes say what a field is and which RDF terms it becomes; pydantic says its type. What it
cannot know is added here: short forms, single values where a list is meant, the fields that are
spread, and that YAML has numbers where we read text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from kg.facts.files import SiteFile
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.people import Cv, Owner
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
    "source": "The key of the document this was taken from, or several.",
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
    "positions": {"type": "array", "items": {"type": "object"}},
    "given": {"type": "array", "items": {"type": "object"}},
    "dates": {"type": ["string", "number", "array"], "items": {"type": TEXT}},
    "years": {"type": "array", "items": {"type": TEXT}},
}
Json = dict[str, Any]


def schemas() -> dict[str, Json]:
    """File kind -> its schema; `cv` is for the files in data/cv/, the others are named after their
    files.
    """
    found = {"site": one(SiteFile), "cv": cv()}
    for registry in REGISTRIES.values():
        entry = any_of(dict.fromkeys([registry.model, *registry.by_kind.values()]))
        defs = entry.pop("$defs", {})
        found[registry.file] = {"type": "object", "additionalProperties": entry, "$defs": defs}
    return {
        name: {"$schema": DRAFT, "title": f"{name}.yaml of a cv-kg site", **schema}
        for name, schema in found.items()
    }


def cv() -> Json:
    whole = one(Cv)
    defs = whole.setdefault("$defs", {})
    basics = one(Owner)
    defs.update(basics.pop("$defs", {}))
    whole["properties"] = {"basics": basics, **whole["properties"]}
    for name, section in SECTIONS.items():
        entry = any_of(dict.fromkeys(filter(None, [section.model, section.other])))
        defs.update(entry.pop("$defs", {}))
        whole["properties"][name] = {
            "type": "array",
            "items": entry,
            "description": doc(section.model),
        }
    whole["required"] = ["basics"]
    return whole


def any_of(models: Iterable[type[BaseModel]]) -> Json:
    """An entry that may be of one of several classes."""
    made = [one(model) for model in models]
    if len(made) == 1:
        return made[0]
    defs: Json = {}
    for each in made:
        defs.update(each.pop("$defs", {}))
    return {"anyOf": made, "$defs": defs}


def one(model: type[BaseModel]) -> Json:
    """The schema of a class and of all classes inside it."""
    schema: Json = TypeAdapter(model).json_schema(by_alias=True, mode="validation")
    known = {each.__name__: each for each in models_below(BaseModel)}
    for name, inner in schema.get("$defs", {}).items():
        if name in known and "properties" in inner:
            describe(inner, known[name])
            if getattr(known[name], "accepts_text", False):
                schema["$defs"][name] = {
                    "anyOf": [{"type": TEXT}, inner],
                    "description": doc(known[name]),
                }
    describe(schema, model)
    return dict(loosened(schema))


def describe(schema: Json, model: type[BaseModel]) -> None:
    """Adds what fields mean, the fields that are spread, and lists that may be a single value."""
    schema["description"] = doc(model)
    schema.pop("title", None)
    spread = getattr(model, "spread", ())
    unwritten = getattr(model, "from_loader", ())
    if required := [
        name
        for name in schema.pop("required", [])
        if name not in (*getattr(model, "filled", ()), *unwritten)
    ]:
        schema["required"] = required
    for name in unwritten:
        schema["properties"].pop(name)
    for name, info in model.model_fields.items():
        if name in unwritten:
            continue
        field = schema["properties"][info.alias or name]
        field.pop("title", None)
        field.pop("default", None)
        if Listed in info.metadata and "items" in field:
            items = field.pop("items")
            field.update({"anyOf": [items, {"type": "array", "items": items}]})
            field.pop("type")
        field["description"] = meaning(name, info.metadata)
        if terms := [short(mark.predicate) for mark in info.metadata if isinstance(mark, Join)]:
            field["x-rdf"] = terms
    for name in spread:
        schema["properties"][name] = {**SPREAD[name], "description": COMMON[name]}
    inside = {"positions", "given"} & set(spread)
    if inside and "required" in schema:  # what is required may stand in each of the inner entries
        schema["anyOf"] = [
            {"required": schema.pop("required")},
            *({"required": [name]} for name in sorted(inside)),
        ]


def meaning(name: str, metadata: list[Any]) -> str:
    """What a field becomes, or why nothing: a sentence for the format page and for editors."""
    mark = next((mark for mark in metadata if isinstance(mark, Unmapped)), None)
    terms = ", ".join(short(mark.predicate) for mark in metadata if isinstance(mark, Join))
    if mark is None:
        return COMMON.get(name) or (f"Becomes {terms}." if terms else "")
    why = f"Not published: {mark.why}." if mark.is_withheld else f"{mark.why}."
    return f"{why[:1].upper()}{why[1:]}".replace("`", "'")


def short(iri: str) -> str:
    """`http://schema.org/name` -> `schema:name`."""
    namespace, local = cut(iri)
    return f"{PREFIXES[namespace]}:{local}" if local and namespace in PREFIXES else iri


def doc(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").replace("`", "'").split())


def models_below(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """All classes of ours, to find the ones inside a schema by their names."""
    for each in model.__subclasses__():
        if each.__module__.startswith("kg."):
            yield each
            yield from models_below(each)


def loosened(schema: Any) -> Any:
    """Plain text may look like a number or a truth value to an editor."""
    if isinstance(schema, list):
        return [loosened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: loosened(value) for key, value in schema.items()}
    if (
        made.get("type") in ("string", "integer", "boolean")
        and "enum" not in made
        and "const" not in made
    ):
        made["type"] = TEXT
        for limit in ("minLength", "pattern", "format"):
            made.pop(limit, None)
    if made.get("anyOf") and {"type": "null"} in made["anyOf"]:
        made["anyOf"] = [each for each in made["anyOf"] if each != {"type": "null"}]
    return made


def text(schema: Json) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write(folder: Path) -> None:
    """Puts the schemas where the data files' first lines look for them."""
    target = folder / FOLDER
    target.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        (target / f"{name}.json").write_text(text(schema), encoding="utf-8")
