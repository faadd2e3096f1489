"""Citation data of works, read from the graph for the writers of BibTeX and CSL-JSON."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from kg.mapping import iris
from kg.publish.citations.person_names import PersonName, split
from kg.settings import query
from kg.store.protocol import Store
from kg.vocab import bibo, rdf, schema

FOLDERS = ("publications/", "patents/")
# The properties whose values are read too, of those that the query selects.
FOLLOWED: list[str] = [
    *(schema.creator, schema.identifier, schema.isPartOf, schema.about, schema.superEvent),
    *(schema.publisher, schema.editor, schema.sourceOrganization, schema.parentOrganization),
]
MEETING = re.compile(
    r"^(?!the ).*\b(conference|congress|convention|forum|meeting|school|symposium|workshops?)\b",
    re.IGNORECASE,
)
PLAIN_GENRES = ("Conference paper", "Journal article", "Preprint")  # which the kind of work says
MOST_CACHED = 20_000
# from a work to whatever a citation names: its series, by way of container, edition and series
STEPS = 4


@dataclass(frozen=True)
class CitedWork:
    """A work as it is cited. `kind` is paper, article, thesis, report, patent, preprint or
    other.
    """

    key: str
    kind: str
    title: str
    authors: tuple[PersonName, ...]
    address: str
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


Node = dict[str, list[str]]


def cited(store: Store, base: str) -> frozenset[str]:
    """The addresses of all works, and of all who wrote one."""
    found = {
        row[name].value
        for row in store.select(query("site/authored"))
        for name in ("work", "author")
    }
    return frozenset(
        path
        for iri in found
        if (path := iris.path_of(base, iri)) and path.startswith((*FOLDERS, "people/"))
    )


class Citations:
    """The works of a site, read when they are needed and cached: each is needed in several forms,
    and for each of its authors.
    """

    def __init__(self, store: Store, base: str) -> None:
        self.store, self.base = store, base
        self.known: dict[str, CitedWork] = {}

    def of(self, address: str) -> list[CitedWork]:
        """The work of a document; of a person all, the latest first."""
        things = [f"{self.base}{address}#it"]
        if not address.startswith(FOLDERS):
            rows = self.store.select(query("site/written"), thing=things)
            found = dict.fromkeys(row["work"].value for row in rows)
            things = [
                thing
                for thing in found
                if (iris.path_of(self.base, thing) or "").startswith(FOLDERS)
            ]
        new = [thing for thing in things if thing not in self.known]
        if len(self.known) > MOST_CACHED:
            self.known, new = {}, things
        nodes = GraphNodes(self.store)
        nodes.read(new)
        self.known.update({thing: work(nodes, self.base, thing) for thing in new})
        return [self.known[thing] for thing in things]


class GraphNodes:
    """Properties of things, and of the things these refer to, some steps far."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.properties: dict[str, Node] = {}

    def read(self, things: Iterable[str], steps: int = STEPS) -> None:
        new = sorted({thing for thing in things if thing not in self.properties})
        if not new or not steps:
            return
        for thing in new:
            self.properties[thing] = defaultdict(list)
        for row in self.store.select(query("site/properties"), thing=new):
            self.properties[row["thing"].value][row["property"].value].append(row["value"].value)
        self.read(
            [value for thing in new for each in FOLLOWED for value in self.all(thing, each)],
            steps - 1,
        )

    def all(self, thing: str, *path: str) -> list[str]:
        """The values at the end of a path of properties."""
        values = [thing]
        for step in path:
            values = [
                value for each in values for value in self.properties.get(each, {}).get(step, [])
            ]
        return values

    def one(self, thing: str, *path: str) -> str:
        return next(iter(self.all(thing, *path)), "")

    def name(self, person: str, printed: str = "") -> PersonName:
        family, given = self.one(person, schema.familyName), self.one(person, schema.givenName)
        return split(printed or self.one(person, schema.name), family, given)


