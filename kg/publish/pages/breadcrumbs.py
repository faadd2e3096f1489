"""The breadcrumbs of a page: the documents on the way to it, from the start of the site.

The masthead of a page shows the start and some lists; another list stands above the title. The
JSON-LD has the same titles and addresses as a BreadcrumbList, which search engines read. They are
no facts, so no graph has them.
"""

from __future__ import annotations

from typing import NamedTuple

from kg.facts.models import REGISTRIES
from kg.publish.formats.jsonld import Json
from kg.settings import Site


class Crumb(NamedTuple):
    title: str
    address: str


def trail(site: Site, path: str, title: str) -> list[Crumb]:
    """The way to the document at a path, which is its last step; empty for the start itself.

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
    """The JSON-LD of a trail. Every node has an address: fragments of the page."""
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
