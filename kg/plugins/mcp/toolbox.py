"""The tools of agents: `search`, `describe`, a tool for each named question, made from its header,
and `sparql`. All of them only read.

Queries run where those of strangers do, in workers with a deadline (`kg.sparql.endpoint`).
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
from kg.sparql.reading.guard import MOST_CHARACTERS
from kg.sparql.reading.parameters import Parameter
from kg.sparql.reading.questions import Question
from kg.store.protocol import Query, Wanted
from kg.text.nearest import closest

LONGEST_TEXT = 2_000  # characters; a query may be longer
SHOWN = 50  # characters of what was given
Schema = dict[str, Any]
NO_NAME = re.compile(r"[^A-Za-z0-9_]")  # what the name of a tool may not hold
KINDS_OF_VALUE: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float)}
FORMS = {
    "date": "date: 2024-05-17, 2024-05 or 2024",
    "number": "number",
    "text": "text",
}


@dataclass(frozen=True, slots=True)
class AgentTool:
    """`run` takes the arguments, which fit the schema `takes`, and gives data of the schema
    `gives`.
    """

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema
    run: Callable[..., Awaitable[CitedAnswer]]

    async def call(self, arguments: Mapping[str, Any]) -> CitedAnswer:
        """Raises a QueryError where there is no answer."""
        check_arguments(self.takes, arguments)
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
            "Find people, works, organisations, venues, topics and other things by words of "
            "their names. Gives the address of each document.",
            takes(
                {
                    "words": text("words of the name, or how they begin"),
                    "type": text("only things of this type", enum=[*lookup.TYPES.values()]),
                },
                ["words"],
            ),
            lookup.FOUND,
            in_thread(partial(lookup.search, self.writer)),
        )
        yield AgentTool(
            "describe",
            "Describe",
            "Read all that is said about one person, work, organisation, venue or other thing.",
            takes({"thing": text("its slug, its address or its exact name")}, ["thing"]),
            lookup.DESCRIBED,
            in_thread(partial(lookup.describe, self.writer)),
        )

    def sparql_tool(self) -> AgentTool:
        return AgentTool(
            "sparql",
            "SPARQL",
            "Ask the graph a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT or DESCRIBE) that no other "
            f"tool answers. {self.endpoint.limits.words} Read the resource kg://schema first.",
            takes(
                {"query": text("the query, with its prefixes", maxLength=MOST_CHARACTERS)},
                ["query"],
            ),
            TABLE,
            self.ask,
        )

    def question_tool(self, question: Question) -> AgentTool:
        name = NO_NAME.sub("_", question.name)
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
        schema = takes(properties, needed)
        self.tools[name] = AgentTool(name, question.summary, description, schema, TABLE, run)
        return self.tools[name]

    async def ask(self, query: str, page: str = "") -> CitedAnswer:
        """The answer of the endpoint, with what it cites."""
        answer = await self.endpoint.ask(Query(query, Wanted(TABLES[0], NTRIPLES)))

        def write() -> CitedAnswer:
            read = results.table if answer.media_type in TABLES else results.triples
            return self.writer.table(query, read(answer.body), answer.hints, page)

        return await asyncio.to_thread(write)


def as_text(value: str | float) -> str:
    """A value as people write it: some programs send 2022 as 2022.0."""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


def in_thread(find: Callable[..., CitedAnswer]) -> Callable[..., Awaitable[CitedAnswer]]:
    """The same for callers that must not wait."""

    async def run(**arguments: str) -> CitedAnswer:
        return await asyncio.to_thread(find, **arguments)

    return run


def takes(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def text(meaning: str, **others: Any) -> Schema:
    return {"type": "string", "description": meaning, "maxLength": LONGEST_TEXT} | others


def parameter_schema(parameter: Parameter) -> Schema:
    """What an agent is told of a parameter. Numbers are numbers; all else is text."""
    form = f"{parameter.type}: its slug, its address or its exact name"
    meaning = f"{parameter.meaning} ({FORMS.get(parameter.type, form)})"
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
    """Raises BadQuery, naming the argument and what would be right."""
    known: dict[str, Schema] = schema["properties"]
    for name, value in arguments.items():
        if name not in known:
            near = closest(name[:SHOWN], known, most=1)
            has = (
                f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known) or 'none'}."
            )
            raise BadQuery(f"There is no argument '{name[:SHOWN]}'. {has}")
        check_value(name, value, known[name])
    missing = [name for name in schema["required"] if name not in arguments]
    if missing:
        raise BadQuery(f"{missing[0]} is missing: {known[missing[0]]['description']}.")


def check_value(name: str, value: Any, schema: Schema) -> None:
    if isinstance(value, bool) or not isinstance(value, KINDS_OF_VALUE[schema["type"]]):
        raise BadQuery(f"{name} must be a {schema['type']}: {schema['description']}.")
    if isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        raise BadQuery(f"{name} is longer than {schema['maxLength']} characters. Give less.")
    if value not in schema.get("enum", [value]):
        given = str(value)[:SHOWN]
        near = closest(given, schema["enum"], most=1)
        meant = f"Did you mean {near[0]}?" if near else f"Give one of {', '.join(schema['enum'])}."
        raise BadQuery(f"{name} cannot be '{given}'. {meant}")
