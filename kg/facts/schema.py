"""JSON Schema for each kind of file, generated from the models, for completion and validation in
editors.

The models define fields, descriptions and RDF terms; pydantic defines types. This module adds what
pydantic does not know: short notations, single values instead of lists, fields that are spread, and
that YAML numbers are read as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from kg.facts.expand import NESTED
from kg.facts.models import REGISTRIES, SECTIONS, Section
from kg.facts.models.base import FileSources, classes_in
from kg.facts.models.contacts import Email, Homepage
from kg.facts.models.people import Cv, Owner
from kg.facts.site_file import SiteFile
from kg.facts.values.dates import SEASONS, When, check_year
from kg.facts.values.identifiers import check_doi
from kg.facts.values.person_identifiers import check_orcid
from kg.facts.values.terms import Join, Unmapped
from kg.facts.values.text import Listed, WebAddress
from kg.vocab import EXTERNAL, cut

FOLDER = Path("data") / ".schema"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT = ["string", "number", "boolean"]  # editors read 2019 as a number; we read text
PREFIXES = {str(namespace): prefix for prefix, namespace in EXTERNAL.items()}
COMMON = {
    "id": "The fragment of this entry's address (default: made from its fields).",
    "visibility": (
        "'private' excludes the entry from everything that is published; 'public' publishes an "
        "entry that is private by default."
    ),
    "source": (
        "The key of the document that this was taken from, or several (default: the 'sources' "
        "of the file)."
    ),
    "note": "A note for yourself; never published.",
    "disputed": "Rejected values from other sources, by field; never published.",
    "accept": "Warnings that you accept, by rule, with the reason; never published.",
    "was": (
        "The former key of this entry, or several. Each old address redirects here. If the "
        "folder was another one, write it too: 'orgs/…'."
    ),
    "dates": "A date, a period (2018/2022), or a list of them; each becomes one entry.",
    "positions": "Several positions with one employer, each with its dates.",
    "years": "A list of years; each becomes one entry.",
    "given": "The places and dates where it was given.",
}
# Fields that mean the same wherever they are.
USUAL = {
    "abstract": "The abstract, as text or Markdown.",
    "acceptance": "The numbers of submitted and accepted papers, or the printed rate.",
    "accepted": "The number of accepted submissions: 61.",
    "advisor": "Your advisor, by name or key, or several.",
    "articleNumber": "The number of the article, where there are no pages: e1234.",
    "arxiv": "The arXiv number: 2103.01234.",
    "attendees": "How many people attended: 40.",
    "awards": "Prizes of the work itself: Best Paper Award.",
    "basedOn": "The works that this one is based on, by title or key.",
    "codes": "The code of the course at the university: GEO-2101.",
    "country": "The country: Norway.",
    "course": "The course that it belongs to.",
    "currency": "The currency: EUR, NOK.",
    "date": "The date, as exact as you know it: 2019, 2019-09 or 2019-09-01.",
    "description": "A short description.",
    "doi": "The DOI: 10.1234/abcd.",
    "endDate": "The end: 2022, 2022-08, or 'present'.",
    "host": "The larger event that it is part of.",
    "institution": "The university or school, by name or key: University of Northfjord.",
    "isbn": "The ISBN: 978-3-16-148410-0.",
    "issn": "The ISSN: 1234-5679, or several.",
    "kind": "What kind of entry it is.",
    "least": "The number at least: 200 for '200+'.",
    "level": "The level, as you would write it on a page.",
    "license": "The licence: CC-BY-4.0.",
    "links": "Pages and works that it mentions.",
    "locality": "The town: Tromsø.",
    "location": "The place: Oslo, Norway.",
    "modified": "When it was last changed: 2026-03-01.",
    "name": "The name, as it is shown.",
    "number": "The number, as it is printed.",
    "numberOfPages": "The number of pages: 214.",
    "organization": "The organisation, by name or key: University of Northfjord.",
    "parent": "What it is part of: the university of a department, the project of a work package.",
    "person": "The person, by name or key: Hana Lind.",
    "position": "Your position: Researcher.",
    "proceedings": "The title of the proceedings, as it is printed.",
    "provider": "The university that offers the course.",
    "publisher": "The publisher, by name or key: Springer.",
    "range": "The printed range of the acceptance rate: 20-25%.",
    "region": "The state or region: Troms.",
    "relation": "Who they are to you: Doctoral advisor.",
    "repository": "The address of the source code: https://….",
    "role": "What you did: Lecturer, Reviewer.",
    "ror": "The ROR of the organisation: https://ror.org/….",
    "sameAs": "Addresses of other pages about it, such as Wikidata.",
    "scale": "The best possible score: 4.0.",
    "selected": "'true' shows the work first.",
    "source": "The key of the document that this was taken from, or several.",
    "startDate": "The beginning: 2019, 2019-09 or 2019-09-01.",
    "stated": "The acceptance rate, as it is printed: 25.3%.",
    "status": "How far it is: submitted, published, pending.",
    "submitted": "The number of submissions: 250.",
    "subtitle": "The subtitle.",
    "summary": "One or more sentences about it, as text or Markdown.",
    "text": "The text, as text or Markdown.",
    "title": "The title, as it is printed.",
    "tutorial": "The tutorial, by title or key.",
    "url": "The address of its page: https://….",
    "value": "The value, as it is printed.",
    "venue": "Where: the key of a conference, workshop or journal.",
    "version": "The version: 2.1.",
    "year": "The year: 2021.",
}
Json = dict[str, Any]
SEASON = "|".join("".join(f"[{each}{each.upper()}]" for each in name) for name in SEASONS)
DAY = r"[1-9]\d{3}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d))?|-(0[13-9]|1[0-2])-30|-(0[13578]|1[02])-31)?"
DATE = rf"({DAY}|({SEASON})[ -][1-9]\d{{3}}|present|unknown)"
YEARS = {"minimum": 1000, "maximum": 9999}  # of dates that editors read as numbers
DATES = {"type": TEXT, "pattern": rf"^\s*{DATE}\s*(/\s*{DATE}\s*)?$", **YEARS}
SPREAD: dict[str, Json] = {
    **{name: {"type": "array", "items": {"type": "object"}} for name in NESTED},
    "dates": {"anyOf": [DATES, {"type": "array", "items": DATES}]},
    "years": {"type": "array", "items": {"type": TEXT, "pattern": r"^[1-9]\d{3}$", **YEARS}},
}
# Patterns for editors: each matches all that its type accepts, and few misspellings.
PATTERNS: dict[object, str] = {
    When: rf"^{DATE}$",
    check_year: r"^[1-9]\d{3}$",
    **dict.fromkeys((WebAddress, Homepage), r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#:@][^\s<>]*$"),
    check_doi: r"^(https?://(dx\.)?doi\.org/)?10\.\d{4,9}/.*[^\s.,;]$",
    check_orcid: r"^(https?://(www\.)?orcid\.org/)?(\d{4}-){3}\d{3}[\dX]$",
    Email: r"^[^\s@]+@[^\s@]+\.[^\s@.]+$",
}
# `2026-03: A paper is out.`
BY_DATE = {
    "type": "object",
    "patternProperties": {"^[0-9]": {"type": TEXT}},
    "additionalProperties": False,
    "maxProperties": 1,
}
# Additional fields of a work that is written in a CV.
IN_A_CV = {
    "key": {
        "type": TEXT,
        "description": "The last part of its address (default: made from the entry).",
    },
    "selected": {"type": TEXT, "description": "'true' shows the work first."},
}


class Describing(GenerateJsonSchema):
    """Adds descriptions and short notations to pydantic's schemas."""

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
    """File kind -> schema: `cv` for files in data/cv/, the others by the name of the file."""
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
    publications["type"] = ["string", "array"]  # a bibliography file, or a list
    return {**whole, "required": ["basics"]}


