"""New works as an Atom feed (RFC 4287): the newest by their date, for readers that follow a site.

All its times come from the data, so the same works give the same bytes. Who wrote is named in
order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kg.mapping import iris
from kg.publish.about.signposting import FEED, uri
from kg.publish.formats.media import ATOM, HTML
from kg.publish.formats.xml import document, element
from kg.settings import Site, query
from kg.store.protocol import Store

NAMESPACE = "http://www.w3.org/2005/Atom"
MOST = 50
EARLIEST = "1970-01-01T00:00:00Z"  # where no date is known at all


@dataclass
class Work:
    iri: str
    name: str
    date: str
    venue: str = ""
    authors: dict[str, str] = field(default_factory=dict)  # address -> name, in order


def text(site: Site, store: Store) -> bytes:
    works = newest(store)
    times = [*(instant(work.date) for work in works), EARLIEST]
    head = [
        element("id", uri(site.base + FEED)),
        element("title", f"New works · {site.title}"),
        element("updated", instant(site.modified) if site.modified else max(times)),
        element(
            "author", [element("name", site.title), element("uri", uri(site.base))]
        ),  # of the feed, and of works without one
        element("link", rel="self", type=ATOM, href=uri(site.base + FEED)),
        element("link", rel="alternate", type=HTML, href=uri(f"{site.base}publications/")),
        element("icon", uri(f"{site.base}favicon.ico")),
    ]
    if site.description:
        head.append(element("subtitle", site.description))
    if site.license:
        head.append(element("link", rel="license", href=uri(site.license)))
    return document(element("feed", [*head, *map(entry, works)], xmlns=NAMESPACE))


def newest(store: Store) -> list[Work]:
    """The newest works, each with its authors: solutions come in this order."""
    works: dict[str, Work] = {}
    for row in store.select(query("site/newest")):
        iri = row["work"].value
        work = works.setdefault(iri, Work(iri, row["name"].value, row["date"].value))
        if "venue" in row:
            work.venue = row["venue"].value
        if "author" in row:
            work.authors.setdefault(row["author"].value, row["authorName"].value)
    return list(works.values())


def entry(work: Work) -> str:
    return element("entry", said(work))


def said(work: Work) -> Iterator[str]:
    when = instant(work.date)
    yield element("id", uri(work.iri))
    yield element("title", work.name)
    yield element("updated", when)
    yield element("published", when)
    for address, name in work.authors.items():
        yield element(
            "author", [element("name", name), element("uri", uri(iris.document_of(address)))]
        )
    yield element("link", rel="alternate", type=HTML, href=uri(iris.document_of(work.iri)))
    if work.venue:
        yield element("summary", work.venue)


def instant(date: str) -> str:
    """The beginning of a year, month or day: `2020-11` -> `2020-11-01T00:00:00Z`."""
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", date)
    return f"{found[1]}-{found[2] or '01'}-{found[3] or '01'}T00:00:00Z" if found else EARLIEST
