"""An open site as a Python object: its people and other entries, its questions, its graph.

site = kg.open("folder")
site.people["ada-lindqvist"].publications
site.questions.coauthors_of(person="ada-lindqvist").to_pandas()
site.sparql("SELECT …")
site.graph
"""

from __future__ import annotations

import datetime
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar, overload

import rdflib
from pyoxigraph import QueryResultsFormat, QuerySolutions
from pyoxigraph import parse_query_results as parse_results

from kg import doors
from kg.answer_table import AnswerTable
from kg.errors import BadValue, KgError, UnknownName
from kg.files.atomic import replace_files
from kg.graph.build import Publishable
from kg.graph.linked_things import PersonThing, Thing, WorkThing, python_value, thing
from kg.publish.about import void
from kg.publish.formats.media import NTRIPLES, TABLES
from kg.publish.questions.questions import questions
from kg.publish.questions.results import names_of
from kg.publish.questions.values import Things, bind
from kg.sparql.evaluate import answer
from kg.sparql.reading import guard
from kg.sparql.reading.parameters import THINGS, Parameter
from kg.sparql.reading.questions import Question
from kg.store.memory import Memory
from kg.store.protocol import Answer, Query, Wanted
from kg.text.nearest import closest
from kg.vocab import PREFIXES

if TYPE_CHECKING:
    from kg.question_methods import QuestionMethods
else:
    QuestionMethods = object  # the methods are in a stub, for type checkers

Entry = TypeVar("Entry", bound=Thing)
TABLE = next(iter(TABLES))  # JSON
Found = AnswerTable | Any  # rows of a SELECT, or a bool, or an rdflib graph
Given = str | int | float | datetime.date | Thing  # for a parameter of a question


class Entries(list[Entry], Generic[Entry]):
    """Entries of one kind, by name. An index is a number, or a key, address or exact name:
    `site.people["ada-lindqvist"]`.
    """

    def __init__(self, entries: Iterable[Entry], find: Callable[[str], Entry]) -> None:
        super().__init__(entries)
        self._find = find

    @overload
    def __getitem__(self, place: SupportsIndex) -> Entry: ...

    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...

    @overload
    def __getitem__(self, place: str) -> Entry: ...

    def __getitem__(self, place: SupportsIndex | slice | str) -> Entry | list[Entry]:
        """Raises UnknownName if no entry has this name."""
        return self._find(place) if isinstance(place, str) else super().__getitem__(place)


class Questions(Mapping[str, str], QuestionMethods):
    """The questions of a site: a mapping of names to titles, and a method for each question:
    `site.questions.coauthors_of(person="ada-lindqvist")`.
    """

    def __init__(self, known: Mapping[str, Question], ask: Callable[..., Found]) -> None:
        self._known, self._ask = known, ask
        self._methods = {method_name(name): each for name, each in known.items()}

    def __getitem__(self, name: str) -> str:
        return self._known[name].summary

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __dir__(self) -> list[str]:
        return [*self._methods, "get", "items", "keys", "values"]

    def __getattr__(self, name: str) -> Callable[..., Found]:
        question = None if name.startswith("_") else self._methods.get(name)
        if question is None:
            known = () if name.startswith("_") else self._methods
            message = unknown(f"unknown question '{name}'.", closest(name, known))
            raise AttributeError(str(message), name=name, obj=self)

        def method(**values: Given | None) -> Found:
            return self._ask(question.name, **values)

        method.__name__ = method.__qualname__ = name
        method.__doc__ = doc_of(question)
        method.__dict__["__signature__"] = signature_of(question)
        return method

    def __repr__(self) -> str:
        width = max(map(len, self._methods), default=0)
        return "\n".join(f"{name:<{width}}  {each.summary}" for name, each in self._methods.items())


def method_name(question: str) -> str:
    """`coauthors-of` -> `coauthors_of`"""
    return re.sub(r"\W", "_", question)


def signature_of(question: Question) -> inspect.Signature:
    """Required parameters have no default; None stands for any value."""
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=empty if each.is_required else each.default or None,
            )
            for each in question.parameters
        ]
    )


def doc_of(question: Question) -> str:
    lines = [f"    {each.name}: {each.meaning} ({each.type})" for each in question.parameters]
    text = f"{question.summary} {question.description}".strip()
    return "\n".join([text, *(["", "Args:", *lines] if lines else [])])


