"""Whatever the check accepts, the build publishes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import good
from kg.facts.models import REGISTRIES, SECTIONS
from kg.graph.parallel.run import Run
from kg.publish.export.export import export
from kg.publish.site import Documents
from tests.publish.random_sites import SITE, TODAY, Built, build_sites, flow

pytestmark = pytest.mark.fuzz

FEW, SOME = range(2), range(20)
MANY = [range(first, first + 10) for first in range(20, 220, 10)]
KINDS = {
    *(model.__name__ for each in REGISTRIES.values() for model in each.models),
    *(model.__name__ for each in SECTIONS.values() for model in (each.model, each.other) if model),
}


def assert_built(found: Built) -> None:
    assert found.faults == []
    # Else what the check refuses would hide what the build does.
    assert found.right >= 0.9 * found.sites


@pytest.mark.proof
def test_a_few_random_sites_are_published(tmp_path: Path) -> None:
    assert_built(build_sites(FEW, tmp_path))


@pytest.mark.proof
def test_random_sites_of_every_kind_are_published(tmp_path: Path) -> None:
    found = build_sites(SOME, tmp_path)
    assert_built(found)
    assert KINDS - {*found.kinds} == set()


@pytest.mark.proof
@pytest.mark.sample(proof=0.05)
@pytest.mark.parametrize("numbers", MANY, ids=str)
def test_many_random_sites_are_published(numbers: range, tmp_path: Path) -> None:
    assert_built(build_sites(numbers, tmp_path))


# What once was refused by a build or its verification, though the check accepts it.
BASICS = "name: Ada Berg, phone: {value: +47 12 34 56 78, visibility: private}"
CHAPTER = (
    "{title: Dunes, kind: book-chapter, authors: [Ada Berg], year: 2020, book: Handbook of Sand}"
)
THESIS = "{title: Silt, kind: thesis, authors: [Ada Berg], summary: About ice, annotation: Why}"
PAPER = "{title: Ice, kind: journal, authors: [Ada Berg], journal: Sands, publisher: Sand Co}"
HIDDEN = "{title: Search, visibility: private, entries: [hidden, Skip to content, Publications]}"
CV = f"""\
basics: {{{BASICS}}}  # a number that the engine of the SPARQL editor has, too
publications: [{CHAPTER}, {THESIS}, {PAPER}]  # a book that is only named; one summary is printed
sections: [{HIDDEN}]  # words that every page has
interests: [The <i>E. coli</i> group]
press: [{{title: On <i>E. coli</i>, date: 2020}}]
"""


def test_a_site_with_unusual_texts_is_published(tmp_path: Path) -> None:
    (tmp_path / "data/cv").mkdir(parents=True)
    (tmp_path / "data/site.yaml").write_text(flow(SITE), encoding="utf-8")
    (tmp_path / "data/cv/ada.yaml").write_text(CV, encoding="utf-8")
    export(Documents(good(tmp_path, Run(TODAY))), tmp_path / "site")
    page = (tmp_path / "site/publications/index.html").read_text(encoding="utf-8")
    assert 'href="handbook-of-sand.html"' in page
    assert "handbook-of-sand.html#section-citation" not in page
    assert "berg-2020-dunes.html#section-citation" in page
