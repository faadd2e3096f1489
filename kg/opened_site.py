"""An open site as a Python object: its people and other entries, its questions, its graph.

site = kg.open("folder")
site.person("ada-lindqvist").publications
site.ask("coauthors-of", person="ada-lindqvist")
site.sparql("SELECT …")
site.graph
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from html import escape
from typing import Any, overload

import rdflib
from pyoxigraph import QueryResultsFormat, QuerySolutions
from pyoxigraph import parse_query_results as parse_results

from kg.errors import BadValue, UnknownName
from kg.graph.build import Graph
from kg.graph.linked_things import PersonThing, Thing, Value, WorkThing, python_value, thing
from kg.publish.about import void
from kg.publish.formats.media import NTRIPLES, TABLES
from kg.publish.questions.questions import questions
from kg.publish.questions.results import names_of
from kg.publish.questions.values import Things, bind
from kg.sparql.evaluate import answer
from kg.sparql.reading import guard
from kg.sparql.reading.parameters import Parameter
from kg.sparql.reading.questions import Question
from kg.store.memory import Memory
from kg.store.protocol import Answer, Query, Wanted
from kg.text.columns import table
from kg.text.nearest import closest
from kg.vocab import prefixes

Row = dict[str, Value | None]  # None: no value
MAX_ROWS = 60  # rows
WIDTH = 100  # characters


class AnswerTable(Sequence[Row]):
    """The rows of an answer, each a dictionary by column: `for row in answer: row["works"]`.

    `pandas.DataFrame(answer)` has the same columns. If there may be no rows, pass
    `columns=answer.columns`, too. `hints` list terms of the query that the graph does not use.
    """

    def __init__(
        self, columns: Sequence[str], rows: Sequence[Row], hints: Sequence[str] = ()
    ) -> None:
        self.columns, self.rows, self.hints = list(columns), list(rows), tuple(hints)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> AnswerTable: ...

    def __getitem__(self, place: int | slice) -> Row | AnswerTable:
        if isinstance(place, slice):
            return AnswerTable(self.columns, self.rows[place], self.hints)
        return self.rows[place]

    def __repr__(self) -> str:
        rows = [[shown(row[name]) for name in self.columns] for row in self.rows[:MAX_ROWS]]
        lines = table(self.columns, rows, self.numeric, WIDTH) if self.columns else ()
        return "\n".join([*lines, *self.remarks])

    def _repr_html_(self) -> str:
        """The table for notebooks; entries link to their pages."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{linked(row[name])}</td>' for name in self.columns)}</tr>"
            for row in self.rows[:MAX_ROWS]
        )
        remarks = "".join(f"<p>{escape(each)}</p>" for each in self.remarks)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{remarks}"

    @property
    def numeric(self) -> frozenset[int]:
        """The indexes of columns that contain only numbers."""
        columns = [[row[name] for row in self.rows] for name in self.columns]
        return frozenset(
            place
            for place, values in enumerate(columns)
            if {isinstance(each, int | float) for each in values if each is not None} == {True}
        )

    @property
    def remarks(self) -> list[str]:
        """The number of rows if not all are shown, and the hints."""
        total = len(self.rows)
        more = [f"{total:,} rows; the first {MAX_ROWS} are shown."]
        number = ["No rows."] if not total else more if total > MAX_ROWS else []
        return [*number, *(f"Hint: {each}" for each in self.hints)]


def shown(value: Value | None) -> str:
    return "" if value is None else str(value)


def linked(value: Value | None) -> str:
    """A value as HTML. Only entries of the site become links, because we made their addresses."""
    text = escape(shown(value))
    return f'<a href="{escape(value.url)}">{text}</a>' if isinstance(value, Thing) else text


TABLE = next(iter(TABLES))  # JSON
Found = AnswerTable | Any  # rows of a SELECT, or a bool, or an rdflib graph
Given = str | int | float | datetime.date | Thing  # for a parameter of a question


