"""Writes the works of a CV as BibTeX or CSL-JSON, like the files linked from the person's page.

They are written from the graph, with separate rules for each kind of work. To find out which fields
were exported, the file is read back with our own reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from kg.facts.bibliography.bibliographies import read_bibliography
from kg.plugins.exchange.writers import notation
from kg.plugins.exchange.writers.public_cv import WORKS, ExportFormat, PublicCv
from kg.publish.citations import writers
from kg.publish.citations.citation import CitedWork

# Fields written for a patent, which our reader does not read back.
PATENT_FIELDS = {"kind", "title", "authors", "year", "date", "numbers", "office", "url", "abstract"}
PEOPLE = ("authors", "editors", "translators")
DAY = re.compile(r"(?<=-\d\d)-\d\d$")  # BibTeX has no field for the day
# Interchangeable fields: exporting one covers the others.
EQUIVALENT_FIELDS = (
    {"venue", "journal", "conference"},
    {"date", "year"},
    {"publisher", "institution"},
)


def bibtex(cv: PublicCv) -> bytes:
    return write_works(cv, writers.bibtex, ".bib")


def csl(cv: PublicCv) -> bytes:
    return write_works(cv, writers.csl, ".json")


def write_works(cv: PublicCv, write: Callable[[Iterable[CitedWork]], bytes], suffix: str) -> bytes:
    """Writes the works, and marks the exported fields as taken."""
    data = write(cv.works)
    rows, _ = read_bibliography(f"works{suffix}", data)
    exported = {key: {*row} for key, row, _ in rows or ()}
    exported |= {work.key: PATENT_FIELDS for work in cv.works if work.kind == "patent"}
    for record in (each for kind in WORKS for each in cv.entries(kind)):
        fields = exported.get(cv.cited_as[record.path], set())
        for name in PEOPLE:  # only their names are exported
            notation.main_texts(record, name)
        taken = {*fields, *(name for same in EQUIVALENT_FIELDS if fields & same for name in same)}
        record.skip(*(taken - {*PEOPLE}))
        date = record.text("date")
        if date and suffix == ".bib" and DAY.search(date):
            cv.report_reduced(date, DAY.sub("", date))
    return data


BIBTEX = ExportFormat("BibTeX", bibtex)
CSL = ExportFormat("CSL-JSON", csl)
