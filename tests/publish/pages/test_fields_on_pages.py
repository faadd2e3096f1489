"""Each public field of each kind of entry reaches a page: with another value, a reader sees or
follows something else. The fields and their values come from the models (tests/graph/test_fields).
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import lxml.html
import pytest

from kg.facts.values.terms import Unmapped
from kg.mapping.iris import is_list
from kg.publish.site import Documents
from tests.graph.test_fields import FIELDS, MARK, PAGES, Written, graph_of, is_silent

# Fields that no page shows, and why.
NOT_ON_PAGES: dict[tuple[str, str], str] = {
    ("basics", "givenName"): "a part of the name, which is shown; for lists and citations",
    ("basics", "familyName"): "a part of the name",
    ("publications", "preprint.doi"): "one link to a preprint is shown: arXiv, else DOI",
    ("publications", "preprint.url"): "one link to a preprint is shown",
    ("people", "givenName"): "a part of the name",
    ("people", "familyName"): "a part of the name",
    ("people", "profiles.username"): "the link of the profile is shown",
    ("basics", "image"): "a page loads no picture of another site",
    ("basics", "email.sha1"): "it hides the address from readers, and is for programs",
    ("basics", "profiles.username"): "the link of the profile is shown",
    ("venues", "editions.proceedings"): "the name is shown with each work in them",
    ("press/", "kind"): "news and magazines are both called articles",
    ("education", "level"): "the name of the degree is shown; for lists and questions",
}


@cache
def shown(place: str, entry: str) -> Counter[str]:
    """The texts and link targets on the pages of a small site with this entry."""
    found: Counter[str] = Counter()
    order: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        documents = Documents(graph_of(place, json.loads(entry), Path(folder)))
        for address in documents.addresses:
            if address and not is_list(address):
                page = documents.get(f"{address}.html")
                assert page is not None
                body = lxml.html.fromstring(page.body.decode()).find("body")
                texts = (text.strip() for text in body.itertext())
                targets = body.xpath(".//@href | .//@src | .//@data-run")
                found.update(filter(None, texts))
                order += body.xpath(".//section/@id")
                found.update(target.partition("#")[0] for target in targets)
    found["\n".join(order)] = 1
    return found


def is_public(written: Written) -> bool:
    marks = [mark for mark in written.info.metadata if isinstance(mark, Unmapped)]
    name = written.field.rpartition(".")[2]
    return (
        name not in ("note", "disputed", "accept", "visibility", "id", "was")
        and written.place != "site"
        and not any(mark.is_withheld for mark in marks)
        and written.field not in PAGES
        and not is_silent(written)
    )


PUBLIC = [each for each in FIELDS if is_public(each)]


def is_shown(written: Written) -> bool:
    before = shown(written.place, json.dumps(written.without))
    pages = [(shown(written.place, json.dumps(entry)), sign) for entry, sign in written.values]
    if all(sign for _, sign in pages):
        new = [found - before for found, _ in pages]
        return all(found != before for found, _ in pages) and all(
            MARK.casefold() in "\n".join(more).casefold()
            for more, (_, sign) in zip(new, pages, strict=True)
            if sign == MARK
        )
    different = {tuple(sorted(found.items())) for found, _ in pages}
    return len(different) == len(pages)


@pytest.mark.corpus
@pytest.mark.sample(test=0.02, proof=0.4)
@pytest.mark.parametrize("written", PUBLIC, ids=lambda each: f"{each.place}-{each.field}")
def test_a_public_field_reaches_a_page(written: Written) -> None:
    assert (written.place, written.field) in NOT_ON_PAGES or is_shown(written)


def test_only_existing_fields_are_excepted() -> None:
    assert NOT_ON_PAGES.keys() <= {(each.place, each.field) for each in PUBLIC}
    assert len(PUBLIC) > 600
