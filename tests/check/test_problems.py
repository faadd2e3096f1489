"""Acceptances: what they cover, and what is said of those that cover nothing."""

from pathlib import Path

from kg.check.check import check
from kg.errors import Problem
from kg.graph.parallel.run import Run
from tests.cases import TODAY
from tests.facts import site_with

RETIRED = "work: [{organization: uni, position: Clerk, startDate: 2011, endDate: 2025}]\n"
BASICS = "basics: {name: Ada Berg}\n"
TWO_JOBS = (
    "basics: {{name: Ada Berg}}\n"
    "work:\n"
    "  - organization: uni{}\n"
    "    positions:\n"
    "      - {{position: Lecturer, endDate: present{}}}\n"
    "      - {{position: Librarian, endDate: 2015{}}}\n"
)


def problems(folder: Path, today: str = TODAY, **files: str) -> list[Problem]:
    return [
        problem
        for problem in check(site_with(folder, **files), Run(today)).problems
        if problem.rule != "owner-page" and not is_left_over(problem)
    ]


def is_left_over(problem: Problem) -> bool:
    """Whether this is about an entry of the base that a test does not need."""
    return problem.rule == "unmentioned" and not problem.place.file.endswith("case.yaml")


def lines(found: list[Problem], rule: str) -> list[int]:
    return [problem.place.line for problem in found if problem.rule == rule]


def test_an_acceptance_holds_for_its_entry_and_all_inside(tmp_path: Path) -> None:
    accept = "\n    accept: {role-start: unknown}", ", accept: {role-start: unknown}"
    assert lines(problems(tmp_path / "none", cv=TWO_JOBS.format("", "", "")), "role-start") == [
        5,
        6,
    ]
    assert (
        lines(problems(tmp_path / "outer", cv=TWO_JOBS.format(accept[0], "", "")), "role-start")
        == []
    )
    for name, inner, left in (("first", (accept[1], ""), [6]), ("second", ("", accept[1]), [5])):
        found = problems(tmp_path / name, cv=TWO_JOBS.format("", *inner))
        assert (lines(found, "role-start"), lines(found, "stale-acceptance")) == (left, [])


def test_fields_behind_the_positions_belong_to_the_outer_entry(tmp_path: Path) -> None:
    cv = TWO_JOBS.format("", ", accept: {role-start: unknown}", "") + "    kind: employment\n"
    assert lines(problems(tmp_path, cv=cv), "role-start") == [6]


def test_an_acceptance_inside_does_not_undo_the_one_around_it(tmp_path: Path) -> None:
    outer, inner = "\n    accept: {role-start: unknown}", ", accept: {role-end-unknown: lost}"
    cv = TWO_JOBS.format(outer, "", inner).replace("2015", "unknown")
    found = problems(tmp_path, cv=cv)
    assert (
        lines(found, "role-start"),
        lines(found, "role-end-unknown"),
        lines(found, "stale-acceptance"),
    ) == ([], [], [])


def test_a_pair_is_accepted_at_either_end(tmp_path: Path) -> None:
    job = "  - {{organization: {}, position: Clerk, startDate: 2020, endDate: present{}}}\n"
    accept = ", accept: {two-employers: a joint appointment}"
    for name, first, second in (("first", accept, ""), ("second", "", accept)):
        found = problems(
            tmp_path / name,
            cv=f"{BASICS}work:\n{job.format('uni', first)}{job.format('firm', second)}",
        )
        assert {problem.rule for problem in found}.isdisjoint({"two-employers", "stale-acceptance"})


def test_basics_registries_and_editions_accept_too(tmp_path: Path) -> None:
    venues = (
        "shop:\n  name: Shop\n  kind: workshop\n  editions:\n"
        "    2019: {acceptance: {accepted: 1, submitted: 2, stated: 60%}, accept: "
        "{stated-acceptance: as printed}}\n"
        "    2020: {acceptance: {accepted: 1, submitted: 2, stated: 60%}}\n"
    )
    found = problems(
        tmp_path,
        cv="basics: {name: Ada Berg, accept: {owner: retired}}\n" + RETIRED,
        people="finn: {name: Finn Holm, accept: {unmentioned: soon}}\n",
        venues=venues,
    )
    left = [problem for problem in found if problem.place.file.endswith("case.yaml")]
    assert [problem.rule for problem in left] == ["unmentioned", "stated-acceptance"]
    assert [problem.place.line for problem in left] == [2, 6]


