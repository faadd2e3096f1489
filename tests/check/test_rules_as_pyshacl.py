"""What breaks our rules in the store is what plain pyshacl finds, on the real data, on cases, on
generated CVs with faults and on random graphs.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rdflib.plugins.sparql import processor

from bench.generate import generate
from kg.check import shapes as rules
from kg.check.check import good
from kg.check.own_shapes import find
from kg.check.report.explain import read
from kg.check.shapes import Finding, Shapes
from kg.facts.load import load
from kg.graph.build import Graph, build
from kg.graph.parallel.run import Run
from kg.settings import resources, shipped
from kg.store.memory import Memory
from tests import cases
from tests.check.plain_pyshacl import reference, results
from tests.conftest import LARGE_SITE, ROOT
from tests.test_mistakes import MISTAKES, REAL, copy, make

TODAY = "2026-11-15"
FILES = sorted(shipped("shapes").glob("*.ttl"))


@pytest.fixture(autouse=True, scope="module")
def parsed_once() -> Iterator[None]:
    """Hundreds of graphs are asked the same questions: rdflib need not parse each question every
    time.
    """
    parse, translate = processor.parseQuery, processor.translateQuery
    known: dict[object, Any] = {}

    def translated(text: str, base: Any = None, names: Any = None) -> Any:
        key = (text, base, tuple(sorted((names or {}).items())))
        if key not in known:
            known[key] = translate(parse(text), base, names)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processor, "parseQuery", lambda text: text)
        patch.setattr(processor, "translateQuery", translated)
        yield


@cache
def example_graph() -> Graph:
    return good(ROOT / "kg" / "example")


@cache
def our_shapes() -> Shapes:
    return rules.read(example_graph().site.base, FILES)


def edited(graph: Graph, rng: random.Random, edits: int) -> Graph:
    """The graph after random edits of its triples, as an author could hardly make them: things
    lost, doubled, bent.
    """
    lines = graph.nquads.decode().splitlines()
    subjects = sorted({line.split(" ", 1)[0] for line in lines})
    for _ in range(edits):
        at = rng.randrange(len(lines))
        subject, predicate, rest = lines[at].split(" ", 2)
        graph_name = rest[rest.rindex(" <") :] if " <" in rest else ""
        other = lines[rng.randrange(len(lines))].split(" ", 2)
        match rng.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines[at] = (
                    f"{subject} {predicate} "
                    f'"{rng.choice(["", "lower case", "1066", "10.1/x"])}"{graph_name}'
                )
            case 2:
                lines.append(f"{subject} {predicate} {rng.choice(subjects)}{graph_name}")
            case 3:
                lines.append(
                    f"{subject} {other[1]} {other[2][: other[2].rindex(' <')]}{graph_name}"
                )
            case 4:
                lines = [line for line in lines if not line.startswith(f"{subject} ")]
    nquads = "".join(f"{line}\n" for line in sorted(set(lines))).encode()
    return replace(graph, nquads=nquads, memory=Memory(graph.site.base, nquads + graph.rest))


def found(graph: Graph, shapes: Shapes) -> list[Finding]:
    """What the check finds, by the store and by pyshacl over the store."""
    own = find(shapes, graph.memory.store, TODAY) if shapes.own else []
    assert isinstance(own, list)
    return [*shapes.find(graph.memory, Run(TODAY)), *own]


def agree(folder: Path) -> int:
    """How many findings there are, which must be the same both ways, to the letter."""
    facts = load(folder)
    if facts.site is None:
        return 0
    graph = build(facts, facts.site)
    files = resources(graph.site, "shapes", "*.ttl")
    shapes = rules.read(graph.site.base, files, graph.site.vocabularies)
    ours = set(found(graph, shapes))
    assert ours == set(reference(graph, shapes, TODAY))
    return len(ours)


@pytest.mark.proof
@pytest.mark.fuzz
@pytest.mark.sample(proof=0.4)
@pytest.mark.parametrize("seed", range(12))
def test_on_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    graph = edited(example_graph(), rng, rng.randrange(1, 20))
    ours = results(found(graph, our_shapes()))
    assert ours == results(reference(graph, our_shapes(), TODAY))


@pytest.mark.proof
@pytest.mark.corpus
def test_on_the_real_data() -> None:
    assert agree(LARGE_SITE) > 0


@pytest.mark.proof
@pytest.mark.corpus
def test_on_generated_faults(tmp_path: Path) -> None:
    generate(tmp_path / "site", 8, faults=0.3)
    assert agree(tmp_path / "site") > 20


def sites_of_cases(folder: Path) -> list[Path]:
    """The sites of all cases, and of the examples of all rules."""
    sites = [cases.site(case, folder / case.name) for case in cases.CASES]
    for rule in cases.EXPLAINED:
        explained = read(rule)
        sites.append(cases.example_site(explained.bad, folder / "bad" / rule.stem))
        sites.append(cases.example_site(explained.good, folder / "good" / rule.stem))
    return sites


def graphs_of(sites: Iterable[Path]) -> Iterator[Graph]:
    """Of those that have the address of the cases."""
    for facts in map(load, sites):
        if facts.site and facts.site.base == cases.BASE:
            yield build(facts, facts.site)


def all_in_one(graphs: list[Graph]) -> Graph:
    nquads, rest = (
        b"".join(sorted({line for lines in each for line in lines.splitlines(keepends=True)}))
        for each in ([graph.nquads for graph in graphs], [graph.rest for graph in graphs])
    )
    memory = Memory(cases.BASE, nquads + rest)
    return replace(graphs[0], nquads=nquads, rest=rest, memory=memory)


@pytest.mark.proof
@pytest.mark.corpus
def test_on_all_cases_and_examples_of_rules(tmp_path: Path) -> None:
    """By our shapes. Twenty sites are one graph, for plain pyshacl takes seconds for any."""
    sites = sites_of_cases(tmp_path)
    shapes = rules.read(cases.BASE, FILES)
    broken = set()
    for first in range(len(sites) // 20):
        graph = all_in_one(list(graphs_of(sites[first :: len(sites) // 20])))
        ours = found(graph, shapes)
        assert results(ours) == results(reference(graph, shapes, TODAY))
        broken.update(each.rule for each in ours)
    assert len(broken) > 60


@pytest.mark.proof
@pytest.mark.parametrize(
    "rule",
    [
        rule
        for rule in cases.EXPLAINED
        if any(name.startswith("shapes/") for name in read(rule).bad)
    ],
    ids=lambda rule: rule.stem,
)
def test_on_examples_with_shapes_of_their_own(rule: Path, tmp_path: Path) -> None:
    agree(cases.example_site(read(rule).good, tmp_path / "good"))


@pytest.mark.proof
@pytest.mark.corpus
@pytest.mark.sample(proof=0.2)
@pytest.mark.parametrize(  # in the example, where plain pyshacl is soon done
    "name", [name for name in sorted(MISTAKES) if not name.startswith(REAL)][::9]
)
def test_on_planted_mistakes(name: str, tmp_path: Path) -> None:
    site = copy(name, tmp_path)
    make(MISTAKES[name], site)
    agree(site)
