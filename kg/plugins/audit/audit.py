"""The audit of a page: its structured data are read, and every fault is a problem with its line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from kg.errors import Place, Problem, tidy
from kg.plugins.audit import data_rules as rules
from kg.plugins.audit.data_items import (
    NO_CONTEXT,
    DataItem,
    Literal,
    context_of,
    json_items,
    microdata,
    rdfa,
)
from kg.plugins.audit.data_rules import PRIVATE, DataFault, quoted
from kg.plugins.audit.json_text import Json, NotJson, parse
from kg.plugins.audit.markup import Element, Lines, decoded, parsed, scripts
from kg.text.normalize import letters

MAX_BYTES = 10_000_000
SHOWN = frozenset(("name", "headline", "jobTitle", "award"))  # what readers should see, too


def audit(body: bytes, name: str) -> list[Problem]:
    """All that is wrong with the structured data of a page; `name` is what its file is called."""
    if len(body) > MAX_BYTES:
        return [too_large(name)]
    html = decoded(body)
    page, lines = parsed(html), Lines(html)
    return tidy(
        Problem(Place(name, *lines.at(fault.place)), fault.severity, fault.message, fault.rule)
        for fault in page_faults(html, page)
    )


def too_large(name: str) -> Problem:
    message = f"This is larger than {MAX_BYTES // 1_000_000} MB, and no page. It was not read."
    return Problem(Place(name), "error", message, "too-large")


def page_faults(html: str, page: Element) -> Iterator[DataFault]:
    items: list[DataItem] = []
    blocks = scripts(page)
    for script in blocks:
        try:
            value = parse(html[: script.inside + len(script.text())], script.inside)
        except NotJson as error:
            yield DataFault(
                "error", "json", f"This is no JSON: {error}", min(error.place, len(html) - 1)
            )
            continue
        yield from context_faults(value)
        yield from key_faults(value)
        items += json_items(value)
    items += [*microdata(page), *rdfa(page)]
    for item in items:
        yield from rules.faults(item)
    yield from rules.several_people(items)
    yield from rules.mixed_schemes(items, canonical(page))
    yield from unseen(items, page)
    if not (items or blocks or is_no_page(page)):
        message = "This page has no structured data, so programs see plain text."
        yield DataFault("info", "no-data", message, 0)


def context_faults(value: Json) -> Iterator[DataFault]:
    """At the top of a script somebody must say whose words its names are."""
    if value.is_list:
        for each in value.value:
            yield from context_faults(each)
    elif value.is_object and value.value:
        contexts = [inside for key, _, inside in value.value if key == "@context"]
        if not contexts:
            message = (
                'There is no "@context", so nobody knows whose words these are. Write '
                '"@context": "https://schema.org".'
            )
            yield DataFault("error", "context", message, value.place)
        elif context_of(contexts[0], NO_CONTEXT).vocabulary == "other":
            text = contexts[0].value
            if isinstance(text, str) and "schema.org" in text.lower():
                message = f"{quoted(text)} is no context. Write https://schema.org."
                yield DataFault("error", "context", message, contexts[0].place)


def key_faults(value: Json) -> Iterator[DataFault]:
    """Names that stand twice in one object, of which readers see one."""
    if value.is_list:
        for each in value.value:
            yield from key_faults(each)
    elif value.is_object:
        seen = set()
        for key, place, inside in value.value:
            if key in seen:
                message = f"'{key}' stands here twice, and one is not read. Make a list of them."
                yield DataFault("error", "twice", message, place)
            seen.add(key)
            yield from key_faults(inside)


def canonical(page: Element) -> str:
    links = (each.attributes for each in page.elements() if each.name == "link")
    return next(
        (
            each.get("href", "")
            for each in links
            if "canonical" in each.get("rel", "").lower().split()
        ),
        "",
    )


def is_no_page(page: Element) -> bool:
    """Whether it leads elsewhere, or search engines are told to leave it alone."""
    return any(
        each.attributes.get("http-equiv", "").lower() == "refresh"
        or "noindex" in each.attributes.get("content", "")
        for each in page.elements()
        if each.name == "meta"
    )


def unseen(items: list[DataItem], page: Element) -> Iterator[DataFault]:
    """What the data say and the page does not show: of texts once for the page, of private values
    each.
    """
    titles = (each.text() for each in page.elements() if each.name == "title")
    kinds = ("href", "alt", "aria-label", "title")
    said = (
        each.attributes[kind]
        for each in page.elements()
        for kind in kinds
        if kind in each.attributes
    )
    shown = letters(" ".join(chain([page.shown()], titles, said)))
    hidden: dict[str, int] = {}
    for item in (each for top in items for each in top.all()):
        for name, _, value in item.properties:
            if not isinstance(value, Literal) or letters(value.text) in shown:
                continue
            if name in PRIVATE and letters(value.text.removeprefix("mailto:")) not in shown:
                message = (
                    f"The data tell the {PRIVATE[name]} {quoted(value.text)}, which the page does "
                    "not show. Leave it out, unless everybody may have it."
                )
                yield DataFault("warning", "private", message, value.place)
            elif name in SHOWN and item.is_json and "ListItem" not in item.kinds():
                hidden.setdefault(value.text, value.place)
    if hidden:
        names = ", ".join(map(quoted, list(hidden)[:3])) + (" …" if len(hidden) > 3 else "")
        message = f"The data say what the page does not show: {names}."
        yield DataFault("info", "unseen", message, min(hidden.values()))
