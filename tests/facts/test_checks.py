"""What only the facts can tell: pairs of jobs and of titles, lists of works, expectations."""

import datetime
from pathlib import Path

from kg.check.rules import check
from kg.errors import Problem
from kg.facts.load import load
from tests.facts import site_with

ADA = "basics: {name: Ada Berg}\n"
CURRENT = "  - {{organization: {}, position: {}, startDate: 2020, endDate: present{}}}\n"


def found(
    folder: Path, rule: str, today: datetime.date | None = None, **files: str
) -> list[Problem]:
    facts = load(site_with(folder, **files))
    assert facts.problems == []
    return [problem for problem in check(facts, today) if problem.rule == rule]


def work(slug: str, title: str, more: str = "") -> str:
    return (
        f"{slug}: {{title: {title!r}, kind: conference, authors: [Ada Berg], year: 2020{more}}}\n"
    )


def jobs(*lines: str) -> str:
    return f"{ADA}work:\n{''.join(lines)}"


def test_the_later_of_two_employers_is_shown_and_the_other_named(tmp_path: Path) -> None:
    cv = jobs(CURRENT.format("uni", "Lecturer", ""), CURRENT.format("firm", "Clerk", ""))
    (problem,) = found(tmp_path, "two-employers", cv=cv)
    assert (problem.place.line, [other.line for other in problem.others]) == (4, [3])
    assert str(problem.others[0]) in problem.message


def test_a_unit_or_a_secondary_or_private_job_is_no_second_employer(tmp_path: Path) -> None:
    for number, other in enumerate(
        [
            CURRENT.format("uni-lab", "Head", ""),
            CURRENT.format("firm", "Clerk", ", secondary: true"),
            CURRENT.format("firm", "Clerk", ", visibility: private"),
        ]
    ):
        cv = jobs(CURRENT.format("uni", "Lecturer", ""), other)
        assert found(tmp_path / str(number), "two-employers", cv=cv) == []


def test_each_employer_too_many_is_told(tmp_path: Path) -> None:
    cv = jobs(
        *(
            CURRENT.format(*job, "")
            for job in (
                ("uni", "Lecturer"),
                ("uni-lab", "Head"),
                ("firm", "Clerk"),
                ("press", "Editor"),
            )
        )
    )
    assert [problem.place.line for problem in found(tmp_path, "two-employers", cv=cv)] == [5, 6]


def test_titles_are_compared_without_case_accents_and_signs(tmp_path: Path) -> None:
    works = (
        work("a", "Über Sand: A Study")
        + work("b", "uber  sand - a study!")
        + work("c", "Uber Sands")
    )
    (problem,) = found(tmp_path, "same-title", publications=works)
    assert (problem.place.line, problem.others[0].line) == (2, 1)


def test_another_printed_title_counts(tmp_path: Path) -> None:
    works = work("a", "Sand") + work("b", "Gravel", ", alternateTitles: [Pebbles, SAND]")
    (problem,) = found(tmp_path, "same-title", publications=works)
    assert works.splitlines()[1][problem.place.column - 1 :].startswith("SAND")


def test_works_that_are_known_to_differ_may_share_a_title(tmp_path: Path) -> None:
    """In either direction, and along a chain of versions; two versions of one preprint may still be
    one.
    """
    for number, (first, second, third, told) in enumerate(
        [
            ("", ", distinctFrom: a", ", distinctFrom: [a, b]", []),
            (", distinctFrom: [b, c]", "", ", distinctFrom: b", []),
            ("", ", basedOn: a", ", basedOn: b", []),
            (", basedOn: b", ", basedOn: c", "", []),
            ("", ", basedOn: a", ", basedOn: a", [3]),
            ("", "", "", [2, 3]),
        ]
    ):
        works = work("a", "Sand", first) + work("b", "Sand", second) + work("c", "Sand", third)
        assert [
            problem.place.line
            for problem in found(tmp_path / str(number), "same-title", publications=works)
        ] == told


def test_two_patents_of_one_title_are_told_what_they_can_do(tmp_path: Path) -> None:
    patents = "".join(
        f"{slug}: {{title: Sieve, kind: patent, authors: [Ada Berg]}}\n" for slug in "ab"
    )
    (problem,) = found(tmp_path, "same-title", patents=patents)
    assert "distinctFrom" not in problem.message


def test_a_thesis_that_stands_with_the_study_is_listed(tmp_path: Path) -> None:
    study = (
        "education: [{institution: uni, studyType: Ph.D., startDate: 2015, endDate: 2019, "
        "thesis: a}]\n"
    )
    thesis = "a: {title: Sand, kind: thesis, authors: [Ada Berg], year: 2019}\n"
    (missing,) = found(tmp_path / "alone", "not-listed", cv=ADA, publications=thesis)
    assert (missing.place.file, missing.others[0].file) == (
        "data/cv/ada.yaml",
        "data/publications/case.yaml",
    )
    assert found(tmp_path / "with", "not-listed", cv=ADA + study, publications=thesis) == []


