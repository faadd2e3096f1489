"""The works of a CV as BibTeX or CSL-JSON: the files that the page of the person has, too.

They are written from the graph, by rules of their own for each kind of work. So what such a file
carries is found by reading it again: whatever our own reader finds in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from kg.facts.bibliography.bibliographies import read_bibliography
from kg.plugins.exchange.writers import forms
from kg.plugins.exchange.writers.public_cv import WORKS, ExportFormat, PublicCv
from kg.publish.citations import writers
from kg.publish.citations.citation import CitedWork

# What is written of a patent, which no reader of ours takes from there.
OF_A_PATENT = {"kind", "title", "authors", "year", "date", "numbers", "office", "url", "abstract"}
PEOPLE = ("authors", "editors", "translators")
DAY = re.compile(r"(?<=-\d\d)-\d\d$")  # for which BibTeX has no field
# Fields of which one says what another would.
SAME = (
    {"venue", "journal", "conference"},
    {"date", "year"},
    {"publisher", "institution"},
)


def bibtex(cv: PublicCv) -> bytes:
    return written(cv, writers.bibtex, ".bib")


def csl(cv: PublicCv) -> bytes:
    return written(cv, writers.csl, ".json")


def written(cv: PublicCv, write: Callable[[Iterable[CitedWork]], bytes], suffix: str) -> bytes:
    """Marks what was carried as taken."""
    data = write(cv.works)
    rows, _ = read_bibliography(f"works{suffix}", data)
    carried = {key: {*row} for key, row, _ in rows or ()}
    carried |= {work.key: OF_A_PATENT for work in cv.works if work.kind == "patent"}
    for record in (each for kind in WORKS for each in cv.entries(kind)):
        fields = carried.get(cv.cited_as[record.path], set())
        for name in PEOPLE:  # of whom it has the names, and no more
            forms.said(record, name)
        taken = {*fields, *(name for same in SAME if fields & same for name in same)}
        record.skip(*(taken - {*PEOPLE}))
        date = record.text("date")
        if date and suffix == ".bib" and DAY.search(date):
            cv.reduce(date, DAY.sub("", date))
    return data


BIBTEX = ExportFormat("BibTeX", bibtex)
CSL = ExportFormat("CSL-JSON", csl)
