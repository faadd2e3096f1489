"""Markdown and titles: what an author wrote, as HTML or as plain text.

Prose is Markdown (paragraphs, emphasis, links, lists, code), and titles may hold `<i>`, `<b>`,
`<sub>` and `<sup>`. As HTML, what an author wrote is escaped, and the elements around it are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Resolve = Callable[[str], str]  # an address as it is written -> the link on a page

ELEMENTS = ("p", "ul", "ol", "li", "em", "strong", "a", "i", "b", "sub", "sup")
TAGS = {
    f"<{end}{name}>": Markup("<{}{}>").format(end, name) for name in ELEMENTS for end in ("", "/")
}
BREAKS = {"softbreak": Markup("\n"), "hardbreak": Markup("<br>")}
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
SPACES = {"softbreak": " ", "hardbreak": " "}
TITLE_TAG = re.compile(r"(</?(?:i|b|sub|sup)>)")


def is_link(address: str) -> bool:
    return bool(LINK.match(address))


@cache
def parser(is_checking: bool = False) -> MarkdownIt:
    """One that checks reports what the other shows as plain text: HTML, and links that are none."""
    # Most sites have no Markdown that needs to be parsed, and a check of them is quick.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    found = MarkdownIt("zero", {"html": is_checking}).enable(RULES)
    vars(found).update(validateLink=(lambda address: True) if is_checking else is_link)
    return found.enable(["html_inline"]) if is_checking else found


def inline(tokens: Iterable[Token]) -> Iterator[Token]:
    return (child for token in tokens for child in token.children or ())


def links_in(text: str) -> list[str]:
    if "<" not in text and "](" not in text:
        return []
    tokens = inline(parser().parse(text))
    return [str(token.attrGet("href")) for token in tokens if token.type == "link_open"]


def plain_prose(text: str) -> str:
    """The text without its Markdown, each paragraph and item on a line of its own."""
    if not MARKS.search(text):
        return text
    blocks = (token for token in parser().parse(text) if token.children or token.type == "fence")
    return "\n".join(
        "".join(SPACES.get(each.type, each.content) for each in block.children or [block])
        for block in blocks
    ).strip()


def has_whole_tags(title: str) -> bool:
    """Whether each tag of a title is closed where it was opened."""
    opened: list[str] = []
    for tag in TITLE_TAG.findall(title):
        if not tag.startswith("</"):
            opened.append(tag)
        elif not opened or opened.pop() != tag.replace("/", ""):
            return False
    return not opened


def plain_title(text: str) -> str:
    return TITLE_TAG.sub("", text) if "<" in text else text


class Prose(Markup):
    """Paragraphs and lists as HTML. `parts` are each of their paragraphs and items, without the
    element around it.
    """

    parts: tuple[Markup, ...]


def prose_html(text: str, resolve: Resolve) -> Prose:
    """Paragraphs and lists; `resolve` makes the links."""
    if not MARKS.search(text):
        whole = Prose(Markup("<p>{}</p>").format(text))
        whole.parts = (escape(text),)
        return whole
    tokens = parser().parse(text)
    whole = Prose(Markup("").join(pieces(tokens, resolve)))
    whole.parts = tuple(Markup("").join(pieces(part, resolve)) for part in parts(tokens))
    return whole


def parts(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """What is in each paragraph and in each item, but for those within items; and blocks of
    code.
    """
    start = 0
    for place, token in enumerate(tokens):
        if (token.tag, token.level) not in (("p", 0), ("li", 1)):
            if token.type == "fence" and token.level == 0:
                yield [token]
        elif token.nesting > 0:
            start = place + 1
        else:
            yield tokens[start:place]


def pieces(tokens: Iterable[Token], resolve: Resolve) -> Iterator[Markup]:
    for token in tokens:
        match token.type:
            case "inline":
                yield from pieces(token.children or (), resolve)
            case "text":
                yield escape(token.content)
            case "softbreak" | "hardbreak":
                yield BREAKS[token.type]
            case "code_inline":
                yield Markup("<code>{}</code>").format(token.content)
            case "fence":
                yield Markup("<pre><code>{}</code></pre>").format(token.content)
            case "link_open":
                yield Markup('<a href="{}">').format(resolve(str(token.attrGet("href"))))
            case "ordered_list_open" if token.attrGet("start"):
                yield Markup('<ol start="{}">').format(token.attrGet("start"))
            case _ if not token.hidden:  # as the paragraphs of a tight list are
                yield TAGS[f"<{'/' if token.nesting < 0 else ''}{token.tag}>"]


def title_html(text: str) -> str:
    """A title with its four elements; one whose tags do not fit together is shown as written."""
    if "<" not in text or not has_whole_tags(text):
        return text
    texts_and_tags = enumerate(TITLE_TAG.split(text))
    return Markup("").join(TAGS[each] if at % 2 else escape(each) for at, each in texts_and_tags)
