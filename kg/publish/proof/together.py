"""The end of the proof of a folder that is built: what its documents, each of which was judged by
itself, are together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

from kg.errors import Problem
from kg.mapping import iris
from kg.publish.export.trace import Made
from kg.publish.formats.urls import file_of
from kg.publish.proof.built import Between, Built, unsaid
from kg.publish.proof.faults import told
from kg.publish.proof.prove import Proof, other_pages


@dataclass(frozen=True)
class Before:
    """A build all of whose documents were found right together: what was made, and the things that
    are described otherwise now.
    """

    made: Mapping[str, Made]
    things: Set[str]


def together(
    built: Built,
    made: Mapping[str, Made],
    proved: Collection[str],
    problems: Sequence[Problem],
    moved: Set[str] | None,
    before: Before | None = None,
) -> Proof:
    """`moved` are the documents that say something else than when the others were judged; None: any
    may. Where there is a build `before`, only the links are followed that may lead elsewhere now.
    """
    documents = {address: made[address] for address in proved}
    found = [*problems, *built.faults(), *unsaid(built, documents.values(), moved)]
    others, wrong = other_pages(built)
    between = Between(built, documents, frozenset(built.files), others)
    places = doubtful(built, documents, before) if before else None
    if before and places is not None:
        between.doubtful = places
        between.settled = {
            name[1:]
            for name, each in made.items()
            if name.startswith("=") and before.made.get(name) is each
        }
    found += [*wrong, *between.faults(), *between.broken(places)]
    forms = tuple(suffix.removeprefix(".") for suffix in built.suffixes)
    lines = built.dumped.text
    is_whole = len(documents) == len(built.addresses)
    triples = (
        lines.nquads.count(b"\n")
        if is_whole
        else sum(lines.of(built.base + each).count(b"\n") for each in documents)
    )
    links = sum(each.count for each in documents.values()) + sum(
        len(page.links) for page in others.values()
    )
    return Proof(
        len(built.addresses), len(documents), forms, triples, links, (), tuple(told(found))
    )


def doubtful(built: Built, made: Mapping[str, Made], before: Before) -> set[str] | None:
    """The places that were led to and may be gone: what was on pages that are others now. None:
    any, for whole files are gone.
    """
    files = {path for each in before.made.values() for path in each.files}
    if files.difference(built.files):
        return None
    places = {
        f"{file_of(iris.path_of(built.base, thing) or '', '.html')}#{thing.partition('#')[2]}"
        for thing in before.things
    }
    for address, each in made.items():
        old = before.made.get(address)
        if old is not each:
            places.update(
                f"{file_of(address, '.html')}#{anchor}" for anchor in (old.anchors if old else ())
            )
            places.update(each.links)
    return places
