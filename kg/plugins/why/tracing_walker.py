"""A walker that records the field or entry of every line it writes.

It writes the same lines as any walker, but more slowly. `kg why` needs the exact origin of a
triple; for checks the nearest line is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from kg.facts.values.terms import Fact
from kg.facts.yaml.rows import Row
from kg.mapping.origins import Key, Origin, row_at
from kg.mapping.walk import FieldPlan, Node, Plan, Walker, plan_of


class Wording(NamedTuple):
    """The origin of a line: a field at the end of the origin's steps; or, if the field is empty,
    the entry itself.
    """

    origin: Origin
    field: str = ""

    @property
    def is_written(self) -> bool:
        """Whether the author wrote the field. The program fills in some, such as the key of an
        entry, and all fields of generated parts.
        """
        steps = self.origin.steps
        end = len(steps) - (steps[-1:] != (self.field,))
        row = row_at(self.origin._replace(steps=steps[: end - 1]))
        return isinstance(row, Row) and row.values_at.get(self.field, row.spot) != row.spot


class TracingWalker(Walker):
    """`wordings` maps each line to its origins."""

    def __init__(self, base: str, hidden: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(base, hidden)
        self.wordings: dict[str, list[Wording]] = defaultdict(list)
        self.current: list[Wording] = []

    def fact(
        self,
        fact: Fact,
        document: str,
        origin: Origin,
        enclosing: str = "",
        position: int = 0,
        tokens: tuple[str, ...] = (),
    ) -> str:
        with self.under([Wording(origin)]):
            return super().fact(fact, document, origin, enclosing, position, tokens)

    def plan(self, model: type[Fact]) -> Plan:
        return item_by_item(model, self.base)

    def item(self, field: FieldPlan, item: Any, key: Key, here: Node) -> None:
        origin, written = here.origin, row_at(here.origin)
        names = [name for name in field.written if name in written] or field.written[:1]
        with self.under([Wording(origin.then(origin.model, (each,), key), each) for each in names]):
            super().item(field, item, key, here)

    @contextmanager
    def under(self, wordings: list[Wording]) -> Iterator[None]:
        """Records these wordings for the lines written in the block, except in nested blocks."""
        self.file_lines()
        around, self.current = self.current, wordings
        yield
        self.file_lines()
        self.current = around

    def file_lines(self) -> None:
        for line in (*self.lines, *self.sources):
            known = self.wordings[line]
            known += [each for each in self.current if each not in known]
        self.lines.clear()
        self.sources.clear()


@cache
def item_by_item(model: type[Fact], base: str) -> Plan:
    """The plan of a class without the fast path for plain values."""
    plan = plan_of(model, base)
    return replace(plan, fields=tuple(replace(each, direct=()) for each in plan.fields))
