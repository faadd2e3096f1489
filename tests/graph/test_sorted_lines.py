"""Sorted lines: packed and put together range by range they are what sorting them all would
give.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.graph import sorted_lines

LINES = st.lists(st.text("ab é\U0001f600", max_size=4).map(lambda text: f"{text}\n"))


@pytest.mark.fuzz
@given(st.lists(LINES, max_size=4), st.integers(1, 9))
def test_merged_texts_are_the_sorted_lines_of_all(texts: list[list[str]], span: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_lines, "BLOCK_SIZE", span)
        patch.setattr(sorted_lines, "RUN_SIZE", span)
        packed = [sorted_lines.pack(lines) for lines in texts]
        found = sorted_lines.merge(packed)
    assert found.decode() == "".join(sorted({line for lines in texts for line in lines}))
    assert [b"".join(sorted_lines.unpack(each)).decode() for each in packed] == [
        "".join(sorted(set(lines))) for lines in texts
    ]
