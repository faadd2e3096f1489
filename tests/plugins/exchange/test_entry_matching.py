"""Which entries are the same: by identifiers first, then by what they are known by."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from kg.facts.files import read_files
from kg.plugins.exchange.edits.entry_matching import KnownEntries
from kg.settings import shipped

A = {"title": "On <i>Sand</i>", "kind": "journal", "year": "2020"}


@pytest.mark.parametrize(
    ("section", "one", "other", "is_same"),
    [
        ("publications", A, {**A, "title": "on sand."}, True),
        ("publications", A, {**A, "year": "2021"}, False),
        ("publications", {**A, "doi": "10.1/a"}, {"title": "Sand", "doi": "10.1/A"}, True),
        ("publications", {**A, "doi": "10.1/a"}, {**A, "doi": "10.1/b"}, False),
        ("publications", {**A, "doi": "10.1/a"}, A, True),
        (
            "publications",
            {**A, "arxiv": "2001.00001v2"},
            {"title": "Draft", "arxiv": "2001.00001"},
            True,
        ),
        (
            "publications",
            {"title": "A", "kind": "book", "isbn": "978-3-16-148410-0"},
            {"title": "A, second title", "kind": "book", "isbn": "316148410X"},
            True,
        ),
        (
            "publications",
            {"title": "A", "kind": "book-chapter", "isbn": "978-3-16-148410-0"},
            {"title": "B", "kind": "book-chapter", "isbn": "978-3-16-148410-0"},
            False,
        ),
        (
            "publications",
            {"title": "Sand one", "authors": ["Ada Berg"], "doi": "10.1/a"},
            {"title": "Snow and other things", "authors": ["Ada Berg"], "doi": "10.1/a"},
            False,
        ),
        ("publications", "sand-2020", {"key": "sand-2020", "selected": "true"}, True),
        (
            "work",
            {"organization": "Uni", "position": "Reader", "startDate": "2019"},
            {"organization": "uni", "position": "reader", "startDate": "2019-09"},
            True,
        ),
        (
            "work",
            {"organization": "Uni", "position": "Reader", "startDate": "2019"},
            {"organization": "Uni", "position": "Reader", "startDate": "2022"},
            False,
        ),
        (
            "education",
            {"institution": "Uni", "studyType": "MSc"},
            {"institution": "Uni", "studyType": "M.Sc."},
            True,
        ),
        ("skills", "Python", {"name": "python", "level": "good"}, True),
        ("skills", "C", "C++", False),
        ("awards", {"title": "Medal", "date": "2019"}, {"title": "Medal", "year": "2020"}, False),
        ("talks", {"kind": "invited"}, {"kind": "lecture"}, False),
    ],
)
def test_two_entries_are_compared(section: str, one: Any, other: Any, is_same: bool) -> None:
    known = KnownEntries()
    assert bool(known.match(section, one, other)) is is_same
    assert bool(known.match(section, other, one)) is is_same
    assert known.pairs(section, [one], [other]) == ({0: 0} if is_same else {})


def test_each_entry_is_taken_once_and_the_surest_first() -> None:
    posts = [
        {"organization": "A", "position": "B"},
        {"organization": "A", "position": "B", "startDate": "2020"},
    ]
    assert KnownEntries().pairs("work", posts, posts[::-1]) == {0: 1, 1: 0}


@pytest.fixture
def known(tmp_path: Path) -> KnownEntries:
    shutil.copytree(shipped("example"), tmp_path / "lab")
    return KnownEntries(read_files(tmp_path / "lab"))


def test_a_thing_is_known_by_its_names_and_its_key(known: KnownEntries) -> None:
    post = {"organization": "northfjord", "position": "Lecturer"}
    name = known.rows["orgs"]["northfjord"]["name"]
    assert known.match("work", post, {**post, "organization": name.upper()})
    assert known.with_known_keys({"work": [{**post, "organization": {"name": name}}]}) == {
        "work": [post]
    }
    other = {"name": f"{name} of Nowhere"}
    assert (
        known.with_known_keys({"work": [{**post, "organization": other}]})["work"][0][
            "organization"
        ]
        == other
    )


def test_a_work_of_a_registry_is_named_by_its_key(known: KnownEntries) -> None:
    title = known.rows["publications"]["ferreira-2021-gauges"]["title"]
    work = {"title": title.lower(), "kind": "conference", "year": "2021"}
    assert known.with_known_keys({"publications": [work]}) == {
        "publications": ["ferreira-2021-gauges"]
    }
    later = {**work, "year": "2023"}
    assert known.with_known_keys({"publications": [later]}) == {"publications": [later]}
