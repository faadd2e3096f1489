"""The named queries: the documentation of the model that runs.

What each answers over the large site is in `answers/`, as `kg query NAME` prints it; a person has
read every file against the facts.
"""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from kg.check.check import good
from kg.graph.build import Graph
from kg.plugins.figures.answers import draw
from kg.publish.questions.results import CellMaker, table
from kg.sparql.evaluate import answer
from kg.sparql.reading.own_queries import header_faults
from kg.sparql.reading.parameters import written
from kg.sparql.reading.questions import Question, read_question
from kg.store.memory import Memory
from kg.store.protocol import Query, Wanted
from kg.vocab import apart, cv
from tests.conftest import ROOT
from tests.stand_ins import with_stand_ins

QUERIES = {
    path.stem: with_stand_ins(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "queries").glob("*.rq"))
}
QUESTIONS = {name: read_question(name, text) for name, text in QUERIES.items()}
ANSWERS = Path(__file__).parent / "answers"
CSV = Wanted("text/csv", "text/turtle")
JSON = Wanted("application/sparql-results+json", "text/turtle")
TAGS = {"people", "works", "career", "service", "teaching", "data"}
ELSEWHERE = "https://moved.example.net/some/where/"

each_query = pytest.mark.parametrize("name", QUERIES)


def block(question: Question) -> str:
    """The places of its parameters, as the query has them."""
    found = re.search(r"VALUES \([^)]*\) \{ \([^)]*\) \}", question.text)
    return found[0] if found and question.parameters else ""


def asked_with(name: str, **values: str) -> str:
    """A query with other values for its parameters."""
    question = QUESTIONS[name]
    return question.filled(
        {
            name: written(each, values[name], question.slots[name])
            for name in values
            if (each := question.parameter(name))
        }
    )


def rows(graph: Graph, query: str) -> list[list[str]]:
    text = answer(graph.memory, Query(query, CSV)).body.decode()
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


def about_terms(hints: Sequence[str]) -> list[str]:
    """But for those about the things that are examples of values, which another site lacks."""
    return [hint for hint in hints if "#it>" not in hint]


@pytest.fixture(scope="module")
def moved(graph: Graph) -> Memory:
    """The same facts below another base: every address is another one, and so is the order in which
    the engine finds them.
    """
    base, other = graph.site.base.encode(), ELSEWHERE.encode()
    facts, rest = graph.nquads.replace(base, other), graph.rest.replace(base, other)
    return Memory(ELSEWHERE, facts, rest=rest)


