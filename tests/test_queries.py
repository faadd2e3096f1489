"""The named queries: the documentation of the model that runs.

What each answers over the facts of this repository is in `answers/`, as `kg query NAME` prints it;
a person has read every file against the documents that the facts come from.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from kg.check.check import good
from kg.graph.build import Graph
from kg.sparql.evaluate import answer
from kg.store.memory import Memory
from kg.store.protocol import Wanted
from tests.conftest import ROOT

QUERIES = {
    path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "queries").glob("*.rq"))
}
ANSWERS = Path(__file__).parent / "answers"
CSV = Wanted("text/csv", "text/turtle")
ELSEWHERE = "https://moved.example.net/some/where/"

each_query = pytest.mark.parametrize("name", QUERIES)


def stated(query: str) -> dict[str, str]:
    """The parameters as the comment states them: name = value."""
    found = re.search(r"^# parameters: (.+)$", query, re.MULTILINE)
    return dict(each.split(" = ") for each in found[1].split(", ")) if found else {}


def block(parameters: dict[str, str]) -> str:
    """The parameters as the query has them; a date is a string, anything else an address."""
    terms = [
        f'"{value}"' if re.fullmatch(r"\d{4}(-\d\d){0,2}", value) else f"<{value}>"
        for value in parameters.values()
    ]
    return f"VALUES ({' '.join(f'?{name}' for name in parameters)}) {{ ({' '.join(terms)}) }}"


def asked_with(name: str, **values: str) -> str:
    """A query with other values for its parameters."""
    query = QUERIES[name]
    return query.replace(block(stated(query)), block(stated(query) | values))


def rows(graph: Graph, query: str) -> list[list[str]]:
    return [
        line.split(",") for line in answer(graph.memory, query, CSV).body.decode().splitlines()[1:]
    ]


@pytest.fixture(scope="module")
def moved(graph: Graph) -> Memory:
    """The same facts below another base: every address is another one, and so is the order in which
    the engine finds them.
    """
    return Memory(ELSEWHERE, graph.nquads.replace(graph.site.base.encode(), ELSEWHERE.encode()))


@pytest.fixture(scope="module")
def example_graph() -> Graph:
    return good(ROOT / "kg" / "example")


def test_no_query_went_missing() -> None:
    assert len(QUERIES) >= 32


def test_every_query_has_an_answer_and_every_answer_a_query() -> None:
    assert sorted(path.stem for path in ANSWERS.iterdir()) == sorted(QUERIES)


def test_every_answer_has_rows() -> None:
    assert [
        path.name for path in sorted(ANSWERS.iterdir()) if path.read_bytes().count(b"\r\n") < 2
    ] == []


@each_query
def test_a_query_opens_with_its_question(name: str) -> None:
    assert re.match(r"# [A-Z][^\n]*\?\n", QUERIES[name])


@each_query
def test_a_query_states_the_parameters_that_it_has(name: str) -> None:
    """In the second line, if there are any; and as the first thing in WHERE, in the same order,
    with the same values.
    """
    query = QUERIES[name]
    parameters = stated(query)
    assert query.count("# parameters:") == bool(parameters)
    if parameters:
        assert query.splitlines()[1].startswith("# parameters: ")
        assert f"WHERE {{\n  {block(parameters)}\n" in query


@each_query
def test_a_query_is_about_nobody_in_particular(name: str) -> None:
    """Things of this site stand among the parameters only; the product's own terms may stand
    anywhere.
    """
    addresses = re.findall(r"<([^>\s]+)>", QUERIES[name].replace(block(stated(QUERIES[name])), ""))
    assert [address for address in addresses if not address.startswith(("http://", "terms/"))] == []


@each_query
def test_a_query_declares_the_prefixes_that_it_uses(name: str) -> None:
    query = re.sub(r'(?m)#.*$|"[^"\n]*"', "", re.sub(r"<[^>\s]*>", "<>", QUERIES[name]))
    declared = re.findall(r"^PREFIX (\w+):", query, re.MULTILINE)
    assert sorted(declared) == sorted(set(re.findall(r"(?<![?\w])(\w+):\w", query)))


@each_query
def test_a_query_is_answered_with_what_the_documents_say(name: str, graph: Graph) -> None:
    assert answer(graph.memory, QUERIES[name], CSV).body == (ANSWERS / f"{name}.csv").read_bytes()


@each_query
def test_a_query_is_answered_soon(name: str, graph: Graph) -> None:
    start = time.perf_counter()
    answer(graph.memory, QUERIES[name], CSV)
    assert time.perf_counter() - start < 5


@each_query
def test_a_query_gives_the_same_rows_in_the_same_order_wherever_the_site_is(
    name: str, moved: Memory
) -> None:
    assert answer(moved, QUERIES[name], CSV).body == (ANSWERS / f"{name}.csv").read_bytes()


@each_query
def test_a_query_can_be_asked_of_another_site(name: str, example_graph: Graph) -> None:
    head = (ANSWERS / f"{name}.csv").read_bytes().split(b"\r\n")[0]
    assert answer(example_graph.memory, QUERIES[name], CSV).body.startswith(head)


# Who was where when: dates of every precision, with and without an end


def present(graph: Graph, organization: str, month: str) -> list[tuple[str, str]]:
    found = rows(
        graph, asked_with("who-was-at", organization=f"orgs/{organization}#it", month=month)
    )
    return [(name, title) for name, title, *_ in found]


def test_a_position_with_an_unknown_end_is_not_ongoing(graph: Graph) -> None:
    assert present(graph, "osu-nbcl", "2010-09") == [("Minjia Zhang", "Research Assistant")]
    assert present(graph, "osu-nbcl", "2010-10") == []
    assert ["Minjia Zhang", "Research Assistant"] not in [
        row[:2] for row in rows(graph, asked_with("positions-at", date="2017-01-01"))
    ]


def test_an_ongoing_position_goes_on(graph: Graph) -> None:
    assert present(graph, "microsoft", "2030-01") == [
        ("Arpan Jain", "Senior Researcher"),
        ("Minjia Zhang", "Principal Researcher"),
    ]
    assert present(graph, "microsoft-coreai", "2024-07") == []


def test_who_is_in_a_unit_is_in_the_whole(graph: Graph) -> None:
    assert present(graph, "osu-plss", "2012-01") == [("Minjia Zhang", "Research Assistant")]
    assert present(graph, "osu", "2012-01") == [
        ("Minjia Zhang", "Ph.D. student"),
        ("Minjia Zhang", "Research Assistant"),
    ]


def test_the_first_and_the_last_month_count(graph: Graph) -> None:
    months = ["2019-04", "2019-05", "2019-07", "2019-08"]
    assert [len(present(graph, "wadhwani-ai", month)) for month in months] == [0, 1, 1, 0]


def test_a_year_counts_in_all_its_months_and_a_month_in_its_year(graph: Graph) -> None:
    months = ["2019-12", "2020-01", "2020-12", "2021-12", "2022-01"]
    assert [len(present(graph, "llnl", month)) for month in months] == [0, 1, 1, 1, 0]
    assert [
        len(present(graph, "wadhwani-ai", date))
        for date in ("2018", "2019", "2020", "2019-05-20", "2019-08-01")
    ] == [0, 1, 0, 1, 0]


# Chains of co-authors


def chain(graph: Graph, person: str, other: str) -> list[list[str]]:
    return rows(
        graph,
        asked_with("coauthor-chain", person=f"people/{person}#it", other=f"people/{other}#it"),
    )


def test_people_who_wrote_together_are_one_step_apart(graph: Graph) -> None:
    assert chain(graph, "minjia-zhang", "yuxiong-he") == [["1", "", "", ""]]


def test_a_chain_can_be_read_from_both_ends(graph: Graph) -> None:
    assert chain(graph, "neel-jain", "s-sahu") == [
        ["4", "Abhinav Bhatele", "Ammar Ahmad Awan", "Arpan Jain"]
    ]
    assert (
        chain(graph, "arpan-jain", "siddharth-singh")
        == chain(graph, "siddharth-singh", "arpan-jain")
        == [["2", "Ammar Ahmad Awan", "", ""]]
    )


def test_who_never_wrote_is_linked_with_nobody(graph: Graph) -> None:
    assert chain(graph, "saloni-jain", "arpan-jain") == []
