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
work:
  - {organization: Sand Institute, position: Reader, startDate: 2019-03-04, endDate: 2022-11-30,
     location: "Sandby, Sweden"}
  - {organization: Ice Centre, position: Guest, startDate: 2017-06-01, endDate: 2017-06-20}
education:
  - {institution: Dune School, studyType: Course in Sand, area: Sand, startDate: 2012-12-10,
     endDate: 2012-12-12, courses: [Grains]}
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
  - {title: Grains, kind: dataset, date: 2024-02-01, doi: 10.1234/grains.1,
     authors: [Ada Berg], version: "1.1", license: CC-BY-4.0, temporal: 2019/2023,
     publisher: Zenodo, keywords: [ice, sand],
     downloads: ["https://data.example.org/grains.csv"], selected: true}
talks:
  - {title: Ice in Time, date: 2020-02-03, venue: Ice Days}
awards: [{title: Sand Prize, date: 2021-05-06}]
service: [{role: reviewer, venue: Ice Days, startDate: summer 2020, endDate: 2021-03}]
sections:
  - {title: Education, entries: [{name: Sailing}]}
interests: [Ice]
"""
BO = """basics: {name: Bo Ek}
"""


CY = """basics: {name: Cy Dal}
work:
  - organization: Ice Centre
    position: Guide
    startDate: 2019
    endDate: 2021
    summary: |-
      Led tours.

      Trained guides.
    highlights: [Crossed the ice, Wrote a handbook]
  - {organization: Dune School, position: Guest, startDate: 2017, endDate: 2018, highlights: [A, B]}
volunteer:
  - {organization: Ant Club, position: Treasurer, startDate: 2014, endDate: 2016, summary: Money}
  - {organization: Bee Club, position: Chair, startDate: 2018, endDate: 2020, summary: Kept bees}
"""


def site(folder: Path, **cvs: str) -> Documents:
    (folder / "data" / "cv").mkdir(parents=True)
    for name, text in {"site": SITE, **{f"cv/{name}": text for name, text in cvs.items()}}.items():
        Path(folder, "data", f"{name}.yaml").write_text(text, encoding="utf-8")
    return Documents(good(folder))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    return site(tmp_path_factory.mktemp("plain"), ada=ADA, bo=BO)


def body_of(pages: Documents, path: str) -> str:
    document = pages.get(path)
    assert document is not None
    return document.body.decode()


def texts(pages: Documents, path: str, place: str) -> list[str]:
    page = lxml.html.document_fromstring(body_of(pages, path))
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
    study, *_ = texts(pages, "people/ada.html", "//section[@id='section-studies']//*[@class='row']")
    assert study.startswith("Sep 2023 – presentPhD in Sand (in progress) University of Sand")
    assert study.endswith("Expected Dec 2027")


def test_memberships_are_newest_first_with_the_role_in_front(pages: Documents) -> None:
    rows = texts(pages, "people/ada.html", "//section[@id='section-memberships']//li//p/b")
    assert rows == ["Fellow", "Treasurer", "Member"]


def test_paragraphs_about_a_position_are_no_items_of_its_list(tmp_path: Path) -> None:
    pages, positions = site(tmp_path, cy=CY), "//section[@id='section-positions']"
    said = texts(pages, "people/cy.html", f"{positions}//*[@class='said']/p")
    assert said == ["Led tours.", "Trained guides."]
    items = texts(pages, "people/cy.html", f"{positions}//*[@class='points']/li")
    assert items == ["Crossed the ice", "Wrote a handbook", "A", "B"]


def test_service_in_words_is_newest_first(tmp_path: Path) -> None:
    when = "//section[@id='section-service']//*[@class='when']"
    assert texts(site(tmp_path, cy=CY), "people/cy.html", when) == ["Chair", "Treasurer"]


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
    assert texts(pages, "topics/ice.html", brief) == ["People"]


def test_the_employer_stands_above_its_posts_with_one_post_or_several(pages: Documents) -> None:
    positions = "//section[@id='section-positions']"
    rows = texts(pages, "people/ada.html", f"{positions}//*[contains(@class, 'row')]")
    assert rows == [
        "Sand Institute Sandby, Sweden",
        "Mar 2019 – Nov 2022Reader",
        "Ice Centre",
        "Jun 2017Guest",
    ]


def test_posts_and_studies_are_dated_to_the_month_and_say_their_subject_once(
    pages: Documents,
) -> None:
    studies = texts(pages, "people/ada.html", "//section[@id='section-studies']//*[@class='row']")
    assert studies[1].startswith("Dec 2012Course in Sand Dune School")


def test_sections_with_one_title_have_one_heading(pages: Documents) -> None:
    headings = texts(pages, "people/ada.html", "//section/h2")
    assert headings.count("Education") == 1
    assert "Sailing" in " ".join(texts(pages, "people/ada.html", "//section"))


def test_the_home_page_has_five_counters_and_three_answers(pages: Documents) -> None:
    numbers = texts(pages, "index.html", "//ul[@class='numbers']/li")
    assert numbers == ["2 people", "3 publications", "8 organisations", *numbers[3:]]
    assert numbers[-1] == "All lists" and len(numbers) <= 6
    answers = texts(pages, "index.html", "//ul[@class='asked']/li")
    assert answers[0].startswith("Who are our co-authors?") and "pair" in answers[0]
    assert len(answers) <= 3


def test_the_colophon_names_whose_site_it_is(pages: Documents) -> None:
    for path in ("index.html", "people/ada.html", "topics/ice.html"):
        assert texts(pages, path, "//footer/p")[0].startswith("Two.")


def test_no_page_has_a_date_of_programs(pages: Documents) -> None:
    paths = [path for path in pages.files if path.endswith(".html")]
    assert len(paths) > 40
    for path in paths:
        if path.partition("/")[0] in ("format.html", "api.html", "sparql.html", "terms", "shapes"):
            continue  # these explain how programs write dates
        page = lxml.html.document_fromstring(body_of(pages, path))
        said = page.xpath(
            "//main//text()[not(ancestor::pre or ancestor::code or ancestor::textarea)]"
        )
        shown = " ".join(" ".join(said).split())
        assert re.findall(r"(?<![\w./-])\d{4}(?:-\d\d\b|/(?:\d{4}|\.\.))", shown) == [], path


@pytest.mark.parametrize(
    ("keys", "shown"), [("w0, w1", "Works: "), ("w0, w1, w2", "<summary>3 works</summary>")]
)
def test_many_works_of_a_position_are_collapsed(tmp_path: Path, keys: str, shown: str) -> None:
    cv = f"""basics: {{name: Ada Berg}}
work:
  - organization: Stone Club
    position: Guide
    startDate: 2020
    endDate: 2021
    highlights: [{{text: Sifted sand, works: [{keys}]}}]
publications:
"""
    for number in range(3):
        cv += f"  - {{key: w{number}, kind: report, title: Sand {number}, year: 2020, "
        cv += "authors: [Ada Berg]}\n"
    (tmp_path / "data" / "cv").mkdir(parents=True)
    (tmp_path / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    (tmp_path / "data" / "cv" / "ada-berg.yaml").write_text(cv, encoding="utf-8")
    assert shown in body_of(Documents(good(tmp_path)), "people/ada-berg.html")
