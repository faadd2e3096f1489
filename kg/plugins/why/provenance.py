"""Where triples come from: a line of YAML or Turtle, a rule and what it leaned on, or the program.

The same steps as those of a build, only that each line keeps what made it; that the two agree, line
by line, is tested.
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
from kg.graph.handwritten import Handwritten, lines, our_terms
from kg.graph.rules import in_its_graph, triples
from kg.mapping import iris
from kg.mapping.origins import Origin
from kg.plugins.why.rule_support import Support
from kg.plugins.why.tracing_walker import TracingWalker, Wording
from kg.settings import SITE_FILE, resources, shipped
from kg.sparql.reading.own_queries import read_text
from kg.sparql.reading.questions import read_question
from kg.store.memory import Memory

Maker = Literal["field", "entry", "turtle", "rule", "program"]
SOURCE, SOURCES = "source", "sources"
OF_SITE = {"modified": "modified", "name": "title"}  # fields of pages, and of the site's file
VOCABULARY = "a term of the program"
PAGE = "every thing has a page, and every kind a list"


class Reason(NamedTuple):
    """Why a triple is there. A field or the entry itself is named as its author would (`work[2]`);
    a rule has a name, and leaned on other triples.
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
    """The way back from every triple of a site, errors in other entries or none."""

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
        self.memory = Memory(base)  # without what follows
        self.load(self.written, self.by_hand.lines)
        names, signers = pages.names_of(self.memory), pages.signers_in(self.memory)
        self.documents = self.traced(pages.documents(self.site, names, profiles))
        shown = self.traced(pages.pages(self.site, names, profiles, signers))
        self.pages = dict(zip(pages.in_pages(shown, base), shown.values(), strict=True))
        self.load(self.documents, self.pages)

    def load(self, *lines: Iterable[str]) -> None:
        self.memory.load("".join(chain(*lines)).encode())

    def traced(self, facts: Iterable[tuple[Fact, str]]) -> dict[str, list[Wording]]:
        """The lines of documents and pages."""
        walker = TracingWalker(self.site.base)
        for fact, document in facts:
            walker.fact(fact, document, Origin(type(fact), Row(""), ()))
        return walker.wordings

    @cached_property
    def profiles(self) -> dict[str, Row]:
        """What the files of CVs say of their pages, by document."""
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
        """What follows, each line with the names of the rules that give it."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, rule in self.rules.items():
            for line in triples(self.memory, rule.path, []):
                found[in_its_graph(line)].append(name)
        return found

    @cached_property
    def by_subject(self) -> dict[str, list[str]]:
        """All lines, by what they speak of."""
        found: dict[str, list[str]] = defaultdict(list)
        lines = (self.written, self.by_hand.lines, self.documents, self.pages, self.derived)
        for line in sorted(set(chain(*lines))):
            found[line[1 : line.index(">")]].append(line)
        return found

    def reasons(self, line: str) -> list[Reason]:
        """Why a line is there; several where it is said more than once."""
        return list(dict.fromkeys(chain(self.asserted(line), self.of_rules(line))))

    def asserted(self, line: str) -> Iterator[Reason]:
        yield from self.of_entries(line)
        yield from self.of_turtle(line)
        yield from self.of_pages(line)

    def of_support(self, triple: Triple) -> list[Reason]:
        """Why a triple is there that a rule leaned on: rules read only what is asserted."""
        return [reason for line in self.lines_of(triple) for reason in self.asserted(line)]

    def lines_of(self, triple: Triple) -> list[str]:
        """The lines that say a triple: of a number, there may be several spellings."""
        found = self.by_subject.get(value_of(triple.subject), ())
        start = f"{triple.subject} {triple.predicate} "
        same = (line for line in found if line.startswith(start))
        return [line for line in same if stored(triple_in(line)) == stored(triple)]

    def text_of(self, file: str) -> str:
        """The text of a file of the site."""
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
        """An entry that names no source has those of its file; its parts have those it has."""
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
            if lines([each.triple]) == [line]:
                yield Reason("turtle", each.object)

    def of_pages(self, line: str) -> Iterator[Reason]:
        """What a page says is taken from its CV, or from the file of the site, where a field of
        that is meant for it.
        """
        document = iris.document_of(line[1 : line.index(">")])
        for origin, field in (*self.documents.get(line, ()), *self.pages.get(line, ())):
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
    """As a store has it, which writes 04.00 as 4."""
    store = Store()
    store.add(Quad(*triple))
    (quad,) = store
    found: Triple = quad.triple
    return found
