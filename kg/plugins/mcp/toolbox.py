"""The tools for agents: `search`, `describe`, `questions`, `ask` and `sparql`, and on request one
for each named question. All are read-only. Answers are brief unless more rows are asked for.

Queries run like those of the public endpoint: in workers with a deadline (`kg.sparql.endpoint`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

from kg.errors import BadQuery, QueryError
from kg.plugins.mcp import lookup
from kg.plugins.mcp.cited_answer import (
    MAX_ROWS,
    TABLE,
    AnswerWriter,
    CitedAnswer,
    number,
)
from kg.publish.formats.media import NTRIPLES, TABLES
from kg.publish.questions import results
from kg.publish.questions.evidence import MAX_CITED, Source, sources
from kg.publish.questions.questions import questions
from kg.publish.questions.values import Things, bind
from kg.publish.site import Documents
from kg.sparql.endpoint import Endpoint
from kg.sparql.reading.guard import MAX_CHARACTERS
from kg.sparql.reading.outline import outline
from kg.sparql.reading.parameters import Parameter
from kg.sparql.reading.questions import Column, Question
from kg.store.protocol import Query, Wanted
from kg.text.nearest import closest

MAX_TEXT = 2_000  # characters of an argument; a query may be longer
MAX_QUOTED = 50  # characters quoted of a value
Schema = dict[str, Any]
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")  # characters that the name of a tool may not contain
VALUE_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "object": (dict,),
}
TYPE_WORDS = {
    "date": "a date: 2024-05-17, 2024-05 or 2024",
    "number": "a number",
    "text": "a text",
}
LIMIT = {
    "type": "number",
    "description": f"most rows to return, up to {MAX_ROWS} (default: a brief answer)",
}
LISTED = {"type": "object", "properties": {"questions": {"type": "string"}}}


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool. `run` gets arguments that match the input schema, and returns data that match the
    output schema.
    """

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    run: Callable[..., Awaitable[CitedAnswer]]

    async def call(self, arguments: Mapping[str, Any]) -> CitedAnswer:
        """Raises QueryError if there is no answer."""
        check_arguments(self.input_schema, arguments)
        return await self.run(**arguments)


class Toolbox:
    """The tools of a site; `each_question` adds a tool for each question."""

    def __init__(
        self, documents: Documents, endpoint: Endpoint, things: Things, each_question: bool = False
    ) -> None:
        self.endpoint, self.things = endpoint, things
        self.writer = AnswerWriter(documents)
        self.asking = {each.name: each for each in questions(documents.graph.site)}
        self.tools = {tool.name: tool for tool in (*self.lookups(), *self.queries())}
        for question in self.asking.values() if each_question else ():
            self.add_question(question)

    def lookups(self) -> Iterable[AgentTool]:
        yield AgentTool(
            "search",
            "Search",
            "Find people, works, organisations, venues, topics and other entities by words of "
            "their names, venues, years, authors and abstracts. Returns the 20 best matches.",
            input_schema(
                {
                    "words": text("words, or their first letters; all must occur"),
                    "type": text(
                        "return only entities of this type", enum=[*lookup.TYPES.values()]
                    ),
                },
                ["words"],
            ),
            lookup.FOUND,
            in_thread(partial(lookup.search, self.writer)),
        )
        yield AgentTool(
            "describe",
            "Describe",
            "Read the page of one person, work, organisation, venue or other entity, in Markdown. "
            "A long page is cut, and its sections are listed: read one with section. The name "
            "'schema' stands for an overview of classes and properties for SPARQL.",
            input_schema(
                {
                    "thing": text("slug, address or exact name of the entity"),
                    "section": text("heading of one section, such as Publications"),
                },
                ["thing"],
            ),
            lookup.DESCRIBED,
            in_thread(partial(lookup.describe, self.writer)),
        )

    def queries(self) -> Iterable[AgentTool]:
        yield AgentTool(
            "questions",
            "Questions",
            "List the ready-made questions with their parameters, for the tool ask.",
            input_schema({"words": text("only questions with one of these words")}, []),
            LISTED,
            self.list_questions,
        )
        yield AgentTool(
            "ask",
            "Ask",
            "Ask a ready-made question: faster and safer than a query of your own.",
            input_schema(
                {
                    "question": text("name, as listed by the tool questions: coauthors-of"),
                    "values": {
                        "type": "object",
                        "description": "parameters: an entity by its slug, address or exact name",
                    },
                    "limit": LIMIT,
                },
                ["question"],
            ),
            TABLE,
            self.ask_named,
        )
        yield AgentTool(
            "sparql",
            "SPARQL",
            "Run a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT or DESCRIBE), if no question fits. "
            "The usual prefixes are declared: schema, foaf, cv, dcterms, rdf, rdfs, xsd. Read "
            f"describe schema first. {self.endpoint.limits.words}",
            input_schema(
                {"query": text("the query", maxLength=MAX_CHARACTERS), "limit": LIMIT}, ["query"]
            ),
            TABLE,
            self.run_query,
        )

    async def list_questions(self, words: str = "") -> CitedAnswer:
        wanted = re.findall(r"\w{3,}", words.lower())
        lines = {each: question_line(each) for each in self.asking.values()}
        found = [line for line in lines.values() if any(word in line.lower() for word in wanted)]
        listed = "\n".join(found or lines.values())
        return CitedAnswer(listed, {"questions": listed})

    async def ask_named(
        self, question: str, values: Mapping[str, Any] | None = None, limit: float = 0
    ) -> CitedAnswer:
        known = self.asking.get(question.replace("_", "-")) or self.asking.get(question)
        if known is None:
            near = closest(question[:MAX_QUOTED], self.asking)
            offer = f"Closest: {', '.join(near)}." if near else "The tool questions lists them."
            raise BadQuery(f"Unknown question '{question[:MAX_QUOTED]}'. {offer}")
        check_arguments(schema_of(known), values or {})
        return await self.answer(known, values or {}, int(limit))

    async def run_query(self, query: str, limit: float = 0) -> CitedAnswer:
        return await self.ask(query, limit=int(limit))

    def add_question(self, question: Question) -> None:
        """A tool for one question."""
        name = NOT_IN_NAMES.sub("_", question.name)
        while name in self.tools:
            name += "_"

        async def run(**given: str | float) -> CitedAnswer:
            return await self.answer(question, given)

        description = f"{question.summary} {question.description}".strip()
        self.tools[name] = AgentTool(
            name, question.summary, description, schema_of(question), TABLE, run
        )

    async def answer(
        self, question: Question, given: Mapping[str, str | float], limit: int = 0
    ) -> CitedAnswer:
        values = {each: as_text(value) for each, value in given.items()}
        query = await asyncio.to_thread(bind, question.linked, values, self.things)
        chosen = f"?{urlencode(values)}" if values else ""
        page = f"{self.writer.base}queries/{quote(question.name)}{chosen}"
        return await self.ask(query, page, limit, question.columns)

    async def ask(
        self, query: str, page: str = "", limit: int = 0, columns: Sequence[Column] = ()
    ) -> CitedAnswer:
        """The answer of the endpoint, with citations."""
        answer = await self.endpoint.ask(Query(query, Wanted(TABLES[0], NTRIPLES)))
        sources = await self.sources(query) if len(answer.body) <= MAX_CITED else []

        def write() -> CitedAnswer:
            read = results.table if answer.media_type in TABLES else results.triples
            found = read(answer.body)
            return self.writer.table(query, found, answer.hints, page, limit, columns, sources)

        return await asyncio.to_thread(write)

    async def sources(self, query: str) -> list[Source]:
        """The documents that the rows of an answer rest on, if its query shows them."""
        try:
            evidence = outline(query).evidence()
            found = await self.endpoint.ask(Query(evidence, Wanted(TABLES[0], None)))
        except QueryError:
            return []
        return sources(found.body)


