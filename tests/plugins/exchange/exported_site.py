"""A CV that says something in every section and every way, and hides something wherever it can; and
what is exported of it.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

from kg.facts.load import Facts, load
from kg.graph.build import Graph, build
from kg.plugins.exchange.draft import SourceRecord
from kg.plugins.exchange.writers.public_cv import PublicCv, format_named, public_cv
from kg.publish.citations.citation import Citations
from tests.conftest import LARGE_SITE, ROOT

SITE = "base: https://cv.example.org/\ntitle: One person\n"
CV = Path(__file__).parent / "hana-lind.yaml"
PRIVATE = (
    *("hidden.address", "99 88 77 66", "99887766", "Secret Street", "1985", "Hiddenname"),
    *("remark for nobody", "paid badly", "Shadows", "Undercover", "Declined dreams", "Hidden Fund"),
    *("ola.private", "Nils", "Secretly", "Hidden section", "Unspoken", "Unpublished Thoughts"),
)
PEOPLE = {
    "hana-lind": None,
    "ada-lindqvist": ROOT / "kg" / "example",
    "tomas-ferreira": ROOT / "kg" / "example",
    "alvar-jarl": LARGE_SITE,
    "mirela-zemann": LARGE_SITE,
    "sigvard-sunde": LARGE_SITE,
}


def write_site(folder: Path) -> Path:
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    shutil.copy(CV, folder / "data" / "cv")
    return folder


@cache
def site_in(folder: Path) -> tuple[Facts, Graph]:
    """A site, without the check."""
    facts = load(folder)
    assert facts.site is not None
    assert [each for each in facts.problems if each.severity == "error"] == []
    return facts, build(facts, facts.site)


@cache
def read_cv(folder: Path, slug: str) -> PublicCv:
    facts, graph = site_in(folder)
    return public_cv(facts, slug, Citations(graph.memory, graph.site.base).read(f"people/{slug}"))


def cv_in(folder: Path, slug: str) -> PublicCv:
    """A CV of which nothing is taken yet."""
    cv = read_cv(folder, slug)
    sections = {
        name: [SourceRecord(record.row, record.path) for record in records]
        for name, records in cv.sections.items()
    }
    return replace(cv, sections=sections, reduced=[])


def written(cv: PublicCv, name: str) -> dict[str, bytes]:
    """The files of a format."""
    found = format_named(name).write(cv)
    return found if isinstance(found, dict) else {"": found}
