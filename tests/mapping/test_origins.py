"""The way back: from a node and a predicate to the file, line and column that say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.mapping.origins import locate
from kg.mapping.walk import Walker
from tests.cases import BASE
from tests.mapping import DCTERMS, RDF_TYPE, SCHEMA, walked

CV = """\
basics:
  name: Ada Berg
  profiles:
  - {network: github, username: ada}
work:
- organization: uni
  positions:
  - position: Intern
    startDate: 2018
    endDate: 2019
  - position: Fellow
    dates: [2020,
      2021-05/2022]
  mentors: [bo, cy]
education:
- institution: uni
  studyType: PhD
  dates: 2010/2014
  score: 3.9/4.0
- institution: uni
  studyType: [MSc]
  dates: 2008/2010
  score:
    value: 3.8
    scale: 4.0
"""
PAPERS = """\
x-2020:
  title: On X
  kind: conference
  venue: conf
  year: 2020
  doi: 10.1000/x
  authors:
  - Ada Berg
  - {person: bo, as: Bo E.}
"""


@pytest.fixture(scope="module")
def walker(tmp_path_factory: pytest.TempPathFactory) -> Walker:
    return walked(tmp_path_factory.mktemp("origins"), cv=CV, publications=PAPERS)


def place(walker: Walker, focus: str, path: str | None = None, value: str | None = None) -> str:
    found = locate(walker.origins, BASE, BASE + focus, path, BASE + value if value else None)
    assert found is not None
    return f"{found[0]} {found[1]}"


@pytest.mark.parametrize(
    ("focus", "path", "expected"),
    [
        ("people/ada#it", f"{SCHEMA}name", "2:9 basics"),
        ("people/ada#account-github", "http://xmlns.com/foaf/0.1/accountName", "4:33 basics"),
        ("people/ada#work-uni-intern", f"{SCHEMA}endDate", "10:14 work[0].positions[0]"),
        ("people/ada#work-uni-intern", f"{SCHEMA}startDate", "9:16 work[0].positions[0]"),
        ("people/ada#work-uni-intern", f"{SCHEMA}affiliation", "8:5 work[0].positions[0]"),
        ("people/ada#work-uni-intern", f"{DCTERMS}date", "10:14 work[0].positions[0]"),
        ("people/ada#work-uni-fellow-2020", f"{SCHEMA}endDate", "12:13 work[0].positions[1]"),
        (
            "people/ada#work-uni-fellow-2021-05-2022",
            f"{SCHEMA}endDate",
            "13:7 work[0].positions[1]",
        ),
        (
            "people/ada#mentor-cy-work-uni-intern",
            f"{SCHEMA}colleague",
            "14:17 work[0].positions[0]",
        ),
        ("people/ada#study-uni-phd-gpa", f"{SCHEMA}value", "19:10 education[0]"),
        ("people/ada#study-uni-msc-gpa", f"{SCHEMA}maxValue", "25:12 education[1]"),
        ("people/ada#degree-uni-phd", f"{SCHEMA}name", "17:14 education[0]"),
        ("people/ada#degree-uni-msc", f"{SCHEMA}name", "21:15 education[1]"),
    ],
)
def test_the_line_of_a_cv_that_says_it(
    walker: Walker, focus: str, path: str, expected: str
) -> None:
    assert place(walker, focus, path) == f"data/cv/ada.yaml:{expected}"


@pytest.mark.parametrize(
    ("focus", "path", "expected"),
    [
        ("publications/x-2020#it", f"{SCHEMA}headline", "2:10"),
        ("publications/x-2020#it", f"{SCHEMA}isPartOf", "4:10"),
        ("publications/x-2020#author-1", f"{SCHEMA}alternateName", "8:5"),
        ("publications/x-2020#author-2", f"{SCHEMA}creator", "9:14"),
        ("publications/x-2020#author-2", f"{SCHEMA}alternateName", "9:22"),
        ("publications/x-2020#doi", f"{SCHEMA}value", "6:8"),
        ("venues/conf#2020", f"{SCHEMA}startDate", "4:10"),
        ("venues/conf#2020-proceedings", f"{SCHEMA}name", "4:10"),
    ],
)
def test_the_line_of_a_publication_that_says_it(
    walker: Walker, focus: str, path: str, expected: str
) -> None:
    assert place(walker, focus, path) == f"data/publications/case.yaml:{expected} x-2020"


def test_a_path_no_field_has_leads_to_the_value_where_that_is_known(walker: Walker) -> None:
    assert (
        place(walker, "people/ada#it", f"{SCHEMA}worksFor", "people/ada#work-uni-intern")
        == "data/cv/ada.yaml:8:5 work[0].positions[0]"
    )


@pytest.mark.parametrize("path", [None, RDF_TYPE, "http://example.org/unheard-of"])
def test_without_a_field_or_a_value_the_entry_itself_is_shown(
    walker: Walker, path: str | None
) -> None:
    assert (
        place(walker, "people/ada#work-uni-intern", path)
        == "data/cv/ada.yaml:8:5 work[0].positions[0]"
    )
    assert place(walker, "publications/x-2020#it", path) == "data/publications/case.yaml:2:3 x-2020"


def test_a_field_the_author_left_out_leads_to_the_entry(walker: Walker) -> None:
    assert (
        place(walker, "publications/x-2020#it", f"{SCHEMA}url")
        == "data/publications/case.yaml:2:3 x-2020"
    )


def test_a_node_nobody_wrote_has_no_place(walker: Walker) -> None:
    assert locate(walker.origins, BASE, f"{BASE}people/nobody#it", f"{SCHEMA}name") is None


def test_the_item_of_a_list_that_is_at_fault_is_shown(tmp_path: Path) -> None:
    cv = (
        "basics:\n  name: Ada Berg\n  alternateNames: [A. Berg,\n    A. B.]\nwork: "
        "[]\ninterests:\n- sand\n- python\n"
    )
    walker = walked(tmp_path, cv=cv)
    assert (
        place(walker, "people/ada#it", f"{SCHEMA}alternateName") == "data/cv/ada.yaml:3:19 basics"
    )
    found = locate(walker.origins, BASE, f"{BASE}people/ada#it", f"{SCHEMA}alternateName", "A. B.")
    assert found is not None
    assert f"{found[0].line}:{found[0].column}" == "4:5"
    assert place(walker, "people/ada#it", f"{SCHEMA}knowsAbout", "topics/python#it").startswith(
        "data/cv/ada.yaml:8:3"
    )
