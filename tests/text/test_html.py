"""The one reader of HTML tells texts, tags and comments apart as browsers do, whatever is there."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.text.html import COMMENT, pieces


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("a<b>c</b>", ["a", "<b>", "c", "</b>"]),
        ("<P Class=x>1 < 2", ["<p>", "1 ", "<", " 2"]),
        ("<a title='<b>'>x</a>", ["<a>", "x", "</a>"]),
        ("<!doctype html><!-- <p> -->x", ["<!>", "<!>", "x"]),
        ("<!-->x<!--y--!>z<?php ?><![CDATA[q]]>", ["<!>", "x", "<!>", "z", "<!>", "<!>"]),
        ("<style>a<b {}</style>", ["<style>", "</style>"]),
        ("<script><!-- <script> </script> --></script>x", ["<script>", "</script>", "x"]),
        ("<script>'</p>'</script >x", ["<script>", "</script>", "x"]),
        ("<plaintext><p></plaintext>", ["<plaintext>"]),
        ("x<a href='", ["x"]),
        ("</ p></>", ["<!>", "<", "/>"]),
    ],
)
def test_a_page_is_told_into_pieces(page: str, found: list[str]) -> None:
    assert [f"<{each.name}>" if each.name else each.written for each in pieces(page)] == found


def test_what_holds_no_markup_ends_where_its_end_tag_begins() -> None:
    page = "<title>a <b> c</TITLE>"
    start, end = pieces(page)
    assert (page[start.end : start.text_end], end.start) == ("a <b> c", start.text_end)


def test_the_first_of_equal_attributes_counts_and_references_are_read() -> None:
    [link] = pieces("<a HREF='a&amp;b' href=c hidden data-x = 'd\"'>")
    assert link.attributes == {"href": "a&b", "hidden": "", "data-x": 'd"'}


@pytest.mark.fuzz
@given(st.text(alphabet="<>/!-abpli\"'= &;?\n", max_size=200))
@settings(max_examples=300, deadline=None)
def test_nothing_of_a_page_is_left_out_but_a_tag_without_end(page: str) -> None:
    place = 0
    for each in pieces(page):
        assert each.start == place < each.end <= each.text_end
        assert each.name not in ("", COMMENT) or each.written == page[each.start : each.end]
        place = each.text_end
    assert place == len(page) or page[place] == "<"


@pytest.mark.parametrize("part", ["<a", "<a ", "<!", "<!--", '<a b="', "<a b='\"", "</", "<", "&"])
def test_the_time_is_linear(part: str) -> None:
    begun = time.process_time()
    sum(1 for _ in pieces(part * 50_000))
    assert time.process_time() - begun < 5
