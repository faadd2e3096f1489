"""What a rule is for: from its folder, ours or the site's, and as much as is in it."""

from pathlib import Path

import pytest

from kg.check.report import explain
from kg.settings import shipped
from tests.cases import EXPLAINED


def test_an_explanation_has_the_reason_both_examples_and_what_the_check_says() -> None:
    assert explain.text("role-dates", shipped("explained") / "role-dates").splitlines() == [
        (
            "role-dates: Nothing ends before it begins. Dates are compared as far as both are "
            "known: 2019 to 2019-03 is fine."
        ),
        "",
        "Bad:",
        "",
        "  # data/cv/ada.yaml",
        "  basics: {name: Ada Berg}",
        "  work:",
        "    - {organization: uni, position: Lecturer, startDate: 2019-09, endDate: 2018}",
        "",
        "What the check says:",
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


@pytest.mark.parametrize("folder", EXPLAINED, ids=lambda folder: folder.name)
def test_the_places_in_the_report_are_files_of_the_example(folder: Path) -> None:
    told = explain.text(folder.name, folder)
    for line in told.splitlines():
        if line.endswith(f"[{folder.name}]"):
            assert f"# {line.split(':')[0].strip()}\n" in told


def test_a_sites_own_folder_comes_first_and_may_hold_the_reason_alone(tmp_path: Path) -> None:
    for rule, why in (("role-dates", "Here too."), ("house-rule", "Be kind.\nAlways: it pays.")):
        (tmp_path / "shapes" / "explained" / rule).mkdir(parents=True)
        (tmp_path / "shapes" / "explained" / rule / "why.txt").write_text(why)
    reasons = explain.reasons(tmp_path)
    assert reasons["role-dates"] == "Here too."
    assert (
        explain.text("house-rule", explain.folders(tmp_path)["house-rule"])
        == "house-rule: Be kind. Always: it pays.\n"
    )
    assert explain.first_sentence(reasons["house-rule"]) == "Be kind."


def test_files_of_an_example_are_called_as_they_are_in_its_site() -> None:
    assert [
        explain.called(Path(name)) for name in ("cv.yaml", "people.yaml", "site.yaml", "more.ttl")
    ] == [
        "data/cv/ada.yaml",
        "data/people/case.yaml",
        "data/site.yaml",
        "data/more.ttl",
    ]
