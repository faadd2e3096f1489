"""kg reconcile: names that are written alike, and decisions about them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.check.check import check
from kg.cli import main
from kg.facts.load import load
from kg.facts.models.publications import Publication
from kg.plugins.exchange.edits.reconcile import PersonPair, pairs, proposals, texts_with_decision

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
        f"  kg reconcile {site} --same 'Charles Univ.' charles-university",
        "data/cv/ada.yaml:5:20  Delta Works Lim.  data/organizations.yaml:3:3  Delta Works Limited",
        f"  kg reconcile {site} --same 'Delta Works Lim.' delta",
    ]
    found = json.loads(CliRunner().invoke(main, ["reconcile", str(site), "--json"]).stdout)
    assert [(each["name"], each["other"]["key"]) for each in found] == [
        ("Charles Univ.", "charles-university"),
        ("Delta Works Lim.", "delta"),
    ]


def test_braces_in_a_registry_stay(site: Path) -> None:
    text = f"{ORGS}ice: {{name: Ice Ltd}}  # once {{}}\nfjord: {{name: Fjord Ltd}}\n"
    (site / "data/organizations.yaml").write_text(text)
    pair = next(each for each in pairs(site) if each.slug == "charles-university")
    (found,) = texts_with_decision(site, pair, "same", "").values()
    assert found.startswith(text.rstrip())


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


HANA = """\
basics: {name: Hana Lind, orcid: 0000-0002-1825-0097}
publications:
  - {kind: journal, title: Ice, authors: [Hana Lind, Ada Berg], year: 2020}
"""
PAPER = "{kind: journal, title: %s, authors: [Ada Berg, %s], year: 2021}"


def with_authors(site: Path, *authors: str) -> list[tuple[str, str, str]]:
    """The pairs of people after Ada signed a work with each of these."""
    (site / "data/cv/hana-lind.yaml").write_text(HANA, encoding="utf-8")
    works = (PAPER % (f"Snow {number}", name) for number, name in enumerate(authors))
    text = "".join(f"  - {work}\n" for work in works)
    (site / "data/cv/ada.yaml").write_text(f"{CV}publications:\n{text}", encoding="utf-8")
    found = (each for each in proposals(site) if isinstance(each, PersonPair))
    return [(each.name, each.other, each.evidence) for each in found]


@pytest.mark.parametrize(
    "name", ["H. Lind", "Lind H", '"Lind, H."', "Lind Hana", "Hana B. Lind", "Хана Линд"]
)
def test_a_name_is_proposed_with_its_evidence(site: Path, name: str) -> None:
    why = "1 co-author in common (Ada Berg)"
    assert with_authors(site, name) == [(name.strip('"'), "Hana Lind", why)]


@pytest.mark.parametrize(
    "name",
    [
        "Hana Lindqvist",
        "Han Lind",
        "B. Lind",
        "{as: H. Lind, orcid: 0000-0001-5109-3700}",
        "Hana Lind, H. Lind",  # both sign one work
    ],
)
def test_another_person_is_not_proposed(site: Path, name: str) -> None:
    assert with_authors(site, name) == []


def test_transliterations_are_proposed(site: Path) -> None:
    [pair] = with_authors(site, "Juergen Müller", "Jürgen Mueller")
    assert {*pair[:2]} == {"Juergen Müller", "Jürgen Mueller"}


def test_the_pair_with_the_most_evidence_comes_first(site: Path) -> None:
    (site / "data/cv/bo.yaml").write_text(
        "basics: {name: Bo Ek}\npublications:\n"
        "  - {kind: journal, title: Fog, authors: [Bo Ek, Y. Sand], year: 2020}\n"
        "  - {kind: journal, title: Rain, authors: [Bo Ek, Yan Sand], year: 2020}\n"
        "  - {kind: journal, title: Hail, authors: [Bo Ek, Z. Reed, Ada Berg], year: 2020}\n"
        "  - {kind: journal, title: Wind, authors: [Bo Ek, Zoe Reed, Ada Berg], year: 2020}\n",
        encoding="utf-8",
    )
    names = [name for name, _, _ in with_authors(site, "Hanna Lind")]
    assert names == ["Hanna Lind", "Z. Reed", "Y. Sand"]


def run(site: Path, *words: str) -> str:
    result = CliRunner().invoke(main, ["reconcile", str(site), *words], catch_exceptions=False)
    return result.output


@pytest.mark.parametrize("decision", ["same", "different"])
def test_a_command_records_a_decision_about_people(site: Path, decision: str) -> None:
    with_authors(site, "H. Lind", "Z. Reed", "Zoe Reed")
    assert "--same 'H. Lind' hana-lind" in run(site)
    run(site, f"--{decision}", "H. Lind", "hana-lind")
    run(site, f"--{decision}", "Z. Reed", "zoe-reed")
    assert not [each for each in proposals(site) if isinstance(each, PersonPair)]
    assert check(site).publishable
    authors = {each.person.slug for _, work in load(site).of(Publication) for each in work.authors}
    others = set() if decision == "same" else {"h-lind", "z-reed"}
    assert authors == {"ada", "hana-lind", "zoe-reed", *others}
    assert "not among the pairs" in run(site, "--same", "H. Lind", "hana-lind")


def test_a_numbered_entry_becomes_the_person(site: Path) -> None:
    (site / "data/people.yaml").write_text("h-lind-2: {name: H. Lind (2)}\n", encoding="utf-8")
    [(name, other, _)] = with_authors(site, "{person: h-lind-2, as: H. Lind}")
    assert (name, other) == ("H. Lind", "Hana Lind")
    assert "full name of 'h-lind-2'" in run(site, "--different", "H. Lind", "hana-lind")
    run(site, "--same", "H. Lind", "hana-lind")
    assert "h-lind-2" not in (site / "data/people.yaml").read_text(encoding="utf-8")
    assert "{person: hana-lind, as: H. Lind}" in (site / "data/cv/ada.yaml").read_text("utf-8")
    assert check(site).publishable


PRINTED = """\
basics: {name: Hana Lind}
work:
  - {organization: Uppsala University, position: Reader, startDate: 2019, endDate: 2020}
  - {organization: Uppsala Universitet, position: Lecturer, startDate: 2020, endDate: present}
