"""The questions of a site: built-in ones and those in its own `queries/`, or general ones for any
graph. Answers that need no values are computed when a site is built, from the data of the endpoint,
with the same bytes as a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from io import BytesIO
from string import Template

from pyoxigraph import QueryResultsFormat, RdfFormat, parse, serialize
from pyoxigraph import Store as Engine
from pyoxigraph import parse_query_results as parse_results

from kg.publish.formats.media import NTRIPLES, TABLES
from kg.publish.questions import results
from kg.publish.questions.evidence import Source, is_cited, sources, with_links
from kg.publish.questions.results import QueryResult
from kg.settings import Site, own_resources, resources
from kg.sparql.evaluate import MOST_BYTES, Evaluation
from kg.sparql.reading.questions import Question, read_question
from kg.store.memory import Memory
from kg.store.protocol import Graphs, Wanted
from kg.vocab import PREFIXES, VOCABULARY


def questions(site: Site) -> Iterator[Question]:
    """All valid questions, by name; `kg check` reports the others."""
    from kg.sparql.reading.own_queries import read_named  # noqa: PLC0415  RDF files have none

    own = frozenset(own_resources(site, "queries", "*.rq"))
    for path in resources(site, "queries", "*.rq"):
        if path not in own:
            yield read_question(path.stem, path.read_text(encoding="utf-8"))
            continue
        text, problems = read_named(path, f"queries/{path.name}", site.base)
        if not problems:
            yield read_question(path.stem, text)


def complete(query: str, base: str) -> str:
    """A query for any server: with a BASE, if it has relative addresses."""
    try:
        Engine().query(query)
    except SyntaxError:
        return f"BASE <{base}>\n{query}"
    return query


def own_queries(site: Site) -> bytes:
    """The text of the queries in the site's own folder."""
    return b"\n".join(path.read_bytes() for path in own_resources(site, "queries", "*.rq"))


GENERAL_QUESTIONS = [
    read_question(
        "classes",
        """# Which classes are used, and how often?
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing a ?class } UNION { GRAPH ?graph { ?thing a ?class } }
} GROUP BY ?class ORDER BY DESC(?things) ?class""",
    ),
    read_question(
        "properties",
        """# Which properties are used, and how often?
SELECT ?property (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  { ?thing ?property ?value } UNION { GRAPH ?graph { ?thing ?property ?value } }
} GROUP BY ?property ORDER BY DESC(?things) ?property""",
    ),
    read_question(
        "triples",
        """# What does the data look like? Ten triples, with their named graphs.
SELECT * WHERE {
  { ?subject ?predicate ?object } UNION { GRAPH ?graph { ?subject ?predicate ?object } }
} LIMIT 10""",
    ),
]


def starter_query(path: str, title: str, wrote: bool = False, is_list: bool = False) -> str:
    """An editable query about the subject of the page at a path; for a person who `wrote` works,
    about co-authors. Line breaks in the title are removed, since they would end the comment.
    """
    choices = (
        (not path, SITE_QUERY),
        (is_list, LIST_QUERY),
        (path == VOCABULARY, TERMS_QUERY),
        (wrote, AUTHOR_QUERY),
        (True, ENTRY_QUERY),
    )
    query = next(template for fits, template in choices if fits)
    whole = path[: path.rfind("/") + 1]  # of a paginated list
    return query.substitute(path=path, list=whole, title=" ".join(title.split()))


LIST_QUERY = Template("""# What is in the list "$title"?
PREFIX schema: <http://schema.org/>
SELECT ?thing ?name WHERE {
  ?thing schema:name ?name .
  FILTER(STRSTARTS(STR(?thing), STR(<$list>)) && REGEX(STR(?thing), "[^/]#it$$"))
} ORDER BY ?name ?thing""")

