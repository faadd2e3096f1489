"""The reference page of the YAML format, from the models: every kind of entry, its fields, and an
example with its triples.

The examples are entries of the example site in the package, so they are checked like any other
data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pyoxigraph import RdfFormat, parse

from kg.advice.explain import model_in
from kg.facts.load import load
from kg.facts.loaded import Loaded
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.base import Entry
from kg.facts.models.people import Cv, Owner
from kg.facts.schema import COMMON, doc, meaning
from kg.facts.site_file import SiteFile
from kg.facts.values.dates import When
from kg.facts.values.languages import InLanguages
from kg.facts.values.naming import WORDS
from kg.facts.values.prose import MARKDOWN
from kg.facts.values.references import Reference
from kg.facts.values.text import Listed, WebAddress
from kg.graph.pages import pages
from kg.mapping.walk import Walker, lines_of
from kg.publish.added_files import AddedFiles, FileAdder, Publication
from kg.publish.formats.media import HTML
from kg.publish.formats.rdf import turtle
from kg.publish.formats.urls import root_of
from kg.settings import shipped

EXAMPLE = shipped("example")
PAGE = "format.html"
FORMS = {
    When: "date",
    WebAddress: "web address",
    bool: "true or false",
    BaseModel: "fields",
    str: "text",
}


@dataclass(frozen=True)
class EntryField:
    """A field of an entry; `inner` are the fields of its value, if that is a mapping."""

    name: str
    required: bool
    form: str
    meaning: str
    inner: tuple[EntryField, ...] = ()


@dataclass(frozen=True)
class Kind:
    """A kind of entry: its location, its meaning, its fields, and an example with its triples."""

    anchor: str
    title: str
    about: str
    fields: list[EntryField]
    example: str
    triples: str


@cache
def kinds() -> tuple[Kind, ...]:
    return tuple(kinds_in_example())


def kinds_in_example() -> Iterator[Kind]:
    facts = load(EXAMPLE)
    if facts.site is None:
        raise LookupError("the example site has no data/site.yaml")
    base = facts.site.base
    # site.yaml; its triples are those of the home page.
    text = (EXAMPLE / "data" / "site.yaml").read_text(encoding="utf-8")
    lines = lines_of(pages(facts.site, {}, {}), base)
    home = as_turtle([line for line in lines if line.endswith(f" <{base}> .\n")], base)
    yield Kind(
        "file-site",
        "data/site.yaml",
        doc(SiteFile),
        fields(SiteFile),
        text.partition("\n")[2].rstrip(),
        home,
    )
    for anchor, title, model, address, path in entries():
        same = examples_of(facts.loaded, model, address, path)
        walker = Walker(base)
        walker.walk(same)
        walker.settle()
        triples = as_turtle(walker.lines, base)
        about, known = doc(model), fields(model)
        usual = REGISTRIES[address].model if anchor.startswith("file-") else model
        if model is not usual:  # shared fields are not repeated
            shared, own = fields(usual), {field.name for field in known}
            lacking = [field.name for field in shared if field.name not in own]
            known = [field for field in known if field not in shared]
            but = f", except {', '.join(lacking)}" if lacking else ""
            about += f" Has the fields of '{usual.__name__.lower()}'{but}, and these:"
        names = {field.name for field in known}
        known = [*(field for field in fields_of_thing(model) if field.name not in names), *known]
        yield Kind(anchor, title, about, known, source_of(same[0]), triples)


def fields_of_thing(model: type[BaseModel]) -> list[EntryField]:
    """The fields of a referenced entity that can be written inline in an entry."""
    section = next((each for each in SECTIONS.values() if each.holder is model), None)
    if section is None:
        return []
    known = {field.name: field for field in fields(section.model_of_thing)}
    if not section.beside:
        return list(known.values())
    return [replace(known[own], name=name, required=False) for name, own in section.beside.items()]


def entries() -> Iterator[tuple[str, str, type[BaseModel], str, str]]:
    """Each kind of entry: its anchor, title and model, and the location of an example: the kind of
    document, and the start of the path in it.
    """
    yield "basics", "basics: in a CV", Owner, "people", "basics"
    yield "cv", "The other top-level fields of a CV", Cv, "people", ""
    for name, section in SECTIONS.items():
        yield name, f"{name}: in a CV", section.model, "people", f"{name}["
        if section.other:
            title = f"{name}: in a CV, with {section.marked_by}:"
            yield f"{name}-{section.marked_by}", title, section.other, "people", f"{name}["
    for address, registry in REGISTRIES.items():
        for model in registry.models:
            name = model.__name__.lower()
            anchor = f"file-{registry.file}" + ("" if model is registry.model else f"-{name}")
            title = registry.path + (f", {name}" if registry.by_kind else "")
            yield anchor, title, model, address, ""


def examples_of(
    loaded: Iterable[Loaded], model: type[BaseModel], address: str, path: str
) -> list[Loaded]:
    """The first entry of a kind, and the entries from the same place."""
    found = [
        each
        for each in loaded
        if each.kind == address and type(each.fact) is model and each.row.path.startswith(path)
    ]
    if not found:
        raise LookupError(
            f"{EXAMPLE} has no {model.__name__}. Add one as the example of that kind."
        )
    slug, start = found[0].slug, found[0].row.path.partition(".")[0]
    return [
        each for each in found if each.slug == slug and each.row.path.partition(".")[0] == start
    ]


def ordinary() -> list[tuple[str, str]]:
    """The fields of any entry, with their meanings."""
    return [(name, COMMON[name]) for name in Entry.model_fields]


def fields(model: type[BaseModel]) -> list[EntryField]:
    shared = Entry.model_fields if issubclass(model, Entry) else ()
    found = [
        EntryField(
            info.alias or name,
            info.is_required() and name not in getattr(model, "filled", ()),
            text_form(info.metadata) or form(info.annotation, Listed in info.metadata),
            meaning(name, info.metadata),
            tuple(fields(inner)) if (inner := model_in(info.annotation)) else (),
        )
        for name, info in model.model_fields.items()
        if name not in shared and name not in getattr(model, "from_loader", ())
    ]
    return found + [
        EntryField(name, False, "list" if name != "dates" else "date or list", COMMON[name])
        for name in getattr(model, "spread", ())
    ]


def form(annotation: Any, one_will_do: bool = False) -> str:
    """The format of a field, in a word or two; with `one_will_do`, a single value is accepted in
    place of a list.
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if words := text_form(arguments):
        return words
    if origin in (Annotated, Union, UnionType):
        return form(next(argument for argument in arguments if argument is not NoneType))
    if origin is Literal:
        return " | ".join(arguments)
    if origin is list:
        return f"{form(arguments[0])}, or a list" if one_will_do else f"list: {form(arguments[0])}"
    return "fields by key" if origin is dict else form_of_class(annotation)


