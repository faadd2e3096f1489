"""al-folio's `_data/cv.yml`, as it was before it became RenderCV's, and the names of accounts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.plugins.exchange.importing import Imported, import_files
from tests.plugins.exchange.readers.reading import cv_of, drafted, imported, left_of


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


def test_rows_of_the_sample_cv_are_left_out(tmp_path: Path) -> None:
    rows = """\
- title: Experience
  type: time_table
  contents:
    - {title: Researcher, institution: Stone Institute, year: 2019}
    - {title: Guide, institution: Stone Club, year: 2018}
    - {title: Guide, institution: Sand Club, year: 2017}
    - {title: Director, institution: "Kaiser Wilhelm Institute for Physics, Berlin, Germany.",
       year: 1917-1933}
- title: Honors and Awards
  type: time_table
  contents:
    - {year: 1921, items: [Nobel Prize in Physics, Matteucci Medal]}
"""
    cv, left = imported(tmp_path, {"_config.yml": CONFIG, "_data/cv.yml": rows})
    found = [each["organization"] for each in cv["work"]]
    assert found == ["Stone Institute", "Stone Club", "Sand Club"]
    assert "awards" not in cv
    assert {*left.values()} == {"sample value of the theme"}


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
                    "date": "2017",
                    "summary": "Stone Institute\n\nIce",
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


CONFIG = "first_name: Mira\nlast_name: Sand\nscholar: {last_name: [Einstein]}\n"
SAMPLE_RESUME = """\
{"basics": {"name": "Albert Einstein", "label": "Scientist", "summary": "A physicist"},
 "awards": [{"title": "Nobel Prize", "date": "1921-11-01"}]}
"""
RENDERCV = """\
cv:
  name: MIRA SAND
  sections:
    Education: [{institution: Oslo, area: Geology, degree: MSc, end_date: 2012}]
