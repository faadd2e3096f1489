"""What files of any format say in passing is kept: that a work is under review, that an author has
a mark.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.check.check import check
from kg.facts.yaml.reader import read
from kg.files.atomic import replace_files
from kg.plugins.exchange.importing import Imported, import_files


def rendercv(**fields: Any) -> str:
    work = {"title": "Ice in Rivers", "authors": ["Mira Sand"], **fields}
    return json.dumps({"cv": {"name": "Mira Sand", "sections": {"publications": [work]}}})


def json_resume(**fields: Any) -> str:
    work = {"name": "Ice in Rivers", **fields}
    return json.dumps({"basics": {"name": "Mira Sand"}, "publications": [work]})


def csl(**fields: Any) -> str:
    author = [{"family": "Sand", "given": "Mira"}]
    work = {"type": "article-journal", "id": "a", "title": "Ice", "author": author, **fields}
    return json.dumps([work])


def json_ld(**fields: Any) -> str:
    work = {
        "@type": "ScholarlyArticle",
        "name": "Ice in Rivers",
        "author": {"@id": "#me"},
        **fields,
    }
    person = {"@type": "Person", "@id": "#me", "name": "Mira Sand"}
    return json.dumps({"@context": "https://schema.org", "@graph": [person, work]})


def brought(folder: Path, name: str, text: str) -> tuple[dict[str, Any], Imported]:
    """The one work that a file brings into a site of Mira Sand, and the import."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    (folder / "me.json").write_text('{"basics": {"name": "Mira Sand"}, "work": []}')
    site = folder / "site"
    imported = import_files([folder / "me.json", folder / name], site)
    replace_files(site, imported.texts)
    row, _ = read("cv.yaml", (site / "data/cv/mira-sand.yaml").read_bytes())
    assert row is not None
    assert not [each for each in check(site).problems if each.severity == "error"]
    (work,) = row["publications"]
    return work, imported


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("cv.yaml", rendercv(date="2025 - under review", journal="Ice"), "submitted"),
        ("cv.yaml", rendercv(date="2025", journal="Under review"), "submitted"),
        ("cv.yaml", rendercv(date="2025", journal="Submitted to Ice Letters"), "submitted"),
        ("cv.yaml", rendercv(date="2025", journal="Ice Letters (in press)"), "to-appear"),
        (
            "cv.yaml",
            rendercv(date="2025", title="Ice in Rivers (in preparation)"),
            "in-preparation",
        ),
        ("cv.yaml", rendercv(date="2025", summary="Under review at Ice Letters"), "submitted"),
        ("r.json", json_resume(releaseDate="2025 (under review)"), "submitted"),
        ("r.json", json_resume(releaseDate="2025", publisher="Under review"), "submitted"),
        ("c.json", csl(issued={"literal": "2025, under review"}), "submitted"),
        ("c.json", csl(issued={"date-parts": [[2025]]}, status="under review"), "submitted"),
        ("c.json", csl(issued={"date-parts": [[2025]]}, note="Submitted to Ice"), "submitted"),
        (
            "p.bib",
            "@misc{a, title = {Ice}, author = {M. Sand}, year = {2025 - in press}}",
            "to-appear",
        ),
        ("p.jsonld", json_ld(datePublished="2025", creativeWorkStatus="Submitted"), "submitted"),
    ],
)
def test_a_work_that_has_not_appeared_is_not_stated_as_published(
    tmp_path: Path, name: str, text: str, status: str
) -> None:
    work, _ = brought(tmp_path, name, text)
    assert work["status"] == status
    assert "2025" in (work.get("date"), work.get("year"))
    assert "journal" not in work or work["journal"] in ("Ice", "Ice Letters", "Journal of Ice")


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("The $B-L$ model with $Z_3$ symmetry", "The B-L model with Z<sub>3</sub> symmetry"),
        (r"$[SU(3)]^4$ and $\alpha$ decay", "[SU(3)]<sup>4</sup> and α decay"),
        ("Between $5 and $10 a day", "Between $5 and $10 a day"),
        (r"The $\unheard{x}$ operator", r"The $\unheard{x}$ operator"),
    ],
)
def test_formulas_in_titles_are_text(tmp_path: Path, written: str, title: str) -> None:
    work, _ = brought(tmp_path, "cv.yaml", rendercv(date="2025", journal="Ice", title=written))
    assert work["title"] == title


def test_the_publisher_in_a_note_of_zotero_is_listed(tmp_path: Path) -> None:
    text = "@article{a, title={Ice}, author={M. Sand}, journal={J}, year=2020, note={Publisher: X}}"
    work, imported = brought(tmp_path, "p.bib", text)
    assert "annotation" not in work
    assert "fields of Zotero in a note" in [each.why for each in imported.left]


def test_a_journal_that_a_work_was_submitted_to_is_in_a_note(tmp_path: Path) -> None:
    work, _ = brought(tmp_path, "cv.yaml", rendercv(date=2025, journal="Submitted to Ice Letters"))
    assert work["annotation"] == "Submitted to Ice Letters"
    assert work["kind"] == "other"


@pytest.mark.parametrize(
    ("fields", "publisher", "listed"),
    [
        ({"journal": "Zenodo"}, "Zenodo", None),
        ({"journal": "TBD"}, None, "no name of a venue"),
        (
            {"journal": "Ice", "summary": "Under review"},
            None,
            "not published there; the work is submitted",
        ),
    ],
)
def test_a_journal_that_is_none_is_not_stated(
    tmp_path: Path, fields: dict[str, str], publisher: str | None, listed: str | None
) -> None:
    work, imported = brought(tmp_path, "cv.yaml", rendercv(date="2025", **fields))
    assert "journal" not in work
    assert work.get("publisher") == publisher
    assert listed in [None, *(each.why for each in imported.left)]


