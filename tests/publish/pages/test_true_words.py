"""Words on pages say what is there: labels by class, counts by kind, no words without meaning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import lxml.html
import pytest

from kg.check.check import good
from kg.publish.site import Documents

SITE = "base: https://lab.example.org/\ntitle: Lab\n"
ADA = """basics: {name: Ada Berg}
education:
  - {institution: University of Oslo, studyType: PhD, area: Sea ice, startDate: 2010, endDate: 2014}
skills:
  - {name: Skills, keywords: [Rust]}
  - {name: Field work, keywords: [Skiing]}
publications:
  - {key: thin, title: Thin Ice, kind: journal, journal: Annals of Ice, year: 2022, refereed: true,
     keywords: [Sea ice], authors: [Ada Berg, Bo Ek]}
  - {key: thick, title: Thick Ice, kind: journal, journal: Annals of Ice, year: 2021,
     keywords: [Sea ice], authors: [Ada Berg]}
  - {key: slow, title: Slow Ice, kind: journal, journal: Annals of Ice, year: 2020, refereed: false,
     keywords: [Sea ice], authors: [Ada Berg]}
awards:
  - {title: Ice Prize, year: 2022, kind: distinction, work: thin}
  - {title: Reviewer Prize, year: 2021}
  - {title: Reviewer Prize, year: 2020}
talks:
  - {title: How ice thins, venue: Snow Days, date: 2023, about: [thin]}
press:
  - {title: The Ice Is Thin, publisher: Morning Post, date: 2023, about: [Sea ice]}
  - {title: Ice in Trouble, publisher: Evening Post, date: 2022, about: [Sea ice]}
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    folder = tmp_path_factory.mktemp("words")
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    (folder / "data" / "cv" / "ada.yaml").write_text(ADA, encoding="utf-8")
    pages = Documents(good(folder))

    def text_of(path: str) -> str:
        document = pages.get(path)
        assert document is not None
        main = lxml.html.document_fromstring(document.body.decode()).find(".//main")
        return " ".join(" ".join(main.itertext()).replace("\N{NO-BREAK SPACE}", " ").split())

    return text_of


def test_what_is_related_to_a_work_is_labelled_by_its_class(text: Callable[[str], str]) -> None:
    related = text("publications/thin.html").partition("Related")[2]
    assert "Award Ice Prize" in related
    assert "Talk How ice thins" in related


def test_works_and_press_about_a_topic_are_counted_apart(text: Callable[[str], str]) -> None:
    assert "three works and two press articles discuss it." in text("topics/sea-ice.html").lower()


def test_words_without_meaning_are_left_out(text: Callable[[str], str]) -> None:
    assert "Refereed" not in text("publications/thin.html")
    assert "Refereed No" in text("publications/slow.html")
    page = text("people/ada.html")
    assert "distinction" not in page
    assert "Skills Rust" in page
    assert "Skills Skills" not in page
    assert "Field work Skiing" in page


def test_prizes_of_two_years_are_no_period(text: Callable[[str], str]) -> None:
    assert "2020, 2021 Reviewer Prize" in text("people/ada.html")


def test_only_people_with_a_cv_here_have_numbered_works(text: Callable[[str], str]) -> None:
    assert "J3" in text("people/ada.html")
    other = text("people/bo-ek.html")
    assert "Thin Ice" in other
    assert "J1" not in other


def test_a_work_in_press_of_a_past_year_is_listed_under_that_year(tmp_path: Path) -> None:
    works = "".join(
        f"  - {{title: {title} Ice, kind: journal, journal: Annals of Ice, year: {year}, "
        f"status: {status}, authors: [Ada Berg]}}\n"
        for title, year, status in (
            ("Thin", 2020, "to-appear"),
            ("Thick", 2022, "published"),
            ("Slow", 2024, "to-appear"),
        )
    )
    (tmp_path / "data" / "cv").mkdir(parents=True)
    (tmp_path / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    cv = f"basics: {{name: Ada Berg}}\npublications:\n{works}"
    for modified, years in (("2023-05-01", ["In press", "2022", "2020"]), ("2025-05-01", ["2024"])):
        (tmp_path / "data" / "cv" / "ada.yaml").write_text(f"modified: {modified}\n{cv}", "utf-8")
        document = Documents(good(tmp_path)).get("people/ada.html")
        assert document is not None
        page = lxml.html.document_fromstring(document.body.decode())
        heads = page.xpath("//div[@class='year']/*[1]/text()")
        assert heads[: len(years)] == years


def test_a_talk_is_invited_only_if_its_kind_says_so(text: Callable[[str], str]) -> None:
    page = text("people/ada.html")
    assert "How ice thins" in page
    assert "nvited" not in page
