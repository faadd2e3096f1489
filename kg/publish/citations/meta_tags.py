"""Citation metadata in the head of a page: the `citation_*` names of Highwire Press, which all
indexes of scholarly works read.
"""

from __future__ import annotations

from collections.abc import Iterator

from kg.settings import query
from kg.store.describe import Description
from kg.store.protocol import Solution, Store
from kg.vocab import schema

WORKS = (schema.ScholarlyArticle, schema.Thesis, schema.Report)
INSTITUTIONS = {  # class -> the property that names the institution, and what that is called
    schema.Thesis: (schema.sourceOrganization, "citation_dissertation_institution"),
    schema.Report: (schema.publisher, "citation_technical_report_institution"),
}
NUMBERS = {"doi": "citation_doi", "arxiv": "citation_arxiv_id"}


def is_work(description: Description) -> bool:
    return any(kind in WORKS for kind in description.kinds)


def authors(description: Description) -> list[str]:
    """The names as printed, in their order."""
    signatures = (
        description.nodes[term.value]
        for term in description.terms(schema.creator)
        if term.value in description.nodes
    )
    signed = ((node.get(schema.position), node.get(schema.alternateName)) for node in signatures)
    return [
        name
        for _, name in sorted(
            (int(places[0].value), names[0].value) for places, names in signed if places and names
        )
    ]


def container(store: Store, description: Description) -> Solution | None:
    """What a work appeared in: its name, and the journal, volume and issue where it is of one."""
    return (
        next(iter(store.select(query("site/container"), thing=f"{description.document}#it")), None)
        if is_work(description)
        else None
    )


def metas(description: Description, container: Solution | None) -> Iterator[tuple[str, str]]:
    """Name and content of each element. `container` is what the work appeared in."""
    appeared_in = {name: term.value for name, term in (container or {}).items()}
    yield "citation_title", description.title
    yield from (("citation_author", name) for name in authors(description))
    for name, value in (
        (
            "citation_publication_date",
            (description.value(schema.datePublished) or "").replace("-", "/"),
        ),
        ("citation_journal_title", appeared_in.get("journal")),
        (
            "citation_conference_title",
            None if "journal" in appeared_in else appeared_in.get("name"),
        ),
        ("citation_volume", appeared_in.get("volume")),
        ("citation_issue", appeared_in.get("issue")),
        ("citation_firstpage", description.value(schema.pageStart)),
        ("citation_lastpage", description.value(schema.pageEnd)),
        ("citation_technical_report_number", description.value(schema.reportNumber)),
    ):
        if value:
            yield name, value
    yield from institutions(description)
    yield from numbers(description)
    yield from (
        ("citation_pdf_url", address)
        for address in description.values(schema.url)
        if address.lower().endswith(".pdf")
    )


def institutions(description: Description) -> Iterator[tuple[str, str]]:
    for kind, (predicate, name) in INSTITUTIONS.items():
        if kind in description.kinds:
            yield from (
                (name, label)
                for iri in description.values(predicate)
                if (label := description.labels.get(iri, ((), None))[1])
            )


def numbers(description: Description) -> Iterator[tuple[str, str]]:
    """DOI and arXiv number, by what their registries are called."""
    for identifier in description.values(schema.identifier):
        scheme, value = (
            description.value(predicate, identifier)
            for predicate in (schema.propertyID, schema.value)
        )
        name = NUMBERS.get((scheme or "").rpartition("/")[2])
        if name and value:
            yield name, value
