"""Queries to start from, one for each page: about its subject, to read and to change."""

from __future__ import annotations

from string import Template


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
