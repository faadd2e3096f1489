"""The verdict of the shapes on a graph, computed in full or incrementally from an earlier one.

After an edit, local shapes are evaluated for nodes whose own triples changed, and dataset rules
only if `impact` says that the edit concerns them. The findings are the same as those of plain
pyshacl over the whole graph, which `reference` runs.
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
from kg.vocab import PREFIXES, rdfs

KINDS = ("dataset", "local", "other")


@dataclass(frozen=True)
class Verdict:
    """The findings of these shapes in this graph on this date, by kind of shape."""

    shapes: str
    nquads: bytes
    rest: bytes
    today: str
    dataset: frozenset[Finding] = frozenset()
    local: frozenset[Finding] = frozenset()
    other: frozenset[Finding] = frozenset()

    @property
    def findings(self) -> list[Finding]:
        return sorted(self.dataset | self.local | self.other, key=str)


def judge(graph: Graph, shapes: Shapes, run: Run, before: Verdict | None = None) -> Verdict:
    """Evaluates the shapes; with an earlier verdict of the same shapes, only what may have
    changed.
    """
    memory = graph.memory
    if before and before.shapes == shapes.key:
        lines = changes(before.nquads, graph.nquads) + changes(before.rest, graph.rest)
        rules, difference = shapes.rules, Difference(memory.base, lines)
    else:
        rules = [
            rule
            for rule in shapes.rules
            if rule.text.encode() in graph.nquads or rule.text.encode() in graph.rest
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
        graph.rest,
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
    """The findings of the dataset rules. Rules that the difference does not concern keep their
    findings.
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
    with ThreadPoolExecutor(run.workers.size) as executor:  # the engine releases the GIL
        for number, some in enumerate(executor.map(find_all, waiting), 1):
            known.update(some)
            progress(number, len(waiting))
    return known


def find(memory: Memory, rule: Rule, today: str) -> Iterator[Finding]:
    """The findings of a dataset rule. The store evaluates it about a hundred times faster than
    pyshacl.
    """
    header = "".join(
        f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in PREFIXES.items()
    )  # on one line, so that line numbers in errors stay correct
    query = header + on(rule.query, today)
    try:
        # ValueError: the query has no place to bind $this
        rows = memory.select(bound(query, {"this": memory.base}))
    except (BadQuery, ValueError) as error:
        raise KgError(
            f"The shapes cannot be used: invalid query in {rule.name}: "
            f"{readable(str(error), query)}"
        ) from error
    for row in rows:
        path, value = (row[name].value if name in row else None for name in ("path", "value"))
        message = filled(rule.message, {name: text_of(term) for name, term in row.items()})
        yield Finding(memory.base, path, value, rule.name, rule.severity, message)


def text_of(term: Term) -> str:
    """A term as text for a message. An IRI keeps its brackets, so that the caller can replace it by
    the name of the entry.
    """
    return str(term) if isinstance(term, NamedNode) else term.value


def is_outside(node: str | None, judged: Set[str] | None) -> bool:
    """Whether earlier findings about a node are still valid because the node is not evaluated
    again.
    """
    return judged is not None and node not in judged


def judge_others(shapes: Shapes, today: str, data: str) -> list[Finding]:
    """The findings of shapes that are neither local nor dataset rules, over all data."""
    dated = shapes.on(today)
    return validate(dated.ntriples(dated.closure([*dated.other, *dated.components])), data)


def reference(graph: Graph, shapes: Shapes, today: str) -> list[Finding]:
    """The findings of plain pyshacl: all shapes over the whole graph."""
    return validate(shapes.on(today).ntriples(), lines_of(graph))


def lines_of(graph: Graph) -> str:
    """The whole graph as N-Triples."""
    return (ntriples(graph.nquads) + ntriples(graph.rest)).decode()


def load_verdict(cache: Cache) -> Verdict | None:
    """The cached verdict of the last check."""
    data = cache.read(VERDICT)
    if data is None:
        return None
    saved = pickle.loads(data)  # noqa: S301  we wrote it
    return Verdict(**saved | {kind: frozenset(starmap(Finding, saved[kind])) for kind in KINDS})


def save_verdict(cache: Cache, verdict: Verdict) -> None:
    """Saves a verdict as plain values, so that its lines can be read without importing this
    module.
    """
    findings = {kind: sorted(map(astuple, getattr(verdict, kind)), key=str) for kind in KINDS}
    cache.write(VERDICT, pickle.dumps(vars(verdict) | findings))
