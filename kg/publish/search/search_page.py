"""Search results as a page, and as JSON for programs."""

from __future__ import annotations

import json

from kg.facts.models import REGISTRIES
from kg.publish.formats.urls import Link
from kg.publish.pages.render import Renderer
from kg.publish.search.index import Finder

MOST_LETTERS = 200  # of a question


def html(pages: Renderer, finder: Finder, query: str = "", is_served: bool = True) -> bytes:
    """`is_served`: by us, who answer the form; in a folder the page's script does."""
    hits, total = finder.index.find(query[:MOST_LETTERS]) if query else ([], 0)
    lists = [
        Link(registry.title, f"{kind}/")
        for kind, registry in REGISTRIES.items()
        if f"{pages.site.base}{kind}/" in pages.documents
    ]
    return pages.rendered(
        "search.html",
        search_text=query,
        hits=hits,
        summary=summary(len(hits), total),
        lists=lists,
        is_served=is_served,
        root="./",
    )


def summary(shown: int, total: int) -> str:
    if not total:
        return "Nothing found."
    return f"{total} found" + (f", of which these are the best {shown}" if shown < total else "")


def text(finder: Finder, query: str) -> bytes:
    """One JSON object; `address` is that of the document, whose forms the client may choose
    from.
    """
    hits, total = finder.index.find(query[:MOST_LETTERS])
    found = [
        {
            "address": finder.base + hit.entry.address,
            "name": hit.entry.name,
            "kind": hit.entry.kind,
            "note": hit.entry.note,
            "also": hit.also,
        }
        for hit in hits
    ]
    return (
        json.dumps({"query": query, "total": total, "found": found}, ensure_ascii=False, indent=1)
        + "\n"
    ).encode()
