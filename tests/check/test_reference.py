"""The proof: what we find is what plain pyshacl finds, on the real data, every case, generated CVs
with faults and random graphs.

It takes minutes, so `make test` leaves it to `make proof`, which CI runs too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rdflib.plugins.sparql import processor

from bench.generate import generate
from kg.check.report.explain import read
from kg.check.shacl import shape_files
from kg.check.verdict import judge, reference
from kg.facts.load import load
from kg.graph.build import build
from kg.settings import resources
from tests import cases
from tests.check.test_verdict import edited, example_graph, shapes
from tests.conftest import ROOT

TODAY = "2026-11-15"
pytestmark = pytest.mark.proof


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


def agree(folder: Path) -> int:
    """How many findings there are, which must be the same both ways."""
    facts = load(folder)
    if facts.site is None:
        return 0
    graph = build(facts, facts.site)
    judged_by = shape_files.read(graph.site.base, resources(graph.site, "shapes", "*.ttl"))
    ours = {each.result for each in judge(graph, judged_by, TODAY).findings}
    plainly = {each.result for each in reference(graph, judged_by, TODAY)}
    assert ours - plainly == set()
    assert plainly - ours == set()
    return len(ours)


def test_on_the_real_data() -> None:
    assert agree(ROOT) > 0


def test_on_generated_faults(tmp_path: Path) -> None:
    generate(tmp_path / "site", 8, faults=0.3)
    assert agree(tmp_path / "site") > 20


@pytest.mark.parametrize("seed", range(12))
def test_on_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    graph = edited(example_graph(), rng, rng.randrange(1, 20))
    ours = {each.result for each in judge(graph, shapes(), TODAY).findings}
    assert ours == {each.result for each in reference(graph, shapes(), TODAY)}


@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: case.name)
def test_on_every_case(case: Path, tmp_path: Path) -> None:
    agree(cases.site(case, tmp_path))


@pytest.mark.parametrize("rule", cases.EXPLAINED, ids=lambda rule: rule.stem)
def test_on_every_example_of_a_rule(rule: Path, tmp_path: Path) -> None:
    agree(cases.example_site(read(rule).bad, tmp_path / "bad"))
    agree(cases.example_site(read(rule).good, tmp_path / "good"))
