"""Reads shape files: addresses are resolved against the base, and the prefixes declared that
queries use. And writes all shapes as one file of Turtle, for any SHACL processor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse, serialize

from kg.check.shacl.shapes import Shapes, ShapeText
from kg.errors import BadQuery, KgError
from kg.sparql.reading.guard import inspect
from kg.vocab import prefixes, rdf, sh, xsd

QUERIES = frozenset(f"{sh}{term}" for term in ("select", "ask", "construct", "update"))


def read(base: str, files: Iterable[Path]) -> Shapes:
    return shapes_in(base, tuple((path, path.read_bytes()) for path in files))


@lru_cache(maxsize=4)
def shapes_in(base: str, bodies: tuple[tuple[Path, bytes], ...]) -> Shapes:
    triples: list[Triple] = []
    for path, body in bodies:
        quads = parse(body, format=RdfFormat.TURTLE, base_iri=base, rename_blank_nodes=True)
        try:
            triples += [guarded(quad.triple, path, body) for quad in quads]
        except SyntaxError as error:
            raise KgError(f"{path}: these shapes cannot be used: {error.msg}") from error
    return Shapes(base, [*declarations(base), *resolved(relabelled(triples), base)])


def guarded(triple: Triple, path: Path, body: bytes) -> Triple:
    """A triple whose query, if it has one, is no more than a stranger might ask."""
    if triple.predicate.value not in QUERIES or not isinstance(triple.object, Literal):
        return triple
    query = triple.object.value
    try:
        inspect(query)
    except BadQuery as error:
        before = body.partition(query.strip().partition("\n")[0].encode())[0]
        line = before.count(b"\n") + 1 if len(before) < len(body) else 1
        raise KgError(f"{path}:{line}: these shapes cannot be used: {error}") from error
    return triple


def declarations(base: str) -> Iterator[Triple]:
    shapes = NamedNode(f"{base}shapes")
    for prefix, namespace in prefixes(base).items():
        declaration = BlankNode(f"prefix-{prefix}")
        yield Triple(shapes, NamedNode(sh.declare), declaration)
        yield Triple(declaration, NamedNode(sh.prefix), Literal(prefix))
        yield Triple(
            declaration,
            NamedNode(sh.namespace),
            Literal(namespace, datatype=NamedNode(f"{xsd}anyURI")),
        )


def resolved(triples: Iterable[Triple], base: str) -> Iterator[Triple]:
    """A query's own relative addresses are resolved too, for a text is not touched when a file is
    read.
    """
    for triple in triples:
        if triple.predicate.value == sh.select and isinstance(triple.object, Literal):
            query = triple.object.value.replace("<terms/", f"<{base}terms/")
            yield Triple(triple.subject, triple.predicate, Literal(query))
            yield Triple(triple.subject, NamedNode(sh.prefixes), NamedNode(f"{base}shapes"))
        else:
            yield triple


def relabelled(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Blank nodes get their names by their order, so that the same files give the same bytes."""
    names: dict[BlankNode, BlankNode] = {}

    def name(node: BlankNode) -> BlankNode:
        return names.setdefault(node, BlankNode(f"b{len(names)}"))

    for triple in triples:
        subject = name(triple.subject) if isinstance(triple.subject, BlankNode) else triple.subject
        object_ = name(triple.object) if isinstance(triple.object, BlankNode) else triple.object
        yield Triple(subject, triple.predicate, object_)


def turtle(base: str, files: Iterable[Path]) -> bytes:
    """All shapes in one file, sorted."""
    triples = sorted(
        read(base, files).triples,
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
    texts = read("https://site.example/", files).texts
    return {rule: text for rule, text in texts.items() if text.message}
