"""The head of a page: title, links to its other forms, citation, Open Graph, JSON-LD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kg.publish.citations import meta_tags
from kg.publish.formats import jsonld
from kg.publish.formats.urls import TypedLink
from kg.publish.pages.pagination import Pagination
from kg.publish.text import wording
from kg.settings import Site
from kg.store.describe import Description
from kg.store.protocol import Solution, Store
from kg.vocab import bibo, schema

ARTICLES = (*meta_tags.WORKS, schema.NewsArticle, schema.BlogPosting, bibo.Patent)
MOST_NAMED = 3  # authors


@dataclass(frozen=True)
class Head:
    """The values of `head.html`. Citation metadata has a `name`, Open Graph a `property`."""

    title: str
    description: str | None
    links: list[TypedLink]
    names: list[tuple[str, str]]
    properties: list[tuple[str, str]]
    script: str


def head(
    site: Site,
    store: Store,
    description: Description,
    around: Pagination | None,
    links: Iterable[TypedLink],
) -> Head:
    """`around` are the other parts of a long list, `links` those of the page."""
    container = meta_tags.container(store, description)
    summary = summary_of(description, container)
    title = description.title
    neighbours = {"prev": around.previous, "next": around.next} if around else {}
    return Head(
        title=title if title == site.title else f"{title} · {site.title}",
        description=summary,
        links=[
            *links,
            *(TypedLink(rel, href) for rel, href in neighbours.items() if href),
        ],
        names=[
            (name, one_line(content)) for name, content in meta_tags.metas(description, container)
        ]
        if meta_tags.is_work(description)
        else [],
        properties=[
            (name, one_line(content))
            for name, content in open_graph(site, description, summary)
            if content
        ],
        script=jsonld.script(jsonld.document(site.base, description)),
    )


def open_graph(
    site: Site, description: Description, summary: str | None
) -> Iterator[tuple[str, str | None]]:
    kinds = description.kinds
    is_person, is_article = schema.Person in kinds, any(kind in ARTICLES for kind in kinds)
    yield "og:title", description.title
    yield "og:type", "profile" if is_person else "article" if is_article else "website"
    yield "og:url", description.document
    yield "og:site_name", site.title
    yield "og:description", summary
    yield from (("og:image", image) for image in description.values(schema.image))
    if is_person:
        yield "profile:first_name", description.value(schema.givenName)
        yield "profile:last_name", description.value(schema.familyName)
    if is_article:
        yield "article:published_time", description.value(schema.datePublished)


def summary_of(description: Description, container: Solution | None) -> str | None:
    """A page in a sentence or two: in the author's own words or, for a work without any, who wrote
    it, where and when.
    """
    stated = (
        description.value(schema.description)
        or description.value(schema.description, description.document)
        or description.value(schema.disambiguatingDescription)
    )
    if stated or not meta_tags.is_work(description):
        return one_line(stated) if stated else None
    names = meta_tags.authors(description)
    who = ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")
    date = description.value(schema.datePublished)
    institution = next((name for _, name in meta_tags.institutions(description)), None)
    where = [
        container["name"].value if container else institution,
        wording.date(date) if date else None,
    ]
    return ": ".join(filter(None, [who, ", ".join(filter(None, where))])) + "."


def one_line(text: str) -> str:
    return " ".join(text.split())