class OpenSite:
    """A checked site, as it was when it was opened. Returned by `kg.open`."""

    def __init__(self, graph: Publishable) -> None:
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
    def people(self) -> Entries[PersonThing]:
        """All people who are mentioned anywhere; those with a CV have `has_cv`."""
        return self._all("person", PersonThing)

    @property
    def publications(self) -> Entries[WorkThing]:
        return self._all("publication", WorkThing)

    @property
    def organizations(self) -> Entries[Thing]:
        return self._all("organization", Thing)

    @property
    def venues(self) -> Entries[Thing]:
        """Journals and conference series."""
        return self._all("venue", Thing)

    @property
    def topics(self) -> Entries[Thing]:
        return self._all("topic", Thing)

    @property
    def software(self) -> Entries[Thing]:
        return self._all("software", Thing)

    @property
    def projects(self) -> Entries[Thing]:
        return self._all("project", Thing)

    @property
    def courses(self) -> Entries[Thing]:
        return self._all("course", Thing)

    def person(self, name: str) -> PersonThing:
        """The person with this key, address or exact name.

        Raises:
            UnknownName: There is no such person; `nearest` has similar names.
        """
        return self._named("person", name, PersonThing)

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

    @cached_property
    def questions(self) -> Questions:
        """The questions that can be asked: a mapping of names to titles, and a method for each."""
        return Questions(self._questions, self.ask)

    def ask(self, question: str, **values: Given | None) -> Found:
        """The answer to a named question: `site.ask("coauthors-of", person="ada-lindqvist")`.

        Args:
            question: The name of a question, as in `questions`.
            values: The parameters of the question. Write a person, an organisation or another
                entry as its key, its address or its exact name, or pass an object of this site.
                None is the same as leaving a parameter out.

        Raises:
            UnknownName: There is no such question.
            BadValue: A parameter is missing, unknown or invalid.
        """
        if question not in self._questions:
            raise unknown(f"unknown question '{question}'.", closest(question, self._questions))
        asked = self._questions[question].linked
        given = {name: as_text(value) for name, value in values.items() if value is not None}
        found = self.sparql(bind(asked, given, self.things))
        return self._linked(asked, found) if isinstance(found, AnswerTable) else found

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

    def to_sqlite(self, path: str | Path) -> None:
        """Writes the public facts as an SQLite database, for Datasette and other programs.

        Raises:
            KgError: The plugin `sqlite` is not installed.
        """
        entry = doors.installed("kg.site_exporters").get("sqlite")
        found = entry and doors.loaded(entry, SiteFormat)
        if not found:
            raise KgError("to_sqlite needs the plugin 'sqlite' of cv-kg, which is not installed.")
        replace_files(Path(path).parent, {Path(path).name: found.write(self)})

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

    def _repr_html_(self) -> str:
        """The title as a link, for notebooks."""
        link = f'<a href="{escape(self.url)}">{escape(self.title)}</a>'
        return f"{link}: {escape(self._built.counts)}"

    @cached_property
    def _memory(self) -> Memory:
        """The data of the site's endpoint."""
        return Memory(self.url, bytes(self._built.nquads), rest=self._rest())

    def _rest(self) -> bytes:
        """What is not a fact: pages, sources, the vocabulary, and the description of the site."""
        return self._built.rest + void.nquads(self._built)

    @cached_property
    def _questions(self) -> Mapping[str, Question]:
        return {each.name: each for each in questions(self._built.site)}

    def _all(self, type: str, kind: type[Entry]) -> Entries[Entry]:
        """All entries of a type, sorted by name."""
        folder = THINGS[type]
        names = self.things.names[folder]
        slugs = sorted(names, key=lambda slug: (names[slug], slug))
        found = (thing(self._memory, f"{self.url}{folder}/{slug}#it") for slug in slugs)
        fitting = (each for each in found if isinstance(each, kind))
        return Entries(fitting, lambda name: self._named(type, name, kind))

    def _named(self, type: str, name: str, kind: type[Entry]) -> Entry:
        try:
            slug = self.things.find(Parameter(type, type, ""), name)
        except BadValue as error:
            raise UnknownName(str(error), error.nearest) from error
        return kind(self._memory, f"{self.url}{THINGS[type]}/{slug}#it")

    def _linked(self, question: Question, answer: AnswerTable) -> AnswerTable:
        """The answer with entries in the columns that name them, instead of columns beside."""
        beside = {each.name: each.address for each in question.columns if each.thing}
        shown = [name for name in answer.columns if name not in {*beside.values()} - {*beside}]
        rows = [
            {
                name: thing(self._memory, entry.iri, str(row[name]))
                if isinstance(entry := row.get(beside.get(name, "")), Thing) and row[name]
                else row[name]
                for name in shown
            }
            for row in answer.rows
        ]
        return AnswerTable(shown, rows, answer.hints)

    def _bind_prefixes(self, graph: rdflib.Graph) -> None:
        for prefix, namespace in PREFIXES.items():
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


@dataclass(frozen=True)
class Opener:
    """A source that `kg.open` reads besides folders of sites: a plugin in `kg.openers`."""

    matches: Callable[[str], bool]
    open: Callable[[str], OpenSite]


@dataclass(frozen=True)
class SiteFormat:
    """A format of whole sites: a plugin in `kg.site_exporters`."""

    title: str
    write: Callable[[OpenSite], bytes]
