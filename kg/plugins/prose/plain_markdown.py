"""Cleans text to plain Markdown with the same line numbers.

Converts or removes HTML, resolves reference links, removes templates and layout. All patterns are
bounded, so that the time is linear in the length of the text.

`kg.text.html` is not used: the text is not a web page, a `<` can mean anything, and an unclosed tag
must not swallow the rest of the text.
"""

from __future__ import annotations

import re
from html import unescape

from kg.plugins.exchange.markup import without_layout

FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(.{0,20000}?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
HIDDEN = re.compile(
    r"<!--.{0,20000}?-->|<(style|script)\b[^<>]{0,200}>.{0,20000}?</\1>|\{%.{0,500}?%\}"
    r"|\{\{.{0,500}?\}\}|\{:[^{}\n]{0,200}\}",
    re.DOTALL | re.IGNORECASE,
)
ANCHOR = re.compile(
    r"<a\s[^<>]{0,300}?href=[\"']([^\"'<>]{0,500})[\"'][^<>]{0,300}>([^<>]{0,300})</a>",
    re.IGNORECASE,
)
AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,500}|[\w.+-]{1,64}@[\w.-]{1,200})>")
TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,14})\b([^<>]{0,400})>")
TAGS_AS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*"}
DEFINITION = re.compile(
    r"^ {0,3}\[([^\[\]\n]{1,100})\]:[ \t]*<?(\S{1,500}?)>?[ \t]*$", re.MULTILINE
)
BY_REFERENCE = re.compile(r"\[([^\[\]\n]{1,300})\]\[([^\[\]\n]{0,100})\]")
IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\n]{0,500}\)")
ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!$&%~|-])")
MARKS = re.compile(r"[*_`\[\\∗]")
ESCAPED_BULLET = re.compile(r"^([ \t]{0,40}(?:[-*+•][ \t]{1,4})?)\\\*[ \t]", re.MULTILINE)
ESCAPED_STAR, STAR = re.compile(r"\\\*"), "∗"  # not emphasis
BULLET_OF_TEX = re.compile(r"\$\s*\\(?:bullet|circ|cdot|diamond|ast)\s*\$|^\s*\\(?:item)\b")
# `:office:`; of a link that has nothing else, the word stays.
EMOJI = re.compile(r"(?<=\[):([a-z_]{3,30}):(?=\])|(?<![\w:]):[a-z_]{3,30}:(?![\w:])")
RULE = re.compile(r"[-=_.*~·…\s]{3,}")
FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*")
LINK = re.compile(
    r"\[([^\[\]\n]{0,300})\]\((?:<([^<>\n]{0,500})>"
    r"|([^()\s]{0,500}(?:\([^()\s]{0,100}\))?[^()\s]{0,100}))(?:\s+\"[^\"\n]{0,200}\")?\)"
)
EMPHASIS = re.compile(
    r"(\*{1,3}|(?<!\w)_{1,3})(?=\S)((?:(?!\1).){1,400}?)(?<=\S)\1(?!\w)|`{1,2}([^`\n]{1,300})`{1,2}"
)


def clean(text: str) -> str:
    """Converts a text to plain Markdown without front matter; line numbers stay the same."""
    text = remove(FRONT_MATTER, text)
    text = without_layout(remove(HIDDEN, text))
    targets = {found[1].casefold(): found[2] for found in DEFINITION.finditer(text)}
    text = EMOJI.sub(r"\1", IMAGE.sub("", DEFINITION.sub("", text)))
    if targets:
        text = BY_REFERENCE.sub(lambda found: resolve_link(found, targets), text)
    text = ANCHOR.sub(lambda found: f"[{found[2].strip()}]({found[1].strip()})", text)
    text = unescape(TAG.sub(tag_as_markdown, AUTOLINK.sub(r"\1", text))).replace("\xa0", " ")
    return ESCAPED_STAR.sub(STAR, ESCAPED_BULLET.sub(r"\1* ", text))


def front_matter(text: str) -> str:
    """The YAML front matter of a page; empty if there is none."""
    found = FRONT_MATTER.match(text)
    return found[1] if found else ""


def remove(pattern: re.Pattern[str], text: str) -> str:
    """Removes matches from a text, but keeps their line breaks."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)


def resolve_link(found: re.Match[str], targets: dict[str, str]) -> str:
    target = targets.get((found[2] or found[1]).casefold())
    return f"[{found[1]}]({target})" if target else found[0]


def tag_as_markdown(found: re.Match[str]) -> str:
    """Converts an HTML tag to Markdown; empty if it has no equivalent."""
    closes, name, rest = found[1], found[2].lower(), found[3]
    if "@" in rest or ("/" in rest.strip("/ ") and not closes and "=" not in rest):
        return found[0]
    if name in TAGS_AS:
        return TAGS_AS[name]
    if re.fullmatch(r"h[1-6]", name):
        return "" if closes else "#" * int(name[1]) + " "
    if name == "li":
        return "" if closes else "- "
    return "\v" if name == "br" else " " if name in ("td", "th", "span") else ""


def unmarked(text: str) -> str:
    """Removes emphasis, links and code marks."""
    if not MARKS.search(text):
        return text.strip()
    for _ in range(3):
        text = EMPHASIS.sub(lambda found: found[2] or found[3] or "", text)
    text = LINK.sub(lambda found: found[1], text)
    text = ESCAPED.sub(r"\1", text).replace("**", "").strip(" \t*_`")
    return text.replace(STAR, "*")


def links(text: str) -> list[tuple[str, str]]:
    """The text and address of each link."""
    return [(unmarked(found[1]), found[2] or found[3] or "") for found in LINK.finditer(text)]
