"""Adds handwritten Turtle to the graph: our own terms, and a site's `data/*.ttl`. IRIs are relative
to the base.
"""

from __future__ import annotations

import datetime
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Store,
    Triple,
    parse,
    serialize,
)

from kg.errors import Place, Problem
from kg.facts.loaded import Key
from kg.facts.models import REGISTRIES
from kg.facts.values.languages import language_tag
from kg.facts.values.text import RESERVED, SLUG
from kg.facts.yaml.reader import UNPRINTABLE
from kg.graph import turtle_places
from kg.graph.rdf_files import refuse_unbounded
from kg.graph.rules import in_graph, in_its_graph
from kg.graph.turtle_errors import refusal
from kg.mapping import iris
from kg.settings import Site
from kg.vocab import (
    PREFIXES,
    VOCABULARY,
    dcterms,
    provenance_graph,
    rdf,
    renamed_terms,
    schema,
    xsd,
)

ZONE = r"(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?"
YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
MONTH = r"(?:0[1-9]|1[0-2])"
DAY = rf"(?P<day>{YEAR}-{MONTH}-(?:0[1-9]|[12]\d|3[01]))"
TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
# The valid texts of each XSD type, and an example.
DATATYPES = {
    "boolean": ("true|false|1|0", "true or false"),
    "integer": (r"[+-]?\d+", "12"),
    "decimal": (r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", "3.9"),
    "gYear": (f"{YEAR}{ZONE}", "2019"),
    "gYearMonth": (f"{YEAR}-{MONTH}{ZONE}", "2019-09"),
    "date": (f"{DAY}{ZONE}", "2019-09-30"),
    "dateTime": (f"{DAY}T{TIME}{ZONE}", "2019-09-30T14:00:00Z"),
}
READERS = {f"{xsd}{name}": re.compile(form, re.ASCII) for name, (form, _) in DATATYPES.items()}


def ill_typed(value: str, datatype: str) -> str:
    """The message if a text is not valid for its type; empty if it is valid."""
    reader = READERS.get(datatype)
    found = reader.fullmatch(value) if reader else None
    if not reader or (found and is_a_day(found.groupdict().get("day"))):
        return ""
    name = datatype.removeprefix(str(xsd))
    return (
        f"'{value}' is not a valid xsd:{name}. Write e.g. {DATATYPES[name][1]}, or remove the type."
    )


def is_a_day(text: str | None) -> bool:
    """Whether the date exists; the year is mapped to an equivalent one that Python supports."""
    if text is None:
        return True
    year, month, day = map(int, text.lstrip("-").split("-"))
    try:
        datetime.date(2000 + year % 400, month, day)
    except ValueError:
        return False
    return True


NUMBER = re.compile(rf'"[+-]?\d{{1,9}}"\^\^<{xsd.integer}>')
# Longer words are not tags yet; x- and i- start private and registered tags.
TAG = re.compile(r"(?:[a-z]{2,3}|[xi])(?:-[a-z0-9]{1,8})*", re.IGNORECASE)
OUR_TERMS = Path(__file__).parent.parent / "terms" / "cv.ttl"


@lru_cache(maxsize=1)
def our_terms(base: str) -> tuple[str, ...]:
    """The lines of our own terms: every site has a copy."""
    quads = parse(path=str(OUR_TERMS), format=RdfFormat.TURTLE, base_iri=base)
    graph = f"<{base}{VOCABULARY}>"
    return tuple(f"{line} {graph} .\n" for line in sorted(f"{quad.triple}" for quad in quads))


def lines(triples: Iterable[Triple]) -> list[str]:
    store = Store()  # normalises numbers as the store does: 04.00 becomes 4
    store.extend(Quad(*triple) for triple in triples)
    triples = (quad.triple for quad in store)
    text = (serialize(triples, format=RdfFormat.N_TRIPLES) or b"").decode()
    return [in_its_graph(line) for line in sorted(text.split("\n")[:-1])]


class PlacedTriple(NamedTuple):
    """A triple of the site's own Turtle, with the places of its subject, predicate and object."""

    triple: Triple
    subject: Place
    predicate: Place
    object: Place


class Handwritten:
    """The site's own Turtle: its lines of facts and of their sources, and the problems of refused
    triples.
    """

    def __init__(self, site: Site, paths: Sequence[Path]) -> None:
        self.site = site
        self.prefixes = PREFIXES | {each.prefix: each.namespace for each in site.vocabularies}
        self.lines: list[str] = []
        self.sources: list[str] = []
        self.problems: list[Problem] = []
        self.texts: dict[str, str] = {}  # by file name, of valid files
        self.subjects: set[str] = set()
        self.referred: set[Key] = set()  # registry entries that it mentions
        for path in paths:
            self.read(str(path.relative_to(site.folder)), path.read_bytes())

    def read(self, file: str, data: bytes) -> None:
        try:
            text = renamed_terms(data.decode("utf-8-sig"))
            refuse_unbounded(data, RdfFormat.TURTLE)
            quads = list(parse(text, format=RdfFormat.TURTLE, base_iri=self.site.base))
        except (UnicodeDecodeError, SyntaxError) as error:
            self.problems.append(refusal(file, data, error, self.prefixes))
            return
        self.texts[file] = text
        triples = [quad.triple for quad in quads]
        refused = {triple for triple in triples if fault(triple, self.site.base)}
        used = [triple for triple in triples if triple not in refused]
        sources = [triple for triple in used if triple.predicate.value == dcterms.source]
        self.sources += in_graph(lines(sources), provenance_graph(self.site.base))
        self.lines += lines(triple for triple in used if triple.predicate.value != dcterms.source)
        self.subjects.update(
            triple.subject.value for triple in triples if isinstance(triple.subject, NamedNode)
        )
        for node in {node for triple in used for node in (triple.subject, triple.object)}:
            path = iris.path_of(self.site.base, node.value) if isinstance(node, NamedNode) else None
            kind, _, slug = (path or "").partition("/")
            if kind in REGISTRIES and slug:
                self.referred.add((kind, slug))
        if refused:
            self.judge(statements(file, text, self.site.base))

    def judge(self, found: list[PlacedTriple]) -> None:
        """Reports the refused triples. A blank node that another node links to is reported
        there.
        """
        linked = {each.triple.object for each in found}
        for each in found:
            wrong = fault(each.triple, self.site.base)
            if wrong and not (
                isinstance(each.triple.subject, BlankNode) and each.triple.subject in linked
            ):
                self.refuse(getattr(each, wrong.part), wrong.message, wrong.rule)

    def refuse(self, place: Place, message: str, rule: str) -> None:
        problem = Problem(place, "error", message, rule)
        if problem not in self.problems:
            self.problems.append(problem)

    @cached_property
    def statements(self) -> dict[str, list[PlacedTriple]]:
        """The triples by subject."""
        found = dict[str, list[PlacedTriple]]()
        for file, text in self.texts.items():
            for each in statements(file, text, self.site.base):
                found.setdefault(getattr(each.triple.subject, "value", ""), []).append(each)
        return found

    def about(self, subject: str, predicate: str | None = None) -> list[PlacedTriple]:
        """The triples of a subject, or of one of its properties."""
        return [
            each
            for each in (self.statements.get(subject, []) if subject in self.subjects else [])
            if predicate in (None, each.triple.predicate.value)
        ]

    def place_of(self, subject: str) -> Place:
        """The first place that mentions a subject; for an unknown one, the first file."""
        known = [each.subject for each in self.about(subject)]
        return next(iter([*known, *map(Place, self.texts), Place("data/site.yaml")]))


def statements(file: str, text: str, base: str) -> list[PlacedTriple]:
    """The triples of a valid Turtle text; without places if it contains triples about triples."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def place(at: int) -> Place:
        line = bisect_right(starts, at)
        return Place(file, line, at - starts[line - 1] + 1)

    return [
        PlacedTriple(triple, *map(place, places or (0, 0, 0)))
        for triple, places in turtle_places.read(text, base).items()
    ]


class Fault(NamedTuple):
    """The problem of a triple, its rule, and the offending part of the triple."""

    message: str
    rule: str
    part: str = "object"


def fault(triple: Triple, base: str) -> Fault | None:
    """The problem of a triple, if any."""
    subject, predicate, value = triple.subject, triple.predicate, triple.object
    if not isinstance(subject, NamedNode) or not is_ours(subject.value, base):
        what = str(subject) if isinstance(subject, NamedNode) else "A blank node"
        return Fault(
            f"{what} is not part of this site. Use an address below {base}, e.g. <people/ada#it>.",
            "foreign-subject",
            "subject",
        )
    name = subject.value.removeprefix(base)
    if not isinstance(value, NamedNode | Literal):
        return Fault(
            f"{name} is linked to a blank node. Give that an address, e.g. <people/ada#medal>.",
            "blank-node",
        )
    if isinstance(value, Literal) and (wrong := wrong_literal(predicate.value, value)):
        return wrong._replace(message=f"{name}: {wrong.message}")
    if iris.fits_rdfxml(predicate.value):
        return None
    return Fault(
        f"{predicate} does not end in a name, which RDF/XML requires. Use another property.",
        "bad-value",
        "predicate",
    )


def wrong_literal(predicate: str, value: Literal) -> Fault | None:
    """The problem of a literal, including valid Turtle that a page or RDF/XML cannot represent."""
    if value.direction:
        return Fault(
            f"{value} has a text direction, which most formats do not support. Remove it.",
            "bad-value",
        )
    if predicate == rdf.type:
        return Fault(f"{value} is not a class. Write the address of a class.", "bad-value")
    if wrong := wrong_tag(value.language or ""):
        return Fault(wrong, "bad-language")
    if wrong := ill_typed(value.value, value.datatype.value):
        return Fault(wrong, "ill-typed")
    if found := UNPRINTABLE.search(value.value):
        wrong = f"the control character U+{ord(found[0]):04X} is not allowed. Remove it."
    elif predicate == schema.position and not NUMBER.fullmatch(str(value)):
        wrong = f"{value} is not a position. Write a number."
    return Fault(wrong, "bad-value") if wrong else None


def wrong_tag(tag: str) -> str:
    """The message if a language tag is invalid; empty if it is valid."""
    if not tag or TAG.fullmatch(tag):
        return ""
    meant = language_tag(tag)
    hint = f"Write '@{meant}'." if meant else "Write e.g. @en or @pt-BR."
    return f"'@{tag}' is not a language tag. {hint}"


def is_ours(subject: str, base: str) -> bool:
    """Whether a subject is, or belongs to, a document of one of our kinds. Breadcrumbs are
    excluded, because pages generate them.
    """
    kind, slash, slug = (iris.path_of(base, subject) or "").partition("/")
    named = (
        kind in REGISTRIES
        and bool(slash)
        and (not slug or bool(SLUG.fullmatch(slug) and not RESERVED.fullmatch(slug)))
    )
    return named and not subject.partition("#")[2].startswith(("crumb-", "breadcrumb"))
