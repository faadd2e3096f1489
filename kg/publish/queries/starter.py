"""A question to start from on any page: what the graph says about the subject of that page, as a
query one can read and change.
"""

from __future__ import annotations

from string import Template
from urllib.parse import quote, urlencode

LIST = Template("""# What is in the list "$title", and what is it called?
PREFIX schema: <http://schema.org/>
SELECT ?thing ?name WHERE {
  <$path#it> schema:itemListElement ?thing .
  ?thing schema:name ?name .
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


def about(path: str, title: str, wrote: bool = False, is_list: bool = False) -> str:
    """The question of the page at a path; who `wrote` with others is asked for them. A title is one
    line, or it would end its comment.
    """
    if not path:
        query = SITE
    elif is_list:
        query = LIST
    elif path.startswith("terms/"):
        query = TERMS
    else:
        query = AUTHOR if wrote else THING
    return query.substitute(path=path, title=" ".join(title.split()))


def address(query: str) -> str:
    """Where it is asked, seen from the top: in a folder the page with the form; a server answers
    it.
    """
    return "sparql.html?" + urlencode(
        {"query": query, "format": "html"}, quote_via=quote, safe="/:?"
    )
