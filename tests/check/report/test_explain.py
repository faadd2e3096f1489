"""Explains a rule from its file, ours or the site's, and as much as is in it."""

from pathlib import Path

import pytest

from kg.check.report import explain
from kg.settings import shipped
from tests.cases import EXPLAINED

ROLE_DATES = explain.read(shipped("shapes") / "explained" / "role-dates.yaml")


def test_an_explanation_has_the_reason_both_examples_and_what_the_check_says() -> None:
    assert explain.text("role-dates", ROLE_DATES).splitlines() == [
        (
            "role-dates: An entry cannot end before it starts. Dates are compared only as "
            "precisely as both are known: 2019 to 2019-03 is fine."
        ),
        "",
        "Bad:",
        "",
        "  # data/cv/ada.yaml",
        "  basics: {name: Ada Berg}",
        "  work:",
        "    - {organization: uni, position: Lecturer, startDate: 2019-09, endDate: 2018}",
        "",
        "Report:",
        "",
        (
            "  data/cv/ada.yaml:3:74  error  work[0]: ends (2018) before it starts (2019-09). "
            "Swap or correct the dates.  [role-dates]"
        ),
        "",
        "Good:",
        "",
        "  # data/cv/ada.yaml",
        "  basics: {name: Ada Berg}",
        "  work:",
        "    - {organization: uni, position: Lecturer, startDate: 2018-09, endDate: 2019}",
    ]


def test_the_places_in_the_report_are_files_of_the_example() -> None:
    for path in EXPLAINED:
        text = explain.text(path.stem, explain.read(path))
        for line in text.splitlines():
            if line.endswith(f"[{path.stem}]"):
                assert f"# {line.split(':')[0].strip()}\n" in text, path.stem


def test_a_sites_own_file_comes_first_and_may_hold_the_reason_alone(tmp_path: Path) -> None:
    folder = tmp_path / "shapes" / "explained"
    folder.mkdir(parents=True)
    (folder / "role-dates.yaml").write_text("why: Here too.")
    (folder / "house-rule.yaml").write_text("why: |\n  Be kind.\n  Always: it pays.\n")
    reasons = explain.reasons(tmp_path)
    assert reasons["role-dates"] == "Here too."
    own = explain.read(explain.explanation_files(tmp_path)["house-rule"])
    assert explain.text("house-rule", own) == "house-rule: Be kind. Always: it pays.\n"
    assert explain.first_sentence(reasons["house-rule"]) == "Be kind."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "why: [",
        "bad: {}",
        "why: 3",
        "why: A.\nwhither: B.",
        "why: A.\nbad: B.",
        "why: A.\nbad: {a: 1}",
    ],
)
def test_a_file_that_explains_nothing_says_so(text: str, tmp_path: Path) -> None:
    (tmp_path / "house-rule.yaml").write_text(text)
    with pytest.raises(
        explain.BadExplanation, match=r"cannot read the explanation .*house-rule\.yaml"
    ):
        explain.read(tmp_path / "house-rule.yaml")
