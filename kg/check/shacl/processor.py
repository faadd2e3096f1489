"""Runs pyshacl, the SHACL processor, without network access, because shapes can come from
anyone.
"""

from __future__ import annotations

import logging
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyoxigraph
from pyoxigraph import NamedNode, Triple

from kg.check.shacl.shapes import Finding, Node, filled, rule_name
from kg.errors import KgError
from kg.vocab import xsd

if TYPE_CHECKING:
    import rdflib

# nesting of shapes; pyshacl's default of 15 is too small for a path in a list of shapes
META_DEPTH = 60
NETWORK_EVENTS = ("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request")
thread_state = threading.local()


@lru_cache(maxsize=1)
def install_audit_hook() -> None:
    """Installs an audit hook that sees every connection before it is opened."""

    def refuse(event: str, _: object) -> None:
        if event in NETWORK_EVENTS and getattr(thread_state, "offline", False):
            raise KgError("a query calls another server, which is not allowed.")

    sys.addaudithook(refuse)


@contextmanager
def offline() -> Iterator[None]:
    """In this context, the current thread cannot open connections, and warnings are ignored."""
    install_audit_hook()
    thread_state.offline = True
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        thread_state.offline = False


def validate(shapes: bytes, data: str) -> list[Finding]:
    """The findings of pyshacl, as values that can be pickled."""
    from pyshacl import validate  # noqa: PLC0415
    from rdflib import Graph  # noqa: PLC0415

    prepare()
    try:
        with offline():
            graph = rdflib_graph(data.encode())
            _, report, text = validate(graph, shacl_graph=parsed(shapes), inplace=True)
    except Exception as error:  # pyshacl can raise anything for invalid shapes
        raise KgError(f"The shapes cannot be used: {error}") from error
    if not isinstance(report, Graph):
        raise KgError(f"The shapes cannot be used: {text}")
    return list(results(report, parsed(shapes)))


@lru_cache(maxsize=1)
def prepare() -> None:
    """Patches pyshacl to fill values into messages as our own rules do, with IRIs in brackets; it
    would drop these and fail on a backslash. Also silences the logging of pyshacl about shapes and
    of rdflib about values it cannot convert, such as years before Christ.
    """
    from pyshacl.constraints.constraint_component import ConstraintComponent  # noqa: PLC0415

    def fill(_: object, message: str, found: Any) -> str:
        this, path, value, row = found if isinstance(found, tuple) else (None, None, None, found)
        row = {"this": this, "path": path, "value": value, **row}
        texts = {name: text_of(term) for name, term in row.items() if term is not None}
        return filled(message, texts)

    name = "_format_sparql_based_result_message"
    setattr(ConstraintComponent, name, fill)
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    logging.getLogger("pyshacl-validate").disabled = True


def text_of(term: Any) -> str:
    """A term as text for a message. rdflib writes whole floats as "2.0", our store as "2"."""
    from rdflib import URIRef  # noqa: PLC0415

    return f"<{term}>" if isinstance(term, URIRef) else str(term)


@lru_cache(maxsize=4)
def parsed(shapes: bytes) -> rdflib.Graph:
    return rdflib_graph(shapes)


def rdflib_graph(ntriples: bytes) -> rdflib.Graph:
    """The triples as an rdflib graph. rdflib's own parser takes quadratic time for long lines."""
    from rdflib import Graph  # noqa: PLC0415

    graph = Graph()
    for quad in pyoxigraph.parse(ntriples, pyoxigraph.RdfFormat.N_TRIPLES):
        subject, predicate, object_ = map(as_rdflib, quad.triple)
        graph.add((subject, predicate, object_))
    return graph


def results(report: rdflib.Graph, shapes: rdflib.Graph) -> Iterator[Finding]:
    from rdflib import BNode  # noqa: PLC0415
    from rdflib.namespace import SH  # noqa: PLC0415

    names = ("focusNode", "resultPath", "value", "resultSeverity", "resultMessage")
    for result in report.objects(None, SH.result):
        terms: Iterable[Any] = (
            min(report.objects(result, SH[name]), key=str, default=None) for name in names
        )
        focus, path, value, severity, message = (
            None if term is None else str(term) for term in terms
        )
        if isinstance(report.value(result, SH.resultPath), BNode):
            path = None  # a path of several steps is a blank node with a random name
        rule = named(shapes, report.value(result, SH.sourceShape))
        yield Finding(focus or "", path, value, rule_name(rule), rule_name(severity), message or "")


def named(shapes: rdflib.Graph, shape: Any) -> str:
    """The IRI of a shape; for a blank node, whose name is random, that of the enclosing shape."""
    from rdflib import BNode  # noqa: PLC0415

    while isinstance(shape, BNode):
        shape = min(shapes.subjects(None, shape), key=str, default=None)
    return str(shape or "")


def meta_results(
    triples: Iterable[Triple],
) -> Iterator[tuple[Node, str | None, Node | pyoxigraph.Literal | None, str]]:
    """Violations of the W3C's shapes for SHACL: node, path, value and kind of constraint. Raises
    KgError if pyshacl fails.
    """
    from pyshacl.entrypoints import meta_validate  # noqa: PLC0415
    from rdflib import Graph, URIRef  # noqa: PLC0415
    from rdflib.namespace import SH  # noqa: PLC0415

    graph = Graph()
    back: dict[Any, Any] = {}
    prepare()
    try:
        with offline():
            for triple in triples:
                terms = [as_rdflib(term) for term in triple]
                graph.add((terms[0], terms[1], terms[2]))
                back.update(zip(terms, triple, strict=True))
            _, report, text = meta_validate(
                graph, inference="none", max_validation_depth=META_DEPTH
            )
    except Exception as error:  # pyshacl can raise anything for invalid shapes
        raise KgError(f"The shapes cannot be used: {error}") from error
    if not isinstance(report, Graph):
        raise KgError(f"The shapes cannot be used: {text}")
    for result in sorted(report.objects(None, SH.result), key=str):
        focus, path, value, component = (
            report.value(result, SH[name])
            for name in ("focusNode", "resultPath", "value", "sourceConstraintComponent")
        )
        if focus in back:
            kind = rule_name(str(component)).removesuffix("ConstraintComponent")
            yield (
                back[focus],
                str(path) if isinstance(path, URIRef) else None,
                back.get(value),
                kind,
            )


def as_rdflib(term: Any) -> Any:
    from rdflib import BNode, Literal, URIRef  # noqa: PLC0415

    if isinstance(term, pyoxigraph.Literal):
        is_plain = term.language or term.datatype.value == xsd.string
        datatype = None if is_plain else URIRef(term.datatype.value)
        return Literal(term.value, lang=term.language, datatype=datatype)
    return (URIRef if isinstance(term, NamedNode) else BNode)(term.value)
