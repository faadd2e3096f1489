"""A day that only the program needs is none; a venue keeps all its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.check.check import good
from kg.facts.yaml.reader import read
from kg.files.atomic import replace_files
from kg.plugins.exchange.importing import import_files

OWNER = "---\ntitle: Mira Sand\nsuperuser: true\nrole: Geologist\n---\n"
WORK = (
    "---\ntitle: Thin Ice\nauthors: [admin, 'Dr. Bo Ek, Jr.']\ndate: '{day}'\n"
    "publication_types: ['{kind}']\npublication: '{venue}'\ndoi: doi.org/10.5555/ice\n---\n"
)


def work_of(folder: Path, day: str, kind: str, venue: str, cited: str = "") -> dict[str, Any]:
    """The work of a site with one page, and a citation beside it."""
    page = WORK.format(day=day, kind=kind, venue=venue)
    files = {"authors/admin/_index.md": OWNER, "publication/ice/index.md": page}
    files |= {"publication/ice/cite.bib": cited} if cited else {}
    for name, text in files.items():
        path = folder / "source" / "content" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    texts = import_files([folder / "source"], folder / "site").texts
    row, _ = read("cv.yaml", texts["data/cv/mira-sand.yaml"].encode())
    assert row is not None
    (work,) = row["publications"]
    return dict(work)


@pytest.mark.parametrize(
    ("day", "date"),
    [("2020-01-01", "2020"), ("2020-06-01T00:00:00Z", "2020-06"), ("2020-06-15", "2020-06-15")],
)
def test_a_first_day_is_a_year_or_a_month(tmp_path: Path, day: str, date: str) -> None:
    work = work_of(tmp_path, day, "article-journal", "Journal of Ice")
    assert (work["date"], work["doi"], work["authors"]) == (
        *(date, "10.5555/ice"),
        ["Mira Sand", "Bo Ek Jr."],
    )


def test_a_first_day_is_one_if_the_citation_says_it(tmp_path: Path) -> None:
    cited = "@article{a, title={Thin Ice}, author={Sand, Mira and Ek, Jr., Bo}, date={2020-06-01}}"
    work = work_of(tmp_path, "2020-06-01", "article-journal", "Journal of Ice", cited)
    assert work["date"] == "2020-06-01"


@pytest.mark.parametrize(
    ("kind", "written", "fields"),
    [
        (
            "paper-conference",
            "*IEEE* Conference on Ice 2021",
            {"conference": "IEEE Conference on Ice", "year": "2021"},
        ),
        ("paper-conference", "In **ICES** 2020", {"conference": "ICES"}),
        (
            "article-journal",
            "In *Journal of Ice*, 3(2)",
            {"journal": "Journal of Ice", "issue": "2"},
        ),
        (
            "article-journal",
            "*Clay & Use* 42, nos. 3-4",
            {"journal": "Clay & Use", "volume": "42", "issue": "3-4"},
        ),
        ("article-journal", "_Ice_ Letters", {"journal": "Ice Letters"}),
        (
            "article",
            "*arXiv preprint arXiv:2006.01234*",
            {"kind": "preprint", "arxiv": "2006.01234"},
        ),
        ("paper-article", "Ice and Snow", {"kind": "other", "annotation": "Ice and Snow"}),
        ("paper-article", "I20: Ice presentation", {"annotation": "I20: Ice presentation"}),
        (
            "paper-conference",
            "*ICE Technical Paper 2020-24-0080*",
            {"annotation": "ICE Technical Paper 2020-24-0080"},
        ),
        (
            "paper-conference",
            "Smart Ice. *ICECON 2019*. Lecture Notes in Ice",
            {"conference": "Smart Ice. ICECON 2019. Lecture Notes in Ice"},
        ),
    ],
)
def test_a_venue_keeps_its_words(
    tmp_path: Path, kind: str, written: str, fields: dict[str, str]
) -> None:
    work = work_of(tmp_path, "2020-06-15", kind, written)
    assert fields.items() <= work.items()
    assert work["date"] == "2020-06-15"
    assert "publisher" not in work


def test_an_arxiv_number_is_the_month_of_a_preprint(tmp_path: Path) -> None:
    (tmp_path / "me.json").write_text('{"basics": {"name": "Mira Sand"}, "work": []}')
    (tmp_path / "p.bib").write_text(
        "@misc{a, title={One}, author={Sand, Mira}, eprint={2103.01234}, archiveprefix={arXiv}}"
        "@misc{b, title={Two}, author={Sand, Mira}, eprint={2104.01234}, archiveprefix={arXiv},"
        " year={2021}}"
        "@misc{c, title={Three}, author={Sand, Mira}, eprint={2312.01234}, archiveprefix={arXiv},"
        " year={2024}}"
        "@article{d, title={Four}, author={Sand, Mira}, journal={Ice}, eprint={2105.01234},"
        " archiveprefix={arXiv}, year={2021}}"
    )
    site = tmp_path / "site"
    replace_files(site, import_files([tmp_path / "me.json", tmp_path / "p.bib"], site).texts)
    query = """PREFIX schema: <http://schema.org/>
      SELECT ?name ?date { ?work schema:datePublished ?date ; schema:name ?name }"""
    found = {row["name"].value: row["date"].value for row in good(site).memory.select(query)}
    assert found == {"One": "2021-03", "Two": "2021-04", "Three": "2024", "Four": "2021"}


def test_the_day_of_a_page_is_not_that_of_its_work(tmp_path: Path) -> None:
    assert "date" not in work_of(tmp_path, "'\npublishDate: '2019-02-03", "report", "Ice")


def test_another_conference_of_a_citation_is_no_edition(tmp_path: Path) -> None:
    cited = (
        "@inproceedings{a, title={Thin Ice}, author={Sand, Mira and Ek, Jr., Bo}, year={2020},"
        " booktitle={2020 29th IEEE International Conference on Streams (ICE-STR)}}"
    )
    venue = "2020 IEEE International Workshop on Ice"
    work = work_of(tmp_path, "2020-06-15", "paper-conference", venue, cited)
    assert work["conference"] == "IEEE International Workshop on Ice"
    assert not (tmp_path / "site" / "data" / "venues.yaml").exists()