def entry_of(section: Section, defs: Json) -> Json:
    """The schema of an entry in a section, including fields of the entry it refers to."""
    models = {model: one(model, defs) for model in (section.model, section.other) if model}
    if section.holder:
        holder = models[section.holder]
        own = holder["anyOf"][-1] if section.holder.accepts_text else holder
        thing = one(section.model_of_thing, defs)
        beside = section.beside or {name: name for name in thing["properties"]}
        fields = {"name": "name", **beside}.items()  # `name` can name the thing
        more = {
            name: thing["properties"][field]
            for name, field in fields
            if field in thing["properties"]
        }
        own["properties"] = {**more, **own["properties"]}
        required = [own.pop("required"), thing["required"]]
        own["anyOf"] = [
            {"required": each} for each in required if set(each) <= {*own["properties"]}
        ]
    return {"anyOf": [*models.values()]} if len(models) > 1 else models[section.model]


def any_of(models: Iterable[type[BaseModel]], defs: Json) -> Json:
    """The schema of an entry with one of several models."""
    each = [one(model, defs) for model in dict.fromkeys(models)]
    return {"anyOf": each} if len(each) > 1 else each[0]


def one(model: type[BaseModel], defs: Json) -> Json:
    """The schema of a model; schemas of nested models are added to `defs`."""
    schema = loosen(generated(model))
    defs |= schema.pop("$defs", {})
    return dict(schema)


