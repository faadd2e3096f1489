"""Some parts of a dump, in the frame of the whole: they hold what the documents hold that they are
of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set

from pyoxigraph import NamedNode, Triple

from kg.errors import Problem
from kg.publish.dumps.dump import Dump
from kg.publish.formats.media import TRIG
from kg.publish.proof import graphs
from kg.publish.proof.built import Built
from kg.publish.proof.faults import fault


def compared(
    built: Built, path: str, media_type: str, dump: Dump, documents: Set[str]
) -> Iterator[Problem]:
    """`dump` holds the parts of these documents, and nothing else."""
    name = built.source.name(path)
    found: dict[str, set[Triple]] = defaultdict(set)
    try:
        for quad in graphs.quads(bytes(dump), media_type):
            document = graphs.document_of(quad.triple)
            if media_type == TRIG and quad.graph_name != NamedNode(document):
                yield fault("dump", name, f"This is not in the graph of {document}: {quad.triple}.")
            found[document].add(quad.triple)
    except SyntaxError as error:
        yield fault("unreadable", name, f"The data cannot be read: {error.msg}.")
        return
    for document in sorted({*documents, *found}):
        if said := graphs.difference(frozenset(found[document]), built.dumped.of(document)):
            yield fault("dump", name, f"This is not the sum of the documents: it {said}.")
