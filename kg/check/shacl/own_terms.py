"""What a site's own shapes speak of, held against its graph: classes and properties that nothing
here can have, and targets that match nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyoxigraph import NamedNode

from kg.check.shacl.meta_shapes import shown
from kg.check.shacl.own_shapes import SHAPED, OwnShapes, ShapeTriple
from kg.check.shacl.processor import terms_of_others
from kg.check.shacl.shapes import Shapes, terms
from kg.check.shacl.term_shapes import closed
from kg.errors import Problem
from kg.facts.values.text import closest
from kg.settings import Vocabulary
from kg.store.memory import Memory
from kg.vocab import Namespace, cv, measures, rdf, rdfs, schema, sh

KINDS = {
    **dict.fromkeys(terms("targetClass class"), "class"),
    **dict.fromkeys(terms("datatype"), "datatype"),
    **dict.fromkeys(
        terms("""
        targetSubjectsOf targetObjectsOf equals disjoint lessThan lessThanOrEquals path inversePath
        alternativePath zeroOrMorePath oneOrMorePath zeroOrOnePath ignoredProperties
        """),
        "property",
    ),
}
TARGETS: dict[str, tuple[str, str]] = {
    sh.targetClass: ("Nothing here is a", f"?class <{rdfs.subClassOf}>* %s . ?thing a ?class"),
    sh.targetSubjectsOf: ("Nothing here has", "?thing %s ?value"),
    sh.targetObjectsOf: ("Nothing here is a value of", "?value %s ?thing"),
    sh.targetNode: ("Nothing here is called", "{ %s ?is ?value } UNION { ?value ?has %s }"),
}
SECURE = "https://schema.org/"


def problems(
    shapes: Shapes, memory: Memory, are_whole: bool, further: Sequence[Vocabulary] = ()
) -> Iterator[Problem]:
    """Only of the site's own shapes. Unless they are whole, some may be named by what was left
    out. `further` are the vocabularies that the site uses beside ours.
    """
    if not shapes.own:
        return
    own = OwnShapes(shapes)
    vocabularies = known_terms(shapes.base, further)
    for each in own.own:
        message = ""
        for item in [each] if isinstance(each.object, NamedNode) else own.items(each.object):
            kind = KINDS.get(each.term, "")
            if kind and not is_forbidden(own, each):
                message = unknown(item.object.value, kind, shapes, memory, vocabularies)
            if message:
                yield Problem(item.place.object, "warning", message, "shape-term")
        if not message and not shapes.is_off(each.subject) and is_empty(each, memory):
            message = (
                f"{TARGETS[each.term][0]} {shown(each.object, shapes)}. Correct it, or leave it "
                "for what is to come."
            )
            yield Problem(each.place.object, "info", message, "shape-target")
    if are_whole:
        yield from untargeted(own)


def known_terms(base: str, further: Sequence[Vocabulary]) -> dict[str, list[str]]:
    """Namespace -> the names in it, of our profile and the site's own, and of the vocabularies that
    all share.
    """
    ours: dict[str, Namespace] = {f"{base}{cv}": cv, f"{base}{measures}": measures}
    found = {name: [own[term].rpartition("#")[2] for term in own] for name, own in ours.items()}
    return terms_of_others() | found | closed(further)


def unknown(
    iri: str, kind: str, shapes: Shapes, memory: Memory, vocabularies: dict[str, list[str]]
) -> str:
    """What is wrong with a term, if nothing here can have it."""
    if iri.startswith(SECURE):
        return (
            f"The terms of schema.org begin with http here. Write <{schema}{iri[len(SECURE) :]}>."
        )
    namespace = next((each for each in vocabularies if iri.startswith(each)), None)
    name = iri.removeprefix(namespace or "")
    if namespace is None or name in vocabularies[namespace] or is_used(iri, kind, memory):
        return ""
    alike = [each for each in vocabularies[namespace] if each[:1].isupper() == (kind == "class")]
    near = closest(name, alike or vocabularies[namespace], most=1)
    hint = (
        f"Closest: {shown(NamedNode(namespace + near[0]), shapes)}."
        if near
        else "Check its spelling."
    )
    this = shown(NamedNode(iri), shapes)
    return f"{this} is not a {kind} of this site's profile, so nothing here has it. {hint}"


def is_used(iri: str, kind: str, memory: Memory) -> bool:
    node = NamedNode(iri)
    pattern = (NamedNode(rdf.type), node) if kind == "class" else (node, None)
    return any(True for _ in memory.store.quads_for_pattern(None, *pattern))


def is_forbidden(own: OwnShapes, each: ShapeTriple) -> bool:
    """Whether a shape says that there is to be none of a property."""
    return any(
        other.term == f"{sh}maxCount" and other.object.value == "0"
        for other in own.about[each.subject]
    )


def is_empty(each: ShapeTriple, memory: Memory) -> bool:
    """Whether a triple is a target that matches nothing; a node elsewhere may be meant so."""
    if each.term not in TARGETS or not isinstance(each.object, NamedNode):
        return False
    base = memory.base
    is_here = each.object.value.startswith(base) and each.object.value != base
    if each.term == sh.targetNode and not is_here:
        return False
    query = TARGETS[each.term][1].replace("%s", str(each.object))
    return not memory.select(f"SELECT * WHERE {{ {query} }} LIMIT 1")


def untargeted(own: OwnShapes) -> Iterator[Problem]:
    """Shapes that say not what they judge, and that no other names."""
    named = {each.object for said in own.about.values() for each in said}
    for node, place in own.places.items():
        classes = {each.object.value for each in own.about[node] if each.term == rdf.type}
        is_shape = classes & {sh.NodeShape, sh.PropertyShape} or own.has_any(node, SHAPED)
        if is_shape and node not in named and node not in own.shapes.targeted:
            message = (
                "This shape says not what it judges, and no other names it. Write a target, e.g. "
                "sh:targetClass schema:Person."
            )
            yield Problem(place.subject, "warning", message, "shape-target")
