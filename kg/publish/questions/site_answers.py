"""The questions that need no value, answered when the files of a site are made, from what the
endpoint of a server knows: the same answers, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from io import BytesIO

from pyoxigraph import QueryResultsFormat, RdfFormat, parse, serialize
from pyoxigraph import parse_query_results as parse_results

from kg.publish.formats.media import NTRIPLES, TABLES
from kg.publish.questions import results
from kg.publish.questions.results import QueryResult
from kg.sparql.evaluate import MOST_BYTES, Evaluation
from kg.sparql.reading.questions import Question
from kg.store.memory import Memory
from kg.store.protocol import Graphs, Wanted
from kg.vocab import prefixes

PLAIN = Wanted(TABLES[0], NTRIPLES)  # the form that the others are written from


class SiteAnswers:
    """Evaluates queries over the `facts` of a site, with its pages in a graph of their own. These
    are loaded when the first is asked.
    """

    def __init__(self, base: str, facts: Callable[[], bytes], pages: bytes) -> None:
        self.base, self.facts, self.pages = base, facts, pages
        self.ask = lru_cache(maxsize=256)(self.evaluate)

    @cached_property
    def memory(self) -> Memory:
        return Memory(self.base, self.facts(), pages=self.pages)

    def evaluate(self, query: str) -> bytes:
        """A table as JSON, a graph as N-Triples."""
        return Evaluation(self.memory, query, Graphs()).write(PLAIN, MOST_BYTES)[1]


def result_of(question: Question, body: bytes) -> QueryResult:
    """An answer as a page shows it."""
    return results.table(body) if question.is_table else results.triples(body)


def answer_as(media_type: str, question: Question, body: bytes, base: str) -> bytes:
    """An answer in another form."""
    if question.is_table:
        if media_type == TABLES[0]:
            return body
        out, form = BytesIO(), QueryResultsFormat.from_media_type(media_type)
        parse_results(body, format=QueryResultsFormat.JSON).serialize(out, format=form)
        return out.getvalue()
    triples = (quad.triple for quad in parse(body, RdfFormat.N_TRIPLES, lenient=True))
    form_of_graph = RdfFormat.from_media_type(media_type)
    return serialize(triples, format=form_of_graph, prefixes=prefixes(base)) or b""
