"""The verdict of the shapes on a graph, from the beginning or from the verdict on an earlier graph.

After an edit only that is judged again which the difference can have touched: nodes whose own
triples changed, by the local shapes; nodes near a changed triple, by the rules that say how far
they look; everything, by a rule that reads a predicate that changed. The findings are those of
plain pyshacl over the whole graph, which `reference` runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain

from pyoxigraph import Literal

from kg.check import dataset_rules, local_shapes
from kg.check.findings import Finding
from kg.check.impact.diff import changes
from kg.check.impact.impact import Difference
from kg.check.pyshacl import validate
from kg.check.shapes import Rule, Shapes
from kg.graph.build import Graph
from kg.graph.parallel.executor import Workers
from kg.mapping.ntriples import ntriples
from kg.memo import Memo
from kg.sparql.workers.limits import cores
from kg.vocab import rdfs

WORTH_THREADS = 1 << 24  # bytes of a graph
MOST = 2000  # nodes; to ask about more takes as long as to ask about all


@dataclass(frozen=True)
class Verdict:
    """What these shapes found in this graph on this day: by questions, by looking at each node, and
    with the whole graph in view.
    """

    shapes: str
    nquads: bytes
    today: str
    asked: frozenset[Finding]
    local: frozenset[Finding]
    whole: frozenset[Finding] = frozenset()

    @property
    def findings(self) -> list[Finding]:
        return sorted(self.asked | self.local | self.whole, key=str)


def judge(
    graph: Graph,
    shapes: Shapes,
    today: str,
    before: Verdict | None = None,
    workers: Workers | None = None,
    memo: Memo | None = None,
) -> Verdict:
    if before and (before.shapes, before.today, before.nquads) == (shapes.key, today, graph.nquads):
        return replace(before, nquads=graph.nquads)  # one copy of it is enough
    if before is None or before.shapes != shapes.key:
        return from_the_beginning(graph, shapes, today, workers, memo)
    return after_an_edit(graph, shapes, today, before, workers)


def from_the_beginning(
    graph: Graph,
    shapes: Shapes,
    today: str,
    workers: Workers | None = None,
    memo: Memo | None = None,
) -> Verdict:
    with local_shapes.judged(
        shapes, graph.nquads, workers, memo
    ) as local:  # in other processes, where there is much to do
        asked = frozenset(all_asked(graph, rules(shapes, today), today, workers))
        whole = frozenset(local_shapes.whole(shapes, today, graph.nquads))
        return Verdict(shapes.key, graph.nquads, today, asked, frozenset(local()), whole)


def all_asked(
    graph: Graph, rules: list[Rule], today: str, workers: Workers | None
) -> Iterator[Finding]:
    """What the rules find; several are asked at once where that takes long, for the engine lets
    other threads run.
    """
    rules = [rule for rule in rules if rule.text.encode() in graph.nquads]
    if workers is None or len(graph.nquads) < WORTH_THREADS:
        return chain.from_iterable(dataset_rules.ask(graph.memory, rule, today) for rule in rules)
    with ThreadPoolExecutor(min(workers.size, cores())) as threads:
        return chain.from_iterable(
            list(
                threads.map(lambda rule: list(dataset_rules.ask(graph.memory, rule, today)), rules)
            )
        )


def after_an_edit(
    graph: Graph, shapes: Shapes, today: str, before: Verdict, workers: Workers | None = None
) -> Verdict:
    lines = changes(before.nquads, graph.nquads)
    edit = Edit(Difference(graph.memory, lines), before, today)
    asked = frozenset(
        found for these in by_name(rules(shapes, today)) for found in edit.asked_all(these)
    )
    whole = frozenset(local_shapes.whole(shapes, today, graph.nquads))
    subjects = {change.subject for change in edit.difference.changes}
    classes_changed = any(change.predicate == rdfs.subClassOf for change in edit.difference.changes)
    again, kept = (
        (graph.nquads, set())
        if classes_changed
        else (local_shapes.lines_of(graph.memory, subjects), before.local)
    )
    with local_shapes.judged(shapes, again, workers) as found:
        local = frozenset(each for each in kept if each.focus not in subjects) | frozenset(found())
    return Verdict(shapes.key, graph.nquads, today, asked, local, whole)


def rules(shapes: Shapes, today: str) -> list[Rule]:
    return [rule for rule in shapes.rules if today or not rule.about_now]


def by_name(rules: list[Rule]) -> list[list[Rule]]:
    """Rules that share a name cannot tell their findings apart."""
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.name, []).append(rule)
    return list(found.values())


class Edit:
    """What an edit changed, and what therefore has to be asked again."""

    def __init__(self, difference: Difference, before: Verdict, today: str) -> None:
        self.difference, self.before, self.today = difference, before, today
        self.memory = difference.memory
        self.known: dict[str, list[Finding]] = defaultdict(list)
        for found in before.asked:
            self.known[found.rule].append(found)

    def asked_all(self, rules: list[Rule]) -> Iterator[Finding]:
        """What the rules of one name find. Where there are several, what was known is no help."""
        if len(rules) == 1:
            return self.asked(rules[0])
        return chain.from_iterable(
            dataset_rules.ask(self.memory, rule, self.today) for rule in rules
        )

    def asked(self, rule: Rule) -> Iterator[Finding]:
        affected = self.affected(rule)
        if affected is None:
            yield from dataset_rules.ask(self.memory, rule, self.today)
        else:
            yield from (each for each in self.known[rule.name] if each.value not in affected)
            yield from dataset_rules.ask(self.memory, rule, self.today, sorted(affected))

    def affected(self, rule: Rule) -> set[str] | None:
        """The nodes about which a rule may find something else now; None: any."""
        if rule.about_now and self.before.today != self.today:
            return None
        found = self.difference.affected(rule.query, "value", is_bound=False)
        if found is None or len(found) > MOST or any(isinstance(each, Literal) for each in found):
            return None
        return {each.value for each in found}


def reference(graph: Graph, shapes: Shapes, today: str) -> list[Finding]:
    """Plain pyshacl: all shapes, the whole graph, nothing taken apart."""
    return validate(shapes.on(today).ntriples(), ntriples(bytes(graph.nquads)).decode())
