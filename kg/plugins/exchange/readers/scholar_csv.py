"""Reads the CSV that Google Scholar exports from a profile, as the works of one person.

The file does not give the type of a work. It is read from the name of the publication; if that is
unclear, the work becomes one of another kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.facts.yaml.rows import Row
from kg.plugins.bibliography.work_records import SERVERS
from kg.plugins.exchange.draft import Draft, Format
from kg.plugins.exchange.readers.tagged_references import Reference, draft_of, reference_table
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.source_rows import csv_rows

MOST_AUTHORS = 10  # that Google Scholar exports
CUT = f"Google Scholar exports only the first {MOST_AUTHORS} authors. Check the list"
COLUMNS = ("Authors", "Title", "Publication", "Year")
EVENT = re.compile(r"\b(?:conference|symposium|workshop|congress|proceedings)\b", re.IGNORECASE)
PERIODICAL = re.compile(
    r"\b(?:journal|transactions|letters|magazine|annals|revue)\b", re.IGNORECASE
)


def matches(source: SourceFile) -> bool:
    head = source.text[:500].partition("\n")[0]
    return all(name in head for name in COLUMNS) and csv_rows(source, COLUMNS) is not None


def read(source: SourceFile) -> Iterator[Draft]:
    draft = draft_of(source, (item(source.name, row) for row in csv_rows(source, COLUMNS) or ()))
    works = draft.cv.get("publications", ())
    cut = [work for work in works if len(work.get("authors", ())) == MOST_AUTHORS]
    draft.leave((work["title"] for work in cut), CUT)
    yield draft


def item(file: str, row: Row) -> Row:
    cells = {name: str(value).strip() for name, value in row.items()}
    reference = Reference(reference_table("scholar"), file, row.spot, type_of(cells))
    if reference.row["type"] == "article" and not any(map(str.isdigit, cells["Publication"])):
        reference.fields["Publication"] = "publisher"
    for name, text in cells.items():
        for each in text.split(";") if name == "Authors" else [text]:
            reference.add(name, each, row.spot)
    return reference.row


def type_of(cells: dict[str, str]) -> str:
    where = cells.get("Publication", "")
    if SERVERS.match(where):
        return "article"
    if EVENT.search(where) and not PERIODICAL.search(where):
        return "paper-conference"
    is_journal = PERIODICAL.search(where) or (
        where and (cells.get("Volume") or cells.get("Number"))
    )
    return "article-journal" if is_journal and not EVENT.search(where) else "document"


FORMAT = Format("scholar", "Google Scholar CSV", matches, read, priority=106)
