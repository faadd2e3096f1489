"""Converts HTML, Markdown and marks of LaTeX and Typst in imported values: prose to Markdown, names
to plain text.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TypeVar

from kg.plugins.bibliography.venue_titles import INLINE_TAG
from kg.plugins.exchange.draft import Value
from kg.text.html import COMMENT, Piece, pieces
from kg.text.markdown import HTML, has_whole_tags, is_link, plain_title
from kg.text.normalize import squeeze

Text = TypeVar("Text", Value, Value | None)  # None stays None
LINK = re.compile(r"!?\[([^\]]*)\]\(\s*<?([^)\s>]*)>?[^)]*\)")
# A link after a name that says nothing but that it is one.
LINK_ALONE = re.compile(
    r"(?<=\S)\s*[(\[]?\[(?:link|url|web(?:site|page)?|pdf|doi|here|lien|enlace)\]\([^()]*\)[)\]]?",
    re.IGNORECASE,
)
STRONG = re.compile(r"(?<!\\)(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*\\])\1")
ESCAPED = re.compile(r"\\([*_#`\[\]])")
EMPHASIS = re.compile(r"(?<![\w\\])(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_])\1(?!\w)")
ENTITY = re.compile(r"&(?:#\d+|#x[\da-f]+|[a-z]+);", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")
HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(?:\*\*)?(.+?)(?:\*\*)?[ \t#]*$", re.MULTILINE)
# A quotation mark that begins a line, except before a number; a comment.
QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+(?!\s*\d)", re.MULTILINE)
COMMENT_LINE = re.compile(r"^[ \t]*\[(?://|comment)\]:[ \t]*(?:#|<>).*$", re.MULTILINE)
BULLET = re.compile(r"^\s*(?:[•●▪◦‣–—*·-]|\d{1,2}[.)])\s+")
INLINE_BULLET = re.compile(r"\s*[•●▪◦‣]\s*")
TYPESET = (  # marks of LaTeX and Typst, and what they become in Markdown
    (r"``(.+?)''", r"“\1”"),
    (r"(?<![\w`])`(?=\S)([^`'\n]+)'(?!\w)", r"‘\1’"),
    (r"\\href\{([^{}]*)\}\{([^{}]*)\}", r"[\2](\1)"),
    (r"\\textbf\{([^{}]*)\}", r"**\1**"),
    (r"\\(?:textit|emph)\{([^{}]*)\}", r"*\1*"),
    (r"\\(?:underline|textsc|texttt|textsuperscript)\{([^{}]*)\}", r"\1"),
    (r'#link\("([^"()]*)"\)\[([^\[\]]*)\]', r"[\2](\1)"),
    (r"#strong\[([^\[\]]*)\]", r"**\1**"),
    (r"#emph\[([^\[\]]*)\]", r"*\1*"),
    (r"#(?:underline|smallcaps|highlight|super|sub|text)(?:\([^()]*\))?\[([^\[\]]*)\]", r"\1"),
)
# Names of icons, as HTML, in the notations of themes, or alone; attributes of Markdown.
ICON = re.compile(
    r"<(i|span|svg)\b[^<>]{0,300}\b(?:fa[srbl]?|ai|bi|icon)[ -][^<>]{0,300}>\s*</\1>"
    r"|:(?:fontawesome|fa|fas|fab|far|material|octicons|simple|bi|ai)-[\w-]+:(?:\{[^{}\n]*\})?"
    r"|\\fa(?:[iI]con\*?(?:\[[^\[\]]*\])?\{[^{}]*\}|[A-Z]\w*\*?)(?:\{\})?"
    r"|(?<![\w/.-])(?:(?:fa[srbl]?|fa-(?:solid|regular|brands|light)) )?fa-[a-z0-9-]+(?![\w/.])"
    r"|[\ue000-\uf0a6\uf0a8-\uf0b6\uf0b8-\uf8ff]"  # without two bullets of Word
)
ATTRIBUTE = r"(?:[#.][A-Za-z][\w-]*|[a-z][\w-]*=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s{}\"']+))"
ATTRIBUTES = re.compile(rf"[ \t]*\{{:?[ \t]*{ATTRIBUTE}(?:[ \t]+{ATTRIBUTE})*[ \t]*\}}")
# A web address without its scheme, and not the name of a file.
HOST = re.compile(
    r"(?://)?(?:[\w-]+\.)+(?!(?:pdf|docx?|html?|jpe?g|png|svg|txt|bib|json|php|zip)$)"
    r"[^\W\d_]{2,24}(?::\d+)?(?:[/?#]\S*)?$"
)
EMPTY_LINK = re.compile(r"(?<!!)\[\s*\]\([^()]*\)")  # around an image
MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`"}
BLOCKS = ("p", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "blockquote")


def markdown(html: str) -> str:
    """Converts HTML to the Markdown we allow; of other tags, only the text is kept."""
    links: list[str] = []
    parts = [markdown_of(piece, links) for piece in pieces(html) if piece.name != COMMENT]
    lines = [line.strip() for line in "".join(parts).split("\n")]
    lines = [line for line in lines if line not in ("-", "****", "**")]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    # Markdown would join a line with the next one unless a blank line is between them.
    return re.sub(r"(?<=\S)\n(?=[^-\n])", "\n\n", text)


def markdown_of(piece: Piece, links: list[str]) -> str:
    """Converts one HTML token; `links` is the stack of open links, "" for one without a target."""
    name = piece.name
    if not name:  # paragraphs, headings and lists of Markdown stay
        text = re.sub(r"\s*\n\s*\n\s*", "\n\n", unescape(piece.written))
        single = r"[^\S\n]*(?<!\n)\n(?!\n|[^\S\n]*[-*#] )[^\S\n]*"
        return re.sub(rf"{single}|[^\S\n]+", " ", text)
    if name == "a":
        address = piece.attributes.get("href", "").strip()
        links.append(address if is_link(address) and " " not in address else "")
        return "[" if links[-1] else ""
    if name == "/a":
        address = links.pop() if links else ""
        return f"]({address})" if address else ""
    if name in ("li", "br"):
        return "\n- " if name == "li" else "\n"
    tag = name.removeprefix("/")
    return "\n\n" if tag in BLOCKS else MARKS.get(tag, "")


def without_layout(text: str) -> str:
    """Removes names of icons and attributes of Markdown, which are no text."""
    return ATTRIBUTES.sub("", ICON.sub("", text))


def without_typeset(text: str) -> str:
    """Converts marks of LaTeX and Typst, which some programs for CVs allow, to Markdown."""
    text = without_layout(text).strip()
    for written, shown in TYPESET if any(mark in text for mark in "`\\#") else ():
        text = re.sub(written, shown, text)
    return text


def prose(value: Text) -> Text:
    """Converts prose to Markdown; relative links are replaced by their text, headings are bold."""
    if value is None:
        return value
    text = without_typeset(str(value))
    if text.lstrip().startswith(">"):
        text = QUOTE.sub("", text)
    if "]:" in text:
        text = COMMENT_LINE.sub("", text).strip()
    if HTML.search(text):
        text = markdown(text)
    elif ENTITY.search(text):
        text = unescape(text)
    if "\n" in text:
        text = re.sub(r"\n{3,}", "\n\n", HEADING.sub(r"\n\n**\1**\n\n", text)).strip()
    text = LINK.sub(lambda link: link[0] if is_link(link[2]) and link[2] else link[1], text)
    text = EMPTY_LINK.sub("", text).strip()
    return value.with_text(text) if text != value else value


def plain(value: Text, is_title: bool = False) -> Text:
    """Removes Markdown and HTML from a name; titles of works may keep a few tags."""
    if value is None:
        return value
    text = without_typeset(unescape(value) if ENTITY.search(value) else str(value))
    if HTML.search(plain_title(text) if is_title else text) or not has_whole_tags(text):
        text = TAG.sub(" ", INLINE_TAG.sub("", text))
    text = LINK.sub(r"\1", LINK_ALONE.sub("", text))
    text = ESCAPED.sub(r"\1", EMPHASIS.sub(r"\2", STRONG.sub(r"\2", text)))
    text = squeeze(text)
    return value.with_text(text) if text != value else value


def link_in(value: Value) -> Value | None:
    """The web address of the first link in a name."""
    text = without_typeset(value)
    found = LINK.search(text) or re.search(r"""<a\s()[^>]*href=["']?([^"'\s>]+)""", text)
    web = found and found[2].startswith(("http://", "https://"))
    return value.with_text(found[2]) if found and web else None


def list_items(value: Value) -> list[Value]:
    """The items of a bulleted list; empty if the text is anything else."""
    lines = [line for line in value.split("\n") if line.strip()]
    if len(lines) == 1 and len(INLINE_BULLET.findall(value)) > 1:
        before, *found = INLINE_BULLET.split(lines[0])
        return [] if before.strip() else [value.with_text(each.strip()) for each in found if each]
    if len(lines) < 2 or not all(map(BULLET.match, lines)):
        return []
    return [value.with_text(BULLET.sub("", line).strip()) for line in lines]


def summary_or_highlights(value: Value | None) -> dict[str, Value | list[Value]]:
    """A description as `summary`, or as `highlights` if it is a list."""
    if value is None:
        return {}
    found = list_items(prose(value))
    return {"highlights": found} if found else {"summary": prose(value)}


def with_scheme(value: Text) -> Text:
    """Adds a missing `https://` to a web address: `ada.example.org/cv`, not to `ada`."""
    return value.with_text(f"https://{value.lstrip('/')}") if value and HOST.match(value) else value
