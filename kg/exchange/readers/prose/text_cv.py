"""The format of CVs in plain text, such as `pdftotext -layout` writes: pages with running heads,
columns of spaces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kg.exchange.draft import Draft, Format
from kg.exchange.readers.prose.markdown_cv import is_cv
from kg.exchange.readers.prose.prose_cv import read_prose
from kg.exchange.source_files import SourceFile

SUFFIXES = (".txt", ".text", "")
PAGE_END = "\f"
FEW_PAGES = 2  # on which a line may stand at the edge by chance


def looks(source: SourceFile) -> bool:
    return source.suffix in SUFFIXES and "\0" not in source.text and is_cv(source.text)


def read(source: SourceFile) -> Iterator[Draft]:
    yield read_prose(source.name, without_running_heads(source.text))


def without_running_heads(text: str) -> str:
    """A text without the lines that stand at the edges of its pages, but for their first time."""
    pages = [page.split("\n") for page in text.split(PAGE_END)]
    edges = Counter(same for page in pages for at in edge_lines(page) if (same := bare(page[at])))
    seen = set[str]()
    for page in pages:
        for at in edge_lines(page):
            same = bare(page[at])
            if edges[same] > FEW_PAGES and same in seen:
                page[at] = ""
            seen.add(same)
    return PAGE_END.join("\n".join(page) for page in pages)


def edge_lines(page: list[str]) -> list[int]:
    """Where the first and the last line of a page are."""
    filled = [at for at, line in enumerate(page) if line.strip()]
    return sorted({*filled[:1], *filled[-1:]})


def bare(line: str) -> str:
    """A line without the number of its page."""
    return re.sub(r"\d+", "#", line.strip())


FORMAT = Format("text", "a CV in plain text", looks, read)
