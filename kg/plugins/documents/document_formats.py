"""Formats of documents for `kg import`: each is converted to Markdown, which is read as a CV."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from kg.errors import Place
from kg.plugins.documents.office import read_odt
from kg.plugins.documents.tex import TexReader
from kg.plugins.exchange.draft import Draft, Format, Value
from kg.plugins.exchange.source_files import NotImported, SourceFile, read_content
from kg.plugins.prose.prose_cv import read_prose

PACKAGES = {"docx": "mammoth", "pdf": "pdfminer"}
LETTER = re.compile(r"\\(?:begin\s*\{(?:cv)?letter\}|makelettertitle|opening\s*\{|makelettertitle)")
DOCUMENT = re.compile(r"\\(?:begin|end)\{document\}")
NOT_FOUND = "this file was not found. Import the folder that has all files of the CV"
NO_BIBLIOGRAPHY = "publications are in another file. Import the .bib file, too"
MOST_TEX = 2_000_000  # characters


def draft_of(source: SourceFile, convert: Callable[[SourceFile], str]) -> Draft:
    """Reads a document. Messages get its name in front."""
    try:
        text = convert(source)
    except NotImported as error:
        raise NotImported(f"{source.name}: {str(error).rstrip('.')}.") from error
    return read_prose(source.name, text, may_wrap=not is_tex(source))


def separately(source: SourceFile) -> str:
    """Converts a file in another process, by a package that may be missing."""
    from kg.plugins.documents.converter import convert

    kind = "pdf" if is_pdf(source) else "docx"
    if not find_spec(PACKAGES[kind]):
        from kg.plugins.doctor.packages import install_advice

        raise NotImported(
            f"reading {kind} files needs the extra cv-kg[documents]. {install_advice('documents')}"
        )
    return convert(kind, source.data)


def is_docx(source: SourceFile) -> bool:
    return source.data.startswith(b"PK") and b"word/document.xml" in source.data


def is_odt(source: SourceFile) -> bool:
    return source.data.startswith(b"PK") and source.suffix in (".odt", ".ott")


def is_pdf(source: SourceFile) -> bool:
    return b"%PDF-" in source.data[:1024]


def is_tex(source: SourceFile) -> bool:
    is_document = DOCUMENT.search(source.text)  # the beginning can be in another file
    return bool(is_document) and source.suffix == ".tex" and not LETTER.search(source.text)


def read_separately(source: SourceFile) -> Iterator[Draft]:
    yield draft_of(source, separately)


def read_opendocument(source: SourceFile) -> Iterator[Draft]:
    yield draft_of(source, lambda source: read_odt(source.data))


def text_beside(source: SourceFile, path: str) -> str | None:
    """The text of a LaTeX file or class from the imported folder, or from that of a single file."""
    if path in source.siblings:
        return source.siblings[path].text
    folder = Path(source.name).parent
    asked = folder / path
    is_alone = len(source.siblings) < 2 and asked.suffix in (".tex", ".cls", ".sty")
    if is_alone and asked.is_file() and asked.resolve().is_relative_to(folder.resolve()):
        return SourceFile(str(asked), path, read_content(asked)).text
    return None


def read_tex(source: SourceFile) -> Iterator[Draft]:
    if len(source.text) > MOST_TEX:
        raise NotImported(f"{source.name} is too long (limit: {MOST_TEX:,} characters).")
    reader = TexReader(partial(text_beside, source), source.path)
    draft = draft_of(source, lambda source: reader.read(source.text))
    if reader.language:
        draft.cv["language"] = Value.of(reader.language, Place(source.name), "language")
    for command in dict.fromkeys(reader.unread):
        value = Value.of(command, Place(source.name), "LaTeX")
        is_file = command.startswith((r"\input", r"\include"))
        draft.leave([value], NOT_FOUND if is_file else NO_BIBLIOGRAPHY)
    yield draft


DOCX = Format("docx", "Word document", is_docx, read_separately, priority=32)
ODT = Format("odt", "OpenDocument text", is_odt, read_opendocument, priority=34)
PDF = Format("pdf", "PDF", is_pdf, read_separately, priority=36)
TEX = Format("tex", "LaTeX", is_tex, read_tex, priority=38)
