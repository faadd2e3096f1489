"""Builds the lines of Markdown that all converters write."""

from __future__ import annotations

import re
import unicodedata

LINK_TARGETS = ("http://", "https://")
EDGES = re.compile(r"^((?:- |#+ )?)(?:[|,;]\s+)+|(?:\s*[|·])+$")
BULLET = re.compile(r"^[•●▪◦○■□‣⁃∙·➢➤❖\uf0b7\uf0a7]\s*(?=\S)")
TITLE = re.compile(r"#|\*\*[^*|]+\*\*:?$")
LEADERS = re.compile(r" ?(?:[.…·_] ?){5,}(?=[^\s.…·_])")  # between a text and its date
ORNAMENT = re.compile(r"^(#+ )\*?(?:[/|>•·:=~_–—-]+\s*)*|(?<=[\w)])\*$")
LABELLED = re.compile(r"^((?:- )?\**[^|:*]{2,30}(?::\**|\*\*:)) \| (?=[^|]*$)")
IN_MARGIN = re.compile(r"^ *\x02([^\n\d|]+) \| ", re.MULTILINE)
DOUBLED = re.compile(r"(?:\| +){2,}")
ADDRESS = re.compile(r"\S+@\S+|(?:https?://|www\.)\S+|[\w.-]+\.\w{2,4}/\S+")  # never emphasized
MARK = {
    "**": re.compile(r"\*\*"),
    "*": re.compile(r"(?<![\\*])\*(?!\*)"),
    "***": re.compile(r"(?<!\\)\*"),
}
EMPHASIZED = re.compile(r"^(\s*(?:- )?[\s”’,.;:)]*)(.*?)([\s(“‘]*)$")
SAME_LINK = re.compile(r"\[([^\[\]]*)\]\(([^\s()]+)\)(\s?)\[([^\[\]]*)\](?=\(\2\))")
REOPENED = re.compile(r"(?<=[^\s*])(?:\*\*( ?)\*\*|\*( )\*)(?=[^\s*])")  # the same emphasis
UNSPACED = re.compile(
    r"(?<!\*)(\*\*[^*\s](?:[^*]*[^*\s])?[:.,;)]\*\*)(?=[^\W_])"
)  # `**A:**b` is not bold
EMPTY = re.compile(r"[-*|#_=.\s]*")


def emphasized(text: str, mark: str) -> str:
    """Marks each piece of each line; headings are left as they are."""
    lines = [
        line if line.lstrip().startswith("#") else marked(line, mark) for line in text.split("\n")
    ]
    return "\n".join(lines)


def append_marked(parts: list[str], text: str) -> None:
    """Adds emphasized text, apart from text with other emphasis."""
    before, mark = re.search(r"\*+$", parts[-1] if parts else ""), re.match(r"\*+", text)
    parts += [" ", text] if before and mark and before[0] != mark[0] else [text]


def marked(line: str, mark: str) -> str:
    parts = [
        EMPHASIZED.sub(rf"\1{mark}\2{mark}\3", MARK[mark].sub("", part))
        if mark and re.search(r"\w", part) and not ADDRESS.fullmatch(part.strip())
        else part
        for part in line.split(" | ")
    ]
    return " | ".join(parts)


def linked(text: str, target: str) -> str:
    """A link; the text alone if the target is not on the web, the target if there is no text."""
    text = " ".join(text.split()).strip("[]")
    if text.endswith((",", ";")):
        return linked(text[:-1], target) + text[-1]
    address = target.removeprefix("mailto:")
    if not re.search(r"\w", text):
        return address if target.startswith(("mailto:", *LINK_TARGETS)) else text
    is_web = target.startswith(LINK_TARGETS) and not re.search(r"[\s()<>]", target)
    if not is_web or text == target:
        return text if is_web or address in text or "@" not in address else f"{text} ({address})"
    return f"[{text}]({target})"


def merged_text(found: re.Match[str]) -> str:
    """The text of a link that was wrapped."""
    gap = "" if found[1].startswith(LINK_TARGETS) else found[3]
    return f"[{found[1]}{gap}{found[4]}]"


def tidy(text: str) -> str:
    """Removes empty pieces and lines, and needless space; keeps the indentation of lists."""
    found = [""]
    text = IN_MARGIN.sub(r"\n## \1\n\n", unicodedata.normalize("NFC", text)).replace("\x02", "")
    for line in text.split("\n"):
        bare = DOUBLED.sub("| ", LEADERS.sub(" | ", re.sub(r"\s+", " ", line).strip()))
        while (merged := SAME_LINK.sub(merged_text, bare)) != bare:
            bare = merged
        bare = REOPENED.sub(
            lambda at: at[1] or at[2] or "", re.sub(r"^#+(?=[^#\s])", r"\\\g<0>", bare)
        )
        bare = re.sub(r"https?://[\w.]+/(?:in/|profile/)?(?=https?://)|(?<=/in/)/+", "", bare)
        bare = ORNAMENT.sub(r"\1", bare.replace("**", "")) if bare.startswith("#") else bare
        bare = UNSPACED.sub(r"\1 ", bare)
        bare = LABELLED.sub(r"\1 ", BULLET.sub("- ", bare))
        bare = re.sub(r"^(?:- ){2,}", "- ", EDGES.sub(r"\1", bare).strip())
        indent = line[: len(line) - len(line.lstrip())] if bare.startswith("- ") else ""
        if EMPTY.fullmatch(bare):
            bare = ""
        is_after_text = len(found) > 1 and not found[-1] and not TITLE.match(found[-2])
        if bare.startswith("- ") and is_after_text:  # a list belongs to the text before it
            found.pop()
        if bare or found[-1]:
            found.append(f"{indent}{bare}" if bare else "")
    return "\n".join(found).strip() + "\n"
