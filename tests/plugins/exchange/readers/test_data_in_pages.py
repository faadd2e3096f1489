"""JSON-LD is found in any HTML page as browsers find it."""

from __future__ import annotations

import pytest

from kg.plugins.exchange.readers.linked_data import json_ld


def test_scripts_of_data_come_with_their_places() -> None:
    page = '<head>\n <script type="Application/LD+JSON; charset=utf-8">\n{}</script></head>'
    assert json_ld(page) == [("\n{}", 2, 52)]


@pytest.mark.parametrize(
    "page",
    [
        '<!-- <script type="application/ld+json">{}</script> -->',
        '<textarea><script type="application/ld+json">{}</script></textarea>',
        "<a title='<script type=\"application/ld+json\">{}</script>'>",
        '<script>"<script type=application/ld+json>{}"</script>',
        "<script type=text/javascript>{}</script>",
    ],
)
def test_what_is_no_script_of_data_is_none(page: str) -> None:
    assert json_ld(page) == []


def test_a_script_that_is_never_closed_ends_with_the_page() -> None:
    assert json_ld("<script type=application/ld+json>{}") == [("{}", 1, 34)]


def test_references_are_no_references_in_a_script() -> None:
    [script] = json_ld("<script type='application/ld+json'>&amp;</script>")
    assert script.text == "&amp;"
