"""The format of CVs in Markdown: headings, lists and emphasis, with or without front matter."""

from __future__ import annotations

from collections.abc import Iterator

from kg.exchange.draft import Draft, Format
from kg.exchange.readers.prose.headings import CvSection, sections_of
from kg.exchange.readers.prose.plain_markdown import clean
from kg.exchange.readers.prose.prose_cv import read_prose
from kg.exchange.readers.prose.text_lines import lines_of
from kg.exchange.source_files import SourceFile

SUFFIXES = (".md", ".markdown", ".mdown", ".qmd", ".rmd")
OF_A_LIFE = ("work", "education", "publications")
MOST_LETTERS = 200_000  # that are looked at to recognise a CV


def kinds_in(text: str) -> list[str]:
    """What the headings of a text mean, each section that has lines."""
    return [each.kind for each in found_in(text) if each.kind and each.lines]


def found_in(text: str) -> list[CvSection]:
    return sections_of(lines_of(clean(text[:MOST_LETTERS])))


def is_cv(text: str) -> bool:
    """Whether a text has the sections of a CV: one of a life, and another; or only one, of jobs."""
    kinds = kinds_in(text)
    return any(kind in OF_A_LIFE for kind in kinds) and (len({*kinds}) > 1 or kinds[0] == "work")


def looks(source: SourceFile) -> bool:
    return source.suffix in SUFFIXES and is_cv(source.text)


def read(source: SourceFile) -> Iterator[Draft]:
    yield read_prose(source.name, source.text)


FORMAT = Format("markdown", "a CV in Markdown", looks, read)
