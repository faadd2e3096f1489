"""A page says each thing once: what was done again, a date or a kind that a name says, a source
that all entries share.
"""

from __future__ import annotations

import re
from pathlib import Path

import lxml.html

from kg.check.check import good
from kg.publish.site import Documents
from tests.publish.pages.test_blocks import names, page, section

ADA = "people/ada-lindqvist.html"


def test_a_job_done_again_is_one_entry_with_both_dates_and_both_anchors(small: Documents) -> None:
    jobs = section(page(small, ADA), "positions")
    assert jobs.count(">Survey Intern<") == 1
    assert (
        '<div class="row long" id="work-delta-works-survey-intern-summer-2017"><p class="when">'
        "Summer\N{NO-BREAK SPACE}2016–2017"
        '<span id="work-delta-works-survey-intern-summer-2016"></span></p>'
    ) in jobs


def test_jobs_with_other_words_stay_apart(example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    old = (
        "position: Survey Intern, kind: internship, dates: [summer 2016, summer 2017], source: "
        "ada-cv}"
    )
    jobs = [
        (
            f"id: survey-{year}, position: Survey Intern, kind: internship, startDate: {year}, "
            f"endDate: {year}, highlights: [{done}]}}"
        )
        for year, done in [(2016, "Counted boats."), (2017, "Counted fish.")]
    ]
    new = "\n  - {organization: delta-works, ".join(jobs)
    text = cv.read_text(encoding="utf-8")
    assert old in text
    cv.write_text(text.replace(old, new), encoding="utf-8")
    assert section(page(Documents(good(example)), ADA), "positions").count(">Survey Intern<") == 2


def test_what_goes_on_comes_before_what_began_later(example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    text = cv.read_text(encoding="utf-8")
    later = (
        "  - {organization: delta-works, position: Guest, startDate: 2024-01, endDate: "
        "2024-03}\nbreaks:\n"
    )
    cv.write_text(text.replace("breaks:\n", later), encoding="utf-8")
    jobs = section(page(Documents(good(example)), ADA), "positions")
    titles = re.findall("<h[34]>([^<]*)<", jobs)
    assert titles == ["Lecturer", "Research Assistant", "Guest", "Survey Intern", "Map Drawer"]
    assert jobs.count(">Northfjord University</a>") == jobs.count(">Delta Works</a>") == 1


def test_a_tutorial_is_named_once_with_its_occasions(small: Documents) -> None:
    talks = section(page(small, ADA), "talks")
    assert talks.count("Gauging for Beginners") == 1
    (row,) = (row for row in talks.split('<li class="row"') if "Gauging for Beginners" in row)
    assert names(row) == ["Gauging for Beginners", "RIVERS"]
    assert re.findall(r'<span class="nb"[^>]*>([^<]*)<', row) == ["2021, 2023"]


def test_a_concert_is_no_talk_and_no_tutorial(example: Path) -> None:
    (example / "data" / "extra.ttl").write_text(
        "@prefix schema: <http://schema.org/> .\n"
        '<people/ada-lindqvist#concert> a schema:Event ; schema:name "Spring Concert" ;\n'
        "  schema:performer <people/ada-lindqvist#it> ; schema:location <orgs/delta-works#it> .\n",
        encoding="utf-8",
    )
    documents = Documents(good(example))
    assert documents.store.select(
        "SELECT ?thing WHERE { ?thing <http://schema.org/performerIn> ?event . "
        '?event <http://schema.org/name> "Spring Concert" }'
    )
    assert "Gauging for Beginners" in section(page(documents, ADA), "talks")
    for path in (ADA, "orgs/delta-works.html"):
        assert "Spring Concert" not in page(documents, path)


def test_papers_of_ones_own_are_one_line(documents: Documents) -> None:
    talks = section(page(documents, "people/mirela-zemann.html"), "talks")
    (row,) = (row for row in talks.split('<li class="row"') if "Own papers" in row)
    assert row.count('<li id="talk-') == 11
    assert names(row)[:2] == ["AAAI 2022", "WSDM 2022"]


def test_who_served_in_several_years_is_named_once_for_it(small: Documents) -> None:
    entries = re.findall(r"<li .*?</li>", section(page(small, "venues/rivers.html"), "served"))
    assert [names(entry) for entry in entries] == [
        ["Ada Lindqvist", "RIVERS 2023"],
        ["Ada Lindqvist", "RIVERS &#39;21", "RIVERS 2019"],
    ]
    editor, reviewer = re.findall(
        r"<li .*?</li>", section(page(small, "venues/journal-of-sand.html"), "served")
    )
    assert names(reviewer) == ["Ada Lindqvist"], "not the page it is on"
    assert '<p class="when">2024</p>' in reviewer
    assert '<p class="when">2025 – present</p>' in editor


def test_a_journal_does_not_name_itself_at_each_work(documents: Documents) -> None:
    html = page(documents, "venues/ieee-micro.html")
    works = section(html, "venue-works")
    assert works.count("<li ") >= 2
    assert "IEEE Micro" not in works
    assert '<h1 dir="auto">IEEE Micro</h1>' in html


def test_an_address_that_is_the_website_is_not_also_elsewhere(documents: Documents) -> None:
    html = page(documents, "publications/rudorrinle-2022-deepwater-moe.html")
    links = re.findall(r'<a [^>]*href="https://arxiv.org/abs/2201.99996">([^<]*)', html)
    assert links == ["arXiv 2201.99996"]


def test_a_course_is_not_named_again_on_its_page_nor_its_season_twice(small: Documents) -> None:
    runs = section(page(small, "courses/northfjord-hyd-101.html"), "runs")
    assert re.findall(r"<b><bdi>([^<]*)</bdi></b>", runs) == ["Autumn 2024", "Autumn 2023"]
    assert 'class="when"' not in runs


def test_a_kind_that_the_title_says_is_not_said_again(small: Documents) -> None:
    html = page(small, ADA)
    awards = re.findall(r'<span class="at">(\w*)', section(html, "awards"))
    assert not {"award", "fellowship"} & set(awards), (
        "Young Hydrologist Fellowship, Best Paper Award"
    )
    positions = re.findall("> · ([^<]*)</span></h3>", section(html, "positions"))
    assert positions == ["self-employment"], "not: Research Assistant, Survey Intern"


def test_one_source_is_said_once_and_others_are_notes(
    small: Documents, documents: Documents, example: Path
) -> None:
    ada = page(small, ADA)
    assert ada.count(">Curriculum vitae of Ada Lindqvist</a>") == 1
    assert 'class="notes"' not in ada
    alvar = page(documents, "people/alvar-jarl.html")
    assert 'class="notes"' not in alvar, "the page names all three sources of its entries"
    with (example / "data/sources.yaml").open("a", encoding="utf-8") as sources:
        sources.write("harbour-list: {name: List of the Harbour Office, kind: homepage}\n")
    cv = example / "data/cv/ada-lindqvist.yaml"
    text = cv.read_text(encoding="utf-8")
    assert "number: NHO-88, source: ada-cv" in text
    cv.write_text(text.replace("NHO-88, source: ada-cv", "NHO-88, source: harbour-list"))
    changed = lxml.html.fromstring(page(Documents(good(example)), ADA))
    [note] = changed.xpath("//ol[@class='notes']/li")
    [number] = changed.xpath("//section//a[@class='source']")
    assert "List of the Harbour Office" in note.text_content()
    assert number.get("href") == f"#{note.get('id')}"
    assert number.get("aria-label") == f"Source {number.text}"


def test_the_tag_of_a_language_is_no_other_name(small: Documents) -> None:
    html = page(small, "languages/sv.html")
    assert "<dt>Language tag</dt><dd><bdi>sv</bdi></dd>" in html
    assert "Also known as" not in html
