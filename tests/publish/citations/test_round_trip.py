"""What we write as BibTeX and CSL-JSON we read back: every kind of work, and its fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.check.check import good
from kg.facts.bibliography.bibliographies import read_bibliography
from kg.facts.models import REGISTRIES
from kg.publish.site import Documents
from tests.cases import example_site

KINDS = REGISTRIES["publications"].kinds
EDITED = ("edited-book", "proceedings", "special-issue")
BOOK = {"title": "Handbook of Ice", "editors": ["Bo Ek"], "publisher": "Tide Press"}
# what works of a kind have besides title, authors and year
FIELDS: dict[str, dict[str, Any]] = {
    "journal": {"journal": "Ice Letters", "volume": "7", "issue": "2", "pages": "1-9"},
    "conference": {"conference": "Conference on Ice", "pages": "e7", "doi": "10.1234/ice.7"},
    "workshop": {"venue": "Workshop on Ice", "status": "to-appear"},
    "poster": {"conference": "Conference on Ice"},
    "abstract": {"conference": "Conference on Ice"},
    "preprint": {"arxiv": "2301.01234"},
    "editorial": {"journal": "Ice Letters"},
    "magazine": {"journal": "Ice Today"},
    "book-chapter": {"book": BOOK | {"isbn": "9783161484100"}, "pages": "33-58"},
    "encyclopedia-entry": {"book": BOOK | {"title": "Ice from A to Z"}},
    "book": {"publisher": "Tide Press", "isbn": "9783161484100", "edition": "2nd"},
    "edited-book": {"publisher": "Tide Press", "series": "Ice Books", "numberOfPages": "300"},
    "thesis": {"degree": "Ph.D.", "institution": "Ice University"},
    "report": {"number": "TR-1", "institution": "Ice University"},
    "working-paper": {"number": "7"},
    "dataset": {"publisher": "Zenodo", "version": "1.2"},
    "standard": {"number": "ISO 1"},
    "website": {"url": "https://example.org/ice"},
    "other": {"kindName": "Exhibition"},
}


def written(kind: str) -> dict[str, Any]:
    people = {"editors": ["Ada Berg"]} if kind in EDITED else {"authors": ["Ada Berg", "Bo Ek"]}
    more = {"keywords": ["cold", "wet"], "abstract": "Cold & wet."}
    return {"kind": kind, "title": f"On Ice, a {kind}", **people, **more, **FIELDS.get(kind, {})}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    entries = "".join(f"{kind}: {written(kind) | {'year': '2026'}!r}\n" for kind in KINDS)
    folder: Path = tmp_path_factory.mktemp("kinds")
    return Documents(good(example_site({"data/publications/all.yaml": entries}, folder)))


@pytest.mark.parametrize("suffix", [".bib", ".csl.json"])
def test_every_kind_is_read_back(documents: Documents, suffix: str) -> None:
    for kind in KINDS:
        document = documents.get(f"publications/{kind}{suffix}")
        assert document is not None, kind
        works, problems = read_bibliography(f"works{suffix}", document.body)
        assert problems == []
        assert works is not None
        ((key, row, _),) = works
        assert (key, row.get("year") or row["date"]) == (kind, "2026")
        if isinstance(row.get("book"), dict):  # a bibliography states it with the chapter
            assert row["book"].pop("year") == "2026"
        assert {name: row[name] for name in row if name not in ("year", "date")} == written(kind)
