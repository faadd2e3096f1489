"""The questions of a site: ours and those in its own `queries/`, or general ones for any graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import Store as Engine

from kg.publish.formats.urls import Link
from kg.settings import Site, own_resources, resources
from kg.sparql.reading.questions import Question, read_question


def questions(site: Site) -> Iterator[Question]:
    """All but those that the check refuses, by name."""
    from kg.sparql.reading.own_queries import read_named  # noqa: PLC0415  RDF files have none

    for path in resources(site, "queries", "*.rq"):
        text, problems = read_named(path, f"queries/{path.name}", site.base)
        if not problems:
            yield read_question(path.stem, text)


def complete(query: str, base: str) -> str:
    """A query that any server understands: with a BASE, where it has relative addresses."""
    try:
        Engine().query(query)
    except SyntaxError:
        return f"BASE <{base}>\n{query}"
    return query


def own_queries(site: Site) -> bytes:
    """The text of the queries in the site's own folder."""
    return b"\n".join(path.read_bytes() for path in own_resources(site, "queries", "*.rq"))


def featured(questions: Iterable[Question]) -> list[Link]:
    """The featured questions as links to the page that answers them, from the top of the site."""
    found = sorted((each for each in questions if each.featured), key=lambda each: each.featured)
    return [Link(each.summary, f"queries/{each.name}.html") for each in found]


GENERAL = [
    read_question(
        "classes",
        """# Which classes are there, and how many things of each?
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing a ?class } UNION { GRAPH ?graph { ?thing a ?class } }
} GROUP BY ?class ORDER BY DESC(?things) ?class""",
    ),
    read_question(
        "properties",
        """# Which properties are used, and of how many things?
SELECT ?property (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing ?property ?value } UNION { GRAPH ?graph { ?thing ?property ?value } }
} GROUP BY ?property ORDER BY DESC(?things) ?property""",
    ),
    read_question(
        "triples",
        """# What does it look like? Ten triples, and the graph that each is in if that has a name.
SELECT * WHERE {
  { ?subject ?predicate ?object } UNION { GRAPH ?graph { ?subject ?predicate ?object } }
} LIMIT 10""",
    ),
]
