"""Citation data of works, read from the graph for the BibTeX, CSL-JSON and RIS writers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kg.facts.models.publications import KINDS
from kg.mapping import iris
from kg.settings import query
from kg.store.protocol import Store
from kg.text.markdown import plain_prose
from kg.text.person_names import PersonName, split
from kg.vocab import bibo, cv, rdf, schema

FOLDERS = ("publications/", "patents/")
# Properties that are followed to further nodes, among those the query selects.
FOLLOWED: list[str] = [
    *(schema.creator, schema.identifier, schema.isPartOf, schema.about, schema.superEvent),
    *(schema.publisher, schema.sourceOrganization, schema.parentOrganization),
    *(schema.contributor, schema.item, schema.inLanguage, schema.encoding),
]
MEETING = re.compile(
    r"^(?!the ).*\b(conference|congress|convention|forum|meeting|school|symposium|workshops?)\b",
    re.IGNORECASE,
)
# Kinds that depend on where the work appeared; the others are used as stated.
BY_PLACE = ("conference", "workshop", "journal", "poster", "preprint")
KIND_OF = {name: kind for kind, (name, _) in KINDS.items() if name and kind not in BY_PLACE}
# best known first
PATENT_NUMBERS = (
    "patent-number",
    "patent-publication-number",
    "patent-application-number",
    "docket-number",
)
OTHERS = PersonName("others")  # authors that are not named
# from a work to everything in its citation: container, edition, series
STEPS = 4


@dataclass(frozen=True)
class CitedWork:
    """A work as it is cited. `kind` is paper, article, patent or other, or a kind stated by an
    author; `container` is a book, a journal or proceedings, as `contained_in` says.
    """

    key: str
    kind: str
    title: str
    authors: tuple[PersonName, ...]
    date: str = ""
    container: str = ""
    event: str = ""
    volume: str = ""
    issue: str = ""
    pages: tuple[str, ...] = ()
    editors: tuple[PersonName, ...] = ()
    publisher: str = ""
    isbn: str = ""
    issn: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    school: str = ""
    degree: str = ""
    number: str = ""
    genre: str = ""
    status: str = ""
    contained_in: str = ""
    translators: tuple[PersonName, ...] = ()
    subtitle: str = ""
    series: str = ""
    edition: str = ""
    total: str = ""
    version: str = ""
    language: str = ""
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    article: str = ""
    pmid: str = ""
    pmcid: str = ""
    pdf: str = ""

    @property
    def address(self) -> str:
        return self.key if "/" in self.key else f"publications/{self.key}"


def cited(store: Store, base: str) -> frozenset[str]:
    """The addresses of all works, of their lists, and of everyone who wrote one."""
    found = {
        row[name].value
        for row in store.select(query("site/authored"))
        for name in ("work", "author")
    }
    paths = {
        path
        for iri in found
        if (path := iris.path_of(base, iri)) and path.startswith((*FOLDERS, "people/"))
    }
    return frozenset(paths | {each for each in FOLDERS if any(p.startswith(each) for p in paths)})


class Citations:
    """The works of a site, read on demand."""

    def __init__(self, store: Store, base: str) -> None:
        self.store, self.base = store, base
        self.of = lru_cache(maxsize=8)(self.read)  # for the formats of a document

    def read(self, address: str) -> list[CitedWork]:
        """The work of a document; for a person or a list, all works, newest first."""
        things = [f"{self.base}{address}#it"]
        if address in FOLDERS:
            every = (row["work"].value for row in self.store.select(query("site/dated")))
            things = [thing for thing in every if thing.startswith(f"{self.base}{address}")]
        elif not address.startswith(FOLDERS):
            rows = self.store.select(query("site/written"), thing=things)
            found = dict.fromkeys(row["work"].value for row in rows)
            things = [
                thing
                for thing in found
                if (iris.path_of(self.base, thing) or "").startswith(FOLDERS)
            ]
        return [self.work(thing) for thing in things]

    def work(self, thing: str) -> CitedWork:
        return self.store.shared(
            f"cited {thing}",
            lambda: work(GraphNodes(self.store, [thing]), self.base, thing),
        )


class GraphNodes:
    """Properties of resources, and of those they refer to, up to some depth."""

    def __init__(self, store: Store, things: Iterable[str]) -> None:
        self.properties: dict[str, dict[str, list[str]]] = {}
        new = set(things)
        for _ in range(STEPS):
            if not new:
                break
            self.properties.update((thing, defaultdict(list)) for thing in new)
            for row in store.select(query("site/properties"), thing=sorted(new)):
                values = self.properties[row["thing"].value]
                values[row["property"].value].append(row["value"].value)
            followed = (self.all(thing, each) for thing in new for each in FOLLOWED)
            new = {value for values in followed for value in values} - self.properties.keys()

    def all(self, thing: str, *path: str) -> list[str]:
        """The values at the end of a property path."""
        values = [thing]
        for step in path:
            values = [
                value for each in values for value in self.properties.get(each, {}).get(step, [])
            ]
        return values

    def one(self, thing: str, *path: str) -> str:
        return next(iter(self.all(thing, *path)), "")

    def name(self, person: str, printed: str = "") -> PersonName:
        """The name in parts; that of an organisation has none."""
        if schema.Organization in self.all(person, rdf.type):
            return PersonName(printed or self.one(person, schema.name), is_organization=True)
        family, given = self.one(person, schema.familyName), self.one(person, schema.givenName)
        return split(printed or self.one(person, schema.name), family, given)


def work(nodes: GraphNodes, base: str, thing: str) -> CitedWork:
    path = iris.path_of(base, thing) or ""
    folder, _, slug = path.partition("/")
    signatures = sorted(
        nodes.all(thing, schema.creator),
        key=lambda each: int(nodes.one(each, schema.position) or 0),
    )
    place = places(nodes, thing)
    container, journal, book = place.proceedings, place.journal, place.book
    identifiers = {
        nodes.one(each, schema.propertyID).rpartition("/")[2]: nodes.one(each, schema.value)
        for each in nodes.all(thing, schema.identifier)
    }
    first, last, pages = (
        nodes.one(thing, each) for each in (schema.pageStart, schema.pageEnd, schema.pagination)
    )
    edition = nodes.one(container, schema.about)
    publishers = nodes.all(thing, schema.publisher, schema.name) or nodes.all(
        container or journal or book, schema.publisher, schema.name
    )
    status, genre = nodes.one(thing, schema.creativeWorkStatus), nodes.one(thing, schema.genre)
    classes = nodes.all(thing, rdf.type)
    kinds = {
        "thesis": schema.Thesis in classes,
        "report": schema.Report in classes and genre not in KIND_OF,
        "patent": bibo.Patent in classes,
        KIND_OF.get(genre, ""): genre in KIND_OF,
        "paper": edition,
        "article": journal,
        "preprint": "arxiv" in identifiers or status == "Preprint",
    }
    school = (
        nodes.one(thing, schema.sourceOrganization) or nodes.one(thing, schema.publisher)
        if schema.Thesis in classes or schema.Report in classes
        else ""
    )
    above = nodes.one(school, schema.parentOrganization, schema.name)
    patent_number = next((identifiers[each] for each in PATENT_NUMBERS if each in identifiers), "")
    return CitedWork(
        key=slug if folder == "publications" else path,
        kind=next((kind for kind, fits in kinds.items() if fits), "other"),
        title=nodes.one(thing, schema.name),
        authors=tuple(
            nodes.name(nodes.one(each, schema.creator), nodes.one(each, schema.alternateName))
            for each in signatures
        )
        + ((OTHERS,) if nodes.one(thing, cv.moreAuthors) else ()),
        date=nodes.one(thing, schema.datePublished),
        container=proceedings(nodes, container, edition)
        if edition
        else nodes.one(journal or book, schema.name),
        contained_in="proceedings" if edition else "journal" if journal else "book" if book else "",
        event=nodes.one(edition, schema.name),
        volume=nodes.one(place.volume or book, schema.volumeNumber)
        or nodes.one(thing, schema.volumeNumber),
        issue=nodes.one(place.issue or thing, schema.issueNumber),
        pages=(first, last) if first and last else (pages,) if pages else (),
        editors=contributors(nodes, thing, "Editor")
        or contributors(nodes, book, "Editor")
        or contributors(nodes, container, "Editor"),
        publisher=" and ".join(publishers),
        isbn=next(
            filter(None, (nodes.one(each, schema.isbn) for each in (thing, book, container))), ""
        )
        or identifiers.get("isbn", ""),
        issn=nodes.one(journal, schema.issn),
        doi=identifiers.get("doi", ""),
        arxiv=identifiers.get("arxiv", ""),
        url=nodes.one(thing, schema.url),
        school=", ".join(filter(None, (nodes.one(school, schema.name), above))),
        degree=nodes.one(thing, schema.inSupportOf),
        number=nodes.one(thing, schema.reportNumber)
        or patent_number
        or identifiers.get("number", ""),
        genre=genre,
        status=status if status not in ("Published", "Preprint") else "",
        translators=contributors(nodes, thing, "Translator"),
        subtitle=nodes.one(thing, schema.alternativeHeadline),
        series=nodes.one(place.series, schema.name),
        edition=nodes.one(book or thing, schema.bookEdition),
        total=nodes.one(thing, schema.numberOfPages),
        version=nodes.one(thing, schema.version),
        language=nodes.one(thing, schema.inLanguage).rpartition("/")[2].partition("#")[0],
        abstract=plain_prose(nodes.one(thing, schema.abstract)),
        keywords=tuple(nodes.all(thing, schema.keywords)),
        article=identifiers.get("article-number", ""),
        pmid=identifiers.get("pmid", ""),
        pmcid=identifiers.get("pmcid", ""),
        pdf=nodes.one(thing, schema.encoding, schema.contentUrl),
    )


def contributors(nodes: GraphNodes, work: str, role: str) -> tuple[PersonName, ...]:
    """The contributors of a work in a role, in order and as printed."""
    signatures = [
        each
        for each in nodes.all(work, schema.contributor)
        if nodes.one(each, schema.roleName) == role
    ]
    signatures.sort(key=lambda each: int(nodes.one(each, schema.position) or 0))
    return tuple(
        nodes.name(nodes.one(each, schema.item), nodes.one(each, schema.alternateName))
        for each in signatures
    )


class Places(NamedTuple):
    """The containers of a work: proceedings; volume and issue of a journal; a book; a series."""

    proceedings: str = ""
    volume: str = ""
    issue: str = ""
    journal: str = ""
    book: str = ""
    series: str = ""


def places(nodes: GraphNodes, thing: str) -> Places:
    found = Places()
    for part in nodes.all(thing, schema.isPartOf):
        kinds = nodes.all(part, rdf.type)
        if schema.BookSeries in kinds:
            found = found._replace(series=part)
        elif nodes.one(part, schema.about):
            found = found._replace(proceedings=part)
        elif schema.Book in kinds:
            above = nodes.all(part, schema.isPartOf)
            found = found._replace(book=part, series=next(iter(above), found.series))
        else:
            found = in_a_journal(nodes, part, found)
    return found


def in_a_journal(nodes: GraphNodes, part: str, found: Places) -> Places:
    """Climbs from an issue or a volume to the journal."""
    here, volume, issue = part, "", ""
    while here:
        kinds = nodes.all(here, rdf.type)
        if schema.Periodical in kinds:
            return found._replace(volume=volume, issue=issue, journal=here)
        volume, issue = (here, issue) if schema.PublicationVolume in kinds else (volume, here)
        here = nodes.one(here, schema.isPartOf)
    return found._replace(volume=volume, issue=issue)


def proceedings(nodes: GraphNodes, container: str, edition: str) -> str:
    """The name of the proceedings. If it comes only from the edition, the series is added:
    `Proceedings of … (SC 2020)`.
    """
    name, short = nodes.one(container, schema.name), nodes.one(edition, schema.name)
    series = next(
        (
            each
            for event in nodes.all(edition, schema.superEvent)
            if schema.EventSeries in nodes.all(event, rdf.type)
            for each in nodes.all(event, schema.name)
        ),
        "",
    )
    if name != f"Proceedings of {short}" or not series or series in short:
        return name
    return f"Proceedings of {'the ' if MEETING.search(series) else ''}{series} ({short})"


def parts_of(date: str) -> list[int]:
    """`2020-11` -> [2020, 11]; a season gives only the year."""
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", date)
    parts = [int(part) for part in found.groups() if part] if found else []
    return parts[:1] if len(parts) > 1 and parts[1] > 12 else parts
