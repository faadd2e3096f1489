"""Facts -> the graph: what is public is walked, what it mentions is described, what follows is derived.

    facts --walk--> asserted lines --pages--> + pages --rules--> + derived = sorted N-Quads, and a store to ask

A function of values: no clock, no network, no globals. The same facts give the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kg.engine.memory import Memory
from kg.errors import Problem
from kg.facts import privacy
from kg.facts.load import Facts, Loaded
from kg.facts.models.base import Entry
from kg.facts.models.people import Cv
from kg.facts.quiet import quiet
from kg.facts.secrets import Secrets, secrets
from kg.facts.values import slugify
from kg.graph import rules, turtle
from kg.graph.pages import Profile, pages
from kg.graph.publishable import counted
from kg.mapping import iris
from kg.mapping.origins import Clash, Origin, row_at
from kg.mapping.walk import Walker, lines_of
from kg.settings import Site, resources
from kg.vocab import foaf, schema

# Documents that stand for themselves, as CVs do. All others must be mentioned by something public.
ROOTS = ("publications", "patents", "press")


@dataclass(frozen=True)
class Graph:
    """The whole graph of a site: its lines in order, a store to ask, and the way back to the files."""

    site: Site
    nquads: bytes
    memory: Memory
    origins: dict[str, list[Origin]]
    problems: list[Problem]
    facts: Facts

    @cached_property
    def secrets(self) -> Secrets:
        """What must not be in anything that is published of this."""
        said = (self.site.title, self.site.description, self.site.modified, self.site.contact)
        gone = (each.address for each in self.site.withdrawn)
        return secrets(self.facts.loaded, [*turtle.own(self.site.base), *schema, *foaf, *filter(None, said), *gone])

    @property
    def counts(self) -> str:
        return counted(self.memory, self.site.base, self.nquads.count(b"\n"))

    @property
    def about(self) -> None:
        """What the site says of itself is made of all this."""


@quiet()
def build(facts: Facts, site: Site) -> Graph:
    walker, profiles = walk(facts, site.base)
    problems = [clash(each) for each in walker.clashes] + [conflict(each) for each in walker.conflicts]
    lines = walker.lines
    lines += turtle.own(site.base)
    for path in facts.turtle:
        more, found = turtle.read(site, path)
        lines += more
        problems += found
    memory = Memory(site.base, "".join(lines).encode())
    about = lines_of(pages(site, names_in(memory), profiles), site.base)
    memory.load("".join(about).encode())
    derived = rules.derive(memory, resources(site, "queries", "rules/*.rq"))
    memory.load("".join(derived).encode())
    nquads = "".join(sorted({*lines, *about, *derived})).encode()
    return Graph(site, nquads, memory, walker.origins, problems, facts)


@quiet()
def walk(facts: Facts, base: str) -> tuple[Walker, dict[str, Profile]]:
    """The asserted lines of all that is public: CVs and works first, then whatever they refer to, until nothing new is referred to."""
    documents: dict[tuple[str, str], list[Loaded]] = {}
    hidden: set[tuple[str, str]] = set()
    profiles: dict[str, Profile] = {}
    for each in facts.loaded:
        shown = privacy.public(each.fact) if isinstance(each.fact, Entry) else each.fact
        if shown is not None:
            documents.setdefault((each.kind, each.slug), []).append(each._replace(fact=shown))
        elif each.is_main:
            hidden.add((each.kind, each.slug))
        if isinstance(each.fact, Cv):
            profiles[each.slug] = Profile(each.fact.modified, each.fact.sources)
    if hidden:
        documents = {key: [kept for loaded in found if (kept := spare(loaded, hidden))] for key, found in documents.items()}
        profiles = {slug: profile for slug, profile in profiles.items() if ("people", slug) not in hidden}
    walker = Walker(base, hidden)
    for source in (source for profile in profiles.values() for source in profile.sources):
        walker.refer(source)
    waiting = [key for key in documents if key[0] in ROOTS or (key[0] == "people" and key[1] in facts.owners)]
    done: set[tuple[str, str]] = set()
    while waiting or walker.settle():
        for key in waiting:
            for each in documents.get(key, []) if key not in hidden else []:
                walker.walk(each)
        done.update(waiting)
        waiting = [key for key in walker.referred if key not in done]
    return walker, profiles


def spare(loaded: Loaded, hidden: set[tuple[str, str]]) -> Loaded | None:
    fact = privacy.spared(loaded.fact, hidden)
    return None if fact is None else loaded._replace(fact=fact)


def names_in(memory: Memory) -> dict[tuple[str, str], str]:
    """What each described thing is called, by kind and slug."""
    query = f'SELECT ?thing (MIN(?each) AS ?name) {{ ?thing <{schema.name}> ?each FILTER(STRENDS(STR(?thing), "#it")) }} GROUP BY ?thing'
    found = {}
    for row in memory.select(query):
        kind, _, slug = (iris.path_of(memory.base, row["thing"].value) or "").partition("/")
        found[kind, slug] = row["name"].value
    return found


def clash(found: Clash) -> Problem:
    fragment = found.iri.partition("#")[2]
    named = all("id" in row_at(each) for each in (found.first, found.second))
    hint = "Write another 'id' in one of them" if named else "Give one of them an 'id'"
    unread = next((text for text in row_at(found.second).values() if isinstance(text, str) and not slugify(text)), None)
    if unread and not named:
        hint += f" in Latin letters, for {unread!r} makes no part of an address"
    place, other = (each.row.at(*each.steps, "id") if named else each.place for each in (found.second, found.first))
    message = (
        f"{found.second.label}: this would get the same address (#{fragment}) as {found.first.label} in {other}. {hint}, or merge the two."
    )
    return Problem(place, "error", message, "same-address", (other,))


def conflict(found: Clash) -> Problem:
    message = (
        f"{found.second.label}: this contradicts {found.first.label} in {found.first.place}, which speaks of the same. Correct one of them."
    )
    return Problem(found.second.place, "warning", message, "contradiction")
