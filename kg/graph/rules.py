"""Derives triples by the rules in `queries/rules/`.

All rules read asserted triples only, so one pass in any order is enough. They create no nodes: the
subject of each derived triple is described in some YAML file, and the triple goes into the graph of
its subject.
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
    """The derived triples as N-Quads, generated lazily. A site can have its own rules; their
    problems are added to `problems`.
    """
    return (in_its_graph(line) for rule in rules for line in triples(memory, rule, problems))


def triples(memory: Memory, rule: Path, problems: list[Problem]) -> Iterator[str]:
    """The triples of one rule as N-Triples; none if the rule is invalid."""
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
            f"{subject} is not part of this site. Rules can only state facts about its entries, "
            "e.g. <people/ada#it>."
        )
        place = place_at(file, query, at)
        problems.append(Problem(place, "error", message, "foreign-subject"))


def in_graph(lines: Iterable[str], name: str) -> Iterator[str]:
    """N-Quads lines, moved to one graph."""
    end = f" <{name}> .\n"
    return (line[: line.rindex(" <")] + end for line in lines)


def in_its_graph(line: str) -> str:
    """An N-Triples line as an N-Quads line in the graph of its subject."""
    subject = line[1 : line.index(">")]
    return f"{line[:-2]} <{iris.document_of(subject)}> .\n"
