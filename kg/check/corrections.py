"""Names in place that were corrected since the last build: old addresses lead to the new ones.

The address of a name in place follows from the name, so a corrected one has another. What pointed
where is in the dump of the last build. Where an address that is gone and one that is new are
written alike, the same field of the same entry pointed to the one and points to the other, and
there is no second such pair, it is one thing. The build says so; from then on its own redirects
tell it, as long as the name is in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pyoxigraph import NamedNode

from kg.check.addresses import MOST_HINTS, document_paths, find_redirects, published
from kg.check.redirects import DUMP, REDIRECTS, permanent
from kg.errors import Problem
from kg.facts.values.text import closest
from kg.graph.build import Graph
from kg.settings import Moved

Pointer = tuple[str, str]  # what points to a thing, and by which property


def corrections(graph: Graph, previous: Path) -> Iterator[Moved]:
    """`previous` is the list of addresses of the last build, in its folder."""
    base, living = graph.site.base, document_paths(graph)
    if not previous.with_name(DUMP).is_file():
        return
    before = [line.removeprefix(base) for line in published(previous)]
    left = permanent(living, find_redirects(graph.site, graph.memory, living))
    gone = [address for address in before if address not in left]
    if not gone or len(gone) > MOST_HINTS:
        return
    named = {f"{kind}/{slug}": use.places for (kind, slug), use in graph.facts.in_place.items()}
    new = sorted(living & named.keys() - {*before})
    dump = previous.with_name(DUMP).read_bytes()
    pairs = [
        (old, other)
        for old in gone
        for other in new
        if is_alike(old, other) and pointed(dump, base, old, other) & pointing(graph, other)
    ]
    moved = dict(earlier(previous.with_name(REDIRECTS), base))
    for old, other in pairs:
        if [each[0] for each in pairs].count(old) == [each[1] for each in pairs].count(other) == 1:
            moved[old] = other
    for old in gone:
        target = moved.get(old, "")
        target = moved.get(target, target)
        if target in living and target in named:
            yield Moved(old, target, named[target][0])


def is_alike(old: str, new: str) -> bool:
    (kind, _, slug), (other, _, name) = old.partition("/"), new.partition("/")
    return kind == other and bool(closest(slug, [name]))


def pointed(dump: bytes, base: str, old: str, new: str) -> set[Pointer]:
    """What pointed to the old address, as it would be called with the new one: the addresses of
    parts are made from those of what they are about.
    """
    thing = re.escape(f"<{base}{old}#it>".encode())
    found = re.findall(rb"^<([^>]*)> <([^>]*)> " + thing + b" <", dump, re.MULTILINE)
    slug, name = old.partition("/")[2], new.partition("/")[2]
    return {(subject.decode().replace(slug, name), path.decode()) for subject, path in found}


def pointing(graph: Graph, address: str) -> set[Pointer]:
    thing = NamedNode(f"{graph.site.base}{address}#it")
    quads = graph.memory.store.quads_for_pattern(None, None, thing)
    return {(str(quad.subject)[1:-1], quad.predicate.value) for quad in quads}


def earlier(file: Path, base: str) -> Mapping[str, str]:
    """Where documents led in the last build."""
    root = urlsplit(base).path
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    found = (line.split() for line in lines if line.endswith(" 301"))
    return {old.removeprefix(root): new.removeprefix(root) for old, new, _ in found}


def report(moved: Moved) -> Problem:
    message = (
        f"{moved.old} was published, and is {moved.new} now: the old address leads here. To say "
        f"so for good, write 'moved: {{{moved.old}: {moved.new}}}' in data/site.yaml."
    )
    return Problem(moved.place, "warning", message, "address-moved")
