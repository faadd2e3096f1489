"""al-folio's `_data/cv.yml`, as it was before it became RenderCV's, and the names of accounts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.exchange.readers.reading import cv_of, drafted, imported, left_of


def of(text: str) -> Any:
    return cv_of(drafted("al-folio", "_data/cv.yml", text))


def test_a_map_tells_of_the_person_and_keeps_the_day_of_birth() -> None:
    cv = of("""\
- title: General Information
  type: map
  contents:
    - {name: Full Name, value: Mira Sand}
    - {name: Date of Birth, value: 14th March 1979}
    - {name: Languages, value: "Norwegian, English (fluent)"}
    - {name: Shoe size, value: 38}
""")
    assert cv["basics"] == {
        "name": "Mira Sand",
        "birthDate": {"value": "1979-03-14", "visibility": "private"},
    }
    assert cv["languages"][1] == {"language": "English", "level": "fluent"}
    assert cv["sections"][0]["entries"] == [{"label": "Shoe size", "details": "38"}]


def test_a_period_in_one_text_has_two_ends() -> None:
    cv = of("""\
- title: Experience
  type: time_table
  contents:
    - title: Researcher
      institution: <a href="https://stone.example.org">Stone Institute</a>
      year: 2019 - Present
      description:
        - Found stones
        - title: Led a group
          contents: [of two, of three]
""")
    assert cv["work"] == [
        {
            "position": "Researcher",
            "organization": "Stone Institute",
            "url": "https://stone.example.org",
            "startDate": "2019",
            "endDate": "present",
            "highlights": ["Found stones", "Led a group\n- of two\n- of three"],
        }
    ]


def test_the_one_year_of_a_study_is_that_of_the_degree() -> None:
    cv = of("""\
- title: Education
  type: time_table
  contents: [{title: MSc in Geology, institution: Oslo, year: 2012}]
""")
    assert cv["education"] == [
        {"studyType": "MSc in Geology", "institution": "Oslo", "endDate": "2012"}
    ]


def test_several_awards_of_a_year() -> None:
    cv = of("""\
- title: Honors and Awards
  type: time_table
  contents: [{year: 2018, items: [Golden Hammer, "*Silver* Chisel"]}]
""")
    assert cv["awards"] == [
        {"title": "Golden Hammer", "date": "2018"},
        {"title": "Silver Chisel", "date": "2018"},
    ]


def test_an_award_of_several_years_has_them_all_and_no_year_is_lost() -> None:
    draft = drafted(
        "al-folio",
        "_data/cv.yml",
        """\
- title: Honors and Awards
  type: time_table
  contents:
    - {year: "2018, 2020", items: [Golden Hammer]}
    - {year: 2019 and 2021, title: Silver Chisel}
    - {year: 2016 - 2017, title: Bronze Saw}
    - {year: 2015 - present, items: [Tin Nail]}
""",
    )
    assert cv_of(draft)["awards"] == [
        {"title": "Golden Hammer", "dates": ["2018", "2020"]},
        {"title": "Silver Chisel", "dates": ["2019", "2021"]},
        {"title": "Bronze Saw", "date": "2017"},
        {"title": "Tin Nail"},
    ]
    assert left_of(draft) == {"cv[0].contents[3].year": "2015 - present"}


def test_interests_in_groups_and_alone() -> None:
    cv = of("""\
- {title: Academic Interests, type: nested_list, contents: [{title: Ice, items: [Sea, Land]}]}
- {title: Other Interests, type: list, contents: ["Hobbies: chess, go"]}
""")
    assert cv["interests"] == [{"name": "Ice", "keywords": ["Sea", "Land"]}, "Hobbies: chess, go"]


def test_a_section_of_no_kind_is_a_free_one() -> None:
    cv = of("""\
- title: Field trips
  type: time_table
  contents: [{title: Svalbard, institution: Stone Institute, year: 2017, description: [Ice]}]
""")
    assert cv["sections"] == [
        {
            "title": "Field trips",
            "entries": [
                {
                    "name": "Svalbard",
                    "organization": "Stone Institute",
                    "date": "2017",
                    "summary": "- Ice",
                }
            ],
        }
    ]


def test_a_year_that_is_none_is_listed() -> None:
    draft = drafted(
        "al-folio",
        "_data/cv.yml",
        "- {title: Work, type: time_table, contents: [{title: A, institution: B, year: soon}]}",
    )
    assert left_of(draft) == {"cv[0].contents[0].year": "soon"}


def test_names_of_accounts_and_nothing_else_of_a_configuration() -> None:
    draft = drafted(
        "al-folio",
        "_config.yml",
        "first_name: Mira\nlast_name: Sand\nscholar: {style: apa}\ngithub_username: mirasand\n"
        "orcid_id: 0000-0002-1825-0097\nscholar_userid: abc\nurl: https://mira.example.org\n",
    )
    assert not draft.left
    assert cv_of(draft)["basics"] == {
        "name": "Mira Sand",
        "orcid": "0000-0002-1825-0097",
        "profiles": [
            {"network": "github", "username": "mirasand"},
            {"network": "google-scholar", "username": "abc"},
        ],
    }


def test_a_whole_site_is_read_in_one_go(tmp_path: Path) -> None:
    cv, _ = imported(
        tmp_path,
        {
            "_data/cv.yml": "- {title: Other Interests, type: list, contents: [Chess]}\n",
            "_data/socials.yml": "github_username: mirasand\n",
            "_config.yml": "first_name: Mira\nlast_name: Sand\nscholar: {style: apa}\n",
            "_data/broken.yml": "a: [\n",
            "_pages/about.txt": "Hello",
        },
    )
    assert cv["basics"]["name"] == "Mira Sand" and cv["interests"] == ["Chess"]
    assert cv["basics"]["profiles"] == [{"network": "github", "username": "mirasand"}]
