"""A work that is described with schema.org, FOAF or Dublin Core, as an entry of ours."""

from __future__ import annotations

import re
from typing import Any

from kg.exchange.draft import Value, filled, when
from kg.exchange.readers.described.rdf_nodes import RdfNode
from kg.facts.formats.work_records import GENRES
from kg.facts.values.text import is_web_address

WORKS = {
    **{"ScholarlyArticle": "journal", "Article": "journal", "Book": "book", "Thesis": "thesis"},
    **{"Chapter": "book-chapter", "Report": "report", "Dataset": "dataset"},
    **{"SoftwareSourceCode": "software", "SoftwareApplication": "software"},
    **{"BlogPosting": "blog", "VideoObject": "video", "foaf:Document": "other"},
    **{"CreativeWork": "other"},
}
CONTAINERS = {
    **{"journal": "journal", "magazine": "journal", "editorial": "journal", "review": "journal"},
    **{"conference": "conference", "poster": "conference", "workshop": "venue"},
}
DOI = re.compile(r"(?:doi\.org/|^doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)
SIGNERS = ("author", "creator", "foaf:maker", "dcterms:creator")


def work_of(node: RdfNode) -> dict[str, Any]:
    """The entry; empty where it has no title."""
    genre = str(node.text("genre") or "").lower()
    by_class = next((kind for each, kind in WORKS.items() if each in node.types), "other")
    kind = GENRES.get(genre, by_class)
    title = node.text("headline", "name", "dcterms:title", "foaf:title")
    if title is None:
        return {}
    field = CONTAINERS.get(kind)
    first, last = node.text("pageStart"), node.text("pageEnd")
    entry: dict[str, Any] = {
        "kind": title.became(kind),
        "title": title,
        "authors": authors(node),
        "editors": node.texts("editor"),
        "date": when(node.text("datePublished", "dateCreated", "dcterms:date")),
        "pages": first.became(f"{first}-{last}") if first and last else node.text("pagination"),
        "publisher": node.text("publisher"),
        "abstract": node.text("abstract"),
        "url": next((each for each in node.texts("url") if is_web_address(each)), None),
        "doi": doi_of(node),
        "isbn": node.text("isbn"),
        "license": node.text("license"),
        "keywords": node.texts("keywords"),
    }
    if field:
        entry[field] = node.text("cv:venue", "isPartOf")
    node.skip("name", "headline", *SIGNERS, "creativeWorkStatus")
    return filled(entry)


def doi_of(node: RdfNode) -> Value | None:
    numbers = [value for each in node.nodes_at("identifier") for value in each.texts("value")]
    for each in (*node.texts("sameAs", "identifier", "bibo:doi"), *numbers):
        if found := DOI.search(each):
            return each.became(found[1])
    return None


def authors(node: RdfNode) -> list[Value]:
    """The names in their order, as they are printed where that is told."""
    signatures = [each for each in node.nodes_at("creator", "author") if "ListItem" in each.types]
    signatures.sort(key=lambda each: place_in_order(each.text("position")))
    printed = [each.text("alternateName", "creator", "item") for each in signatures]
    for each in signatures:
        each.skip("creator", "item", "roleName", "alternateName", "position")
    names = printed or node.texts(*SIGNERS)
    return [*dict.fromkeys(name for name in names if name and not is_web_address(name))]


def place_in_order(position: Value | None) -> int:
    return int(position) if position and position.isdecimal() else 0
