"""A question: a query that opens with lines of `#+`, together a YAML mapping, which say what it
asks, what its parameters are, and which picture fits its answer.

    #+ summary: With whom did a person write, and how many works?
    #+ params:
    #+   person: {type: person, meaning: whose co-authors, example: ada-lindqvist}
    #+ picture: bars
    SELECT ?coauthor (COUNT(?work) AS ?works) WHERE {
      VALUES (?person) { (<people/ada-lindqvist#it>) }

A query without them is a question, too: the comments it opens with say what it asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from kg.errors import Place, Problem
from kg.sparql.reading.outline import outline
from kg.sparql.reading.parameters import Parameter, Slot, slots

if TYPE_CHECKING:
    from kg.facts.yaml.rows import Row

HEADER = re.compile(r"#\+[ \t]?(.*)")
COMMENT = re.compile(r"#[ \t]*(.*)")
WORDS = ("summary", "description", "params", "picture", "tags", "featured")
OF_A_PARAMETER = ("type", "meaning", "default", "example")


@dataclass(frozen=True)
class Question:
    """`text` is the whole file, which runs as it is, with the values it has."""

    name: str
    summary: str
    text: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    picture: str = ""
    tags: tuple[str, ...] = ()
    featured: int = 0

    @cached_property
    def form(self) -> str:
        """select, ask, construct or describe"""
        return outline(self.text).form.word.lower()

    @property
    def is_table(self) -> bool:
        """Whether its answer is a table, or yes or no, and not a graph."""
        return self.form in ("select", "ask")

    @cached_property
    def slots(self) -> dict[str, Slot]:
        """Where the value of each parameter stands."""
        return {name: slot for name, slot in slots(self.text).items() if self.parameter(name)}

    @property
    def needed(self) -> tuple[Parameter, ...]:
        """The parameters without which it cannot be asked."""
        return tuple(each for each in self.parameters if each.is_required)

    def parameter(self, name: str) -> Parameter | None:
        return next((each for each in self.parameters if each.name == name), None)

    def filled(self, terms: Mapping[str, str]) -> str:
        """The query with these terms, as SPARQL writes them, in the places of parameters."""
        text = self.text
        found = {name: self.slots[name] for name in terms}
        for name, slot in sorted(found.items(), key=lambda item: -item[1][0].start):
            text = text[: slot[0].start] + terms[name] + text[slot[-1].end :]
        return text


@lru_cache(maxsize=512)
def read_question(name: str, text: str) -> Question:
    """The question that a text asks; what is wrong in its header is left out."""
    row: Mapping[str, Any] = header(text)[0] or {}
    said = {word: row[word] for word in WORDS if isinstance(row.get(word), str)}
    params = row.get("params")
    tags = row.get("tags", [])
    return Question(
        name,
        said.get("summary") or " ".join(filter(None, opening(text))) or name.replace("-", " "),
        text.strip(),
        said.get("description", ""),
        tuple(parameters(params, text)) if isinstance(params, dict) else (),
        said.get("picture", ""),
        tuple(map(str, tags if isinstance(tags, list) else [tags])),
        int(said["featured"]) if said.get("featured", "").isdecimal() else 0,
    )


def parameters(params: Mapping[str, object], text: str) -> Iterator[Parameter]:
    places = slots(text) if params else {}
    for name, field in params.items():
        if isinstance(field, dict) and name in places:
            yield stated(name, field, is_open=places[name][0].word == "UNDEF")


def stated(name: str, field: Mapping[str, object], is_open: bool = False) -> Parameter:
    type_, meaning, default, example = (str(field.get(word, "")) for word in OF_A_PARAMETER)
    return Parameter(name, type_, meaning, default, example, is_open)


def header_lines(text: str) -> list[re.Match[str]]:
    matches = map(HEADER.fullmatch, text.splitlines())
    return [found for found in takewhile(bool, matches) if found]


def header(text: str, file: str = "") -> tuple[Row | None, list[Problem]]:
    """What the `#+` lines say, with its places in them, and what is wrong there."""
    lines = header_lines(text)
    if not lines:
        return None, []
    from kg.facts.yaml.reader import read  # noqa: PLC0415  RDF files have none

    row, problems = read(file, "\n".join(line[1] for line in lines).encode())
    return row, [
        Problem(in_text(each.place, lines), "error", each.message, "question") for each in problems
    ]


def in_text(place: Place, lines: list[re.Match[str]]) -> Place:
    """A place in a header -> in the text, where each line has `#+` before it."""
    before = lines[min(place.line, len(lines)) - 1].start(1)
    return Place(place.file, place.line, place.column + before)


def opening(query: str) -> Iterator[str]:
    """The comments a query opens with, line by line, without its header."""
    for line in query.splitlines():
        found = COMMENT.fullmatch(line)
        if not found:
            return
        if not HEADER.fullmatch(line):
            yield found[1].strip()
