"""Evaluates a query on a graph, in the current process.

It changes what pyoxigraph does in four ways. `SELECT *` keeps the order of the query. An unknown
function is an error of its expression only. Answers have a size limit. DESCRIBE returns more than
one node: the triples of an entity, those of its dependent nodes, and the names of everything it
mentions. A dependent node is a blank node or another fragment of the same document, such as a
position of a person.
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
from kg.sparql.reading.tokens import Token, template_of, with_lower_booleans
from kg.store.memory import Memory
from kg.store.protocol import Answer, Graphs, Query, Wanted
from kg.vocab import ALL_PREFIXES, PREFIXES, dcterms, foaf, rdfs, schema, skos

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Result = QuerySolutions | QueryBoolean | QueryTriples
MOST_BYTES = 1 << 40  # limit for our own queries
MAX_UNKNOWN = 16
ABSOLUTE_IRI = re.compile(
    r"<[a-z]+://(?:(?!/\.)[^\\<>])+>"
)  # absolute, without segments such as /../
UNKNOWN = re.compile(r"The custom function <(.*)> is not supported")
LABELS = [
    NamedNode(iri)
    for iri in (schema.name, foaf.name, rdfs.label, f"{skos}prefLabel", dcterms.title)
]
NOT_DESCRIBED = (Literal, Triple)
Place = NamedNode | DefaultGraph | None


def answer(memory: Memory, query: Query, most: int = MOST_BYTES) -> Answer:
    """The result of a query in the wanted format. Raises BadQuery or WrongForm."""
    evaluation = Evaluation(memory, query.text, query.graphs)
    while True:
        try:
            media_type, body = evaluation.write(query.wanted, most)
            is_lasting = not evaluation.outline.is_changing
            return Answer(
                media_type, body, is_lasting, hints(memory, evaluation.template, evaluation.seen)
            )
        except Exception as error:
            # A result must be freed by its own thread, so no exception may keep a reference to it.
            clear_frames(error.__traceback__)
            lower = with_lower_booleans(evaluation.query)
            if isinstance(error, SyntaxError) and lower != evaluation.query:
                evaluation = Evaluation(memory, lower, query.graphs)
                continue
            if isinstance(error, SyntaxError | ValueError):
                raise BadQuery(readable(str(error), query.text)) from error
            if not isinstance(error, RuntimeError | OSError):
                raise
            # Solutions are evaluated while they are written.
            unknown = UNKNOWN.match(str(error))
            if not unknown or len(evaluation.unknown) == MAX_UNKNOWN:
                raise BadQuery(f"The query cannot be evaluated: {error}") from error
            # The function then has no value, like any other failing expression.
            evaluation.unknown[NamedNode(unknown[1])] = lambda *_: None


class BoundedBuffer(BytesIO):
    """A buffer for a whole answer, with a size limit."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def write(self, more: ReadableBuffer, /) -> int:
        written = super().write(more)
        if self.tell() > self.most:
            size = f"{self.most / 1e6:.3g} MB"
            raise BadQuery(
                f"The answer is larger than {size}. Add a LIMIT, or download a dump of the "
                "whole graph."
            )
        return written


