"""RenderCV files are read as they are written: any titles, old schemas, Markdown in names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.plugins.exchange.readers.reading import cv_of, drafted, imported, left_of

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


def test_the_only_date_of_a_degree_is_its_end() -> None:
    cv = of("""\
  sections:
    education:
      - {institution: Stone Institute, degree: MSc, area: Stones, date: 2019}
""")
    assert cv["education"][0]["endDate"] == "2019" and "startDate" not in cv["education"][0]


def test_the_only_date_of_a_project_is_its_end() -> None:
    cv = of("  sections:\n    projects: [{name: Stones, date: 2020}]\n")
    assert cv["projects"] == [{"name": "Stones", "endDate": "2020"}]


def test_a_thesis_is_not_in_a_journal() -> None:
    where = "Master's Thesis, University of Oslo"
    work = f'{{title: Stones, authors: [Mira Sand], journal: "{where}", date: 2022}}'
    (found,) = of(f"  sections:\n    publications: [{work}]\n")["publications"]
    assert (found["kind"], found["degree"], found["institution"]) == (
        *("thesis", "Master's", "University of Oslo"),
    )


def test_a_labelled_list_of_skills_is_a_group() -> None:
    cv = of("""\
  sections:
    skills:
      - bullet: "Backend: Node.js, Java (Spring Boot), PHP."
      - bullet: "Tools, mostly: Git, and Docker in the evening when it rains"
""")
    assert cv["skills"][0] == {
        "name": "Backend",
        "keywords": ["Node.js", "Java (Spring Boot)", "PHP"],
    }
    assert len(cv["skills"]) == 2


@pytest.mark.parametrize(
    "where", ["NeurIPS 2022, Spotlight", "ESEM, Turin, Italy, September 18-19"]
)
def test_place_days_and_distinction_tell_a_conference(where: str) -> None:
    cv = of(f"""\
  sections:
    publications:
      - {{title: Stones, authors: [Mira Sand], journal: "{where}", date: 2022}}