def test_nobody_is_called_unmentioned_while_something_cannot_be_read(tmp_path: Path) -> None:
    people = "finn: {name: Finn Holm}\n"
    left = found(tmp_path / "good", "unmentioned", people=people)
    assert [each.message[:5] for each in left if "people" in each.place.file] == ["finn:"]
    facts = load(
        site_with(
            tmp_path / "bad",
            people=people,
            cv=ADA + "mentoring: [{person: finn, levl: doctoral}]\n",
        )
    )
    assert [problem for problem in check(facts) if problem.rule == "unmentioned"] == []


def test_hand_written_turtle_mentions_people_too(tmp_path: Path) -> None:
    folder = site_with(tmp_path, people="finn: {name: Finn Holm}\n")
    (folder / "data" / "more.ttl").write_text(
        "<people/ada#it> <http://schema.org/knows> <people/finn#it> .\n", encoding="utf-8"
    )
    left = [problem for problem in check(load(folder)) if problem.rule == "unmentioned"]
    assert [problem for problem in left if "people" in problem.place.file] == []


def test_an_expectation_passes_with_the_end_of_its_month(tmp_path: Path) -> None:
    cv = (
        f"{ADA}education: [{{institution: uni, studyType: Ph.D., startDate: 2022, endDate: "
        f"present, expected: 2027-05}}]\n"
    )
    days = [datetime.date(2027, 5, 31), datetime.date(2027, 6, 1), None]
    assert [len(found(tmp_path / str(day), "expected-passed", day, cv=cv)) for day in days] == [
        0,
        1,
        0,
    ]


def test_only_what_is_present_has_an_expected_end(tmp_path: Path) -> None:
    study = (
        "education: [{{institution: uni, studyType: Ph.D., startDate: 2022, {}expected: "
        "2027-05}}]\n"
    )
    ends = ["endDate: present, ", "endDate: 2026, ", "endDate: unknown, ", ""]
    counts = [
        len(found(tmp_path / str(n), "expected-not-present", cv=ADA + study.format(end)))
        for n, end in enumerate(ends)
    ]
    assert counts == [0, 1, 1, 1]


def test_of_several_unknown_authors_the_first_stands_for_all(tmp_path: Path) -> None:
    for count in (1, 3):
        names = ", ".join(f"Kofi Number{letter}" for letter in "abc"[:count])
        work = "{}: {{title: {}, kind: report, authors: [Ada Berg, {}], year: 2020}}\n"
        works = work.format("v", "Sand", names) + work.format("w", "Grains", names)
        files = {"cv": f"{ADA}publications: [v, w]\n", "publications": works}
        problems = found(tmp_path / str(count), "unregistered-author", **files)
        assert len(problems) == 1
        assert ("There are 3 such authors." in problems[0].message) == (count == 3)


def test_a_name_that_is_not_what_it_seems_is_untidy(tmp_path: Path) -> None:
    """Signs of direction, and a Cyrillic letter in a Latin word; not a word of one alphabet."""
    names = {
        "a": "Bo \u202eEk\u202c",
        "b": "\u0410da Lind",
        "c": "\u0410\u0434\u0430 Lind",
        "d": "\u039f\u03bb\u03b3\u03b1 \u05e9\u05dc\u05d5\u05dd\u200f",
        "e": "\u03bcTVM",
    }
    people = "".join(f"{key}: {{name: {name}}}\n" for key, name in names.items())
    problems = found(tmp_path, "untidy-name", cv=ADA, people=people)
    assert [each.message.rpartition("Write ")[2] for each in problems] == [
        "'Bo Ek'.",
        "'Ada Lind'.",
    ]
    assert "U+202E" in problems[0].message and "U+0410" in problems[1].message


def test_the_name_of_a_place_may_be_untidy_too(tmp_path: Path) -> None:
    places = "oslo: {name: \u041eslo}\nbergen: {name: Bergen}\n"
    (problem,) = found(tmp_path, "untidy-name", cv=ADA, places=places)
    assert problem.message.endswith("Write 'Oslo'.")


def test_a_work_is_no_version_of_itself(tmp_path: Path) -> None:
    """A list of works leaves out the versions of others, and would be empty."""
    itself = work("one", "One", ", versionOf: one")
    (problem,) = found(tmp_path / "a", "based-on-itself", cv=ADA, publications=itself)
    assert problem.message == "one: a work cannot be a version of itself. Correct 'versionOf'."
    both = work("one", "One", ", basedOn: two, versionOf: two") + work("two", "Two")
    (problem,) = found(tmp_path / "b", "based-on-itself", cv=ADA, publications=both)
    assert problem.message == (
        "one: a work cannot be a version of itself (two → one → two). Correct 'versionOf'."
    )


def test_a_preprint_may_be_named_from_both_sides(tmp_path: Path) -> None:
    both = work("one", "One", ", basedOn: two") + work("two", "Two", ", versionOf: one")
    assert found(tmp_path, "based-on-itself", cv=ADA, publications=both) == []
