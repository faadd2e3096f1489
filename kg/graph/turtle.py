"""Hand-written Turtle joins the graph: our own terms, and a site's `data/*.ttl`. IRIs in it are relative to the base."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, Triple, parse, serialize

from kg.errors import Place, Problem
from kg.facts.models import REGISTRIES
from kg.facts.values import SLUG
from kg.graph.rules import in_its_graph
from kg.mapping import iris
from kg.settings import Site

OWN = sorted((Path(__file__).parent.parent / "terms").glob("*.ttl"))


def lines_of(path: Path, base: str) -> list[str]:
    return lines(quad.triple for quad in parse(path=str(path), format=RdfFormat.TURTLE, base_iri=base))


def lines(triples: Iterable[Triple]) -> list[str]:
    store = Store()  # writes 04.00 as 4, and so must we
    store.extend(Quad(*triple) for triple in triples)
    triples = (quad.triple for quad in store)
    text = (serialize(triples, format=RdfFormat.N_TRIPLES) or b"").decode()
    return [in_its_graph(line) for line in text.split("\n")[:-1]]


def read(site: Site, path: Path) -> tuple[list[str], list[Problem]]:
    """The lines of a site's file. A triple about something outside the site, or about a blank node, is refused."""
    name = str(path.relative_to(site.folder))
    try:
        triples = [quad.triple for quad in parse(path=str(path), format=RdfFormat.TURTLE, base_iri=site.base)]
    except SyntaxError as error:
        place = Place(name, error.lineno or 1, error.offset or 1)
        return [], [Problem(place, "error", f"This is not Turtle: {error.msg}", "turtle")]
    wrong = {
        str(triple.subject) if isinstance(triple.subject, NamedNode) else "A blank node"
        for triple in triples
        if not ours(triple, site.base)
    }
    problems = [
        Problem(
            Place(name),
            "error",
            f"{subject} is not a thing of this site. Give it an IRI below the base, e.g. <people/ada#it>.",
            "foreign-subject",
        )
        for subject in sorted(wrong)
    ]
    return lines(triple for triple in triples if ours(triple, site.base)), problems


def ours(triple: Triple, base: str) -> bool:
    if not isinstance(triple.subject, NamedNode) or not isinstance(triple.object, NamedNode | Literal):
        return False
    kind, slash, slug = (iris.path_of(base, triple.subject.value) or "").partition("/")
    return kind in REGISTRIES and bool(slash) and (not slug or bool(SLUG.fullmatch(slug)))
