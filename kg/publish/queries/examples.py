"""Queries to start from: a site's named queries, general ones for any graph, and one for each page.

A named query opens with its question in words, as a comment. The home page lists those with
`# featured: 1`, in the order of these numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import Template

from pyoxigraph import Store as Engine

from kg.publish.formats.urls import Link, query_answer, query_page
from kg.settings import Site, own_resources, resources
from kg.sparql.reading.outline import outline

PARAMETERS, FEATURED = "parameters:", "featured:"


@dataclass(frozen=True)
class Example:
    """`about` names the values in the query that one would change: `person = people/ada#it`;
    `featured` is its place among the featured queries, or empty.
    """

    name: str
    question: str
    query: str
    about: str = ""
    featured: str = ""

    @cached_property
    def href(self) -> str:
        """The endpoint's answer, as a page."""
        return query_answer(self.query, "html")

    @cached_property
    def page(self) -> str:
        """The same in a folder, where the page with the form answers."""
        return f"./{query_page(self.query)}"

    @cached_property
    def form(self) -> str:
        """select, ask, construct or describe"""
        return outline(self.query).form.word.lower()

    def complete(self, base: str) -> str:
        """A query that any server understands: with a BASE, where it has relative addresses."""
        try:
            Engine().query(self.query)
        except SyntaxError:
            return f"BASE <{base}>\n{self.query}"
        return self.query


def examples(site: Site) -> Iterator[Example]:
    """The named queries of a site: ours, and those in its own `queries/`, but for those that the
    check refuses.
    """
    from kg.sparql.reading.own_queries import read_query  # noqa: PLC0415  RDF files have none

    for path in resources(site, "queries", "*.rq"):
        text, problems = read_query(path, f"queries/{path.name}", site.base)
        if not problems:
            yield example(path.stem, text)


@lru_cache(maxsize=256)
def example(name: str, text: str) -> Example:
    from kg.sparql.reading.own_queries import opening  # noqa: PLC0415  RDF files have none

    comments = list(opening(text))
    question = " ".join(
        line for line in comments if line and not line.startswith((PARAMETERS, FEATURED))
    )
    about, featured = (
        next((line.removeprefix(word).strip() for line in comments if line.startswith(word)), "")
        for word in (PARAMETERS, FEATURED)
    )
    return Example(name, question or name.replace("-", " "), text.strip(), about, featured)


def own_queries(site: Site) -> bytes:
    """The text of the queries in the site's own folder."""
    return b"\n".join(path.read_bytes() for path in own_resources(site, "queries", "*.rq"))


def featured(examples: Iterable[Example]) -> list[Link]:
    """The featured queries as links to the page that answers them, from the top of the site."""
    found = (each for each in examples if each.featured)
    ordered = sorted(found, key=lambda each: (len(each.featured), each.featured))
    return [Link(each.question, query_page(each.query)) for each in ordered]


def starter_query(path: str, title: str, wrote: bool = False, is_list: bool = False) -> str:
    """A query about the subject of the page at a path, to read and change; for a person who `wrote`
    works, about co-authors. The title becomes one line, or it would end its comment.
    """
    choices = (
        (not path, SITE),
        (is_list, LIST),
        (path.startswith("terms/"), TERMS),
        (wrote, AUTHOR),
        (True, THING),
    )
    query = next(template for fits, template in choices if fits)
    whole = path[: path.rfind("/") + 1]  # of a list that is in parts
    return query.substitute(path=path, list=whole, title=" ".join(title.split()))


LIST = Template("""# What is in the list "$title", and what is it called?
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX schema: <http://schema.org/>
SELECT ?thing ?name WHERE {
  ?document foaf:primaryTopic ?thing .
  ?thing schema:name ?name .
  FILTER(STRSTARTS(STR(?document), STR(<$list>)))
} ORDER BY ?name ?thing""")

AUTHOR = Template("""# With whom did $title write, and how many works?
# Put another address between < and > to ask about someone else.
PREFIX schema: <http://schema.org/>
SELECT ?coauthor ?name (COUNT(DISTINCT ?work) AS ?works) WHERE {
  ?work schema:author <$path#it>, ?coauthor .
  ?coauthor schema:name ?name .
  FILTER(?coauthor != <$path#it>)
} GROUP BY ?coauthor ?name ORDER BY DESC(?works) ?name ?coauthor""")

THING = Template("""# What is said about $title, and of what is it said?
# Put another address between < and > to ask about something else.
PREFIX schema: <http://schema.org/>
SELECT ?property ?value ?name WHERE {
  { <$path#it> ?property ?value }
  UNION
  { ?value ?property <$path#it> }  # the other way round
  OPTIONAL { ?value schema:name ?name }
} ORDER BY ?property ?name ?value""")

TERMS = Template("""# Which terms are there, and what do they mean?
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <http://schema.org/>
SELECT ?term ?name ?meaning WHERE {
  ?term schema:name ?name .
  OPTIONAL { ?term rdfs:comment ?meaning }
  FILTER(STRSTARTS(STR(?term), STR(<$path#>)))
} ORDER BY ?name""")

SITE = Template("""# Which classes of things are there, and how many of each?
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  ?thing a ?class .
} GROUP BY ?class ORDER BY DESC(?things) ?class""")

GENERAL = [
    Example(
        "classes",
        "Which classes are there, and how many things of each?",
        """# Which classes are there, and how many things of each?
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing a ?class } UNION { GRAPH ?graph { ?thing a ?class } }
} GROUP BY ?class ORDER BY DESC(?things) ?class""",
    ),
    Example(
        "properties",
        "Which properties are used, and of how many things?",
        """# Which properties are used, and of how many things?
SELECT ?property (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing ?property ?value } UNION { GRAPH ?graph { ?thing ?property ?value } }
} GROUP BY ?property ORDER BY DESC(?things) ?property""",
    ),
    Example(
        "triples",
        "What does it look like? Ten triples.",
        """# Ten triples, and the graph that each is in if that has a name.
SELECT * WHERE {
  { ?subject ?predicate ?object } UNION { GRAPH ?graph { ?subject ?predicate ?object } }
} LIMIT 10""",
    ),
]
