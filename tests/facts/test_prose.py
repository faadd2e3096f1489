"""Prose: Markdown is checked as it is read, and stripped where only plain text will do."""

from __future__ import annotations

import pytest
from pydantic_core import PydanticCustomError

from kg.facts.values.prose import check_prose, check_title, listed_prose
from kg.text.markdown import plain_prose, plain_title


@pytest.mark.parametrize(
    "text",
    [
        "Sorts sand.",
        "x < y, a<b and vector<int>",
        "Shows `<b>` as code.",
        "See [it](https://example.org), [us](publications/ada-1843#it) or <mailto:a@example.org>.",
        "Brackets [1](see below) are no link.",
    ],
)
def test_markdown_without_html_is_prose(text: str) -> None:
    assert check_prose(text) == text


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Sorts <b>sand</b>.", "html-in-prose"),
        ("Sorts <!-- white --> sand.", "html-in-prose"),
        ("<script>alert(1)</script>", "html-in-prose"),
        ("[x](javascript:alert(1))", "bad-link"),
        ("[x](JavaScript&colon;alert(1))", "bad-link"),
        ("[x](data:text/html,x)", "bad-link"),
        ("<javascript:alert(1)>", "bad-link"),
        ("[x](//example.org)", "bad-link"),
        ("[x](/sand)", "bad-link"),
        ("[x](../sand)", "bad-link"),
    ],
)
def test_html_and_other_links_are_refused(text: str, rule: str) -> None:
    with pytest.raises(PydanticCustomError) as refused:
        check_prose(text)
    assert refused.value.type == rule


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Sorts sand - and 5 * 3.", "Sorts sand - and 5 * 3."),
        ("Sorts *white* **sand** in `c_d`.", "Sorts white sand in c_d."),
        ("See [it](https://example.org).", "See it."),
        ("One\nline.\n\nTwo:\n\n- a\n- b", "One line.\nTwo:\na\nb"),
        ("```\nx < y\n```", "x < y"),
    ],
)
def test_stripped_prose_keeps_its_words(text: str, plain: str) -> None:
    assert plain_prose(text) == plain


def test_highlights_are_a_list_below_the_summary() -> None:
    assert listed_prose("Sorts.", ["a", "b\nc"]) == "Sorts.\n\n- a\n- b\n  c"
    assert listed_prose(None, ["a"]) == "- a"
    assert listed_prose("Sorts.", []) == "Sorts."
    assert listed_prose(None, []) is None


def test_a_title_holds_four_tags_that_its_name_lacks() -> None:
    title = "CO<sub>2</sub> in <i>Silica</i>, List<T>"
    assert check_title(title) == title
    assert plain_title(title) == "CO2 in Silica, List<T>"


@pytest.mark.parametrize("title", ["<u>Sand</u>", "<i>Sand", "<i><b>Sand</i></b>", "Sand</sub>"])
def test_other_tags_and_open_ones_are_refused(title: str) -> None:
    with pytest.raises(PydanticCustomError):
        check_title(title)
