"""The reference page of the format, from the models: every kind of entry, its fields, and a worked
example with its triples.

The examples are entries of the example site that travels with the package, so they are checked like
any other data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pyoxigraph import RdfFormat, parse

from kg.facts.explain import model_in
from kg.facts.files import SiteFile
from kg.facts.load import Facts, Loaded, load
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.base import Entry
from kg.facts.models.people import Cv, Owner
from kg.facts.schema import COMMON, doc, meaning
from kg.facts.values.dates import When
from kg.facts.values.references import WORDS, Reference
from kg.facts.values.text import Listed, WebAddress
from kg.graph.pages import pages
from kg.mapping.walk import Walker, lines_of
from kg.publish.formats.rdf import turtle

EXAMPLE = Path(__file__).parents[2] / "example"


@dataclass(frozen=True)
class Field:
    """A field of an entry; `inner` are the fields of its value, where that is a mapping."""

    name: str
    required: bool
    form: str
    meaning: str
    inner: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Kind:
    """A kind of entry: where it is written, what it is, its fields, and an example with its
    triples.
    """

    anchor: str
    title: str
    about: str
    fields: list[Field]
    example: str
    triples: str


def kinds() -> Iterator[Kind]:
    facts = load(EXAMPLE)
    yield site(facts)
    yield kind("basics", "basics: in a CV", Owner, facts, "basics")
    yield kind("cv", "The other top-level fields of a CV", Cv, facts, "")
    for name, section in SECTIONS.items():
        for model in filter(None, (section.model, section.other)):
            anchor = name if model is section.model else f"{name}-{section.marked_by}"
            yield kind(
                anchor,
                f"{name}: in a CV"
                + (f", with {section.marked_by}:" if model is section.other else ""),
                model,
                facts,
                f"{name}[",
            )
    for address, registry in REGISTRIES.items():
        for model in dict.fromkeys([registry.model, *registry.by_kind.values()]):
            anchor = f"file-{registry.file}" + (
                "" if model is registry.model else f"-{model.__name__.lower()}"
            )
            title = f"data/{registry.file}.yaml" + (
                "" if not registry.by_kind else f", {model.__name__.lower()}"
            )
            yield kind(anchor, title, model, facts, None, address)


def site(facts: Facts) -> Kind:
    """The site's own file, whose triples are those of the home page."""
    assert facts.site is not None  # noqa: S101
    base = facts.site.base
    lines = [
        line
        for line in lines_of(pages(facts.site, {}, {}), base)
        if line.endswith(f" <{base}> .\n")
    ]
    example = (
        (EXAMPLE / "data" / "site.yaml").read_text(encoding="utf-8").partition("\n")[2].rstrip()
    )
    return Kind(
        "file-site",
        "data/site.yaml",
        doc(SiteFile),
        fields(SiteFile),
        example,
        as_turtle(lines, base),
    )


def kind(
    anchor: str,
    title: str,
    model: type[BaseModel],
    facts: Facts,
    path: str | None,
    address: str = "people",
) -> Kind:
    entries = [each for each in facts.loaded if each.kind == address and type(each.fact) is model]
    first = next((each for each in entries if path is None or each.row.path.startswith(path)), None)
    if first is None:
        raise LookupError(f"the example site has no entry of {title}")
    start = first.row.path.partition(".")[0]
    same = [
        each
        for each in entries
        if each.slug == first.slug and each.row.path.partition(".")[0] == start
    ]
    return Kind(anchor, title, doc(model), fields(model), source_of(first), triples(same, facts))


def ordinary() -> list[tuple[str, str]]:
    """The fields that any entry may carry, and what they mean."""
    return [(name, COMMON[name]) for name in Entry.model_fields]


def fields(model: type[BaseModel]) -> list[Field]:
    shared = Entry.model_fields if issubclass(model, Entry) else ()
    found = [
        Field(
            info.alias or name,
            info.is_required() and name not in getattr(model, "filled", ()),
            form(info.annotation, Listed in info.metadata),
            meaning(name, info.metadata),
            tuple(fields(inner)) if (inner := model_in(info.annotation)) else (),
        )
        for name, info in model.model_fields.items()
        if name not in shared and name not in getattr(model, "from_loader", ())
    ]
    return found + [
        Field(name, False, "list" if name != "dates" else "date or list", COMMON[name])
        for name in getattr(model, "spread", ())
    ]


def form(annotation: Any, one_will_do: bool = False) -> str:
    """What is written in a field, in a word or two; `one_will_do` where one value may stand for a
    list.
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return form(arguments[0])
    if origin in (Union, UnionType):
        return form(next(argument for argument in arguments if argument is not NoneType))
    if origin is Literal:
        return " | ".join(arguments)
    if origin is list:
        return f"{form(arguments[0])}, or a list" if one_will_do else f"list: {form(arguments[0])}"
    if origin is dict:
        return "fields by key"
    return form_of_class(annotation)


def form_of_class(kind: type) -> str:
    if issubclass(kind, Reference):
        return f"key of {' or '.join(WORDS[each] for each in kind.kinds)}"
    for known, words in (
        (When, "date"),
        (WebAddress, "web address"),
        (bool, "true or false"),
        (
            BaseModel,
            "fields, or a short form" if getattr(kind, "accepts_text", False) else "fields",
        ),
        (str, "text"),
    ):
        if issubclass(kind, known):
            return words
    return "number"


def source_of(entry: Loaded) -> str:
    """The lines of an entry in the example: a block of a registry, or `basics`, or
    one item of a section.
    """
    blocks = blocks_of((EXAMPLE / entry.row.file).read_text(encoding="utf-8"))
    section, bracket, rest = entry.row.path.partition("[")
    if bracket:
        items = re.split(r"^(?=  - )", "\n".join(blocks[section][1:]), flags=re.MULTILINE)
        entries = [item for item in items if item.startswith("  - ")]
        return f"{section}:\n{entries[int(rest.partition(']')[0])].rstrip()}"
    own = (
        [section or entry.slug] if section else [name for name in Cv.model_fields if name in blocks]
    )
    return "\n".join(line for name in own for line in blocks[name])


def blocks_of(text: str) -> dict[str, list[str]]:
    """The lines below each top-level key, the key's own line first."""
    blocks: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if found := re.match(r"([\w-]+):", line):
            lines = blocks.setdefault(found[1], [])
        if not line.startswith("#"):
            lines.append(line)
    return blocks


def triples(entries: list[Loaded], facts: Facts) -> str:
    assert facts.site is not None  # noqa: S101
    walker = Walker(facts.site.base)
    for each in entries:
        walker.walk(each)
    walker.settle()
    return as_turtle(walker.lines, facts.site.base)


def as_turtle(lines: list[str], base: str) -> str:
    """As Turtle, without the prefixes."""
    quads = list(parse("".join(lines).encode(), format=RdfFormat.N_QUADS))
    return turtle(base, quads).decode().partition("\n\n")[2].rstrip()