"""
PAPERS = """\
@article{stones, title={Stones}, author={Sand, M. and Berg, Ole}, journal={Stones}, year={2020}}
@article{moving, title={Moving bodies}, author={Einstein, A.}, journal={Annalen}, year={1905}}
"""
README = (
    "# al-folio\n\n## About\n\nA simple theme for academics.\n\n## Education\n\n- PhD, Oslo, 2001\n"
)


def checkout(tmp_path: Path, files: dict[str, str]) -> Imported:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return import_files([tmp_path], tmp_path / "site")


def test_of_a_checkout_only_what_is_the_owners_is_read(tmp_path: Path) -> None:
    files = {
        "_config.yml": CONFIG + "email: you@example.com\nscholar_userid: qc6CJjYAAAAJ\n",
        "_data/cv.yml": RENDERCV,
        "_bibliography/papers.bib": PAPERS,
        "assets/json/resume.json": SAMPLE_RESUME,
        "assets/bibliography/post.bib": PAPERS.replace("Stones", "Gravel"),
        "README.md": README,
        "_posts/2020-01-01-hello.md": "---\ntitle: Hello\n---\n# Albert Einstein\n\n## Awards\n",
    }
    cv, left = imported(tmp_path, files)
    assert [*cv] == ["basics", "education", "publications"]
    assert cv["basics"] == {"name": "Mira Sand", "alternateNames": ["MIRA SAND", "M. Sand"]}
    assert [each["title"] for each in cv["publications"]] == ["Stones"]
    assert left == {
        "email": "sample value of the theme",
        "scholar_userid": "sample value of the theme",
        "@article{moving}.title": "not imported, because Mira Sand is not among its authors",
    }


def test_the_names_that_the_site_marks_in_its_papers_are_the_owners(tmp_path: Path) -> None:
    config = "first_name: Mika\nlast_name: Sand\nscholar: {last_name: [Sand], first_name: [Mira]}\n"
    cv, left = imported(tmp_path, {"_config.yml": config, "_bibliography/papers.bib": PAPERS})
    assert cv["basics"] == {"name": "Mika Sand", "alternateNames": ["Mira Sand", "M. Sand"]}
    assert [each["title"] for each in cv["publications"]] == ["Stones"]
    assert [*left] == ["@article{moving}.title"]


def test_the_name_that_the_theme_marks_is_not_the_owners(tmp_path: Path) -> None:
    names = "scholar: {last_name: [Einstein], first_name: [Albert, A.]}\n"
    config = f"first_name: Mira\nlast_name: Sand\n{names}"
    cv, _ = imported(tmp_path, {"_config.yml": config, "_data/cv.yml": RENDERCV})
    assert cv["basics"] == {"name": "Mira Sand", "alternateNames": ["MIRA SAND"]}


def test_files_that_are_not_read_are_counted_or_named_with_the_reason(tmp_path: Path) -> None:
    found = checkout(
        tmp_path,
        {
            "_config.yml": CONFIG,
            "_data/cv.yml": RENDERCV.replace("MIRA SAND", "Albert Einstein"),
            "README.md": README,
            "LICENSE": "MIT",
        },
    )
    assert found.unread == [
        f"{tmp_path / '_data/cv.yml'}: skipped, because it names Albert Einstein, not Mira Sand.",
        f"{tmp_path}: al-folio site. Skipped 2 files that are not part of a CV.",
    ]
    assert not [path for path in found.texts if "einstein" in path]


RESUME = """\
{"basics": {"name": "Mira Sand"}, "work": [{"name": "Stone Club", "position": "Guide"}]}
"""


@pytest.mark.parametrize(
    ("page", "section"),
    [
        ("---\nlayout: cv\ncv_format: jsonresume\n---\n", "work"),
        ("---\nlayout: cv\ncv_format: rendercv\n---\n", "education"),
        ("---\nlayout: cv\n---\n", "education"),
    ],
)
def test_of_two_cvs_the_one_that_the_site_shows_is_read(
    tmp_path: Path, page: str, section: str
) -> None:
    files = {
        "_config.yml": CONFIG,
        "_pages/cv.md": page,
        "_data/cv.yml": RENDERCV,
        "assets/json/resume.json": RESUME,
    }
    cv, _ = imported(tmp_path, files)
    assert [*cv] == ["basics", section]


def test_an_old_site_shows_the_json_resume_that_its_configuration_names(tmp_path: Path) -> None:
    files = {
        "_config.yml": CONFIG
        + "jekyll_get_json: [{data: resume, json: assets/json/resume.json}]\n",
        "_data/cv.yml": "- {title: Other Interests, type: list, contents: [Chess]}\n",
        "assets/json/resume.json": RESUME,
    }
    cv, _ = imported(tmp_path, files)
    assert [*cv] == ["basics", "work"]


def test_the_cv_that_names_the_owner_is_read_where_the_shown_one_is_a_sample(
    tmp_path: Path,
) -> None:
    files = {
        "_config.yml": CONFIG
        + "jekyll_get_json: [{data: resume, json: assets/json/resume.json}]\n",
        "_data/cv.yml": RENDERCV,
        "_pages/cv.md": "---\ncv_format: jsonresume\n---\n",
        "assets/json/resume.json": SAMPLE_RESUME,
    }
    cv, _ = imported(tmp_path, files)
    assert [*cv] == ["basics", "education"]


def test_a_longer_name_in_the_cv_is_the_same_person(tmp_path: Path) -> None:
    files = {"_config.yml": CONFIG, "_data/cv.yml": RENDERCV.replace("MIRA SAND", "Mira K. Sand")}
    cv, _ = imported(tmp_path, files)
    assert cv["basics"] == {"name": "Mira K. Sand", "alternateNames": ["Mira Sand"]}
    assert cv["education"][0]["institution"] == "Oslo"


def test_an_unedited_configuration_names_nobody(tmp_path: Path) -> None:
    text = "first_name: You\nmiddle_name: R.\nlast_name: Name\nscholar: {style: apa}\n"
    cv, _ = imported(tmp_path, {"_config.yml": text, "_data/cv.yml": RENDERCV})
    assert cv["basics"]["name"] == "MIRA SAND"


# The sample CV of the theme, in which only the name was changed.
OWN_NAME = """\
{"basics": {"name": "Mira Sand", "email": "albert@einstein.de", "phone": "(912) 123-4567",
            "location": {"address": "2712 Broadway St", "city": "San Francisco"}},
 "work": [{"name": "Kaiser Wilhelm Institute for Physics", "position": "Director",
           "location": "Berlin, Germany", "startDate": "1917-01-01", "endDate": "1933-01-01"}%s],
 "awards": [{"title": "Nobel Prize in Physics", "date": "1921-11-01",
             "url": "https://www.nobelprize.org/prizes/physics/1921/einstein/biographical/"}],
 "certificates": [{"name": "Machine Learning", "date": "2018-01-01",
                   "issuer": "Stanford University"}]}
"""
MORE = "".join(f', {{"name": "Stone Club {n}", "position": "Guide"}}' for n in range(3))


def test_the_life_of_the_theme_is_not_the_owners(tmp_path: Path) -> None:
    files = {"_config.yml": CONFIG, "assets/json/resume.json": OWN_NAME % ""}
    cv, _ = imported(tmp_path, files)
    assert cv == {"basics": {"name": "Mira Sand"}}


def test_entries_of_the_theme_beside_own_ones_are_listed(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path, {"_config.yml": CONFIG, "assets/json/resume.json": OWN_NAME % MORE}
    )
    assert [*cv] == ["basics", "work"] and cv["basics"] == {"name": "Mira Sand"}
    assert [each["organization"] for each in cv["work"]] == [f"Stone Club {n}" for n in range(3)]
    samples = {path for path, why in left.items() if why == "sample value of the theme"}
    assert samples >= {"basics.email", "work[0].name", "awards[0].title", "certificates[0].name"}
