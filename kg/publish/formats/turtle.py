"""Turtle people like to read: sorted, with prefixes and a base, one block for each subject, the
same bytes every time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from pyoxigraph import Literal, NamedNode, Quad

from kg.mapping.ntriples import literal
from kg.vocab import cut, prefixes, rdf, xsd

# What is surely read back as written: no scheme, no dots to be resolved.
RELATIVE = re.compile(r"([\w-]+/)*[\w-]*(#[\w/:%-]*)?", re.ASCII)


class Writer:
    """Writes terms with a site's prefixes, unless it is given others. Only prefixes in use are
    declared.
    """

    def __init__(self, base: str, names: Mapping[str, str] | None = None) -> None:
        self.base = base
        self.prefixes = names or prefixes(base)
        self.names = {namespace: prefix for prefix, namespace in self.prefixes.items()}
        self.used: set[str] = set()

    def iri(self, iri: str) -> str:
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

    def predicate(self, iri: str) -> str:
        return "a" if iri == rdf.type else self.iri(iri)

    def object(self, term: object) -> str:
        if isinstance(term, NamedNode):
            return self.iri(term.value)
        if not isinstance(term, Literal):
            return str(term)
        if term.language:
            return f"{quoted(term.value)}@{term.language}"
        datatype = term.datatype.value
        if datatype == xsd.integer and re.fullmatch(r"-?\d+", term.value):
            return term.value
        return (
            quoted(term.value)
            if datatype == xsd.string
            else f"{literal(term.value)}^^{self.iri(datatype)}"
        )

    def subject(self, iri: str, quads: Iterable[Quad]) -> str:
        lines = []
        for predicate, same in groupby(quads, key=lambda quad: quad.predicate.value):
            lines.append(
                f"{self.predicate(predicate)} "
                f"{', '.join(self.object(quad.object) for quad in same)}"
            )
        return self.iri(iri) + " " + " ;\n  ".join(lines) + " .\n"


def quoted(text: str) -> str:
    """A text as it stands in Turtle, where one of several lines keeps them."""
    if "\n" not in text:
        return literal(text)
    lines = "\n".join(literal(line)[1:-1] for line in text.split("\n"))
    return f'"""{lines}"""'


def turtle(base: str, quads: Iterable[Quad], names: Mapping[str, str] | None = None) -> bytes:
    """The triples of the quads, whatever graphs they are in."""
    writer = Writer(base, names)
    blocks = [writer.subject(subject, same) for subject, same in in_order(quads)]
    return "\n".join([writer.head(), *blocks]).encode()


def trig(base: str, quads: Iterable[Quad]) -> bytes:
    """The same, document by document: a thing's triples are in the graph of its document."""
    writer = Writer(base)
    graphs = []
    for document, subjects in groupby(in_order(quads), key=lambda pair: pair[0].partition("#")[0]):
        blocks = "\n".join(writer.subject(subject, same) for subject, same in subjects)
        graphs.append(f"{writer.iri(document)} {{\n{blocks}}}\n")
    return "\n".join([writer.head(), *graphs]).encode()


def in_order(quads: Iterable[Quad]) -> Iterator[tuple[str, list[Quad]]]:
    """Subject after subject, with what is said of each: its classes first, then property by
    property.
    """
    unique = sorted(set(quads), key=lambda quad: place(str(quad.subject)[1:-1]))
    for subject, same in groupby(unique, key=lambda quad: str(quad.subject)):
        yield (
            subject[1:-1],
            sorted(
                same,
                key=lambda quad: (
                    quad.predicate.value != rdf.type,
                    str(quad.predicate),
                    str(quad.object),
                ),
            ),
        )


def place(subject: str) -> tuple[str, int, str]:
    """Document by document, and in each the thing first, then its dependent facts, then the page
    and its breadcrumbs.
    """
    document, _, fragment = subject.partition("#")
    rank = 0 if fragment == "it" else 3 if "crumb" in fragment else 1 if fragment else 2
    return document, rank, fragment