@cache
def generated(model: type[BaseModel]) -> Json:
    return model.model_json_schema(schema_generator=Describing)


def describe(schema: Json, model: type[BaseModel]) -> Json:
    """Adds descriptions, fields that are spread, and single values for lists."""
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
        if pattern := pattern_of(info):
            alternatives = field.pop("anyOf", None) or [{"type": field.pop("type", "string")}]
            if pattern in (PATTERNS[When], PATTERNS[check_year]):
                field |= YEARS
            else:  # 10.1000 is a number, and no DOI
                alternatives = [
                    each | {"type": ["string"]} if each.get("type") == "string" else each
                    for each in alternatives
                ]
            field |= {"anyOf": alternatives, "pattern": pattern}
        field["description"] = meaning(name, info.metadata, with_terms=False)
        if terms := [short(mark.predicate) for mark in info.metadata if isinstance(mark, Join)]:
            field["x-rdf"] = terms
        schema["properties"][key] = field
    for name in spread:
        schema["properties"][name] = {**SPREAD[name], "description": COMMON[name]}
    if inside := [name for name in NESTED if name in spread]:  # or in each nested entry
        schema["anyOf"] = [{"required": required}, *({"required": [name]} for name in inside)]
    elif required:
        schema["required"] = required
    return schema


def pattern_of(info: FieldInfo) -> str:
    """The pattern of a field whose texts all have one type; empty if it has none. It is left to
    editors: numbers, lists and mappings are not matched.
    """
    kinds = {*classes_in(info.annotation)} - {type(None)}
    validators = {getattr(mark, "func", None) for mark in (*info.metadata, *marks(info.annotation))}
    if {check_year, check_doi, check_orcid} & validators or len(kinds) == 1:
        known = (PATTERNS.get(each, "") for each in (*validators, *kinds))
        return next(filter(None, known), "")
    return ""


def marks(annotation: Any) -> Iterator[Any]:
    """The validators inside a type."""
    yield from getattr(annotation, "__metadata__", ())
    for each in get_args(annotation):
        yield from marks(each)


def meaning(name: str, metadata: list[Any], with_terms: bool = True) -> str:
    """The description of a field: what to write, and why it is not published.

    The format page also says what it becomes, `with_terms`; editors only if there is nothing else.
    """
    words = next((mark for mark in metadata if isinstance(mark, str)), USUAL.get(name, ""))
    mark = next((mark for mark in metadata if isinstance(mark, Unmapped)), None)
    terms = ", ".join(
        dict.fromkeys(short(mark.predicate) for mark in metadata if isinstance(mark, Join))
    )
    if mark is None:
        becomes = COMMON.get(name) or (f"Becomes {terms}." if terms else "")
    else:
        why = f"Not published: {mark.why}." if mark.is_withheld else f"{mark.why}."
        becomes = f"{why[:1].upper()}{why[1:]}"
    if words and not with_terms and becomes.startswith("Becomes"):
        becomes = ""
    return " ".join(filter(None, [words, becomes])).replace("`", "'")


def short(iri: str) -> str:
    """`http://schema.org/name` -> `schema:name`"""
    namespace, local = cut(iri)
    return f"{PREFIXES[namespace]}:{local}" if local and namespace in PREFIXES else iri


def doc(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").replace("`", "'").split())


def loosen(schema: Any) -> Any:
    """Allows numbers and booleans wherever text is expected."""
    if isinstance(schema, list):
        return [loosen(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    loose = {key: loosen(value) for key, value in schema.items()}
    if loose.get("type") in ("string", "integer", "boolean") and not loose.keys() & {
        "enum",
        "const",
    }:
        loose["type"] = TEXT
        for limit in ("minLength", "pattern", "format"):
            loose.pop(limit, None)
    if loose.get("anyOf") and {"type": "null"} in loose["anyOf"]:
        loose["anyOf"] = [each for each in loose["anyOf"] if each != {"type": "null"}]
    return loose


def text(schema: Json) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


@cache
def files() -> dict[str, str]:
    """Path -> schema text, where the first lines of data files refer to them."""
    return {f"{FOLDER}/{name}.json": text(schema) for name, schema in schemas().items()}
