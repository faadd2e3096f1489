"""Checks of what is in no file yet."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.check.check import check
from kg.errors import errors_in
from kg.facts.yaml.reader import faults_in, read
from kg.facts.yaml.rows import Row
from kg.plugins.exchange.unsaved import check_rows, check_unsaved
from kg.plugins.exchange.yaml_text import file_text

SITE = {"base": "https://cv.example.org/", "title": "CVs"}
BASICS = {"name": "Hana Lind"}


def steps_of(cv: dict[str, object], folder: Path, in_full: bool = True) -> list[tuple[object, ...]]:
    contents = {"data/site.yaml": SITE, "data/cv/hana.yaml": cv}
    return [fault.steps for fault in check_rows(folder, contents, in_full=in_full)]


def test_an_error_has_the_way_to_its_value(tmp_path: Path) -> None:
    work = [
        {"organization": "Ice AG", "position": "Engineer", "startDate": "2019"},
        {"organization": "Ice AG", "position": "Head", "startDate": "soon", "colour": "blue"},
    ]
    assert steps_of({"basics": BASICS, "work": work}, tmp_path) == [
        ("data/cv/hana.yaml", "work", 1, "startDate"),
        ("data/cv/hana.yaml", "work", 1, "colour"),
    ]
    assert not [*tmp_path.iterdir()]


def test_an_entry_that_lacks_a_field_is_meant_as_a_whole(tmp_path: Path) -> None:
    cv = {"basics": BASICS, "awards": [{"date": "2019"}]}
    assert steps_of(cv, tmp_path) == [("data/cv/hana.yaml", "awards", 0)]


def test_shapes_are_judged_in_full_only(tmp_path: Path) -> None:
    job = {"organization": "Ice", "position": "Head", "startDate": "2019", "endDate": "2018"}
    cv = {"basics": BASICS, "work": [job]}
    assert steps_of(cv, tmp_path, in_full=False) == []
    assert steps_of(cv, tmp_path) == [("data/cv/hana.yaml", "work", 0, "endDate")]


@pytest.mark.parametrize("text", ["bell\a", "a\u2028b", "10.1000/1\u200b", "\theta \n\tau"])
def test_what_a_file_cannot_hold_is_refused(text: str, tmp_path: Path) -> None:
    found = steps_of({"basics": {**BASICS, "label": text}}, tmp_path)
    assert found == [("data/cv/hana.yaml", "basics", "label")]


def test_unsaved_texts_take_the_place_of_files(tmp_path: Path) -> None:
    (tmp_path / "data/cv").mkdir(parents=True)
    (tmp_path / "data/site.yaml").write_text(file_text("site", SITE), encoding="utf-8")
    path = tmp_path / "data/cv/hana.yaml"
    path.write_text("basics: {name: Hana Lind}\nwork: 1\n", encoding="utf-8")
    assert check_unsaved(tmp_path, {}) == errors_in(check(tmp_path).problems) != []
    assert check_unsaved(tmp_path, {"data/cv/hana.yaml": b"basics: {name: Hana Lind}\n"}) == []
    new = {"data/cv/hana.yaml": b"basics: {name: H}\n", "data/organizations.yaml": b"ice: {x: I}\n"}
    assert {each.place.file for each in check_unsaved(tmp_path, new)} == {"data/organizations.yaml"}
    assert path.read_text(encoding="utf-8").endswith("work: 1\n")


@pytest.mark.fuzz
@given(st.text(max_size=12) | st.text("uneq \n\t\\ab", max_size=12))
def test_a_row_without_faults_can_be_written_and_read_again(text: str) -> None:
    value = text.encode(errors="replace").decode().strip()
    row = Row("cv.yaml").fill("label", value)
    if not faults_in(row):
        again, problems = read("cv.yaml", file_text("cv", {"label": value}).encode())
        assert not problems
        assert again == {"label": value}
