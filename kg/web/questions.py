"""Questions by address: `/queries/coauthors-of.csv?person=ada-lindqvist`.

Values are bound as RDF terms. The resulting query runs like any other query of the endpoint.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from kg.errors import BadValue, QueryBusy, QueryError
from kg.publish.formats.media import (
    DUMP_SUFFIXES,
    HTML,
    NTRIPLES,
    TABLE_SUFFIXES,
    TABLES,
    negotiate,
)
from kg.store.protocol import Answer, Query, Wanted
from kg.web import sparql
from kg.web.answers import Reply, build_reply
from kg.web.documents import QUESTIONS
from kg.web.request import Refusal, Request
from kg.web.sparql import given_once, parse_fields
from kg.web.state import State

if TYPE_CHECKING:  # RDF files are served without these
    from kg.publish.questions.results import QueryResult
    from kg.sparql.reading.questions import Question
    from kg.store.memory import Memory

PATH = f"/{QUESTIONS}"
PAGE = {".html": HTML}
JSON_ONLY = Wanted(TABLES[0], None)
ADDRESSES = "addresses"
ANSWERS = (".json", ".ttl")  # of the files with the answer that needs no values
SUFFIXES = {**PAGE, **TABLE_SUFFIXES, **DUMP_SUFFIXES}


class QuestionAddress(NamedTuple):
    """A question and the suffix of its address; without a suffix the Accept header decides."""

    question: Question
    suffix: str

    @property
    def formats(self) -> Mapping[str, str]:
        """Suffix -> media type, the page first."""
        return {**PAGE, **(TABLE_SUFFIXES if self.question.is_table else DUMP_SUFFIXES)}


def find(request: Request, state: State) -> QuestionAddress | None:
    """The question at the request's address; None for a file or an unknown question. The page of a
    question with parameters is not the file, whose script answers in the browser; nor is a page
    without an answer, because large sites have no files of answers.
    """
    path, documents = request.path, state.documents
    if not path.startswith(PATH):
        return None
    name, dot, ending = path.removeprefix(PATH).rpartition(".")
    suffix = f"{dot}{ending}" if f".{ending}" in SUFFIXES else ""
    question = documents.questions.get(name if suffix else path.removeprefix(PATH))
    is_file = not request.query_string and path[1:] in documents.files
    answers = (f"{path[1:].removesuffix(suffix)}{form}" for form in ANSWERS)
    is_form = suffix in PAGE and not (
        question and not question.parameters and any(file in documents.files for file in answers)
    )
    return QuestionAddress(question, suffix) if question and (is_form or not is_file) else None


async def respond(
    request: Request, state: State, named: QuestionAddress, client: str, watched: bool
) -> Reply:
    """Answers a question. `watched`: the answer may change at any time."""
    from kg.publish.pages.question_page import question_page  # noqa: PLC0415  RDF files have none
    from kg.publish.questions import evidence  # noqa: PLC0415

    given: dict[str, str] = {}
    question, pages, text = named.question, state.documents.pages, ""
    fault: BadValue | None = None
    cited: list[evidence.Source] = []

    def page(
        *, message: str = "", result: QueryResult | None = None, hints: Sequence[str] = ()
    ) -> bytes:
        return question_page(pages, question, given, text, result, message, fault, cited)

    async def cite(found: Answer) -> Answer:
        number = len(state.documents.addresses)
        if found.media_type == TABLES[0] and evidence.is_cited(found.body, number):
            with suppress(QueryError):
                asked = await bound(question.evidence, given, state)
                answer = await state.endpoint.ask(Query(asked, JSON_ONLY, client=client))
                cited.extend(evidence.sources(answer.body))
        return replace(found, body=evidence.with_links(found.body, cited))

    async def reply() -> Reply:
        nonlocal text, fault
        media_type = choose_format(request, named)
        is_for_people = media_type == HTML
        if is_for_people and question.needed and not request.query_string:
            return await asyncio.to_thread(lambda: build_reply(request, page(), HTML))
        given.update(values(request.query_string))
        has_addresses = wants_addresses(question, given, media_type)
        asked = question.linked if is_for_people or has_addresses else question
        try:
            text = await bound(question, given, state)
        except BadValue as error:
            fault = error
            raise
        sent = await bound(asked, given, state)
        formats = wanted(named, media_type)
        query = Query(sent, formats, client=client, is_for_people=is_for_people)
        return await sparql.answer(request, state, watched, query, page, cite)

    return await sparql.outcome(request, reply(), page)


async def bound(question: Question, given: Mapping[str, str], state: State) -> str:
    """The query with these values filled in. A built folder has no graph in memory, so its endpoint
    is asked for the names of entries; if they are too many, values are not checked.
    """
    from kg.publish.questions.values import NAMES_QUERY, Things, bind  # noqa: PLC0415

    if state.things is None and (graph := state.documents.graph):
        state.things = await asyncio.to_thread(Things.of, cast("Memory", graph.memory))
    elif state.things is None and state.has_names:
        try:
            found = await state.endpoint.ask(Query(NAMES_QUERY, JSON_ONLY))
        except QueryBusy:
            raise
        except QueryError:
            state.has_names = False
        else:
            rows = json.loads(found.body)["results"]["bindings"]
            named = [(row["thing"]["value"], row["name"]["value"]) for row in rows]
            state.things = await asyncio.to_thread(Things, state.documents.base, named)
    return await asyncio.to_thread(bind, question, given, state.things)


def choose_format(request: Request, named: QuestionAddress) -> str:
    """The requested media type, by suffix or Accept header."""
    formats = named.formats
    found = (
        formats.get(named.suffix)
        if named.suffix
        else negotiate(request.headers.get("accept"), tuple(formats.values()))
    )
    if found is None:
        noun = "table" if named.question.is_table else "graph"
        known = ", ".join(f"{named.question.name}{suffix}" for suffix in formats)
        raise Refusal(406, f"No acceptable format for a {noun}. Available: {known}.")
    return found


def wants_addresses(question: Question, given: dict[str, str], media_type: str) -> bool:
    """Whether the answer has columns with addresses: always in JSON, elsewhere on request."""
    named = "no" if question.parameter(ADDRESSES) else given.pop(ADDRESSES, "no")
    if named not in ("yes", "no"):
        raise Refusal(400, f"{ADDRESSES} cannot be '{named[:20]}'. Use yes or no.")
    return named == "yes" or media_type == TABLES[0]


def wanted(named: QuestionAddress, media_type: str) -> Wanted:
    if media_type == HTML:
        return Wanted(TABLES[0], NTRIPLES)
    return Wanted(media_type, None) if named.question.is_table else Wanted(None, media_type)


def values(query_string: str) -> dict[str, str]:
    """The parameters of an address, without those left empty in a form."""
    given = given_once(parse_fields(query_string, "address"))
    return {name: value for name, value in given.items() if value.strip()}
