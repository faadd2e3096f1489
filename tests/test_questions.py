"""Questions as people ask them, over the facts of this repository: plain filters, plain classes,
one edge where the way is long.
"""

from __future__ import annotations

import pytest

from kg.graph.build import Graph
from kg.store.protocol import Solution
from kg.vocab import PREFIXES
from tests.conftest import facts_of

ALVAR, MIRELA, SIGVARD = (
    f"<people/{name}#it>" for name in ("alvar-jarl", "mirela-zemann", "sigvard-sunde")
)
IN_MARCH_2019 = 'FILTER(?from <= "2019-03-31"^^xsd:date && ?to >= "2019-03-01"^^xsd:date)'


def solve(graph: Graph, query: str) -> list[Solution]:
    header = "".join(f"PREFIX {name}: <{space}> " for name, space in PREFIXES.items())
    return list(facts_of(graph).select(header + query))


def rows(graph: Graph, query: str) -> set[tuple[str, ...]]:
    """Addresses without the base, in the order of the columns."""
    return {
        tuple(term.value.removeprefix(graph.site.base) for term in row.values())
        for row in solve(graph, query)
    }


def holds(graph: Graph, pattern: str) -> bool:
    return bool(solve(graph, f"SELECT * {{ {pattern} }} LIMIT 1"))


# Filters and classes that used to find nothing, or too little


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ('?x a schema:EmployeeRole ; cv:latest ?to FILTER(?to < "2018-08-01"^^xsd:date)', 9),
        ("?x a schema:ScholarlyArticle ; cv:year ?year FILTER(?year >= 2020)", 40),
        ("?x a cv:Internship", 9),
        ('?x schema:name "Alvar Jarl"', 1),
        ("?x a schema:ProfilePage", 0),
        ("GRAPH <pages> { ?x a schema:ProfilePage }", 3),
        ("?x a cv:Owner GRAPH <pages> { ?page schema:mainEntity ?x }", 3),
        ("?x a cv:Owner", 3),
    ],
)
def test_a_plain_question_finds_all(pattern: str, count: int, graph: Graph) -> None:
    assert len(rows(graph, f"SELECT DISTINCT ?x {{ {pattern} }}")) == count


def test_who_was_with_which_employer_in_a_month(graph: Graph) -> None:
    query = f"""SELECT ?p ?employer {{ ?p a cv:Owner ; schema:affiliation ?r .
      ?r a schema:EmployeeRole ; cv:earliest ?from ; cv:latest ?to ; cv:employer ?employer
      {IN_MARCH_2019} }}"""
    assert rows(graph, query) == {
        ("people/alvar-jarl#it", "orgs/osu#it"),
        ("people/mirela-zemann#it", "orgs/meridian#it"),
    }


# Questions that took a dozen lines


def test_series_in_which_several_owners_published(graph: Graph) -> None:
    short = """SELECT ?v { ?p a cv:Owner . ?w schema:author ?p ; cv:venue ?v }
      GROUP BY ?v HAVING(COUNT(DISTINCT ?p) > 1)"""
    long = """SELECT ?v { ?p a cv:Owner . ?w schema:author ?p .
      ?w (schema:isPartOf/schema:about/schema:superEvent)|schema:isPartOf+ ?v .
      ?v a ?kind FILTER(?kind IN (schema:EventSeries, schema:Periodical)) }
      GROUP BY ?v HAVING(COUNT(DISTINCT ?p) > 1)"""
    assert rows(graph, short) == rows(graph, long) != set()


def test_owners_at_an_organisation_or_its_units_in_a_month(graph: Graph) -> None:
    query = f"""SELECT DISTINCT ?p {{ ?p a cv:Owner ; schema:affiliation ?r .
      ?r a schema:EmployeeRole ; cv:earliest ?from ; cv:latest ?to ;
        schema:affiliation/schema:parentOrganization* <orgs/osu#it>
      {IN_MARCH_2019} }}"""
    assert rows(graph, query) == {("people/alvar-jarl#it",)}


