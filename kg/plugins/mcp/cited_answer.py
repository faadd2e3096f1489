"""Answers for agents, as text and as data, with the documents they mention and the known sources.

An entity is cited if a row contains its IRI, or a name that is unique in the site. Entities named
in the query are cited too, so that even a count has citations.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyoxigraph import Literal, NamedNode

from kg.mapping import iris
from kg.plugins.mcp.text_index import TextIndex
from kg.publish.questions.answer_words import as_words
from kg.publish.questions.evidence import Source
from kg.publish.questions.results import (
    NUMBERS,
    CellMaker,
    QueryResult,
    ResultCell,
    Row,
    Term,
    shortened,
    things_in,
)
from kg.publish.site import Documents
from kg.settings import query
from kg.sparql.reading.questions import Column
from kg.sparql.reading.tokens import tokens
from kg.vocab import VOCABULARY, xsd

MAX_ROWS = 200
MAX_TEXT, BRIEF = 50_000, 4_000  # total characters of all rows, if more are asked for or not
MAX_CELL = 1_000  # characters
MAX_CITED, BRIEFLY_CITED = 100, 10  # documents, and sources
CELL_FRAME = 12  # characters around the value of a cell in JSON
# Characters that never occur in our IRIs, but may in IRIs that a query builds from text.
NOT_IN_ADDRESSES = re.compile(r"""[<>"{}|^`\\\x00-\x20]""")

TEXT = {"type": "string"}
CITED = {
    "documents": {
        "type": "array",
        "description": "documents of the entities in this answer",
        "items": {
            "type": "object",
            "properties": {"name": TEXT, "address": TEXT},
            "required": ["name", "address"],
        },
    },
    "sources": {
        "type": "array",
        "description": "documents that the facts were taken from, if known; url is the original",
        "items": {
            "type": "object",
            "properties": {"name": TEXT, "address": TEXT, "url": TEXT},
            "required": ["name", "address"],
        },
    },
}
TABLE = {
    "type": "object",
    "properties": {
        "columns": {"type": "array", "items": TEXT},
        "rows": {
            "type": "array",
            "description": "one object per row: column -> value, {name, iri} of an entity, or null",
            "items": {"type": "object"},
        },
        "total": {
            "type": "integer",
            "description": "number of all rows, including those not returned",
        },
        "verdict": {
            "type": ["boolean", "null"],
            "description": "result of an ASK query, otherwise null",
        },
        "hints": {"type": "array", "items": TEXT},
        "page": {"type": "string", "description": "web page with the same answer"},
        **CITED,
    },
    "required": ["columns", "rows", "total", "verdict", "hints", "documents", "sources"],
}


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """The result of a tool: as text, and as data that match its output schema."""

    text: str
    data: dict[str, Any]


class AnswerWriter:
    """Writes answers with their citations, from the documents of one site."""

    def __init__(self, documents: Documents) -> None:
        self.documents, self.base = documents, documents.base

    @cached_property
    def by_name(self) -> dict[str, str]:
        """IRIs of the entities that have a unique name, by name."""
        entries = self.documents.finder.index.entries
        times = Counter(entry.name for entry in entries)
        return {
            entry.name: f"{self.base}{entry.address}#it"
            for entry in entries
            if times[entry.name] == 1
        }

    @cached_property
    def texts(self) -> TextIndex:
        return TextIndex(self.documents)

    def table(
        self,
        asked: str,
        result: QueryResult,
        hints: Sequence[str] = (),
        page: str = "",
        limit: int = 0,
        stated: Sequence[Column] = (),
        sources: Sequence[Source] = (),
    ) -> CitedAnswer:
        """The answer to a query, citing the entities in the query and the rows, with the address of
        its `page`. Without a `limit`, it is brief. `stated` are the columns of a question. If the
        `sources` of the rows are unknown, those of the entities are cited.
        """
        beside = {each.name: each.address for each in stated if each.thing}
        rows = [
            with_named(dict(zip(result.columns, row, strict=True)), beside)
            for row in first_rows(result.rows, limit)
        ]
        terms = [tuple(row.values()) for row in rows]
        things = [*self.things_of(asked), *self.things_in(terms, not beside)]
        cells = self.cells(things_in(terms, self.base))
        most = MAX_CITED if limit else BRIEFLY_CITED
        cited = self.cite(things, most)
        cited["sources"] = [source_json(each) for each in sources[:most]] or cited["sources"]
        columns = [each for each in result.columns if each not in {*beside.values()} - {*beside}]
        shown = [{name: named(row, name, beside, cells) for name in columns} for row in rows]
        data = {
            "columns": columns,
            "rows": shown,
            "total": result.total,
            "verdict": result.verdict,
            "hints": list(hints),
            **({"page": page} if page else {}),
            **cited,
        }
        lines = [*summary(result, len(rows)), *(f"Hint: {hint}" for hint in hints)]
        if rows:
            by_name = {each.name: each for each in stated}
            known = [by_name.get(name, Column(name)) for name in columns]
            lines += ["", " | ".join(each.head or each.name for each in known)]
            lines += [" | ".join(map(in_words, known, row.values())) for row in shown]
        lines += ["", f"Web page of this answer: <{page}>"] if page else []
        return CitedAnswer("\n".join([*lines, *cited_lines(cited)]), data)

    def cells(self, things: Sequence[str]) -> CellMaker:
        """A cell maker that shows these entities by name."""
        return CellMaker(self.base, lambda iri: "", self.documents.pages.names_of(things))

    def things_of(self, asked: str) -> list[str]:
        """The IRIs in a query."""
        found = (each.text[1:-1] for each in tokens(asked) if each.kind == "iri")
        return [iri if ":" in iri else self.base + iri for iri in found]

    def things_in(self, rows: Sequence[Row], by_name: bool = True) -> list[str]:
        found: list[str] = []
        for term in (term for row in rows for term in row):
            if isinstance(term, NamedNode):
                found.append(term.value)
            elif by_name and isinstance(term, Literal) and term.value in self.by_name:
                found.append(self.by_name[term.value])
        return found

    def cite(self, things: Iterable[str], most: int) -> dict[str, list[dict[str, str]]]:
        """The documents of these entities, and the sources of their facts."""
        known = list(things)
        cited = {"documents": self.documents_of(known), "sources": self.sources_of(known)}
        return {kind: found[:most] for kind, found in cited.items()}

    def known(self, things: Iterable[str]) -> list[str]:
        """The entities that have a document in this site, without duplicates."""
        return [
            iri
            for iri in dict.fromkeys(things)
            if iris.path_of(self.base, iri) in self.documents.addresses
            and not iri.startswith(self.base + VOCABULARY)
            and iri != self.base
            and not NOT_IN_ADDRESSES.search(iri)
        ]

    def documents_of(self, things: Iterable[str]) -> list[dict[str, str]]:
        found = list(dict.fromkeys(map(iris.document_of, self.known(things))))[:MAX_CITED]
        names = self.documents.pages.names_of([f"{each}#it" for each in found])
        return [{"name": names.get(f"{each}#it", each), "address": each} for each in found]

    def sources_of(self, things: Iterable[str]) -> list[dict[str, str]]:
        known = self.known(things)
        rows = self.documents.store.select(query("site/sources"), thing=known) if known else []
        found = {
            row["source"].value: {
                "name": row["name"].value,
                "address": iris.document_of(row["source"].value),
                **({"url": row["url"].value} if "url" in row else {}),
            }
            for row in rows
        }
        return list(found.values())[:MAX_CITED]