@pytest.fixture(scope="module")
def example_graph() -> Graph:
    return good(ROOT / "kg" / "example")


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """A site of one person, of whom nothing is known but the name."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text("{base: 'https://one.example.org/', title: One}")
    (folder / "data" / "cv" / "jo-doe.yaml").write_text("basics: {name: Jo Doe}")
    return good(folder)


def test_no_query_went_missing() -> None:
    assert len(QUERIES) >= 58


def test_every_query_has_an_answer_and_every_answer_a_query() -> None:
    assert sorted(path.stem for path in ANSWERS.iterdir()) == sorted(QUERIES)


def test_every_answer_has_rows() -> None:
    """But for grants, of which no document speaks; the invented people have some."""
    assert [
        path.name for path in sorted(ANSWERS.iterdir()) if path.read_bytes().count(b"\r\n") < 2
    ] == ["grants.csv"]


@each_query
def test_a_query_opens_with_its_question(name: str) -> None:
    assert re.match(r"#\+ summary: \"?[A-Z][^\n]*\?\"?\n", QUERIES[name])


@each_query
def test_a_query_states_the_parameters_that_it_has(name: str) -> None:
    """With the values in the query, which is the first thing in WHERE, in the same order."""
    question = QUESTIONS[name]
    assert header_faults(f"queries/{name}.rq", QUERIES[name]) == ()
    assert [*question.slots][: len(question.parameters)] == [
        each.name for each in question.parameters
    ]
    if question.parameters:
        assert f"WHERE {{\n  {block(question)}\n" in question.text


@each_query
def test_a_query_is_found_by_its_tags(name: str) -> None:
    assert QUESTIONS[name].tags
    assert {*QUESTIONS[name].tags} <= TAGS


@each_query
def test_a_query_is_about_nobody_in_particular(name: str) -> None:
    """Things of this site stand among the parameters only; the product's own terms and the graphs
    of every site may stand anywhere.
    """
    addresses = re.findall(r"<([^>\s]+)>", QUERIES[name].replace(block(QUESTIONS[name]), ""))
    usual = ("http://", str(cv), *apart(""))
    assert [address for address in addresses if not address.startswith(usual)] == []


@each_query
def test_a_query_declares_the_prefixes_that_it_uses(name: str) -> None:
    query = re.sub(r'(?m)#.*$|"[^"\n]*"', "", re.sub(r"<[^>\s]*>", "<>", QUERIES[name]))
    declared = re.findall(r"^PREFIX (\w+):", query, re.MULTILINE)
    assert sorted(declared) == sorted(set(re.findall(r"(?<![?\w])(\w+):\w", query)))


@each_query
def test_a_query_is_answered_soon_with_what_the_documents_say(name: str, graph: Graph) -> None:
    start = time.process_time()
    found = answer(graph.memory, Query(QUERIES[name], CSV))
    assert time.process_time() - start < 1
    assert found.body == (ANSWERS / f"{name}.csv").read_bytes()
    assert found.hints == ()


@each_query
def test_the_picture_that_a_query_wants_fits_its_answer(
    name: str, graph: Graph, example_graph: Graph
) -> None:
    """No document speaks of grants, but the invented people have some."""
    memory = (example_graph if name == "grants" else graph).memory
    result = table(answer(memory, Query(QUERIES[name], JSON)).body)
    found = draw(QUESTIONS[name].picture, result, CellMaker(memory.base, lambda _: ""), "?")
    assert found.reason == ""
    assert QUESTIONS[name].picture in ("", "none") or found.figure or found.shares


@each_query
def test_a_query_gives_the_same_rows_in_the_same_order_wherever_the_site_is(
    name: str, moved: Memory
) -> None:
    assert answer(moved, Query(QUERIES[name], CSV)).body == (ANSWERS / f"{name}.csv").read_bytes()


@each_query
def test_a_query_can_be_asked_of_another_site(name: str, example_graph: Graph) -> None:
    head = (ANSWERS / f"{name}.csv").read_bytes().split(b"\r\n")[0]
    found = answer(example_graph.memory, Query(QUERIES[name], CSV))
    assert found.body.startswith(head)
    assert about_terms(found.hints) == []


@each_query
def test_a_query_can_be_asked_of_a_site_with_nothing_but_a_name(name: str, bare: Graph) -> None:
    head = (ANSWERS / f"{name}.csv").read_bytes().split(b"\r\n")[0]
    found = answer(bare.memory, Query(QUERIES[name], CSV))
    assert found.body == head + b"\r\n"
    assert about_terms(found.hints) == []


# Who was where when: dates of every precision, with and without an end


def present(graph: Graph, organization: str, month: str) -> list[tuple[str, str]]:
    found = rows(
        graph, asked_with("who-was-at", organization=f"orgs/{organization}#it", month=month)
    )
    return [(name, title) for name, title, *_ in found]


def test_a_position_with_an_unknown_end_is_not_ongoing(graph: Graph) -> None:
    assert present(graph, "osu-nbcl", "2010-09") == [("Mirela Zemann", "Research Assistant")]
    assert present(graph, "osu-nbcl", "2010-10") == []
    assert ["Mirela Zemann", "Research Assistant"] not in [
        row[:2] for row in rows(graph, asked_with("positions-at", date="2017-01-01"))
    ]


def test_an_ongoing_position_goes_on(graph: Graph) -> None:
    assert present(graph, "meridian", "2030-01") == [
        ("Alvar Jarl", "Senior Researcher"),
        ("Mirela Zemann", "Principal Researcher"),
    ]
    assert present(graph, "meridian-coreai", "2024-07") == []


def test_who_is_in_a_unit_is_in_the_whole(graph: Graph) -> None:
    assert present(graph, "osu-plss", "2012-01") == [("Mirela Zemann", "Research Assistant")]
    assert present(graph, "osu", "2012-01") == [
        ("Mirela Zemann", "Ph.D. student"),
        ("Mirela Zemann", "Research Assistant"),
    ]


def test_the_first_and_the_last_month_count(graph: Graph) -> None:
    months = ["2019-04", "2019-05", "2019-07", "2019-08"]
    assert [len(present(graph, "wendland-ai", month)) for month in months] == [0, 1, 1, 0]


def test_a_year_counts_in_all_its_months_and_a_month_in_its_year(graph: Graph) -> None:
    months = ["2012-12", "2013-01", "2018-12", "2019-01"]
    assert [len(present(graph, "abv-iiitm", month)) for month in months] == [0, 2, 1, 0]
    assert [
        len(present(graph, "wendland-ai", date))
        for date in ("2018", "2019", "2020", "2019-05-20", "2019-08-01")
    ] == [0, 1, 0, 1, 0]


def test_a_season_is_no_whole_year(graph: Graph) -> None:
    months = ["2020-04", "2020-05", "2020-09", "2020-10", "2021-07", "2020", "2022"]
    assert [len(present(graph, "llnl", month)) for month in months] == [0, 1, 1, 0, 1, 1, 0]
    assert [
        [row[0] for row in rows(graph, asked_with("positions-at", date=date))]
        for date in ("2020-03-01", "2020-07-01")
    ] == [
        ["Alvar Jarl", "Mirela Zemann"],
        ["Alvar Jarl", "Alvar Jarl", "Mirela Zemann"],
    ]


# Chains of co-authors


def joint(graph: Graph, person: str, other: str) -> list[list[str]]:
    return rows(
        graph,
        asked_with("coauthor-chain", person=f"people/{person}#it", other=f"people/{other}#it"),
    )


def chain(graph: Graph, person: str, other: str) -> list[str]:
    """The people on the way, each once."""
    found = joint(graph, person, other)
    return list(dict.fromkeys(name for row in found for name in row[2:4]))


def test_people_who_wrote_together_are_one_step_apart(graph: Graph) -> None:
    assert chain(graph, "mirela-zemann", "yvonne-he") == ["Mirela Zemann", "Yvonne He"]
    assert {row[0] for row in joint(graph, "mirela-zemann", "yvonne-he")} == {"1"}


def test_a_chain_can_be_read_from_both_ends(graph: Graph) -> None:
    there = ["Numar Jarl", "Albin Birkeland", "Almar Aksel Arvik", "Alvar Jarl", "S. Seta"]
    assert chain(graph, "numar-jarl", "s-seta") == there
    assert chain(graph, "s-seta", "numar-jarl") == there[::-1]


def test_each_step_of_a_chain_has_the_works_that_join(graph: Graph) -> None:
    found = joint(graph, "alvar-jarl", "sigvard-sunde")
    assert [row[1] for row in found] == ["1"] * 7 + ["2"], "seven works, then one"
    assert found[-1][2:4] == ["Almar Aksel Arvik", "Sigvard Sunde"]
    back = joint(graph, "sigvard-sunde", "alvar-jarl")
    assert sorted(row[4] for row in back) == sorted(row[4] for row in found)


def test_who_never_wrote_is_linked_with_nobody(graph: Graph) -> None:
    assert joint(graph, "sasilo-jarl", "alvar-jarl") == []
    assert joint(graph, "alvar-jarl", "alvar-jarl") == []


# Collaborators, for declarations of conflicts of interest


def collaborators(graph: Graph, date: str, months: str = "48") -> set[tuple[str, str]]:
    values = {"person": "people/sigvard-sunde#it", "date": date, "months": months}
    found = rows(graph, asked_with("recent-collaborators", **values))
    return {(name, how) for name, _, how, *_ in found}


def test_months_are_counted_back_from_the_day(graph: Graph) -> None:
    dey = ("Siniraloma Dey", "wrote together")  # in 2021, without a month
    assert dey in collaborators(graph, "2025-12-31")
    assert dey not in collaborators(graph, "2026-01-01")
    assert dey in collaborators(graph, "2026-01-01", "49")
    assert dey not in collaborators(graph, "2021-01-01")


def test_a_team_counts_only_while_both_were_there(graph: Graph) -> None:
    jarl = ("Alvar Jarl", "was in the same team")  # until August 2022
    assert jarl in collaborators(graph, "2026-08-15")
    assert jarl not in collaborators(graph, "2026-09-01")
    assert jarl not in collaborators(graph, "2022-06-01")


def test_advice_counts_until_the_studies_end(graph: Graph) -> None:
    assert ("Siniraloma Dey", "was advised by") in collaborators(graph, "2024-12-01")
    assert ("Siniraloma Dey", "was advised by") not in collaborators(graph, "2025-01-01")
    assert ("Albin Birkeland", "was advised by") in collaborators(graph, "2040-01-01")


def test_who_was_mentored_without_dates_is_listed(graph: Graph) -> None:
    values = {"person": "people/alvar-jarl#it", "date": "2040-01-01"}
    found = rows(graph, asked_with("recent-collaborators", **values))
    assert ["Sasilo Jarl", "", "mentored", "", "Undergraduate student mentee"] in [
        [name, "", *row] for name, _, *row in found
    ]


# Values that may be left out


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        (
            "yearly-report",
            {"year": "2022", "organization": "orgs/meridian#it"},
            [["Alvar Jarl", "2022"], ["Mirela Zemann", "2022"], ["Sigvard Sunde", "2022"]],
        ),
        (
            "yearly-report",
            {"year": "2024", "organization": "orgs/umd#it"},
            [["Sigvard Sunde", "2024"]],
        ),
        (
            "same-workplace",
            {"organization": "orgs/meridian-research#it"},
            [["DeepWater Team", "Alvar Jarl"]],
        ),
        (
            "same-workplace",
            {"person": "people/sigvard-sunde#it"},
            [
                ["DeepWater Team", "Sigvard Sunde", "Summer Research Intern", "Alvar Jarl"],
                ["Meridian", "Sigvard Sunde", "Summer Research Intern", "Mirela Zemann"],
            ],
        ),
        ("press-about", {"since": "2021-05-25"}, [["2022-01-19"], ["2021-08-18"]]),
        (
            "press-about",
            {"person": "people/mirela-zemann#it", "before": "2020-02-11"},
            [["2020-02-10"], ["2020-02-10"], ["2020-02-10"]],
        ),
        (
            "mentees",
            {"person": "people/mirela-zemann#it", "date": "2018-07-15"},
            [["Selisvik Zemar", "Mirela Zemann"]],
        ),
        (
            "grades",
            {"person": "people/sigvard-sunde#it"},
            [["Sigvard Sunde", "B.Tech (Hons.) and M.Tech student"]],
        ),
        (
            "identifiers",
            {"person": "people/alvar-jarl#it"},
            [
                [
                    "HyDelta-Ledger: Damming MPI and Glaciers for Fjord Hybrid-Parallel "
                    "DNN Training with TensorFlow",
                    "2020",
                    "ISBN of the book",
                ]
            ],
        ),
        (
            "places",
            {"place": "places/columbus-oh-us#it"},
            [["Columbus, OH, USA", "Alvar Jarl", "studies"]],
        ),
        (
            "who-is-in",
            {"place": "places/bellevue-wa-us#it"},
            [["Bellevue, WA, USA", "Mirela Zemann", "home"]],
        ),
        (
            "happened-since",
            {"since": "2022-07-01", "person": "people/mirela-zemann#it"},
            [["2022-10-20", "Mirela Zemann"], ["2022-07-28", "Mirela Zemann"]],
        ),
        (
            "alumni",
            {"person": "people/muvikra-basen#it"},
            [["Muvikra D. Basen", "Mirela Zemann"]],
        ),
        ("degrees", {"organization": "orgs/osu#it"}, [["Alvar Jarl"], ["Mirela Zemann"]]),
        ("talks", {"person": "people/alvar-jarl#it"}, [["2024", "Alvar Jarl"]]),
        ("awards", {"person": "people/alvar-jarl#it"}, [["award", "Graduate Research Award"]]),
        ("papers-per-year", {"person": "people/sigvard-sunde#it"}, [["2019", "1"]]),
        (
            "current-employers",
            {"organization": "orgs/meridian#it"},
            [["Alvar Jarl"], ["Mirela Zemann"]],
        ),
    ],
)
def test_a_value_narrows_the_answer(
    graph: Graph, name: str, values: dict[str, str], expected: list[list[str]]
) -> None:
    found = rows(graph, asked_with(name, **values))
    assert [row[: len(expected[0])] for row in found][: len(expected)] == expected
    assert len(found) < len(rows(graph, QUERIES[name]))


def test_what_goes_on_counts_in_each_year(example_graph: Graph) -> None:
    """A seat on a board since 2023, an editorship since 2025, a committee and a review."""
    assert rows(example_graph, QUERIES["service-load"]) == [
        ["Ada Lindqvist", "2023", "2"],
        ["Ada Lindqvist", "2024", "2"],
        ["Ada Lindqvist", "2025", "2"],
    ]


def test_grants_have_amounts_and_parts(example_graph: Graph) -> None:
    society, gauges = "Society for Sand", "Gauges That Survive Floods"
    of_gauges = [gauges, society, "SFS-17", "400000", "EUR", "2020", "2023"]
    of_ada = [
        *["The Sound of Moving Gravel", society, "SFS-42", "250000", "EUR", "2023-01", "2025-12"],
        *["Ada Lindqvist", "Principal investigator"],
    ]
    assert rows(example_graph, QUERIES["grants"]) == [
        of_ada,
        [*of_gauges, "Noor Haddad", "Co-investigator"],
        [*of_gauges, "Tomás Ferreira", "Principal investigator"],
    ]
    assert rows(example_graph, asked_with("grants", person="people/ada-lindqvist#it")) == [of_ada]
    assert rows(example_graph, asked_with("grants", funder="orgs/delta-works#it")) == []
