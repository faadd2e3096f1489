"""The JSON-LD embedded in a page: a few kilobytes for search engines.

It is one nested object with an inline context and plain strings, because search engines do not load
contexts or coerce types. It has only what the page shows, in the same order; the data formats of
the page have everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pyoxigraph import NamedNode

from kg.graph.describe import Description, has_language
from kg.mapping import iris
from kg.publish.formats import jsonld
from kg.publish.formats.jsonld import Json
from kg.publish.formats.media import DUMP_SUFFIXES
from kg.publish.formats.urls import href, relative
from kg.settings import Site
from kg.store.protocol import Term
from kg.text import dates
from kg.text.markdown import plain_prose, plain_title
from kg.vocab import cut, cv, foaf, rdf, schema

DAY = re.compile(r"\d{4}-\d\d-\d\d")


class VisibleContent:
    """The texts and links that a page shows. White space is ignored, since a text can span several
    elements.
    """

    def __init__(self, base: str, path: str, texts: Iterable[str], links: Iterable[str]) -> None:
        """`path` is that of the document, which its links are relative to."""
        self.base, self.path, self.text = base, path, squeezed("".join(texts))
        self.links = {link: place for place, link in reversed(list(enumerate(links)))}

    def text_place(self, text: str) -> int | None:
        """The position where a text is first shown, as it is or as a date in words, to the day or
        to the month.
        """
        forms = [text, dates.date(text)]
        forms += [dates.date(text[: len("2021-09")])] if DAY.fullmatch(text) else []
        places = (self.text.find(squeezed(each)) for each in forms)
        return next((place for place in places if place >= 0), None)

    def link_place(self, iri: str) -> int | None:
        """The position of the first link to an address, or to the page of an entry."""
        forms = (iri, href(self.base, iri, self.path), relative(self.base, iri, self.path))
        places = [self.links[form] for form in forms if form in self.links]
        return min(places, default=0 if iri.partition("#")[0] == self.base + self.path else None)

    def shows(self, value: str) -> bool:
        return self.text_place(value) is not None or self.link_place(value) is not None


def squeezed(text: str) -> str:
    return "".join(text.split())


REQUIRED = {
    "ProfilePage": ("mainEntity",),
    "Person": ("name",),
    "Event": ("name", "startDate", "location"),
    "SoftwareApplication": ("name", "offers", "aggregateRating"),
    "Course": ("name", "description"),
    "Dataset": ("name", "description"),
    "BreadcrumbList": ("itemListElement",),
    "ListItem": ("position", "name", "item"),
}
DESCRIBED = range(50, 5001)  # characters in the description of a dataset
FEWEST_CRUMBS = 2
MOST_BYTES = 8000  # in a page


def lacking(item: Json, kind: str) -> list[str]:
    """The missing properties that a type requires of an item."""
    wanted = REQUIRED.get("Event" if kind.endswith("Event") else kind, ())
    found = [name for name in wanted if not item.get(name)]
    if kind == "Dataset" and not found and len(item["description"]) not in DESCRIBED:
        found.append(f"description of {DESCRIBED[0]} to {DESCRIBED[-1]} characters")
    if kind == "BreadcrumbList" and not found and len(item["itemListElement"]) < FEWEST_CRUMBS:
        found.append("second step")
    return found


def items(value: Any) -> Iterator[Json]:
    """All nested objects."""
    if isinstance(value, dict):
        yield value
    for each in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from items(each)


IRI_TERMS = (
    *("url", "sameAs", "image", "item", "license", "codeRepository", "contentUrl"),
    "itemListElement",
)
ORCID = "https://orcid.org/"
MAX_WORKS = 5
MAX_TOPICS = 12
CLASS_RESERVE = 40  # bytes reserved for a change of class after measuring
NEEDED = ("name", "url", "headline", "mainEntity", "breadcrumb")
# Classes for which search engines require more than is known, and their substitutes: some always,
# others only if a property is missing.
INSTEAD = {"EventSeries": "Series", "SoftwareApplication": "CreativeWork"}
SOURCE_CODE = "SoftwareSourceCode"  # software with a repository or programming languages
UNLESS_COMPLETE = {"Dataset": "CreativeWork", "Course": "LearningResource"}
# Properties that the substitute does not have.
UNFIT = {"CreativeWork": ("distribution", "softwareVersion"), "LearningResource": ("courseCode",)}
SUBSTITUTES = {other: kind for kind, other in (INSTEAD | UNLESS_COMPLETE).items()}


class Property(NamedTuple):
    """A property, how its values are written (a method of `Excerpt`), their maximum number, and the
    source predicates, if different. Of two with the same name, the second is used if the first has
    no values.
    """

    name: str
    form: str = "text"
    most: int | None = None
    predicates: tuple[str, ...] = ()


NAME = Property("name", most=1)
ALIASES = Property("alternateName")
DESCRIPTION = Property("description", "prose", 1)
ELSEWHERE = Property("sameAs", "address", None, (schema.sameAs, schema.url))
PAGE = (NAME, DESCRIPTION, Property("dateModified", most=1))
PERSON = (
    NAME,
    Property("honorificPrefix"),
    Property("honorificSuffix"),
    ALIASES,
    DESCRIPTION,
    Property("worksFor", "thing", 1),
    Property("jobTitle", "job", 1),
    Property("alumniOf", "thing"),
    Property("image", "address", 1),
    ELSEWHERE,
    Property("knowsAbout", "label", MAX_TOPICS, (foaf.topic_interest,)),
    Property("knowsAbout", "label", MAX_TOPICS),
    Property("award"),
    Property("email"),
)
OTHER_PERSON = (NAME, ALIASES, Property("affiliation", "role"), ELSEWHERE)
LICENSE = Property("license", "address")
NUMBER = Property("identifier", "number")
WORK = (
    NAME,
    Property("headline", "title", 1),
    DESCRIPTION,
    Property("author", "author"),
    Property("editor", "author"),
    Property("datePublished", most=1),
    Property("abstract", "prose", 1),
    Property("isPartOf", "thing"),
    Property("publisher", "thing"),
    Property("sourceOrganization", "thing"),
    NUMBER,
    Property("sameAs", "address"),
    LICENSE,
    Property("isbn"),
    Property("version"),
    Property("encoding", "file"),
    Property("distribution", "file"),
)
# Search engines read the description of a dataset; authors write an abstract.
ABSTRACT = Property("description", "prose", 1, (schema.description, schema.abstract))
DATASET = (ABSTRACT, *(each for each in WORK if each.name not in ("description", "abstract")))
SOFTWARE = (
    NAME,
    ALIASES,
    DESCRIPTION,
    Property("author", "author"),
    Property("softwareVersion"),
    Property("codeRepository", "address"),
    LICENSE,
    ELSEWHERE,
)
COURSE = (NAME, DESCRIPTION, Property("courseCode"), Property("provider", "thing"), ELSEWHERE)
ORGANIZATION = (NAME, ALIASES, DESCRIPTION, ELSEWHERE, Property("parentOrganization", "thing"))
VENUE = (NAME, ALIASES, Property("issn"), Property("publisher", "thing"), ELSEWHERE)
GRANT = (NAME, DESCRIPTION, Property("funder", "thing"), NUMBER)
# The properties of the subject by kind of page; for other kinds, only the name.
PROPERTIES = {
    "people": OTHER_PERSON,
    "publications": WORK,
    "patents": WORK,
    "press": WORK,
    "software": SOFTWARE,
    "courses": COURSE,
    "tutorials": COURSE,
    "orgs": ORGANIZATION,
    "projects": ORGANIZATION,
    "venues": VENUE,
    "grants": GRANT,
}
PAGE_CLASSES = ("ProfilePage", "CollectionPage", "WebSite", "WebPage")  # the first match is used


class Excerpt:
    """The part of a document's description that its page shows."""

    def __init__(self, description: Description, shown: VisibleContent) -> None:
        self.description, self.shown = description, shown

    def node(self, properties: Iterable[Property], iri: str) -> Json:
        """A resource of the document. Its class is chosen last."""
        url = self.description.canonical(self.shown.base)
        found: Json = {"@type": "", "@id": iri, "url": url}
        for name, form, most, predicates in properties:
            terms = [
                term
                for predicate in predicates or (schema[name],)
                for term in self.description.terms(predicate, iri)
            ]
            if terms and name not in found and (values := self.values(terms, form)):
                found[name] = values[0] if most == 1 or len(values) == 1 else values[:most]
        return found

    def values(self, terms: Iterable[Term], form: str) -> list[Any]:
        """The values that the page shows, in its order; texts in the language of the CV first."""
        write = getattr(self, form)
        placed: list[tuple[bool, int, Any]] = []
        for term in dict.fromkeys(terms):
            place, value = write(term)
            if place is not None and value not in [other for *_, other in placed]:
                placed.append((has_language(term), place, value))
        return [value for *_, value in sorted(placed, key=lambda each: each[:2])]

    def text(self, term: Term) -> tuple[int | None, str]:
        return self.shown.text_place(term.value), term.value

    def prose(self, term: Term) -> tuple[int | None, str]:
        text = plain_prose(term.value)
        return self.shown.text_place(text), text

    def title(self, term: Term) -> tuple[int | None, str]:
        text = plain_title(term.value)
        return self.shown.text_place(text), text

    def address(self, term: Term) -> tuple[int | None, str]:
        """Among profiles, the ORCID comes first."""
        place = self.shown.link_place(term.value)
        return (-1 if place is not None and term.value.startswith(ORCID) else place), term.value

    def number(self, term: Term) -> tuple[int | None, str]:
        """An identifier as text, which is the value of its node."""
        text = self.description.value(schema.value, term.value) or ""
        return (self.shown.text_place(text) if text else None), text

    def label(self, term: Term) -> tuple[int | None, str]:
        _, name = self.description.labels.get(term.value, ((), None))
        is_shown = name and self.shown.text_place(name) is not None
        return (self.shown.link_place(term.value) if is_shown else None), name or ""

    def thing(self, term: Term) -> tuple[int | None, Json]:
        """A resource of another document, with its class and name."""
        classes, name = self.description.labels.get(term.value, ((), None))
        item = {"@type": "", "@id": term.value, "name": name}
        item["@type"] = class_of(classes, item)
        place = self.shown.link_place(term.value) if isinstance(term, NamedNode) else None
        is_shown = name and item["@type"] and self.shown.text_place(name) is not None
        return (place if is_shown else None), item

    def job(self, term: Term) -> tuple[int | None, str]:
        """A title of the person at the employer that is shown."""
        person, known = f"{self.description.document}#it", self.description
        employers = known.terms(schema.worksFor, person)
        shown = self.values(employers, "thing")
        where = {
            place
            for role in known.values(schema.affiliation, person)
            if term.value in known.values(schema.roleName, role)
            for predicate in (cv.employer, schema.affiliation)
            for place in known.values(predicate, role)
        }
        is_there = not shown or shown[0]["@id"] in where or (where and len(employers) == 1)
        return self.text(term) if is_there else (None, term.value)

    def role(self, term: Term) -> tuple[int | None, Json]:
        """The organisation of a role, without the role."""
        places = self.description.terms(schema.affiliation, term.value)
        return self.thing(places[0] if places else term)

    def author(self, term: Term) -> tuple[int | None, Json]:
        place, item = self.thing(term)
        return place, {**item, "url": iris.document_of(term.value)}

    def work(self, term: Term) -> tuple[int | None, Json]:
        """A work in the list of its author."""
        place, item = self.author(term)
        item["headline"] = item.pop("name")
        return place, {**item, "author": {"@id": f"{self.description.document}#it"}}

    def file(self, term: Term) -> tuple[int | None, Json]:
        address = self.description.value(schema.contentUrl, term.value)
        classes = self.description.values(rdf.type, term.value)
        item = {"@type": class_of(classes, {}), "@id": term.value, "contentUrl": address}
        return (self.shown.link_place(address) if address else None), item

    def page(self, crumbs: Json | None = None, copies: Iterable[str] = ()) -> Json:
        """The page of the document, with its subject nested inside; `copies` are the suffixes of
        files with the same page.
        """
        description, document = self.description, self.description.document
        path = iris.path_of(self.shown.base, document) or ""
        kind = path.partition("/")[0]
        is_owner = cv.Owner in description.kinds
        found = self.node(PAGE, document)
        found["@type"] = page_class(description.values(rdf.type, document))
        if iris.is_list(path):
            listed = self.values(description.terms(schema.itemListElement), "address")
            found["mainEntity"] = item_list(f"{document}#it", listed, description.title)
        elif kind in PROPERTIES:
            is_dataset = schema.Dataset in description.kinds
            properties = PERSON if is_owner else DATASET if is_dataset else PROPERTIES[kind]
            found["mainEntity"] = self.node(properties, f"{document}#it")
        if is_owner:
            chosen = description.terms(cv.selectedWork)
            works = self.values(chosen or description.terms(foaf.made), "work")
            found["hasPart"] = works[:MAX_WORKS]
        found["breadcrumb"] = crumbs
        for suffix in copies:
            item = {"@type": "MediaObject", "@id": f"{document}#file{suffix}"}
            found["encoding"] = item | {"contentUrl": f"{document}{suffix}"}
        return finished(found, description.kinds)


