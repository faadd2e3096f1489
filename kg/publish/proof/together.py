"""The end of the proof of a folder that is built: what its documents, each of which was judged by itself, are together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set

from kg.errors import Problem
from kg.publish.made import Made
from kg.publish.proof import dumps
from kg.publish.proof.built import Between, Built, unsaid
from kg.publish.proof.faults import told
from kg.publish.proof.prove import Proof, other_pages


def together(built: Built, made: Mapping[str, Made], proved: Collection[str], problems: Sequence[Problem], moved: Set[str] | None) -> Proof:
    """`moved` are the documents that say something else than when the others were judged; None: any may."""
    documents = {address: made[address] for address in proved}
    found = [*problems, *built.faults(), *unsaid(built, documents.values(), moved)]
    others, wrong = other_pages(built)
    between = Between(built, documents, frozenset(built.files), others)
    found += [*wrong, *between.faults(), *between.broken()]
    copies = [path for path in built.files if path.startswith("dump") and path.endswith(dumps.PACKED)]
    found += dumps.packed(built.source, copies)
    forms = tuple(suffix.removeprefix(".") for suffix in built.suffixes)
    triples = sum(built.dumped.text.of(built.base + address).count(b"\n") for address in documents)
    links = sum(each.count for each in documents.values()) + sum(len(page.links) for page in others.values())
    return Proof(len(built.addresses), len(documents), forms, triples, links, (), tuple(told(found)))
