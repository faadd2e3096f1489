"""A site's own shapes, judged by the W3C's shapes of SHACL, which pyshacl has; in words that say
what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, Triple

from kg.check.shacl.processor import meta_results
from kg.check.shacl.shapes import Node, Shapes
from kg.vocab import prefixes, sh

NUMBERS = "minCount maxCount minLength maxLength qualifiedMinCount qualifiedMaxCount"
OF_VALUES = "minCount maxCount uniqueLang lessThan lessThanOrEquals qualifiedValueShape"
PROPERTIES = "targetSubjectsOf targetObjectsOf equals disjoint lessThan lessThanOrEquals"
# What may be written behind a term.
RIGHT = {
    **dict.fromkeys(NUMBERS.split(), "a whole number, e.g. 1"),
    **dict.fromkeys(
        ["closed", "uniqueLang", "qualifiedValueShapesDisjoint", "deactivated"], "true or false"
    ),
    **dict.fromkeys(["and", "or", "xone"], "a list of shapes in round brackets: ( s:one s:other )"),
    **dict.fromkeys(PROPERTIES.split(), "a property, e.g. schema:name"),
    **dict.fromkeys(["class", "targetClass"], "a class, e.g. schema:Person"),
    **dict.fromkeys(["pattern", "flags", "message"], "a text in quotes"),
    **dict.fromkeys(
        ["minExclusive", "minInclusive", "maxExclusive", "maxInclusive"], "a number or a date"
    ),
    "in": 'a list in round brackets: ( "a" "b" )',
    "languageIn": 'a list of languages in round brackets: ( "en" "de" )',
    "ignoredProperties": "a list of properties in round brackets: ( rdf:type schema:name )",
    "datatype": "a datatype, e.g. xsd:string",
    "severity": "sh:Info, sh:Warning or sh:Violation",
    "nodeKind": "sh:IRI, sh:Literal, sh:BlankNode or two of them, e.g. sh:IRIOrLiteral",
    "targetNode": "an address, e.g. <people/ada#it>",
    "path": (
        "a property, e.g. schema:name, a list of them in round brackets, or one of them turned "
        "round: [ sh:inversePath schema:author ]"
    ),
}


NO_PATH = (
    "This is a property shape without 'sh:path'. Say of which property it speaks, e.g. sh:path "
    "schema:name."
)


class Breach(NamedTuple):
    """A rule of SHACL that a node breaks, with a value of one of its terms where there are any."""

    node: Node
    term: str
    value: Node | Literal | None
    message: str


def breaches(shapes: Shapes, triples: Iterable[Triple]) -> Iterator[Breach]:
    """What the shapes of SHACL find in some triples of these; that one is neither a node shape nor
    a property shape only where nothing else is found of it.
    """
    found = list(dict.fromkeys(meta_results(triples)))
    known = {node for node, path, _, _ in found if path}
    for node, path, value, kind in found:
        term = (path or "").removeprefix(str(sh))
        values = shapes.values(node, path or "")
        if kind == "Xone" and node not in known:
            yield from kindless(shapes, node)
        elif kind == "MaxCount" and len(values) > 1:
            yield Breach(node, term, values[-1], f"'sh:{term}' stands here twice. Keep one.")
        elif kind == "MaxCount" and values:
            message = (
                "What 'sh:node' names cannot have 'sh:path', for it is about things themselves. "
                "Name it with 'sh:property'."
            )
            yield Breach(node, term, values[0], message)
        elif kind == "MinCount":
            yield Breach(node, "", None, NO_PATH)
        elif path and value is not None:
            this = "this" if isinstance(value, BlankNode) else shown(value, shapes)
            right = RIGHT.get(term, "what SHACL allows there")
            yield Breach(node, term, value, f"'sh:{term}' cannot be {this}. Write {right}.")
        elif value is not None and value != node:
            yield from wrong_items(shapes, node, value)


def wrong_items(shapes: Shapes, node: Node, value: Node | Literal) -> Iterator[Breach]:
    """In which list of a node a value is wrong."""
    for term in ("languageIn", "ignoredProperties"):
        for found in shapes.values(node, f"{sh}{term}"):
            if value in shapes.items(found):
                this = shown(value, shapes)
                message = f"'sh:{term}' cannot have {this}. Write {RIGHT[term]}."
                yield Breach(node, term, value, message)


def shown(term: Node | Literal, shapes: Shapes) -> str:
    """A term as its author may have written it."""
    if isinstance(term, BlankNode):
        return "[ … ]"
    if isinstance(term, Literal):
        return f'"{term.value}"'
    names = {**prefixes(shapes.base), "sh": str(sh), "s": f"{shapes.base}shapes#"}
    for prefix, namespace in names.items():
        if term.value.startswith(namespace):
            return f"{prefix}:{term.value.removeprefix(namespace)}"
    return f"<{term.value.removeprefix(shapes.base)}>"


def kindless(shapes: Shapes, node: Node) -> Iterator[Breach]:
    """Why a shape is neither one of nodes nor one of properties."""
    paths = shapes.values(node, sh.path)
    if paths:
        yield Breach(node, "path", paths[-1], f"'sh:path' cannot be this. Write {RIGHT['path']}.")
    for term in () if paths else OF_VALUES.split():
        for value in shapes.values(node, f"{sh}{term}")[:1]:
            message = (
                f"'sh:{term}' is about the values of a property, and there is none. Write "
                "'sh:path' beside it, or put it into 'sh:property'."
            )
            yield Breach(node, term, value, message)
