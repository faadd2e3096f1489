"""Questions with their answers, for the start of a site: the named queries that say `# featured:
1`, by that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kg.publish.queries import starter
from kg.publish.queries.examples import Example
from kg.publish.text import wording
from kg.store.protocol import Store, Term

MOST_ROWS = 5
NUMBER = re.compile(r"-?[0-9.]*")


@dataclass(frozen=True)
class Answer:
    """The first rows of an answer. `numeric` are the places of columns of numbers, `more` is how
    many rows there are besides, `href` is where it is asked, seen from the top.
    """

    question: str
    columns: list[str]
    numeric: set[int]
    rows: list[list[str]]
    more: int
    href: str


def answers(store: Store, examples: Iterable[Example]) -> Iterator[Answer]:
    """What has no answer here is not shown."""
    for example in sorted(
        (each for each in examples if each.featured), key=lambda each: (each.featured, each.name)
    ):
        found = store.select(example.query)
        if found:
            first = found[:MOST_ROWS]
            names = list(dict.fromkeys(name for solution in first for name in solution))
            rows = [
                [shown(solution[name]) if name in solution else "" for name in names]
                for solution in first
            ]
            columns = [re.sub("([A-Z])", r" \1", name).lower() for name in names]
            numeric = {
                place
                for place, column in enumerate(zip(*rows, strict=True))
                if all(NUMBER.fullmatch(text) for text in column)
            }
            yield Answer(
                example.question,
                columns,
                numeric,
                rows,
                len(found) - len(rows),
                starter.address(example.query),
            )


def shown(term: Term) -> str:
    """A value in words; a date stays on one line."""
    text = wording.value(term)
    return text if text == term.value else text.replace(" ", "\u00a0")
