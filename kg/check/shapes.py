"""The rules of SHACL. Reads our shapes and a site's own, and finds what breaks our rules.

Each of our rules is a SELECT over the whole graph (`sh:targetNode <>`), which the store evaluates
about a hundred times faster than pyshacl. A site's own shapes can be any SHACL, so they are left to
pyshacl (`own_shapes.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple, parse, serialize

from kg.check import term_shapes
from kg.errors import Problem
from kg.graph.parallel.run import Run
from kg.graph.rdf_files import refuse_unbounded
from kg.graph.turtle_errors import refusal
from kg.settings import NOWHERE, Vocabulary, shipped
from kg.store.memory import Memory, bound
from kg.store.protocol import Term
from kg.vocab import PREFIXES, rdf, rdfs, renamed_terms, sh, xsd

QUERIES = frozenset(f"{sh}{form}" for form in ("select", "ask", "construct"))
HEADER = "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in PREFIXES.items())
NOW = re.compile(r"\bNOW\s*\(\s*\)", re.IGNORECASE)
# Except of a class or a mark of the node itself: a node is read as a whole.
NEGATION = re.compile(
    r"\bNOT\s+EXISTS\b(?!\s*\{\s*\?\w+ (?:a|cv:\w+) [^{}]*\})|!\s*BOUND\b|\bMINUS\b"
    r"|\bHAVING\s*\(\s*\w+\([^()]*\)\s*(?:!=|[=<])",
    re.IGNORECASE,
)
RULES = f"""SELECT ?rule ?severity ?message ?query WHERE {{
    ?rule <{sh.sparql}> ?constraint . ?constraint <{sh.message}> ?message ; <{sh.select}> ?query
    OPTIONAL {{ ?rule <{sh.severity}> ?severity }} }} ORDER BY ?rule"""
TEXTS = f"""SELECT ?rule ?message ?comment WHERE {{
    {{ ?rule <{sh.message}> ?any }} UNION {{ ?rule <{sh.sparql}> ?any }} FILTER(isIRI(?rule))
    OPTIONAL {{ ?rule <{sh.sparql}>?/<{sh.message}> ?message }}
    OPTIONAL {{ ?rule <{sh.sparql}>?/<{rdfs.comment}> ?comment }} }}"""


class Finding(NamedTuple):
    """One SHACL result: node, path and value if any, rule, severity and message."""

    focus: str
    path: str | None
    value: str | None
    rule: str
    severity: str
    message: str

    def about(self, base: str) -> str:
        """The node it is about: the focus node of our rules is the base, so their value."""
        return self.value if self.focus == base and self.value else self.focus


class ShapeText(NamedTuple):
    """The message of a shape, with `{?name}` for variables, and its comment; both can be empty."""

    message: str
    comment: str


class Rule(NamedTuple):
    name: str
    severity: str
    message: str
    query: str

    def find(self, memory: Memory, today: str) -> list[Finding]:
        query = HEADER + dated(self.query, today)
        found = list[Finding]()
        for row in memory.select(bound(query, {"this": memory.base})):
            path, value = (row[name].value if name in row else None for name in ("path", "value"))
            message = filled(self.message, {name: text_of(term) for name, term in row.items()})
            found.append(Finding(memory.base, path, value, self.name, self.severity, message))
        return found


@dataclass(frozen=True)
class Shapes:
    """The shapes of a site with resolved IRIs. `files` are the texts of its own files, `own` their
    triples, and `problems` those of files that are not valid Turtle.
    """

    base: str
    ours: Sequence[Triple]
    own: Sequence[Triple]
    files: Mapping[str, str]
    problems: Sequence[Problem]

    @cached_property
    def rules(self) -> list[Rule]:
        """Our rules, without those that the site deactivates."""
        off = {
            each.subject
            for each in self.own
            if each.predicate.value == sh.deactivated and each.object == Literal(True)
        }
        return [
            Rule(
                rule_name(row["rule"].value),
                rule_name(row["severity"].value) if "severity" in row else "Violation",
                row["message"].value,
                row["query"].value,
            )
            for row in rows(RULES, self.ours)
            if row["rule"] not in off
        ]

    @cached_property
    def texts(self) -> dict[str, ShapeText]:
        """The texts of all rules by name: of every shape with an IRI and a message or query."""
        found = {}
        for row in rows(TEXTS, [*self.ours, *self.own]):
            message, comment = (
                row[name].value if name in row else "" for name in ("message", "comment")
            )
            found[rule_name(row["rule"].value)] = ShapeText(message, comment)
        return found

    @cached_property
    def negating(self) -> set[str]:
        """Our rules about something missing, which may be in a part that could not be read."""
        return {rule.name for rule in self.rules if NEGATION.search(rule.query)}

    def find(self, memory: Memory, run: Run) -> list[Finding]:
        """What breaks our rules; without a date, rules about the present are skipped."""
        rules = [each for each in self.rules if run.today or not NOW.search(each.query)]
        progress, found = run.workers.counting("rules checked"), list[Finding]()
        with ThreadPoolExecutor(run.workers.size) as executor:  # the engine releases the GIL
            each_rule = executor.map(lambda rule: rule.find(memory, run.today), rules)
            for number, some in enumerate(each_rule, 1):
                found += some
                progress(number, len(rules))
        return sorted(set(found), key=str)

    def turtle(self) -> bytes:
        """All shapes as one sorted Turtle file."""
        triples = sorted(
            {*declarations(self.base), *self.ours, *self.own},
            key=lambda each: (str(each.subject), each.predicate.value != rdf.type, str(each)),
        )
        names = {**PREFIXES, "sh": str(sh), "s": f"{self.base}shapes#"}
        text = serialize(triples, format=RdfFormat.TURTLE, prefixes=names) or b""
        lines = text.splitlines(keepends=True)
        # prefixes come in any order
        return b"".join([*sorted(lines[: len(names)]), *lines[len(names) :]])


def rule_name(iri: str) -> str:
    """The name of a rule: the fragment of its IRI."""
    return iri.rpartition("#")[2]


def filled(message: str, found: Mapping[str, str]) -> str:
    """The message with `{?name}` replaced by the values of the query."""
    return re.sub(r"\{[?$](\w+)\}", lambda name: found.get(name[1], name[0]), message)


def text_of(term: Term) -> str:
    """A term as text for a message. An IRI keeps its brackets, so that the caller can replace it by
    the name of the entry.
    """
    return str(term) if isinstance(term, NamedNode) else term.value


def dated(query: str, today: str) -> str:
    """The query with a date, if any, instead of NOW()."""
    return NOW.sub(f'"{today}T00:00:00Z"^^<{xsd}dateTime>', query) if today else query


def rows(query: str, triples: Iterable[Triple]) -> list[dict[str, Term]]:
    memory = Memory(NOWHERE)
    memory.store.extend(Quad(*each) for each in triples)
    return memory.select(query)


def read(base: str, files: Iterable[Path], vocabularies: tuple[Vocabulary, ...] = ()) -> Shapes:
    """Reads all shapes. Those of terms are generated from the current terms and the vocabularies of
    the site. A file that is not valid Turtle is skipped.
    """
    terms = term_shapes.text(vocabularies).encode()
    bodies = (
        (path, terms if is_shipped(path) and path.name == term_shapes.FILE else path.read_bytes())
        for path in files
    )
    return shapes_in(base, tuple(bodies))


def is_shipped(path: Path) -> bool:
    return path.parent == shipped("shapes").resolve()


@lru_cache(maxsize=4)
def shapes_in(base: str, bodies: tuple[tuple[Path, bytes], ...]) -> Shapes:
    labels: dict[BlankNode, BlankNode] = {}
    ours, own = dict[Triple, None](), dict[Triple, None]()
    files, problems = dict[str, str](), list[Problem]()
    for path, body in bodies:
        file = f"shapes/{path.name}"
        try:
            text = body.decode("utf-8-sig")
            refuse_unbounded(body, RdfFormat.TURTLE)
            quads = list(parse(text, RdfFormat.TURTLE, base_iri=base, rename_blank_nodes=True))
        except (UnicodeDecodeError, SyntaxError) as error:
            known = {**PREFIXES, "sh": str(sh), "s": "shapes#"}
            problems.append(refusal(file, body, error, known))
            continue
        triples = [relabelled(quad.triple, labels) for quad in quads]
        if is_shipped(path):
            ours |= dict.fromkeys(with_prefixes(triples, base))
        else:
            own |= dict.fromkeys(with_prefixes(triples, base))
            files[file] = text
    return Shapes(base, [*ours], [*own], files, problems)


def declarations(base: str) -> Iterator[Triple]:
    """The prefixes that queries know."""
    shapes = NamedNode(f"{base}shapes")
    for prefix, namespace in PREFIXES.items():
        declaration = BlankNode(f"prefix-{prefix}")
        yield Triple(shapes, NamedNode(sh.declare), declaration)
        yield Triple(declaration, NamedNode(sh.prefix), Literal(prefix))
        address = Literal(namespace, datatype=NamedNode(xsd.anyURI))
        yield Triple(declaration, NamedNode(sh.namespace), address)


def with_prefixes(triples: Sequence[Triple], base: str) -> Iterator[Triple]:
    """The triples, with our prefixes for queries that name no others, and our current terms."""
    own = {each.subject for each in triples if each.predicate.value == sh.prefixes}
    for each in triples:
        if each.predicate.value in QUERIES and isinstance(each.object, Literal):
            query = Literal(renamed_terms(each.object.value))
            yield Triple(each.subject, each.predicate, query)
            if each.subject not in own:
                yield Triple(each.subject, NamedNode(sh.prefixes), NamedNode(f"{base}shapes"))
        else:
            yield each


def relabelled(triple: Triple, labels: dict[BlankNode, BlankNode]) -> Triple:
    """The triple with blank nodes named by their order, so that the same files give the same
    bytes.
    """

    def named(node: BlankNode) -> BlankNode:
        return labels.setdefault(node, BlankNode(f"b{len(labels)}"))

    subject = named(triple.subject) if isinstance(triple.subject, BlankNode) else triple.subject
    object_ = named(triple.object) if isinstance(triple.object, BlankNode) else triple.object
    return Triple(subject, triple.predicate, object_)
