"""CSL-JSON of works, which citation programs (Zotero, pandoc, citeproc) read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kg.publish.citations.citation import CitedWork, parts_of
from kg.publish.citations.person_names import PersonName

KINDS = {
    "paper": "paper-conference",
    "article": "article-journal",
    "thesis": "thesis",
    "report": "report",
    "patent": "patent",
    "preprint": "article",
    "other": "document",
}


def text(works: Iterable[CitedWork]) -> bytes:
    return (
        json.dumps([item(work) for work in works], ensure_ascii=False, indent=1) + "\n"
    ).encode()


def item(work: CitedWork) -> dict[str, Any]:
    date = parts_of(work.date)
    found = {
        "id": work.key,
        "type": KINDS[work.kind],
        "title": work.title,
        "author": [person(name) for name in work.authors],
        "issued": {"date-parts": [date]} if date else None,
        "container-title": work.container,
        "event-title": work.event,
        "editor": [person(name) for name in work.editors],
        "publisher": work.school or work.publisher,
        "genre": work.degree or work.genre or ("Preprint" if work.kind == "preprint" else ""),
        "volume": work.volume,
        "issue": work.issue,
        "number": work.number
        or (f"arXiv:{work.arxiv}" if work.kind == "preprint" and work.arxiv else ""),
        "page": "-".join(work.pages),
        "ISBN": work.isbn,
        "ISSN": work.issn,
        "DOI": work.doi,
        "URL": work.url or (f"https://arxiv.org/abs/{work.arxiv}" if work.arxiv else ""),
        "status": work.status,
    }
    return {name: value for name, value in found.items() if value}


def person(name: PersonName) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    return {
        "family": name.family,
        "given": name.given,
        **({"suffix": name.suffix} if name.suffix else {}),
    }
