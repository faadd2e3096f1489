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


def test_a_few_random_sites_are_published(tmp_path: Path) -> None:
    assert_built(build_sites(FEW, tmp_path))


@pytest.mark.proof
def test_random_sites_of_every_kind_are_published(tmp_path: Path) -> None:
    found = build_sites(SOME, tmp_path)
    assert_built(found)
    assert KINDS - {*found.kinds} == set()


@pytest.mark.proof
@pytest.mark.sample(proof=0.2)
@pytest.mark.parametrize("numbers", MANY, ids=str)
def test_many_random_sites_are_published(numbers: range, tmp_path: Path) -> None:
    assert_built(build_sites(numbers, tmp_path))


def publish(folder: Path, cv: str) -> Path:
    """The folder that is built of a CV."""
    (folder / "data/cv").mkdir(parents=True)
    (folder / "data/site.yaml").write_text(flow(SITE), encoding="utf-8")
    (folder / "data/cv/ada.yaml").write_text(cv, encoding="utf-8")
    export(Documents(good(folder, Run(TODAY))), folder / "site")
    return folder / "site"


CHAPTER = (
    "{title: Dunes, kind: book-chapter, authors: [Ada Berg], year: 2020, book: Handbook of Sand}"
)


def test_a_book_that_is_only_named_is_published(tmp_path: Path) -> None:
    site = publish(tmp_path, f"basics: {{name: Ada Berg}}\npublications: [{CHAPTER}]\n")
    page = (site / "publications/index.html").read_text(encoding="utf-8")
    assert 'href="handbook-of-sand.html"' in page
    assert "handbook-of-sand.html#section-citation" not in page
    assert "berg-2020-dunes.html#section-citation" in page


def test_a_private_value_may_be_in_a_program_that_every_site_has(tmp_path: Path) -> None:
    """A number that the engine of the SPARQL editor has, too."""
    phone = "phone: {value: +47 12 34 56 78, visibility: private}"
    publish(tmp_path, f"basics: {{name: Ada Berg, {phone}}}\n")


@pytest.mark.parametrize(
    "section",
    ["interests: [The <i>E. coli</i> group]", "press: [{title: On <i>E. coli</i>, date: 2020}]"],
)
def test_tags_in_a_name_are_published(tmp_path: Path, section: str) -> None:
    publish(tmp_path, f"basics: {{name: Ada Berg}}\n{section}\n")


def test_a_private_text_may_be_words_that_every_page_has(tmp_path: Path) -> None:
    closed = (
        "{title: Search, visibility: private, entries: [hidden, Skip to the content, Publications]}"
    )
    publish(tmp_path, f"basics: {{name: Ada Berg}}\nsections: [{closed}]\n")


def test_the_data_of_a_work_say_no_more_than_its_page_shows(tmp_path: Path) -> None:
    """A page prints one summary, and the publisher only where there is no venue."""
    work = "{title: Dunes, kind: thesis, authors: [Ada Berg], summary: About ice, annotation: Why}"
    paper = "{title: Ice, kind: journal, authors: [Ada Berg], journal: Sands, publisher: Sand Co}"
    publish(tmp_path, f"basics: {{name: Ada Berg}}\npublications: [{work}, {paper}]\n")
