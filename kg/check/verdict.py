"""The verdict of the shapes on a graph, computed in full or from the verdict on an earlier graph.

After an edit only that is judged which the difference can affect: by the local shapes the nodes
whose own triples changed, by the dataset rules those that `impact` finds. The findings are those of
plain pyshacl over all of the graph, which `reference` runs.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from itertools import starmap

from pyoxigraph import NamedNode

from kg.check.impact import Difference, changes
from kg.check.shacl import local_shapes
from kg.check.shacl.processor import validate
from kg.check.shacl.shapes import Finding, Rule, Shapes, filled, on
from kg.errors import BadQuery, KgError
from kg.files.cache import VERDICT, Cache
from kg.graph.build import Graph
from kg.graph.parallel.run import Run
from kg.mapping.ntriples import ntriples
from kg.sparql.reading.parse_errors import readable
from kg.store.memory import Memory, bound
from kg.store.protocol import Term
from kg.vocab import prefixes, rdfs

KINDS = ("dataset", "local", "other")


@dataclass(frozen=True)
class Verdict:
    """What these shapes found in this graph on this day, by the kind of shape."""

    shapes: str
    nquads: bytes
    pages: bytes
    today: str
    dataset: frozenset[Finding] = frozenset()
    local: frozenset[Finding] = frozenset()
    other: frozenset[Finding] = frozenset()

    @property
    def findings(self) -> list[Finding]:
        return sorted(self.dataset | self.local | self.other, key=str)


def judge(graph: Graph, shapes: Shapes, run: Run, before: Verdict | None = None) -> Verdict:
    """From an earlier verdict of the same shapes only that is judged which may have changed."""
    memory = graph.memory
    if before and before.shapes == shapes.key:
        lines = changes(before.nquads, graph.nquads) + changes(before.pages, graph.pages)
        rules, difference = shapes.rules, Difference(memory.base, lines)
    else:
        rules = [
            rule
            for rule in shapes.rules
            if rule.text.encode() in graph.nquads or rule.text.encode() in graph.pages
        ]
        before, difference = Verdict(shapes.key, b"", b"", run.today), None
    dataset = judge_rules(memory, rules, run, before, difference)
    changed = None  # any node
    if difference and rdfs.subClassOf not in difference.predicates:
        changed = difference.subjects
    local = {each for each in before.local if is_outside(each.focus, changed)}
    local.update(local_shapes.find(memory, shapes, changed))
    other = judge_others(shapes, run.today, lines_of(graph)) if shapes.other else ()
    return Verdict(
        shapes.key,
        graph.nquads,
        graph.pages,
        run.today,
        frozenset(dataset),
        frozenset(local),
        frozenset(other),
    )


def judge_rules(
    memory: Memory,
    rules: Iterable[Rule],
    run: Run,
    before: Verdict,
    difference: Difference | None,
) -> set[Finding]:
    """What dataset rules find; of those that the difference does not concern, what they found
    before.
    """
    judged = [rule for rule in rules if run.today or not rule.about_now]
    is_another_day = before.today != run.today
    concerned = {  # by name, which several rules may share
        rule.name
        for rule in judged
        if not difference or (rule.about_now and is_another_day) or difference.concerns(rule.query)
    }
    spared = {rule.name for rule in judged} - concerned
    known = {each for each in before.dataset if each.rule in spared}
    waiting = [rule for rule in judged if rule.name in concerned]

    def find_all(rule: Rule) -> list[Finding]:
        return list(find(memory, rule, run.today))

    progress = run.workers.counting("rules judged")
    with ThreadPoolExecutor(run.workers.size) as executor:  # for the engine lets other threads run
        for number, some in enumerate(executor.map(find_all, waiting), 1):
            known.update(some)
            progress(number, len(waiting))
    return known


def find(memory: Memory, rule: Rule, today: str) -> Iterator[Finding]:
    """What a dataset rule finds: the store evaluates it a hundred times as fast as pyshacl."""
    header = "".join(
        f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in prefixes(memory.base).items()
    )  # lines keep their numbers
    query = header + on(rule.query, today)
    try:
        # it may also lack the place where $this is bound
        rows = memory.select(bound(query, {"this": memory.base}))
    except (BadQuery, ValueError) as error:
        raise KgError(
            f"The shapes cannot be used: the query of {rule.name} is wrong: "
            f"{readable(str(error), query)}"
        ) from error
    for row in rows:
        path, value = (row[name].value if name in row else None for name in ("path", "value"))
        message = filled(rule.message, {name: text_of(term) for name, term in row.items()})
        yield Finding(memory.base, path, value, rule.name, rule.severity, message)


def text_of(term: Term) -> str:
    """A term in a message; an address keeps its brackets, for who shows it knows more of it."""
    return str(term) if isinstance(term, NamedNode) else term.value


def is_outside(node: str | None, judged: Set[str] | None) -> bool:
    """Whether what is known of a node holds, for it is not among those that are judged."""
    return judged is not None and node not in judged


def judge_others(shapes: Shapes, today: str, data: str) -> list[Finding]:
    """What the shapes find that are neither local nor dataset rules, in all of the data."""
    dated = shapes.on(today)
    return validate(dated.ntriples(dated.closure([*dated.other, *dated.components])), data)


def reference(graph: Graph, shapes: Shapes, today: str) -> list[Finding]:
    """Plain pyshacl: all shapes over all of the graph."""
    return validate(shapes.on(today).ntriples(), lines_of(graph))


def lines_of(graph: Graph) -> str:
    """All that is judged, as N-Triples."""
    return (ntriples(graph.nquads) + ntriples(graph.pages)).decode()


def load_verdict(cache: Cache) -> Verdict | None:
    """The verdict of the last check."""
    data = cache.read(VERDICT)
    if data is None:
        return None
    saved = pickle.loads(data)  # noqa: S301  we wrote it
    return Verdict(**saved | {kind: frozenset(starmap(Finding, saved[kind])) for kind in KINDS})


def save_verdict(cache: Cache, verdict: Verdict) -> None:
    """As plain values, so that others read its lines without loading what judges."""
    findings = {kind: sorted(map(astuple, getattr(verdict, kind)), key=str) for kind in KINDS}
    cache.write(VERDICT, pickle.dumps(vars(verdict) | findings))
