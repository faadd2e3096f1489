"""A stranger's query, evaluated on a graph, in the process of the caller; that is a worker.

What the engine does otherwise than people expect is put right here: `SELECT *` keeps the order of
the query, a function nobody knows is an error of its expression alone, an answer has a largest
size, and DESCRIBE gives more than one node: a thing's own triples, those of the facts that depend
on it, and what everything it mentions is called. A fact depends on a thing when it is another
fragment of the same document of the site, as a position is of a person's, or a blank node.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from traceback import clear_frames
from typing import TYPE_CHECKING, Any

from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    QueryTriples,
    RdfFormat,
    Triple,
    serialize,
)

from kg.errors import BadQuery, WrongForm
from kg.sparql.reading.hints import hints
from kg.sparql.reading.outline import Outline, outline
from kg.sparql.reading.parse_errors import readable
from kg.sparql.reading.tokens import Token, template_of
from kg.store.memory import Memory
from kg.store.protocol import Answer, Graphs, Query, Wanted
from kg.vocab import dcterms, foaf, prefixes, rdfs, schema, skos

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Result = QuerySolutions | QueryBoolean | QueryTriples
MOST_BYTES = 1 << 40  # for queries of our own
MOST_UNKNOWN = 16
IN_FULL = re.compile(r"<[a-z]+://(?:(?!/\.)[^\\<>])+>")  # and has no steps such as /../
UNKNOWN = re.compile(r"The custom function <(.*)> is not supported")
LABELS = [
    NamedNode(iri)
    for iri in (schema.name, foaf.name, rdfs.label, f"{skos}prefLabel", dcterms.title)
]
NOT_DESCRIBED = (Literal, Triple)
Place = NamedNode | DefaultGraph | None


def answer(memory: Memory, query: Query, most: int = MOST_BYTES) -> Answer:
    """A query's result in the wanted form. Raises BadQuery or WrongForm."""
    evaluation = Evaluation(memory, query.text, query.graphs)
    while True:
        try:
            media_type, body = evaluation.write(query.wanted, most)
            is_lasting = not evaluation.outline.is_changing
            return Answer(media_type, body, is_lasting, hints(memory, evaluation.template))
        except Exception as error:
            # A result may only be dropped by its own thread, so no exception must take it along.
            clear_frames(error.__traceback__)
            if isinstance(error, SyntaxError | ValueError):
                raise BadQuery(readable(str(error), query.text)) from error
            if not isinstance(error, RuntimeError | OSError):
                raise
            # Solutions are found while they are written.
            unknown = UNKNOWN.match(str(error))
            if not unknown or len(evaluation.unknown) == MOST_UNKNOWN:
                raise BadQuery(f"The query could not be evaluated: {error}") from error
            # It has no value, as with any other error.
            evaluation.unknown[NamedNode(unknown[1])] = lambda *_: None