def home(site: Site, excerpt: Excerpt, owners: Iterable[Term]) -> Json:
    """The home page of a site with several CVs: the people and the dataset."""
    found = excerpt.node(PAGE, site.base)
    found["@type"] = "WebSite"
    found["mainEntity"] = item_list(f"{site.base}#owners", excerpt.values(owners, "address"))
    data: Json = {"@type": "Dataset", "@id": f"{site.base}void#it"}
    data |= {key: found[key] for key in ("name", "description") if key in found}
    data["license"] = site.license
    data["distribution"] = [
        {"@type": "DataDownload", "@id": address, "contentUrl": address}
        for address in (f"{site.base}dump{suffix}" for suffix in DUMP_SUFFIXES)
        if excerpt.shown.link_place(address) is not None
    ]
    if not lacking(data, "Dataset"):
        found["hasPart"] = {key: value for key, value in data.items() if value}
    return finished(found)


def item_list(iri: str, listed: list[str], name: str = "") -> Json:
    named = {"name": name} if name else {}
    return {"@type": "ItemList", "@id": iri, **named, "itemListElement": listed}


def page_class(classes: Iterable[str]) -> str:
    found = {cut(each)[1] for each in classes}
    return next((kind for kind in PAGE_CLASSES if kind in found), PAGE_CLASSES[-1])


