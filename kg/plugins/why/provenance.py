"""The provenance of triples: a line of YAML or Turtle, a rule and the triples it used, or the
program.

It takes the same steps as a build, but keeps the origin of each line. Tests verify that both give
the same lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from pyoxigraph import NamedNode, Quad, RdfFormat, Store, Triple, parse

from kg.errors import Place, ProblemsFound
from kg.facts.load import Facts, gc_paused
from kg.facts.loaded import Key
from kg.facts.models.base import Main
from kg.facts.models.people import Cv
from kg.facts.values.terms import Fact
from kg.facts.yaml.reader import read
from kg.facts.yaml.rows import Row
from kg.graph import pages
from kg.graph.build import walk
from kg.graph.handwritten import Handwritten, our_terms
from kg.graph.rules import in_graph, in_its_graph, triples
from kg.mapping import iris
from kg.mapping.origins import Origin
from kg.plugins.why.rule_support import Support
from kg.plugins.why.tracing_walker import TracingWalker, Wording
from kg.settings import SITE_FILE, resources, shipped
from kg.sparql.reading.own_queries import read_text
from kg.sparql.reading.questions import read_question
from kg.store.memory import Memory
from kg.vocab import pages_graph

Maker = Literal["field", "entry", "turtle", "rule", "program"]
SOURCE, SOURCES = "source", "sources"
OF_SITE = {"modified": "modified", "name": "title"}  # field of a page -> field of data/site.yaml
VOCABULARY = "vocabulary of cv-kg"
PAGE = "every entity has a page, and every kind a list"


class Reason(NamedTuple):
    """Why a triple is in the graph. Entries are named as in messages (`work[2]`); a rule has a name
    and the triples it used.
    """

    by: Maker
    place: Place | None = None
    label: str = ""
    field: str = ""
    text: str = ""
    because: tuple[Triple, ...] = ()


class RuleFile(NamedTuple):
    path: Path
    text: str
    is_built_in: bool


class Provenance:
    """Finds the reasons of every triple of a site, even if other entries have errors."""

    @gc_paused()
    def __init__(self, facts: Facts) -> None:
        if facts.site is None:
            raise ProblemsFound(facts.problems, facts.folder)
        self.facts, self.site = facts, facts.site
        base = self.site.base
        self.by_hand = Handwritten(self.site, facts.turtle)
        self.vocabulary = frozenset(our_terms(base))
        walker = TracingWalker(base, facts.private)
        _, profiles = walk(facts, base, (), self.by_hand.referred, walker)
        self.origins, self.written = walker.origins, walker.wordings
        self.memory = Memory(base)  # without derived triples
        self.by_hand_lines = [*self.by_hand.lines, *self.by_hand.sources, *self.vocabulary]
        self.load(self.written, self.by_hand_lines)
        names, signers = pages.names_of(self.memory), pages.signers_in(self.memory)
        self.sets = self.traced(pages.term_sets(self.site, names))
        skills = pages.only_skills(self.memory)
        shown = self.traced(pages.pages(self.site, names, profiles, signers, skills))
        moved = in_graph(shown, pages_graph(base))
        self.pages = dict(zip(moved, shown.values(), strict=True))
        self.load(self.sets, self.pages)

    def load(self, *lines: Iterable[str]) -> None:
        self.memory.load("".join(chain(*lines)).encode())

    def traced(self, facts: Iterable[tuple[Fact, str]]) -> dict[str, list[Wording]]:
        """The lines of pages and sets of terms, with their origins."""
        walker = TracingWalker(self.site.base)
        for fact, document in facts:
            walker.fact(fact, document, Origin(type(fact), Row(""), ()))
        return walker.wordings

    @cached_property
    def profiles(self) -> dict[str, Row]:
        """The page settings in CV files, by document."""
        return {
            iris.document(self.site.base, each.kind, each.slug): each.row
            for each, _ in self.facts.of(Cv)
        }

    @cached_property
    def site_row(self) -> Row:
        row, _ = read(str(SITE_FILE), (self.site.folder / SITE_FILE).read_bytes())
        return row if row is not None else Row(str(SITE_FILE))

    @cached_property
    def entries(self) -> Mapping[Key, Row]:
        """The entries of registries, and the basics of CVs."""
        return {(each.kind, each.slug): each.row for each, _ in self.facts.of(Main)}

    @cached_property
    def rules(self) -> dict[str, RuleFile]:
        ours = shipped("queries").resolve()
        return {
            path.stem: RuleFile(path, read_text(path, path.name)[0], path.is_relative_to(ours))
            for path in resources(self.site, "queries", "rules/*.rq")
        }

    @cached_property
    def derived(self) -> dict[str, list[str]]:
        """The derived lines, each with the names of the rules that give it."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, rule in self.rules.items():
            for line in triples(self.memory, rule.path, []):
                found[in_its_graph(line)].append(name)
        return found

    @cached_property
    def by_subject(self) -> dict[str, list[str]]:
        """All lines, by subject."""
        found: dict[str, list[str]] = defaultdict(list)
        lines = (self.written, self.by_hand_lines, self.sets, self.pages, self.derived)
        for line in sorted(set(chain(*lines))):
            found[line[1 : line.index(">")]].append(line)
        return found

    def reasons(self, line: str) -> list[Reason]:
        """The reasons of a line; several if it is stated more than once."""
        return list(dict.fromkeys(chain(self.asserted(line), self.of_rules(line))))

    def asserted(self, line: str) -> Iterator[Reason]:
        yield from self.of_entries(line)
        yield from self.of_turtle(line)
        yield from self.of_pages(line)

    def of_support(self, triple: Triple) -> list[Reason]:
        """The reasons of a triple that a rule used. Rules read asserted triples only."""
        return [reason for line in self.lines_of(triple) for reason in self.asserted(line)]

    def lines_of(self, triple: Triple) -> list[str]:
        """The lines of a triple; a number may have several spellings."""
        found = self.by_subject.get(value_of(triple.subject), ())
        start = f"{triple.subject} {triple.predicate} "
        same = (line for line in found if line.startswith(start))
        return [line for line in same if stored(triple_in(line)) == stored(triple)]

    def text_of(self, file: str) -> str:
        return read_text(self.site.folder / file, file)[0]

    def of_entries(self, line: str) -> Iterator[Reason]:
        for wording in self.written.get(line, ()):
            origin, field = wording
            if field == SOURCE and not wording.is_written:
                yield self.of_source(origin)
            elif wording.is_written:
                yield Reason("field", origin.place, origin.label, field)
            else:
                yield Reason("entry", origin.place, origin.label)

    def of_source(self, origin: Origin) -> Reason:
        """The place of a source: in the entry, or for all entries at the top of its file."""
        number, whole = origin.steps[-1], self.facts.sources.get(origin.row.file)
        if SOURCE in origin.row:
            return Reason("field", origin.row.at(SOURCE, number), origin.label, SOURCE)
        if whole is not None:
            return Reason("field", whole.at(SOURCES, number), "", SOURCES)
        return Reason("entry", origin.place, origin.label)

    def of_turtle(self, line: str) -> Iterator[Reason]:
        if line in self.vocabulary:
            yield Reason("program", text=VOCABULARY)
        triple = triple_in(line)
        for each in self.by_hand.about(value_of(triple.subject), triple.predicate.value):
            if stored(each.triple) == stored(triple):
                yield Reason("turtle", each.object)

    def of_pages(self, line: str) -> Iterator[Reason]:
        """The reasons of a statement about a page: a field of its CV or of the site file, or the
        program.
        """
        document = iris.document_of(line[1 : line.index(">")])
        for origin, field in (*self.sets.get(line, ()), *self.pages.get(line, ())):
            row, name = self.profiles.get(document, Row("")), field
            if name not in row and (document == self.site.base or name in OF_SITE):
                row, name = self.site_row, OF_SITE.get(name, name)
            if name in row:
                yield Reason("field", row.at(name, *origin.steps[1:]), field=name)
            else:
                yield Reason("program", text=PAGE)

    def of_rules(self, line: str) -> Iterator[Reason]:
        for name in self.derived.get(line, ()):
            rule = self.rules[name]
            because = Support(self.memory).of(rule.text, triple_in(line))
            place = None if rule.is_built_in else Place(f"queries/rules/{rule.path.name}")
            heading = read_question(name, rule.text).summary
            yield Reason("rule", place, name, "", heading, tuple(because))


def triple_in(line: str) -> Triple:
    (quad,) = parse(line, format=RdfFormat.N_QUADS, lenient=True)
    triple: Triple = quad.triple
    return triple


def value_of(term: object) -> str:
    return term.value if isinstance(term, NamedNode) else ""


def stored(triple: Triple) -> Triple:
    """The triple as a store normalises it: 04.00 becomes 4."""
    store = Store()
    store.add(Quad(*triple))
    (quad,) = store
    found: Triple = quad.triple
    return found
