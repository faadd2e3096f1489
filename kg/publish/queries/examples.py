"""Questions to start from, in words: the named queries of a site, or some that can be asked of any
graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pyoxigraph import Store

from kg.errors import BadQuery, KgError
from kg.publish.queries import starter
from kg.publish.queries.results import address
from kg.settings import Site, resources, shipped
from kg.sparql.reading import guard
from kg.sparql.reading.outline import outline
from kg.store.memory import Memory

COMMENT = re.compile(r"#[ \t]*(.*)")
PARAMETERS, FEATURED = "parameters:", "featured:"


@dataclass(frozen=True)
class Example:
    """`about` names the values in the query that one would change: `person = people/ada#it`;
    `featured` is its place among those that the start of a site shows with their answers, if it is
    one of them.
    """

    name: str
    question: str
    query: str
    about: str = ""
    featured: str = ""

    @cached_property
    def href(self) -> str:
        """Where the form shows its answer."""
        return address(self.query, "html")

    @cached_property
    def page(self) -> str:
        """Where the copy of the form in a folder does."""
        return f"./{starter.address(self.query)}"

    @cached_property
    def form(self) -> str:
        """select, ask, construct or describe"""
        return outline(self.query).form.word.lower()

    def complete(self, base: str) -> str:
        """A query that any server understands: with the base, where it has addresses that are
        relative to it.
        """
        try:
            Store().query(self.query)
        except SyntaxError:
            return f"BASE <{base}>\n{self.query}"
        return self.query


def examples(site: Site) -> Iterator[Example]:
    """The queries of a site; each opens with its question in words. A site may have some of its
    own, and mistakes in them.
    """
    for path in resources(site, "queries", "*.rq"):
        try:
            yield example(path.stem, path.read_text(encoding="utf-8"), site.base)
        except (BadQuery, UnicodeDecodeError) as error:
            why = str(error).rstrip(".")
            raise KgError(
                f"{path}: this query cannot be published: {why}. Correct it, or move it out "
                "of queries/."
            ) from error


@lru_cache(maxsize=256)
def example(name: str, text: str, base: str) -> Example:
    guard.check(text)
    Memory(base).run(text)
    said = list(opening(text))
    question = " ".join(
        line for line in said if line and not line.startswith((PARAMETERS, FEATURED))
    )
    about, featured = (
        next((line.removeprefix(word).strip() for line in said if line.startswith(word)), "")
        for word in (PARAMETERS, FEATURED)
    )
    return Example(name, question or name.replace("-", " "), text.strip(), about, featured)


def own(site: Site) -> bytes:
    """The text of the queries that the site itself brought."""
    files = resources(site, "queries", "*.rq")
    return b"\n".join(
        path.read_bytes() for path in files if path.parent != shipped("queries").resolve()
    )


def opening(query: str) -> Iterator[str]:
    """The comments a query opens with, line by line."""
    for line in query.splitlines():
        found = COMMENT.fullmatch(line)
        if not found:
            return
        yield found[1].strip()


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