def test_a_patent_of_google_scholar_is_a_patent(tmp_path: Path) -> None:
    (tmp_path / "me.json").write_text('{"basics": {"name": "Mira Sand"}, "work": []}')
    (tmp_path / "p.bib").write_text(
        "@misc{a, title={Ice Saw}, author={Sand, Mira}, year={2022}, "
        "note={US Patent App. 17/406,086}, publisher={Google Patents}}"
    )
    imported = import_files([tmp_path / "me.json", tmp_path / "p.bib"], tmp_path / "site")
    assert "publications" not in imported.texts["data/cv/mira-sand.yaml"]
    assert "application: 17/406,086" in imported.texts["data/patents.yaml"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cv.yaml", rendercv(date="2025, online first", journal="Ice")),
        ("p.bib", "@misc{a, title = {Ice}, author = {M. Sand}, year = {2025, online first}}"),
    ],
)
def test_words_beside_a_year_are_listed(tmp_path: Path, name: str, text: str) -> None:
    _, imported = brought(tmp_path, name, text)
    assert [(str(each.value), each.why) for each in imported.left] == [
        ("2025, online first", "only the year was imported")
    ]


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cv.yaml", rendercv(authors=["**M. Sand**\\*", "Kim Osei†", "Bo Ek¹"], date="2025")),
        ("r.json", json_resume(authors=["M. Sand*", "Kim Osei^", "Bo Ek‡"], releaseDate="2025")),
        ("r.json", json_resume(authors="M. Sand*, Kim Osei^1, Bo Ek‡", releaseDate="2025")),
        (
            "c.json",
            csl(
                author=[
                    {"family": "Sand*", "given": "M."},
                    {"family": "Osei", "given": "Kim†"},
                    {"family": "Ek²", "given": "Bo"},
                ]
            ),
        ),
        (
            "p.bib",
            "@misc{a, title = {Ice}, author = {Sand, M.* and Kim Osei$^1$ and Bo Ek$^\\dagger$}}",
        ),
        (
            "p.md",
            "---\ntitle: Ice\nauthors: ['M. Sand*', 'Kim Osei†', Bo Ek‡]\n"
            "publication_types: ['2']\ndate: 2025-01-01\n---\n",
        ),
    ],
)
def test_marks_of_authors_are_listed_and_in_no_name(tmp_path: Path, name: str, text: str) -> None:
    work, imported = brought(tmp_path, name, text)
    assert work["authors"] == ["M. Sand", "Kim Osei", "Bo Ek"]
    assert "Sand" in " ".join(str(each.value) for each in imported.left)
    row, _ = read("cv.yaml", (tmp_path / "site/data/cv/mira-sand.yaml").read_bytes())
    assert row is not None
    assert row["basics"]["alternateNames"] == ["M. Sand"]


@pytest.mark.parametrize(
    "authors",
    [
        "Sand, M. and {[Dual first authorship]} and Ek, Bo",
        "Sand, M. [joint first author] and Bo Ek (Joint first author)",
    ],
)
def test_a_remark_in_brackets_is_no_author(tmp_path: Path, authors: str) -> None:
    text = f"@article{{a, title={{Ice}}, author={{{authors}}}, journal={{J}}, year=2020}}"
    work, imported = brought(tmp_path, "p.bib", text)
    assert work["authors"] == ["M. Sand", "Bo Ek"]
    assert any("irst author" in each.value for each in imported.left)


def test_an_accepted_work_with_volume_and_pages_has_appeared(tmp_path: Path) -> None:
    fields = "note={Accepted, May 3, 2024}, journal={J}, year=2024, eprint={2405.00001}"
    author = "author={M. Sand}, archivePrefix={arXiv}"
    text = f"@misc{{a, title={{Ice}}, {author}, {fields}, volume=3, pages={{1--9}}}}"
    work, _ = brought(tmp_path, "p.bib", text)
    assert (work["kind"], work["arxiv"]) == ("journal", "2405.00001")
    assert "status" not in work
    work, _ = brought(tmp_path / "again", "p.bib", text.replace("volume=3, ", ""))
    assert (work["kind"], work["status"]) == ("preprint", "accepted")


def test_a_number_of_arxiv_that_was_read_is_not_listed(tmp_path: Path) -> None:
    fields = "journal={arXiv e-prints}, eprint={2405.00001}, archivePrefix={arXiv}, year=2024"
    text = f"@article{{a, title={{Ice}}, author={{M. Sand}}, {fields}}}"
    work, imported = brought(tmp_path, "p.bib", text)
    assert work["arxiv"] == "2405.00001"
    assert not imported.left


def test_a_note_that_repeats_pages_and_doi_is_left_out(tmp_path: Path) -> None:
    fields = "pages={e20J1}, doi={10.1029/20J1}, journal={J}, year=2020"
    text = f"@article{{a, title={{Ice}}, author={{M. Sand}}, {fields}, note={{e20J1 20J1}}}}"
    work, imported = brought(tmp_path, "p.bib", text)
    assert "annotation" not in work
    assert "repeats the pages or the DOI" in [each.why for each in imported.left]


def test_a_mark_that_the_work_explains_is_read(tmp_path: Path) -> None:
    text = rendercv(authors=["M. Sand*", "Kim Osei*"], date="2025", summary="* Equal contribution")
    work, imported = brought(tmp_path, "cv.yaml", text)
    assert work["authors"] == [
        {"as": "M. Sand", "equal": "true"},
        {"as": "Kim Osei", "equal": "true"},
    ]
    assert not imported.left