class BoundedBuffer(BytesIO):
    """An answer while it is written: it is complete before anybody sees of it, and has a largest
    size.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def write(self, more: ReadableBuffer, /) -> int:
        written = super().write(more)
        if self.tell() > self.most:
            size = f"{self.most / 1e6:.3g} MB"
            raise BadQuery(
                f"The answer is larger than {size}. Ask for less with LIMIT, or take a dump "
                "of the whole graph."
            )
        return written


class Evaluation:
    """A query over chosen graphs."""

    def __init__(self, memory: Memory, query: str, graphs: Graphs) -> None:
        self.memory, self.query, self.graphs = memory, query, graphs
        self.template = template_of(query)
        self.outline: Outline = outline(self.template.text)
        self.unknown: dict[NamedNode, Any] = {}
        self.store, self.union = memory.view(query, (*graphs.default, *graphs.named))

    def run(self, query: str) -> Result:
        chosen: dict[str, Any] = {
            "use_default_graph_as_union": self.union and not self.outline.names_graphs
        }
        if self.graphs:
            default, named = ([NamedNode(iri) for iri in iris] for iris in self.graphs)
            chosen = {"default_graph": default, "named_graphs": named}
        return self.store.query(
            query, base_iri=self.memory.base, custom_functions=self.unknown, **chosen
        )

    def write(self, wanted: Wanted, most: int) -> tuple[str, bytes]:
        """Media type and bytes."""
        result = self.run(self.query)
        buffer = BoundedBuffer(most)
        if isinstance(result, QueryTriples):
            if wanted.graph is None:
                raise WrongForm("This query gives a graph; ask for Turtle, N-Triples or JSON-LD.")
            triples = self.describe_things() if self.outline.form.word == "DESCRIBE" else result
            form = RdfFormat.from_media_type(wanted.graph) or RdfFormat.TURTLE
            serialize(triples, buffer, format=form, prefixes=prefixes(self.memory.base))
            return wanted.graph, buffer.getvalue()
        if wanted.table is None:
            raise WrongForm("This query gives a table; ask for JSON, XML, CSV or TSV.")
        if isinstance(result, QuerySolutions):
            result = self.order_columns(result)
        result.serialize(
            buffer,
            format=QueryResultsFormat.from_media_type(wanted.table) or QueryResultsFormat.JSON,
        )
        return wanted.table, buffer.getvalue()

    def order_columns(self, result: QuerySolutions) -> QuerySolutions:
        """`SELECT *` with its columns in the order of the query. (Nothing has been evaluated yet,
        so a second run is cheap.)
        """
        if not self.outline.selects_all:
            return result
        names = [variable.value for variable in result.variables]
        as_written = sorted(names, key=[*self.outline.variables, *names].index)
        if as_written == names:
            return result
        reordered = self.run(
            self.template.restore(self.outline.selecting([f"?{name}" for name in as_written]))
        )
        return reordered if isinstance(reordered, QuerySolutions) else result

    def describe_things(self) -> list[Triple]:
        """The triples of the things that DESCRIBE names, and of those its patterns find."""
        named = [token for token in self.outline.head if token.kind in ("iri", "name")]
        things = dict.fromkeys(self.resolve_tokens(named))
        columns = [
            token.text
            for token in self.outline.head
            if token.kind == "variable" or token.text == "*"
        ]
        if columns and self.outline.has_patterns:
            things.update(dict.fromkeys(self.find_nodes(self.outline.selecting(columns))))
        return self.describe(list(things), self.places())

    def resolve_tokens(self, tokens: Sequence[Token]) -> list[NamedNode | BlankNode]:
        """The nodes that stand for themselves. (The engine has read the query, and so has found
        nothing wrong with them.)
        """
        if all(IN_FULL.fullmatch(token.text) for token in tokens):
            return [NamedNode(token.text[1:-1]) for token in tokens]
        return self.find_nodes(self.outline.resolving(tokens))

    def places(self) -> Sequence[Place]:
        """The graphs that make the default graph; None is any."""
        if self.graphs:
            return [NamedNode(iri) for iri in self.graphs.default]
        if not self.outline.names_graphs:
            return [None if self.union else DefaultGraph()]
        return [
            node for node in self.resolve_tokens(self.outline.graphs) if isinstance(node, NamedNode)
        ]

    def find_nodes(self, query: str) -> list[NamedNode | BlankNode]:
        """All nodes in the rows of a query made from the outline."""
        rows = self.run(self.template.restore(query))
        found = [term for row in rows for term in row] if isinstance(rows, QuerySolutions) else []
        return [term for term in found if isinstance(term, NamedNode | BlankNode)]

    def describe(
        self, things: Sequence[NamedNode | BlankNode], places: Sequence[Place]
    ) -> list[Triple]:
        """The triples of these graphs: first of the things, then of what depends on them, then the
        names; in each as the store gives them, which is always the same.
        """
        pattern = self.store.quads_for_pattern
        triples: dict[Triple, None] = {}
        mentioned: dict[NamedNode, None] = {}
        known, described = set(things), list(things)
        for thing in described:  # which grows
            stem = stem_of(thing, self.memory.base)
            for place in places:
                for quad in pattern(thing, None, None, place):
                    triples[quad.triple] = None
                    node = quad.object
                    if isinstance(node, NOT_DESCRIBED) or node in mentioned or node in known:
                        continue
                    if isinstance(node, BlankNode) or (
                        stem
                        and node.value.startswith(stem)
                        and node.value[len(stem) :] not in ("", "it")
                    ):
                        known.add(node)
                        described.append(node)
                    else:
                        mentioned[node] = None
        names = (name for node in mentioned for name in self.names_of(node, places))
        return list(triples | dict.fromkeys(names))

    def names_of(self, node: NamedNode, places: Sequence[Place]) -> Sequence[Triple]:
        """By the first of the properties that name things, of those by which it is named."""
        pattern = self.store.quads_for_pattern
        for label in labels_in_use(self.memory):
            if found := [
                quad.triple for place in places for quad in pattern(node, label, None, place)
            ]:
                return found
        return ()


def labels_in_use(memory: Memory) -> list[NamedNode]:
    """The properties that name things here, of those that do in any file."""
    pattern = memory.store.quads_for_pattern
    return memory.once(
        "labels",
        lambda: [
            label for label in LABELS if next(iter(pattern(None, label, None)), None) is not None
        ],
    )


def stem_of(thing: NamedNode | BlankNode, base: str) -> str:
    """How the addresses begin of what depends on a thing; empty where nothing can."""
    if isinstance(thing, BlankNode) or not thing.value.startswith(base):
        return ""
    return thing.value.partition("#")[0] + "#"
