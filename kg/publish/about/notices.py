"""Files for crawlers, feed readers and agents: feed, sitemap, robots.txt, llms.txt.

They use the public base address, wherever the site is served from. All times come from the data, so
the same data gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

import jinja2

from kg.facts.values.text import NOT_IN_XML
from kg.graph.build import Publishable
from kg.mapping import iris
from kg.publish.about.signposting import FEED
from kg.publish.formats.media import ATOM, DUMP_SUFFIXES, HTML, MANIFEST, NAMES, TEXT, XML
from kg.publish.formats.urls import ascii_url, file_of
from kg.publish.pages.frame import bytecode_memo
from kg.publish.pages.markdown import destination
from kg.settings import Site, query
from kg.store.protocol import Solution, Store
from kg.text.markdown import escape_markdown

ORIGIN = "notice"
SITEMAP = "sitemap.xml"
MANIFEST_FILE = "site.webmanifest"  # for browsers that put a site on the home screen
TEMPLATES = Path(__file__).parents[1] / "templates" / "notices"
MAX_SITEMAP_PAGES = 50_000  # pages, see https://www.sitemaps.org/protocol.html
MAX_LISTED_PEOPLE = 100  # listed in llms.txt
EARLIEST = "1970-01-01T00:00:00Z"  # if no date is known


def files(pages: int) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file -> its origin and media type."""
    yield FEED, (ORIGIN, ATOM)
    yield "llms.txt", (ORIGIN, TEXT)
    yield "robots.txt", (ORIGIN, TEXT)
    yield MANIFEST_FILE, (ORIGIN, MANIFEST)
    yield from ((file, (ORIGIN, XML)) for file in sitemaps(pages))


def text(
    graph: Publishable, addresses: Sequence[str], suffixes: Mapping[str, str], path: str
) -> bytes:
    """The file at a path. `addresses` are those of all pages, `suffixes` their formats."""
    match path:
        case "feed.xml":
            return feed(graph.site, graph.memory)
        case "llms.txt":
            return llms(graph, suffixes)
        case "site.webmanifest":
            return render(MANIFEST_FILE, site=graph.site)
        case "robots.txt":
            return robots(graph.site.base)
    return sitemap(graph.site.base, addresses, modified(graph.memory), path)


def render(template: str, **values: object) -> bytes:
    return environment().get_template(template).render(**values).encode()


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    """Templates that are not HTML: each value is escaped explicitly by a filter."""
    templates = jinja2.Environment(  # noqa: S701
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=bytecode_memo(),
    )
    templates.filters.update(
        document=iris.document_of,
        instant=instant,
        link=destination,
        markdown=escape_markdown,
        url=ascii_url,
        xml=escape_xml,
    )
    return templates


def escape_xml(text: str) -> str:
    """Text for an XML element, without characters that XML does not allow."""
    return escape(NOT_IN_XML.sub("", text))


@dataclass
class FeedEntry:
    """A work in the feed; `authors` maps addresses to names, in order."""

    iri: str
    name: str
    date: str
    venue: str = ""
    authors: dict[str, str] = field(default_factory=dict)


def feed(site: Site, store: Store) -> bytes:
    works = newest(store)
    latest = max([*(instant(work.date) for work in works), EARLIEST])
    updated = instant(site.modified) if site.modified else latest
    home = list_of_works(site, store)
    return render("feed.xml", site=site, works=works, updated=updated, home=home)


def newest(store: Store) -> list[FeedEntry]:
    """The newest works, each with its authors, in the order of the solutions."""
    works: dict[str, FeedEntry] = {}
    for row in store.select(query("site/newest")):
        iri = row["work"].value
        work = works.setdefault(iri, FeedEntry(iri, row["name"].value, row["date"].value))
        if "venue" in row:
            work.venue = row["venue"].value
        if "authorName" in row:
            work.authors.setdefault(row["author"].value, row["authorName"].value)
    return list(works.values())


def list_of_works(site: Site, store: Store) -> str:
    """The page that the feed belongs to: the list of publications, else of patents, else the home
    page.
    """
    lists = (f"{site.base}{kind}/" for kind in ("publications", "patents"))
    documents = frozenset(store.documents())
    return next((address for address in lists if address in documents), site.base)


def instant(date: str) -> str:
    """The start of a year, month or day: `2020-11` -> `2020-11-01T00:00:00Z`."""
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", date)
    return f"{found[1]}-{found[2] or '01'}-{found[3] or '01'}T00:00:00Z" if found else EARLIEST


def sitemaps(pages: int) -> list[str]:
    """The sitemap; an index and its parts if there are too many pages for one file."""
    parts = -(-pages // MAX_SITEMAP_PAGES)
    more = [f"sitemap-{number}.xml" for number in range(1, parts + 1)] if parts > 1 else []
    return [SITEMAP, *more]


def modified(store: Store) -> dict[str, str]:
    """Page -> date of its last change."""
    return {row["page"].value: row["date"].value for row in store.select(query("site/modified"))}


def sitemap(base: str, addresses: Sequence[str], dates: Mapping[str, str], file: str) -> bytes:
    """One sitemap file; the order of addresses is fixed."""
    names = sitemaps(len(addresses))
    if file == SITEMAP and len(names) > 1:
        return render("sitemap-index.xml", sitemaps=[base + name for name in names[1:]])
    start = 0 if file == SITEMAP else MAX_SITEMAP_PAGES * (names.index(file) - 1)
    pages = (base + address for address in addresses[start : start + MAX_SITEMAP_PAGES])
    return render("sitemap.xml", pages=((page, dates.get(page)) for page in pages))


def robots(base: str) -> bytes:
    """Crawlers read it only at the root of a host, so its paths start there."""
    return render("robots.txt", base=base, top=urlsplit(base).path)


def llms(graph: Publishable, suffixes: Mapping[str, str]) -> bytes:
    """The site and its data formats, described for agents that read text."""
    twins = [f"{suffix} for {NAMES[form]}" for suffix, form in suffixes.items() if form != HTML]
    people = graph.memory.select(query("site/owners"))
    base, suffix = graph.site.base, ".md" if ".md" in suffixes else ".html"

    def item(row: Solution) -> tuple[str, str, str]:
        """Name, Markdown address and note of a listed entry."""
        address = iris.document_of(row["item"].value).removeprefix(base)
        note = row["note"].value if "note" in row else ""
        return row["itemName"].value, base + file_of(address, suffix), note

    return render(
        "llms.txt",
        site=graph.site,
        counts=graph.counts,
        twins=", ".join(twins),
        dumps=[(suffix, form, NAMES[form]) for suffix, form in DUMP_SUFFIXES.items()],
        lists=map(item, graph.memory.select(query("pages/lists"))),
        people=map(item, people[:MAX_LISTED_PEOPLE]),
        more=max(len(people) - MAX_LISTED_PEOPLE, 0),
    )