AUTHOR_QUERY = Template("""# Who are the co-authors of $title?
# To ask about someone else, change the address between < and >.
PREFIX bibo: <http://purl.org/ontology/bibo/>
PREFIX cv: <https://w3id.org/cv-kg/terms#>
PREFIX schema: <http://schema.org/>
SELECT ?coauthor ?name (COUNT(DISTINCT ?work) AS ?works) WHERE {
  ?work schema:author <$path#it>, ?coauthor .
  ?coauthor schema:name ?name .
  FILTER(?coauthor != <$path#it> && EXISTS { ?coauthor a schema:Person })
  # A preprint and its article count once, and patents are apart.
  FILTER NOT EXISTS { ?work a bibo:Patent }
  FILTER NOT EXISTS { ?work cv:laterVersion ?later . ?later schema:author <$path#it>, ?coauthor }
} GROUP BY ?coauthor ?name ORDER BY DESC(?works) ?name ?coauthor""")

ENTRY_QUERY = Template("""# Which facts have $title as subject or object?
# To ask about something else, change the address between < and >.
PREFIX schema: <http://schema.org/>
SELECT ?property ?value ?name WHERE {
  { <$path#it> ?property ?value }
  UNION
  { ?value ?property <$path#it> }  # as object
  OPTIONAL { ?value schema:name ?name }
} ORDER BY ?property ?name ?value""")

TERMS_QUERY = Template("""# Which terms are defined, and what do they mean?
PREFIX cv: <https://w3id.org/cv-kg/terms#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <http://schema.org/>
SELECT ?term ?name ?meaning WHERE {
  GRAPH <terms/cv> {
    ?term schema:name ?name .
    OPTIONAL { ?term rdfs:comment ?meaning }
    FILTER(STRSTARTS(STR(?term), STR(cv:)))
  }
} ORDER BY ?name""")

SITE_QUERY = Template("""# Which classes are used, and how often?
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  ?thing a ?class .
} GROUP BY ?class ORDER BY DESC(?things) ?class""")


SOURCE_FORMATS = Wanted(TABLES[0], NTRIPLES)  # the format that others are converted from


class SiteAnswers:
    """Evaluates queries over the graph of a site like its endpoint. `read` returns its facts and
    the rest, with the first query.
    """

    def __init__(self, base: str, read: Callable[[], tuple[bytes, bytes]]) -> None:
        self.base, self.read = base, read
        self.ask = lru_cache(maxsize=256)(self.evaluate)

    @cached_property
    def memory(self) -> Memory:
        facts, rest = self.read()
        return Memory(self.base, facts, rest=rest)

    def evaluate(self, query: str) -> bytes:
        """A table as JSON, a graph as N-Triples."""
        return Evaluation(self.memory, query, Graphs()).write(SOURCE_FORMATS, MOST_BYTES)[1]


def result_of(question: Question, body: bytes) -> QueryResult:
    """An answer for a page."""
    return results.table(body) if question.is_table else results.triples(body)


def cited(
    ask: Callable[[str], bytes], question: Question, body: bytes, documents: int
) -> list[Source]:
    """The sources of an answer that needs no values."""
    return sources(ask(question.evidence.text)) if is_cited(body, documents) else []


def answer_file(
    ask: Callable[[str], bytes], question: Question, media_type: str, base: str, documents: int
) -> bytes:
    """The answer that needs no values; JSON also has addresses and sources."""
    if media_type == TABLES[0]:
        body = ask(question.linked.text)
        return with_links(body, cited(ask, question, body, documents))
    body = ask(question.text)
    if question.is_table:
        out, form = BytesIO(), QueryResultsFormat.from_media_type(media_type)
        parse_results(body, format=QueryResultsFormat.JSON).serialize(out, format=form)
        return out.getvalue()
    triples = (quad.triple for quad in parse(body, RdfFormat.N_TRIPLES, lenient=True))
    form_of_graph = RdfFormat.from_media_type(media_type)
    return serialize(triples, format=form_of_graph, prefixes=PREFIXES) or b""
