"""The documents' own facts: a page for each thing that is described, a list for each kind, and the site itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kg.facts.dates import When, read
from kg.facts.models import REGISTRIES
from kg.facts.models.base import Fact
from kg.facts.models.pages import Breadcrumbs, Collection, Crumb, Page, Website
from kg.facts.references import SourceRef
from kg.facts.values import WebAddress
from kg.mapping import iris
from kg.settings import Site
from kg.vocab import Iri, foaf, schema

TERMS = {"terms/cv": "Kinds of role", "terms/measures": "Measures"}
PROFILE = (schema.ProfilePage, schema.WebPage, foaf.PersonalProfileDocument)
ITEM = (schema.ItemPage, schema.WebPage)
LIST = (schema.CollectionPage, schema.WebPage)
SET_OF_TERMS = (schema.DefinedTermSet, schema.CreativeWork)


@dataclass(frozen=True)
class Profile:
    """What a CV says of its own page."""

    modified: When | None = None
    sources: list[SourceRef] = field(default_factory=list)


def pages(site: Site, names: Mapping[tuple[str, str], str], profiles: Mapping[str, Profile]) -> Iterator[tuple[Fact, str]]:
    """Each page fact with its document. `names` tells what every described thing (kind, slug) is called."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    modified = read(site.modified) if site.modified else None
    for (kind, slug), name in sorted(names.items()):
        document = iris.document(site.base, kind, slug)
        profile = profiles.get(slug) if kind == "people" else None
        by_kind[kind].append(f"{document}#it")
        yield (
            page(
                site,
                document,
                name,
                [(REGISTRIES[kind].title, f"{site.base}{kind}/")],
                kinds=PROFILE if profile else ITEM,
                about=Iri(f"{document}#it"),
                modified=(profile.modified if profile else None) or modified,
                sources=profile.sources if profile else [],
            ),
            document,
        )
    for kind, things in by_kind.items():
        document, title = f"{site.base}{kind}/", REGISTRIES[kind].title
        yield page(site, document, title, [], kinds=LIST, about=Iri(f"{document}#it"), modified=modified), document
        kinds = SET_OF_TERMS if kind == "topics" else ()
        yield Collection.made(kinds=kinds, name=title, size=len(things), items=list(map(Iri, things))), document
    for path, title in TERMS.items():
        yield page(site, site.base + path, title, [], kinds=(schema.WebPage,), modified=modified), site.base + path
    lists = [Iri(f"{site.base}{kind}/") for kind in REGISTRIES if kind in by_kind]
    yield (
        Website.made(
            name=site.title,
            description=site.description or None,
            url=Iri(site.base),
            license=WebAddress(site.license) if site.license else None,
            modified=modified,
            lists=lists,
        ),
        site.base,
    )


def page(site: Site, document: str, name: str, way: list[tuple[str, str]], **more: Any) -> Page:
    steps = [(site.title, site.base), *way, (name, document)]
    crumbs = [Crumb.made(name=title, item=Iri(address)) for title, address in steps]
    return Page.made(name=name, url=Iri(document), breadcrumb=Breadcrumbs.made(crumbs=crumbs), **more)