def text_form(marks: Sequence[object]) -> str:
    """The format of a text with special syntax; empty for other values."""
    words = "Markdown" if MARKDOWN in marks else "text"
    if InLanguages in marks:
        return f"{words}, or one for each language"
    return words if MARKDOWN in marks else ""


def form_of_class(kind: type) -> str:
    if issubclass(kind, Reference):
        words = " or ".join(WORDS[each] for each in kind.kinds)
        other = "name" if kind.inline else getattr(kind, "alternative", "")
        return f"{other}, or key of {words}" if other else f"key of {words}"
    if getattr(kind, "accepts_text", False):
        return "fields, or a short form"
    return next((words for known, words in FORMS.items() if issubclass(kind, known)), "number")


def source_of(entry: Loaded) -> str:
    """The lines of an entry in the example: a block of a registry, `basics`, or one item of a
    section.
    """
    blocks = blocks_of((EXAMPLE / entry.row.file).read_text(encoding="utf-8"))
    section, bracket, rest = entry.row.path.partition("[")
    if bracket:
        items = re.split(r"^(?=  - )", "\n".join(blocks[section][1:]), flags=re.MULTILINE)
        entries = [item for item in items if item.startswith("  - ")]
        return f"{section}:\n{entries[int(rest.partition(']')[0])].rstrip()}"
    own = [section] if section else [name for name in Cv.model_fields if name in blocks]
    return "\n".join(line for name in own for line in blocks[name])


def blocks_of(text: str) -> dict[str, list[str]]:
    """The lines under each top-level key, including the line of the key."""
    blocks: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if found := re.match(r"([\w-]+):", line):
            lines = blocks.setdefault(found[1], [])
        if not line.startswith("#"):
            lines.append(line)
    return blocks


def as_turtle(lines: list[str], base: str) -> str:
    """Turtle without the prefixes."""
    quads = list(parse("".join(lines).encode(), format=RdfFormat.N_QUADS))
    return turtle(base, quads).decode().partition("\n\n")[2].rstrip()


def files_of(documents: Publication) -> AddedFiles | None:
    return None if documents.is_lean else AddedFiles({PAGE: HTML}, make, own=lambda *_: b"")


def make(documents: Publication, path: str) -> bytes:
    return documents.pages.rendered(path, kinds=kinds(), ordinary=ordinary(), root=root_of(path))


FILES = FileAdder(files_of)
