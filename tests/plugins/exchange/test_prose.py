"""Text CVs: what is certain has its field, everything else stays under its heading."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.facts.yaml.reader import read
from kg.plugins.exchange.formats import detect_format
from kg.plugins.exchange.importing import import_files
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.prose.date_spans import date_spans
from kg.plugins.prose.headings import meaning
from kg.plugins.prose.plain_markdown import clean
from kg.plugins.prose.prose_cv import read_prose
from kg.plugins.prose.typed_entries import job, study

FIXTURES = sorted(Path(__file__).parent.joinpath("prose").iterdir())


def cv_of(text: str) -> dict[str, Any]:
    return read_prose("cv.md", text).cv


def free(text: str, heading: str) -> list[Any]:
    cv = cv_of(f"# Mira Sand\n\n## {heading}\n\n{text}")
    return next(
        (each["entries"] for each in cv.get("sections", []) if each["title"] == heading), []
    )


def imported(path: Path, tmp_path: Path) -> dict[str, Any]:
    """The CV that `kg import` writes, after the check."""
    texts = import_files([path], tmp_path / "site").texts
    text = next(text for name, text in texts.items() if name.startswith("data/cv/"))
    row, problems = read("cv.yaml", text.encode())
    assert row is not None and not problems
    return row


def test_a_cv_in_markdown_is_placed_as_far_as_it_is_certain(tmp_path: Path) -> None:
    cv = imported(FIXTURES[-1], tmp_path)
    basics = cv["basics"]
    assert basics["name"] == "Mira Sand"  # written so in her summary
    assert basics["email"] == "mira@example.org"
    assert basics["phone"] == {"value": "+47 22 00 00 00", "visibility": "private"}
    assert basics["profiles"] == [{"network": "github", "username": "mirasand-example"}]
    assert basics["orcid"] == "0000-0002-1825-0097"
    assert basics["location"] == "Bergen, Norway"
    assert basics["label"] == "River geologist, University of Northfjord"
    assert cv["languages"][1] == {"language": "English", "level": "C1"}
    assert cv["skills"][1] == {"name": "Languages", "keywords": ["Python", "R"]}


def test_jobs_degrees_works_and_awards_stay_under_their_headings(tmp_path: Path) -> None:
    cv = imported(FIXTURES[-1], tmp_path)
    assert not {"work", "education", "publications", "awards"} & {*cv}
    entries = {each["title"]: each["entries"] for each in cv["sections"]}
    assert entries["Education"][1] == (
        "**Delta College**, Netherlands · _Pebble Programme (2010–2013)_"
    )
    assert entries["Experience"][1:] == [
        "Gravel Works Ltd – Oslo, Norway · **Survey Intern, Boats Group** · *Summer 2016 & 2017*\n"
        "- Measured sand.",
        "Years of travel\n- Saw rivers.",
    ]
    assert entries["Selected Publications"][3] == "**Stones**: what they do – Rivers 2018"
    assert entries["Awards and Honours"][0] == "Golden Pebble (2020)"
    assert entries["Talks"] == [
        '"What Gravel Says", Delta College, 3 May 2019',
        "Something about boats",
    ]


def test_nothing_private_of_a_referee_is_placed() -> None:
    text = FIXTURES[-1].read_text(encoding="utf-8")
    draft = read_prose("mira.md", text)
    assert "tomas@example.org" not in str(draft.cv)
    left = next(each for each in draft.left if "tomas@example.org" in each.value)
    assert left.value.place.line == text.split("\n").index("Email: tomas@example.org") + 1


def test_a_page_of_columns_is_read(tmp_path: Path) -> None:
    cv = imported(FIXTURES[0], tmp_path)
    assert cv["basics"]["url"] == "https://www.example.org/~kim"
    entries = {each["title"]: each["entries"] for each in cv["sections"]}
    assert (
        entries["EXPERIENCE"][1]
        == {
            "text": "Delta Works Institute · Research Assistant · Delft, Netherlands\n"
            "- Measured sand.",
            "startDate": "2016",
            "endDate": "2018",
        }
        or entries["EXPERIENCE"][1]
    )
    assert entries["HONORS AND AWARDS"] == [
        {"text": "Golden Pebble", "date": "2020"},
        {"text": "Silver Pebble", "date": "2018"},
    ]
    assert entries["HARBOUR FESTIVALS"] == ["The lantern boat, most years"]


def test_headings_and_languages_may_be_in_german(tmp_path: Path) -> None:
    cv = imported(FIXTURES[1], tmp_path)
    assert cv["basics"]["name"] == "Jürgen Kies"
    assert [each["title"] for each in cv["sections"]] == [
        *("Beruflicher Werdegang", "Ausbildung", "Sprachen", "Hobbys am Fluss"),
    ]
    assert cv["languages"] == [{"language": "Deutsch", "level": "native"}]


HEADINGS = ("Experience", "Education", "Skills", "Awards", "Languages", "Publications", "Hobbies",
            "Summary", "Education and Positions", "Contact", "References")  # fmt: skip
LINES = (
    "Engineer, Acme, 2019-2021", "### Acme | Engineer", "*2019 – present | Remote*", "- 2016",
    "**Delta College**, Oslo, Norway", "- Golden Pebble",
    "Ph.D. in Geology, Delta University, 2012",
    "Norwegian (native), English", "Tools: hammer, sieve", "mira@example.org or +47 22 00 00 00",
    "| 2019 | Acme | Intern |", ": Lecturer, 2017–2018.", "Delta University", "  - deeper words",
    "Sand, M. (2020). The weight of wet sand. *Journal of Sand*, 12(3), 4-9.", "Advisor: Ada Berg",
    "A long sentence about rivers, stones and the people between them, which goes on and on.", "",
    "Born: 3 May 1980", "Tagungsband (Hrsg.) 1999, 2001", "[page](https://example.org/x) elsewhere",
)  # fmt: skip
MEANT = {"present", "remote", "in"}  # words that become a value, or only join others


def words_of(value: Any) -> set[str]:
    if isinstance(value, dict | list):
        each = value.values() if isinstance(value, dict) else value
        return set().union(*map(words_of, each))
    return set(re.findall(r"[^\W\d_]{2,}|\d{4}", str(value).casefold()))


def unplaced_words(text: str) -> set[str]:
    """The words of the lines of a text that are neither in the CV nor in the report."""
    draft = read_prose("cv.md", text)
    held = words_of(draft.cv) | words_of([str(each.value) for each in draft.left])
    lines = [line for line in clean(text).split("\n") if not line.startswith(("## ", "# "))]
    return words_of(re.sub(r"\(https?:[^()]*\)", "", "\n".join(lines))) - held - MEANT


@given(st.lists(st.tuples(st.sampled_from(HEADINGS), st.lists(st.sampled_from(LINES))), max_size=6))
def test_every_word_of_every_line_is_in_the_cv_or_the_report(
    sections: list[tuple[str, list[str]]],
) -> None:
    text = "\n\n".join("\n".join([f"## {title}", "", *lines]) for title, lines in sections)
    assert not unplaced_words(f"# Mira Sand\n\n{text}\n")


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_every_word_of_a_whole_cv_is_in_the_cv_or_the_report(path: Path) -> None:
    assert unplaced_words(path.read_text(encoding="utf-8")) <= KNOWN_WORDS


# Headings, parts of a hyphenated word, page numbers, words of dates, `at`, labels of contacts.
KNOWN_WORDS = {
    *("experience", "education", "publications", "honors", "awards"),
    *("ers", "page", "bei", "heute", "mail", "jun", "orcid"),
}


DATES = "2019 – 2021"


def test_a_job_has_the_arguments_that_the_class_says() -> None:
    assert job(("Driver", "Acme", "Oslo", DATES, "with honours")) == {
        **{"position": "Driver", "organization": "Acme", "location": "Oslo"},
        **{"startDate": "2019", "endDate": "2021", "rest": ["with honours"]},
    }
    found = job(("Driver", "Acme, Norway", "", "2020"))
    assert (found["organization"], found["location"], found["dates"]) == (
        *("Acme", "Norway", ["2020"]),
    )


@pytest.mark.parametrize(
    "cells",
    [
        ("Acme Institute", "Lecturer", "Oslo", DATES),  # in the order of another class
        ("Acme", "Senior Engineer", "Oslo", DATES),
        ("Engineer", "", "Oslo", DATES),
        ("Engineer", "Acme", "Oslo", "2010, 2012 and 2014"),
        ("Engineer", "Acme", "Oslo", "for a while"),
        ("Engineer | Boats", "Acme", "Oslo", DATES),  # two lines
        ("Built boats. Then sold them", "Acme", "Oslo", DATES),
    ],
)
def test_a_job_with_other_arguments_is_not_one(cells: tuple[str, ...]) -> None:
    assert job(cells) == {}


def test_a_degree_has_the_arguments_that_the_class_says() -> None:
    assert study(("PhD in Geology", "Delta University", "Oslo", DATES)) == {
        **{"studyType": "PhD", "area": "Geology", "degree": "PhD in Geology"},
        **{
            "institution": "Delta University",
            "location": "Oslo",
            "startDate": "2019",
            "endDate": "2021",
            "rest": [],
        },
    }
    found = study(("Abitur", "Sandberg", "", "expected 2030"))
    assert (found["studyType"], found["startDate"], found["expected"]) == ("Abitur", "", "2030")
    assert study(("Delta University", "PhD", "Oslo", DATES)) == {}
    assert study(("Sand", "Stones", "Oslo", DATES)) == {}  # which is the school?


@pytest.mark.parametrize(
    "text",
    [
        "### Engineer | Acme\n*2019 – 2021*",
        "- Engineer, Acme, 2019-2021",
        "| 03/2020 – heute | Acme | Engineer |",
    ],
)
def test_jobs_of_a_text_stay_as_text(text: str) -> None:
    cv = cv_of(f"# Mira Sand\n\n## Experience\n\n{text}\n")
    assert [*cv] == ["basics", "sections"]
    assert "Acme" in str(cv["sections"][0]["entries"])


def test_paragraphs_and_lists_in_lists_stay_so() -> None:
    text = """\
