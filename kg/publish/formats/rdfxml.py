"""RDF/XML for those who read nothing else: sorted as our Turtle is, an element for each subject,
the same bytes every time.

A predicate is the name of an element here, so it is cut in two where a name may begin; one whose
end is no name cannot be said at all, nor can a text with control characters. The check refuses
both; what comes by another way is refused here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pyoxigraph import Literal, NamedNode, Quad

from kg.errors import KgError
from kg.facts.values.text import NOT_IN_XML
from kg.mapping.xmlnames import cut
from kg.publish.formats.turtle import RELATIVE, in_order
from kg.vocab import prefixes, rdf, xsd

MARKUP = re.compile(r'[&<>"\r]')
TAIL = b"</rdf:RDF>\n"
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}


class Writer:
    """Writes elements with a site's prefixes, unless it is given others. Namespaces without one are
    numbered as they come.
    """

    def __init__(self, base: str, names: Mapping[str, str] | None = None) -> None:
        self.base = base
        self.prefixes = {
            namespace: prefix for prefix, namespace in (names or prefixes(base)).items()
        }
        self.used = {str(rdf): "rdf"}
        self.elements: dict[str, str] = {}

    def element(self, predicate: str) -> str:
        found = self.elements.get(predicate)
        if found is None:
            namespace, local = cut(predicate)
            if not local:
                raise KgError(
                    f"{predicate} cannot be written as RDF/XML. Use a property whose address "
                    "ends in a name."
                )
            prefix = (
                self.used.get(namespace) or self.prefixes.get(namespace) or f"ns{len(self.used)}"
            )
            self.used[namespace] = prefix
            found = self.elements[predicate] = f"{prefix}:{local}"
        return found

    def iri(self, iri: str) -> str:
        relative = iri.removeprefix(self.base)
        return escaped(relative if RELATIVE.fullmatch(relative) else iri)

    def property(self, predicate: str, value: object) -> str:
        name = self.element(predicate)
        if isinstance(value, NamedNode):
            return f'  <{name} rdf:resource="{self.iri(value.value)}"/>\n'
        if not isinstance(value, Literal):
            raise KgError(f"{value} cannot be written as RDF/XML. Give it an address.")
        datatype = value.datatype.value
        if value.language:
            mark = f' xml:lang="{value.language}"'
        else:
            mark = "" if datatype == xsd.string else f' rdf:datatype="{escaped(datatype)}"'
        return f"  <{name}{mark}>{escaped(value.value)}</{name}>\n"

    def subject(self, iri: str, quads: Iterable[Quad]) -> str:
        properties = "".join(self.property(quad.predicate.value, quad.object) for quad in quads)
        return f' <rdf:Description rdf:about="{self.iri(iri)}">\n{properties} </rdf:Description>\n'


def escaped(text: str) -> str:
    return MARKUP.sub(lambda found: ESCAPES[found[0]], text)


def rdfxml(base: str, quads: Iterable[Quad], names: Mapping[str, str] | None = None) -> bytes:
    """The triples of the quads, whatever graphs they are in."""
    writer = Writer(base, names)
    body = elements(writer, quads)
    return head(base, writer.used) + body + TAIL


def elements(writer: Writer, quads: Iterable[Quad]) -> bytes:
    body = "".join(writer.subject(subject, same) for subject, same in in_order(quads))
    if found := NOT_IN_XML.search(body):
        raise KgError(
            f"The character U+{ord(found[0]):04X} cannot be written as RDF/XML. Remove it "
            "from the facts."
        )
    return body.encode()


def head(base: str, used: Mapping[str, str]) -> bytes:
    """`used` are prefixes, by their namespaces."""
    known = "".join(
        f'\n  xmlns:{prefix}="{escaped(namespace)}"'
        for namespace, prefix in sorted(used.items(), key=lambda pair: pair[1])
    )
    root = f'<rdf:RDF xml:base="{escaped(base)}"{known}>'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{root}\n'.encode()
