"""The keys of works that are written in a CV: made from who, when and what."""

from __future__ import annotations

from typing import Any

import pytest

from kg.facts.yaml.cv_works import work_key


@pytest.mark.parametrize(
    ("work", "key"),
    [
        ({"title": "Ice as a Mirror", "authors": ["H. Lind"], "year": "2022"}, "lind-2022-mirror"),
        ({"title": "Ice", "authors": ["Lind, Hana"], "date": "2022-05"}, "lind-2022-ice"),
        ({"title": "Über Eis", "authors": [{"as": "H. Lönn"}]}, "lonn-uber"),
        ({"title": "Eis", "authors": [{"person": "hana-lind"}], "year": "1999"}, "lind-1999-eis"),
        (
            {"title": "Handbook of Ice", "editors": ["A. Berg"], "year": "2020"},
            "berg-2020-handbook",
        ),
        ({"title": "Handbook of Ice"}, "handbook-of-ice"),
        ({"title": "Ice", "authors": "H. Lind"}, "lind-ice"),
        (
            {"title": "氷", "authors": ["森山花"], "year": "2020"},
            "sen-shan-hua-2020-bing",
        ),
        ({"title": ["Ice"], "authors": [7]}, "untitled"),
        ({}, "untitled"),
    ],
)
def test_a_key_says_who_when_and_what(work: dict[str, Any], key: str) -> None:
    assert work_key(work) == key
