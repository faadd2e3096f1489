"""What a bibliography says about works, from the file over check and graph to the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.check.check import check
from kg.facts.yaml.reader import read
from kg.files.atomic import replace_files
from kg.plugins.exchange.importing import Imported, import_files
from kg.publish.site import Documents

ME = '{"basics": {"name": "Hana Lind"}, "work": []}'
SEVERAL = """\
@article{one, title={Ice}, author={Lind, Hana}, journal={Frost}, year=2020, doi={%s}}
@article{two, title={Snow}, author={Lind, Hana}, journal={Frost}, year=2020, doi={%s}}
"""


def site_of(folder: Path, **files: str) -> tuple[Path, Imported]:
    """A site without errors of a CV and these files, which a second import leaves as it is."""
    texts = {"me.json": ME, **{name.replace("_", "."): text for name, text in files.items()}}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    site = folder / "site"
    imported = import_files([folder / name for name in texts], site)
    replace_files(site, imported.texts)
    assert not [each for each in check(site).problems if each.severity == "error"]
    assert not import_files([folder / name for name in texts], site).shown
    return site, imported


def published(site: Path, *names: str) -> list[str]:
    """The texts of these files of the site."""
    documents = Documents(check(site).good_graph(site))
    found = [documents.get(name) for name in names]
    return [each.body.decode() for each in found if each]


def works(site: Path) -> list[dict[str, Any]]:
    row, _ = read("cv.yaml", (site / "data/cv/hana-lind.yaml").read_bytes())
    assert row is not None
    return list(row["publications"])


def editions(site: Path) -> dict[str, Any]:
    path = site / "data/venues.yaml"
    row, _ = read("venues.yaml", path.read_bytes()) if path.exists() else ({}, [])
    return {str(each["name"]): each["editions"] for each in (row or {}).values()}


def paper(printed: str, year: int = 2022, **fields: str) -> str:
    more = "".join(f", {name}={{{value}}}" for name, value in fields.items())
    return (
        f"@inproceedings{{a, title={{Ice}}, author={{Lind, Hana}}, booktitle={{{printed}}}, "
        f"year={year}{more}}}"
    )


@pytest.mark.parametrize("doi", ["TBD", "10.1145/nnnnnnn.nnnnnnn", "10.1145/XXXXXX.XXXXXX"])
def test_works_with_the_same_placeholder_as_doi_stay_two_works(tmp_path: Path, doi: str) -> None:
    site, _ = site_of(tmp_path, a_bib=SEVERAL % (doi, doi))
    assert [work["title"] for work in works(site)] == ["Ice", "Snow"]


def test_works_with_different_titles_and_one_doi_stay_two_works_without_it(tmp_path: Path) -> None:
    site, imported = site_of(tmp_path, a_bib=SEVERAL % ("10.5555/ice.1", "10.5555/ice.1"))
    assert [work["title"] for work in works(site)] == ["Ice", "Snow"]
    assert not [work for work in works(site) if "doi" in work]
    assert [str(each.value) for each in imported.left] == ["10.5555/ice.1"] * 2


@pytest.mark.parametrize(
    ("printed", "name", "award", "remark"),
    [
        ("NeurIPS 2022, Spotlight", "NeurIPS", "Spotlight", ""),
        ("CVPR (Best Paper Award)", "CVPR", "Best Paper Award", ""),
        ("ACL 2022 - Outstanding Paper Award", "ACL", "Outstanding Paper Award", ""),
        ("CHI '22, Honorable Mention", "CHI", "Honorable Mention", ""),
        ("ICLR 2022 (notable-top-5%)", "ICLR", "notable-top-5%", ""),
        ("ICML 2022, Best Student Paper Nominee", "ICML", "Best Student Paper Nominee", ""),
        ("ICLR 2022 (Oral)", "ICLR", "", "Oral"),
        ("ICML, Oral presentation", "ICML", "", "Oral presentation"),
        ("Conference on Best Practices", "Conference on Best Practices", "", ""),
    ],
)
def test_a_distinction_beside_a_conference_is_an_award_or_a_remark(
    tmp_path: Path, printed: str, name: str, award: str, remark: str
) -> None:
    site, _ = site_of(tmp_path, a_bib=paper(printed.replace("%", "\\%")))
    (work,) = works(site)
    said = (work["conference"], work.get("awards", ""), work.get("annotation", ""))
    assert said == (name, award, remark)


@pytest.mark.parametrize(
    ("printed", "name", "edition"),
    [
        (
            "ESEM, Torino, Italy, September 18-19",
            "ESEM",
            {"date": "2022-09-18", "endDate": "2022-09-19", "location": "Torino, Italy"},
        ),
        (
            "Proc. 12th Symposium on Ice, {ICE} 2022, Oulu, Finland, May 30 - June 2, 2022",
            "Symposium on Ice",
            {
                "name": "12th Symposium on Ice 2022",
                **{"date": "2022-05-30", "endDate": "2022-06-02", "location": "Oulu, Finland"},
            },
        ),
        (
            "Conference on Ice (ICE), Honolulu, HI, USA, 23 July 2022",
            "Conference on Ice",
            {
                "name": "Conference on Ice (ICE) 2022",
                **{"date": "2022-07-23", "location": "Honolulu, HI, USA"},
            },
        ),
        ("Conference on Ice, Snow and Norway", "Conference on Ice, Snow and Norway", None),
    ],
)
def test_place_and_dates_of_a_printed_title_are_those_of_the_edition(
    tmp_path: Path, printed: str, name: str, edition: dict[str, str] | None
) -> None:
    site, _ = site_of(tmp_path, a_bib=paper(printed))
    assert [work["conference"] for work in works(site)] == [name]
    assert editions(site).get(name) == (edition and {"2022": edition})


def test_a_workshop_at_a_conference_has_a_host(tmp_path: Path) -> None:
    site, _ = site_of(tmp_path, a_bib=paper("Workshop on Ice at NeurIPS 2022"))
    assert works(site)[0]["venue"] == "Workshop on Ice"
    host = {"venue": "NeurIPS", "year": "2022"}
    assert editions(site) == {"Workshop on Ice": {"2022": {"host": host}}}


def test_an_edition_of_another_year_than_the_work_keeps_its_year(tmp_path: Path) -> None:
    site, imported = site_of(tmp_path, a_bib=paper("ICE, Oslo, Norway, May 3, 2021"))
    assert editions(site) == {"ICE": {"2021": {"date": "2021-05-03", "location": "Oslo, Norway"}}}
    assert [(each["year"], each["date"]) for each in works(site)] == [("2021", "2022")]
    assert not imported.left


def test_proceedings_have_their_editors_isbn_and_series(tmp_path: Path) -> None:
    fields = {
        "editor": "Ek, Bo and Osei, Kim",
        "isbn": "978-3-16-148410-0",
        "eventdate": "2022-05-03/2022-05-04",
    }
    series = {"series": "Lecture Notes in Ice", "volume": "12", "venue": "Oslo, Norway"}
    site, imported = site_of(tmp_path, a_bib=paper("Conference on Ice", **fields, **series))
    assert not imported.left
    assert works(site)[0]["series"] == "Lecture Notes in Ice"
    assert works(site)[0]["volume"] == "12"
    (edition,) = editions(site)["Conference on Ice"].values()
    assert edition == {
        "date": "2022-05-03",
        "endDate": "2022-05-04",
        "location": "Oslo, Norway",
        "editors": ["Bo Ek", "Kim Osei"],
        "isbn": "978-3-16-148410-0",
    }
    venue, work = published(site, "venues/conference-on-ice.md", "publications/lind-2022-ice.md")
    assert "3–4 May 2022" in venue
    assert "Oslo, Norway" in venue
    assert "editor = {Ek, Bo and Osei, Kim}" in work


def test_an_acronym_with_year_is_a_name_of_the_edition_and_no_series(tmp_path: Path) -> None:
    site, _ = site_of(tmp_path, a_bib=paper("Conference on Ice", series="{ICE} '22"))
    assert "series" not in works(site)[0]
    assert editions(site)["Conference on Ice"]["2022"] == {"alternateNames": ["ICE '22"]}


def test_works_of_one_edition_describe_it_together(tmp_path: Path) -> None:
    one = paper("Conference on Ice, Oslo, Norway, May 3")
    two = paper("Conference on Ice", editor="Ek, Bo").replace("{a, title={Ice}", "{b, title={Snow}")
    other = paper("Conference on Ice", 2023, editor="Osei, Kim").replace(
        "{a, title={Ice}", "{c, title={Rain}"
    )
    site, imported = site_of(tmp_path, a_bib="\n".join([one, two, other]))
    assert not imported.left
    assert editions(site)["Conference on Ice"] == {
        "2022": {"date": "2022-05-03", "location": "Oslo, Norway", "editors": ["Bo Ek"]},
        "2023": {"editors": ["Kim Osei"]},
    }


def test_a_copied_doi_does_not_join_works_of_other_people(tmp_path: Path) -> None:
    copied = (SEVERAL % ("10.5555/ice.1", "10.5555/ice.1")).replace(
        "title={Snow}, author={Lind, Hana}", "title={Snow}, author={Ek, Bo and Lind, Hana}"
    )
    copied = copied.replace("{Ice}, author={Lind, Hana}", "{Ice}, author={Lind, Hana and Osei, K.}")
    site, imported = site_of(tmp_path, a_bib=copied)
    assert [(work["title"], work.get("doi")) for work in works(site)] == [
        ("Ice", None),
        ("Snow", None),
    ]
    assert [str(each.value) for each in imported.left] == ["10.5555/ice.1"] * 2


@pytest.mark.parametrize(
    ("printed", "pages"),
    [("1135--43", "1135-1143"), ("101-119", "101-119"), ("8-3", "8-3"), ("12-9", "12-9")],
)
def test_abbreviated_pages_are_written_in_full(tmp_path: Path, printed: str, pages: str) -> None:
    site, _ = site_of(tmp_path, a_bib=paper("Conference on Ice", pages=printed))
    assert works(site)[0]["pages"] == pages


def test_others_keep_the_list_of_authors_open_in_the_graph_and_on_the_page(tmp_path: Path) -> None:
    text = paper("Conference on Ice").replace("{Lind, Hana}", "{Lind, Hana and Ek, Bo and others}")
    site, _ = site_of(tmp_path, a_bib=text)
    (work,) = works(site)
    assert (work["authors"], work["moreAuthors"]) == (["Hana Lind", "Bo Ek"], "true")
    path = "publications/lind-2022-ice"
    triples, page = published(site, f"{path}.nt", f"{path}.md")
    assert "moreAuthors" in triples
    assert "et al." in page
    assert "Bo Ek" in page


@pytest.mark.parametrize(
    ("said", "status", "shown"),
    [
        ("under review", "submitted", "Submitted"),
        ("in press", "to-appear", "To appear"),
        ("to appear", "to-appear", "To appear"),
        ("accepted", "accepted", "Accepted"),
    ],
)
def test_a_status_beside_a_journal_is_on_the_page(
    tmp_path: Path, said: str, status: str, shown: str
) -> None:
    text = (
        f"@article{{a, title={{Ice}}, author={{Lind, Hana}}, journal={{Frost}}, year=2022, "
        f"note={{{said}}}}}"
    )
    site, _ = site_of(tmp_path, a_bib=text)
    assert works(site)[0]["status"] == status
    [page] = published(site, "publications/lind-2022-ice.md")
    assert shown.lower() in page.lower()


def test_a_large_team_is_named_by_its_work_and_not_one_by_one(tmp_path: Path) -> None:
    names = [f"P{number // 26:02}{chr(97 + number % 26)}, Bo" for number in range(100)]
    team = paper("Frost").replace("{Lind, Hana}", f"{{Lind, Hana and {' and '.join(names)}}}")
    pair = paper("Snow").replace(
        "{a, title={Ice}, author={Lind, Hana}", "{b, title={Rain}, author={Lind, Hana and Ek, Bo}"
    )
    site, _ = site_of(tmp_path, a_bib=f"{team}\n{pair}")
    [page] = published(site, "people/hana-lind.md")
    _, coauthors = page.split("## Co-authors", 1)
    alone, team_only = coauthors.split("## With more than 100 authors", 1)
    assert "Bo Ek" in alone
    assert "P00a" not in alone
    assert "[Ice]" in team_only
