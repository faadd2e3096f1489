"""Validates a graph by the own shapes of a site, with pyshacl over the store of the graph, and
without network access, because shapes can come from anyone.

Only sites with own shapes import this module, because pyshacl takes long to import.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import pyoxigraph
import rdflib
from pyoxigraph import BlankNode, Literal, NamedNode, Triple
from pyshacl import validate
from pyshacl.constraints.constraint_component import ConstraintComponent
from rdflib.namespace import SH
from rdflib.store import Store

from kg.check.shapes import QUERIES, Finding, Shapes, dated, declarations, filled, rule_name
from kg.errors import KgError, Place, Problem, place_at
from kg.graph import turtle_places
from kg.vocab import xsd

MAX_DEPTH = 60  # nesting of shapes; the default of 15 is small for a path in a list of shapes
NETWORK_EVENTS = ("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request")
CACHED_TERMS = 1 << 16
thread_state = threading.local()


def find(shapes: Shapes, store: pyoxigraph.Store, today: str) -> list[Finding] | Problem:
    """The findings of the own shapes, or why pyshacl cannot use them."""
    own = [*declarations(shapes.base), *(with_date(each, today) for each in shapes.own)]
    try:
        return findings(own, StoreView(store).graph)
    except KgError as error:
        return unusable(shapes, error)


def with_date(triple: Triple, today: str) -> Triple:
    if triple.predicate.value not in QUERIES or not isinstance(triple.object, Literal):
        return triple
    return Triple(triple.subject, triple.predicate, Literal(dated(triple.object.value, today)))


def unusable(shapes: Shapes, error: KgError) -> Problem:
    """The problem, at the first shape that the error names."""
    # what the parser says of places is of the query with its prefixes
    words = re.sub(r"\s*\(at char.*", "", str(error).partition("\n")[0]).rstrip(".!?")
    message = f"The shapes cannot be used: {words}. Correct them."
    place = Place(next(iter(shapes.files)))
    for file, text in shapes.files.items():
        for triple, at in turtle_places.read(text, shapes.base).items():
            name = getattr(triple.subject, "value", "")
            if at and isinstance(triple.subject, NamedNode) and is_named(name, str(error)):
                return Problem(place_at(file, text, at.subject), "error", message, "bad-shape")
    return Problem(place, "error", message, "bad-shape")


def is_named(address: str, message: str) -> bool:
    return re.search(rf"{re.escape(address)}(?![\w-])", message) is not None


def findings(shapes: Iterable[Triple], data: rdflib.Graph) -> list[Finding]:
    """The findings of pyshacl. Raises KgError if it fails."""
    prepare()
    shape_graph = rdflib.Graph()
    try:
        for triple in shapes:
            shape_graph.add(as_rdflib_triple(triple))
        with offline():
            _, report, text = validate(
                data, shacl_graph=shape_graph, inplace=True, max_validation_depth=MAX_DEPTH
            )
    except Exception as error:  # pyshacl can raise anything for invalid shapes
        raise KgError(str(error)) from error
    if not isinstance(report, rdflib.Graph):
        raise KgError(text)
    return sorted(set(results(report, shape_graph)), key=str)


class StoreView(Store):
    """The triples of all graphs of a store, for rdflib."""

    context_aware = graph_aware = True  # pyshacl requires it, and uses one graph

    def __init__(self, store: pyoxigraph.Store) -> None:
        super().__init__()
        self.store = store
        self.graph = rdflib.Graph(self, bind_namespaces="none")

    def triples(self, pattern: Any, context: Any = None) -> Iterator[Any]:
        try:
            quads = self.store.quads_for_pattern(*map(as_term, pattern))
        except (TypeError, ValueError):  # a literal as subject, or an IRI that no graph can have
            return
        for triple in dict.fromkeys(quad.triple for quad in quads):
            if not isinstance(triple.object, Triple):  # rdflib has no triples about triples
                yield as_rdflib_triple(triple), iter((self.graph,))

    def __len__(self, context: Any = None) -> int:
        return len(self.store)


def as_rdflib_triple(triple: Triple) -> tuple[Any, Any, Any]:
    subject, predicate, object_ = map(as_rdflib, triple)
    return subject, predicate, object_


@lru_cache(CACHED_TERMS)
def as_rdflib(term: Any) -> Any:
    if isinstance(term, Literal):
        is_plain = term.language or term.datatype.value == xsd.string
        datatype = None if is_plain else rdflib.URIRef(term.datatype.value)
        return rdflib.Literal(term.value, lang=term.language, datatype=datatype, normalize=False)
    return (rdflib.URIRef if isinstance(term, NamedNode) else rdflib.BNode)(term.value)


def as_term(term: Any) -> Any:
    if isinstance(term, rdflib.Literal):
        datatype = NamedNode(term.datatype) if term.datatype else None
        return Literal(str(term), language=term.language, datatype=datatype)
    if isinstance(term, rdflib.BNode):
        return BlankNode(term)
    return term if term is None else NamedNode(term)


@lru_cache(maxsize=1)
def prepare() -> None:
    """Patches pyshacl to fill values into messages as our own rules do, with IRIs in brackets; it
    would drop these and fail on a backslash. Also silences the logging of pyshacl about shapes and
    of rdflib about values it cannot convert, such as years before Christ.
    """

    def fill(_: object, message: str, found: Any) -> str:
        this, path, value, row = found if isinstance(found, tuple) else (None, None, None, found)
        row = {"this": this, "path": path, "value": value, **row}
        texts = {name: text_of(term) for name, term in row.items() if term is not None}
        return filled(message, texts)

    name = "_format_sparql_based_result_message"
    setattr(ConstraintComponent, name, fill)
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    logging.getLogger("pyshacl-validate").disabled = True
    sys.addaudithook(refuse_connection)


def text_of(term: Any) -> str:
    """A term as text for a message. rdflib writes whole floats as "2.0", our store as "2"."""
    return f"<{term}>" if isinstance(term, rdflib.URIRef) else str(term)


def refuse_connection(event: str, _: object) -> None:
    if event in NETWORK_EVENTS and getattr(thread_state, "offline", False):
        raise KgError("a query calls another server, which is not allowed.")


@contextmanager
def offline() -> Iterator[None]:
    """In this context, the current thread cannot open connections, and warnings are ignored."""
    thread_state.offline = True
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        thread_state.offline = False


def results(report: rdflib.Graph, shapes: rdflib.Graph) -> Iterator[Finding]:
    names = ("focusNode", "resultPath", "value", "resultSeverity", "resultMessage")
    for result in report.objects(None, SH.result):
        terms: Iterable[Any] = (
            min(report.objects(result, SH[name]), key=str, default=None) for name in names
        )
        focus, path, value, severity, message = (
            None if term is None else str(term) for term in terms
        )
        if isinstance(report.value(result, SH.resultPath), rdflib.BNode):
            path = None  # a path of several steps is a blank node with a random name
        rule = rule_name(named(shapes, report.value(result, SH.sourceShape)))
        yield Finding(focus or "", path, value, rule, rule_name(severity or ""), message or "")


def named(shapes: rdflib.Graph, shape: Any) -> str:
    """The IRI of a shape; for a blank node, whose name is random, that of the enclosing shape."""
    seen = set[Any]()
    while isinstance(shape, rdflib.BNode) and shape not in seen:
        seen.add(shape)
        shape = min(shapes.subjects(None, shape), key=str, default=None)
    return str(shape) if isinstance(shape, rdflib.URIRef) else ""
