"""The names in a graph, to find the one that somebody meant.

They are gathered when the first is needed: the graphs, our own terms, and what a sample of the
triples uses; a graph of any size costs about the same. Whatever is proposed is looked up, so it is
always there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache, partial
from itertools import islice
from urllib.parse import urlsplit

from pyoxigraph import NamedNode, Quad, Store

from kg.store.memory import Memory
from kg.text.nearest import alike
from kg.vocab import ABOUT, EXTERNAL, cv, measures, rdf

MOST_KNOWN = 256  # addresses, each perhaps as long as a query may be
SAMPLE = 20_000  # triples
MOST_GRAPHS = 200_000
EDITS = 2  # letters more or fewer
LIKENESS = 0.75
TYPE = NamedNode(rdf.type)
PAGE = re.compile(r"\.(html|ttl|jsonld|nt)(#.*)?$")


def names_in(memory: Memory) -> NameIndex:
    return memory.once("names", lambda: NameIndex(memory.store, memory.base))


def knows(memory: Memory, iri: str, is_graph: bool) -> bool:
    """Whether there is an address, be it as a graph. Many queries ask for the same properties."""
    lookup = memory.once(
        "known", lambda: lru_cache(maxsize=MOST_KNOWN)(partial(is_known, memory.store))
    )
    return lookup(iri, is_graph)


class NameIndex:
    """What is called how in a store: for each namespace or folder, the names in it."""

    def __init__(self, store: Store, base: str) -> None:
        self.store, self.base = store, base
        self.of: dict[str, dict[str, None]] = defaultdict(dict)
        for iri in gather_iris(store, base):
            place, slash, name = iri.rpartition("/")
            if "#" not in name:
                self.of[place + slash][name] = None
                continue
            for home, word, _ in splits(iri):
                self.of[home][word] = None

    def meant(self, iri: str, is_graph: bool = False) -> str | None:
        """The name in the graph that is most like one which is not."""
        candidates = (
            other
            for way in (variants(iri, self.base), self.near(iri), self.elsewhere(iri), bare(iri))
            for other in way
        )
        return next(
            (
                other
                for other in candidates
                if other != iri and is_known(self.store, other, is_graph)
            ),
            None,
        )

    def near(self, iri: str) -> Iterator[str]:
        """Names with few letters changed, in the same place or in the same at its other address."""
        for place, name, fragment in splits(iri):
            for home in (place, *other_addresses(place)):
                for found in close(name, self.names_in(home)):
                    yield from (
                        home + found + end
                        for end in dict.fromkeys((fragment, "#it" if fragment else "", ""))
                    )

    def elsewhere(self, iri: str) -> Iterator[str]:
        """The same name in another place: `foaf:author` for `schema:author`, a person among the
        organisations.
        """
        place, name, fragment = next(splits(iri))
        yield from (
            home + name + fragment
            for home, names in self.of.items()
            if home != place and len(name) > 2 and name in names
        )

    def names_in(self, place: str) -> Collection[str]:
        """The names in a place; of a document all its fragments."""
        found = self.of.get(place, {})
        if not place.endswith("#"):
            return found
        quads = self.store.quads_for_pattern(None, None, None, NamedNode(place[:-1]))
        subjects = (
            quad.subject.value
            for quad in islice(quads, SAMPLE)
            if isinstance(quad.subject, NamedNode)
        )
        return {**found, **{iri[len(place) :]: None for iri in subjects if iri.startswith(place)}}


def is_known(store: Store, iri: str, is_graph: bool = False) -> bool:
    """Whether a quad has it, be it as subject, property, value or graph."""
    try:
        node = NamedNode(iri)
    except ValueError:
        return False
    patterns = ((node, None, None), (None, node, None), (None, None, node))
    if not is_graph and any(next(store.quads_for_pattern(*pattern), None) for pattern in patterns):
        return True
    return store.contains_named_graph(node)


def gather_iris(store: Store, base: str) -> Iterator[str]:
    for namespace in (*EXTERNAL.values(), *ABOUT.values()):
        yield from (f"{namespace}{term}" for term in namespace)
    for own in (cv, measures):
        yield from (base + own[term] for term in own)
    yield from (
        graph.value
        for graph in islice(store.named_graphs(), MOST_GRAPHS)
        if isinstance(graph, NamedNode)
    )
    quads: Iterator[Quad]
    for quads in (
        store.quads_for_pattern(None, TYPE, None),
        store.quads_for_pattern(None, None, None),
    ):
        for quad in islice(quads, SAMPLE // 2):
            nodes = (quad.subject, quad.predicate, quad.object if quad.predicate == TYPE else None)
            yield from (node.value for node in nodes if isinstance(node, NamedNode))


def splits(iri: str) -> Iterator[tuple[str, str, str]]:
    """Place, name and fragment, the likelier way first: (`…/people/`, `ada`, `#it`),
    (`…/rdf-schema#`, `label`, ``).
    """
    document, sign, fragment = iri.partition("#")
    place, slash, name = document.rpartition("/")
    as_thing, as_term = (place + slash, name, sign + fragment), (document + sign, fragment, "")
    if not fragment or fragment == "it":
        yield as_thing
    else:
        yield from (as_term, as_thing)


def other_addresses(iri: str) -> list[str]:
    """The same at the other kind of web address."""
    scheme, sign, rest = iri.partition("://")
    other = {"http": "https", "https": "http"}.get(scheme)
    if other is None:
        return []
    hosts = dict.fromkeys((rest, rest.removeprefix("www.")))
    return [
        address
        for kind in (other, scheme)
        for host in hosts
        if (address := f"{kind}{sign}{host}") != iri
    ]


def variants(iri: str, base: str) -> Iterator[str]:
    """What is written otherwise for the same: http for https, a page for its thing, the address of
    a server for the site's.
    """
    path = urlsplit(iri)._replace(scheme="", netloc="").geturl().lstrip("/")
    folder = "/".join(path.split("/")[-2:])
    for address in (
        iri,
        *other_addresses(iri),
        *(base + part for part in dict.fromkeys((path, folder)) if "/" in part),
    ):
        yield address
        if "#" not in address or address.endswith("#it"):
            yield from bare(address)


def bare(iri: str) -> list[str]:
    """The thing of a document, and the document, without what else the address had."""
    document = PAGE.sub("", iri).partition("#")[0].rstrip("/")
    return [f"{document}#it", document, f"{document}/", f"{document}#"]


def close(word: str, names: Collection[str]) -> list[str]:
    """The names most like a word, or with it as their first or last part."""
    if not word:
        return []
    as_long = (name for name in names if abs(len(name) - len(word)) <= EDITS)
    return (
        alike(word, as_long, most=3, cutoff=LIKENESS)
        or [name for name in names if name.startswith(f"{word}-") or name.endswith(f"-{word}")][:3]
    )
