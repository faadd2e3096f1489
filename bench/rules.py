"""How each rule of the check, each derivation and each question grows with the number of CVs.

CPU of each alone, over graphs of 100, 300 and 1,000 CVs. The slope is that of the last step in a
log-log plot: 1 is linear growth. A slope over 1.2 fails the bench, if the rule takes long enough to
be measured.
"""

from __future__ import annotations

import gc
import math
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path

from bench.generate import generate
from bench.pages import row
from kg.check import rules
from kg.check.shapes import read
from kg.facts.load import load
from kg.graph.build import Graph, build
from kg.graph.rules import triples
from kg.publish.questions.questions import questions
from kg.publish.questions.values import Things, bind
from kg.settings import Site, resources
from kg.store.memory import Memory

WORK = Path(__file__).parent / "work" / "rules"
SIZES = (100, 300, 1000)
TODAY = date(2026, 11, 15)
STEEPEST = 1.2
LEAST = 0.1  # seconds at the largest size; below, the clock and caches decide
Task = tuple[str, Callable[[], object]]


def tasks(folder: Path) -> Iterator[Task]:
    """Every rule, derivation and question, ready to run on one site."""
    facts = load(folder)
    gc.freeze()  # otherwise collections of what is loaded are measured
    for rule in rules.FILE_RULES + rules.CROSS_FILE_RULES:
        yield f"rule {rule.__name__}", lambda rule=rule: list(rule(facts))
    for dated in rules.DATE_RULES:
        yield f"rule {dated.__name__}", lambda dated=dated: list(dated(facts, TODAY))
    yield "rules of plugins", lambda: list(rules.find_by_plugins(facts, TODAY))
    if facts.site is None:
        raise SystemExit(f"{folder} is not a site")
    graph = build(facts, facts.site)
    gc.freeze()
    yield from of_graph(graph, graph.site)


def of_graph(graph: Graph, site: Site) -> Iterator[Task]:
    memory = graph.memory
    asserted = Memory(memory.base, graph.nquads)
    for path in resources(site, "queries/rules", "*.rq"):
        yield f"derivation {path.stem}", lambda path=path: list(triples(asserted, path, []))
    files = resources(site, "shapes", "*.ttl")
    for rule in read(site.base, files, site.vocabularies).rules:
        yield f"shape {rule.name}", lambda rule=rule: rule.find(memory, TODAY.isoformat())
    things = Things.of(memory)
    for question in questions(site):
        values = {each.name: things.example(each) for each in question.needed}
        if "other" in values:  # the person in the middle, who is somebody else
            names = sorted(things.names["people"])
            values["other"] = names[len(names) // 2]
        if all(values.values()):
            text = bind(question.linked, values, things)
            ask = memory.select if question.is_table else memory.construct
            yield f"question {question.name}", lambda ask=ask, text=text: count(ask(text))


def count(rows: Iterable[object]) -> int:
    return sum(1 for _ in rows)


def cpu(task: Callable[[], object]) -> float:
    """The least of two runs, because the first may fill caches."""
    found = []
    for _ in range(2):
        start = time.process_time()
        task()
        found.append(time.process_time() - start)
    return min(found)


def run() -> list[dict[str, object]]:
    shutil.rmtree(WORK, ignore_errors=True)
    measured: dict[str, dict[int, float]] = {}
    for size in SIZES:
        print(f"  {size} CVs ...", file=sys.stderr)
        generate(WORK / str(size), size, is_full=True)
        for name, task in tasks(WORK / str(size)):
            measured.setdefault(name, {})[size] = cpu(task)
    before, last = SIZES[-2:]
    rows = []
    for name, found in sorted(measured.items()):
        if found.get(last, 0) < LEAST or before not in found:
            continue
        slope = math.log(found[last] / found[before]) / math.log(last / before)
        note = ", ".join(f"{size}: {1000 * each:.0f} ms" for size, each in found.items())
        rows.append(
            row(name, found[last], f"slope; {len(measured)} measured", slope, STEEPEST, note)
        )
    return rows


def too_steep(rows: Iterable[dict[str, object]]) -> list[str]:
    """What the bench must not accept: growth that is not linear."""
    return [
        f"{each['work']}: slope {each['ratio']}"
        for each in rows
        if each["part"] == "rules" and float(str(each["ratio"])) > STEEPEST
    ]


if __name__ == "__main__":
    for each in run():
        print(each["work"], each["cpu"], each["ratio"], each["note"])
