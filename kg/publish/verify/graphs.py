"""Graphs that should be the same: the triples of a file, how two forms differ, and what is wrong in
words. There are no blank nodes, so graphs are sets.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Triple, parse

from kg.errors import Place, Problem, Severity, counted, tidy
from kg.graph.rdf_files import refuse_unbounded
from kg.mapping import iris
from kg.publish.formats.media import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.text.markdown import plain_prose, plain_title
from kg.vocab import rdf, schema

READERS = {
    TURTLE: RdfFormat.TURTLE,
    NTRIPLES: RdfFormat.N_TRIPLES,
    NQUADS: RdfFormat.N_QUADS,
    TRIG: RdfFormat.TRIG,
    RDFXML: RdfFormat.RDF_XML,
    JSONLD: RdfFormat.JSON_LD,
}
LABELS = (rdf.type, schema.name)  # what JSON-LD says besides of things that it mentions
PROSE = (schema.description, schema.abstract)
PACKED = ".gz"
# reported of one rule; whoever breaks all pages the same way need not read it a thousand times
MOST = 20
MOST_TEXT = 300  # characters of what is quoted
Triples: TypeAlias = frozenset[Triple]
UntypedTriple: TypeAlias = tuple[str, str, str]


def fault(
    rule: str, place: str, message: str, line: int = 1, severity: Severity = "error"
) -> Problem:
    """What is wrong with a published site; its place is a file or an address."""
    return Problem(Place(place, line), severity, message, rule)


def unreadable(place: str, error: SyntaxError, first: int = 1) -> Problem:
    """`first` is the line where the data begin."""
    message = f"Cannot read the data: {error.msg}."
    return fault("unreadable", place, message, first - 1 + (error.lineno or 1))


def limited(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Sorted by place; of many of one rule the first ones, and how many more there are."""
    found = tidy(problems)
    counts = Counter(problem.rule for problem in found)
    seen: Counter[str] = Counter()
    for problem in found:
        seen[problem.rule] += 1
        rest = counts[problem.rule] - MOST
        if seen[problem.rule] < MOST or rest <= 0:
            yield problem
        elif seen[problem.rule] == MOST:
            message = f"{problem.message} And {rest} more like this."
            yield Problem(problem.place, problem.severity, message, problem.rule)


def short(text: object) -> str:
    quoted = str(text)
    return quoted if len(quoted) <= MOST_TEXT else f"{quoted[:MOST_TEXT]}…"


def quads(body: bytes | str, media_type: str) -> list[Quad]:
    """Needs no network: who would look something up elsewhere, as a context, is refused. A
    SyntaxError says what cannot be read.
    """
    refuse_unbounded(body if isinstance(body, bytes) else body.encode(), READERS[media_type])
    found = list(parse(body, format=READERS[media_type]))
    for quad in found:
        if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode):
            raise SyntaxError(f"blank nodes are not allowed: {short(quad)}")
    return found


def triples(body: bytes | str, media_type: str) -> Triples:
    return frozenset(quad.triple for quad in quads(body, media_type))


def subject(triple: Triple) -> str:
    return triple.subject.value if isinstance(triple.subject, NamedNode) else ""


def document_of(triple: Triple) -> str:
    """A triple lives in the document of its subject."""
    return iris.document_of(subject(triple))


def untyped(found: Iterable[Triple]) -> set[UntypedTriple]:
    """As the data in HTML have them: without datatypes and languages, prose without Markdown and
    titles without tags.
    """
    return {
        (subject(triple), triple.predicate.value, plain(triple.predicate.value, triple.object))
        for triple in found
    }


def text(term: object) -> str:
    return term.value if isinstance(term, NamedNode | Literal) else ""


def plain(predicate: str, term: object) -> str:
    if predicate in PROSE:
        return plain_prose(text(term))
    return plain_title(text(term)) if predicate == schema.headline else text(term)


def agreed(forms: Iterable[Triples], first: Triples) -> Triples:
    """What most forms hold; where as many hold another, that of the first is taken."""
    counts = Counter([first, *forms])
    return max(counts, key=lambda each: (counts[each], each == first))


def difference(found: Triples, expected: Triples) -> str:
    """What a form lacks and has too many, in words; empty where it is right."""
    parts = (("lacks", expected - found), ("adds", found - expected))
    return "; it ".join(
        f"{word} {counted(len(these), 'triple')}: "
        f"{short(min(map(str, these)))}{' …' if len(these) > 1 else ''}"
        for word, these in parts
        if these
    )


def dump_faults(
    name: str, media_type: str, body: bytes, graph: Triples, either: Triples = frozenset()
) -> Iterator[Problem]:
    """What is wrong with a dump, or a part of one, that should be this graph; what is in `either`
    may be in it or not.
    """
    try:
        found = quads(body, media_type)
    except SyntaxError as error:
        yield unreadable(name, error)
        return
    for quad in found if media_type == TRIG else ():
        document = document_of(quad.triple)
        if quad.graph_name not in (NamedNode(document), DefaultGraph()):
            yield fault("dump", name, f"This is not in the graph of {document}: {quad.triple}.")
    triples = frozenset(quad.triple for quad in found)
    if differs := difference(triples - either, graph - either):
        yield fault("dump", name, f"This dump does not match the documents: it {differs}.")


def unpacks_to(copy: bytes, original: bytes) -> bool:
    """Unpacks no more than is needed to tell, whatever it would become."""
    packer = zlib.decompressobj(wbits=31)
    try:
        return packer.decompress(copy, len(original) + 1) == original and not packer.unconsumed_tail
    except zlib.error:
        return False