May 2019 - June 2021: **Guide** at the Ice Club

**Tours**, in summer
- Glaciers
    - two a week
- Rivers
"""
    (entry,) = free(text, "Experience")
    head, *rest = entry.split("\n")
    assert head == "May 2019 - June 2021: **Guide** at the Ice Club"
    assert rest == ["", "**Tours**, in summer", "- Glaciers", "  - two a week", "- Rivers"]


def test_signs_in_words_are_left_out_and_their_links_stay() -> None:
    text = "- River Club [:link:][club]: since 2019 :tada:\n- At 10:30:00 a::b::c\n\n[club]: https://club.example.org\n"
    assert free(text, "Clubs") == [
        "River Club [link](https://club.example.org): since 2019",
        "At 10:30:00 a::b::c",
    ]


def test_a_table_is_read_row_by_row() -> None:
    rows = "| Zeitraum | Firma | Rolle |\n|---|---|---|\n| 03/2020 – heute | Acme | Ingenieur |\n"
    assert free(rows, "Experience") == [
        "Zeitraum · Firma · Rolle",
        {"text": "Acme · Ingenieur", "startDate": "2020-03", "endDate": "present"},
    ]


def test_bold_lines_with_a_date_start_entries() -> None:
    lines = "**Delta College** | 2013 - 2016\nSand and stones\n**Ice School** | 2011 - 2013\nIce\n"
    assert [each["text"].partition(" · ")[0] for each in free(lines, "Education")] == [
        *("**Delta College**", "**Ice School**"),
    ]


def test_sections_are_in_the_order_of_the_text() -> None:
    text = "# Mira Sand\n\n## Experience\n\n- Guide\n\n## Skills\n\n- Tools: saw, hammer\n"
    assert cv_of(text)["layout"] == {"order": ["Experience", "skills"]}
    both = cv_of(f"{text}- Whistling\n\n## Trips\n\n- Oslo\n")  # some of it stays as text
    assert [each["title"] for each in both["sections"]] == ["Experience", "Skills", "Trips"]
    assert both["layout"] == {"order": ["Experience", "skills", "Trips"]}


def test_dates_that_are_split_into_lines_stay_in_the_text() -> None:
    found = free("- May 2021- | Intern, Acme\n- July 2022 | Montréal\n", "Experience")
    assert found == ["May 2021- · Intern, Acme", "July 2022 · Montréal"]


def test_a_date_beside_a_heading_word_is_no_section() -> None:
    entries = "### Maintainer | Acme\n\nSand\n\n### Talks | Various\n\nIce\n"
    cv = cv_of(f"# Mira Sand\n\n## Open Source\n\n{entries}")
    assert [each["title"] for each in cv["sections"]] == ["Open Source"]


def test_wrapped_lines_are_joined_inside_a_sentence() -> None:
    lines = "- Measured the gravel of rivers and\n  Deltas, which was well known\nbefore it sold.\n"
    assert free(lines, "Expeditions") == [
        "Measured the gravel of rivers and Deltas, which was well known before it sold.",
    ]
    assert free("Git\ndocker\nlinux\n", "Expeditions") != ["Git docker linux"]


def test_unmarked_headings_that_stand_alone_start_sections_too() -> None:
    cv = cv_of(
        "# Mira Sand\n\n## Summary\n\nA geologist.\n\n## Skills\n\n- Ice\n\nEducation\n\nPhD\n"
    )
    assert [each["title"] for each in cv["sections"]] == ["Skills", "Education"]


def test_a_word_that_is_a_heading_needs_no_blank_lines() -> None:
    cv = cv_of("Mira Sand\nSummary\nA geologist.\nProjects\n**Ice**\nEducation\nPhD\nTrips\nSand\n")
    assert [each["title"] for each in cv["sections"]] == ["Projects", "Education"]


def test_addresses_inside_sentences_are_no_contact() -> None:
    line = "Reports: wrote many of the reports for publishers (https://pub.example.com/)"
    cv = cv_of(f"# Mira Sand\n\n{line}\n\n## Awards\n\n- X")
    assert "url" not in cv["basics"]


@pytest.mark.parametrize(
    "line",
    [
        "Date of birth: 3 January 1983",
        "**Geburtsdatum:** 6. September 1983",
        "Marital status: single",
        "**Nationalität** Deutsch **Geburtstag** 19.03.1996 **Kinder** 1",
        "Nationality: Norwegian, Familienstand: verheiratet",
        "**nationality** none **birthdate** 19.03.1996 **civil status** single",
        "Call me at +47 22 00 00 00",
        "Write to mira@example.org",
        "735 State St., Suite 300",
        "Lindenstraße 12, 5003 Bergen",
    ],
)
@pytest.mark.parametrize("heading", ["Other information", "Experience", "Summary", "Skills"])
def test_private_lines_are_listed_and_not_published(heading: str, line: str) -> None:
    draft = read_prose("cv.md", f"# Mira Sand\n\n## {heading}\n\n- Gravel\n- {line}\n")
    assert line.strip("*")[:9] not in str(draft.cv)
    assert [each.value.place.line for each in draft.left] == [6]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("2019 | **Sand Prize** | Oslo", {"text": "**Sand Prize** · Oslo", "date": "2019"}),
        ("2019-on | Ice", {"text": "Ice", "startDate": "2019", "endDate": "present"}),
        ("Ice Group | *Oct. 2021 – May 2022*",
         {"text": "Ice Group", "startDate": "2021-10", "endDate": "2022-05"}),
        ("Sand | 20 stones", "Sand · 20 stones"),
        ("In 2019 | Ice", "In 2019 · Ice"),
    ],
)  # fmt: skip
def test_a_date_in_a_cell_of_its_own_is_that_of_the_line(line: str, entry: object) -> None:
    assert free(f"- {line}\n- Gravel", "Expeditions") == [entry, "Gravel"]


def test_attributes_of_pandoc_are_no_heading() -> None:
    cv = cv_of("# Mira Sand\n\n## Expeditions {#trips .wide}\n\n- Gravel {sic}\n")
    assert cv["sections"] == [{"title": "Expeditions", "entries": ["Gravel {sic}"]}]


def test_the_line_below_the_name_is_said_once() -> None:
    cv = cv_of("# Mira Sand\n\nA patient and careful geologist.\n\n## Expeditions\n\n- Gravel\n")
    assert [*cv["basics"].values()].count("A patient and careful geologist.") == 1


def test_a_label_inside_a_word_or_a_sentence_is_no_contact() -> None:
    text = "# Mira Sand\n\nHotel Atelier | Centre of the Cell, mobile people\n\n## Awards\n\n- X"
    (left,) = read_prose("cv.md", text).left[:1]
    assert left.value == "Hotel Atelier | Centre of the Cell, mobile people"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Jun 2019 – Present", ("2019-06", "present")),
        ("(08/2020-)", ("2020-08", "present")),
        ("Aug '24 - present", ("2024-08", "present")),
        ("June - August 2019", ("2019-06", "2019-08")),
        ("2018-22", ("2018", "2022")),
        ("2023-on", ("2023", "present")),
        ("seit Februar 2021", ("2021-02", "present")),
        ("_2018–2022_", ("2018", "2022")),
        ("July 28th 2022", ("2022-07-28", "")),
    ],
)
def test_dates_in_a_line(text: str, found: tuple[str, str]) -> None:
    (span,) = date_spans(f"Engineer, {text}")
    assert (span.start, span.end) == found


@pytest.mark.parametrize(
    "text",
    ["2010/11", "2010-11", "2019-on the role of sand",
     "2014 to the end of times", "IPDPS '21", "10.1109/MM.2021.3139027",
     "09/2010–03/201", "2020-2018", "1-800-555-2020"],
)  # fmt: skip
def test_what_may_be_two_dates_is_none(text: str) -> None:
    assert not date_spans(text)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("🎓 Education", "education"),
        ("RESEARCH AND DEVELOPMENT EXPERIENCE", "work"),
        ("Refereed Conference Papers", "publications"),
        ("Honors and Rewards", "awards"),
        ("Beruflicher Werdegang", "work"),
        ("Expérience professionnelle", "work"),
        ("Publicaciones", "publications"),
        ("Teaching and Mentoring", "several"),
        ("Courses", ""),  # taught, or taken?
        ("Technical Experience", ""),
    ],
)
def test_headings(title: str, kind: str) -> None:
    assert meaning(title)[0] == kind


def test_a_level_keeps_its_brackets() -> None:
    found = cv_of("# Mira Sand\n\n## Languages\n\n- **German** - native (C2)")["languages"]
    assert found == [{"language": "German", "level": "native (C2)"}]


@pytest.mark.parametrize(
    "line",
    [
        "- Created logos, posters, and advertisements for clubs, shows",
        "- Sail.js, a framework for boats",
        "**Tools** | **Advanced** | **Fortran**, Basic",
        "**Python**, **Basic**, **more at:** [@mira](https://example.org/mira)",
        "Pumps Valves Meters Weirs Gates",
    ],
)
def test_text_about_skills_is_no_list_of_them(line: str) -> None:
    assert cv_of(f"# Mira Sand\n\n## Skills\n\n{line}\n").get("skills") is None
    assert free(line, "Skills")


def test_bold_lines_group_a_list() -> None:
    text = "- Gravel\n\n**Art**\n\n- Prize of Sand, for all\n"
    assert free(text, "Skills") == ["Gravel", "**Art**: Prize of Sand, for all"]


def test_tables_and_labels_at_the_top_are_no_summary() -> None:
    top = "Children (number, age) | Click here to type.\n\n**Tools**: hammers and long saws.\n"
    cv = cv_of(f"# Mira Sand\n\n{top}\n## Education\n\n- X\n")
    assert "summary" not in cv.get("basics", {})


def test_contact_details_below_the_position_belong_to_the_top() -> None:
    cv = cv_of("# Mira Sand\n\n## Engineer\n\nmira@example.org\n\n## Education\n\n- X\n")
    assert (cv["basics"]["label"], cv["basics"]["email"]) == ("Engineer", "mira@example.org")


def test_marked_entries_below_an_unmarked_heading_are_in_its_section() -> None:
    entry = "## MSc, Delta University\nSep 2018 - Jun 2022\n"
    cv = cv_of(f"# Mira Sand\n\nGITHUB\n\nWORK EXPERIENCE:\n\n- Gravel\n\nEDUCATION:\n\n{entry}")
    assert cv["sections"][-1]["title"] == "EDUCATION"
    assert cv["sections"][-1]["entries"][0]["text"] == "MSc, Delta University"


def test_languages_can_be_apart_by_a_dash() -> None:
    cv = cv_of("# Mira Sand\n\n## Languages\n\n**Portuguese** (native) - **English** (fluent)\n")
    found = [(each["language"], each["level"]) for each in cv["languages"]]
    assert found == [("Portuguese", "native"), ("English", "fluent")]


def test_a_heading_is_no_name() -> None:
    assert "basics" not in cv_of("# Research Interest\n\nSand.\n\n## Education\n\n- X\n")


def test_only_a_cv_is_recognised_as_one() -> None:
    def format_of(name: str, text: str) -> str:
        found = detect_format(SourceFile(name, name, text.encode()))
        return found.name if found else ""

    text = "# Mira Sand\n\n## Education\n\n- X\n\n## Awards\n\n- Y\n"
    assert format_of("cv.md", text) == "markdown"
    assert format_of("cv.txt", text) == "text"
    assert format_of("README.md", "# Tool\n\n## Projects\n\nx\n\n## Contact\n\ny\n") == ""
    assert format_of("notes.txt", "Some words.\n\nEducation is good.\n") == ""


def test_no_text_makes_it_crash() -> None:
    chance = random.Random(21)
    texts = [path.read_text(encoding="utf-8") for path in FIXTURES]
    signs = "".join(texts) + "()[]*_|#-–`\"“”'<>\t\f\x00\x1f{}\\&;:,./0123456789"
    for _ in range(30):
        text = chance.choice(texts)
        for _ in range(chance.randrange(1, 30)):
            at = chance.randrange(len(text))
            size = chance.randrange(20)
            text = text[:at] + "".join(chance.choices(signs, k=size)) + text[at + size :]
        read_prose("cv.md", text)
        read_prose("cv.md", "".join(chance.choices(signs, k=400)))


def test_a_text_that_is_no_cv_by_its_length_is_refused() -> None:
    with pytest.raises(NotImported, match="is too long"):
        read_prose("cv.md", "a " * 2_500_000)


@pytest.mark.sample(test=0.25)
@pytest.mark.parametrize(
    "unit",
    ["a ", "(", "[x](", "*a", "- ", "2019-", "A. B, ", "<b>", "\"a ", "| a ", "Jan ", "x@y.",
     "(2019). A. ", " ", "—"],
)  # fmt: skip
@pytest.mark.slow
def test_a_long_line_or_many_lines_take_no_long_time(unit: str) -> None:
    size = 30_000 // len(unit)
    heading = "# Mira Sand\n\n## Publications\n\n"
    start = time.process_time()
    read_prose("cv.md", heading + unit * size)
    read_prose("cv.md", heading + f"{unit * 40}\n" * (size // 40))
    assert time.process_time() - start < 15
