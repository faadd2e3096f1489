"""The resolved shapes: any SHACL processor runs them as they are, and finds what `kg check`
finds.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import rdflib
from click.testing import CliRunner
from rdflib.namespace import SH

from kg.check import shapes
from kg.check.check import check
from kg.cli import main
from kg.facts.load import load
from kg.graph.build import build
from kg.graph.parallel.run import Run
from kg.mapping.ntriples import ntriples
from kg.publish.site import Documents
from kg.settings import shipped
from kg.vocab import cv
from tests import cases
from tests.conftest import ROOT

FILES = sorted(shipped("shapes").glob("*.ttl"))
BASE = "https://lab.example.org/"
TODAY = "2026-11-15"
SEVERITY = {SH.Violation: "error", SH.Warning: "warning", SH.Info: "info"}
BROKEN = """
basics: {name: Ada Berg, summary: writes}
work:
  - {organization: uni, position: Lecturer, startDate: 2019-09, endDate: 2018}
  - {organization: uni-lab, position: Reader, startDate: 2021, endDate: unknown}
"""


def printed(site: Path) -> bytes:
    result = CliRunner().invoke(main, ["shapes", str(site)])
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


def plainly(site: Path) -> Counter[tuple[str, str]]:
    """What pyshacl finds with nothing but two files, the shapes and the graph: how often each rule
    is broken.
    """
    facts = load(site)
    assert facts.site is not None
    data = rdflib.Graph().parse(data=ntriples(build(facts, facts.site).nquads), format="nt")
    import pyshacl  # takes a second, which not every worker should spend

    _, report, _ = pyshacl.validate(
        data, shacl_graph=rdflib.Graph().parse(data=printed(site), format="turtle")
    )
    assert isinstance(report, rdflib.Graph)
    found = [
        (report.value(result, SH.sourceShape), report.value(result, SH.resultSeverity))
        for result in report.objects(None, SH.result)
    ]
    return Counter((str(rule).rpartition("#")[2], SEVERITY[severity]) for rule, severity in found)  # type: ignore[index]


def ours(site: Path) -> Counter[tuple[str, str]]:
    """What the shapes find, before anything of it is accepted."""
    graph = check(site, Run(TODAY)).graph
    assert graph is not None
    found = shapes.read(graph.site.base, FILES).find(graph.memory, Run(TODAY))
    return Counter((each.rule, SEVERITY[SH[each.severity]]) for each in found)


@pytest.mark.proof
def test_pyshacl_finds_the_same_with_the_printed_file(example: Path, tmp_path: Path) -> None:
    assert plainly(example) == ours(example)
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "cv.yaml").write_text(BROKEN, encoding="utf-8")
    broken = cases.site(tmp_path / "case", tmp_path / "broken")
    found = plainly(broken)
    assert found == ours(broken)
    assert {("role-dates", "error"), ("role-end-unknown", "warning")} <= found.keys()


def test_what_is_printed_is_what_is_published(example: Path) -> None:
    graph = check(example).graph
    assert graph is not None
    document = Documents(graph).get("shapes.ttl")
    assert document is not None
    assert (document.media_type, document.body) == ("text/turtle", printed(example))


@pytest.mark.process
def test_every_process_writes_the_same_bytes() -> None:
    program = "import sys; from kg.cli import main; main()"
    command = [sys.executable, "-c", program, "shapes", str(ROOT / "kg" / "example")]
    once = subprocess.run(command, capture_output=True, check=True).stdout
    assert once == shapes.read(BASE, FILES).turtle()
    assert once.startswith(b"@prefix bibo: ")


def test_nothing_relative_is_left_and_every_query_has_its_prefixes() -> None:
    graph = rdflib.Graph().parse(data=shapes.read(BASE, FILES).turtle(), format="turtle")
    queries = list(graph.subject_objects(SH.select))
    assert len(queries) > 10
    assert not [str(query) for _, query in queries if "<terms/" in str(query)]
    assert [str(graph.value(constraint, SH.prefixes)) for constraint, _ in queries] == [
        f"{BASE}shapes"
    ] * len(queries)
    declared = {
        str(graph.value(each, SH.prefix)): str(graph.value(each, SH.namespace))
        for each in graph.objects(None, SH.declare)
    }
    assert declared["cv"] == str(cv)
    assert declared["schema"] == "http://schema.org/"


def test_blank_nodes_of_two_files_stay_apart(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.ttl").write_text(
            f"@prefix sh: <http://www.w3.org/ns/shacl#> . <shapes#{name}> sh:property _:x . "
            f'_:x sh:message "{name}" .'
        )
    graph = rdflib.Graph().parse(
        data=shapes.read(BASE, sorted(tmp_path.iterdir())).turtle(), format="turtle"
    )
    assert len(set(graph.subjects(SH.message))) == 2


def test_a_site_adds_its_own_and_its_mistakes_are_told(example: Path) -> None:
    (example / "shapes").mkdir()
    own = example / "shapes" / "house.ttl"
    own.write_text(
        '@prefix sh: <http://www.w3.org/ns/shacl#> . <shapes#house-rule> sh:message "be kind." .'
    )
    assert b"s:house-rule sh:message" in printed(example)
    own.write_text("not turtle")
    result = CliRunner().invoke(main, ["shapes", str(example)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "shapes/house.ttl:1:1" in result.stderr


def test_a_site_without_an_address_has_no_shapes(example: Path) -> None:
    (example / "data" / "site.yaml").write_text("title: Lab\n")
    result = CliRunner().invoke(main, ["shapes", str(example)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "'base'" in result.stderr


def test_a_rule_says_what_it_says_of_itself() -> None:
    said = {rule: text for rule, text in shapes.read(BASE, FILES).texts.items() if text.message}
    assert len(said) >= 25
    assert said["role-dates"].message.startswith("ends ({?end})")
