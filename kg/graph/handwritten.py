"""Hand-written Turtle joins the graph: our own terms, and a site's `data/*.ttl`. IRIs in it are
relative to the base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, Triple, parse, serialize

from kg.errors import Place, Problem
from kg.facts.models import REGISTRIES
from kg.facts.reading.yaml import UNPRINTABLE
from kg.facts.values.text import RESERVED, SLUG
from kg.graph.rules import in_its_graph
from kg.mapping import iris
from kg.settings import Site
from kg.vocab import rdf, schema, xsd

NUMBER = re.compile(r"[+-]?\d{1,9}")
OWN = Path(__file__).parent.parent / "terms"


def own(base: str) -> list[str]:
    """The lines of our own terms, which every site has."""
    files = sorted(OWN.glob("*.ttl"))
    return lines(
        quad.triple
        for path in files
        for quad in parse(path=str(path), format=RdfFormat.TURTLE, base_iri=base)
    )


def lines(triples: Iterable[Triple]) -> list[str]:
    store = Store()  # writes 04.00 as 4, and so must we
    store.extend(Quad(*triple) for triple in triples)
    triples = (quad.triple for quad in store)
    text = (serialize(triples, format=RdfFormat.N_TRIPLES) or b"").decode()
    return [in_its_graph(line) for line in sorted(text.split("\n")[:-1])]


def read_all(site: Site, paths: Iterable[Path]) -> tuple[list[str], list[Problem]]:
    """The lines of our own terms and of a site's files, and what is wrong with those."""
    found, problems = own(site.base), list[Problem]()
    for path in paths:
        more, wrong = read(site, path)
        found += more
        problems += wrong
    return found, problems


def read(site: Site, path: Path) -> tuple[list[str], list[Problem]]:
    """The lines of a site's file, and what is wrong with the triples that are refused."""
    name = str(path.relative_to(site.folder))
    try:
        triples = [
            quad.triple
            for quad in parse(path=str(path), format=RdfFormat.TURTLE, base_iri=site.base)
        ]
    except SyntaxError as error:
        place = Place(name, error.lineno or 1, error.offset or 1)
        words = re.sub(r"^Parser error at line \d+ column \d+: ", "", error.msg)
        return [], [
            Problem(
                place,
                "error",
                (
                    f"This is not Turtle: {words}. Correct this line; until then nothing of the "
                    "file is used."
                ),
                "turtle",
            )
        ]
    faults = {triple: fault(triple, site.base) for triple in triples}
    problems = set()
    for triple, found in faults.items():
        if found:
            about = None if found[1] == "foreign-subject" else triple.predicate.value
            problems.add(
                Problem(
                    place_of(site, [path], getattr(triple.subject, "value", ""), about),
                    "error",
                    *found,
                )
            )
    return lines(triple for triple, found in faults.items() if not found), sorted(problems)


def place_of(
    site: Site, paths: Iterable[Path], subject: str, predicate: str | None = None
) -> Place:
    """Where hand-written Turtle speaks of a thing, or of a property of it."""
    found = find_place(site, paths, subject, predicate) or find_place(site, paths, subject)
    return found or Place(
        next((str(path.relative_to(site.folder)) for path in paths), "data/site.yaml")
    )


def find_place(
    site: Site, paths: Iterable[Path], subject: str, predicate: str | None = None
) -> Place | None:
    """The place of a thing in hand-written Turtle, or of what a property of it is. Found by the
    words: the parser keeps no places.
    """
    names = "|".join(
        re.escape(f"<{name}>") for name in (subject, subject.removeprefix(site.base)) if name
    )
    local = (
        "a"
        if predicate == rdf.type
        else re.escape(re.split(r"[/#]", predicate)[-1])
        if predicate
        else ""
    )
    for path in paths if names else ():
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(names, text):
            end = re.compile(r"\.\s*(?:\n|$)").search(text, found.end())
            value = re.compile(rf"[\s:/#]{local}>?\s+(?=\S)").search(
                text, found.end(), end.start() if end else len(text)
            )
            if value or not local:
                at = value.end() if value and local else found.start()
                return Place(
                    str(path.relative_to(site.folder)),
                    text.count("\n", 0, at) + 1,
                    at - text.rfind("\n", 0, at),
                )
    return None


def fault(triple: Triple, base: str) -> tuple[str, str] | None:
    """What is wrong with a triple, and the rule that says so."""
    subject, predicate, value = triple.subject, triple.predicate, triple.object
    if not isinstance(subject, NamedNode) or not is_ours(subject.value, base):
        what = str(subject) if isinstance(subject, NamedNode) else "A blank node"
        return (
            (
                f"{what} is not a thing of this site. Give it an IRI below the base, e.g. "
                "<people/ada#it>."
            ),
            "foreign-subject",
        )
    if not isinstance(value, NamedNode | Literal):
        return (
            (
                f"{subject} is linked to something without an IRI. Give it one, e.g. "
                "<people/ada#medal>."
            ),
            "blank-node",
        )
    if wrong := wrong_literal(predicate.value, value) if isinstance(value, Literal) else "":
        return f"{subject} has {wrong}", "bad-value"
    if iris.fits_rdfxml(predicate.value):
        return None
    message = (
        f"{predicate} does not end in a name, so RDF/XML cannot say it. Use a property that does."
    )
    return message, "bad-value"


def wrong_literal(predicate: str, value: Literal) -> str:
    """What is wrong with a literal, as what a thing has; also where Turtle can say it, and a page
    or RDF/XML cannot.
    """
    if value.direction:
        return f"a text with a direction, {value}, which most forms cannot say. Leave it out."
    if predicate == rdf.type:
        return f"the text {value} as its class. Write an IRI."
    is_number = value.datatype.value == xsd.integer and NUMBER.fullmatch(value.value)
    if predicate == schema.position and not is_number:
        return f"the position {value}. Write a number."
    if found := UNPRINTABLE.search(value.value):
        return (
            f"a text with the control character U+{ord(found[0]):04X}, which no page can hold. "
            "Remove it."
        )
    return ""


def is_ours(subject: str, base: str) -> bool:
    """Whether this is, or belongs to, a document of one of our kinds. Breadcrumbs are made
    with the page.
    """
    kind, slash, slug = (iris.path_of(base, subject) or "").partition("/")
    named = (
        kind in REGISTRIES
        and bool(slash)
        and (not slug or bool(SLUG.fullmatch(slug) and not RESERVED.fullmatch(slug)))
    )
    return named and not subject.partition("#")[2].startswith(("crumb-", "breadcrumb"))