def test_an_acceptance_of_a_spread_entry_holds_for_every_year(tmp_path: Path) -> None:
    job = (
        "{organization: uni, position: Clerk, accept: {role-end-unknown: lost}, dates: "
        "[2011/unknown, 2014/unknown]}"
    )
    cv = f"{BASICS}work:\n  - {job}\n"
    found = problems(tmp_path, cv=cv)
    assert (lines(found, "role-end-unknown"), lines(found, "stale-acceptance")) == ([], [])


def test_an_error_cannot_be_accepted(tmp_path: Path) -> None:
    job = (
        "{organization: uni, position: Clerk, startDate: 2020, endDate: 2019, accept: "
        "{role-dates: so it was}}"
    )
    found = problems(tmp_path, cv=f"{BASICS}work:\n  - {job}\n")
    assert [problem.rule for problem in found if problem.rule != "owner"] == [
        "role-dates",
        "accepted-error",
    ]


def test_a_stale_acceptance_is_told_at_its_key_only_when_all_rules_were_asked(
    tmp_path: Path,
) -> None:
    job = (
        "{organization: uni, position: Clerk, startDate: 2020, endDate: present,\n     accept: "
        "{role-start: lost}}"
    )
    cv = f"{BASICS}work:\n  - {job}\n"
    (told,) = [
        problem
        for problem in problems(tmp_path / "all", cv=cv)
        if problem.rule == "stale-acceptance"
    ]
    assert (told.severity, told.place.line, told.place.column) == ("warning", 4, 15)
    assert lines(problems(tmp_path / "no day", "", cv=cv), "stale-acceptance") == []
    assert (
        lines(problems(tmp_path / "errors", cv=cv + "skills: [{name: snad}]\n"), "stale-acceptance")
        == []
    )


def test_a_reason_is_needed(tmp_path: Path) -> None:
    for number, accept in enumerate(["{owner: ''}", "{owner: }", "{owner: [a]}", "owner"]):
        found = problems(
            tmp_path / str(number), cv=f"basics: {{name: Ada Berg, accept: {accept}}}\n"
        )
        assert [problem.severity for problem in found] == ["error"], accept


def test_the_rules_of_a_site_can_be_accepted_and_no_others(tmp_path: Path) -> None:
    folder = site_with(
        tmp_path,
        cv=(
            "basics: {name: Ada Berg, accept: {owner: retired, owner-page: shy, short-name: it "
            "is so, shrt-name: so}}\n"
        )
        + RETIRED,
    )
    (folder / "shapes").mkdir()
    (folder / "shapes" / "own.ttl").write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix schema: <http://schema.org/> . "
        "@prefix s: <shapes#> .\n"
        "s:own a sh:NodeShape ; sh:targetClass schema:Person ; sh:property s:short-name .\n"
        "s:short-name sh:path schema:name ; sh:minLength 20 ; sh:severity sh:Info ; "
        'sh:message "a short name." .\n',
        encoding="utf-8",
    )
    found = check(folder, Run(TODAY)).problems
    (told,) = [each for each in found if each.place.file == "data/cv/ada.yaml"]
    assert (told.rule, "short-name" in told.message) == ("unknown-rule", True)


PLANNED = """\
basics: {name: Ada Berg}
grants:
  - {title: Rivers of gravel, startDate: 2025, endDate: 2031}
  - {title: Sand at sea, startDate: 2028-01, endDate: 2032-12}
projects:
  - {name: Gravel Lab, position: Lead, startDate: 2024, endDate: 2031}
  - {name: Sand Lab, position: Lead, startDate: 2028, endDate: 2032}
awards:
  - {title: River Fellowship, kind: fellowship, startDate: 2028, endDate: 2031}
"""


def test_a_running_or_future_grant_or_project_is_no_mistake(tmp_path: Path) -> None:
    found = problems(tmp_path, cv=PLANNED)
    assert not lines(found, "role-future-start") and not lines(found, "role-future-end")
