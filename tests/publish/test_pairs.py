"""Nobody gets a fact that no entry states: a title with the employer of another job, a degree with
the subject of another, an advisor of another study.

Everything that belongs to one entry is called Alpha, everything of the other Beta. Nowhere does one
row of an answer, one line of a page, or one node of a graph speak of both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lxml.html
import pytest

from kg.check.check import good
from kg.graph.build import Graph
from kg.graph.parallel.run import Run
from kg.publish.site import Documents
from tests.conftest import ROOT
from tests.stand_ins import with_stand_ins

LETTERS = ("alpha", "beta")
# The keys are those that named queries ask about where nothing else is said.
FILES: dict[str, Any] = {
    "site": {"base": "https://pairs.example.org/", "title": "Pairs"},
    "organizations": {
        "osu": {"name": "School", "kind": "university"},
        "meridian": {"name": "Whole", "kind": "company"},
        **{
            f"{letter}-{kind}": {"name": f"{letter} {kind}", "kind": "other", "parent": parent}
            for letter in LETTERS
            for kind, parent in (("firm", "meridian"), ("office", f"{letter}-firm"))
        },
        **{
            f"{letter}-society": {"name": f"{letter} society", "kind": "society"}
            for letter in LETTERS
        },
    },
    "topics": {f"{letter}-topic": {"name": f"{letter} topic"} for letter in LETTERS},
    "people": {f"{letter}-advisor": {"name": f"{letter} advisor"} for letter in LETTERS},
    "software": {"deepwater": {"name": "System"}},
    "places": {f"{letter}-town": {"name": f"{letter} town"} for letter in LETTERS},
    "publications": {
        "joint": {"title": "Joint", "kind": "thesis", "authors": ["A Alpha", "B Beta"]},
        **{
            f"{letter}-thesis": {"title": f"{letter} thesis", "kind": "thesis", "authors": ["Pat"]}
            for letter in LETTERS
        },
    },
}


def study(letter: str, **more: Any) -> dict[str, Any]:
    return {"institution": "osu", "studyType": f"{letter} degree", "endDate": 2012, **more}


FILES["cv/pat"] = {
    "basics": {"name": "Pat"},
    "work": [
        {
            "organization": f"{letter}-firm",
            "unit": f"{letter}-office",
            "position": f"{letter} post",
            "location": f"{letter}-town",
            "startDate": start,
            "endDate": "present",
            "secondary": letter == "beta",
            "highlights": [{"text": f"{letter} work", "works": ["deepwater"]}],
            "mentors": [f"{letter}-advisor"],
        }
        for letter, start in (("beta", 2018), ("alpha", 2015))
    ],
    "education": [
        study(
            letter,
            area=f"{letter}-topic",
            advisor=f"{letter}-advisor",
            thesis=f"{letter}-thesis",
            startDate=2008,
        )
        for letter in LETTERS
    ],
    "memberships": [
        {
            "organization": f"{letter}-society",
            "level": f"{letter} member",
            "startDate": 2015,
            "endDate": "present",
        }
        for letter in LETTERS
    ],
    "systems": [
        {"software": "deepwater", "role": "alpha part", "startDate": 2010, "endDate": 2011},
        {"software": "deepwater", "role": "beta part", "startDate": 2019, "endDate": "present"},
    ],
    "publications": ["alpha-thesis", "beta-thesis"],
}
for initial, letter in zip("AB", LETTERS, strict=True):
    FILES[f"cv/{letter}"] = {
        "basics": {"name": f"{initial} {letter.capitalize()}"},
        "education": [study(letter, thesis="joint", startDate=2009)],
        "publications": ["joint"],
    }


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("pairs")
    for name, content in FILES.items():
        path = folder / "data" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return good(folder, Run("2026-01-15"))


def mixed(texts: Iterator[str]) -> list[str]:
    return [text for text in texts if all(letter in text.lower() for letter in LETTERS)]


# Where the question itself is about two people, or counts what they share, or asks what became of
# somebody.
ABOUT_TWO = {"alumni", "coauthors", "coauthors-of", "shared-coauthors", "coauthor-chain"}


@pytest.mark.parametrize("path", sorted(ROOT.glob("queries/*.rq")), ids=lambda path: path.stem)
def test_no_row_of_a_named_query_joins_two_entries(path: Path, graph: Graph) -> None:
    rows = graph.memory.select(path.read_text(encoding="utf-8"))
    if path.stem not in ABOUT_TWO:
        assert mixed(" | ".join(term.value for term in row.values()) for row in rows) == []


def test_the_queries_about_positions_and_studies_find_both(graph: Graph) -> None:
    for name in ("current-employers", "who-was-at", "theses", "contributors", "advisors"):
        query = (ROOT / "queries" / f"{name}.rq").read_text(encoding="utf-8")
        rows = graph.memory.select(with_stand_ins(query))
        found = str([term.value for row in rows for term in row.values()]).lower()
        assert all(letter in found for letter in LETTERS), name


def lines_of(html: bytes) -> Iterator[str]:
    """The smallest parts of a page that a reader takes together, and whole entries."""
    page = lxml.html.fromstring(html)
    for noise in page.xpath("//script | //style | //svg | //nav | //head | //form"):
        noise.drop_tree()
    together = "self::p or self::li or self::dd or self::tr or self::h3"
    for element in page.xpath(
        f"//*[{together}][not(.//*[{together}])] | //div[contains(@class, 'row') and @id]"
    ):
        yield " ".join(element.text_content().split())


def test_no_line_of_a_page_joins_two_entries(graph: Graph) -> None:
    documents = Documents(graph)
    about_two = {f"queries/{name}.html" for name in ABOUT_TWO}
    pages = [path for path in documents.files if path.endswith(".html") and path not in about_two]
    assert {"index.html", "people/pat.html", "people/index.html"} <= set(pages)
    authors = ("Joint", "A Alpha, B Beta")  # two people who signed together, as the entry states
    for path in pages:
        document = documents.get(path)
        assert document is not None
        lines = [line for line in lines_of(document.body) if not any(map(line.count, authors))]
        assert mixed(iter(lines)) == [], path


def test_the_main_post_is_first_of_what_somebody_is_now(graph: Graph) -> None:
    document = Documents(graph).get("people/pat.html")
    assert document is not None
    posts = lxml.html.fromstring(document.body).xpath("//ul[@class='posts']/li")
    assert [each.text_content() for each in posts] == [
        "alpha post, alpha office, alpha firm",
        "beta post, beta office, beta firm",
    ]


def test_a_study_shows_its_own_degree(graph: Graph) -> None:
    document = Documents(graph).get("people/pat.html")
    assert document is not None
    page = lxml.html.fromstring(document.body)
    titles = [each.text_content() for each in page.xpath("//*[@id='section-studies']//h3")]
    assert titles == ["alpha degree, alpha topic", "beta degree, beta topic"]


def test_no_node_of_the_graph_joins_two_entries(graph: Graph) -> None:
    """But for those that have several entries themselves: people, and what many things share."""
    nodes: dict[str, list[str]] = {}
    for line in graph.nquads.decode().splitlines():
        subject, _, rest = line.partition(" ")
        if "#" in subject and not subject.endswith("#it>") and "/terms#" not in subject:
            nodes.setdefault(subject, []).append(rest.rpartition(" <")[0])
    shared = ("/people/alpha#", "/people/beta#", "/publications/joint#")
    texts = (
        f"{subject} {nodes[subject]}" for subject in nodes if not any(map(subject.count, shared))
    )
    assert mixed(texts) == []


def test_the_embedded_lists_are_no_pairs(graph: Graph) -> None:
    """Of each role the embed states title, unit and employer in one node."""
    document = Documents(graph).get("people/pat.jsonld")
    assert document is not None
    nodes = json.loads(document.body)["@graph"]
    posts = [json.dumps(node) for node in nodes if "EmployeeRole" in node.get("@type", ())]
    assert len(posts) == 2
    assert mixed(iter(posts)) == []
