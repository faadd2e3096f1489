"""Sections that show little as little: works without links, few people, short lists, dates."""

from __future__ import annotations

import re
from pathlib import Path

import lxml.html
import pytest

from kg.check.check import good
from kg.publish.site import Documents

SITE = "base: https://two.example.org/\ntitle: Two\n"
ADA = """basics: {name: Ada Berg}
education:
  - {institution: University of Sand, studyType: PhD, area: Sand, startDate: 2023-09-15,
     endDate: present, expected: 2027-12-31}
memberships:
  - {organization: Sand Society, level: Member, startDate: 2014, endDate: 2016}
  - {organization: Ice Society, level: Fellow, startDate: 2012, endDate: present}
  - {organization: Tide Society, level: Treasurer, startDate: 2018, endDate: 2019}
publications:
  - {title: Thin Ice, kind: journal, journal: Annals of Ice, year: 2022, selected: true,
     authors: [Ada Berg, Bo Ek], doi: 10.1234/ice.1}
  - {title: Old Ice, kind: journal, journal: Annals of Ice, year: 2024, selected: true,
     authors: [Bo Ek, Ada Berg]}
  - {title: Grains, kind: dataset, date: 2024-02-01, doi: 10.1234/grains.1, authors: [Ada Berg],
     version: "1.1", license: CC-BY-4.0, temporal: 2019/2023, publisher: Zenodo,
     keywords: [ice, sand],
     downloads: ["https://data.example.org/grains.csv"], selected: true}
interests: [Ice]
"""
BO = """basics: {name: Bo Ek}
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "data" / "cv").mkdir(parents=True)
    for name, text in {"site": SITE, "cv/ada": ADA, "cv/bo": BO}.items():
        Path(folder, "data", f"{name}.yaml").write_text(text, encoding="utf-8")
    return Documents(good(folder))


def texts(pages: Documents, path: str, place: str) -> list[str]:
    document = pages.get(path)
    assert document is not None
    page = lxml.html.document_fromstring(document.body.decode())
    return [" ".join(each.text_content().split()) for each in page.xpath(place)]


def test_a_work_with_something_to_open_is_a_card_and_another_a_row(pages: Documents) -> None:
    selected = "//section[@id='section-selected']"
    assert texts(pages, "people/ada.html", f"{selected}//article//h3") == [*("Grains", "Thin Ice")]
    assert texts(pages, "people/ada.html", f"{selected}//ol//p[@class='title']") == ["Old Ice"]


def test_few_people_are_connected_in_words(pages: Documents) -> None:
    rows = texts(pages, "index.html", "//section[@id='section-explore']//li")
    assert rows == ["Ada BergOften with Bo Ek 2", "Bo EkOften with Ada Berg 2"]
    assert texts(pages, "index.html", "//section[@id='section-explore']//*[name()='svg']") == []


def test_studies_in_progress_say_so_and_dates_have_no_days(pages: Documents) -> None:
    (study,) = texts(pages, "people/ada.html", "//section[@id='section-studies']//*[@class='row']")
    assert study.startswith("Sep 2023 – presentPhD in Sand (in progress) University of Sand")
    assert study.endswith("Expected Dec 2027")


def test_memberships_are_newest_first_with_the_role_in_front(pages: Documents) -> None:
    rows = texts(pages, "people/ada.html", "//section[@id='section-memberships']//li//p/b")
    assert rows == ["Fellow", "Treasurer", "Member"]


def test_a_dataset_begins_with_version_licence_and_download(pages: Documents) -> None:
    path = next(each for each in pages.files if re.search(r"grains\.html$", each))
    assert texts(pages, path, "//p[contains(@class, 'kind')]/span")[1:] == [
        *("Dataset", "1 Feb 2024", "v1.1", "CC BY 4.0")
    ]
    assert texts(pages, path, "//a[contains(@class, 'main')]") == ["Download CSV"]
    assert "2019–2023" in texts(pages, path, "//section[@id='section-details']")[0]


def test_a_topic_gathers_works_by_keyword(pages: Documents) -> None:
    assert texts(pages, "topics/ice.html", "//section[@id='section-about']//b") == ["Grains"]


def test_a_short_section_has_its_title_beside_it(pages: Documents) -> None:
    brief = "//section[contains(@class, ' brief')]/h2"
    assert texts(pages, "people/ada.html", brief) == ["Co-authors"]


@pytest.mark.parametrize("path", ["people/ada.html", "index.html", "publications/index.html"])
def test_no_page_has_a_date_of_programs(pages: Documents, path: str) -> None:
    shown = " ".join(texts(pages, path, "//main//p | //main//dd | //footer//p"))
    assert re.findall(r"\b\d{4}(?:-\d\d\b|/\d{4})", shown) == []
