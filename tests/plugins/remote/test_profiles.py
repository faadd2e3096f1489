"""Profiles: all of ours can be read, and a mistake in one's own is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import KgError
from kg.plugins.remote.profiles import load, names

TESTED = {"oxigraph", "virtuoso"}


def test_there_is_a_profile_of_each_engine() -> None:
    assert {
        "oxigraph",
        "virtuoso",
        "fuseki",
        "graphdb",
        "stardog",
        "qlever",
        "neptune",
        "standard",
    } == set(names())


@pytest.mark.parametrize("name", names())
def test_only_what_was_tried_is_called_tested(name: str) -> None:
    found = load(name)
    assert bool(found.tested) == (name in TESTED)
    assert found.loader or name == "standard"


def test_a_profile_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load("oxigraph").rows = 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: X\nquery: {}\nupdate: {}", "store is missing"),
        ("name: X\nquery: {}\nupdate: {}\nstore: {}\nrow: 5", "row is unknown"),
        (
            "name: X\nquery: {send: pigeon}\nupdate: {}\nstore: {}",
            "query.send: Input should be 'form', 'direct' or 'get'",
        ),
        (
            "name: X\nquery: {}\nupdate: {}\nstore: {}\nrows: 5",
            "rows: Input should be greater than or equal to 100",
        ),
        ("name: [", "cannot read"),
        ("", "the file: Input should be"),
    ],
)
def test_a_mistake_in_ones_own_profile_is_reported(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(KgError) as error:
        load(str(file))
    assert str(file) in str(error.value)
    assert words in str(error.value)


def test_an_unknown_profile_is_reported_with_those_there_are() -> None:
    with pytest.raises(KgError, match="Unknown profile 'virtuso'"):
        load("virtuso")