def question_line(question: Question) -> str:
    """`coauthors-of(person): Who has this person written with?`"""
    given = ", ".join(
        f"{each.name}{'' if each.is_required else '?'}" for each in question.parameters
    )
    return f"{question.name}({given}): {question.summary}"


def schema_of(question: Question) -> Schema:
    properties = {each.name: parameter_schema(each) for each in question.parameters}
    return input_schema(properties, [each.name for each in question.needed])


def questions_text(asking: Mapping[str, Question]) -> str:
    lines = ["# Questions", ""]
    for question in asking.values():
        lines.append(f"- `{question.name}`: {f'{question.summary} {question.description}'.strip()}")
        lines += [f"  - {line}" for line in argument_lines(schema_of(question))]
    return "\n".join(lines) + "\n"


def argument_lines(schema: Schema) -> list[str]:
    """`person: whose co-authors (…), such as ada`"""
    return [
        f"{name}: {each['description']}"
        + "".join(f", such as {example}" for example in each.get("examples", []))
        + ("" if name in schema["required"] else ", optional")
        for name, each in schema["properties"].items()
    ]


def as_text(value: str | float) -> str:
    """A value as people write it: some clients send 2022 as 2022.0."""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


def in_thread(find: Callable[..., CitedAnswer]) -> Callable[..., Awaitable[CitedAnswer]]:
    """An asynchronous version of a blocking function."""

    async def run(**arguments: str) -> CitedAnswer:
        return await asyncio.to_thread(find, **arguments)

    return run


def input_schema(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def text(meaning: str, **others: Any) -> Schema:
    return {"type": "string", "description": meaning, "maxLength": MAX_TEXT} | others


def parameter_schema(parameter: Parameter) -> Schema:
    """The JSON Schema of a parameter: a number or a string."""
    form = f"slug, address or exact name of the {parameter.type}"
    meaning = f"{parameter.meaning} ({TYPE_WORDS.get(parameter.type, form)})"
    is_number = parameter.type == "number"
    found: Schema = {"type": "number", "description": meaning} if is_number else text(meaning)

    def value(text: str) -> object:
        return number(text) if is_number else text

    return (
        found
        | ({"default": value(parameter.default)} if parameter.default else {})
        | ({"examples": [value(parameter.example)]} if parameter.example else {})
    )


def check_arguments(schema: Schema, arguments: Mapping[str, Any]) -> None:
    """Raises BadQuery if an argument is unknown, missing or invalid."""
    known: dict[str, Schema] = schema["properties"]
    for name, value in arguments.items():
        if name not in known:
            near = closest(name[:MAX_QUOTED], known, most=1)
            has = f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(known) or 'none'}."
            raise BadQuery(f"Unknown argument '{name[:MAX_QUOTED]}'. {has}")
        check_value(name, value, known[name])
    missing = [name for name in schema["required"] if name not in arguments]
    if missing:
        meaning = known[missing[0]]["description"]
        raise BadQuery(f"The argument '{missing[0]}' is missing. Send {meaning}.")


def check_value(name: str, value: Any, schema: Schema) -> None:
    if isinstance(value, bool) or not isinstance(value, VALUE_TYPES[schema["type"]]):
        raise BadQuery(f"{name} is not a {schema['type']}. Send {schema['description']}.")
    if isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        raise BadQuery(f"{name} is longer than {schema['maxLength']} characters. Shorten it.")
    if value not in schema.get("enum", [value]):
        given = str(value)[:MAX_QUOTED]
        near = closest(given, schema["enum"], most=1)
        meant = f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(schema['enum'])}."
        raise BadQuery(f"{name} cannot be '{given}'. {meant}")