class OpenSite:
    """A checked site, as it was when it was opened. Returned by `kg.open`."""

    def __init__(self, graph: Graph) -> None:
        self._built = graph

    @property
    def title(self) -> str:
        return self._built.site.title

    @property
    def url(self) -> str:
        """The base of the site, with which all addresses start."""
        return self._built.site.base

    # Entries

    @property
    def people(self) -> list[PersonThing]:
        """All people who are mentioned anywhere; those with a CV have `has_cv`."""
        return [each for each in self._all("people") if isinstance(each, PersonThing)]

    @property
    def publications(self) -> list[WorkThing]:
        return [each for each in self._all("publications") if isinstance(each, WorkThing)]

    @property
    def organizations(self) -> list[Thing]:
        return self._all("orgs")

    @property
    def venues(self) -> list[Thing]:
        """Journals and conference series."""
        return self._all("venues")

    @property
    def topics(self) -> list[Thing]:
        return self._all("topics")

    @property
    def software(self) -> list[Thing]:
        return self._all("software")

    @property
    def projects(self) -> list[Thing]:
        return self._all("projects")

    @property
    def courses(self) -> list[Thing]:
        return self._all("courses")

    def person(self, name: str) -> PersonThing:
        """The person with this key, address or exact name.

        Raises:
            UnknownName: There is no such person; `nearest` has similar names.
        """
        try:
            slug = self.things.find(Parameter("person", "person", ""), name)
        except BadValue as error:
            raise UnknownName(str(error), error.nearest) from error
        return PersonThing(self._memory, f"{self.url}people/{slug}#it")

    def thing(self, address: str) -> Thing:
        """Any entry by its address, relative or absolute: `orgs/osu`, `people/ada#work-osu`.

        Raises:
            UnknownName: There is no such entry; `nearest` has similar addresses.
        """
        path = address.removeprefix(self.url)
        iri = self.url + (path if "#" in path else f"{path}#it")
        if not self._memory.labels([iri]):
            known = [each.removeprefix(self.url) for each in self._memory.documents()]
            raise unknown(f"The address '{address}' does not exist.", closest(path, known))
        return thing(self._memory, iri)

    @property
    def things(self) -> Things:
        """The entries that a parameter of a question can refer to."""
        return Things.of(self._memory)

    def names(self, things: Iterable[str]) -> dict[str, str]:
        """The names of entries by their absolute addresses; entries without a name are left out."""
        return names_of(self._memory, self.url, things)

    # Answers

    @property
    def questions(self) -> dict[str, str]:
        """The questions that can be asked: name and title."""
        return {name: each.summary for name, each in self._questions.items()}

    def ask(self, question: str, **values: Given) -> Found:
        """The answer to a named question: `site.ask("coauthors-of", person="ada-lindqvist")`.

        Args:
            question: The name of a question, as in `questions`.
            values: The parameters of the question. Write a person, an organisation or another
                entry as its key, its address or its exact name, or pass an object of this site.

        Raises:
            UnknownName: There is no such question.
            BadValue: A parameter is missing, unknown or invalid.
        """
        if question not in self._questions:
            raise unknown(f"unknown question '{question}'.", closest(question, self._questions))
        given = {name: as_text(value) for name, value in values.items()}
        return self.sparql(bind(self._questions[question], given, self.things))

    def sparql(self, query: str) -> Found:
        """The answer to a SPARQL query: an AnswerTable for SELECT, a bool for ASK, an rdflib graph
        for CONSTRUCT and DESCRIBE. IRIs can be relative to the site.

        Raises:
            BadQuery: The query does not parse, or is not allowed.
        """
        found = self.answer(query, Wanted(TABLE, NTRIPLES))
        if found.media_type == NTRIPLES:
            graph = rdflib.Graph()
            self._bind_prefixes(graph)
            return graph.parse(data=found.body, format="nt")
        result = parse_results(found.body, format=QueryResultsFormat.JSON)
        if not isinstance(result, QuerySolutions):
            return bool(result)
        columns = [variable.value for variable in result.variables]
        rows = [
            {
                name: None if term is None else python_value(self._memory, term)
                for name, term in zip(columns, row, strict=True)
            }
            for row in result
        ]
        return AnswerTable(columns, rows, found.hints)

    def answer(self, query: str, wanted: Wanted) -> Answer:
        """The answer to a SPARQL query as the endpoint sends it, in the wanted format."""
        guard.check(query)
        return answer(self._memory, Query(query, wanted))

    @cached_property
    def graph(self) -> rdflib.Dataset:
        """All facts as an rdflib dataset: each document is a named graph, and the default graph is
        their union.
        """
        dataset = rdflib.Dataset(default_union=True)
        self._bind_prefixes(dataset)
        dataset.parse(data=bytes(self._built.nquads), format="nquads")
        return dataset

    def __repr__(self) -> str:
        return f"<{self.url}: {self.title}, {self._built.counts}>"

    @cached_property
    def _memory(self) -> Memory:
        """The data of the site's endpoint."""
        memory = Memory(self.url, self._built.nquads, pages=self._built.pages)
        memory.load(void.nquads(self._built))
        return memory

    @cached_property
    def _questions(self) -> Mapping[str, Question]:
        return {each.name: each for each in questions(self._built.site)}

    def _all(self, folder: str) -> list[Thing]:
        """All entries of a kind, sorted by name."""
        names = self.things.names[folder]
        slugs = sorted(names, key=lambda slug: (names[slug], slug))
        return [thing(self._memory, f"{self.url}{folder}/{slug}#it") for slug in slugs]

    def _bind_prefixes(self, graph: rdflib.Graph) -> None:
        for prefix, namespace in prefixes(self.url).items():
            graph.bind(prefix, namespace, replace=True)


def unknown(message: str, nearest: Sequence[str]) -> UnknownName:
    advice = f" Closest: {', '.join(nearest)}." if nearest else ""
    return UnknownName(message + advice, nearest)


def as_text(value: Given) -> str:
    """A value as it is written in an address or on the command line."""
    match value:
        case Thing():
            return value.iri
        case datetime.date():
            return value.isoformat()
    return str(value)
