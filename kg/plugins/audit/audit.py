"""Audits a page: reads its structured data and reports each mistake with its line."""

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
VISIBLE = frozenset(
    ("name", "headline", "jobTitle", "award")
)  # properties whose values should be visible on the page


def audit(body: bytes, name: str) -> list[Problem]:
    """All problems of the structured data of a page; `name` is the file name in reports."""
    if len(body) > MAX_BYTES:
        return [too_large(name)]
    html = decoded(body)
    page, lines = parsed(html), Lines(html)
    return tidy(
        Problem(Place(name, *lines.at(fault.place)), fault.severity, fault.message, fault.rule)
        for fault in page_faults(html, page)
    )


def too_large(name: str) -> Problem:
    message = f"The file is larger than {MAX_BYTES // 1_000_000} MB and was not read."
    return Problem(Place(name), "error", message, "too-large")


def page_faults(html: str, page: Element) -> Iterator[DataFault]:
    items: list[DataItem] = []
    blocks = scripts(page)
    for script in blocks:
        try:
            value = parse(html[: script.inside + len(script.text())], script.inside)
        except NotJson as error:
            yield DataFault(
                "error", "json", f"invalid JSON: {error}", min(error.place, len(html) - 1)
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
    yield from invisible_values(items, page)
    if not (items or blocks or is_excluded(page)):
        message = "The page has no structured data, so programs see plain text only."
        yield DataFault("info", "no-data", message, 0)


def context_faults(value: Json) -> Iterator[DataFault]:
    """Reports a script without a known `@context`."""
    if value.is_list:
        for each in value.value:
            yield from context_faults(each)
    elif value.is_object and value.value:
        contexts = [inside for key, _, inside in value.value if key == "@context"]
        if not contexts:
            message = (
                '"@context" is missing, so the names have no meaning. Add '
                '"@context": "https://schema.org".'
            )
            yield DataFault("error", "context", message, value.place)
        elif context_of(contexts[0], NO_CONTEXT).vocabulary == "other":
            text = contexts[0].value
            if isinstance(text, str) and "schema.org" in text.lower():
                message = f"{quoted(text)} is not a known context. Write https://schema.org."
                yield DataFault("error", "context", message, contexts[0].place)


def key_faults(value: Json) -> Iterator[DataFault]:
    """Reports duplicate keys of an object; parsers keep only one of them."""
    if value.is_list:
        for each in value.value:
            yield from key_faults(each)
    elif value.is_object:
        seen = set()
        for key, place, inside in value.value:
            if key in seen:
                message = (
                    f"duplicate key '{key}': only one value is read. Write the values as a list."
                )
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


def is_excluded(page: Element) -> bool:
    """Whether the page is a redirect or excluded from search engines."""
    return any(
        each.attributes.get("http-equiv", "").lower() == "refresh"
        or "noindex" in each.attributes.get("content", "")
        for each in page.elements()
        if each.name == "meta"
    )


def invisible_values(items: list[DataItem], page: Element) -> Iterator[DataFault]:
    """Reports values that the page does not show: private values one by one, texts once per
    page.
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
                    f"The data contain the {PRIVATE[name]} {quoted(value.text)}, which the page "
                    "does not show. Remove it unless it is meant to be public."
                )
                yield DataFault("warning", "private", message, value.place)
            elif name in VISIBLE and item.is_json and "ListItem" not in item.kinds():
                hidden.setdefault(value.text, value.place)
    if hidden:
        names = ", ".join(map(quoted, list(hidden)[:3])) + (" …" if len(hidden) > 3 else "")
        message = f"The data contain text that the page does not show: {names}."
        yield DataFault("info", "unseen", message, min(hidden.values()))
