"""Items of structured data in a page, from JSON-LD, microdata and RDFa Lite.

A schema.org name is without its namespace; any other name is an IRI or has its prefix
(`foaf:name`). Contexts are not fetched: `https://schema.org` is built in, and inline contexts are
read for what they rename.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kg.plugins.audit.json_text import Json
from kg.plugins.audit.markup import Element

SCHEMA_ORG = re.compile(r"https?://(?:www\.)?schema\.org/?(?:[\w-]*\.jsonld)?#?", re.IGNORECASE)
TERM = re.compile(r"https?://(?:www\.)?schema\.org/([\w-]+)/?", re.IGNORECASE)
LINKING = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}


@dataclass(frozen=True, slots=True)
class Literal:
    """A string, number or boolean. `is_address`: the page resolves it, if it is relative."""

    text: str
    place: int
    is_address: bool = False


@dataclass(slots=True)
class DataItem:
    """An item, with the places of its types and properties."""

    place: int
    types: list[tuple[str, int]] = field(default_factory=list)
    iri: Literal | None = None
    properties: list[tuple[str, int, DataItem | Literal]] = field(default_factory=list)
    is_json: bool = False

    def kinds(self) -> list[str]:
        return [name for name, _ in self.types]

    def values(self, *names: str) -> list[DataItem | Literal]:
        return [value for name, _, value in self.properties if name in names]

    def text(self, name: str) -> str:
        found = (each.text for each in self.values(name) if isinstance(each, Literal))
        return next((text for text in found if text.strip()), "")

    def has(self, name: str) -> bool:
        return bool(self.text(name)) or any(
            isinstance(each, DataItem) for each in self.values(name)
        )

    def all(self) -> Iterator[DataItem]:
        """This item and all nested ones."""
        yield self
        for _, _, value in self.properties:
            if isinstance(value, DataItem):
                yield from value.all()


@dataclass(frozen=True)
class JsonContext:
    """A JSON-LD context. `vocabulary` is that of plain names: `schema`, none, or `other`, which is
    not checked. `own` is the names that the context itself defines.
    """

    vocabulary: str = ""
    own: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset(("schema",))

    def name(self, text: str) -> str:
        if found := TERM.fullmatch(text):
            return found[1]
        prefix, colon, rest = text.partition(":")
        if colon:
            return rest if prefix in self.prefixes and not rest.startswith("//") else text
        return text if self.vocabulary == "schema" and text not in self.own else f"own:{text}"


NO_CONTEXT = JsonContext()


def is_schema(text: str) -> bool:
    return bool(SCHEMA_ORG.fullmatch(text.strip()))


def context_of(value: Json, outer: JsonContext) -> JsonContext:
    """The meaning of a `@context`, as far as it is known without fetching."""
    found = outer
    for each in value.value if value.is_list else [value]:
        if isinstance(each.value, str):
            if is_schema(each.value):
                found = JsonContext("schema", found.own, found.prefixes)
            else:
                found = JsonContext(found.vocabulary or "other", found.own, found.prefixes)
        elif each.is_object:
            found = inline(each, found)
    return found


def inline(value: Json, found: JsonContext) -> JsonContext:
    vocabulary, own, prefixes = found.vocabulary, set(found.own), set(found.prefixes)
    for name, _, meaning in value.value:
        if name == "@vocab" and isinstance(meaning.value, str):
            vocabulary = "schema" if is_schema(meaning.value) else "other"
        elif isinstance(meaning.value, str) and is_schema(meaning.value):
            prefixes.add(name)
        elif meaning.is_object and "@id" not in (key for key, *_ in meaning.value):
            continue  # it only states the type of the values
        elif not name.startswith("@"):
            own.add(name)
    return JsonContext(vocabulary, frozenset(own), frozenset(prefixes))


def json_items(value: Json, outer: JsonContext = NO_CONTEXT) -> Iterator[DataItem]:
    """The top-level items of a script."""
    if value.is_list:
        for each in value.value:
            yield from json_items(each, outer)
    elif value.is_object:
        context = own_context(value, outer)
        names = {key for key, *_ in value.value} - {"@context", "@id"}
        for key, _, inside in value.value:
            if key == "@graph":
                yield from json_items(inside, context)
        if names - {"@graph"}:
            yield json_item(value, context)


def own_context(value: Json, outer: JsonContext) -> JsonContext:
    for key, _, inside in value.value:
        if key == "@context":
            outer = context_of(inside, outer)
    return outer


def json_item(value: Json, outer: JsonContext) -> DataItem:
    context, found = own_context(value, outer), DataItem(value.place, is_json=True)
    for key, place, inside in value.value:
        if key in ("@type", "type"):
            for each in inside.value if inside.is_list else [inside]:
                if isinstance(each.value, str):
                    found.types.append((context.name(each.value), each.place))
        elif key == "@id" and isinstance(inside.value, str):
            found.iri = Literal(inside.value, inside.place)
        elif not key.startswith("@"):
            name = context.name(key)
            found.properties += [(name, place, each) for each in json_values(inside, context)]
    return found


def json_values(value: Json, context: JsonContext) -> Iterator[DataItem | Literal]:
    if value.value in (None, [], ()):
        yield Literal("", value.place)
    elif value.is_list:
        for each in value.value:
            yield from json_values(each, context)
    elif value.is_object:
        inside = {key: each for key, _, each in value.value}
        wrapped = inside.get("@value") or inside.get("@list") or inside.get("@set")
        if wrapped:
            yield from json_values(wrapped, context)
        else:
            yield json_item(value, context)
    else:
        yield Literal(str(value.value), value.place)


def microdata(page: Element) -> Iterator[DataItem]:
    """The top-level items of a page. Items that `itemref` names are read at the reference."""
    known = {each.attributes["id"]: each for each in page.elements() if "id" in each.attributes}
    for each in page.elements():
        if "itemscope" in each.attributes and "itemprop" not in each.attributes:
            yield microdata_item(each, known, ())


def microdata_item(
    element: Element, known: dict[str, Element], within: tuple[Element, ...]
) -> DataItem:
    attributes = element.attributes
    found = DataItem(element.start)
    context = JsonContext("schema")
    kinds = attributes.get("itemtype", "").split()
    found.types = [
        (context.name(each) if "/" in each else f"own:{each}", element.start) for each in kinds
    ]
    if "itemid" in attributes:
        found.iri = Literal(attributes["itemid"], element.start, is_address=True)
    is_foreign = bool(kinds) and not any(TERM.fullmatch(each) for each in kinds)
    waiting: list[Element | str] = list(reversed(element.children))
    for name in reversed(attributes.get("itemref", "").split()):
        if name in known and all(each is not known[name] for each in (*within, element)):
            waiting.insert(0, known[name])
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            continue
        if names := each.attributes.get("itemprop", "").split():
            value: DataItem | Literal = (
                microdata_item(each, known, (*within, element))
                if "itemscope" in each.attributes
                else written(each)
            )
            found.properties += [
                (f"own:{name}" if is_foreign else context.name(name), each.start, value)
                for name in names
            ]
        if "itemscope" not in each.attributes:
            waiting += reversed(each.children)
    return found


def written(element: Element) -> Literal:
    """The value of a property, as the element states it."""
    attributes = element.attributes
    if "content" in attributes:
        return Literal(attributes["content"], element.start)
    source = LINKING.get(element.name, "")
    if source in attributes:
        return Literal(attributes[source], element.start, source in ("href", "src", "data"))
    return Literal(" ".join(element.text().split()), element.start)


def rdfa(page: Element) -> Iterator[DataItem]:
    """The RDFa Lite items that use schema.org. Names with other prefixes (`og:title`) are
    ignored.
    """
    yield from rdfa_inside(page, JsonContext("other"), None)


def rdfa_inside(
    element: Element, context: JsonContext, item: DataItem | None
) -> Iterator[DataItem]:
    attributes = element.attributes
    if "vocab" in attributes:
        vocabulary = "schema" if is_schema(attributes["vocab"]) else "other"
        context = JsonContext(vocabulary, context.own, context.prefixes)
    names = [context.name(each) for each in attributes.get("property", "").split()]
    names = [name for name in names if ":" not in name]
    inner = item
    if "typeof" in attributes:
        kinds = [context.name(each) for each in attributes["typeof"].split()]
        inner = DataItem(element.start, [(kind, element.start) for kind in kinds])
        if any(":" not in kind for kind in kinds):
            if not (names and item):
                yield inner
        else:
            names = []
    if item:
        value = inner if inner is not item and inner else rdfa_value(element)
        item.properties += [(name, element.start, value) for name in names]
    for child in element.children:
        if isinstance(child, Element):
            yield from rdfa_inside(child, context, inner)


def rdfa_value(element: Element) -> Literal:
    resource = element.attributes.get("resource")
    return Literal(resource, element.start, is_address=True) if resource else written(element)
