"""Readability of README, CONTRIBUTING and docs/: `python -m release.prose` figures per page.

The figure is the Flesch reading ease of the prose: 60 is plain English, 30 a scientific paper. Code
blocks, tables, headings and comments are left out; inline code counts as one short word. The
command fails if a page is below the limit. To measure other pages, name them as arguments.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import textstat

ROOT = Path(__file__).parents[1]
LIMIT = 50
FEWEST_WORDS = 40  # shorter texts have no stable figure
LEFT_OUT = re.compile(r"^(?:\||#|!\[|<!--|:|---)")
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")


def prose(text: str) -> str:
    """The sentences of a Markdown page, one block per line; each block ends with a full stop."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    blocks, block = [], ""
    for line in [*text.splitlines(), ""]:
        if not line.strip() or LEFT_OUT.match(line) or ITEM.match(line):
            blocks.append(block)
            block = ""
        if line.strip() and not LEFT_OUT.match(line):
            block += f" {ITEM.sub('', line).strip()}"
    return "\n".join(ended(plain(each)) for each in blocks if each.strip())


def plain(text: str) -> str:
    """Without markup: links become their text, and code becomes a word."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]+`", "code", text)
    text = re.sub(r"https?://\S+", "address", text)
    text = re.sub(r"\b[\w-]+\.(?:md|ipynb|yaml|ttl)\b", "page", text)
    return re.sub(r"[*_]{1,2}", "", text).strip()


def ended(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text.rstrip(':;,')}."


def figures(pages: list[Path]) -> dict[Path, float]:
    """The reading ease of each page that has enough prose."""
    texts = {page: prose(page.read_text(encoding="utf-8")) for page in pages}
    return {
        page: textstat.flesch_reading_ease(text)
        for page, text in texts.items()
        if len(text.split()) >= FEWEST_WORDS
    }


def main(names: list[str]) -> int:
    docs = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = figures([Path(name) for name in names] or docs)
    for page, figure in found.items():
        click.echo(
            f"{figure:5.1f}  {page.relative_to(ROOT) if page.is_relative_to(ROOT) else page}"
        )
    hard = [page.name for page, figure in found.items() if figure < LIMIT]
    if hard:
        click.echo(f"Below {LIMIT}: {', '.join(hard)}. Write shorter sentences and plainer words.")
    return int(bool(hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
