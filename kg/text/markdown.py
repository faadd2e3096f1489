"""Renders Markdown prose and titles with `<i>`, `<b>`, `<sub>`, `<sup>` as HTML, CommonMark or
plain text.

Text of authors is escaped; all markup in the output is generated here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import count, repeat
from textwrap import indent
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Resolve = Callable[[str], str]  # written address -> link on the page

ELEMENTS = ("p", "ul", "ol", "li", "em", "strong", "a", "i", "b", "sub", "sup")
TAGS = {
    f"<{end}{name}>": Markup("<{}{}>").format(end, name) for name in ELEMENTS for end in ("", "/")
}
BREAKS = {"softbreak": Markup("\n"), "hardbreak": Markup("<br>")}
RULES = ["list", "fence", "newline", "escape", "backticks", "emphasis", "link", "autolink"]
# Matches text that is more than one plain paragraph.
MARKS = re.compile(r"[*_`\[<\\\n]|^(?:[-+]|\d+[.)])\s")
# A web or mail address, or a page of this site: `publications/ada-1843`, `static/notes.pdf`.
LINK = re.compile(r"https?://(?![^/?#]*@)|mailto:|(?![/\\.#?])[^:]*(?:[/?#].*)?$", re.IGNORECASE)
# Tags that authors of HTML use; `vector<int>` does not match.
HTML = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|center|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|iframe|img|ins|"
    r"kbd|li|mark|ol|p|pre|q|s|script|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|"
    r"th|thead|tr|tt|u|ul)\b|<!--",
    re.IGNORECASE,
)
SPACES = {"softbreak": " ", "hardbreak": " "}
TITLE_TAG = re.compile(r"(</?(?:i|b|sub|sup)>)")
# Italics that asterisks can mark in any context.
ITALICS = re.compile(r"<i>(\w(?:[^<]*\w)?)</i>(?!<i>)")
SPACE = re.compile(r"[\s\x00-\x1f]+")
SPECIAL = re.compile(
    r"[\\`*\[\]<>~|]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # but not inside a word
    r"|(?:^|(?<=^ ))(?:[#=-]|\+(?= |$))"  # starts a heading or list, or underlines a heading
    r"|(?<= )#(?=#* ?$)"  # at the end of a heading
    r"|&(?=#?\w+;|#?\w*$)"  # where an entity may start
    r"|!$"  # would turn a following link into an image
)
NUMBER = re.compile(r"^ ?\d{1,9}(?=[.)](?: |$))")  # of a list item


def is_link(address: str) -> bool:
    return bool(LINK.match(address))


@cache
def parser(is_checking: bool = False) -> MarkdownIt:
    """With `is_checking`, the parser reports HTML and invalid links; otherwise it shows them as
    text.
    """
    # Imported late: most sites have no Markdown to parse, and checking them stays fast.
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
    """The text without Markdown; one line for each paragraph and item."""
    if not MARKS.search(text):
        return text
    blocks = (token for token in parser().parse(text) if token.children or token.type == "fence")
    return "\n".join(
        "".join(SPACES.get(each.type, each.content) for each in block.children or [block])
        for block in blocks
    ).strip()


def has_whole_tags(title: str) -> bool:
    """Whether all tags of a title are properly nested and closed."""
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
    """Paragraphs and lists as HTML. `parts` are the top-level paragraphs and items;
    `tokens` is empty for plain text.
    """

    parts: tuple[Markup, ...]
    text: str
    tokens: Sequence[Token]


def prose_html(text: str, resolve: Resolve) -> Prose:
    """Renders paragraphs and lists; `resolve` makes the links."""
    tokens = parser().parse(text) if MARKS.search(text) else []
    is_empty = False
    for token in inline(tokens):
        if token.type == "link_open":
            is_empty = token.hidden = not token.attrGet("href")  # [text]()
            token.attrSet("href", resolve(str(token.attrGet("href"))))
        elif token.type == "link_close":
            token.hidden = is_empty
    found = Markup("").join(pieces(tokens)) if tokens else Markup("<p>{}</p>").format(text)
    prose = Prose(found)
    prose.text, prose.tokens = text, tokens
    prose.parts = (
        tuple(Markup("").join(pieces(part)) for part in parts(tokens)) if tokens else (found,)
    )
    return prose


def parts(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The tokens of each top-level paragraph, item and code block."""
    start = 0
    for place, token in enumerate(tokens):
        if (token.tag, token.level) not in (("p", 0), ("li", 1)):
            if token.type == "fence" and token.level == 0:
                yield [token]
        elif token.nesting > 0:
            start = place
        else:
            yield tokens[start : place + 1]


