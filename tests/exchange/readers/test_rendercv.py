"""RenderCV files are read as they are written: any titles, old schemas, Markdown in names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.exchange.readers.reading import cv_of, drafted, imported, left_of

HEAD = "cv:\n  name: Mira Sand\n"


def of(text: str) -> Any:
    return cv_of(drafted("rendercv", "cv.yaml", HEAD + text))


def test_the_person_with_a_private_number() -> None:
    basics = of("""\
  headline: Geologist
  location: Oslo, Norway
  email: mira@example.org
  phone: tel:+47-22-00-00-00
  website: https://mira.example.org
  social_networks:
    - {network: GitHub, username: mirasand}
  custom_connections:
    - {placeholder: My stones, url: https://stones.example.org, fontawesome_icon: gem}
""")["basics"]
    assert basics == {
        "name": "Mira Sand",
        "label": "Geologist",
        "location": "Oslo, Norway",
        "email": "mira@example.org",
        "phone": {"value": "+47-22-00-00-00", "visibility": "private"},
        "url": "https://mira.example.org",
        "profiles": [
            {"network": "GitHub", "username": "mirasand"},
            {"label": "My stones", "url": "https://stones.example.org"},
        ],
    }


def test_layout_is_passed_over() -> None:
    draft = drafted("rendercv", "cv.yaml", HEAD + "design: {theme: classic}\nlocale: {month: m}\n")
    assert not draft.left


def test_an_entry_without_an_end_goes_on() -> None:
    cv = of("""\
  sections:
    experience:
      - company: Stone Institute
        position: Researcher
        start_date: 2019-06
        highlights: [Found stones]
""")
    assert cv["work"] == [
        {
            "organization": "Stone Institute",
            "position": "Researcher",
            "startDate": "2019-06",
            "highlights": ["Found stones"],
            "endDate": "present",
        }
    ]


def test_titles_in_other_languages_and_with_more_words() -> None:
    cv = of("""\
  sections:
    Experiencia laboral: [{company: Grava SL, position: Geóloga, date: 2015}]
    Selected Honors: [{name: Golden Hammer, date: 2018-05}]
    habilidades_técnicas: [{label: Software, details: "Python, QGIS"}]
""")
    assert [*cv] == ["basics", "work", "awards", "skills"]
    assert cv["work"][0]["startDate"] == cv["work"][0]["endDate"] == "2015"
    assert cv["awards"] == [{"title": "Golden Hammer", "date": "2018-05"}]
    assert cv["skills"] == [{"name": "Software", "keywords": ["Python", "QGIS"]}]


def test_a_title_that_means_nothing_here_is_that_of_a_free_section() -> None:
    cv = of("""\
  sections:
    Field trips:
      - {name: Svalbard, date: 2017, summary: By boat, highlights: [Saw ice, Saw stones]}
      - bullet: Greenland, twice
""")
    entries = cv["sections"][0]["entries"]
    assert cv["sections"][0]["title"] == "Field trips"
    assert entries[0]["summary"] == "By boat\n- Saw ice\n- Saw stones"
    assert entries[1] == "Greenland, twice"


def test_an_item_below_an_item_is_a_part_of_its_text() -> None:
    cv = of("""\
  sections:
    experience:
      - company: Stone Institute
        position: Researcher
        highlights:
          - Dug
            - deep
""")
    assert cv["work"][0]["highlights"] == ["Dug - deep"]


def test_a_name_that_is_a_link_is_a_name_and_an_address() -> None:
    cv = of("""\
  sections:
    projects: [{name: "[**Stones**](https://stones.example.org)", date: 2020}]
""")
    assert cv["projects"][0]["name"] == "Stones"
    assert cv["projects"][0]["url"] == "https://stones.example.org"


def test_the_marked_author_is_the_owner_in_another_spelling() -> None:
    cv = of("""\
  sections:
    publications:
      - title: Stones
        authors: ["***M. Sand***", Ole Berg]
        journal: Journal of Stones
        doi: 10.1000/stones
        date: 2021-03
""")
    assert cv["basics"]["alternateNames"] == ["M. Sand"]
    assert cv["publications"] == [
        {
            "kind": "journal",
            "title": "Stones",
            "authors": ["M. Sand", "Ole Berg"],
            "doi": "10.1000/stones",
            "date": "2021-03",
            "journal": "Journal of Stones",
        }
    ]


def test_a_meeting_is_no_journal() -> None:
    cv = of("""\
  sections:
    publications:
      - {title: Sand, authors: [Mira Sand], journal: Proc. Conference on Sand, date: 2020}
""")
    assert cv["publications"][0]["kind"] == "conference"
    assert cv["publications"][0]["conference"] == "Proc. Conference on Sand"


def test_sentences_about_the_person_are_the_summary() -> None:
    cv = of("  sections:\n    professional_summary: [I like stones., And sand.]\n")
    assert cv["basics"]["summary"] == "I like stones.\n\nAnd sand."


def test_languages_among_the_skills_are_languages() -> None:
    cv = of('  sections:\n    skills: [{label: Spoken, details: "Norwegian (native), English"}]\n')
    assert cv["languages"] == [
        {"language": "Norwegian", "level": "native"},
        {"language": "English"},
    ]


def test_the_first_schema_has_its_sections_at_the_top() -> None:
    cv = of("""\
  label: Geologist
  summary: I like stones.
  education:
    - {institution: Oslo, area: Geology, study_type: MSc, end_date: 2012-06}
  section_order: [education]
""")
    assert cv["basics"]["label"] == "Geologist" and cv["basics"]["summary"] == "I like stones."
    assert cv["education"][0]["institution"] == "Oslo"
    assert cv["education"][0]["studyType"] == "MSc"


def test_a_study_without_a_degree_is_called_by_its_field() -> None:
    cv = of("  sections:\n    education: [{institution: Oslo, area: Geology, date: 2012}]\n")
    assert cv["education"][0]["studyType"] == "Geology" and "area" not in cv["education"][0]


def test_what_cannot_be_placed_is_listed_with_its_line() -> None:
    text = "  sections:\n    experience: [{company: A, position: B, mood: gay}]\n  shoe: 38\n"
    draft = drafted("rendercv", "cv.yaml", HEAD + text)
    assert left_of(draft) == {"cv.sections.experience[0].mood": "gay", "cv.shoe": "38"}
    assert [left.value.place.line for left in draft.left] == [4, 5]


def test_a_key_that_is_there_twice_loses_nothing() -> None:
    draft = drafted("rendercv", "cv.yaml", HEAD + "  location: Oslo\n  location: Rome\n")
    assert left_of(draft) == {"cv.location (2)": "Rome"}


def test_what_is_read_checks(tmp_path: Path) -> None:
    text = HEAD + "  sections:\n    experience: [{company: A, date: soon}, {position: B}]\n"
    cv, left = imported(tmp_path, {"cv.yaml": text})
    assert "work" not in cv
    assert left["cv.sections.experience[0].date"] == "it is not certain which date this is"
    assert cv["sections"][0]["title"] == "Work"
