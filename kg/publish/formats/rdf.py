"""RDF as text: readable Turtle, RDF/XML, sorted N-Triples, and a graph in any form.

All of them are sorted, so the same triples give the same bytes. Turtle is written here, because
people read it: a block for each subject, from its name down. The other forms come from pyoxigraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Triple, serialize

from kg.errors import KgError
from kg.facts.values.text import NOT_IN_XML
from kg.mapping.iris import fits_rdfxml
from kg.mapping.ntriples import literal
from kg.publish.formats.media import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.formats.reading_order import reading_order
from kg.vocab import Iri, cut, names, prefixes, rdf, xsd

# Surely read back as written: no scheme, no dots to be resolved.
RELATIVE = re.compile(r"([\w-]+/)*[\w-]*(#[\w/:%-]*)?", re.ASCII)
# Values that stand without quotes and datatype.
BARE = {
    str(xsd.integer): re.compile(r"-?\d+", re.ASCII),
    str(xsd.decimal): re.compile(r"-?\d+\.\d+", re.ASCII),
    str(xsd.boolean): re.compile("true|false"),
}
LONE_MARK = re.compile(r'\\"(?!\\"|\Z)')  # needs no escape between long quotes
TYPE, STRING = rdf.type, xsd.string
SHORT = 72  # characters of two objects that share a line
XML_END = b"</rdf:RDF>"
Value = Iri | str | int | float | Literal | None


class TurtleWriter:
    """Writes terms with the site's prefixes, unless others are passed; only prefixes in use are
    declared.
    """

    def __init__(self, base: str, names: Mapping[str, str] | None = None) -> None:
        self.base = base
        self.prefixes = names or prefixes(base)
        self.names = {namespace: prefix for prefix, namespace in self.prefixes.items()}
        self.used: set[str] = set()
        self.written: dict[str, str] = {}

    def iri(self, iri: str) -> str:
        if iri not in self.written:
            self.written[iri] = self.shortened(iri)
        return self.written[iri]

    def shortened(self, iri: str) -> str:
        namespace, local = cut(iri)
        if local and namespace in self.names:
            self.used.add(self.names[namespace])
            return f"{self.names[namespace]}:{local}"
        relative = iri.removeprefix(self.base)
        return f"<{relative if RELATIVE.fullmatch(relative) else iri}>"

    def head(self) -> str:
        return f"@base <{self.base}> .\n" + "".join(
            f"@prefix {prefix}: <{self.prefixes[prefix]}> .\n" for prefix in sorted(self.used)
        )

    def object(self, term: object) -> str:
        if isinstance(term, NamedNode):
            return self.iri(term.value)
        if not isinstance(term, Literal):
            return str(term)
        if term.language:
            return f"{quoted(term.value)}@{term.language}"
        datatype = term.datatype.value
        if datatype in BARE and BARE[datatype].fullmatch(term.value):
            return term.value
        if datatype == STRING:
            return quoted(term.value)
        return f"{literal(term.value)}^^{self.iri(datatype)}"

    def blocks(self, quads: Iterable[Quad]) -> Iterator[str]:
        """The text about each subject, in the order in which people read."""
        ordered = reading_order(self.base, quads)
        for subject, about in groupby(ordered, key=lambda quad: quad.subject):
            lines = [
                self.line(predicate.value, [self.object(quad.object) for quad in same])
                for predicate, same in groupby(about, key=lambda quad: quad.predicate)
            ]
            yield f"{self.object(subject)} " + " ;\n  ".join(lines) + " .\n"

    def line(self, predicate: str, objects: Sequence[str]) -> str:
        """Classes share a line, as two short objects do; of more, each has its own."""
        if predicate == TYPE:
            return f"a {', '.join(objects)}"
        verb, width = self.iri(predicate), sum(map(len, objects))
        if len(objects) == 1 or (len(objects) == 2 and width <= SHORT and "\n" not in objects[0]):
            return f"{verb} {', '.join(objects)}"
        return f"{verb}\n    " + ",\n    ".join(objects)


def quoted(text: str) -> str:
    """A Turtle string; a text of several lines keeps its line ends and single quotation marks."""
    if "\n" not in text:
        return literal(text)
    lines = "\n".join(literal(line)[1:-1] for line in text.split("\n"))
    return f'"""{LONE_MARK.sub(chr(34), lines)}"""'


def turtle(base: str, quads: Iterable[Quad], names: Mapping[str, str] | None = None) -> bytes:
    """The triples of the quads, whatever graphs they are in."""
    writer = TurtleWriter(base, names)
    blocks = list(writer.blocks(quads))  # says which prefixes the head declares
    return "\n".join([writer.head(), *blocks]).encode()


def rdfxml(base: str, quads: Iterable[Quad], names: Mapping[str, str] | None = None) -> bytes:
    """The triples of the quads, in the order of our Turtle.

    A predicate is the name of an element here: one whose end is no name cannot be written, nor can
    a text with control characters. The check refuses both in the facts of a site.
    """
    triples = [quad.triple for quad in reading_order(base, quads)]
    for predicate in dict.fromkeys(triple.predicate.value for triple in triples):
        if not fits_rdfxml(predicate):
            raise KgError(
                f"{predicate} cannot be written as RDF/XML. Use a property whose address "
                "ends in a name."
            )
    body = serialized(triples, RdfFormat.RDF_XML, names or prefixes(base), base)
    if found := NOT_IN_XML.search(body.decode()):
        raise KgError(
            f"The character U+{ord(found[0]):04X} cannot be written as RDF/XML. Remove it "
            "from the facts."
        )
    return body.replace(b"\r", b"&#13;") + b"\n"  # a parser would turn a bare one into a newline


def serialized(
    triples: Iterable[Triple],
    form: RdfFormat,
    names: Mapping[str, str] | None = None,
    base: str | None = None,
) -> bytes:
    prefixes = dict(names) if names else None
    return serialize(triples, format=form, prefixes=prefixes, base_iri=base) or b""


def rdfxml_frame(base: str) -> tuple[bytes, bytes]:
    """The bytes before and after the elements of any RDF/XML with this base and our prefixes."""
    head, end, tail = rdfxml(base, []).partition(XML_END)
    return head, end + tail


def ntriples(quads: Iterable[Quad]) -> bytes:
    """The triples of the quads, a line each, in order."""
    lines = serialized((quad.triple for quad in quads), RdfFormat.N_TRIPLES)
    return b"".join(sorted(lines.splitlines(keepends=True)))


def graph_as(media_type: str, quads: Sequence[Quad], base: str) -> bytes:
    """The triples of an unnamed graph in one of the six forms, sorted. As it has no name, TriG is
    Turtle, and N-Quads are N-Triples.
    """
    if media_type in (TURTLE, TRIG):
        return turtle(base, quads, names(base))
    if media_type == RDFXML:
        return rdfxml(base, quads, names(base))
    if media_type in (NTRIPLES, NQUADS):
        return ntriples(quads)
    if media_type == JSONLD:
        triples = sorted((quad.triple for quad in quads), key=str)
        return serialized(triples, RdfFormat.JSON_LD, names(base))
    raise ValueError(f"no graph is written as {media_type}")


def statements(
    graph: NamedNode | DefaultGraph, subject: str, *pairs: tuple[str, Value | Sequence[Value]]
) -> Iterator[Quad]:
    """The quads about one subject: each pair is a property and its value or values, without those
    that are None. An address is an Iri, other text is text.
    """
    for predicate, values in pairs:
        for value in (
            [values] if isinstance(values, str) or not isinstance(values, Sequence) else values
        ):
            if value is not None:
                yield Quad(NamedNode(subject), NamedNode(predicate), as_term(value), graph)


def as_term(value: Iri | str | float | Literal) -> NamedNode | Literal:
    if isinstance(value, Literal):
        return value
    return NamedNode(value) if isinstance(value, Iri) else Literal(value)