def pieces(tokens: Iterable[Token]) -> Iterator[Markup]:
    for token in tokens:
        match token.type:
            case "inline":
                yield from pieces(token.children or ())
            case "text":
                yield escape(token.content)
            case "softbreak" | "hardbreak":
                yield BREAKS[token.type]
            case "code_inline":
                yield Markup("<code>{}</code>").format(token.content)
            case "fence":
                yield Markup("<pre><code>{}</code></pre>").format(token.content)
            case "link_open" if not token.hidden:
                yield Markup('<a href="{}">').format(token.attrGet("href"))
            case "ordered_list_open" if token.attrGet("start"):
                yield Markup('<ol start="{}">').format(token.attrGet("start"))
            case _ if not token.hidden:  # paragraphs of a tight list are hidden
                yield TAGS[f"<{'/' if token.nesting < 0 else ''}{token.tag}>"]


class Title(Markup):
    """A title as HTML; `text` is the original."""

    text: str


def title_html(text: str) -> str:
    """Renders a title with its four elements; one with mismatched tags is shown as written."""
    if "<" not in text or not has_whole_tags(text):
        return text
    texts_and_tags = enumerate(TITLE_TAG.split(text))
    found = (TAGS[each] if at % 2 else escape(each) for at, each in texts_and_tags)
    title = Title(Markup("").join(found))
    title.text = text
    return title


def escape_markdown(text: str) -> str:
    """Escapes text for Markdown, on one line."""
    return NUMBER.sub(r"\g<0>\\", SPECIAL.sub(r"\\\g<0>", SPACE.sub(" ", text)))


def title_markdown(title: Title) -> str:
    """A title with italics; Markdown has no superscripts or subscripts."""
    texts = enumerate(map(escape_markdown, map(plain_title, ITALICS.split(title.text))))
    return "".join(f"*{text}*" if at % 2 else text for at, text in texts)


def prose_markdown(prose: Prose, link: Resolve) -> str:
    """Prose as CommonMark; HTML and other unsupported markup is escaped. `link` makes link targets,
    and returns an empty string to drop a link.
    """
    if not prose.tokens:
        return escape_markdown(prose.text)
    return "\n\n".join(markdown_blocks(iter(prose.tokens), link))


def markdown_blocks(tokens: Iterator[Token], link: Resolve) -> Iterator[str]:
    """Renders the blocks up to the end of a list item, or all."""
    for token in tokens:
        match token.type:
            case "inline":
                yield "".join(markdown_pieces(token.children or (), link))
            case "fence":
                yield fenced(token.content)
            case "bullet_list_open":
                yield "\n".join(markdown_items(tokens, link, repeat("- ")))
            case "ordered_list_open":
                first = int(token.attrGet("start") or 1)
                yield "\n".join(
                    markdown_items(tokens, link, (f"{number}. " for number in count(first)))
                )
            case "list_item_close":
                return


def markdown_items(tokens: Iterator[Token], link: Resolve, markers: Iterator[str]) -> Iterator[str]:
    while next(tokens).type == "list_item_open":
        marker = next(markers)
        blocks = "\n\n".join(markdown_blocks(tokens, link))
        yield marker + indent(blocks, " " * len(marker)).lstrip()


def markdown_pieces(tokens: Iterable[Token], link: Resolve) -> Iterator[str]:
    target = ""
    for token in tokens:
        match token.type:
            case "text":
                yield escape_markdown(token.content)
            case "softbreak":
                yield " "
            case "hardbreak":
                yield "\\\n"
            case "code_inline":
                yield code_span(token.content)
            case "link_open":
                target = link(str(token.attrGet("href")))
                yield "[" if target else ""
            case "link_close":
                yield f"]({target})" if target else ""
            case _:  # emphasis, as marked
                yield token.markup


def code_span(code: str) -> str:
    """Inline code; line breaks become spaces."""
    text = SPACE.sub(" ", code).strip() or " "
    fence = "`" * (1 + longest_fence(text))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(text: str) -> str:
    fence = "`" * max(3, 1 + longest_fence(text))
    return "\n".join([fence, text.strip("\n"), fence])


def longest_fence(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
