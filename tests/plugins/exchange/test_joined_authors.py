"""A work that two files describe has one list of authors, with nobody in it twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kg.check.check import check
from kg.cli import main
from kg.facts.yaml.reader import read
from kg.plugins.exchange.author_names import is_same_name, join_authors

CV = """\
cv:
  name: Ada Berg
  sections:
    publications:
      - {title: Ice in Rivers, authors: [AUTHORS], date: DATE, journal: Ice, doi: 10.1000/ice}
"""
BIB = """\
@article{ice,
  title = {Ice in Rivers},
  author = {Berg, Ada and Dahl, Carl},
  year = {2021},
  journal = {Ice},
  doi = {10.1000/ice}
}
"""


def run(*words: object) -> str:
    result = CliRunner().invoke(main, ["import", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def written(folder: Path, authors: str, date: str = "2021-05-03", bib: str = BIB) -> list[Path]:
    cv, papers = folder / "cv.yaml", folder / "papers.bib"
    cv.write_text(CV.replace("AUTHORS", authors).replace("DATE", date), encoding="utf-8")
    papers.write_text(bib, encoding="utf-8")
    return [cv, papers]


def work_in(site: Path) -> dict[str, Any]:
    row, _ = read("cv.yaml", (site / "data/cv/ada-berg.yaml").read_bytes())
    (work,) = row["publications"]
    return dict(work)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A. Berg", "Ada Berg"),
        ("Berg, A. K.", "Ada Karin Berg"),
        ("Berg AK", "Ada K. Berg"),
        ("AK Berg", "Ada Berg"),
        ("J.-P. Dupont", "Jean-Pierre Dupont"),
        ("J. van der Berg", "van der Berg, Jan"),
        ("J. M. van der Berg", "Jan Berg"),
        ("P. Novak", "Petr Novák"),
        ("C. Dahl Jr.", "Carl Dahl"),
        ("LI Wei", "Wei Li"),
        ("C. Dahl", "carl-dahl"),
    ],
)
def test_initials_and_the_name_they_stand_for_are_one_person(one: str, other: str) -> None:
    assert is_same_name(one, other)
    assert is_same_name(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A. Berg", "Carl Berg"),
        ("A. Berg", "A. Dahl"),
        ("Ada K. Berg", "Ada L. Berg"),
        ("Berg", "A. Berg"),
        ("Ada Berg", "Berg Team"),
    ],
)
def test_other_names_are_other_people(one: str, other: str) -> None:
    assert not is_same_name(one, other)
    assert not is_same_name(other, one)


@pytest.mark.parametrize(
    ("mine", "other", "joined"),
    [
        (["A. Berg", "C. Dahl"], ["Ada Berg", "Carl Dahl"], ["Ada Berg", "Carl Dahl"]),
        (["Ada Berg", "C. Dahl"], ["A. Berg", "Carl Dahl"], ["Ada Berg", "Carl Dahl"]),
        (["A. Berg", "et al."], ["Ada Berg", "Carl Dahl"], ["Ada Berg", "Carl Dahl"]),
        (["Ada Berg", "Carl Dahl"], ["A. Berg"], ["Ada Berg", "Carl Dahl"]),
        (["Ada Berg"], ["C. Dahl", "A. Berg"], ["C. Dahl", "Ada Berg"]),
        (["A. Berg", "et al."], ["Ada Berg", "others"], ["Ada Berg", "et al."]),
        (
            [{"as": "A. Berg", "equal": "true"}, "C. Dahl"],
            ["Ada Berg", {"as": "Carl Dahl", "orcid": "0000-0002-1825-0097"}],
            [
                {"as": "Ada Berg", "equal": "true"},
                {"as": "Carl Dahl", "orcid": "0000-0002-1825-0097"},
            ],
        ),
        ([{"as": "C. Dahl", "person": "cd"}], ["Carl Dahl"], [{"as": "C. Dahl", "person": "cd"}]),
    ],
)
def test_two_lists_of_the_same_people_are_one(
    mine: list[Any], other: list[Any], joined: list[Any]
) -> None:
    assert join_authors(mine, other) == joined


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        (["Ada Berg", "Carl Dahl"], ["Carl Dahl", "Ada Berg"]),
        (["Ada Berg", "Carl Dahl"], ["Ada Berg", "Bo Ek"]),
        (["Ada Berg", "Carl Dahl"], ["Ada Berg", "Bo Ek", "Carl Dahl"]),
        (["Ada Berg"], ["Bo Ek"]),
        ([{"as": "C. Dahl", "orcid": "1"}], [{"as": "C. Dahl", "orcid": "2"}]),
    ],
)
def test_lists_of_different_people_are_not_joined(mine: list[Any], other: list[Any]) -> None:
    assert join_authors(mine, other) is None


def test_a_cv_and_its_bibliography_name_each_author_once(tmp_path: Path) -> None:
    site = tmp_path / "site"
    files = written(tmp_path, "A. Berg, C. Dahl")
    assert run(*files, "--into", site) == ""
    assert work_in(site)["authors"] == ["Ada Berg", "Carl Dahl"]
    assert work_in(site)["date"] == "2021-05-03"
    assert "year" not in work_in(site)
    assert not [each for each in check(site).problems if each.severity == "error"]


def test_a_bibliography_imported_later_names_each_author_once(tmp_path: Path) -> None:
    site = tmp_path / "site"
    cv, papers = written(tmp_path, "A. Berg, C. Dahl", "2021")
    papers.write_text(BIB.replace("{2021},", "{2021}, month = may,"), encoding="utf-8")
    run(cv, "--into", site)
    path = site / "data/cv/ada-berg.yaml"
    text = path.read_text(encoding="utf-8")
    assert "authors: [A. Berg, C. Dahl]\n" in text
    text = text.replace(
        "[A. Berg, C. Dahl]", "\n      - {as: A. Berg, equal: true}\n      - C. Dahl"
    )
    path.write_text(text.replace("date: 2021\n", "year: 2021 # as printed\n"), encoding="utf-8")
    assert run(papers, "--into", site) == ""
    assert work_in(site)["authors"] == [{"as": "Ada Berg", "equal": "true"}, "Carl Dahl"]
    assert "date: 2021-05 # as printed\n" in path.read_text(encoding="utf-8")
    assert "year" not in work_in(site)


def test_authors_that_differ_are_those_of_the_cv_and_the_others_are_listed(tmp_path: Path) -> None:
    files = written(tmp_path, "A. Berg, B. Ek", "2020")
    out = run(*files, "--into", tmp_path / "site")
    assert work_in(tmp_path / "site")["authors"] == ["A. Berg", "B. Ek"]
    assert work_in(tmp_path / "site")["date"] == "2020"
    assert f'{files[1]}:3:12  @article{{ice}}.author[0]  "Ada Berg, Carl Dahl"' in out
    assert f'{files[1]}:4:10  @article{{ice}}.year  "2021"' in out


def test_authors_that_differ_from_those_of_the_site_are_listed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    cv, papers = written(tmp_path, "A. Berg, B. Ek")
    run(cv, "--into", site)
    out = run(papers, "--into", site)
    assert work_in(site)["authors"] == ["A. Berg", "B. Ek"]
    why = "differs from A. Berg, B. Ek (cv.yaml), which is kept"
    assert f'{papers}:3:12  @article{{ice}}.author[0]  "Ada Berg, Carl Dahl"  {why}' in out


def test_a_name_of_somebody_in_the_registry_stays(tmp_path: Path) -> None:
    site = tmp_path / "site"
    cv, papers = written(tmp_path, "A. Berg, C. Dahl")
    run(cv, "--into", site)
    people = "dahl: {name: Carla Dahl, alternateNames: [C. Dahl]}\n"
    (site / "data/people.yaml").write_text(people, encoding="utf-8")
    run(papers, "--into", site)
    assert work_in(site)["authors"] == ["Ada Berg", "C. Dahl"]


@pytest.mark.parametrize("printed", ["Ice, vol. 12, no. CSCW1", "Ice, 12(3): 4-5", "Ice 12 (2021)"])
def test_a_journal_that_is_printed_with_its_volume_is_called_by_its_name(
    tmp_path: Path, printed: str
) -> None:
    files = written(tmp_path, "Ada Berg, Carl Dahl")
    files[0].write_text(
        files[0].read_text(encoding="utf-8").replace("journal: Ice", f'journal: "{printed}"'),
        encoding="utf-8",
    )
    assert "differs from" not in run(*files, "--into", tmp_path / "site")
    assert work_in(tmp_path / "site")["journal"] == "Ice"


def test_another_journal_is_listed(tmp_path: Path) -> None:
    files = written(tmp_path, "Ada Berg, Carl Dahl", bib=BIB.replace("{Ice}", "{Ice Letters}"))
    out = run(*files, "--into", tmp_path / "site")
    assert f'"Ice Letters"  differs from Ice ({files[0]}:5:91), which is kept' in out
    assert work_in(tmp_path / "site")["journal"] == "Ice"


def test_a_single_name_without_one_family_name_is_in_the_full_list() -> None:
    full = ["Anna Sand", "Enrique Heredia"]
    assert join_authors(["Enrique Heredia-Aguado"], full) == ["Anna Sand", "Enrique Heredia-Aguado"]
    assert join_authors(["Enrique Aguado"], full) is None
