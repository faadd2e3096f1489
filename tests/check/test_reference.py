"""The proof: what we find is what plain pyshacl finds, on the real data, every case, generated CVs
with faults and random graphs.

It takes minutes, so `make test` leaves it to `make proof`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rdflib.plugins.sparql import processor

from bench.generate import generate
from kg.check.check import check
from kg.check.report.explain import read
from kg.check.shacl import shape_files
from kg.check.verdict import judge, reference
from kg.facts.load import load
from kg.graph.build import Graph, build
from kg.graph.parallel.run import Run
from kg.store.memory import Memory
from tests import cases
from tests.check.test_verdict import FILES, edited, example_graph, shapes
from tests.cli.test_cli import run
from tests.conftest import LARGE_SITE
from tests.test_mistakes import MISTAKES, REAL, copy, make

TODAY = "2026-11-15"
pytestmark = [pytest.mark.proof, pytest.mark.corpus]


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
    """How many problems there are, which must be the same both ways, to the letter."""
    ours, plainly = (check(folder, Run(TODAY), plain=plain).problems for plain in (False, True))
    assert ours == plainly
    return len(ours)


def test_on_the_real_data() -> None:
    assert agree(LARGE_SITE) > 0


def test_on_generated_faults(tmp_path: Path) -> None:
    generate(tmp_path / "site", 8, faults=0.3)
    assert agree(tmp_path / "site") > 20


@pytest.mark.sample(proof=0.4)
@pytest.mark.parametrize("seed", range(12))
def test_on_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    graph = edited(example_graph(), rng, rng.randrange(1, 20))
    ours = {each.result for each in judge(graph, shapes(), Run(TODAY)).findings}
    assert ours == {each.result for each in reference(graph, shapes(), TODAY)}


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


def test_on_all_cases_and_examples_of_rules(tmp_path: Path) -> None:
    """By our shapes. Twenty sites are one graph, for plain pyshacl takes seconds for any."""
    sites = sites_of_cases(tmp_path)
    shapes = shape_files.read(cases.BASE, FILES)
    rules = set()
    for first in range(len(sites) // 20):
        graph = all_in_one(list(graphs_of(sites[first :: len(sites) // 20])))
        ours = judge(graph, shapes, Run(TODAY)).findings
        found = {each.result for each in ours}
        assert found == {each.result for each in reference(graph, shapes, TODAY)}
        rules.update(each.rule for each in ours)
    assert len(rules) > 60


@pytest.mark.sample(proof=0.4)
@pytest.mark.parametrize("case", cases.CASES[::20], ids=lambda case: case.name)
def test_on_cases(case: Path, tmp_path: Path) -> None:
    """To the letter of the messages."""
    agree(cases.site(case, tmp_path))


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
    agree(cases.example_site(read(rule).bad, tmp_path / "bad"))
    agree(cases.example_site(read(rule).good, tmp_path / "good"))


@pytest.mark.sample(proof=0.2)
@pytest.mark.parametrize(  # in the example, where plain pyshacl is soon done
    "name", [name for name in sorted(MISTAKES) if not name.startswith(REAL)][::9]
)
def test_on_planted_mistakes(name: str, tmp_path: Path) -> None:
    site = copy(name, tmp_path)
    make(MISTAKES[name], site)
    agree(site)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_the_reports_are_the_same(form: str, tmp_path: Path) -> None:
    """Also of pairs, of what is accepted, of what the Turtle of a site says, and of texts that a
    regular expression would take for its own.
    """
    site = copy("", tmp_path)
    with (site / "data" / "organizations.yaml").open("a", encoding="utf-8") as file:
        file.write("works-of-the-delta: {name: The Delta Works, kind: company}\n")
    (site / "data" / "more.ttl").write_text(
        "@prefix schema: <http://schema.org/> .\n"
        "<people/noor-haddad#it> schema:affiliation <orgs/works-of-the-delta#it> .\n"
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        '<people/kim-osei#it> schema:award "\\\\d \\\\1"^^xsd:token ;\n'
        "  schema:awards <https://kim.example.org/> .\n",
        encoding="utf-8",
    )
    results = [
        run("check", site, "--today", TODAY, "--format", form, *options)
        for options in ((), ("--reference",))
    ]
    assert results[0].stdout == results[1].stdout
    assert results[0].exit_code == results[1].exit_code == 1
    assert "organization-twice" in results[0].stdout
    assert "owner-page" not in results[0].stdout.partition("rules")[0]