class Evaluation:
    """One query over the chosen graphs."""

    def __init__(self, memory: Memory, query: str, graphs: Graphs) -> None:
        self.memory, self.query, self.graphs = memory, query, graphs
        self.template = template_of(query)
        self.outline: Outline = outline(self.template.text)
        self.unknown: dict[NamedNode, Any] = {}
        self.store = memory.store
        self.options, self.seen = memory.view(query, (*graphs.default, *graphs.named))

    def run(self, query: str) -> Result:
        chosen = {} if self.outline.names_graphs else self.options
        if self.graphs:
            default, named = ([NamedNode(iri) for iri in iris] for iris in self.graphs)
            chosen = {"default_graph": default, "named_graphs": named}
        base = self.memory.base
        return self.store.query(
            query, base_iri=base, prefixes=ALL_PREFIXES, custom_functions=self.unknown, **chosen
        )

    def write(self, wanted: Wanted, most: int) -> tuple[str, bytes]:
        """Returns the media type and the bytes of the answer."""
        result = self.run(self.query)
        buffer = BoundedBuffer(most)
        if isinstance(result, QueryTriples):
            if wanted.graph is None:
                raise WrongForm("This query returns a graph. Request Turtle, N-Triples or JSON-LD.")
            triples = self.describe_things() if self.outline.form.word == "DESCRIBE" else result
            form = RdfFormat.from_media_type(wanted.graph) or RdfFormat.TURTLE
            serialize(triples, buffer, format=form, prefixes=PREFIXES)
            return wanted.graph, buffer.getvalue()
        if wanted.table is None:
            raise WrongForm("This query returns a table. Request JSON, XML, CSV or TSV.")
        if isinstance(result, QuerySolutions):
            result = self.order_columns(result)
        result.serialize(
            buffer,
            format=QueryResultsFormat.from_media_type(wanted.table) or QueryResultsFormat.JSON,
        )
        return wanted.table, buffer.getvalue()

    def order_columns(self, result: QuerySolutions) -> QuerySolutions:
        """`SELECT *` with its columns in the order of the query. The second run is cheap, because
        nothing has been evaluated yet.
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
        """The description of the nodes that DESCRIBE names and those that its patterns match."""
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
        """The nodes that these tokens denote. The engine has parsed the query, so they are
        valid.
        """
        if all(ABSOLUTE_IRI.fullmatch(token.text) for token in tokens):
            return [NamedNode(token.text[1:-1]) for token in tokens]
        return self.find_nodes(self.outline.resolving(tokens))

    def places(self) -> Sequence[Place]:
        """The graphs that make up the default graph; None means any."""
        if self.graphs:
            return [NamedNode(iri) for iri in self.graphs.default]
        if not self.outline.names_graphs:
            is_union = self.options.get("use_default_graph_as_union")
            return [None] if is_union else self.options.get("default_graph", [DefaultGraph()])
        return [
            node for node in self.resolve_tokens(self.outline.graphs) if isinstance(node, NamedNode)
        ]

    def find_nodes(self, query: str) -> list[NamedNode | BlankNode]:
        """All nodes in the rows of a query derived from the outline."""
        rows = self.run(self.template.restore(query))
        found = [term for row in rows for term in row] if isinstance(rows, QuerySolutions) else []
        return [term for term in found if isinstance(term, NamedNode | BlankNode)]

    def describe(
        self, things: Sequence[NamedNode | BlankNode], places: Sequence[Place]
    ) -> list[Triple]:
        """The triples in these graphs: first of the entities, then of their dependent nodes, then
        names. The order is that of the store, which is stable.
        """
        pattern = self.store.quads_for_pattern
        triples: dict[Triple, None] = {}
        mentioned: dict[NamedNode, None] = {}
        known, described = set(things), list(things)
        for thing in described:  # grows while we iterate
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
        """The names of a node by the first label property that it has."""
        pattern = self.store.quads_for_pattern
        for label in labels_in_use(self.memory):
            if found := [
                quad.triple for place in places for quad in pattern(node, label, None, place)
            ]:
                return found
        return ()


def labels_in_use(memory: Memory) -> list[NamedNode]:
    """The label properties that occur in this graph."""
    pattern = memory.store.quads_for_pattern
    return memory.once(
        "labels",
        lambda: [
            label for label in LABELS if next(iter(pattern(None, label, None)), None) is not None
        ],
    )


def stem_of(thing: NamedNode | BlankNode, base: str) -> str:
    """The IRI prefix of the dependent nodes of an entity; empty if it cannot have any."""
    if isinstance(thing, BlankNode) or not thing.value.startswith(base):
        return ""
    return thing.value.partition("#")[0] + "#"
