"""The tools for agents: `search`, `describe`, one for each named question, and `sparql`. All are
read-only.

Queries run like those of the public endpoint: in workers with a deadline (`kg.sparql.endpoint`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

from kg.errors import BadQuery
from kg.plugins.mcp import lookup
from kg.plugins.mcp.cited_answer import TABLE, AnswerWriter, CitedAnswer, number
from kg.publish.formats.media import NTRIPLES, TABLES
from kg.publish.questions import results
from kg.publish.questions.questions import questions
from kg.publish.questions.values import Things, bind
from kg.publish.site import Documents
from kg.sparql.endpoint import Endpoint
from kg.sparql.reading.guard import MAX_CHARACTERS
from kg.sparql.reading.parameters import Parameter
from kg.sparql.reading.questions import Question
from kg.store.protocol import Query, Wanted
from kg.text.nearest import closest

MAX_TEXT = 2_000  # characters of an argument; a query may be longer
MAX_QUOTED = 50  # characters quoted of a value
Schema = dict[str, Any]
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")  # characters that the name of a tool may not contain
VALUE_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float)}
TYPE_WORDS = {
    "date": "a date: 2024-05-17, 2024-05 or 2024",
    "number": "a number",
    "text": "a text",
}


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
    def __init__(self, documents: Documents, endpoint: Endpoint, things: Things) -> None:
        self.endpoint, self.things = endpoint, things
        self.writer = AnswerWriter(documents)
        self.tools = {tool.name: tool for tool in (*self.lookups(), self.sparql_tool())}
        self.asking = list(map(self.question_tool, questions(documents.graph.site)))

    def lookups(self) -> Iterable[AgentTool]:
        yield AgentTool(
            "search",
            "Search",
            "Find people, works, organisations, venues, topics and other entities by name. Returns "
            "the name, type and document address of the 20 best matches.",
            input_schema(
                {
                    "words": text("words of the name, or their first letters"),
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
            "Read everything about one person, work, organisation, venue or other entity. Returns "
            "its page in Markdown, its types, and the documents and sources it cites.",
            input_schema({"thing": text("slug, address or exact name of the entity")}, ["thing"]),
            lookup.DESCRIBED,
            in_thread(partial(lookup.describe, self.writer)),
        )

    def sparql_tool(self) -> AgentTool:
        return AgentTool(
            "sparql",
            "SPARQL",
            "Run a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT or DESCRIBE), if no other tool answers "
            "the question. Returns at most 200 rows. Read the resource kg://schema first. "
            f"{self.endpoint.limits.words}",
            input_schema(
                {
                    "query": text(
                        "the query, including PREFIX declarations", maxLength=MAX_CHARACTERS
                    )
                },
                ["query"],
            ),
            TABLE,
            self.ask,
        )

    def question_tool(self, question: Question) -> AgentTool:
        name = NOT_IN_NAMES.sub("_", question.name)
        while name in self.tools:
            name += "_"

        async def run(**given: str | float) -> CitedAnswer:
            values = {each: as_text(value) for each, value in given.items()}
            query = await asyncio.to_thread(bind, question, values, self.things)
            chosen = f"?{urlencode(values)}" if values else ""
            page = f"{self.writer.base}queries/{quote(question.name)}{chosen}"
            return await self.ask(query, page)

        needed = [each.name for each in question.needed]
        properties = {each.name: parameter_schema(each) for each in question.parameters}
        description = f"{question.summary} {question.description}".strip()
        schema = input_schema(properties, needed)
        self.tools[name] = AgentTool(name, question.summary, description, schema, TABLE, run)
        return self.tools[name]

    async def ask(self, query: str, page: str = "") -> CitedAnswer:
        """The answer of the endpoint, with citations."""
        answer = await self.endpoint.ask(Query(query, Wanted(TABLES[0], NTRIPLES)))

        def write() -> CitedAnswer:
            read = results.table if answer.media_type in TABLES else results.triples
            return self.writer.table(query, read(answer.body), answer.hints, page)

        return await asyncio.to_thread(write)


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
