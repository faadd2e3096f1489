"""`llms.txt` (https://llmstxt.org): what a site is and where its data are, told in short to agents
that read text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kg.graph.publishable import Publishable
from kg.publish.about.signposting import FEED, uri
from kg.publish.formats.media import DUMP_SUFFIXES, HTML, NAMES
from kg.settings import query

MOST_PEOPLE = 100
SPECIAL = re.compile(r"([\\\[\]<>`*_])")


def text(graph: Publishable, suffixes: Mapping[str, str]) -> bytes:
    """`suffixes` are the forms of each page."""
    return ("\n".join(lines(graph, suffixes)) + "\n").encode()


def lines(graph: Publishable, suffixes: Mapping[str, str]) -> Iterator[str]:
    site, base = graph.site, graph.site.base
    yield from (f"# {plain(site.title)}", "")
    if site.description:
        yield from (f"> {plain(site.description)}", "")
    twins = ", ".join(
        f"{suffix} for {NAMES[media_type]}"
        for suffix, media_type in suffixes.items()
        if media_type != HTML
    )
    yield (
        f"CVs as a knowledge graph: {graph.counts}, in the terms of schema.org and FOAF. Every "
        "page is there as data too, with another"
    )
    yield (
        f"end of its address ({twins}) or by its media type. What a page is about has the "
        "address of the page with #it behind it."
    )
    if site.license:
        yield f"The licence is {uri(site.license)}."
    if site.contact:
        yield f"Corrections: {plain(site.contact)}."
    yield from ("", "## Data", "")
    for suffix, media_type in DUMP_SUFFIXES.items():
        yield item(
            f"dump{suffix}",
            f"{base}dump{suffix}",
            f"everything, as {NAMES[media_type]} ({media_type})",
        )
    yield item(
        "void.ttl",
        f"{base}void.ttl",
        "what there is and how much: classes, properties, prefixes, example queries (VoID, DCAT)",
    )
    yield item(
        "SPARQL",
        f"{base}sparql",
        "the endpoint, where the site is served: GET or POST, as the SPARQL 1.1 Protocol says",
    )
    yield item("shapes.ttl", f"{base}shapes.ttl", "the SHACL shapes that all of it was checked by")
    yield item(
        "Kinds of role", f"{base}terms/cv", "the terms that schema.org lacks, and what they mean"
    )
    yield item("New works", base + FEED, "the newest works, as an Atom feed")
    yield from ("", "## Lists", "")
    for row in graph.memory.select(query("pages/lists")):
        yield item(row["itemName"].value, row["item"].value, row["note"].value)
    people = graph.memory.select(query("site/owners"))
    yield from ("", "## People", "")
    for row in people[:MOST_PEOPLE]:
        yield item(
            row["itemName"].value,
            row["item"].value.partition("#")[0],
            row["note"].value if "note" in row else "",
        )
    if len(people) > MOST_PEOPLE:
        yield item(f"{len(people) - MOST_PEOPLE} more", f"{base}people/", "")


def item(name: str, address: str, note: str) -> str:
    return f"- [{plain(name)}]({uri(address).replace('(', '%28').replace(')', '%29')})" + (
        f": {plain(note)}" if note else ""
    )


def plain(words: str) -> str:
    """Text that Markdown leaves as it is, in one line."""
    return SPECIAL.sub(r"\\\1", " ".join(words.split()))
