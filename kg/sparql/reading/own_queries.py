"""The queries that a site brings along, in `queries/`: each is read by the guard that reads those
of strangers, and what is wrong with it is a problem at its line.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pyoxigraph import QuerySolutions, Store

from kg.errors import BadQuery, BadValue, Place, Problem, line_and_column, offset_of
from kg.facts.yaml.reader import Unreadable, decode
from kg.facts.yaml.rows import Row
from kg.files.disk import read_bytes, unreadable
from kg.sparql.reading.guard import CLAUSES, FORMS, form_of, measure
from kg.sparql.reading.outline import outline
from kg.sparql.reading.parameters import STAND_IN, TYPES, Parameter, Slot, slots, written
from kg.sparql.reading.parse_errors import check_syntax
from kg.sparql.reading.questions import (
    HEADER,
    OF_A_PARAMETER,
    WORDS,
    header,
    header_lines,
    in_text,
    stated,
)
from kg.sparql.reading.tokens import Token, tokens, without_place
from kg.text.nearest import closest, did_you_mean
from kg.vocab import prefixes

FORMER = re.compile(r"#[ \t]*parameters:")
PICTURES = ("bars", "timeline", "network", "none")
# What else a header for grlc may say; it means nothing here.
OF_GRLC = (
    "defaults",
    "endpoint",
    "endpoint_in_url",
    "endpoint-method",
    "endpoint-params",
    "enumerate",
    "licence",
    "method",
    "mime",
    "pagination",
    "transform",
)
# Options of `kg query`, which a parameter would hide.
RESERVED = (
    *("endpoint", "format", "help", "json", "param"),
    *("query", "quiet", "site", "timeout", "verbose"),
)
NAME = re.compile(r"[a-z][A-Za-z0-9]*")
OF_GRLC_VARIABLE = re.compile(r"\?__?[A-Za-z]")


class HeaderFaults:
    """What is wrong with the header of one question, at its lines."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.lines = header_lines(text)
        self.row, self.problems = header(text, file)

    def found(self) -> list[Problem]:
        for number, line in enumerate(self.text.splitlines(), 1):
            if FORMER.match(line):
                message = "Parameters stand in the header now: '#+ params:', then '#+   person: "
                self.tell(number, 1, f"{message}{{type: person, meaning: …, example: …}}'.")
            elif HEADER.fullmatch(line) and number > len(self.lines):
                self.tell(number, 1, "This line of the header comes too late. Move it to the top.")
        if self.row is None:
            return self.problems
        for word in self.row:
            if word not in (*WORDS, *OF_GRLC):
                meant = did_you_mean(word, WORDS, f"It has {', '.join(WORDS)}.")
                self.at(f"A question has no '{word}'. {meant}", word, key=True)
        self.judge_words(self.row)
        params = self.row.get("params", Row(self.file))
        if not isinstance(params, Row):
            self.at("Write a line for each parameter: 'person: {type: person, …}'.", "params")
            return self.problems
        for name, field in params.items():
            self.judge_parameter(name, field)
        self.judge_variables(params)
        return self.problems

    def judge_words(self, row: Row) -> None:
        if not isinstance(row.get("summary"), str) or not row["summary"].strip():
            self.tell(1, 1, "Say what is asked, in words: '#+ summary: Who wrote with whom?'.")
        if row.get("picture", "none") not in PICTURES:
            self.at(f"A picture is one of {', '.join(PICTURES)}.", "picture")
        if not str(row.get("featured", "1")).isdecimal():
            self.at("A place on the home page is a number: 'featured: 1'.", "featured")

    def judge_parameter(self, name: str, field: Any) -> None:
        if not NAME.fullmatch(name) or name in RESERVED:
            why = "is an option of kg query" if name in RESERVED else "has other letters than a-z"
            self.at(f"A parameter cannot be called '{name}': it {why}.", "params", name, key=True)
            return
        if not isinstance(field, Row):
            self.at("Write '{type: person, meaning: …, example: …}'.", "params", name)
            return
        for word in field:
            if word not in OF_A_PARAMETER:
                meant = did_you_mean(word, OF_A_PARAMETER, "Did you mean 'meaning'?")
                self.at(f"A parameter has no '{word}'. {meant}", "params", name, word, key=True)
        parameter = stated(name, field)
        if parameter.type not in TYPES:
            meant = did_you_mean(parameter.type, TYPES, f"There are {', '.join(TYPES)}.")
            self.at(f"There is no type '{parameter.type}'. {meant}", "params", name, "type")
        elif not parameter.meaning:
            self.at("Say what it means: 'meaning: whose co-authors'.", "params", name)
        else:
            self.judge_value(parameter, field)

    def judge_value(self, parameter: Parameter, field: Row) -> None:
        """The value in the query is the one that is stated."""
        name, steps = parameter.name, ("params", parameter.name)
        slot = slots(self.text).get(name)
        if slot is None:
            place = f"VALUES (?{name}) {{ (…) }}"
            message = f"?{name} has no place in the query. Write '{place}' with one row into it."
            self.at(message, *steps, key=True)
            return
        uses = sum(token.text == f"?{name}" for token in tokens(self.text))
        if uses < 2 and not outline(self.text).selects_all:
            self.at(f"?{name} is not used by the query.", *steps, key=True)
        is_open = slot[0].word == "UNDEF"
        if not (is_open or parameter.default or parameter.example):
            message = "Give the value in the query, as a default or as an example of what is asked."
            self.at(message, *steps)
        if is_open and parameter.default:
            message = f"The query says UNDEF for ?{name}. Write the default there, too."
            self.at(message, *steps, "default")
        for word in ("default", "example"):
            value = field.get(word, "")
            if value:
                self.judge_stated(parameter, word, str(value), None if is_open else slot)

    def judge_stated(self, parameter: Parameter, word: str, value: str, slot: Slot | None) -> None:
        try:
            term = written(replace(parameter, default="", example=""), value, slot)
        except BadValue as error:
            self.at(str(error), "params", parameter.name, word)
            return
        is_there = word == "default" or not parameter.default
        if slot and is_there and self.read_term(term) != self.read_term(text_of(slot)):
            message = f"The query has {text_of(slot)} instead of this. Write the same in both."
            self.at(message, "params", parameter.name, word)

    def read_term(self, term: str) -> object:
        query = f"{outline(self.text).prologue} SELECT * {{ VALUES (?x) {{ ({term}) }} }}"
        [row] = Store().query(query, base_iri=STAND_IN)  # type: ignore[misc]
        return row["x"]

    def judge_variables(self, params: Row) -> None:
        """Variables that grlc takes for parameters are stated."""
        for token in tokens(self.text):
            if token.kind == "variable" and OF_GRLC_VARIABLE.match(token.text):
                name = token.text.strip("?_")
                message = (
                    f"{token.text} is no parameter here. Call it ?{name}, state it in '#+ params:',"
                    f" and give it a place: VALUES (?{name}) {{ (…) }}."
                )
                self.tell(*line_and_column(self.text, token.start), message)
                return

    def at(self, message: str, *steps: str, key: bool = False) -> None:
        place = in_text((self.row or Row(self.file)).at(*steps, key=key), self.lines)
        self.tell(place.line, place.column, message)

    def tell(self, line: int, column: int, message: str) -> None:
        self.problems.append(Problem(Place(self.file, line, column), "error", message, "question"))


