"""Sorted lines: put together range by range they are what sorting them all would give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import merge

LINES = st.lists(st.text("ab é\U0001f600", max_size=4).map(lambda text: f"{text}\n"))


@given(st.lists(LINES, max_size=4), st.integers(1, 9))
def test_merged_texts_are_the_sorted_lines_of_all(texts: list[list[str]], span: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merge, "SPAN", span)
        found = merge.merged([merge.in_order(lines) for lines in texts])
    assert found.decode() == "".join(sorted({line for lines in texts for line in lines}))


@given(LINES, st.text("ab é", max_size=4))
def test_a_line_is_found_where_it_would_stand(lines: list[str], wanted: str) -> None:
    text, line = merge.in_order(lines), f"{wanted}\n".encode()
    assert text[: merge.place_of(line, text)] == merge.in_order(each for each in lines if each.encode() < line)
