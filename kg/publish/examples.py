"""Questions to start from, in words: the named queries of a site, or some that can be asked of any graph."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from kg.publish.results import address
from kg.settings import Site, resources

QUESTION = re.compile(r"# *(\S.*)")
ABOUT = re.compile(r"# parameters: (.+)", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """`about` names the values in the query that one would change: `person = people/ada#it`."""

    question: str
    query: str
    about: str = ""

    @cached_property
    def href(self) -> str:
        return address(self.query, "html")


def named(site: Site) -> list[Example]:
    """The queries of a site; each opens with its question in words."""
    found = []
    for path in resources(site, "queries", "*.rq"):
        query = path.read_text(encoding="utf-8", errors="replace").strip()
        question, about = QUESTION.match(query), ABOUT.search(query)
        found.append(Example(question[1] if question else path.stem, query, about[1] if about else ""))
    return found


GENERAL = [
    Example(
        "Which classes are there, and how many things of each?",
        """# Which classes are there, and how many things of each?
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing a ?class } UNION { GRAPH ?graph { ?thing a ?class } }
} GROUP BY ?class ORDER BY DESC(?things) ?class""",
    ),
    Example(
        "Which properties are used, and of how many things?",
        """# Which properties are used, and of how many things?
SELECT ?property (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing ?property ?value } UNION { GRAPH ?graph { ?thing ?property ?value } }
} GROUP BY ?property ORDER BY DESC(?things) ?property""",
    ),
    Example(
        "What does it look like? Ten triples.",
        """# Ten triples, and the graph that each is in if that has a name.
SELECT * WHERE {
  { ?subject ?predicate ?object } UNION { GRAPH ?graph { ?subject ?predicate ?object } }
} LIMIT 10""",
    ),
]
