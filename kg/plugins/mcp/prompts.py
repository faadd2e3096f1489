"""Prompts for usual tasks, which a person picks in the client of an agent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

MAX_VALUE = 200  # characters
CITE = "Cite the address of each document that you use, and say what the site does not state."


class Prompt(NamedTuple):
    """A text with blanks: `{person}`."""

    name: str
    title: str
    text: str

    @property
    def blanks(self) -> list[str]:
        return list(dict.fromkeys(re.findall(r"\{(\w+)\}", self.text)))

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with these values, each on one line."""
        given = {name: " ".join(values[name].split())[:MAX_VALUE] for name in self.blanks}
        return f"{self.text.format(**given)} {CITE}"


PROMPTS = (
    Prompt(
        "introduce",
        "Introduce a person",
        "Introduce {person} in five sentences: position, education, main topics, selected works, "
        "awards. Read the page with describe first.",
    ),
    Prompt(
        "find-expert",
        "Find somebody who knows a topic",
        "Who knows most about {topic}? Find the topic with search, then ask the question "
        "who-to-ask, and name up to three people with their evidence.",
    ),
    Prompt(
        "compare",
        "What two people have in common",
        "What do {person} and {other} have in common: works, places, topics? Ask the questions "
        "in-common and coauthor-chain.",
    ),
    Prompt(
        "list-works",
        "List works",
        "List the works of {person} since {year}, newest first, with venue and co-authors. Read "
        "the section Publications with describe.",
    ),
    Prompt(
        "write-query",
        "Write a SPARQL query",
        "Write a SPARQL query that answers: {question} Read describe schema first, run the query, "
        "and correct it until its rows answer the question.",
    ),
)
