"""The triples that follow from others, by the rules in `queries/rules/`.

All rules read asserted triples only, so one pass in any order is enough. They make no new nodes:
each triple they give has a subject that some line of YAML describes, and goes into that subject's
graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from kg.errors import BadQuery, KgError
from kg.mapping import iris
from kg.sparql.reading.parse_errors import check_syntax
from kg.store.memory import Memory


def derive(memory: Memory, rules: Iterable[Path]) -> Iterator[str]:
    """What follows from a graph by these rules, as lines of N-Quads, made as they are needed."""
    return (in_its_graph(line) for rule in rules for line in triples(memory, rule))


def triples(memory: Memory, rule: Path) -> Iterator[str]:
    """What one rule says, as lines of N-Triples; a site may have rules of its own, and mistakes in
    them.
    """
    try:
        query = rule.read_text(encoding="utf-8")
        check_syntax(query, memory.base)
        found = memory.construct(query)
    except (BadQuery, UnicodeDecodeError) as error:
        raise KgError(f"{rule}: this rule cannot be used: {error}") from error
    for line in found:
        if not line.startswith(f"<{memory.base}"):
            del found  # in its own thread, not when the exception goes
            raise KgError(
                f"{rule}: a rule may only speak of things of this site, not of "
                f"{line.partition(' ')[0]}"
            )
        yield line


def in_its_graph(line: str) -> str:
    """A line of N-Triples as a line of N-Quads, in the graph of its subject."""
    subject = line[1 : line.index(">")]
    return f"{line[:-2]} <{iris.document_of(subject)}> .\n"