def class_of(classes: Iterable[str], item: Json) -> str:
    """The most specific schema.org class that an item qualifies for; empty if there is none."""
    known = [local for namespace, local in map(cut, classes) if namespace == str(schema) and local]
    found = min(known, key=lambda each: (each not in INSTEAD, jsonld.generality(each)), default="")
    found = SOURCE_CODE if SOURCE_CODE in known else INSTEAD.get(found, found)
    if lacking(item, found):
        found = UNLESS_COMPLETE.get(found, "")
    return found


def finished(page: Json, classes: Iterable[str] = ()) -> Json:
    """The object as it is embedded: within the size limit and without empty values."""
    used = {key for item in items(page) for key in item}
    context = {name: {"@type": "@id"} for name in IRI_TERMS if name in used}
    found: Json = {"@context": {"@vocab": str(schema), **context}}
    found |= {key: value for key, value in page.items() if value}
    while (excess := size(found) - MOST_BYTES + CLASS_RESERVE) > 0:
        cuts = sorted(long_values(found), key=lambda each: size(each[0][each[1]]))
        if not cuts:
            break
        node, key = cuts[-1]
        value = node[key]
        if isinstance(value, list) and len(value) > 1:
            del value[max(1, len(value) - 1 - excess * len(value) // size(value)) :]
        else:
            del node[key]
    entity = found.get("mainEntity", {"@type": PAGE_CLASSES[-1]})
    entity["@type"] = entity["@type"] or class_of(classes, entity)
    for name in UNFIT.get(entity["@type"], ()):
        entity.pop(name, None)
    if not entity["@type"]:  # a custom page that does not show enough
        del found["mainEntity"]
    if lacking(found, found["@type"]):
        found["@type"] = PAGE_CLASSES[-1]
    return found


def long_values(page: Json) -> Iterator[tuple[Json, str]]:
    """Values that can be shortened or left out: all except those that identify the page and its
    subject.
    """
    for node in (page, page.get("mainEntity", {})):
        for key in node:
            if key not in NEEDED and not key.startswith("@"):
                yield node, key


def size(value: Any) -> int:
    return len(jsonld.script(value).encode())