def text_of(slot: Slot) -> str:
    return "".join(token.text for token in slot)


@lru_cache(maxsize=512)
def header_faults(file: str, text: str) -> tuple[Problem, ...]:
    """What is wrong with the header of a question; the query itself is known to be right."""
    return tuple(HeaderFaults(file, text).found())


RULES, BLOCKS = ("CONSTRUCT", "DESCRIBE"), ("SELECT",)  # what they are written as
PREFIX = "the prefix just before has no PREFIX line"
CLOSING = {"{": "}", "(": ")", "[": "]"}
UNBOUND = "contains a variable that is unbound"
UNREAD = re.compile(r"cannot be read from '(\w+)' on")
KEYWORDS = (*FORMS, *CLAUSES, "WHERE", "PREFIX", "BASE", "ORDER", "GROUP", "LIMIT", "OFFSET")
Fault = tuple[str, int, int]  # the message, and where in the text


def read_text(path: Path, file: str) -> tuple[str, list[Problem]]:
    """The text of a file of the site, which is called so in reports; empty where it has none."""
    data = read_bytes(path)
    if isinstance(data, OSError):
        return "", [Problem(Place(file), "error", unreadable(data), "unreadable-file")]
    try:
        return decode(data), []
    except Unreadable as error:
        line, column = error.spot
        place = Place(file, line + 1, column + 1)
        return "", [Problem(place, "error", error.message, "encoding")]


