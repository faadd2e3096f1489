"""kg reconcile: names that are written alike, and decisions about them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.check.check import check
from kg.cli import main
from kg.plugins.exchange.edits.reconcile import pairs, texts_with_decision

CV = """\
basics: {name: Ada Berg}
work:
  - {organization: Charles University, position: Lecturer, startDate: 2019, endDate: 2020}
  - {organization: Charles Univ., position: Reader, startDate: 2020, endDate: 2021}
  - {organization: Delta Works Lim., position: Guide, startDate: 2015, endDate: 2016}
"""
ORGS = """\
# who is who
delta:
  name: Delta Works Limited  # of Fjord
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "data/cv").mkdir(parents=True)
    (tmp_path / "data/site.yaml").write_text("base: https://a.example/\ntitle: A\n")
    (tmp_path / "data/cv/ada.yaml").write_text(CV)
    (tmp_path / "data/organizations.yaml").write_text(ORGS)
    return tmp_path


def orgs(site: Path) -> str:
    return (site / "data/organizations.yaml").read_text(encoding="utf-8")


def near(site: Path) -> list[str]:
    return [each.message for each in check(site).problems if each.rule == "near-name"]


def test_the_pairs_are_those_of_the_check(site: Path) -> None:
    assert [pair.problem.message for pair in pairs(site)] == near(site)
    assert len(near(site)) == 2


def test_without_a_terminal_the_pairs_are_listed(site: Path) -> None:
    result = CliRunner().invoke(main, ["reconcile", str(site)])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "data/cv/ada.yaml:4:20  Charles Univ.  data/cv/ada.yaml:3:20  Charles University",
        "data/cv/ada.yaml:5:20  Delta Works Lim.  data/organizations.yaml:3:3  Delta Works Limited",
    ]
    found = json.loads(CliRunner().invoke(main, ["reconcile", str(site), "--json"]).stdout)
    assert [(each["name"], each["other"]["key"]) for each in found] == [
        ("Charles Univ.", "charles-university"),
        ("Delta Works Lim.", "delta"),
    ]


@pytest.mark.parametrize("decision", ["same", "different"])
def test_a_decision_is_a_line_of_a_registry_and_goes_with_it(site: Path, decision: str) -> None:
    before = orgs(site)
    for pair in pairs(site):
        texts = texts_with_decision(
            site, pair, "same" if decision == "same" else "different", "I asked them"
        )
        (path,) = texts
        (site / path).write_text(texts[path], encoding="utf-8")
    assert pairs(site) == [] and near(site) == []
    assert check(site).publishable
    new = [line for line in orgs(site).splitlines() if line not in before.splitlines()]
    assert len(new) == 2
    assert all("I asked them" in line for line in new)
    for line in new:
        text = orgs(site).replace(f"{line}\n", "")
        (site / "data/organizations.yaml").write_text(text, encoding="utf-8")
    assert orgs(site) == before
    assert len(near(site)) == 2


def test_at_a_terminal_each_pair_is_asked_for(
    site: Path, terminal: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert terminal(["reconcile", str(site)], "perhaps", "same", "slip", "skip") == 0
    assert "1 decision recorded." in capsys.readouterr().err
    assert orgs(site) == ORGS + (
        "charles-university: {name: Charles University, alternateNames: [Charles Univ.]}  # slip\n"
    )
    assert terminal(["reconcile", str(site)], "different", "another firm", "quit") == 0
    assert "  accept: {near-name: another firm}\n" in orgs(site)
    assert near(site) == []
