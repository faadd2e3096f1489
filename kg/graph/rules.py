"""The triples that follow from others, by the rules in `queries/rules/`.

All rules read asserted triples only, so one pass in any order is enough. They make no new nodes:
each triple they give has a subject that some line of YAML describes, and goes into that subject's
graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from kg.errors import Problem, place_at
from kg.mapping import iris
from kg.settings import shipped
from kg.sparql.reading.own_queries import RULES, read_query
from kg.store.memory import Memory


def derive(memory: Memory, rules: Iterable[Path], problems: list[Problem]) -> Iterator[str]:
    """What follows from a graph by these rules, as lines of N-Quads, made as they are needed. A
    site may have rules of its own; what is wrong with them is added to the problems.
    """
    return (in_its_graph(line) for rule in rules for line in triples(memory, rule, problems))


def triples(memory: Memory, rule: Path, problems: list[Problem]) -> Iterator[str]:
    """What one rule says, as lines of N-Triples; nothing where it cannot be used."""
    file = f"queries/rules/{rule.name}"
    if rule.is_relative_to(shipped("queries").resolve()):
        query, wrong = rule.read_text(encoding="utf-8"), list[Problem]()
    else:
        query, wrong = read_query(rule, file, memory.base, RULES)
    problems += wrong
    foreign = set()
    for line in memory.construct(query) if not wrong else ():
        if line.startswith(f"<{memory.base}"):
            yield line
        else:
            subject = line.partition(" ")[0]
            foreign.add("A blank node" if subject.startswith("_:") else subject)
    for subject in sorted(foreign)[:1]:
        word = re.search(r"CONSTRUCT|DESCRIBE", query, re.IGNORECASE)
        at = query.find(subject) if subject in query else word.start() if word else 0
        message = (
            f"{subject} is not a thing of this site. A rule may only speak of those, e.g. "
            "<people/ada#it>."
        )
        place = place_at(file, query, at)
        problems.append(Problem(place, "error", message, "foreign-subject"))


def in_its_graph(line: str) -> str:
    """A line of N-Triples as a line of N-Quads, in the graph of its subject."""
    subject = line[1 : line.index(">")]
    return f"{line[:-2]} <{iris.document_of(subject)}> .\n"
