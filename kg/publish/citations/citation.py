"""What is needed to cite a work, from the graph: a value that the writers of BibTeX and CSL-JSON
take.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from kg.mapping import iris
from kg.publish.citations.person_names import Name, split
from kg.settings import query
from kg.store.protocol import Store
from kg.vocab import bibo, rdf, schema

FOLDERS = ("publications/", "patents/")
# The properties that lead on, of those that are asked for.
WAYS: list[str] = [
    *(schema.creator, schema.identifier, schema.isPartOf, schema.about, schema.superEvent),
    *(schema.publisher, schema.editor, schema.sourceOrganization, schema.parentOrganization),
]
MEETING = re.compile(
    r"^(?!the ).*\b(conference|congress|convention|forum|meeting|school|symposium|workshops?)\b",
    re.IGNORECASE,
)
MOST_KNOWN = 20_000
# from a work to whatever a citation names: its series, by way of container, edition and series
STEPS = 4


@dataclass(frozen=True)
class Work:
    """A work as it is cited. `kind` is paper, article, thesis, report, patent, preprint or
    other.
    """

    key: str
    kind: str
    title: str
    authors: tuple[Name, ...]
    address: str
    date: str = ""
    container: str = ""
    event: str = ""
    volume: str = ""
    issue: str = ""
    pages: tuple[str, ...] = ()
    editors: tuple[Name, ...] = ()
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
    """The works of a site, made when they are asked for; each is asked for in several forms, and
    for each of its authors.
    """

    def __init__(self, store: Store, base: str) -> None:
        self.store, self.base = store, base
        self.known: dict[str, Work] = {}

    def of(self, address: str) -> list[Work]:
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
        if len(self.known) > MOST_KNOWN:
            self.known, new = {}, things
        said = Said(self.store)
        said.ask(new)
        self.known.update({thing: work(said, self.base, thing) for thing in new})
        return [self.known[thing] for thing in things]


class Said:
    """What the graph says of things, and of the things these speak of, some steps far."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.nodes: dict[str, Node] = {}

    def ask(self, things: Iterable[str], steps: int = STEPS) -> None:
        new = sorted({thing for thing in things if thing not in self.nodes})
        if not new or not steps:
            return
        for thing in new:
            self.nodes[thing] = defaultdict(list)
        for row in self.store.select(query("site/said"), thing=new):
            self.nodes[row["thing"].value][row["property"].value].append(row["value"].value)
        self.ask(
            [value for thing in new for way in WAYS for value in self.all(thing, way)], steps - 1
        )

    def all(self, thing: str, *way: str) -> list[str]:
        """The values at the end of a way from a thing."""
        values = [thing]
        for step in way:
            values = [value for each in values for value in self.nodes.get(each, {}).get(step, [])]
        return values

    def one(self, thing: str, *way: str) -> str:
        return next(iter(self.all(thing, *way)), "")

    def name(self, person: str, printed: str = "") -> Name:
        family, given = self.one(person, schema.familyName), self.one(person, schema.givenName)
        return split(printed or self.one(person, schema.name), family, given)


def work(said: Said, base: str, thing: str) -> Work:
    path = iris.path_of(base, thing) or ""
    folder, _, slug = path.partition("/")
    signatures = sorted(
        said.all(thing, schema.creator), key=lambda each: int(said.one(each, schema.position) or 0)
    )
    container, volume, issue, journal = places(said, thing)
    identifiers = {
        said.one(each, schema.propertyID).rpartition("/")[2]: said.one(each, schema.value)
        for each in said.all(thing, schema.identifier)
    }
    first, last, pages = (
        said.one(thing, each) for each in (schema.pageStart, schema.pageEnd, schema.pagination)
    )
    edition = said.one(container, schema.about) if container else ""
    publishers = said.all(thing, schema.publisher, schema.name) or said.all(
        container or journal, schema.publisher, schema.name
    )
    status, genre = said.one(thing, schema.creativeWorkStatus), said.one(thing, schema.genre)
    return Work(
        key=slug if folder == "publications" else path,
        kind=kind_of(
            set(said.all(thing, rdf.type)),
            bool(edition),
            bool(journal),
            "arxiv" in identifiers or status == "Preprint",
        ),
        title=said.one(thing, schema.name),
        authors=tuple(
            said.name(said.one(each, schema.creator), said.one(each, schema.alternateName))
            for each in signatures
        ),
        address=iris.document_of(thing),
        date=said.one(thing, schema.datePublished) or month_of(identifiers.get("arxiv", "")),
        container=proceedings(said, container, edition)
        if edition
        else said.one(journal, schema.name),
        event=said.one(edition, schema.name),
        volume=said.one(volume, schema.volumeNumber),
        issue=said.one(issue, schema.issueNumber),
        pages=(first, last) if first and last else (pages,) if pages else (),
        editors=tuple(map(said.name, said.all(container, schema.editor))),
        publisher=" and ".join(publishers),
        isbn=said.one(container, schema.isbn),
        issn=said.one(journal, schema.issn),
        doi=identifiers.get("doi", ""),
        arxiv=identifiers.get("arxiv", ""),
        url=said.one(thing, schema.url),
        school=house(
            said, said.one(thing, schema.sourceOrganization) or said.one(thing, schema.publisher)
        ),
        degree=said.one(thing, schema.inSupportOf),
        number=said.one(thing, schema.reportNumber) or patent_number(identifiers),
        genre=genre,
        status=status if status not in ("Published", "Preprint") else "",
    )


def places(said: Said, thing: str) -> tuple[str, str, str, str]:
    """What a work is part of: the proceedings; or the volume, the issue and the journal."""
    here, volume, issue = said.one(thing, schema.isPartOf), "", ""
    while here:
        kinds = said.all(here, rdf.type)
        if schema.Periodical in kinds:
            return "", volume, issue, here
        if said.one(here, schema.about):
            return here, "", "", ""
        volume, issue = (here, issue) if schema.PublicationVolume in kinds else (volume, here)
        here = said.one(here, schema.isPartOf)
    return "", volume, issue, ""


def proceedings(said: Said, container: str, edition: str) -> str:
    """The name of the proceedings; where only the edition gave it one, the series is named too:
    `Proceedings of … (SC 2020)`.
    """
    name, short = said.one(container, schema.name), said.one(edition, schema.name)
    series = next(
        (
            each
            for event in said.all(edition, schema.superEvent)
            for each in names_of_series(said, event)
        ),
        "",
    )
    if name != f"Proceedings of {short}" or not series or series in short:
        return name
    return f"Proceedings of {'the ' if MEETING.search(series) else ''}{series} ({short})"


def names_of_series(said: Said, event: str) -> list[str]:
    return said.all(event, schema.name) if schema.EventSeries in said.all(event, rdf.type) else []


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


def house(said: Said, organization: str) -> str:
    """A school or an institution; a department with what it belongs to."""
    return ", ".join(
        filter(
            None,
            (
                said.one(organization, schema.name),
                said.one(organization, schema.parentOrganization, schema.name),
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
