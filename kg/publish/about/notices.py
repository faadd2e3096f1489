"""The files that visitors look for unasked: crawlers, readers of feeds, agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kg.graph.publishable import Publishable
from kg.publish.about import feed, llms, sitemap
from kg.publish.about.signposting import FEED
from kg.publish.formats.media import ATOM, TEXT, XML

ORIGIN = "notice"


def files(pages: int) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file -> what it is made from, and its media type."""
    yield FEED, (ORIGIN, ATOM)
    yield "llms.txt", (ORIGIN, TEXT)
    yield "robots.txt", (ORIGIN, TEXT)
    yield from ((file, (ORIGIN, XML)) for file in sitemap.files(pages))


def text(
    graph: Publishable, addresses: Sequence[str], suffixes: Mapping[str, str], path: str
) -> bytes:
    match path:
        case "feed.xml":
            return feed.text(graph.site, graph.memory)
        case "llms.txt":
            return llms.text(graph, suffixes)
        case "robots.txt":
            return sitemap.robots(graph.site.base)
    return sitemap.text(graph.site.base, addresses, sitemap.modified(graph.memory), path)
