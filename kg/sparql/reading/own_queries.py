"""Queries of a site, in `queries/`: checked by the same guard as public queries, with mistakes
reported at their line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pyoxigraph import QuerySolutions, Store

from kg.errors import BadQuery, BadValue, Place, Problem, line_and_column, offset_of
from kg.facts.yaml.reader import Unreadable, decode
from kg.facts.yaml.rows import Row
from kg.files.disk import read_bytes, unreadable
from kg.sparql.reading.guard import CLAUSES, FORMS, form_of, measure
from kg.sparql.reading.parameters import TYPES, Parameter, Slot, slots, written
from kg.sparql.reading.parse_errors import check_syntax
from kg.sparql.reading.questions import (
    WORDS,
    header,
    header_lines,
    in_text,
    stated,
)
from kg.sparql.reading.tokens import Token, tokens, without_place
from kg.text.nearest import closest
from kg.vocab import PREFIXES, renamed_terms

PICTURES = ("bars", "timeline", "heatmap", "network", "none")
# Other fields of grlc headers; they are ignored here.
GRLC_FIELDS = (
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
RULES, BLOCKS = ("CONSTRUCT", "DESCRIBE"), ("SELECT",)  # allowed query forms
UNDECLARED_PREFIX = "the prefix just before this is not declared"
CLOSING = {"{": "}", "(": ")", "[": "]"}
UNBOUND = "contains a variable that is unbound"
UNEXPECTED = re.compile(r"unexpected '(\w+)'")
KEYWORDS = (*FORMS, *CLAUSES, "WHERE", "PREFIX", "BASE", "ORDER", "GROUP", "LIMIT", "OFFSET")
Fault = tuple[str, int, int]  # message, line and column


@lru_cache(maxsize=512)
def header_faults(file: str, text: str) -> tuple[Problem, ...]:
    """Mistakes in the header of a question whose query is valid."""
    lines, (row, problems) = header_lines(text), header(text, file)
    for steps, message in header_mistakes(row, text) if row is not None else ():
        place = in_text((row or Row(file)).at(*steps), lines)
        problems.append(Problem(place, "error", message, "question"))
    return tuple(problems)


def header_mistakes(row: Row, text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each mistake in a header: the path to it, and a message."""
    for word in row:
        if word not in (*WORDS, *GRLC_FIELDS):
            yield (word,), f"Unknown field '{word}'. Known: {', '.join(WORDS)}."
    if not isinstance(row.get("summary"), str) or not row["summary"].strip():
        yield (), "The summary is missing. Add '#+ summary: Who wrote with whom?'."
    if row.get("picture", "none") not in PICTURES:
        known = ", ".join(PICTURES)
        yield ("picture",), f"Unknown picture '{str(row['picture'])[:40]}'. Known: {known}."
    if not isinstance(row.get("params", Row("")), Row):
        yield (
            ("params",),
            "'params' is not a mapping. Write a line per parameter: 'person: {type: person, …}'.",
        )
    for name, field in row.row("params").items():
        steps = ("params", name)
        parameter = stated(name, field) if isinstance(field, Row) else None
        if parameter is None or parameter.type not in TYPES or not parameter.meaning:
            types = f"Types: {', '.join(TYPES)}"
            yield steps, f"Write '{{type: person, meaning: …, example: …}}'. {types}."
        elif name not in (places := slots(text)):
            place = f"VALUES (?{name}) {{ (…) }}"
            yield steps, f"?{name} is missing in the query. Add '{place}'."
        else:
            yield from wrong_values(parameter, places[name])


def wrong_values(parameter: Parameter, slot: Slot) -> Iterator[tuple[tuple[str, ...], str]]:
    for word, value in (("default", parameter.default), ("example", parameter.example)):
        try:
            written(replace(parameter, default="", example=""), value, slot) if value else ""
        except BadValue as error:
            yield ("params", parameter.name, word), str(error)


def read_text(path: Path, file: str) -> tuple[str, list[Problem]]:
    """The text of a file, reported under the name `file`; empty if it cannot be read."""
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
    """The text of a query, and its mistakes. It must have one of these forms."""
    text, problems = read_text(path, file)
    text = renamed_terms(text)
    fault = fault_in(text, base, forms) if not problems else None
    if fault:
        message, line, column = fault
        problems.append(Problem(Place(file, line, column), "error", message, "query"))
    return text, problems


def read_named(path: Path, file: str, base: str) -> tuple[str, list[Problem]]:
    """The text of a question, and the mistakes in it and its header."""
    text, problems = read_query(path, file, base)
    return text, problems or [*header_faults(file, text)]


@lru_cache(maxsize=512)
def fault_in(query: str, base: str, forms: tuple[str, ...]) -> Fault | None:
    """Why a query cannot be used; None if it can."""
    found = tokens(query)
    form = form_of(found)
    if not found:
        return "The file contains no query. Write one, or delete the file.", 1, 1
    try:
        check_syntax(query, base)
        measure(query)
    except BadQuery as error:
        return author_message(str(error), query, base)
    if form.word not in forms:
        *others, last = forms
        wanted = f"{', '.join(others)} or {last}" if others else last
        message = f"{form.word} is not allowed here. Write a {wanted}, or move the file."
        return message, *line_and_column(query, form.start)
    return None


def author_message(message: str, query: str, base: str) -> Fault:
    """The message of the guard or the parser for authors, and the place it names."""
    words, line, column = without_place(message)
    if words.startswith(UNDECLARED_PREFIX):  # the parser reports the place after the name
        end = offset_of(query, line, column)
        name = next(each for each in reversed(tokens(query)) if each.start < end)
        prefix = name.text.partition(":")[0]
        example = PREFIXES.get(prefix, "http://…")
        advice = f"Add 'PREFIX {prefix}: <{example}>' above"
        return f"The prefix of '{name.text}' is not declared. {advice}.", *line_and_column(
            query, name.start
        )
    if UNBOUND in words:
        advice = "Each variable after SELECT must be in GROUP BY, or in an aggregate such as COUNT."
        return advice, *line_and_column(query, form_of(tokens(query)).start)
    if "unexpected end" in words and (bracket := open_bracket(query)):
        message = f"This '{bracket.text}' is never closed. Add '{CLOSING[bracket.text]}'."
        return message, *line_and_column(query, bracket.start)
    words = words.replace("This endpoint is read-only", "Queries must not change data")
    words, meant = words[0].upper() + words[1:], UNEXPECTED.search(words)
    near = closest(meant[1].upper(), KEYWORDS, most=1, cutoff=0.7) if meant else []
    advice = f" Did you mean {near[0]}?" if near else " Fix it, or move the file out of queries/."
    return words if words.endswith("?") else f"{words}.{advice}", line, max(column, 1)


def open_bracket(query: str) -> Token | None:
    """The innermost bracket that is not closed."""
    stack: list[Token] = []
    for token in tokens(query):
        if token.kind == "open":
            stack.append(token)
        elif token.kind == "close" and stack:
            stack.pop()
    return stack[-1] if stack and stack[-1].text in CLOSING else None


@lru_cache(maxsize=256)
def columns(query: str, base: str) -> tuple[str, ...]:
    """The columns of a SELECT, without evaluating it."""
    found = Store().query(query, base_iri=base, use_default_graph_as_union=True)
    if not isinstance(found, QuerySolutions):
        return ()
    return tuple(each.value for each in found.variables)
