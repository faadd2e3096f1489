"""Reads shape files: addresses are resolved against the base, and the prefixes declared that
queries use. And writes all shapes as one file of Turtle, for any SHACL processor.

Of a site's own files places are kept, and problems found: one that is no Turtle is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse, serialize

from kg.check.shacl import term_shapes
from kg.check.shacl.shape_text import FORMS, query_fault, query_header, read_own
from kg.check.shacl.shapes import ShapeFault, Shapes, ShapeText
from kg.errors import Problem
from kg.graph.turtle_places import OwnPlace
from kg.settings import NOWHERE, Vocabulary, shipped
from kg.vocab import prefixes, rdf, sh, xsd


def is_shipped(path: Path) -> bool:
    return path.parent == shipped("shapes").resolve()


def read(base: str, files: Iterable[Path], vocabularies: tuple[Vocabulary, ...] = ()) -> Shapes:
    """All shapes. Those of terms are generated anew, as our terms are now and with those of the
    site's own vocabularies.
    """
    terms = term_shapes.text(vocabularies).encode()
    bodies = ((path, terms if is_of_terms(path) else path.read_bytes()) for path in files)
    return shapes_in(base, tuple(bodies))


def is_of_terms(path: Path) -> bool:
    return is_shipped(path) and path.name == term_shapes.FILE


@lru_cache(maxsize=4)
def shapes_in(base: str, bodies: tuple[tuple[Path, bytes], ...]) -> Shapes:
    labels: dict[BlankNode, BlankNode] = {}
    written: dict[Triple, OwnPlace | None] = {}
    faults: list[ShapeFault] = []
    for path, body in bodies:
        if is_shipped(path):
            quads = parse(body, format=RdfFormat.TURTLE, base_iri=base, rename_blank_nodes=True)
            written |= {relabelled(quad.triple, labels): None for quad in quads}
            continue
        found = read_own(f"shapes/{path.name}", body, base)
        if isinstance(found, Problem):
            faults.append(ShapeFault(None, found))
            continue
        for triple, place in found.items():
            written.setdefault(relabelled(triple, labels), place)
    final = list(resolved(written, base))
    triples = [*declarations(base), *(triple for triple, _ in final)]
    own = {triple: place for triple, place in final if place}
    if own:
        header = query_header(triples)
        faults += [
            ShapeFault(triple.subject, fault)  # type: ignore[arg-type]
            for triple, place in written.items()
            if place and (fault := query_fault(triple, place, header, base))
        ]
    return Shapes(base, triples, own, faults)


def declarations(base: str) -> Iterator[Triple]:
    shapes = NamedNode(f"{base}shapes")
    for prefix, namespace in prefixes(base).items():
        declaration = BlankNode(f"prefix-{prefix}")
        yield Triple(shapes, NamedNode(sh.declare), declaration)
        yield Triple(declaration, NamedNode(sh.prefix), Literal(prefix))
        address = Literal(namespace, datatype=NamedNode(xsd.anyURI))
        yield Triple(declaration, NamedNode(sh.namespace), address)


def resolved(
    written: Mapping[Triple, OwnPlace | None], base: str
) -> Iterator[tuple[Triple, OwnPlace | None]]:
    """A query's own relative addresses are resolved too, for a text is not touched when a file is
    read; and it has the prefixes of the site, unless it declares others for the same namespaces,
    of which rdflib would know only the last.
    """
    known = set(prefixes(base).values())
    others: set[object] = {
        each.subject
        for each in written
        if each.predicate.value == sh.namespace and getattr(each.object, "value", "") in known
    }
    for term in (sh.declare, sh.prefixes):
        others = {
            each.subject
            for each in written
            if each.predicate.value == term and each.object in others
        }
    for triple, place in written.items():
        if triple.predicate.value in FORMS and isinstance(triple.object, Literal):
            query = triple.object.value.replace("<terms/", f"<{base}terms/")
            yield Triple(triple.subject, triple.predicate, Literal(query)), place
            if triple.subject not in others:
                ours = NamedNode(f"{base}shapes")
                yield Triple(triple.subject, NamedNode(sh.prefixes), ours), place
        else:
            yield triple, place


def relabelled(triple: Triple, labels: dict[BlankNode, BlankNode]) -> Triple:
    """Blank nodes get their names by their order, so that the same files give the same bytes."""

    def named(node: BlankNode) -> BlankNode:
        return labels.setdefault(node, BlankNode(f"b{len(labels)}"))

    subject = named(triple.subject) if isinstance(triple.subject, BlankNode) else triple.subject
    object_ = named(triple.object) if isinstance(triple.object, BlankNode) else triple.object
    return Triple(subject, triple.predicate, object_)


def turtle(base: str, files: Iterable[Path], vocabularies: tuple[Vocabulary, ...] = ()) -> bytes:
    """All shapes in one file, sorted."""
    triples = sorted(
        read(base, files, vocabularies).triples,
        key=lambda each: (str(each.subject), each.predicate.value != rdf.type, str(each)),
    )
    names = {**prefixes(base), "sh": str(sh), "s": f"{base}shapes#"}
    lines = (serialize(triples, format=RdfFormat.TURTLE, prefixes=names) or b"").splitlines(
        keepends=True
    )
    return b"".join(
        [*sorted(lines[: len(names)]), *lines[len(names) :]]
    )  # the prefixes come in any order


def shape_texts(files: Iterable[Path]) -> dict[str, ShapeText]:
    """Rule -> the texts of its shape. The rule is the fragment of the shape's IRI, so any base will
    do.
    """
    texts = read(NOWHERE, files).texts
    return {rule: text for rule, text in texts.items() if text.message}
