"""Comparison of graphs: the triples of a file, the difference between two formats, and error
messages. There are no blank nodes, so graphs are sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Triple, parse

from kg.errors import Place, Problem, Severity, counted, tidy
from kg.graph.rdf_files import refuse_unbounded
from kg.publish.formats.media import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.text.markdown import plain_prose, plain_title
from kg.vocab import home, rdf, schema

READERS = {
    TURTLE: RdfFormat.TURTLE,
    NTRIPLES: RdfFormat.N_TRIPLES,
    NQUADS: RdfFormat.N_QUADS,
    TRIG: RdfFormat.TRIG,
    RDFXML: RdfFormat.RDF_XML,
    JSONLD: RdfFormat.JSON_LD,
}
LABELS = (rdf.type, schema.name)  # what JSON-LD adds for mentioned entries
PROSE = (schema.description, schema.abstract)
PACKED = ".gz"
# problems reported per rule; the same mistake on all pages need not be listed a thousand times
MAX_PER_RULE = 20
MAX_QUOTE = 300  # characters of a quotation
Triples: TypeAlias = frozenset[Triple]
UntypedTriple: TypeAlias = tuple[str, str, str]


def fault(
    rule: str, place: str, message: str, line: int = 1, severity: Severity = "error"
) -> Problem:
    """A problem of a published site; its place is a file or a URL."""
    return Problem(Place(place, line), severity, message, rule)


def unreadable(place: str, error: SyntaxError, first: int = 1) -> Problem:
    """`first` is the line where the data starts."""
    message = f"Cannot read the data: {error.msg}."
    return fault("unreadable", place, message, first - 1 + (error.lineno or 1))


def limited(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Sorted by place; of many problems of one rule, the first ones and the number of others."""
    found = tidy(problems)
    counts = Counter(problem.rule for problem in found)
    seen: Counter[str] = Counter()
    for problem in found:
        seen[problem.rule] += 1
        rest = counts[problem.rule] - MAX_PER_RULE
        if seen[problem.rule] < MAX_PER_RULE or rest <= 0:
            yield problem
        elif seen[problem.rule] == MAX_PER_RULE:
            message = f"{problem.message} And {rest} more like this."
            yield Problem(problem.place, problem.severity, message, problem.rule)


def short(text: object) -> str:
    quoted = str(text)
    return quoted if len(quoted) <= MAX_QUOTE else f"{quoted[:MAX_QUOTE]}…"


def quads(body: bytes | str, media_type: str) -> list[Quad]:
    """Works offline: data that needs external resources, such as a context, is rejected. Raises
    SyntaxError if it cannot be parsed.
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


def document_of(triple: Triple, base: str) -> str:
    """A triple belongs to the document of its subject."""
    return home(base, subject(triple))


def untyped(found: Iterable[Triple]) -> set[UntypedTriple]:
    """As in HTML: without datatypes and languages, prose without Markdown and titles
    without tags.
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
    """The graph that most formats have; in a tie, the `first`."""
    counts = Counter([first, *forms])
    return max(counts, key=lambda each: (counts[each], each == first))


def difference(found: Triples, expected: Triples) -> str:
    """The missing and extra triples of a format, in words; empty if it is correct."""
    parts = (("lacks", expected - found), ("adds", found - expected))
    return "; it ".join(
        f"{word} {counted(len(these), 'triple')}: "
        f"{short(min(map(str, these)))}{' …' if len(these) > 1 else ''}"
        for word, these in parts
        if these
    )


def dump_faults(
    base: str,
    name: str,
    media_type: str,
    body: bytes,
    graph: Triples,
    either: Triples = frozenset(),
) -> Iterator[Problem]:
    """The problems of a dump, or a part of one, that should equal this graph; triples in `either`
    are optional.
    """
    try:
        found = quads(body, media_type)
    except SyntaxError as error:
        yield unreadable(name, error)
        return
    for quad in found if media_type == TRIG else ():
        document = document_of(quad.triple, base)
        if quad.graph_name not in (NamedNode(document), DefaultGraph()):
            yield fault("dump", name, f"This is not in the graph of {document}: {quad.triple}.")
    triples = frozenset(quad.triple for quad in found)
    if differs := difference(triples - either, graph - either):
        yield fault("dump", name, f"This dump does not match the documents: it {differs}.")
