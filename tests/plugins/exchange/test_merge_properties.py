"""Merging as a law: what holds for any base, any newer draft and any edit of the author."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.plugins.exchange.edits.merge import Merge
from kg.plugins.exchange.edits.splice import compose
from kg.plugins.exchange.yaml_text import file_text

pytestmark = [pytest.mark.proof, pytest.mark.fuzz]

TEXTS = st.sampled_from(["Ice", "Sand: a study", "Río #2", "two\nlines", "2019", "no"])
NAMES = st.sampled_from(["A", "B", "C", "D"])
YEARS = st.sampled_from(["2018", "2019-05", "2020"])


def maybe(fields: dict[str, Any]) -> Any:
    return st.fixed_dictionaries({}, optional=fields)


def entries(naming: dict[str, Any], more: dict[str, Any]) -> Any:
    """Entries of a section, none of which is like another."""
    entry = st.builds(
        lambda one, other: {**one, **other}, st.fixed_dictionaries(naming), maybe(more)
    )
    key = tuple(naming)
    return st.lists(entry, max_size=3, unique_by=lambda each: tuple(each[name] for name in key))


DRAFTS = st.fixed_dictionaries(
    {
        "basics": st.builds(
            lambda more: {"name": "Ada Berg", **more},
            maybe(
                {"label": TEXTS, "summary": TEXTS, "alternateNames": st.lists(NAMES, min_size=1)}
            ),
        )
    },
    optional={
        "work": entries(
            {"organization": NAMES, "position": NAMES},
            {"startDate": YEARS, "summary": TEXTS, "highlights": st.lists(TEXTS, min_size=1)},
        ),
        "talks": entries({"title": NAMES}, {"date": YEARS, "at": NAMES}),
        "skills": st.lists(NAMES, min_size=1, unique=True),
        "publications": entries({"title": NAMES}, {"doi": st.sampled_from(["10.1/a", "10.1/b"])}),
        "sections": entries(
            {"title": NAMES}, {"entries": st.lists(TEXTS, min_size=1, unique=True)}
        ),
    },
).map(lambda draft: {name: value for name, value in draft.items() if value})


def merged(text: str, base: dict[str, Any] | None, new: dict[str, Any]) -> tuple[str, int]:
    merge = Merge(text)
    merge.add(base, new)
    return merge.result()[0], len(merge.differences)


def as_sets(value: Any) -> Any:
    """A draft in which the order of entries does not matter."""
    if isinstance(value, dict):
        return {name: as_sets(item) for name, item in sorted(value.items())}
    if isinstance(value, list):
        return sorted(map(as_sets, value), key=repr)
    return value


@pytest.mark.fuzz
@settings(deadline=None, max_examples=300, derandomize=True)
@given(DRAFTS, DRAFTS)
def test_who_changed_nothing_has_what_the_source_has(
    base: dict[str, Any], new: dict[str, Any]
) -> None:
    text = file_text("cv", base)
    result, differences = merged(text, base, new)
    assert differences == 0
    assert as_sets(compose(result).plain) == as_sets(new)


@pytest.mark.fuzz
@settings(deadline=None, max_examples=200, derandomize=True)
@given(DRAFTS, DRAFTS)
def test_joining_keeps_every_value_and_a_second_time_nothing_changes(
    mine: dict[str, Any], new: dict[str, Any]
) -> None:
    text = file_text("cv", mine)
    joined, differences = merged(text, None, new)
    kept(mine, compose(joined).plain)
    assert merged(joined, None, new) == (joined, differences)
    assert merged(joined, new, deepcopy(new)) == (joined, 0)


def kept(mine: Any, now: Any) -> None:
    """Whatever the author wrote is there, in the same order."""
    if isinstance(mine, dict):
        for name, value in mine.items():
            kept(value, now[name])
    elif isinstance(mine, list):
        for one, other in zip(mine, now, strict=False):
            kept(one, other)
    else:
        assert mine == now
