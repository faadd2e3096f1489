"""Questions by address: `/queries/coauthors-of.csv?person=ada-lindqvist`.

Values are bound as RDF terms. The resulting query runs like any other query of the endpoint.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from kg.publish.formats.media import (
    DUMP_SUFFIXES,
    HTML,
    NTRIPLES,
    TABLE_SUFFIXES,
    TABLES,
    negotiate,
)
from kg.store.protocol import Query, Wanted
from kg.web import sparql
from kg.web.answers import Reply, build_reply
from kg.web.documents import QUESTIONS
from kg.web.request import Refusal, Request
from kg.web.sparql import given_once, parse_fields
from kg.web.state import State

if TYPE_CHECKING:  # RDF files are served without these
    from kg.publish.questions.results import QueryResult
    from kg.publish.site import Documents
    from kg.sparql.reading.questions import Question
    from kg.store.memory import Memory

PATH = f"/{QUESTIONS}"
PAGE = {".html": HTML}
ADDRESSES = "addresses"
SUFFIXES = {**PAGE, **TABLE_SUFFIXES, **DUMP_SUFFIXES}


class QuestionAddress(NamedTuple):
    """A question and the suffix of its address; without a suffix the Accept header decides."""

    question: Question
    suffix: str
    documents: Documents

    @property
    def formats(self) -> Mapping[str, str]:
        """Suffix -> media type, the page first."""
        return {**PAGE, **(TABLE_SUFFIXES if self.question.is_table else DUMP_SUFFIXES)}


def find(request: Request, state: State) -> QuestionAddress | None:
    """The question at the request's address; None for a file or an unknown question. In a built
    folder it is always None: its pages answer with scripts.
    """
    path = request.path
    if not path.startswith(PATH) or state.documents.graph is None:
        return None
    documents = state.documents
    if not request.query_string and path[1:] in documents.files:
        return None
    name, dot, ending = path.removeprefix(PATH).rpartition(".")
    suffix = f"{dot}{ending}" if f".{ending}" in SUFFIXES else ""
    question = documents.questions.get(name if suffix else path.removeprefix(PATH))
    return QuestionAddress(question, suffix, documents) if question else None


async def respond(
    request: Request, state: State, named: QuestionAddress, client: str, watched: bool
) -> Reply:
    """Answers a question. `watched`: the answer may change at any time."""
    given: dict[str, str] = {}
    question, documents = named.question, named.documents

    def page(
        *, message: str = "", result: QueryResult | None = None, hints: Sequence[str] = ()
    ) -> bytes:
        return documents.pages.question(question, given, result, message)

    async def reply() -> Reply:
        media_type = choose_format(request, named)
        is_for_people = media_type == HTML
        if is_for_people and question.needed and not request.query_string:
            return await asyncio.to_thread(lambda: build_reply(request, page(), HTML))
        given.update(values(request.query_string))
        has_addresses = wants_addresses(question, given, media_type)
        asked = question.linked if is_for_people or has_addresses else question
        text = await asyncio.to_thread(bound, asked, given, documents)
        formats = wanted(named, media_type)
        query = Query(text, formats, client=client, is_for_people=is_for_people)
        return await sparql.answer(request, state, watched, query, page)

    return await sparql.outcome(request, reply(), page)


def bound(question: Question, given: Mapping[str, str], documents: Documents) -> str:
    """The query with these values filled in."""
    from kg.publish.questions.values import Things, bind  # noqa: PLC0415  RDF files have none

    return bind(question, given, Things.of(cast("Memory", documents.graph.memory)))


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
