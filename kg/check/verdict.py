"""The verdict of the shapes on a graph, computed in full or from the verdict on an earlier graph.

After an edit only that is judged which the difference can affect: by the local shapes the nodes
whose own triples changed, by the dataset rules those that `impact` finds. The findings are those of
plain pyshacl over all of the graph, which `reference` runs.

    .kg-cache/graph.nq        the graph that was judged
    .kg-cache/verdict.json    what was found in it, by which shapes, on which day

The cache may be deleted at any time; a damaged or foreign one counts as none.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from kg.check import dataset_rules, local_shapes
from kg.check.impact.diff import changes
from kg.check.impact.impact import Difference
from kg.check.pyshacl import validate
from kg.check.shapes import Finding, Rule, Shapes
from kg.graph.build import Graph
from kg.graph.parallel.executor import Workers
from kg.mapping.ntriples import ntriples
from kg.memo import Memo, program
from kg.settings import CACHE
from kg.sparql.limits import cores
from kg.vocab import rdfs

WORTH_THREADS = 1 << 24  # bytes of a graph
KINDS = ("dataset", "local", "other")


@dataclass(frozen=True)
class Verdict:
    """What these shapes found in this graph on this day, by the kind of shape."""

    shapes: str
    nquads: bytes
    today: str
    dataset: frozenset[Finding]
    local: frozenset[Finding]
    other: frozenset[Finding] = frozenset()

    @property
    def findings(self) -> list[Finding]:
        return sorted(self.dataset | self.local | self.other, key=str)


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
        return judge_all(graph, shapes, today, workers, memo)
    return judge_edit(graph, shapes, today, before, workers)


def judge_all(
    graph: Graph,
    shapes: Shapes,
    today: str,
    workers: Workers | None = None,
    memo: Memo | None = None,
) -> Verdict:
    # The local shapes are judged in other processes meanwhile, where there is much to do.
    with local_shapes.judging(shapes, graph.nquads, workers, memo) as local:
        dataset = frozenset(dataset_findings(graph, rules(shapes, today), today, workers))
        other = frozenset(local_shapes.find_other(shapes, today, graph.nquads))
        return Verdict(shapes.key, graph.nquads, today, dataset, frozenset(local()), other)


def dataset_findings(
    graph: Graph, rules: list[Rule], today: str, workers: Workers | None
) -> Iterator[Finding]:
    """What the rules find; in large graphs several at once, for the engine frees other threads."""
    rules = [rule for rule in rules if rule.text.encode() in graph.nquads]
    if workers is None or len(graph.nquads) < WORTH_THREADS:
        return chain.from_iterable(dataset_rules.find(graph.memory, rule, today) for rule in rules)
    with ThreadPoolExecutor(min(workers.size, cores())) as threads:
        return chain.from_iterable(
            list(
                threads.map(lambda rule: list(dataset_rules.find(graph.memory, rule, today)), rules)
            )
        )


def judge_edit(
    graph: Graph, shapes: Shapes, today: str, before: Verdict, workers: Workers | None = None
) -> Verdict:
    difference = Difference(graph.memory, changes(before.nquads, graph.nquads))
    update = RuleUpdate(difference, before, today)
    dataset = frozenset(
        found for group in by_name(rules(shapes, today)) for found in update.findings(group)
    )
    other = frozenset(local_shapes.find_other(shapes, today, graph.nquads))
    subjects = difference.subjects
    if difference.by_predicate.get(rdfs.subClassOf):
        lines, unaffected = graph.nquads, set[Finding]()
    else:
        lines = local_shapes.lines_of(graph.memory, subjects)
        unaffected = {each for each in before.local if each.focus not in subjects}
    with local_shapes.judging(shapes, lines, workers) as found:
        local = frozenset(unaffected.union(found()))
    return Verdict(shapes.key, graph.nquads, today, dataset, local, other)


def rules(shapes: Shapes, today: str) -> list[Rule]:
    return [rule for rule in shapes.rules if today or not rule.about_now]


def by_name(rules: list[Rule]) -> list[list[Rule]]:
    """Rules that share a name cannot tell their findings apart."""
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.name, []).append(rule)
    return list(found.values())


class RuleUpdate:
    """What dataset rules find after an edit: known findings, and those about what it affects."""

    def __init__(self, difference: Difference, before: Verdict, today: str) -> None:
        self.difference, self.before, self.today = difference, before, today
        self.memory = difference.memory
        self.known: dict[str, list[Finding]] = defaultdict(list)
        for found in before.dataset:
            self.known[found.rule].append(found)

    def findings(self, rules: list[Rule]) -> Iterator[Finding]:
        """Those of the rules of one name. Where there are several, all is judged."""
        affected = self.affected(rules[0]) if len(rules) == 1 else None
        if affected is not None:
            known = self.known[rules[0].name]
            yield from (each for each in known if each.value not in affected)
        about = None if affected is None else sorted(affected)
        for rule in rules:
            yield from dataset_rules.find(self.memory, rule, self.today, about)

    def affected(self, rule: Rule) -> frozenset[str] | None:
        """The nodes about which a rule may find something else now; None: any."""
        if rule.about_now and self.before.today != self.today:
            return None
        return self.difference.affected(rule.query, "value", is_bound=False)


def reference(graph: Graph, shapes: Shapes, today: str) -> list[Finding]:
    """Plain pyshacl: all shapes over all of the graph."""
    return validate(shapes.on(today).ntriples(), ntriples(bytes(graph.nquads)).decode())


def load_verdict(folder: Path) -> Verdict | None:
    try:
        nquads = (folder / CACHE / "graph.nq").read_bytes()
        saved = json.loads((folder / CACHE / "verdict.json").read_bytes())
        if saved["program"] != program() or saved["graph"] != digest(nquads):
            return None
        kinds = {kind: frozenset(Finding(**each) for each in saved[kind]) for kind in KINDS}
        return Verdict(saved["shapes"], nquads, saved["today"], **kinds)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save_verdict(folder: Path, verdict: Verdict) -> None:
    """Where nothing can be written the next run is only slower."""
    saved: dict[str, Any] = {
        "program": program(),
        "shapes": verdict.shapes,
        "today": verdict.today,
        "graph": digest(verdict.nquads),
        **{
            kind: [asdict(each) for each in sorted(getattr(verdict, kind), key=str)]
            for kind in KINDS
        },
    }
    try:
        (folder / CACHE).mkdir(exist_ok=True)
        replace_file(b"*\n", folder / CACHE / ".gitignore")
        replace_file(verdict.nquads, folder / CACHE / "graph.nq")
        replace_file(json.dumps(saved).encode(), folder / CACHE / "verdict.json")
    except OSError:
        return


def replace_file(text: bytes, path: Path) -> None:
    """In one step, for another process may be reading or writing."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_bytes(text)
    draft.replace(path)


def digest(nquads: bytes) -> str:
    return hashlib.blake2b(nquads, digest_size=16).hexdigest()
