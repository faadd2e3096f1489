"""What the head of a person's page shows: how to address and to reach them, and where else they
are found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pyoxigraph import Literal

from kg.facts.values.accounts.person_identifiers import title_of
from kg.mapping.iris import resolve
from kg.publish.formats.urls import Cell, Link
from kg.publish.text import wording
from kg.store.describe import Description, has_language
from kg.store.protocol import Term
from kg.vocab import cv, foaf, schema

CellMaker = Callable[[Term], Cell]
LAST = 1000  # the place of links without a name
ADDRESS = (
    schema.streetAddress,
    schema.postalCode,
    schema.addressLocality,
    schema.addressRegion,
    schema.addressCountry,
)


class Foreign(str):
    """A text in another language."""

    lang: str


def full_style(description: Description) -> str:
    """`Dr. Ada Berg, FRS · she/her`; empty where that is no more than the name."""
    before, after, pronouns = (
        description.value(term)
        for term in (schema.honorificPrefix, schema.honorificSuffix, schema.pronouns)
    )
    named = ", ".join(filter(None, [f"{before or ''} {description.title}".strip(), after]))
    return " · ".join(filter(None, [named, pronouns])) if before or after or pronouns else ""


def person_facts(description: Description, base: str, cell: CellMaker) -> dict[str, list[Cell]]:
    """The words and cells of each line; one that is empty is left out."""
    former = description.values(resolve(base, cv.formerName))
    others = [term for term in description.terms(schema.alternateName) if term.value not in former]
    found: dict[str, list[Cell]] = {
        "E-mail": labelled(description, schema.email, "mailto:{}".format),
        "Phone": labelled(description, schema.telephone, telephone),
        "Office": named(description, schema.workLocation),
        "Address": list(addresses(description)),
        "Lives in": [cell(term) for term in description.terms(schema.homeLocation)],
        "Born": [wording.value(term) for term in description.terms(schema.birthDate)],
        "Nationality": named(description, schema.nationality),
        "Gender": [*description.values(schema.gender)],
        "Middle name": [*description.values(schema.additionalName)],
        "Formerly": [*former],
        "Also written": [foreign(term) for term in others],
        "Speaks": [
            spoken(term, description, cell) for term in description.terms(schema.knowsLanguage)
        ],
        "Website": labelled(description, schema.url, str),
        "Elsewhere": list(elsewhere(description, base)),
        "Metrics": list(metrics(description)),
    }
    return {word: cells for word, cells in found.items() if cells}


def labelled(description: Description, predicate: str, href: Callable[[str], str]) -> list[Cell]:
    """Links to what a property has, with the label of the contact point that has the same."""
    points = description.values(schema.contactPoint)
    labels = {
        value: label
        for point in points
        if (label := description.value(schema.contactType, point))
        for value in description.values(predicate, point)
    }
    return [
        Link(f"{shown(value)}{f' ({labels[value]})' if value in labels else ''}", href(value))
        for value in description.values(predicate)
    ]


def spoken(language: Term, description: Description, cell: CellMaker) -> Cell:
    """A language, and how well it is known."""
    known = [
        ", ".join(filter(None, [level, description.value(schema.description, role)]))
        for role in description.values(schema.skills)
        if language.value in description.values(schema.skills, role)
        and (level := description.value(schema.roleName, role))
    ]
    link = cell(language)
    if not known or not isinstance(link, Link):
        return link
    return Link(f"{link.text} ({known[0]})", link.href)


def telephone(number: str) -> str:
    return f"tel:{re.sub(r'[^+0-9]', '', number)}"


def shown(address: str) -> str:
    return address.removeprefix("https://").removesuffix("/")


def foreign(term: Term) -> Cell:
    if not isinstance(term, Literal) or not has_language(term):
        return term.value
    text = Foreign(term.value)
    text.lang = str(term.language)
    return text


def named(description: Description, predicate: str) -> list[Cell]:
    """The names of parts of the document."""
    parts = description.values(predicate)
    return [name for part in parts if (name := description.value(schema.name, part))]


def addresses(description: Description) -> Iterator[Cell]:
    for term in description.terms(schema.address):
        parts = [description.value(part, term.value) for part in ADDRESS]
        yield ", ".join(filter(None, parts)) or term.value


def elsewhere(description: Description, base: str) -> Iterator[Cell]:
    """Profiles and identifiers by their names; whatever else this is the same as by its address."""
    names = {}
    for node in description.values(schema.identifier):
        scheme = (description.value(schema.propertyID, node) or "").rpartition("/")[2]
        text = f"{title_of(scheme)} {description.value(schema.value, node)}"
        if address := description.value(schema.url, node):
            names[address] = text
        else:
            yield text
    for node in description.values(foaf.account):
        for address in description.values(schema.url, node):
            names.setdefault(address, description.value(schema.name, node) or shown(address))
    known = description.values(schema.url)
    same = [
        address
        for address in description.values(schema.sameAs)
        if address not in known and not address.startswith(base)  # which was its own before
    ]
    order = list(names)
    for address in sorted(same, key=lambda each: order.index(each) if each in names else LAST):
        yield Link(names.get(address, shown(address)), address)


def metrics(description: Description) -> Iterator[Cell]:
    person = f"{description.document}#it"
    for node in description.nodes:
        name, value = description.value(schema.name, node), description.value(schema.value, node)
        if name and value and person in description.values(schema.observationAbout, node):
            date = wording.date(description.value(schema.observationDate, node) or "")
            yield f"{name} {value}{f' ({date})' if date else ''}"