def overlap(one: str, other: str, organization: str) -> str:
    return f"""{one} schema:affiliation ?a . {other} schema:affiliation ?b .
      ?a cv:earliest ?from ; cv:latest ?to ;
        schema:affiliation/schema:parentOrganization* <orgs/{organization}#it> .
      ?b cv:earliest ?start ; cv:latest ?end ;
        schema:affiliation/schema:parentOrganization* <orgs/{organization}#it>
      FILTER(?from <= ?end && ?start <= ?to)"""


def test_whether_the_stays_of_two_people_overlap(graph: Graph) -> None:
    assert holds(graph, overlap(ALVAR, MIRELA, "meridian"))
    assert not holds(graph, overlap(ALVAR, MIRELA, "osu"))


def test_editions_at_which_two_people_had_some_part(graph: Graph) -> None:
    short = f"""SELECT ?e {{ {ALVAR} cv:tookPartIn ?e . {MIRELA} cv:tookPartIn ?e .
      ?e a schema:ConferenceEvent }}"""
    part = """{ { ?e schema:workFeatured/schema:author %s } UNION
      { ?e schema:contributor/schema:contributor %s } UNION
      { %s schema:performerIn/schema:superEvent ?e } }"""
    parts = " ".join(part.replace("%s", person) for person in (ALVAR, MIRELA))
    long = f"SELECT DISTINCT ?e {{ {parts} ?e a schema:ConferenceEvent }}"
    assert rows(graph, short) == rows(graph, long) != set()


def test_years_in_which_somebody_had_some_part_in_a_series(graph: Graph) -> None:
    query = f"""SELECT DISTINCT ?y {{ {ALVAR} cv:tookPartIn ?e .
      ?e cv:venue <venues/sc#it> ; cv:year ?y }}"""
    assert rows(graph, query) == {("2019",), ("2020",), ("2021",), ("2022",)}


def test_who_were_students_at_the_same_time(graph: Graph) -> None:
    query = """SELECT DISTINCT ?p ?q { ?p a cv:Owner ; schema:affiliation ?a . ?a a cv:Study ;
      cv:earliest ?from ; cv:latest ?to . ?q a cv:Owner ; schema:affiliation ?b . ?b a cv:Study ;
      cv:earliest ?start ; cv:latest ?end
      FILTER(?from <= ?end && ?start <= ?to && STR(?p) < STR(?q)) }"""
    alvar, mirela, sigvard = (name[1:-1] for name in (ALVAR, MIRELA, SIGVARD))
    assert rows(graph, query) == {(alvar, mirela), (alvar, sigvard), (mirela, sigvard)}


def test_papers_of_each_year(graph: Graph) -> None:
    query = (
        """SELECT ?y (COUNT(*) AS ?n) { ?w a schema:ScholarlyArticle ; cv:year ?y } GROUP BY ?y"""
    )
    dated = len(rows(graph, "SELECT ?w { ?w a schema:ScholarlyArticle ; schema:datePublished ?d }"))
    assert sum(int(number) for _, number in rows(graph, query)) == dated


def test_every_dated_thing_has_comparable_dates(graph: Graph) -> None:
    missing = """SELECT ?x { ?x schema:startDate|schema:datePublished ?date
      FILTER NOT EXISTS { ?x cv:earliest ?from ; cv:year ?year } }"""
    assert rows(graph, missing) == set()


def test_nothing_belongs_to_two_venues(graph: Graph) -> None:
    twice = "SELECT ?x { ?x cv:venue ?v } GROUP BY ?x HAVING(COUNT(?v) > 1)"
    assert rows(graph, twice) == set()


def test_kinds_are_additional_types_for_one_release(graph: Graph) -> None:
    short, long = (
        rows(graph, f"SELECT ?r {{ ?r {way} cv:Internship }}")
        for way in ("a", "schema:additionalType")
    )
    assert short == long
