"""What crawlers ask a site for: the list of its pages, and what they should leave alone.

Addresses are those of the base: a sitemap speaks of the public address of a site, wherever it is
served from now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from kg.publish.about.signposting import uri
from kg.publish.formats.xml import document, element
from kg.settings import query
from kg.store.protocol import Store

FILE = "sitemap.xml"
MOST_IN_A_SITEMAP = 50_000  # pages, as https://www.sitemaps.org/protocol.html says
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
ANSWERS = ("sparql?", "sparql.html?", "search?")  # endless, and made from what the pages say


def files(pages: int) -> list[str]:
    """The sitemap; with more pages than one may hold, an index and its parts."""
    parts = -(-pages // MOST_IN_A_SITEMAP)
    return (
        [FILE]
        if parts <= 1
        else [FILE, *(f"sitemap-{number}.xml" for number in range(1, parts + 1))]
    )


def modified(store: Store) -> dict[str, str]:
    """Page -> when it was last changed, as precisely as that is known."""
    return {row["page"].value: row["date"].value for row in store.select(query("site/modified"))}


def text(base: str, addresses: Sequence[str], dates: Mapping[str, str], file: str) -> bytes:
    """One of the files. The addresses are in order, and always in the same."""
    names = files(len(addresses))
    if file == FILE and len(names) > 1:
        return document(
            element(
                "sitemapindex",
                (element("sitemap", [element("loc", uri(base + name))]) for name in names[1:]),
                xmlns=NAMESPACE,
            )
        )
    start = 0 if file == FILE else MOST_IN_A_SITEMAP * (names.index(file) - 1)
    pages = (base + address for address in addresses[start : start + MOST_IN_A_SITEMAP])
    return document(
        element("urlset", (entry(page, dates.get(page)) for page in pages), xmlns=NAMESPACE)
    )


def entry(page: str, date: str | None) -> str:
    return element(
        "url", [element("loc", uri(page)), *([element("lastmod", date)] if date else [])]
    )


def robots(base: str) -> bytes:
    """Robots read it at the top of a host only, so its paths begin there, wherever the site lies
    below.
    """
    top = uri(urlsplit(base).path)
    lines = [
        (
            "# All pages and data may be read. Answers to questions need not be: the dumps hold "
            "all that they say."
        ),
        "User-agent: *",
    ]
    return "\n".join(
        [
            *lines,
            *(f"Disallow: {top}{path}" for path in ANSWERS),
            "",
            f"Sitemap: {uri(base)}{FILE}",
            "",
        ]
    ).encode()
