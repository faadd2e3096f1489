"""The head of a page: title, links to other formats, citation metadata, Open Graph, JSON-LD.

Citation metadata uses the `citation_*` names of Highwire Press, which scholarly search engines
read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kg.facts.models import REGISTRIES
from kg.graph.describe import Description
from kg.publish.formats.jsonld import Json
from kg.publish.formats.urls import TypedLink
from kg.publish.pages.page import PageHead
from kg.settings import Site, query
from kg.store.protocol import Solution, Store
from kg.text import dates
from kg.text.markdown import plain_prose
from kg.vocab import bibo, schema

WORKS = (
    *(schema.ScholarlyArticle, schema.Thesis, schema.Report, schema.Book, schema.Chapter),
    *(schema.Review, schema.Dataset),
)
ARTICLES = (*WORKS, schema.NewsArticle, schema.BlogPosting, bibo.Patent)
INSTITUTIONS = {  # class -> property of the institution, and its meta name
    schema.Thesis: (schema.sourceOrganization, "citation_dissertation_institution"),
    schema.Report: (schema.publisher, "citation_technical_report_institution"),
}
NUMBERS = {"doi": "citation_doi", "arxiv": "citation_arxiv_id"}
MOST_NAMED = 3  # authors


def head(
    site: Site,
    store: Store,
    description: Description,
    links: Iterable[TypedLink],
    preview: str | None = None,
) -> PageHead:
    """`preview` is the address of an image for links to the page."""
    title = description.title
    is_work = any(kind in WORKS for kind in description.kinds)
    # The container of the work: its name, and for a journal its volume and issue.
    containers = (
        store.select(query("site/container"), thing=f"{description.document}#it") if is_work else ()
    )
    container = next(iter(containers), None)
    summary = summary_of(description, container, is_work)
    if not summary:
        summary = title if title == site.title else f"{title} on {site.title}."
    names = citation_metas(description, container) if is_work else ()
    properties = open_graph(site, description, summary, preview)
    card = [("twitter:card", "summary_large_image" if preview else "summary")]
    return PageHead(
        title=title if title == site.title else f"{title} · {site.title}",
        description=summary,
        links=list(links),
        names=[(name, one_line(content)) for name, content in [*names, *card] if content],
        properties=[(name, one_line(content)) for name, content in properties if content],
    )


def open_graph(
    site: Site, description: Description, summary: str | None, preview: str | None
) -> list[tuple[str, str | None]]:
    kinds, value = description.kinds, description.value
    is_person, is_article = schema.Person in kinds, any(kind in ARTICLES for kind in kinds)
    return [
        ("og:title", description.title),
        ("og:type", "profile" if is_person else "article" if is_article else "website"),
        ("og:url", description.canonical(site.base)),
        ("og:site_name", site.title),
        ("og:description", summary),
        *(
            [("og:image", preview), ("og:image:width", "1200"), ("og:image:height", "630")]
            if preview
            else [("og:image", image) for image in description.values(schema.image)]
        ),
        ("profile:first_name", value(schema.givenName) if is_person else None),
        ("profile:last_name", value(schema.familyName) if is_person else None),
        ("article:published_time", value(schema.datePublished) if is_article else None),
    ]


def summary_of(description: Description, container: Solution | None, is_work: bool) -> str | None:
    """The page in a sentence or two: in the author's words or, for a work without any, its authors,
    venue and date.
    """
    stated = (
        description.value(schema.description)
        or description.value(schema.description, description.document)
        or description.value(schema.disambiguatingDescription)
        or description.value(schema.abstract)
    )
    if stated or not is_work:
        return one_line(plain_prose(stated)) if stated else None
    names = authors(description)
    who = ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")
    institution = next((name for _, name in institutions(description)), None)
    where = [
        container["name"].value if container else institution,
        dates.date(description.value(schema.datePublished) or ""),
    ]
    return ": ".join(filter(None, [who, ", ".join(filter(None, where))])) + "."


def authors(description: Description) -> list[str]:
    """The names as printed, in order."""
    signatures = [description.nodes.get(iri, {}) for iri in description.values(schema.creator)]
    signed = sorted(
        (int(node[schema.position][0].value), node[schema.alternateName][0].value)
        for node in signatures
        if schema.position in node and schema.alternateName in node
    )
    return [name for _, name in signed]


def citation_metas(
    description: Description, container: Solution | None
) -> list[tuple[str, str | None]]:
    """Name and content of each meta element. `container` is where the work appeared."""
    value = description.value
    found = {name: term.value for name, term in (container or {}).items()}
    kind = "inbook" if schema.Chapter in description.kinds else "conference"
    if schema.Book in description.kinds:
        kind = "series"
    return [
        ("citation_title", description.title),
        *(("citation_author", name) for name in authors(description)),
        ("citation_publication_date", (value(schema.datePublished) or "").replace("-", "/")),
        ("citation_journal_title", found.get("journal")),
        (f"citation_{kind}_title", None if "journal" in found else found.get("name")),
        ("citation_volume", found.get("volume")),
        ("citation_issue", found.get("issue")),
        ("citation_firstpage", value(schema.pageStart)),
        ("citation_lastpage", value(schema.pageEnd)),
        ("citation_technical_report_number", value(schema.reportNumber)),
        *institutions(description),
        *(
            (NUMBERS[scheme], value(schema.value, identifier))
            for identifier in description.values(schema.identifier)
            if (scheme := (value(schema.propertyID, identifier) or "").rpartition("/")[2])
            in NUMBERS
        ),
        *(
            ("citation_pdf_url", address)
            for address in description.values(schema.url)
            if address.lower().endswith(".pdf")
        ),
        *(
            ("citation_pdf_url", value(schema.contentUrl, file))
            for file in description.values(schema.encoding)
        ),
        ("citation_isbn", value(schema.isbn)),
        *(("citation_keywords", keyword) for keyword in description.values(schema.keywords)),
    ]


def institutions(description: Description) -> list[tuple[str, str]]:
    return [
        (name, label)
        for kind, (predicate, name) in INSTITUTIONS.items()
        if kind in description.kinds
        for iri in description.values(predicate)
        if (label := description.labels.get(iri, ((), None))[1])
    ]


def one_line(text: str) -> str:
    return " ".join(text.split())


class Crumb(NamedTuple):
    title: str
    address: str


def trail(site: Site, path: str, title: str) -> list[Crumb]:
    """The breadcrumbs of the document at a path, including itself; empty for the home page.

    `people/ada` -> the site, People, Ada
    """
    if not path:
        return []
    kind, _, name = path.partition("/")
    lists = [Crumb(REGISTRIES[kind].title, f"{site.base}{kind}/")] if kind in REGISTRIES else []
    return [
        Crumb(site.title, site.base),
        *(lists if name else ()),
        Crumb(title, site.base + path),
    ]


def embedded(steps: list[Crumb]) -> Json | None:
    """The JSON-LD of breadcrumbs. Every node has an IRI: a fragment of the page."""
    if not steps:
        return None
    page = steps[-1].address
    items = [
        {
            "@id": f"{page}#crumb-{position}",
            "@type": "ListItem",
            "position": position,
            "name": step.title,
            "item": step.address,
        }
        for position, step in enumerate(steps, 1)
    ]
    return {"@id": f"{page}#breadcrumb", "@type": "BreadcrumbList", "itemListElement": items}
