"""arXiv: preprints by number, as Atom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from kg.plugins.bibliography.venue_kinds import ARXIV
from kg.plugins.exchange.draft import SourceRecord
from kg.plugins.exchange.edits.entry_matching import ARXIV_DOI
from kg.plugins.exchange.source_rows import TEXT
from kg.plugins.sources.answer_fields import xml_record
from kg.plugins.sources.answers import Answer
from kg.plugins.sources.client import Service, WebSource, batches
from kg.plugins.sources.csl_items import date_parts, entry_of
from kg.plugins.sources.found import NotFetched, Record

SERVICE = Service("arXiv", ("export.arxiv.org",))
ROOT = "https://export.arxiv.org/api/query"
MOST_NUMBERS = 50
VERSION = re.compile(r"v\d+$")


def checked_number(text: str) -> str:
    """An arXiv number without its web address and version. Raises NotFetched."""
    bare = re.sub(r"^(?:arxiv:|https?:/+arxiv\.org/(?:abs|pdf)/)", "", text.strip(), flags=re.I)
    found = ARXIV.fullmatch(bare.removesuffix(".pdf"))
    if not found:
        raise NotFetched(f"'{text}' is not an arXiv number. Write it like 2301.00001.")
    return found[1]


class Arxiv(WebSource):
    """Asks the API."""

    name, title = "arxiv", SERVICE.title

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        lower = [doi.lower() for doi in dois if doi.lower().startswith(ARXIV_DOI)]
        return self.numbered([doi.removeprefix(ARXIV_DOI) for doi in lower])

    def numbered(self, numbers: Sequence[str]) -> Iterator[Record]:
        for batch in batches(numbers, MOST_NUMBERS):
            address = f"{ROOT}?id_list={','.join(batch)}&max_results={len(batch)}"
            answer = self.client.ask(SERVICE, address, "application/atom+xml")
            if answer:
                for entry in xml_record(SERVICE, answer, "feed").records("entry"):
                    yield from record_of(answer, entry)


def record_of(answer: Answer, entry: SourceRecord) -> Iterator[Record]:
    """The preprint of an entry; errors are entries, too."""
    address, title, day = (entry.text(name) for name in ("id", "title", "published"))
    found = ARXIV.search(str(address)) if address and "/abs/" in address else None
    if not found:
        return
    if title is None or day is None:
        raise SERVICE.changed(answer.address, "published" if title else "title")
    number = VERSION.sub("", found[1])
    authors = [
        {"family": str(name)} for each in entry.records("author") for name in each.texts("name")
    ]
    about = entry.text("summary")
    item: dict[str, Any] = {
        "type": "article",
        "title": " ".join(title.split()),
        "author": authors,
        "issued": date_parts(day[:10]),
        "abstract": " ".join(about.split()) if about else "",
        "number": f"arXiv:{number}",
    }
    work = entry_of(answer.address, item)
    doi = entry.text("doi") or next(iter(entry.record("doi").texts(TEXT)), None)
    numbers = (("arxiv", number), ("doi", f"{ARXIV_DOI}{number}"))
    published = str(doi or "").lower()
    origin = answer.origin("arxiv")
    yield Record(origin, work, numbers, published_as=published)
