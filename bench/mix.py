"""The queries of the comparison. Each has a parameter, so that all requests of a round can
differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from bench.generate import WORDS

PREFIX = "PREFIX schema: <http://schema.org/>\n"
OWNER = re.compile(r"^<(\S+/people/[^/#>]+#it)> <http://schema.org/jobTitle>", re.MULTILINE)

DESCRIBE = "DESCRIBE <{}>"
THE_SAME = """CONSTRUCT {{ <{0}> ?property ?value . ?value schema:name ?name }} WHERE {{
  <{0}> ?property ?value OPTIONAL {{ ?value schema:name ?name }}
}}"""  # the triples that our DESCRIBE returns for a person
COAUTHORS = """SELECT ?name (COUNT(?work) AS ?works) WHERE {{
  ?work schema:author <{0}>, ?other . ?other schema:name ?name FILTER(?other != <{0}>)
}} GROUP BY ?other ?name ORDER BY DESC(?works) ?name"""
PER_YEAR = """# {}
SELECT ?year (COUNT(DISTINCT ?work) AS ?works) WHERE {{
  ?work schema:author ?anyone ; schema:datePublished ?date BIND(SUBSTR(STR(?date), 1, 4) AS ?year)
}} GROUP BY ?year ORDER BY ?year"""
WELL_PUT = """# {}
SELECT ?year (COUNT(DISTINCT ?work) AS ?works) WHERE {{
  ?work schema:datePublished ?date FILTER EXISTS {{ ?work schema:author ?anyone }} BIND(SUBSTR(STR(?date), 1, 4) AS ?year)
}} GROUP BY ?year ORDER BY ?year"""  # noqa: E501
TEXT = """SELECT ?work ?title WHERE {{
  ?work a schema:ScholarlyArticle ; schema:name ?title FILTER(CONTAINS(LCASE(STR(?title)), "{}"))
}}"""
HOPS = """SELECT DISTINCT ?employer WHERE {{
  ?one schema:author <{0}>, ?friend . ?two schema:author ?friend, ?stranger . ?stranger schema:worksFor ?employer
}}"""  # noqa: E501
PAGE = """SELECT ?work ?title ?date WHERE {{
  ?work a schema:ScholarlyArticle ; schema:name ?title ; schema:datePublished ?date
}} ORDER BY DESC(STR(?date)) ?title ?work LIMIT 20 OFFSET {}"""


@dataclass(frozen=True)
class Question:
    """A kind of query. All servers must return the same table, or the triples of our DESCRIBE,
    which others are asked for with the query `elsewhere`. If that is empty, each server may answer
    differently.
    """

    name: str
    text: str
    values: Callable[[list[str]], list[str]]
    count: int  # requests of one client per round
    elsewhere: str = ""

    @property
    def is_table(self) -> bool:
        return not self.text.startswith("DESCRIBE")

    @property
    def is_free(self) -> bool:
        """Whether each server may answer differently."""
        return not self.is_table and not self.elsewhere

    def asked(self, people: list[str], first: int, count: int, server: str = "kg") -> list[str]:
        """Different queries for one of the servers, starting at number `first`."""
        values, text = (
            self.values(people),
            self.text if server.startswith("kg") else self.elsewhere or self.text,
        )
        return [
            PREFIX + text.format(values[(first + number) % len(values)]) for number in range(count)
        ]


def numbers(step: int, most: int) -> Callable[[list[str]], list[str]]:
    return lambda _people: [str(number * step) for number in range(most)]


QUESTIONS = (
    Question("describe one person", DESCRIBE, lambda people: people, 1000, THE_SAME),
    Question("DESCRIBE, as each server does", DESCRIBE, lambda people: people, 1000),
    Question("co-authors of one", COAUTHORS, lambda people: people, 1000),
    Question("papers per year", PER_YEAR, numbers(1, 1000), 5),
    Question("papers per year, well put", WELL_PUT, numbers(1, 1000), 5),
    Question(
        "text filter", TEXT, lambda _people: [" ".join(pair) for pair in permutations(WORDS, 2)], 10
    ),
    Question("three hops", HOPS, lambda people: people, 20),
    Question("page in order", PAGE, numbers(20, 200), 10),
)


def people_in(nquads: Path) -> list[str]:
    """The people with a CV, not in the order of storage."""
    return sorted(set(OWNER.findall(nquads.read_text(encoding="utf-8"))), key=lambda iri: iri[::-1])
