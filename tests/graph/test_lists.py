"""Long lists: split by name into documents of their own, which know each other; a short list stays
as it was.
"""

from __future__ import annotations

import re
from pathlib import Path

import lxml.html
import pytest
from pyoxigraph import NamedNode

import kg
from kg.check.check import check
from kg.graph.build import Graph
from kg.graph.pages import PAGE_SIZE
from kg.publish.formats.media import HTML
from kg.publish.formats.urls import file_of
from kg.publish.pages.page_maker import shown_parts
from kg.publish.site import Documents
from kg.vocab import Iri, schema

WORKS = 1_003
LAST = "publications/page-3"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of few people and many works."""
    folder = tmp_path_factory.mktemp("long")
    data = folder / "data"
    data.mkdir()
    (data / "site.yaml").write_text("base: https://lab.example.org/\ntitle: Lab\n")
    (data / "people.yaml").write_text(
        "".join(f"author-{n}: {{name: Author {n}}}\n" for n in range(20))
    )
    works = (
        (
            f'work-{number}: {{title: "{WORKS - number:04} grains", kind: report, authors: '
            f"[Author {number % 20}], year: 2020}}\n"
        )
        for number in range(WORKS)
    )
    (data / "publications.yaml").write_text("".join(works))
    return folder


@pytest.fixture(scope="module")
def long(site: Path) -> Documents:
    return Documents(kg.build(kg.load(site)))


def objects(graph: Graph, subject: str, predicate: Iri) -> list[str]:
    quads = graph.memory.store.quads_for_pattern(
        NamedNode(graph.site.base + subject), NamedNode(predicate), None
    )
    return sorted(quad.object.value for quad in quads)  # type: ignore[union-attr]


def test_every_entry_is_in_one_part(long: Documents) -> None:
    listed = [
        objects(long.graph, f"{part}#it", schema.itemListElement)
        for part in ("publications/", "publications/page-2", LAST)
    ]
    assert [len(part) for part in listed] == [PAGE_SIZE, PAGE_SIZE, WORKS - 2 * PAGE_SIZE]
    assert sorted(item for part in listed for item in part) == sorted(
        f"{long.base}publications/work-{n}#it" for n in range(WORKS)
    )
    assert "publications/page-4" not in long.addresses


def test_the_parts_go_by_name(long: Documents) -> None:
    assert f"{long.base}publications/work-{WORKS - 1}#it" in objects(
        long.graph, "publications/#it", schema.itemListElement
    )
    assert f"{long.base}publications/work-0#it" in objects(
        long.graph, f"{LAST}#it", schema.itemListElement
    )


def test_the_parts_and_the_whole_know_each_other(long: Documents) -> None:
    graph = long.graph
    assert objects(graph, "publications/", schema.hasPart) == [
        f"{long.base}publications/page-2",
        f"{long.base}{LAST}",
    ]
    assert objects(graph, LAST, schema.isPartOf) == [f"{long.base}publications/"]
    assert objects(graph, LAST, schema.position) == ["3"]
    assert objects(graph, "publications/#it", schema.numberOfItems) == [str(WORKS)]
    assert f"{WORKS} works" in graph.counts
    assert objects(graph, "", schema.hasPart) == [
        f"{long.base}{kind}/" for kind in ("people", "publications")
    ]


def test_the_start_leads_to_whole_lists_only(long: Documents) -> None:
    page = long.write("", HTML).decode()
    assert 'href="./publications/"' in page
    assert "page-2" not in page


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    ("address", "before", "after", "numbers"),
    [
        ("publications/", None, "page-2.html", "1 2 3 Next"),
        ("publications/page-2", "../publications/", "page-3.html", "Previous 1 2 3 Next"),
        (LAST, "page-2.html", None, "Previous 1 2 3"),
    ],
)
def test_a_part_leads_to_its_neighbours(
    long: Documents, address: str, before: str | None, after: str | None, numbers: str
) -> None:
    page = lxml.html.fromstring(long.write(address, HTML))
    links = {link.get("rel"): link.get("href") for link in page.findall(".//head/link")}
    assert (links.get("prev"), links.get("next")) == (before, after)
    (nav,) = page.findall(".//nav[@class='parts']")
    assert " ".join(nav.text_content().split()) == numbers
    assert [found.text for found in nav.findall("b[@aria-current='page']")] == [
        re.sub(r"\D", "", address) or "1"
    ]
    titles = [item.text_content() for item in page.findall(".//ul[@class='links']/li/a")]
    assert titles == sorted(titles)
    assert page.findtext(".//h1") == (
        "Publications" if before is None else f"Publications, page {nav.findtext('b')}"
    )
    assert [link.text for link in page.findall(".//header//a[@aria-current]")] == ["Publications"]


def test_the_parts_have_all_forms(long: Documents) -> None:
    assert {path for path in long.files if "page-2" in path} == {
        f"publications/page-2.{form}"
        for form in ("html", "md", "ttl", "jsonld", "nt", "rdf", "linkset.json")
    } | {"publications/page-2/index.html"}
    assert file_of("publications/page-2", ".html") == "publications/page-2.html"


@pytest.mark.parametrize(
    ("here", "count", "shown"),
    [
        (0, 3, "0 1 2"),
        (0, 9, "0 1 2 …8"),
        (4, 9, "0 …2 3 4 5 6 …8"),
        (3, 9, "0 1 2 3 4 5 …8"),
        (200, 201, "0 …198 199 200"),
    ],
)
def test_of_many_parts_the_near_ones_are_shown(here: int, count: int, shown: str) -> None:
    assert (
        " ".join(f"{'…' if gap else ''}{place}" for place, gap in shown_parts(here, count)) == shown
    )


def test_a_list_that_fits_is_not_split(graph: Graph, documents: Documents) -> None:
    assert not [address for address in documents.addresses if "page-" in address]
    assert (
        objects(graph, "people/", schema.hasPart)
        == objects(graph, "people/", schema.isPartOf)
        == []
    )
    assert b'class="parts"' not in documents.write("people/", HTML)


def test_the_shapes_accept_parts(site: Path) -> None:
    said = {
        (problem.rule, problem.message)
        for problem in check(site).problems
        if problem.severity == "error" or "page-" in problem.message
    }
    assert said == set()


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "organizations.yaml",
            "page-2: {name: Page Two, kind: company}\n",
            "'page-2' is reserved for lists. Choose another",
        ),
        (
            "topics.yaml",
            "index: {name: Index}\n",
            ("'index' is reserved for lists. Choose another key, e.g. 'the-index'."),
        ),
        (
            "cv/page-12.yaml",
            "basics: {name: Page Twelve}\n",
            "'page-12' is reserved for lists.",
        ),
        (
            "more.ttl",
            '<people/page-2#it> <http://schema.org/name> "x" .\n',
            "is not part of this site",
        ),
    ],
)
def test_the_address_of_a_part_is_nobodys(
    example: Path, file: str, text: str, message: str
) -> None:
    path = example / "data" / file
    path.write_text(
        (path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8"
    )
    assert message in "\n".join(problem.message for problem in check(example).problems)


def test_nobody_is_minted_at_the_address_of_a_part(example: Path) -> None:
    works = example / "data" / "publications.yaml"
    works.write_text(
        works.read_text(encoding="utf-8")
        + "paged: {title: Paged, kind: report, authors: [Page 2], year: 2020}\n",
        encoding="utf-8",
    )
    assert "'Page 2' cannot be an address" in "\n".join(
        problem.message for problem in check(example).problems
    )
