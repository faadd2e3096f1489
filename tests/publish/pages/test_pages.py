"""Pages: values as they are meant, and the same page whatever the order of the triples."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import lxml.html
import pytest

from kg.check.check import good
from kg.graph.build import Graph
from kg.publish.formats.urls import file_of
from kg.publish.site import Documents
from kg.store.memory import Memory
from kg.text import dates
from tests.cases import CASES, site
from tests.conftest import ROOT


def html(folder: Path, path: str) -> str:
    document = Documents(good(folder)).get(path)
    assert document is not None
    return document.body.decode()


@pytest.mark.parametrize("number", ["1999-66", "1999-22", "2020-05"])
def test_a_number_that_looks_like_a_date_stays_as_it_is(example: Path, number: str) -> None:
    works = example / "data" / "publications.yaml"
    works.write_text(works.read_text(encoding="utf-8").replace("DW-20-7", number), encoding="utf-8")
    assert f", {number}</p>" in html(example, "publications/haddad-2020-stations.html")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2024", "2024"),
        ("2024-08", "Aug 2024"),
        ("2024-08-01", "1 Aug 2024"),
        ("2020-22", "Summer 2020"),
        ("2020-66", "2020-66"),
        ("", ""),
    ],
)
def test_a_date_reads_as_people_write_it(text: str, read: str) -> None:
    assert dates.date(text) == read


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("people/ada-lindqvist", "Ada Lindqvist · Curriculum vitae · {}/people/ada-lindqvist"),
        ("people/kim-osei", "Kim Osei · {}/people/kim-osei"),
        ("people/", "People · {}/people"),
    ],
)
def test_a_printed_page_says_what_it_is(path: str, line: str) -> None:
    page = lxml.html.document_fromstring(html(ROOT / "kg" / "example", file_of(path, ".html")))
    assert page.get("data-run") == line.format("lab.example.org")


@pytest.mark.proof
def test_the_order_of_triples_changes_no_page(graph: Graph, documents: Documents) -> None:
    lines = (graph.nquads + graph.rest).decode().splitlines(keepends=True)
    random.Random(7).shuffle(lines)
    shuffled = Documents(replace(graph, memory=Memory(graph.site.base, "".join(lines).encode())))
    pages = [
        path
        for path, (address, _) in documents.files.items()
        if path.endswith(".html") and address in documents.addresses
    ]
    assert len(pages) > 300
    assert [path for path in pages if documents.get(path) != shuffled.make(path)] == []


def test_the_page_of_a_work_shows_all_that_was_written(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == "works-of-many-kinds")
    documents = Documents(good(site(case, tmp_path)))
    shown = {
        "publications/berg-2023-thin": (
            *("A Year on the Fjord", "Annals of Ice", "e12", "doi.org/10.1234/ice.41", "English"),
            *(
                "31452104",
                "PMC6711234",
                "hal-01234567",
                "arxiv.org/abs/2301.01234",
                "Jan\N{NO-BREAK SPACE}2023",
            ),
            *("thin-ice.pdf", "thin-ice.jpg", "https://code.example.org/ice", "slides.pdf"),
            *("poster.pdf", "https://video.example.org/1", "https://ice.example.org/", "Try it"),
            *("brighter than models say", "Albedo", "by/4.0", "University of Somewhere"),
            *("corresponding author", "contributed equally", "writing original draft"),
            *("Albedo of Thin Ice", "Thin Ice in Draft"),
        ),
        "publications/handbook-of-ice": (
            *("Bo Ek", "Tide Press", "9783161484100", "2nd", "412", "Ice Books", "<bdi>3</bdi>"),
            *("Ice as a Mirror", "Of Handbooks"),
        ),
        "publications/albedo": (
            *("1.2", "zero/1.0", "a.nc", "Download NETCDF", "a.csv", "2019–2022", "Tromsø"),
            "Thin Ice",
        ),
        "publications/blanc-2018-snow": ("Neige", "translator", "preface", "M. Blanc"),
        "publications/berg-2019-frost": ("Sound walk",),
        "people/ada": ("A. Berg</b>", "https://code.example.org/ice", "slides.pdf"),
    }
    for path, texts in shown.items():
        document = documents.get(f"{path}.html")
        assert document is not None
        page = document.body.decode().partition("<main")[2].partition("</main>")[0]
        assert [text for text in texts if text not in page] == [], path
