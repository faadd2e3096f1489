"""The acceptance test of data/, the only one: everything the sources print is there, nothing that
should stay private is, each entry says where it is from, and the built site is verified.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser

from kg.check.check import good
from kg.facts.load import load
from kg.facts.models.base import Entry
from kg.facts.models.coverage import PressListing
from kg.graph.build import Graph, build
from kg.plugins.verify.published_site import verify_site
from kg.publish.document import STATIC
from kg.publish.export.export import export
from kg.publish.site import Documents
from kg.publish.verify.source import Directory
from kg.store.protocol import Solution
from tests.conftest import ROOT
from tests.web import conftest as web
from tests.web.folder import hosted
from tests.web.test_search_browser import FIND, blank

DATA = sorted(path for path in (ROOT / "data").rglob("*") if path.is_file())
CONTACT = "corrections@cv.example.org"  # of the site, as invented as its base
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+\s*(?:@|\[at\]|\(at\))\s*[\w-]+\.[A-Za-z]{2,}")
PHONE = re.compile(
    r"(?<![\w./-])(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])|\+\d{9,15}\b|\btel:"
)
PREFIXES = (
    "PREFIX schema: <http://schema.org/> PREFIX foaf: <http://xmlns.com/foaf/0.1/> PREFIX cv: "
    "<https://w3id.org/cv-kg/terms#>\n"
)
ARPAN = "<people/arpan-jain#it>"

browser = web.browser


@pytest.fixture(scope="module")
def graph() -> Graph:
    return good(ROOT)


@pytest.fixture(scope="module")
def documents(graph: Graph) -> Documents:
    return Documents(graph)


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / "data" / name).read_text(encoding="utf-8"))


def works_of(slug: str) -> dict[str, Any]:
    """The publications in a file of them."""
    return {
        key: work for key, work in read(f"publications/{slug}.yaml").items() if key != "sources"
    }


def listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def ask(graph: Graph, query: str) -> list[Solution]:
    return graph.memory.select(PREFIXES + query)


def values(graph: Graph, query: str) -> list[str]:
    """The only column of a query, sorted."""
    return sorted(term.value for row in ask(graph, query) for term in row.values())


def test_all_twenty_papers_and_three_theses_are_signed(graph: Graph) -> None:
    signed = (
        f"SELECT DISTINCT ?work {{ ?work schema:author {ARPAN} . %s {{ ?work a schema:Thesis }} }}"
    )
    assert len(ask(graph, signed % "FILTER NOT EXISTS")) == 20
    assert len(ask(graph, signed % "")) == 3


def test_every_work_in_the_file_is_on_the_page(graph: Graph) -> None:
    works = works_of("arpan-jain")
    kinds = [work["kind"] for work in works.values()]
    assert (len(kinds), kinds.count("thesis")) == (23, 3)
    titles = values(graph, f"SELECT ?title {{ ?work schema:author {ARPAN} ; schema:name ?title }}")
    assert titles == sorted(work["title"] for work in works.values())


def test_all_ten_positions_have_dates(graph: Graph) -> None:
    positions = ask(
        graph,
        (
            f"SELECT ?role ?start {{ {ARPAN} schema:affiliation ?role . ?role a "
            f"schema:EmployeeRole ; schema:startDate ?start }}"
        ),
    )
    assert len(positions) == len({row["role"].value for row in positions}) == 10


def test_both_degrees_are_there(graph: Graph) -> None:
    degrees = (
        f"SELECT ?name {{ {ARPAN} schema:hasCredential ?degree . ?degree "
        f'schema:credentialCategory "degree" ; schema:name ?name }}'
    )
    assert len(ask(graph, degrees)) == 2
    assert values(graph, f"SELECT ?name {{ {ARPAN} schema:alumniOf/schema:name ?name }}") == sorted(
        values(
            graph,
            (
                "SELECT ?name { VALUES ?school { <orgs/osu#it> <orgs/abv-iiitm#it> } ?school "
                "schema:name ?name }"
            ),
        )
    )


def test_the_present_is_microsoft_alone(graph: Graph) -> None:
    assert values(graph, f"SELECT ?name {{ {ARPAN} schema:worksFor/schema:name ?name }}") == [
        "Microsoft"
    ]
    assert values(graph, f"SELECT ?title {{ {ARPAN} schema:jobTitle ?title }}") == [
        "Senior Researcher"
    ]


def test_every_printed_name_is_a_signature_in_its_place(graph: Graph) -> None:
    for slug, work in works_of("arpan-jain").items():
        rows = ask(
            graph,
            f"SELECT ?place ?printed {{ <publications/{slug}#it> schema:creator ?signature ."
            " ?signature schema:position ?place ; schema:alternateName ?printed } ORDER BY ?place",
        )
        printed = [
            author["as"] if isinstance(author, dict) else author for author in work["authors"]
        ]
        assert [(int(row["place"].value), row["printed"].value) for row in rows] == list(
            enumerate(printed, 1)
        ), slug


def test_no_entry_repeats_the_sources_of_its_file() -> None:
    for path in [path for path in DATA if path.suffix == ".yaml"]:
        content = read(str(path.relative_to(ROOT / "data")))
        own = content.get("sources")
        sections = content.values() if path.parent.name == "cv" else [list(content.values())]
        entries = [entry for section in sections if isinstance(section, list) for entry in section]
        named = [entry.get("source") for entry in entries if isinstance(entry, dict)]
        assert own is None or listed(own) not in map(listed, filter(None, named)), path


def test_every_entry_names_its_source_and_the_graph_says_so() -> None:
    """Of each entry of a section, and of each work: some node made from its row has exactly the
    sources it names.
    """
    facts = load(ROOT)
    assert facts.site
    graph = build(facts, facts.site)
    rows = ask(graph, "SELECT ?fact ?source { ?fact <http://purl.org/dc/terms/source> ?source }")
    said: dict[int, set[str]] = {}
    for row in rows:
        for origin in graph.origins[row["fact"].value]:
            said.setdefault(id(origin.row), set()).add(
                row["source"].value.rpartition("/")[2].removesuffix("#it")
            )
    entries = [
        each
        for each in graph.facts.loaded
        if "[" in each.row.path or each.kind in ("publications", "patents", "press")
        if isinstance(each.fact, Entry) and each.fact.visibility != "private"
        if not (isinstance(each.fact, PressListing) and not each.fact.role)  # the item has its own
    ]
    assert len(entries) > 350
    for each in entries:
        named = {source.slug for source in each.fact.source}
        assert named, each.row.place
        assert named <= said.get(id(each.row), set()), each.row.place


@pytest.mark.parametrize(
    ("term", "name"),
    [
        ("LLM", "Large language models"),
        ("unsupervised learning", "Unsupervised learning"),
        ("approximate nearest neighbor search", "Approximate nearest neighbor search"),
        ("ANN search", "Approximate nearest neighbor search"),
        ("structured sparsity", "Structured sparsity"),
        ("vector search", "Vector search"),
        ("DNN compilation", "DNN compilation"),
        ("efficient DNN training", "Efficient DNN training"),
        ("deep learning model optimization", "Deep learning model optimization"),
        ("ML/DL acceleration on CPUs", "ML/DL acceleration on CPUs"),
        ("Bangalore", "Bengaluru, India"),
        ("Microsoft Research Blog", "Microsoft Research Blog"),
    ],
)
def test_a_term_of_art_is_found(documents: Documents, term: str, name: str) -> None:
    hits, _ = documents.finder.index.find(term)
    assert name in [hit.entry.name for hit in hits]


SEARCHES = {  # what is typed, and what comes first
    "Minja Zang": "people/minjia-zhang",
    "best paper": "publications/biswas-2015-valor",
    "2201.05596": "publications/rajbhandari-2022-deepspeed-moe",
    "zhang": "people/minjia-zhang",
    "deep speed": "software/deepspeed",
    "siddarth sing": "people/siddharth-singh",
    "jain arpan": "people/arpan-jain",
    "moe": "topics/mixture-of-experts",
    "gems": "publications/jain-2020-gems",
    "valor": "publications/biswas-2015-valor",
    "gordon bell": "people/siddharth-singh",
    "nvidia intern": "people/siddharth-singh",
    "10x faster": "publications/zhang-2018-deepcpu",
    "bluefield": "publications/jain-2021-bluefield-hoti",
    "loki": "publications/singhania-2024-loki",
    "ICML": "venues/icml",
}
GROUPS = {  # what is typed, and all that is found
    "NeurIPS 2024": {"publications/hans-2024-goldfish", "publications/singhania-2024-loki"},
    "microsoft intern": {"people/arpan-jain", "people/minjia-zhang", "people/siddharth-singh"},
    "ipdps 2021": {"publications/jain-2021-super", "publications/zhang-2021-duet"},
    "OOPSLA 2015 artifact": {"people/minjia-zhang", "publications/biswas-2015-valor"},
}


def says_what_is_meant(found: dict[str, list[str]]) -> bool:
    zhang = [each for each in found["zhang"] if each.startswith("publications/")]
    assert {query: found[query][0] for query in SEARCHES} == SEARCHES
    assert {query: {*found[query]} for query in GROUPS} == GROUPS
    return len(zhang) >= 40


def test_searches_on_the_server_find_what_is_meant(documents: Documents) -> None:
    find = documents.finder.index.find
    assert says_what_is_meant(
        {
            query: [hit.entry.address for hit in find(query, 200)[0]]
            for query in (*SEARCHES, *GROUPS)
        }
    )


@pytest.mark.proof
def test_searches_in_a_folder_find_the_same(
    browser: Browser, documents: Documents, tmp_path: Path
) -> None:
    (tmp_path / "static").symlink_to(STATIC)
    (tmp_path / "search.json").write_bytes(documents.finder.text("search.json"))
    queries = [*SEARCHES, *GROUPS]
    context = browser.new_context()
    with hosted(tmp_path) as address:
        found = json.loads(blank(context, address).evaluate(FIND, json.dumps([address, queries])))
    context.close()
    assert says_what_is_meant(
        {
            query: [place for place, *_ in hits]
            for query, (_, hits) in zip(queries, found, strict=True)
        }
    )


def test_the_terms_of_art_stand_in_the_descriptions(graph: Graph) -> None:
    text = "\n".join(values(graph, "SELECT ?text { ?role schema:description ?text }"))
    for term in (
        "LLM inference",
        "unsupervised learning",
        "approximate nearest neighbor (ANN) search",
        "structured sparsity",
        "progressive layer drop",
        "heterogeneous memory",
        "sub-graph parallelism",
        "4-bit quantization",
        "software transactional memory (STM)",
    ):
        assert term in text


def test_seven_press_items_are_of_the_blog(graph: Graph) -> None:
    outlet = "<orgs/microsoft-research-blog#it>"
    assert len(values(graph, f"SELECT ?item {{ ?item schema:publisher {outlet} }}")) == 7


def test_a_talk_has_only_a_title_that_is_printed(graph: Graph) -> None:
    """Of five presentations the source prints the subject, and no title."""
    talks = read("cv/minjia-zhang.yaml")["talks"]
    untitled = [talk for talk in talks if not talk.get("title") and not talk.get("work")]
    assert len(talks) == 24
    assert len(untitled) == 5
    named = values(
        graph,
        "SELECT ?name { <people/minjia-zhang#it> schema:performerIn/schema:name ?name"
        ' FILTER(STRSTARTS(?name, "Talk at ")) }',
    )
    assert len(named) == 5


def test_no_organisation_is_the_place_of_a_talk(graph: Graph) -> None:
    places = "?talk a schema:EducationEvent ; schema:location/a schema:Organization"
    assert ask(graph, f"SELECT ?talk {{ {places} }}") == []
    hosts = "?talk a schema:EducationEvent ; schema:organizer/a schema:Organization"
    assert len(ask(graph, f"SELECT ?talk {{ {hosts} }}")) == 5


def test_editions_are_called_by_acronym_and_year(graph: Graph) -> None:
    editions = values(
        graph, "SELECT ?name { ?edition schema:superEvent <venues/sc#it> ; schema:name ?name }"
    )
    assert editions == [f"SC {year}" for year in (2019, 2020, 2021, 2022, 2024)]
    assert "SC19" in values(graph, "SELECT ?name { <venues/sc#2019> schema:alternateName ?name }")


def test_a_book_has_its_printed_title(graph: Graph) -> None:
    book = (
        "SELECT ?name { <publications/awan-2020-hypar-flow#it> schema:isPartOf/schema:name ?name }"
    )
    assert values(graph, book) == ["High Performance Computing"]


@pytest.mark.proof
def test_the_site_is_built_and_verified(documents: Documents, tmp_path: Path) -> None:
    export(documents, tmp_path / "site")
    proof = verify_site(Directory(tmp_path / "site"))
    assert proof.problems == ()
    assert proof.documents == len(documents.addresses)


def test_the_corpus_of_files_did_not_shrink() -> None:
    assert len(DATA) >= 10


@pytest.mark.parametrize("path", DATA, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_holds_an_address_or_a_number_to_call(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace(CONTACT, "")
    assert EMAIL.findall(text) == []
    assert PHONE.findall(text) == []


@pytest.mark.proof
def test_no_output_holds_an_address_or_a_number_to_call(documents: Documents) -> None:
    for path in set(documents.files) - {"format.html"}:  # the reference shows the invented site
        if not path.endswith((".html", ".nq")):
            continue  # the twins of a page hold what the page's graph holds
        document = documents.make(path)
        assert document is not None
        text = document.body.decode().replace(f"mailto:{CONTACT}", "").replace(CONTACT, "")
        assert (path, EMAIL.findall(text), PHONE.findall(text)) == (path, [], [])
        assert "mailto:" not in text


@pytest.mark.parametrize(
    "text", ["ada@example.org", "a.b+c@cs.example.edu", "ada [at] example.org"]
)
def test_an_address_would_be_noticed(text: str) -> None:
    assert EMAIL.search(f"Write to {text}.")


@pytest.mark.parametrize(
    "text", ["614-555-0123", "(614) 555-0123", "+1 614 555 0123", "+16145550123", "tel:5550123"]
)
def test_a_number_to_call_would_be_noticed(text: str) -> None:
    assert PHONE.search(f"Call {text} now")
