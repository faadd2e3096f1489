"""Triples about documents and pages.

The set of all topics is a fact. The pages, a list for each kind and the site itself are in a graph
of their own (`{base}pages`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from itertools import islice
from typing import Any

from kg.facts.models import REGISTRIES
from kg.facts.models.pages import Collection, Page, TermSet, Website
from kg.facts.models.people import Cv
from kg.facts.values.dates import When, read
from kg.facts.values.terms import Fact
from kg.facts.values.text import WebAddress
from kg.mapping import iris
from kg.mapping.walk import lines_of
from kg.settings import Site, query
from kg.store.memory import Memory
from kg.vocab import VOCABULARY, Iri, foaf, schema

TOPICS = "topics"
PROFILE = (schema.ProfilePage, foaf.PersonalProfileDocument, foaf.Document)
ITEM = (schema.ItemPage, foaf.Document)
LIST = (schema.CollectionPage, foaf.Document)
PAGE_SIZE = 500  # entities in one part of a list
BATCH_SIZE = 1000  # pages; each makes many lines
NAMED = (
    f"SELECT ?thing (MIN(?each) AS ?name) WHERE {{ ?thing <{schema.name}> ?each "
    f'FILTER(STRENDS(STR(?thing), "#it")) }} GROUP BY ?thing'
)
SIGNED = (
    f"SELECT DISTINCT ?person WHERE {{ ?signature a <{schema.ListItem}> ; "
    f"<{schema.creator}> ?person . ?person a <{schema.Person}> }}"
)
Names = Mapping[tuple[str, str], str]  # names of entities, by kind and slug


def names_of(memory: Memory) -> dict[tuple[str, str], str]:
    """The name of each described entity."""
    found = {}
    for row in memory.select(NAMED):
        kind, _, slug = (iris.path_of(memory.base, row["thing"].value) or "").partition("/")
        found[kind, slug] = row["name"].value
    return found


def signers_in(memory: Memory) -> frozenset[str]:
    """The people who signed works."""
    return frozenset(row["person"].value for row in memory.select(SIGNED))


def only_skills(memory: Memory) -> frozenset[str]:
    """The topics that only one person names, as a skill. They have pages but are in no list."""
    return frozenset(row["topic"].value for row in memory.select(query("site/only-skills")))


def page_lines(facts: Iterator[tuple[Fact, str]], base: str) -> Iterator[str]:
    while some := list(islice(facts, BATCH_SIZE)):
        yield from lines_of(some, base)


def term_sets(site: Site, names: Names) -> Iterator[tuple[Fact, str]]:
    """The set of all topics, with its document."""
    if any(kind == TOPICS for kind, _ in names):
        yield TermSet.unchecked(name=REGISTRIES[TOPICS].title), f"{site.base}{TOPICS}/"


def pages(
    site: Site,
    names: Names,
    profiles: Mapping[str, Cv],
    signers: Set[str] = frozenset(),
    skills: Set[str] = frozenset(),
) -> Iterator[tuple[Fact, str]]:
    """Each page with its document. `names` are those of every described entity; lists leave out
    topics that are only `skills`.
    """
    by_kind: dict[str, list[tuple[str, Iri]]] = defaultdict(list)
    modified = read(site.modified) if site.modified else None
    for (kind, slug), name in sorted(names.items()):
        document = iris.document(site.base, kind, slug)
        profile = profiles.get(slug) if kind == "people" else None
        thing = Iri(f"{document}#it")
        changed = (profile.modified if profile else None) or modified
        listed = by_kind[kind]  # a list of topics exists, even if it is empty
        if thing not in skills:
            listed.append((name.casefold(), thing))
        yield (
            page(
                document,
                name,
                kinds=PROFILE if profile else ITEM,
                about=thing,
                topic=thing,
                signer=thing if thing in signers else None,
                changed=changed,
                modified=changed,
                sources=profile.sources if profile else [],
                layout=profile.layout.lines if profile and profile.layout else None,
            ),
            document,
        )
    for kind, things in by_kind.items():
        yield from parts(site, kind, [thing for _, thing in sorted(things)], modified)
    terms = site.base + VOCABULARY
    yield page(terms, "Vocabulary", kinds=(), modified=modified), terms
    lists = [Iri(f"{site.base}{kind}/") for kind in REGISTRIES if by_kind.get(kind)]
    owners = [iris.document(site.base, "people", slug) for slug in profiles]
    yield (
        Website.unchecked(
            name=site.title,
            description=site.description or None,
            url=Iri(site.base),
            about=Iri(f"{owners[0]}#it") if len(owners) == 1 else None,
            license=WebAddress(site.license) if site.license else None,
            modified=modified,
            lists=lists,
        ),
        site.base,
    )


def parts(
    site: Site, kind: str, things: list[Iri], modified: When | None
) -> Iterator[tuple[Fact, str]]:
    """The list of a kind, sorted by name and split into parts. The first part is the list itself;
    each later one is a document that states its list and position, so that the next and the
    previous part are known.
    """
    whole, title = f"{site.base}{kind}/", REGISTRIES[kind].title
    for number, start in enumerate(range(0, len(things) or 1, PAGE_SIZE), 1):
        items = things[start : start + PAGE_SIZE]
        if number == 1:
            document, name, size, more = whole, title, len(things), {}
        else:
            document, name, size = f"{whole}page-{number}", f"{title}, page {number}", len(items)
            more = {"whole": Iri(whole), "position": number}
        yield (
            page(
                document,
                name,
                kinds=LIST,
                about=Iri(f"{document}#it"),
                modified=modified,
                **more,
            ),
            document,
        )
        is_named = kind != TOPICS or number > 1
        listed = Collection.unchecked(name=name if is_named else None, size=size, items=items)
        yield listed, document


def page(document: str, name: str, **more: Any) -> Page:
    return Page.unchecked(name=name, url=Iri(document), **more)
