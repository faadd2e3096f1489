"""A question: a SPARQL query with a YAML header in `#+` lines, which states its summary, parameters
and picture.

    #+ summary: With whom did a person write, and how many works?
    #+ params:
    #+   person: {type: person, meaning: whose co-authors, example: ada-lindqvist}
    #+ picture: bars
    SELECT ?coauthor (COUNT(?work) AS ?works) WHERE {
      VALUES (?person) { (<people/ada-lindqvist#it>) }

A query without a header is a question too; its opening comments are the summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from kg.errors import BadValue, Place, Problem
from kg.sparql.reading.outline import outline
from kg.sparql.reading.parameters import Parameter, Slot, slots, written
from kg.vocab import renamed_terms

if TYPE_CHECKING:
    from kg.facts.yaml.rows import Row

# The sentence with blanks, the sentence of an answer, what is most in it, and its columns.
ANSWER_WORDS = ("ask", "answer", "most", "columns")
HEADER = re.compile(r"#\+[ \t]?(.*)")
COMMENT = re.compile(r"#[ \t]*(.*)")
WORDS = ("summary", "description", "params", "picture", "tags", "featured", *ANSWER_WORDS)
PARAMETER_FIELDS = ("type", "meaning", "default", "example")


@dataclass(frozen=True)
class Column:
    """How a page shows a column: its heading, the variable of the entry that it names, and whether
    its numbers are shares.
    """

    name: str
    head: str = ""
    thing: str = ""
    is_share: bool = False

    @property
    def address(self) -> str:
        """The column with the address of the entry; empty if it names none."""
        return f"{self.name}_address" if self.thing else ""


@dataclass(frozen=True)
class Question:
    """`text` is the whole file, with the defaults of the header in its slots. It runs unchanged."""

    name: str
    summary: str
    text: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    picture: str = ""
    tags: tuple[str, ...] = ()
    featured: int = 0
    ask: str = ""
    answer: str = ""
    most: str = ""
    columns: tuple[Column, ...] = ()

    @cached_property
    def linked(self) -> Question:
        """The question whose answer also has the addresses of the entries that columns name."""
        found = outline(self.text)
        things = [
            f"(?{each.thing} AS ?{each.address})"
            for each in self.columns
            if each.thing and {each.name, each.thing} <= {*found.variables}
        ]
        if not things or self.form != "select" or found.selects_all:
            return self
        text = f"{self.text[: found.rest]}{' '.join(things)} {self.text[found.rest :]}"
        return replace(self, text=text)

    @cached_property
    def evidence(self) -> Question:
        """The question for the documents that the answer rests on."""
        return replace(self, text=outline(self.text).evidence())

    def column(self, name: str) -> Column:
        return next((each for each in self.columns if each.name == name), Column(name))

    @cached_property
    def form(self) -> str:
        """select, ask, construct or describe"""
        return outline(self.text).form.word.lower()

    @property
    def is_table(self) -> bool:
        """Whether the answer is a table or a boolean, not a graph."""
        return self.form in ("select", "ask")

    @cached_property
    def slots(self) -> dict[str, Slot]:
        """The slot of each parameter in the query."""
        return {name: slot for name, slot in slots(self.text).items() if self.parameter(name)}

    @property
    def needed(self) -> tuple[Parameter, ...]:
        """The required parameters."""
        return tuple(each for each in self.parameters if each.is_required)

    def parameter(self, name: str) -> Parameter | None:
        return next((each for each in self.parameters if each.name == name), None)

    def filled(self, terms: Mapping[str, str]) -> str:
        """The query with these SPARQL terms in the slots of its parameters."""
        return fill(self.text, {name: self.slots[name] for name in terms}, terms)


def fill(text: str, places: Mapping[str, Slot], terms: Mapping[str, str]) -> str:
    """The query with these SPARQL terms in these slots."""
    for name, slot in sorted(places.items(), key=lambda item: -item[1][0].start):
        text = text[: slot[0].start] + terms[name] + text[slot[-1].end :]
    return text


@lru_cache(maxsize=512)
def read_question(name: str, text: str) -> Question:
    """The question in a text. Invalid parts of its header are ignored."""
    row: Mapping[str, Any] = header(text)[0] or {}
    said = {word: row[word] for word in WORDS if isinstance(row.get(word), str)}
    params = row.get("params")
    known = tuple(parameters(params, text)) if isinstance(params, dict) else ()
    tags = row.get("tags", [])
    return Question(
        name,
        said.get("summary") or " ".join(filter(None, opening(text))) or name.replace("-", " "),
        with_defaults(renamed_terms(text).strip(), known),
        said.get("description", ""),
        known,
        said.get("picture", ""),
        tuple(map(str, tags if isinstance(tags, list) else [tags])),
        int(said["featured"]) if said.get("featured", "").isdecimal() else 0,
        said.get("ask", ""),
        said.get("answer", ""),
        said.get("most", ""),
        tuple(columns(row.get("columns"))),
    )


def with_defaults(text: str, known: Sequence[Parameter]) -> str:
    """The query with the default of each parameter in its slot, if another value is there."""
    places: dict[str, Slot] = {}
    terms: dict[str, str] = {}
    for parameter in known:
        slot = slots(text)[parameter.name] if parameter.default else []
        if slot and "".join(token.text for token in slot).strip("\"'") != parameter.default:
            with suppress(BadValue):  # reported by `kg check`
                terms[parameter.name] = written(parameter, parameter.default, slot)
                places[parameter.name] = slot
    return fill(text, places, terms)


def columns(stated: object) -> Iterator[Column]:
    """`coauthor: Co-author @other` has a heading and an entry, `rate: "%"` has shares."""
    for name, words in stated.items() if isinstance(stated, dict) else ():
        head, _, thing = str(words).partition("@")
        head, share, _ = head.partition("%")
        yield Column(name, head.strip(), thing.strip(), bool(share))


def parameters(params: Mapping[str, object], text: str) -> Iterator[Parameter]:
    places = slots(text) if params else {}
    for name, field in params.items():
        if isinstance(field, dict) and name in places:
            yield stated(name, field, is_open=places[name][0].word == "UNDEF")


def stated(name: str, field: Mapping[str, object], is_open: bool = False) -> Parameter:
    type_, meaning, default, example = (str(field.get(word, "")) for word in PARAMETER_FIELDS)
    return Parameter(name, type_, meaning, default, example, is_open)


def header_lines(text: str) -> list[re.Match[str]]:
    matches = map(HEADER.fullmatch, text.splitlines())
    return [found for found in takewhile(bool, matches) if found]


def header(text: str, file: str = "") -> tuple[Row | None, list[Problem]]:
    """The YAML of the `#+` lines with its places, and the mistakes in it."""
    lines = header_lines(text)
    if not lines:
        return None, []
    from kg.facts.yaml.reader import read  # noqa: PLC0415  RDF files have none

    row, problems = read(file, "\n".join(line[1] for line in lines).encode())
    return row, [
        Problem(in_text(each.place, lines), "error", each.message, "question") for each in problems
    ]


def in_text(place: Place, lines: list[re.Match[str]]) -> Place:
    """Maps a place in the header to the text, where each line starts with `#+`."""
    before = lines[min(place.line, len(lines)) - 1].start(1)
    return Place(place.file, place.line, place.column + before)


def opening(query: str) -> Iterator[str]:
    """The comment lines at the start of a query, without the header."""
    for line in query.splitlines():
        found = COMMENT.fullmatch(line)
        if not found:
            return
        if not HEADER.fullmatch(line):
            yield found[1].strip()
