"""Prose is Markdown (paragraphs, emphasis, links, lists, code), and titles may hold `<i>`, `<b>`,
`<sub>` and `<sup>`.

What is written stays as it is in the graph. Pages render it, and everything else strips it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import AfterValidator

from kg.facts.values.languages import InLanguages, in_each
from kg.facts.values.text import Text, require

RULES = ["list", "fence", "newline", "escape", "backticks", "emphasis", "link", "autolink"]
# What makes a text more than one plain paragraph.
MARKS = re.compile(r"[*_`\[<\\\n]|^(?:[-+]|\d+[.)])\s")
# A web or mail address, or one of this site: `publications/ada-1843`, `static/notes.pdf`.
LINK = re.compile(r"https?://(?![^/?#]*@)|mailto:|(?![/\\.#?])[^:]*(?:[/?#].*)?$", re.IGNORECASE)
# Tags that somebody who writes HTML would use; `vector<int>` is none of them.
HTML = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|center|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|iframe|img|ins|"
    r"kbd|li|mark|ol|p|pre|q|s|script|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|"
    r"th|thead|tr|tt|u|ul)\b|<!--",
    re.IGNORECASE,
)
BREAKS = {"softbreak": " ", "hardbreak": " "}
TITLE_TAG = re.compile(r"(</?(?:i|b|sub|sup)>)")


def is_link(address: str) -> bool:
    return bool(LINK.match(address))


def parser(is_checking: bool = False) -> MarkdownIt:
    """One that checks reports what the other shows as plain text: HTML, and links that are none."""
    found = MarkdownIt("zero", {"html": is_checking}).enable(RULES)
    vars(found).update(validateLink=(lambda address: True) if is_checking else is_link)
    return found.enable(["html_inline"]) if is_checking else found


READER, CHECKER = parser(), parser(is_checking=True)


def inline(tokens: Iterable[Token]) -> Iterator[Token]:
    return (child for token in tokens for child in token.children or ())


def check_prose(text: str) -> str:
    if "<" not in text and "](" not in text:  # as most are
        return text
    for token in inline(CHECKER.parse(text)):
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


def links_in(text: str) -> list[str]:
    tokens = inline(READER.parse(text))
    return [str(token.attrGet("href")) for token in tokens if token.type == "link_open"]


def plain_prose(text: str) -> str:
    """The text without its Markdown, each paragraph and item on a line of its own."""
    if not MARKS.search(text):
        return text
    blocks = (token for token in READER.parse(text) if token.children or token.type == "fence")
    return "\n".join(
        "".join(BREAKS.get(each.type, each.content) for each in block.children or [block])
        for block in blocks
    ).strip()


def listed_prose(summary: str | None, highlights: Iterable[str]) -> str | None:
    """A summary and a list below it, as one text; in each of their languages."""

    def joined(texts: Sequence[str]) -> str:
        items = "\n".join("- " + text.replace("\n", "\n  ") for text in texts[1:])
        return "\n\n".join(filter(None, [texts[0], items]))

    return in_each(joined, [summary or "", *highlights]) or None


def has_whole_tags(title: str) -> bool:
    """Whether each tag of a title is closed where it was opened."""
    opened: list[str] = []
    for tag in TITLE_TAG.findall(title):
        if not tag.startswith("</"):
            opened.append(tag)
        elif not opened or opened.pop() != tag.replace("/", ""):
            return False
    return not opened


def check_title(text: str) -> str:
    if "<" in text:
        message = "A title may hold <i>, <b>, <sub> and <sup>, and no other tags. Remove them."
        require(not HTML.search(TITLE_TAG.sub("", text)), "html-in-title", message)
        message = "The tags of this title do not fit together. Close each where it was opened."
        require(has_whole_tags(text), "html-in-title", message)
    return text


def plain_title(text: str) -> str:
    return TITLE_TAG.sub("", text) if "<" in text else text


MARKDOWN = AfterValidator(check_prose)
Prose = Annotated[Text, MARKDOWN, InLanguages]
Title = Annotated[Text, AfterValidator(check_title)]
