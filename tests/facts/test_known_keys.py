"""What may be meant by a key that is not there, however many there are."""

from __future__ import annotations

import random
import time

import pytest

from kg.facts.values.naming import KnownKeys, ThingsByName

SYLLABLES = [first + second for first in "bdklmnrst" for second in "aeiou"]
ROWS = {
    "osu-nbcl": {"name": "Network-Based Computing Lab", "was": ["orgs/nowlab"]},
    "northfjord": {"name": "University of Northfjord", "alternateNames": ["UoN"]},
    "delta-works": {"name": "Delta Works"},
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("osu", ["osu-nbcl"]),
        ("nortfjord", ["northfjord"]),
        ("university of nortfjord", ["northfjord"]),
        ("delta_works", ["delta-works"]),
        ("uon", ["northfjord"]),
        ("xyz", []),
        ("", []),
    ],
)
def test_the_nearest_keys_are_found_by_key_and_by_name(written: str, meant: list[str]) -> None:
    assert KnownKeys([ROWS]).nearest(written)[:1] == meant


def test_a_former_key_is_known() -> None:
    assert KnownKeys([ROWS]).former == {"nowlab": "osu-nbcl"}
    index = ThingsByName({"orgs": ROWS})
    found = [
        index.is_mistyped_key(("orgs",), text) for text in ("nowlab", "nortfjord", "Nortfjord")
    ]
    assert found == [True, True, False]


@pytest.mark.slow
def test_a_thousand_unknown_keys_beside_as_many_known_ones_are_quick() -> None:
    rng = random.Random(1)
    keys = [
        "".join([*rng.choices(SYLLABLES, k=4), "-", *rng.choices(SYLLABLES, k=4)])
        for _ in range(1000)
    ]
    start = time.process_time()
    index = ThingsByName({"people": {key: {"name": key.replace("-", " ")} for key in keys}})
    for key in keys:
        slip = f"{key[:5]}q{key[6:]}"
        assert index.is_mistyped_key(("people",), slip)
        assert key in index.keys_of(("people",)).nearest(slip)
    assert time.process_time() - start < 20, "a second, or minutes where each is compared to all"
