"""Addresses that may have been meant: found among many, and at a cost that no path can raise."""

from __future__ import annotations

import random
import time

import pytest

from kg.publish.formats.suggestions import MAX_PATH_LENGTH, MAX_SUGGESTIONS, Suggestions
from kg.publish.site import Documents

SYLLABLES = [first + second for first in "bdfklmnprstvwyz" for second in "aeio"]


def word(rng: random.Random) -> str:
    return "".join(rng.choices(SYLLABLES, k=rng.randint(2, 4)))


@pytest.fixture(scope="module")
def many() -> Suggestions:
    rng = random.Random(5)
    return Suggestions({"people/", *(f"people/{word(rng)}-{word(rng)}" for _ in range(100_000))})


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("people/alvar-jalr", "people/alvar-jarl"),
        ("people/Alvar_Jarl", "people/alvar-jarl"),
        ("People/alvar jarl.TTL", "people/alvar-jarl"),
        ("people/alvar-jarl/", "people/alvar-jarl"),
        ("people/jarl-alvar", "people/alvar-jarl"),
        ("person/alvar-jarl.html", "people/alvar-jarl"),
        ("alvar-jarl", "people/alvar-jarl"),
        ("orgs/alvar-jarl", "people/alvar-jarl"),
        ("old/people/alvar-jarl", "people/alvar-jarl"),
        ("organizations/osu", "orgs/osu"),
        ("orgs/osu-nbc", "orgs/osu-nbcl"),
        ("poeple", "people/"),
        ("organisations/", "orgs/"),
        ("orgs/qqqqqqqq", "orgs/"),
        ("people/page-2", "people/"),
    ],
)
def test_the_nearest_comes_first(documents: Documents, path: str, first: str) -> None:
    found = documents.near(path)
    assert found[0] == first
    assert len(found) <= MAX_SUGGESTIONS
    assert set(found) <= documents.addresses


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "nothing",
        "wp-login.php",
        "%%%",
        "./..//",
        ".html",
        "\u200e",
        "a" * (MAX_PATH_LENGTH + 1),
        "people/" + "a" * 4000,
    ],
)
def test_nothing_is_offered_where_nothing_is_near(documents: Documents, path: str) -> None:
    assert documents.near(path) == []


@pytest.mark.proof
def test_a_slip_is_found_among_a_hundred_thousand(many: Suggestions) -> None:
    rng = random.Random(6)
    for address in rng.sample(sorted(many.addresses - {"people/"}), 100):
        letters = list(address)
        place = rng.randrange(len("people/"), len(letters))
        letters[place : place + 1] = rng.choice([[], ["x"], [letters[place], "x"]])
        assert address in many.of("".join(letters)), "".join(letters)


@pytest.mark.parametrize(
    "path",
    [
        "people/" + "ba" * 50,
        "people/" + "-".join("b" * 50),
        "people/" + "ba-" * 30 + "ba",
        "b/" * 55,
        "-" * MAX_PATH_LENGTH,
    ],
)
@pytest.mark.sample(test=0.4)
@pytest.mark.slow
def test_no_path_costs_much(many: Suggestions, path: str) -> None:
    many.of("people/ba")
    start = time.process_time()
    for _ in range(5):
        many.of(path)
    assert time.process_time() - start < 4