def read_query(
    path: Path, file: str, base: str, forms: tuple[str, ...] = FORMS
) -> tuple[str, list[Problem]]:
    """The text of a query, and what is wrong with it. It must have one of these forms."""
    text, problems = read_text(path, file)
    fault = fault_in(text, base, forms) if not problems else None
    if fault:
        message, line, column = fault
        problems.append(Problem(Place(file, line, column), "error", message, "query"))
    return text, problems


def read_named(path: Path, file: str, base: str) -> tuple[str, list[Problem]]:
    """The text of a question, and what is wrong with it or its header."""
    text, problems = read_query(path, file, base)
    return text, problems or [*header_faults(file, text)]


@lru_cache(maxsize=512)
def fault_in(query: str, base: str, forms: tuple[str, ...]) -> Fault | None:
    """Why a query cannot be used."""
    found = tokens(query)
    form = form_of(found)
    if not found:
        return "There is no query in this file. Write one, or delete it.", 1, 1
    try:
        check_syntax(query, base)
        measure(query)
    except BadQuery as error:
        return in_words(str(error), query, base)
    if form.word not in forms:
        *others, last = forms
        wanted = f"{', '.join(others)} or {last}" if others else last
        message = f"A query here is a {wanted}, not {form.word}. Rewrite it, or move it."
        return message, *line_and_column(query, form.start)
    return None


def in_words(message: str, query: str, base: str) -> Fault:
    """What the guard or the parser says, and the place it names."""
    words, line, column = without_place(message)
    if words.startswith(PREFIX):  # the place behind the name is given
        end = offset_of(query, line, column)
        name = next(each for each in reversed(tokens(query)) if each.start < end)
        prefix = name.text.partition(":")[0]
        example = prefixes(base).get(prefix, "http://…")
        advice = f"Add 'PREFIX {prefix}: <{example}>' above"
        return f"The prefix of '{name.text}' is not declared. {advice}.", *line_and_column(
            query, name.start
        )
    if UNBOUND in words:
        advice = "Each variable behind SELECT must be in GROUP BY, or in a COUNT or the like."
        return advice, *line_and_column(query, form_of(tokens(query)).start)
    if "ends too early" in words and (bracket := open_bracket(query)):
        message = f"This '{bracket.text}' is never closed. Add '{CLOSING[bracket.text]}'."
        return message, *line_and_column(query, bracket.start)
    words = words.replace("This endpoint is read-only", "Queries only read")
    words, meant = words[0].upper() + words[1:], UNREAD.search(words)
    near = closest(meant[1].upper(), KEYWORDS, most=1, cutoff=0.7) if meant else []
    advice = f" Did you mean {near[0]}?" if near else " Correct it, or move it out of queries/."
    return words if words.endswith("?") else f"{words}.{advice}", line, max(column, 1)


def open_bracket(query: str) -> Token | None:
    """The innermost bracket that is still open at the end."""
    stack: list[Token] = []
    for token in tokens(query):
        if token.kind == "open":
            stack.append(token)
        elif token.kind == "close" and stack:
            stack.pop()
    return stack[-1] if stack and stack[-1].text in CLOSING else None


def columns(query: str, base: str) -> list[str]:
    """What a SELECT gives, without being asked."""
    found = Store().query(query, base_iri=base, use_default_graph_as_union=True)
    return [each.value for each in found.variables] if isinstance(found, QuerySolutions) else []
