"""Whether two results are the same: rows as a multiset, blank nodes by whatever names, in order
only where an order is expected.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from decimal import Decimal

from pyoxigraph import BlankNode, Literal, Triple

from tests.w3c.results import Result, Row, Table, Term

XSD = "http://www.w3.org/2001/XMLSchema#"
WHOLE = (
    "integer long int short byte unsignedLong unsignedInt unsignedShort unsignedByte "
    "nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger"
)
READERS: dict[str, Callable[[str], Hashable]] = {
    **dict.fromkeys((XSD + name for name in WHOLE.split()), int),
    XSD + "decimal": Decimal,
    XSD + "double": float,
    XSD + "float": float,
    **dict.fromkeys(
        (XSD + name for name in ("date", "time", "dateTime")),
        lambda text: re.sub(r"[+-]00:00$", "Z", text),
    ),
    XSD + "boolean": {"true": True, "1": True, "false": False, "0": False}.__getitem__,
}
Reading = Callable[[Term], Hashable]
Line = dict[str, Hashable]  # a blank node stays itself, any other term is as it was read
Names = dict[BlankNode, BlankNode]


def exact(term: Term) -> Hashable:
    return term


def by_value(term: Term) -> Hashable:
    """Numbers, truths and dates of one type are the same when they mean the same, however they are
    written.
    """
    if not isinstance(term, Literal) or term.datatype.value not in READERS:
        return term
    try:
        value = READERS[term.datatype.value](term.value)
    except (ArithmeticError, ValueError, KeyError):
        return term  # ill-typed: the same as itself only
    return term.datatype.value, "NaN" if isinstance(value, float) and math.isnan(value) else value


def same(wanted: Result, found: Result, reading: Reading = exact, lax: bool = False) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    if isinstance(wanted, Table) != isinstance(found, Table):
        return False
    if (
        isinstance(wanted, Table)
        and isinstance(found, Table)
        and wanted.variables != found.variables
    ):
        return False
    ours, theirs = lines(wanted.rows, reading), lines(found.rows, reading)
    if lax and len(theirs) <= len(ours):
        ours, theirs = once(ours), once(theirs)
    if shapes(ours) != shapes(theirs):
        return False
    if isinstance(wanted, Table) and wanted.ordered:
        return renamed(ours, theirs, {}, ordered=True)
    # The shapes agree, so the lines without blank nodes do, and only the others are left to pair.
    return renamed(with_blanks(ours), with_blanks(theirs), {}, ordered=False)


def lines(rows: list[Row], reading: Reading) -> list[Line]:
    return [
        {name: term if isinstance(term, BlankNode) else reading(term) for name, term in flat(row)}
        for row in rows
    ]


def flat(row: Row) -> Iterator[tuple[str, Term]]:
    """A row with the three parts of a triple term as columns of their own."""
    for name, term in row.items():
        if isinstance(term, Triple):
            parts = (term.subject, term.predicate, term.object)
            yield from flat({f"{name} {place}": part for place, part in enumerate(parts)})
        else:
            yield name, term


def once(rows: list[Line]) -> list[Line]:
    return [row for place, row in enumerate(rows) if row not in rows[:place]]


def shapes(rows: list[Line]) -> Counter[frozenset[tuple[str, Hashable]]]:
    """The lines with all blank nodes alike."""
    return Counter(
        frozenset(
            (name, None if isinstance(cell, BlankNode) else cell) for name, cell in row.items()
        )
        for row in rows
    )


def with_blanks(rows: list[Line]) -> list[Line]:
    return [row for row in rows if any(isinstance(cell, BlankNode) for cell in row.values())]


def renamed(ours: list[Line], theirs: list[Line], names: Names, ordered: bool) -> bool:
    """Whether one renaming of blank nodes, each to one of its own, turns these lines into those."""
    if not ours:
        return not theirs
    for place, line in enumerate(theirs[:1] if ordered else theirs):
        more = paired(ours[0], line, names)
        if more is not None and renamed(
            ours[1:], theirs[:place] + theirs[place + 1 :], more, ordered
        ):
            return True
    return False


def paired(ours: Line, theirs: Line, names: Names) -> Names | None:
    """The names, with those that follow if these two lines are one; None if they cannot be."""
    if ours.keys() != theirs.keys():
        return None
    names = dict(names)
    for name, cell in ours.items():
        other = theirs[name]
        if isinstance(cell, BlankNode) and isinstance(other, BlankNode):
            if names.get(cell, other) != other or (cell not in names and other in names.values()):
                return None
            names[cell] = other
        elif cell != other:
            return None
    return names