def work(nodes: GraphNodes, base: str, thing: str) -> CitedWork:
    path = iris.path_of(base, thing) or ""
    folder, _, slug = path.partition("/")
    signatures = sorted(
        nodes.all(thing, schema.creator),
        key=lambda each: int(nodes.one(each, schema.position) or 0),
    )
    container, volume, issue, journal = places(nodes, thing)
    identifiers = {
        nodes.one(each, schema.propertyID).rpartition("/")[2]: nodes.one(each, schema.value)
        for each in nodes.all(thing, schema.identifier)
    }
    first, last, pages = (
        nodes.one(thing, each) for each in (schema.pageStart, schema.pageEnd, schema.pagination)
    )
    edition = nodes.one(container, schema.about) if container else ""
    publishers = nodes.all(thing, schema.publisher, schema.name) or nodes.all(
        container or journal, schema.publisher, schema.name
    )
    status, genre = nodes.one(thing, schema.creativeWorkStatus), nodes.one(thing, schema.genre)
    return CitedWork(
        key=slug if folder == "publications" else path,
        kind=kind_of(
            set(nodes.all(thing, rdf.type)),
            bool(edition),
            bool(journal),
            "arxiv" in identifiers or status == "Preprint",
        ),
        title=nodes.one(thing, schema.name),
        authors=tuple(
            nodes.name(nodes.one(each, schema.creator), nodes.one(each, schema.alternateName))
            for each in signatures
        ),
        address=iris.document_of(thing),
        date=nodes.one(thing, schema.datePublished) or month_of(identifiers.get("arxiv", "")),
        container=proceedings(nodes, container, edition)
        if edition
        else nodes.one(journal, schema.name),
        event=nodes.one(edition, schema.name),
        volume=nodes.one(volume, schema.volumeNumber),
        issue=nodes.one(issue, schema.issueNumber),
        pages=(first, last) if first and last else (pages,) if pages else (),
        editors=tuple(map(nodes.name, nodes.all(container, schema.editor))),
        publisher=" and ".join(publishers),
        isbn=nodes.one(container, schema.isbn),
        issn=nodes.one(journal, schema.issn),
        doi=identifiers.get("doi", ""),
        arxiv=identifiers.get("arxiv", ""),
        url=nodes.one(thing, schema.url),
        school=house(
            nodes, nodes.one(thing, schema.sourceOrganization) or nodes.one(thing, schema.publisher)
        ),
        degree=nodes.one(thing, schema.inSupportOf),
        number=nodes.one(thing, schema.reportNumber) or patent_number(identifiers),
        genre=genre if genre not in PLAIN_GENRES else "",
        status=status if status not in ("Published", "Preprint") else "",
    )


def places(nodes: GraphNodes, thing: str) -> tuple[str, str, str, str]:
    """What a work is part of: the proceedings; or the volume, the issue and the journal."""
    here, volume, issue = nodes.one(thing, schema.isPartOf), "", ""
    while here:
        kinds = nodes.all(here, rdf.type)
        if schema.Periodical in kinds:
            return "", volume, issue, here
        if nodes.one(here, schema.about):
            return here, "", "", ""
        volume, issue = (here, issue) if schema.PublicationVolume in kinds else (volume, here)
        here = nodes.one(here, schema.isPartOf)
    return "", volume, issue, ""


def proceedings(nodes: GraphNodes, container: str, edition: str) -> str:
    """The name of the proceedings; where only the edition gave it one, the series is named too:
    `Proceedings of … (SC 2020)`.
    """
    name, short = nodes.one(container, schema.name), nodes.one(edition, schema.name)
    series = next(
        (
            each
            for event in nodes.all(edition, schema.superEvent)
            for each in names_of_series(nodes, event)
        ),
        "",
    )
    if name != f"Proceedings of {short}" or not series or series in short:
        return name
    return f"Proceedings of {'the ' if MEETING.search(series) else ''}{series} ({short})"


def names_of_series(nodes: GraphNodes, event: str) -> list[str]:
    return nodes.all(event, schema.name) if schema.EventSeries in nodes.all(event, rdf.type) else []


def kind_of(kinds: set[str], in_proceedings: bool, in_journal: bool, is_preprint: bool) -> str:
    stated = {schema.Thesis: "thesis", schema.Report: "report", bibo.Patent: "patent"}
    by_class = next((name for kind, name in stated.items() if kind in kinds), "")
    return by_class or (
        "paper"
        if in_proceedings
        else "article"
        if in_journal
        else "preprint"
        if is_preprint
        else "other"
    )


def house(nodes: GraphNodes, organization: str) -> str:
    """A school or an institution; a department with what it belongs to."""
    return ", ".join(
        filter(
            None,
            (
                nodes.one(organization, schema.name),
                nodes.one(organization, schema.parentOrganization, schema.name),
            ),
        )
    )


def month_of(arxiv: str) -> str:
    """When a preprint appeared, which its number says: `2201.05596` in January 2022."""
    found = re.match(r"(\d\d)(0[1-9]|1[0-2])\.\d", arxiv)
    return f"20{found[1]}-{found[2]}" if found else ""


def patent_number(identifiers: dict[str, str]) -> str:
    """The best known number of a patent."""
    order = (
        "patent-number",
        "patent-publication-number",
        "patent-application-number",
        "docket-number",
    )
    return next((identifiers[name] for name in order if name in identifiers), "")


def parts_of(date: str) -> list[int]:
    """`2020-11` -> [2020, 11]; of a season only the year."""
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", date)
    parts = [int(part) for part in found.groups() if part] if found else []
    return parts[:1] if len(parts) > 1 and parts[1] > 12 else parts