""")
    (work,) = cv["publications"]
    assert (work["kind"], work["conference"]) == ("conference", where)


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
    assert left["cv.sections.experience[0].date"] == "unclear date"
    assert cv["sections"][0]["title"] == "Work"


STUDY = "{institution: Ole Berg, area: Geology, degree: PhD, start_date: 2019, end_date: 2022}"
JOB = "{company: Journal of Stones, position: Reviewer, start_date: 2019}"
WORK = "{title: On sand, authors: [Ole Berg], journal: Journal of Stones, date: 2020}"


@pytest.mark.parametrize(
    "title",
    [
        *("teaching", "Teaching experience", "Courses taught", "Courses taken", "courses"),
        *("supervision", "PhD students", "Ph.D._students_supervision", "Student supervision"),
        *("Work with students", "Education outreach", "Education and outreach", "experience"),
        *("Editorial boards", "professional_service", "awards", "certificates", "Field trips"),
    ],
)
def test_only_a_title_that_means_education_makes_an_own_study(title: str) -> None:
    cv = of(f"  sections:\n    {title}: [{STUDY}]\n")
    assert [*cv] == ["basics", "sections"]
    assert cv["sections"][0]["entries"] == [
        {"name": "Ole Berg", "startDate": "2019", "endDate": "2022", "summary": "PhD, Geology"}
    ]


@pytest.mark.parametrize(
    "title",
    [
        *("reviewing", "Editorial boards", "Teaching experience", "professional_service"),
        *("projects", "education", "grants", "Work with students"),
    ],
)
def test_only_a_title_that_means_work_makes_an_own_job(title: str) -> None:
    cv = of(f"  sections:\n    {title}: [{JOB}]\n")
    assert [*cv] == ["basics", "sections"]
    assert cv["sections"][0]["entries"] == [
        {
            "name": "Journal of Stones",
            "startDate": "2019",
            "endDate": "present",
            "summary": "Reviewer",
        }
    ]


@pytest.mark.parametrize(
    "title",
    [
        *("experience", "research_experience", "Industry experience", "Academic appointments"),
        *("Berufserfahrung", "Esperienza lavorativa", "Experiência profissional", "工作经历"),
    ],
)
def test_a_title_that_means_work_makes_a_job(title: str) -> None:
    cv = of(f"  sections:\n    {title}: [{JOB}]\n")
    assert cv["work"][0]["organization"] == "Journal of Stones"


@pytest.mark.parametrize(
    "title",
    ["education", "Academic background", "Education and training", "Istruzione", "Opleiding"],
)
def test_a_title_that_means_education_makes_a_study(title: str) -> None:
    cv = of(f"  sections:\n    {title}: [{STUDY}]\n")
    assert cv["education"][0]["institution"] == "Ole Berg"


@pytest.mark.parametrize("title", ["Papers reviewed", "Theses of students", "Invited talks"])
def test_only_a_title_that_means_publications_makes_an_own_work(title: str) -> None:
    cv = of(f"  sections:\n    {title}: [{WORK}]\n")
    assert cv["sections"] == [
        {
            "title": title,
            "entries": [
                {"name": "On sand", "date": "2020", "summary": "Ole Berg\n\nJournal of Stones"}
            ],
        }
    ]


@pytest.mark.parametrize(
    "title", ["publications", "Selected publications", "Journal articles", "Conference papers"]
)
def test_a_title_that_means_publications_makes_a_work(title: str) -> None:
    cv = of(f"  sections:\n    {title}: [{WORK}]\n")
    assert cv["publications"][0]["title"] == "On sand"


def test_a_patent_is_no_publication() -> None:
    draft = drafted("rendercv", "cv.yaml", HEAD + f"  sections:\n    patents: [{WORK}]\n")
    assert cv_of(draft)["patents"] == ["on-sand"]
    assert draft.entries["patents"]["on-sand"]["kind"] == "patent"
    assert left_of(draft) == {"cv.sections.patents[0].journal": "Journal of Stones"}


def test_referees_are_private(tmp_path: Path) -> None:
    text = HEAD + "  sections:\n    References: [Ole Berg (ole@example.org)]\n"
    cv, left = imported(tmp_path, {"cv.yaml": text})
    assert cv["sections"] == [
        {
            "title": "References",
            "entries": ["Ole Berg (ole@example.org)"],
            "visibility": "private",
        }
    ]
    assert not left


def test_a_title_in_capitals_stays_as_written() -> None:
    cv = of("  sections:\n    PhD_students: [Ole Berg]\n    PRESS: [A stone speaks]\n")
    assert [each["title"] for each in cv["sections"]] == ["PhD students", "PRESS"]


def test_nothing_of_a_free_entry_is_lost() -> None:
    cv = of("""\
  sections:
    Field trips:
      - name: "[Svalbard](https://svalbard.example.org)"
        date: 2017 – 2018
        mood: gay
        location: Longyearbyen
      - {company: Stone Club, date: one summer}
""")
    assert cv["sections"][0]["entries"] == [
        {
            "name": "Svalbard",
            "startDate": "2017",
            "endDate": "2018",
            "location": "Longyearbyen",
            "url": "https://svalbard.example.org",
            "summary": "gay",
        },
        {"name": "Stone Club", "summary": "one summer"},
    ]


def test_a_link_in_the_place_of_a_project_is_no_place() -> None:
    cv = of("""\
  sections:
    Portfolio: [{name: Slow Sand, location: "[sand.example.org](https://sand.example.org)"}]
    Projects: [{name: Ice, location: "[ice.example.org](https://ice.example.org)"}]
""")
    assert cv["sections"][0]["entries"] == [
        {"name": "Slow Sand", "url": "https://sand.example.org"}
    ]
    assert cv["projects"][0] == {"name": "Ice", "url": "https://ice.example.org"}


def test_an_acronym_with_a_year_is_not_taken_for_a_journal() -> None:
    cv = of("""\
  sections:
    Publications: [{title: Sand, authors: [Mira Sand], journal: EACL 2026 - European Chapter}]
""")
    (work,) = cv["publications"]
    assert (work["kind"], work["venue"]) == ("other", "EACL 2026 - European Chapter")


def test_a_career_break_is_no_employer() -> None:
    cv = of("""\
  sections:
    Experience:
      - {company: Career Break, position: Caregiving, start_date: 2020, end_date: 2021}
""")
    assert cv["breaks"] == [{"reason": "Caregiving", "startDate": "2020", "endDate": "2021"}]
    assert "work" not in cv
