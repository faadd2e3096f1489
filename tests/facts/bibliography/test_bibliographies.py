"""Files of works beside CVs: which is meant by a name, and whose works are private."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check import rules as checks
from kg.check.rules import in_files
from kg.facts.load import load
from kg.facts.models.people import Cv
from kg.files.cache import Cache
from kg.graph.build import build
from kg.graph.parallel import shards
from kg.graph.parallel.run import Run
from kg.graph.parallel.shards import gather
from kg.plugins.registry.register import register
from tests.cases import TODAY, example_site

ADA = "basics: {name: Ada Berg}\n"
DUNES = "@article{{{0}, title={{Dunes {0}}}, author={{Ada Berg}}, journal={{{1}}}, year=2020}}\n"


def listed(folder: Path) -> dict[str, list[str]]:
    return {
        each.slug: [listing.publication.slug for listing in cv.publications]
        for each, cv in load(folder).of(Cv)
        if cv.publications
    }


def test_a_file_is_beside_the_cv_or_below_data(tmp_path: Path) -> None:
    files = {
        "data/cv/near.bib": DUNES.format("a", "J"),
        "data/top.bib": DUNES.format("b", "J"),
        "data/publications/deep.bib": DUNES.format("c", "J") + DUNES.format("d", "J"),
        "data/cv/ada.yaml": ADA + "publications: [near.bib, ../top.bib, deep.bib]\n",
        "data/cv/eva.yaml": "basics: {name: Eva}\npublications: publications/deep.bib\n",
    }
    folder = example_site(files, tmp_path)
    assert listed(folder) == {"ada": ["a", "b", "c", "d"], "eva": ["c", "d"]}


def test_a_work_that_the_list_names_besides_may_be_selected(tmp_path: Path) -> None:
    files = {
        "data/cv/a.bib": "".join(DUNES.format(key, "J") for key in "abc"),
        "data/cv/ada.yaml": ADA + "publications: [{key: b, selected: true}, a.bib, c]\n",
    }
    folder = example_site(files, tmp_path)
    assert listed(folder) == {"ada": ["b", "a", "c"]}
    cv = next(cv for _, cv in load(folder).of(Cv))
    assert [work.slug for work in cv.selected] == ["b"]


def test_works_that_only_private_cvs_name_are_private(tmp_path: Path) -> None:
    private = "basics: {name: Eva, visibility: private}\npublications: [own.bib, both.bib]\n"
    files = {
        "data/cv/own.bib": DUNES.format("own", "Secret Journal"),
        "data/cv/both.bib": DUNES.format("both", "Open Journal"),
        "data/cv/eva.yaml": private,
        "data/cv/ada.yaml": ADA + "publications: both.bib\n",
    }
    facts = load(example_site(files, tmp_path))
    assert facts.site is not None
    lines = build(facts, facts.site).nquads
    assert b"Open Journal" in lines
    assert b"Secret Journal" not in lines
    assert b"publications/own" not in lines


def test_an_edit_of_the_file_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "MIN_SHARDED_SIZE", 0)
    files = {
        "data/cv/a.bib": DUNES.format("a", "J"),
        "data/cv/ada.yaml": ADA + "publications: a.bib\n",
    }
    folder = example_site(files, tmp_path)

    def documents() -> set[str]:
        _, parts = gather(folder, Run(TODAY, cache=Cache(folder)), in_files)
        return {address.rpartition("/")[2] for part in parts for address in part.documents}

    assert documents() == {"ada", "a"}
    (folder / "data/cv/a.bib").write_text(DUNES.format("b", "J"), encoding="utf-8")
    assert documents() == {"ada", "b"}


def test_what_is_registered_says_more_than_a_bibliography(tmp_path: Path) -> None:
    """And fields of a book that a bibliography repeats are no contradiction."""
    chapter = "@incollection{{{0}, title={{{0}}}, author={{Ada Berg}}, year=2020, {1}}}\n"
    text = chapter.format("a", "booktitle={Ice}, publisher={Tide}") + chapter.format(
        "b", "booktitle={Snow}, publisher={Tide}"
    )
    files = {
        "data/cv/a.bib": text,
        "data/cv/b.bib": chapter.format("c", "booktitle={Snow}, publisher={Other}"),
        "data/cv/ada.yaml": ADA + "publications: [a.bib, b.bib]\n",
        "data/publications/more.yaml": "ice: {title: Ice, kind: book, editors: [Bo Ek]}\n",
    }
    folder = example_site(files, tmp_path)
    assert [each for each in load(folder).problems if each.severity == "error"] == []
    assert register(folder, "Snow")[0] == "data/publications.yaml"
    assert [each for each in load(folder).problems if each.severity == "error"] == []


def test_of_many_authors_only_those_are_told_who_may_be_known(tmp_path: Path) -> None:
    text = "@misc{a, title={T}, author={Ada Berg and Wei Xu and C. B. Dahl}, year=2020}"
    files = {"data/cv/a.bib": text, "data/cv/ada.yaml": ADA + "publications: a.bib\n"}
    found = checks.check(load(example_site(files, tmp_path)))
    (told,) = [each for each in found if each.rule == "unregistered-author"]
    assert "'C. B. Dahl'" in told.message