publications:
  - title: Slow Sand
    kind: journal
    authors: [H. Lind, Bo O'Dahl, J. Kim]
    journal: Journal of Sand Research
    year: 2025
  - title: Fast Sand
    kind: journal
    authors: [Hana Lind, B. O'Dahl, Jin Kim]
    journal: Journal of Sand Reserch
    year: 2024
  - title: Old Sand
    kind: journal
    authors: [Hana Lind, Bo O'Dahl, "Kim, J."]
    journal: J. Sand Res.
    year: 2024
"""
COMMANDS = [
    "--same 'B. O'\"'\"'Dahl' bo-odahl",
    "--same 'H. Lind' hana-lind",
    "--same 'J. Kim' kim-j",
    "--same 'Kim, J.' jin-kim",
    "--same 'Uppsala Universitet' uppsala-university",
    "--same 'Journal of Sand Reserch' journal-of-sand-research",
    "--same 'J. Sand Res.' journal-of-sand-research",
]


@pytest.mark.slow
@pytest.mark.parametrize("number", [*range(len(COMMANDS)), None])
def test_each_printed_command_works(tmp_path: Path, number: int | None) -> None:
    """Alone, and all of them one after the other."""
    (tmp_path / "data/cv").mkdir(parents=True)
    (tmp_path / "data/site.yaml").write_text("base: https://a.example/\ntitle: A\n")
    (tmp_path / "data/cv/hana-lind.yaml").write_text(PRINTED)
    listed = CliRunner().invoke(main, ["reconcile", str(tmp_path)]).stdout
    commands = [line.strip() for line in listed.splitlines() if line.startswith("  ")]
    assert [each.partition(f"{tmp_path} ")[2] for each in commands] == COMMANDS
    for command in commands if number is None else [commands[number]]:
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, f"{command}: {done.output}"
