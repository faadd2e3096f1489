"""The shapes with the site's address in them: one file of Turtle that any SHACL processor runs unchanged. And what they say of themselves.

Sorted, with blank nodes named by what they hold, so that the same shapes give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import BlankNode, CanonicalizationAlgorithm, Dataset, Literal, NamedNode, Quad, RdfFormat, Triple, parse, serialize

from kg.errors import KgError
from kg.vocab import prefixes, rdf, rdfs, xsd

SH, OWL = "http://www.w3.org/ns/shacl#", "http://www.w3.org/2002/07/owl#"
QUERIES = {NamedNode(f"{SH}{name}") for name in ("select", "ask", "construct", "update")}
MESSAGE, SPARQL, COMMENT = NamedNode(f"{SH}message"), NamedNode(f"{SH}sparql"), NamedNode(rdfs.comment)


@dataclass(frozen=True, slots=True)
class Said:
    """What a shape says of itself: its message, with `{?name}` for what it finds, and its comment, which may be empty."""

    message: str
    comment: str = ""


def triples(base: str, files: Iterable[Path]) -> list[Triple]:
    """What the files say, their IRIs resolved."""
    found: list[Triple] = []
    for path in files:
        try:
            found += [quad.triple for quad in parse(path=str(path), format=RdfFormat.TURTLE, base_iri=base, rename_blank_nodes=True)]
        except SyntaxError as error:
            raise KgError(f"{path}: these shapes cannot be used: {error.msg}") from error
    return found


def turtle(base: str, files: Iterable[Path]) -> bytes:
    """All shapes in one file. Queries find the prefixes they use declared, as SHACL wants it."""
    ontology = NamedNode(f"{base}shapes")
    dataset = Dataset(Quad(*triple) for triple in declared(ontology, prefixes(base)))
    for triple in triples(base, files):
        if triple.predicate in QUERIES and isinstance(triple.object, Literal):
            query = triple.object.value.replace("<terms/", f"<{base}terms/")  # SPARQL would resolve it against nothing we know
            dataset.add(Quad(triple.subject, triple.predicate, Literal(query)))
            dataset.add(Quad(triple.subject, NamedNode(f"{SH}prefixes"), ontology))
        else:
            dataset.add(Quad(*triple))
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    ordered = sorted((quad.triple for quad in dataset), key=lambda each: (str(each.subject), each.predicate.value != rdf.type, str(each)))
    names = {**prefixes(base), "sh": SH, "owl": OWL, "s": f"{base}shapes#"}
    text = serialize(ordered, format=RdfFormat.TURTLE, prefixes=names) or b""
    head, blocks = text.splitlines(keepends=True)[: len(names)], text.splitlines(keepends=True)[len(names) :]
    return b"".join([*sorted(head), *blocks])  # the prefixes come in any order


def declared(ontology: NamedNode, names: dict[str, str]) -> Iterable[Triple]:
    yield Triple(ontology, NamedNode(rdf.type), NamedNode(f"{OWL}Ontology"))
    for prefix, namespace in names.items():
        declaration = BlankNode()
        yield Triple(ontology, NamedNode(f"{SH}declare"), declaration)
        yield Triple(declaration, NamedNode(f"{SH}prefix"), Literal(prefix))
        yield Triple(declaration, NamedNode(f"{SH}namespace"), Literal(namespace, datatype=NamedNode(f"{xsd}anyURI")))


def said(files: Iterable[Path]) -> dict[str, Said]:
    """Rule -> what its shape says. The rule is the fragment of the shape's IRI, so any base will do."""
    found = triples("https://site.example/", files)
    texts = {(str(each.subject), each.predicate): each.object.value for each in found if isinstance(each.object, Literal)}
    inside = {str(each.subject): str(each.object) for each in found if each.predicate == SPARQL}
    rules = {}
    for shape in {str(each.subject) for each in found if isinstance(each.subject, NamedNode)}:
        of = (shape, inside.get(shape, ""))
        message, comment = (next((texts[each, name] for each in of if (each, name) in texts), "") for name in (MESSAGE, COMMENT))
        if message:
            rules[shape[1:-1].rpartition("#")[2]] = Said(message, comment)
    return rules
