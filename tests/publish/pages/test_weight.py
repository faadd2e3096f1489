"""What a visitor loads for the page of a person with many works: at most 60 kB, compressed."""

from __future__ import annotations

import gzip
from posixpath import join, normpath

import lxml.html
import pytest

from kg.publish.document import FONT, STATIC
from kg.publish.site import Documents
from tests.conftest import LARGE_SITE, skip

MOST, MOST_FONT = 60_000, 25_000  # bytes


def packed(documents: Documents, path: str) -> int:
    document = documents.get(path)
    assert document is not None
    return len(gzip.compress(document.body, 9, mtime=0))


@pytest.mark.slow
def test_the_page_of_a_person_is_light(documents: Documents) -> None:
    """The heaviest pages are those of people with CVs."""
    owners = [path.stem for path in (LARGE_SITE / "data" / "cv").glob("*.yaml")]
    assert len(owners) >= 3
    pages = (f"people/{owner}.html" for owner in owners)
    heaviest = max(pages, key=lambda path: packed(documents, path))
    document = documents.get(heaviest)
    assert document is not None
    head = lxml.html.fromstring(document.body.decode()).find("head")
    links = head.xpath("link[@rel='stylesheet']/@href") + head.xpath("//script/@src")
    files = [heaviest, *(normpath(join("people", link)) for link in links)]
    assert len(files) >= 4
    assert sum(packed(documents, path) for path in files) <= MOST - MOST_FONT


@pytest.mark.slow  # `make quick` runs without the packages of `make editor`
def test_the_page_font_is_light() -> None:
    font = STATIC / FONT.rpartition("/")[2]
    if not font.is_file():
        skip("the page font was not built")
    assert font.stat().st_size <= MOST_FONT
