"""SHACL -> Problems. pyshacl judges the graph by `shapes/*.ttl`; each result is led back to the line it comes from.

Dataset-wide rules have the base as their focus node and the offender as their value, so the offender is what a problem is about.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyoxigraph import RdfFormat, parse, serialize

from kg.errors import KgError, Place, Problem, Severity
from kg.graph import dataset
from kg.graph.build import Graph
from kg.graph.dataset import Finding, local
from kg.mapping import origins
from kg.mapping.text import triple
from kg.settings import resources
from kg.vocab import prefixes

if TYPE_CHECKING:
    import rdflib

SEVERITY: dict[str, Severity] = {"Violation": "error", "Warning": "warning", "Info": "info"}


def check(graph: Graph) -> list[Problem]:
    """The problems the shapes find."""
    return [problem(graph, finding) for finding in validate(graph, resources(graph.site, "shapes", "*.ttl"))]


def shapes_graph(base: str, files: list[Path]) -> rdflib.Graph:
    """The shapes with their IRIs resolved, and with the prefixes their queries use."""
    from rdflib import BNode, Graph, Literal, URIRef  # noqa: PLC0415
    from rdflib.namespace import RDF, SH, XSD  # noqa: PLC0415

    shapes = Graph()
    for path in files:
        try:
            triples = [quad.triple for quad in parse(path=str(path), format=RdfFormat.TURTLE, base_iri=base)]
        except SyntaxError as error:  # rdflib's own parser raises whatever comes
            raise KgError(f"{path}: these shapes cannot be used: {error.msg}") from error
        shapes.parse(data=serialize(triples, format=RdfFormat.N_TRIPLES), format="nt")
    ontology = URIRef(f"{base}shapes")
    for prefix, namespace in prefixes(base).items():
        declaration = BNode()
        shapes.add((ontology, SH.declare, declaration))
        shapes.add((declaration, SH.prefix, Literal(prefix)))
        shapes.add((declaration, SH.namespace, Literal(namespace, datatype=XSD.anyURI)))
    for constraint in list(shapes.subjects(RDF.type, SH.SPARQLConstraint)):
        shapes.add((constraint, SH.prefixes, ontology))
        query = str(shapes.value(constraint, SH.select))
        shapes.set((constraint, SH.select, Literal(query.replace("<terms/", f"<{base}terms/"))))
    return shapes


def validate(graph: Graph, files: list[Path]) -> list[Finding]:
    """Rules about the whole dataset are asked of the store, where they take milliseconds; pyshacl judges the rest."""
    shapes = shapes_graph(graph.site.base, files)
    found = dataset.findings(graph.memory, shapes)
    return sorted({*found, *with_pyshacl(graph, shapes)}, key=str)


def with_pyshacl(graph: Graph, shapes: rdflib.Graph) -> list[Finding]:
    import pyshacl  # noqa: PLC0415
    from pyshacl.errors import ReportableRuntimeError  # noqa: PLC0415
    from rdflib import Graph  # noqa: PLC0415
    from rdflib.namespace import SH  # noqa: PLC0415

    wanted = predicates_in(shapes)
    lines = (line for line in graph.nquads.decode().split("\n")[:-1] if wanted is None or line.split(" ", 2)[1] in wanted)
    data = Graph()
    data.parse(data="".join(map(triple, lines)), format="nt")
    try:
        _, report, text = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
    except ReportableRuntimeError as error:
        raise KgError(f"The shapes cannot be used: {error}") from error
    if not isinstance(report, Graph):
        raise KgError(f"The shapes cannot be used: {text}")

    def finding(result: Any) -> Finding:
        said = {
            name: report.value(result, SH[name])
            for name in ("focusNode", "resultPath", "value", "sourceShape", "resultSeverity", "resultMessage")
        }
        focus, path, value, rule, severity, message = (None if term is None else str(term) for term in said.values())
        return Finding(focus or "", path, value, local(rule), local(severity), message or "")

    return [finding(result) for result in report.objects(None, SH.result)]


def predicates_in(shapes: rdflib.Graph) -> set[str] | None:
    """The predicates that core constraints can look at, in brackets; None where a shape may look at any.

    A core constraint sees the class of a node and what its paths lead to, so the rest need not be handed over.
    """
    from rdflib import URIRef  # noqa: PLC0415
    from rdflib.namespace import RDF, RDFS, SH  # noqa: PLC0415

    if any(next(shapes.subject_objects(unbounded), None) for unbounded in (SH.closed, SH.sparql, SH.rule, SH.target)):
        return None
    named = (SH.path, SH.equals, SH.disjoint, SH.lessThan, SH.lessThanOrEquals, SH.targetSubjectsOf, SH.targetObjectsOf)
    found = {predicate for each in named for predicate in shapes.objects(None, each)}
    if not all(isinstance(predicate, URIRef) for predicate in found):
        return None
    return {f"<{predicate}>" for predicate in (*found, RDF.type, RDFS.subClassOf)}


def problem(graph: Graph, finding: Finding) -> Problem:
    base = graph.site.base
    about = finding.value if finding.focus == base and finding.value else finding.focus
    found = origins.locate(graph.origins, base, about, finding.path, finding.value)
    place, label = found or (Place("data/site.yaml"), about.removeprefix(base))
    message = finding.message.replace(base, "")
    return Problem(place, SEVERITY.get(finding.severity, "error"), f"{label}: {message}" if label else message, finding.rule)
