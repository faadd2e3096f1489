"""Any page is read as browsers read it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.plugins.audit.markup import decoded, json_ld, parsed


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


def test_references_are_text_in_a_page_and_not_in_a_script() -> None:
    [script] = json_ld("<script type='application/ld+json'>&amp;</script>")
    assert script.text == "&amp;"
    assert parsed("<p title='&lt;'>a &amp; b</p>").text() == "a & b"


@pytest.mark.parametrize(
    ("page", "children"),
    [
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("<ul><p>a<p>b</ul>", ["a", "b"]),
        ("<ul><li>a</b></li><li>b</li></ul>", ["a", "b"]),
        ("<ul><svg><path/><path/></svg><li>b<br>c</ul>", ["", "bc"]),
        ("<ul><li>a<!-- <li> --></ul>", ["a"]),
    ],
)
def test_end_tags_may_be_missing(page: str, children: list[str]) -> None:
    [top] = parsed(page).children
    assert not isinstance(top, str)
    assert [each if isinstance(each, str) else each.text() for each in top.children] == children


def test_what_readers_do_not_see_is_not_shown() -> None:
    page = "<head><title>t</title></head><body>a<style>b</style><i hidden>c</i><b>d</b>"
    assert parsed(page).shown() == "ad"


@pytest.mark.parametrize(
    "body",
    [
        "Tomás".encode(),
        b"\xef\xbb\xbf" + "Tomás".encode(),
        "Tomás".encode("utf-16"),
        "Tomás".encode("cp1252"),
        b"<meta charset='iso-8859-15'>" + "Tomás".encode("iso-8859-15"),
        b"<meta charset=nonsense>" + "Tomás".encode("cp1252"),
    ],
)
def test_the_encoding_is_found(body: bytes) -> None:
    assert decoded(body).endswith("Tomás")


@pytest.mark.parametrize(
    "part",
    [
        "<a",
        "<a ",
        "<!",
        "<!--",
        '<a b="',
        "<a b='\"",
        "<script>",
        "<title>",
        "</",
        "<b>",
        "</b>",
        "&",
    ],
)
def test_no_page_takes_long(part: str) -> None:
    begun = time.process_time()
    sum(1 for _ in parsed(part * 50_000).elements())
    assert time.process_time() - begun < 5


@pytest.mark.fuzz
@given(st.text(alphabet="<>/!-abpli\"'= &;\n", max_size=200))
@settings(max_examples=300, deadline=None)
def test_every_text_is_some_page(text: str) -> None:
    page = parsed(text)
    assert all(isinstance(each.text(), str) for each in page.elements())
    assert page.shown().count("<") <= text.count("<") + text.count("&")
