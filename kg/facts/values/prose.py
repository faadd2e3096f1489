"""Prose is Markdown (paragraphs, emphasis, links, lists, code), and titles may hold `<i>`, `<b>`,
`<sub>` and `<sup>`.

What is written stays as it is in the graph. Pages render it, and everything else strips it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import AfterValidator

from kg.facts.values.languages import InLanguages, in_each
from kg.facts.values.text import Text, require
from kg.text.markdown import HTML, TITLE_TAG, has_whole_tags, inline, is_link, parser


def check_prose(text: str) -> str:
    if "<" not in text and "](" not in text:  # as most are
        return text
    for token in inline(parser(is_checking=True).parse(text)):
        if token.type == "html_inline":
            require(
                not HTML.match(token.content),
                "html-in-prose",
                f"There is HTML in this text: {token.content}. Write Markdown instead (*emphasis*, "
                "**strong**, [text](address), - lists), or put it between backticks to show it.",
            )
        elif token.type == "link_open":
            address = str(token.attrGet("href"))
            require(
                is_link(address),
                "bad-link",
                f"{address!r} is no address to link to. Write it whole, e.g. "
                "https://example.org/page, or that of a page here without a '/' before it, e.g. "
                "publications/ada-1843.",
            )
    return text


def listed_prose(summary: str | None, highlights: Iterable[str]) -> str | None:
    """A summary and a list below it, as one text; in each of their languages."""

    def joined(texts: Sequence[str]) -> str:
        items = "\n".join("- " + text.replace("\n", "\n  ") for text in texts[1:])
        return "\n\n".join(filter(None, [texts[0], items]))

    return in_each(joined, [summary or "", *highlights]) or None


def check_title(text: str) -> str:
    if "<" in text:
        message = "A title may hold <i>, <b>, <sub> and <sup>, and no other tags. Remove them."
        require(not HTML.search(TITLE_TAG.sub("", text)), "html-in-title", message)
        message = "The tags of this title do not fit together. Close each where it was opened."
        require(has_whole_tags(text), "html-in-title", message)
    return text


MARKDOWN = AfterValidator(check_prose)
Prose = Annotated[Text, MARKDOWN, InLanguages]
Title = Annotated[Text, AfterValidator(check_title)]
