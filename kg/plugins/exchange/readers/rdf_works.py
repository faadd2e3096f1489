"""Converts works described with schema.org, FOAF or Dublin Core into entries."""

from __future__ import annotations

import re
from typing import Any

from kg.facts.values.text import is_web_address
from kg.plugins.bibliography.work_records import GENRES, status_in
from kg.plugins.exchange.draft import UNTITLED, SourceRecord, Value, parse_date, without_empty
from kg.plugins.exchange.readers.rdf_tree import NAMES, TYPE

WORKS = {
    **{"ScholarlyArticle": "journal", "Article": "journal", "Book": "book", "Thesis": "thesis"},
    **{"Chapter": "book-chapter", "Report": "report", "Dataset": "dataset"},
    **{"SoftwareSourceCode": "software", "SoftwareApplication": "software"},
    **{"BlogPosting": "blog", "VideoObject": "video", "foaf:Document": "other"},
    **{"CreativeWork": "other"},
}
NO_WORKS = ("cv:News", "bibo:Patent", "Periodical", "PublicationVolume", "Review")
CONTAINERS = {
    **{"journal": "journal", "magazine": "journal", "editorial": "journal", "review": "journal"},
    **{"conference": "conference", "poster": "conference", "workshop": "venue"},
}
DOI = re.compile(r"(?:doi\.org/|^doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)
SIGNERS = ("author", "creator", "foaf:maker", "dcterms:creator")


def is_work(types: set[str]) -> bool:
    return bool(types & {*WORKS}) and not types & {*NO_WORKS}


def name_in(record: SourceRecord, *fields: str) -> Value | None:
    return next(iter(names_in(record, *fields)), None)


def names_in(record: SourceRecord, *fields: str) -> list[Value]:
    """The texts in these fields; of a node, its name. Web addresses are left out."""
    found = [each.text(*NAMES, UNTITLED) for each in record.records(*fields)]
    return [*dict.fromkeys(name for name in found if name and not is_web_address(name))]


def work_of(work: SourceRecord) -> dict[str, Any]:
    """The entry of a work; empty if it has no title."""
    types = {*work.texts(TYPE)}
    by_class = next((kind for each, kind in WORKS.items() if each in types), "other")
    kind = GENRES.get(str(work.text("genre") or "").lower(), by_class)
    title = work.text("headline", "name", "dcterms:title", "foaf:title")
    if title is None:
        return {}
    first, last = work.text("pageStart"), work.text("pageEnd")
    links = [each for each in work.texts("url", "@id") if is_web_address(each)]
    entry: dict[str, Any] = {
        "kind": title.with_text(kind),
        "title": title,
        "authors": authors(work),
        "editors": names_in(work, "editor"),
        "date": parse_date(work.text("datePublished", "dateCreated", "dcterms:date")),
        "pages": first.with_text(f"{first}-{last}") if first and last else work.text("pagination"),
        **{name: name_in(work, name) for name in ("publisher", "abstract", "isbn", "license")},
        "url": next(iter(links), None),
        "doi": doi_of(work),
        "keywords": names_in(work, "keywords"),
        CONTAINERS.get(kind, ""): name_in(work, "cv:venue", "isPartOf"),
    }
    status = status_in(work.text("creativeWorkStatus") or "")
    entry["status"] = title.with_text(status) if status not in ("", "published") else None
    work.skip("name", "headline", *SIGNERS, "position")
    return without_empty({name: value for name, value in entry.items() if name})


def doi_of(work: SourceRecord) -> Value | None:
    numbers = [value for each in work.records("identifier") for value in each.texts("value")]
    for each in (*work.texts("sameAs", "identifier", "bibo:doi"), *numbers):
        if found := DOI.search(each):
            return each.with_text(found[1])
    return None


def authors(work: SourceRecord) -> list[Value]:
    """The names of authors in order, as printed if the graph says so."""
    items = [each for each in work.records("creator", "author") if "ListItem" in each.texts(TYPE)]
    items.sort(key=lambda each: str(each.text("position") or "").zfill(4))
    printed = [each.text("alternateName") or name_in(each, "creator", "item") for each in items]
    return [*dict.fromkeys(filter(None, printed))] or names_in(work, *SIGNERS)
