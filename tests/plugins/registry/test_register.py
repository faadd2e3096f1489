"""A name in place becomes an entry: the address, the CV's own words and the graph stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.facts.load import load
from kg.graph.build import build
from kg.plugins.registry.register import NotRegistered, flow, register
from tests.cases import CASES, base_site, site

CV = """\
basics: {name: Ada Berg, location: "Tromsø, Norway"}
interests: [Ice Works]
languages: [de]
education:
  - institution:   # where it began
      name: Charles University
      alternateNames: [CU]
      url: https://cu.example.org/
    unit: Physics
    studyType: Ph.D.
    dates: 2010/2014
    advisor:
      name: "Novák: Jan"
      orcid: 0000-0002-1825-0097
work:
  - {organization: {name: Ice Works, kind: company}, position: Clerk, dates: 2015/2016}
  - {organization: {name: Ice Works, kind: company}, position: Cook, dates: 2016/2017}
"""
ADDRESSES = [
    "places/tromso-norway",
    "topics/ice-works",
    "languages/de",
    "orgs/charles-university",
    "orgs/charles-university-physics",
    "people/novak-jan",
    "orgs/ice-works",
]


WORKS = """\
basics: {name: Ada Berg}
publications:
  - title: Sand on the Move
    kind: journal
    authors: [Ada Berg]
    selected: true
  - {title: Dunes, kind: report, authors: [Ada Berg], year: 2021, key: dunes}
"""


def written(folder: Path, text: str = CV) -> Path:
    made = base_site(folder / "site")
    (made / "data" / "cv" / "ada.yaml").write_text(text, encoding="utf-8")
    return made


def graph(folder: Path) -> bytes:
    facts = load(folder)
    assert facts.site is not None
    assert [each for each in facts.problems if each.severity == "error"] == []
    return build(facts, facts.site).nquads


def test_the_fields_move_and_the_name_stays(tmp_path: Path) -> None:
    folder = written(tmp_path)
    assert register(folder, "Charles University") == (
        "data/organizations.yaml",
        "charles-university: {name: Charles University, alternateNames: [CU], "
        'url: "https://cu.example.org/"}',
    )
    text = (folder / "data" / "cv" / "ada.yaml").read_text(encoding="utf-8")
    assert (
        "  - institution:   # where it began\n      Charles University\n    unit: Physics\n" in text
    )
    assert register(folder, "Novák: Jan")[0] == "data/people.yaml"
    text = (folder / "data" / "cv" / "ada.yaml").read_text(encoding="utf-8")
    assert '    advisor: "Novák: Jan"\nwork:\n' in text


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_graph_stays(tmp_path: Path, address: str) -> None:
    folder = written(tmp_path)
    before, named = graph(folder), len(load(folder).inline)
    register(folder, address)
    assert graph(folder) == before
    assert len(load(folder).inline) == named - 1


def test_all_can_be_registered_one_by_one(tmp_path: Path) -> None:
    (case,) = (case for case in CASES if case.name == "named-in-place-with-fields")
    folder = site(case, tmp_path / "site")
    before = graph(folder)
    while named := load(folder).inline:
        register(folder, "/".join(next(iter(named))))
    assert graph(folder) == before


def test_a_new_file_begins_with_its_schema(tmp_path: Path) -> None:
    folder = written(tmp_path)
    (folder / "data" / "places.yaml").write_text("town: {name: Town}\n", encoding="utf-8")
    (folder / "data" / "languages.yaml").unlink()
    register(folder, "languages/de")
    assert (folder / "data" / "languages.yaml").read_text(encoding="utf-8") == (
        "# yaml-language-server: $schema=.schema/languages.json\nde: {name: German}\n"
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Ice Works", "is ambiguous: orgs/ice-works or topics/ice-works. Use the address."),
        ("Charles Univ", "is not an inline entity. Closest: Charles University"),
        ("Firm", "is not an inline entity."),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path: Path, name: str, message: str) -> None:
    folder = written(tmp_path)
    with pytest.raises(NotRegistered) as refused:
        register(folder, name)
    assert message in str(refused.value)
    assert (folder / "data" / "cv" / "ada.yaml").read_text(encoding="utf-8") == CV


def test_what_would_break_something_is_not_written(tmp_path: Path) -> None:
    folder = written(tmp_path)
    path = folder / "data" / "organizations.yaml"
    path.write_text("{uni: {name: University of Somewhere, kind: university}}\n", encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    with pytest.raises(
        NotRegistered, match=r"Add to data/organizations\.yaml:  charles-university"
    ):
        register(folder, "Charles University")
    assert path.read_text(encoding="utf-8") == before
    assert (folder / "data" / "cv" / "ada.yaml").read_text(encoding="utf-8") == CV


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Jan Novák", "Jan Novák"),
        ("Tromsø, Norway", '"Tromsø, Norway"'),
        ("A: B", '"A: B"'),
        ("- x", '"- x"'),
        (["a", "b #c"], '[a, "b #c"]'),
        ({"name": "A", "codes": ["1"]}, "{name: A, codes: [1]}"),
    ],
)
def test_text_is_quoted_where_it_has_to_be(value: object, text: str) -> None:
    assert flow(value) == text


def test_a_work_moves_and_its_key_stays(tmp_path: Path) -> None:
    folder = written(tmp_path, WORKS)
    before = graph(folder)
    for key in ("berg-sand", "dunes"):
        register(folder, f"publications/{key}")
    assert (folder / "data" / "cv" / "ada.yaml").read_text(encoding="utf-8") == (
        "basics: {name: Ada Berg}\npublications:\n  - {key: berg-sand, selected: true}\n  - dunes\n"
    )
    assert graph(folder) == before


FOLDED = """\
basics: {name: Ada Berg}
teaching:
  - {course: Sand, code: S 1, organization: Coast College, role: Tutor, dates: [2019, 2020]}
  - course: Silt
    url: https://silt.example.org/
    role: Grader
press:
  - {title: The Weight of Sand, kind: podcast, date: 2023, role: Interviewee}
projects:
  - {name: Thin Sand, url: "https://thin.example.org/", position: Lead, summary: "Weighs: layers"}
systems: [{software: sandalb, version: "1.2", startDate: 2020, endDate: present}]
grants: [{title: Sand for All, number: "7", role: Recipient, startDate: 2020, endDate: 2021}]
"""


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Sand", "- {course: Sand, role: Tutor, dates: [2019, 2020]}"),
        ("Silt", "- {course: Silt, role: Grader}"),
        ("The Weight of Sand", "- {item: The Weight of Sand, role: Interviewee}"),
        ("Thin Sand", '- {project: Thin Sand, position: Lead, summary: "Weighs: layers"}'),
        ("sandalb", "[{software: sandalb, startDate: 2020, endDate: present}]"),
        (
            "Sand for All",
            "[{grant: Sand for All, role: Recipient, startDate: 2020, endDate: 2021}]",
        ),
    ],
)
def test_what_an_entry_says_of_its_owner_stays(tmp_path: Path, name: str, left: str) -> None:
    folder = base_site(tmp_path)
    cv = folder / "data" / "cv" / "ada.yaml"
    cv.write_text(FOLDED, encoding="utf-8")
    before = graph(folder)
    register(folder, name)
    assert left in cv.read_text(encoding="utf-8")
    assert graph(folder) == before
