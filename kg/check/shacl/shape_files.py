"""Reads shape files, resolves their IRIs and adds prefixes; writes all shapes as one Turtle file.

For a site's own files, places are kept and problems collected. A file that is not valid Turtle is
skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Store, Triple, parse, serialize

from kg.check.shacl import term_shapes
from kg.check.shacl.shapes import ShapeFault, Shapes, ShapeText
from kg.errors import BadQuery, Problem, offset_of
from kg.graph.turtle_errors import refusal
from kg.graph.turtle_places import OwnPlace, TriplePlace
from kg.graph.turtle_places import read as read_turtle
from kg.settings import NOWHERE, Vocabulary, shipped
from kg.sparql.reading.guard import forbid, form_of
from kg.sparql.reading.parse_errors import readable
from kg.sparql.reading.tokens import tokens, without_place
from kg.vocab import PREFIXES, rdf, renamed_terms, sh, xsd


def is_shipped(path: Path) -> bool:
    return path.parent == shipped("shapes").resolve()


def read(base: str, files: Iterable[Path], vocabularies: tuple[Vocabulary, ...] = ()) -> Shapes:
    """Reads all shapes. The shapes of terms are generated again, from the current terms and the
    vocabularies of the site.
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
    for prefix, namespace in PREFIXES.items():
        declaration = BlankNode(f"prefix-{prefix}")
        yield Triple(shapes, NamedNode(sh.declare), declaration)
        yield Triple(declaration, NamedNode(sh.prefix), Literal(prefix))
        address = Literal(namespace, datatype=NamedNode(xsd.anyURI))
        yield Triple(declaration, NamedNode(sh.namespace), address)


def resolved(
    written: Mapping[Triple, OwnPlace | None], base: str
) -> Iterator[tuple[Triple, OwnPlace | None]]:
    """Resolves relative IRIs inside queries, which the Turtle parser does not touch, and adds the
    prefixes of the site to queries. Queries that declare other prefixes for the same namespaces get
    none, because rdflib would know only the last.
    """
    known = set(PREFIXES.values())
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
            query = renamed_terms(triple.object.value)
            yield Triple(triple.subject, triple.predicate, Literal(query)), place
            if triple.subject not in others:
                ours = NamedNode(f"{base}shapes")
                yield Triple(triple.subject, NamedNode(sh.prefixes), ours), place
        else:
            yield triple, place


def relabelled(triple: Triple, labels: dict[BlankNode, BlankNode]) -> Triple:
    """The triple with blank nodes named by their order, so that the same files give the same
    bytes.
    """

    def named(node: BlankNode) -> BlankNode:
        return labels.setdefault(node, BlankNode(f"b{len(labels)}"))

    subject = named(triple.subject) if isinstance(triple.subject, BlankNode) else triple.subject
    object_ = named(triple.object) if isinstance(triple.object, BlankNode) else triple.object
    return Triple(subject, triple.predicate, object_)


def turtle(base: str, files: Iterable[Path], vocabularies: tuple[Vocabulary, ...] = ()) -> bytes:
    """All shapes as one sorted Turtle file."""
    triples = sorted(
        read(base, files, vocabularies).triples,
        key=lambda each: (str(each.subject), each.predicate.value != rdf.type, str(each)),
    )
    names = {**PREFIXES, "sh": str(sh), "s": f"{base}shapes#"}
    lines = (serialize(triples, format=RdfFormat.TURTLE, prefixes=names) or b"").splitlines(
        keepends=True
    )
    return b"".join(
        [*sorted(lines[: len(names)]), *lines[len(names) :]]
    )  # prefixes come in any order


def shape_texts(files: Iterable[Path]) -> dict[str, ShapeText]:
    """The texts of each rule's shape. The name of a rule is the fragment of its IRI, so any base
    works.
    """
    texts = read(NOWHERE, files).texts
    return {rule: text for rule, text in texts.items() if text.message}


FORMS = {f"{sh}{term}": term.upper() for term in ("select", "ask", "construct")}
FUNCTION = re.compile(r"function <(.*)>")
BEFORE = "the prefix just before"
START = TriplePlace(0, 0, 0)


def read_own(file: str, body: bytes, base: str) -> dict[Triple, OwnPlace] | Problem:
    """The triples of a site's own file with their places, or the problem why it cannot be read."""
    try:
        text = body.decode("utf-8-sig")
        triples = read_turtle(text, base)
    except (UnicodeDecodeError, SyntaxError) as error:
        return refusal(file, body, error, {**PREFIXES, "sh": str(sh), "s": "shapes#"})
    return {triple: OwnPlace(file, text, at or START) for triple, at in triples.items()}


def query_header(triples: Iterable[Triple]) -> str:
    """The PREFIX declarations of all prefixes that shapes declare, on one line."""
    said: dict[object, dict[str, str]] = {}
    for triple in triples:
        if isinstance(triple.object, Literal):
            said.setdefault(triple.subject, {})[triple.predicate.value] = triple.object.value
    declared = {each.get(sh.prefix): each.get(sh.namespace) for each in said.values()}
    return "".join(
        f"PREFIX {prefix}: <{namespace}> "
        for prefix, namespace in declared.items()
        if prefix is not None and namespace
    )


def query_fault(triple: Triple, place: OwnPlace, header: str, base: str) -> Problem | None:
    """The problem of the query in a triple, if any."""
    query, form = triple.object, FORMS.get(triple.predicate.value)
    if form is None or not isinstance(query, Literal):
        return None
    term = f"'sh:{form.lower()}'"
    found = form_of(tokens(query.value))
    if found.word != form:
        there = f"starts with {found.word}" if found.word else "has no query"
        where = place.inside(found.start) if found.word else place.object
        return Problem(
            where, "error", f"{term} {there}. Write a query that starts with {form}.", "bad-shape"
        )
    before = ""
    try:
        forbid(query.value, tokens(query.value))
        before = header
        Store().query(before + query.value, base_iri=base)
    except BadQuery as error:
        words = str(error)
    except (SyntaxError, ValueError) as error:
        words = readable(str(error), before + query.value)
    except RuntimeError as error:
        return unsupported(str(error), query.value, place)
    else:
        return None
    words, line, column = without_place(words)
    offset = offset_of(before + query.value, line, column) - len(before)
    for name in tokens(query.value) if BEFORE in words else ():
        if name.start < offset <= name.end:
            prefix = f"the prefix '{name.text.partition(':')[0]}:'"
            words = words.replace(f"{BEFORE} this", prefix).replace(BEFORE, prefix)
            offset = name.start
    message = f"{term}: {words}. Correct the query."
    return Problem(place.inside(max(offset, 0)), "error", message, "bad-shape")


def unsupported(words: str, query: str, place: OwnPlace) -> Problem:
    """The problem of a function that SPARQL does not have, at its name."""
    function = FUNCTION.search(words)
    name = function[1] if function else ""
    calls = (each for each in tokens(query) if each.is_term and name.endswith(local(each.text)))
    call = next(calls, None) if name else None
    this = call.text if call else words
    message = f"SPARQL has no function {this}. Use a built-in one, such as STRLEN or REGEX."
    return Problem(place.inside(call.start if call else 0), "error", message, "bad-shape")


def local(name: str) -> str:
    """The local name of a term, without prefix or brackets."""
    return name.strip("<>").rpartition(":" if name[0] != "<" else "/")[2]
