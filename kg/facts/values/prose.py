"""Field types for Markdown prose, and for titles with `<i>`, `<b>`, `<sub>` and `<sup>`.

The graph keeps the markup as written. Pages render it; other outputs strip it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import AfterValidator

from kg.facts.values.languages import InLanguages, in_each
from kg.facts.values.text import Text, require
from kg.text.markdown import HTML, TITLE_TAG, has_whole_tags, inline, is_link, parser


def check_prose(text: str) -> str:
    if "<" not in text and "](" not in text:  # the usual case
        return text
    for token in inline(parser(is_checking=True).parse(text)):
        if token.type == "html_inline":
            require(
                not HTML.match(token.content),
                "html-in-prose",
                f"HTML is not allowed here: {token.content}. Write Markdown (*emphasis*, "
                "**strong**, [text](address), - lists), or put backticks around it to show it "
                "as code.",
                part=token.content,
            )
        elif token.type == "link_open":
            address = str(token.attrGet("href"))
            require(
                is_link(address),
                "bad-link",
                f"{address!r} is not a link. Write a full address, e.g. "
                "https://example.org/page, or a page of this site without a leading '/', e.g. "
                "publications/ada-1843.",
                part=address,
            )
    return text


def listed_prose(summary: str | None, highlights: Iterable[str]) -> str | None:
    """Joins a summary and a list below it into one text, in each language."""

    def joined(texts: Sequence[str]) -> str:
        items = "\n".join("- " + text.replace("\n", "\n  ") for text in texts[1:])
        return "\n\n".join(filter(None, [texts[0], items]))

    return in_each(joined, [summary or "", *highlights]) or None


def check_title(text: str) -> str:
    if "<" in text:
        message = "a title can only contain the tags <i>, <b>, <sub> and <sup>. Remove the others."
        require(not HTML.search(TITLE_TAG.sub("", text)), "html-in-title", message)
        message = "the tags in this title do not match. Close each tag that you open."
        require(has_whole_tags(text), "html-in-title", message)
    return text


MARKDOWN = AfterValidator(check_prose)
Prose = Annotated[Text, MARKDOWN, InLanguages]
Title = Annotated[Text, AfterValidator(check_title)]