def source_json(source: Source) -> dict[str, str]:
    url = {"url": source.url} if source.url else {}
    return {"name": source.name, "address": iris.document_of(source.iri), **url}


def first_rows(rows: Sequence[Row], limit: int) -> Iterator[Row]:
    """As many of the first rows as an agent should read, but at least one."""
    room = MAX_TEXT if limit else BRIEF
    for row in rows[: min(limit or MAX_ROWS, MAX_ROWS)]:
        yield row
        room -= sum(map(size, row))
        if room <= 0:
            return


def size(term: Term | None) -> int:
    """The characters of a cell in JSON; an entity has its name and its address."""
    times = 2 if isinstance(term, NamedNode) else 1
    return min(len(str(term)), MAX_CELL) * times + CELL_FRAME


def with_named(row: dict[str, Term | None], beside: Mapping[str, str]) -> dict[str, Term | None]:
    """The row without entities whose names are not in it."""
    hidden = {beside[name] for name in beside if row.get(name) is None}
    seen = {beside[name] for name in beside if row.get(name) is not None}
    return {name: None if name in hidden - seen else term for name, term in row.items()}


def named(
    row: Mapping[str, Term | None], name: str, beside: Mapping[str, str], cells: CellMaker
) -> Any:
    """A cell; the name of an entity with its address."""
    value, entity = value_of(row[name], cells), row.get(beside.get(name, ""))
    if isinstance(entity, NamedNode) and isinstance(value, str):
        return {"name": value, "iri": entity.value}
    return value


def value_of(term: Term | None, cells: CellMaker) -> Any:
    """A term as a JSON value."""
    match term:
        case None:
            return None
        case NamedNode(value=iri):
            return {"name": cells.named(iri), "iri": iri}
        case Literal(value=text) if term.datatype.value == xsd.boolean:
            return text in ("true", "1")
        case Literal(value=text) if NUMBERS.fullmatch(term.datatype.value):
            return number(text)
    return shortened(cells.of(term).text, MAX_CELL)


def number(text: str) -> int | float | str:
    """A number, or its text if JSON cannot represent it."""
    for read in (int, float):
        try:
            found = read(text)
        except (ValueError, OverflowError):
            continue
        if math.isfinite(found):
            return found
    return text


def in_words(column: Column, value: Any) -> str:
    """A cell of the text, with dates and shares as on a page."""
    text = one_line(value)
    return as_words(ResultCell(text), column, "").text if column.head else text


def one_line(value: Any) -> str:
    text = value["name"] if isinstance(value, dict) else "" if value is None else str(value)
    return " ".join(text.split())


def summary(result: QueryResult, shown: int) -> list[str]:
    if result.verdict is not None:
        return ["Yes." if result.verdict else "No."]
    if shown < result.total:
        how = "Narrow the query, or set limit, to see more."
        return [f"The first {shown:,} of {result.total:,} {result.noun}s. {how}"]
    return [result.summary]


def cited_lines(cited: dict[str, list[dict[str, str]]]) -> list[str]:
    """The documents and sources, one per line."""
    titles = {"documents": "Documents:", "sources": "Sources:"}
    return [
        line
        for kind, title in titles.items()
        if cited[kind]
        for line in (
            "",
            title,
            *(f"- {one_line(each)} <{each.get('url', each['address'])}>" for each in cited[kind]),
        )
    ]
