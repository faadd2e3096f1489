"""Dataset rules are evaluated by the store, a hundred times as fast as by pyshacl."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pyoxigraph import NamedNode

from kg.check.shacl.shapes import Finding, Rule, filled, on
from kg.errors import BadQuery, KgError
from kg.sparql.reading.parse_errors import readable
from kg.store.memory import Memory, bound
from kg.store.protocol import Term
from kg.vocab import prefixes

AT_ONCE = 256


def portions(about: Collection[str] | None) -> Iterator[list[str] | None]:
    """The nodes that a query is about, few of them at a time, for then the engine begins with
    them; None: all.
    """
    if about is None:
        yield None
        return
    ordered = sorted(about)
    for start in range(0, len(ordered), AT_ONCE):
        yield ordered[start : start + AT_ONCE]


def find(
    memory: Memory, rule: Rule, today: str, about: Collection[str] | None = None
) -> Iterator[Finding]:
    """What a rule finds, in all of the graph or about some nodes."""
    header = "".join(
        f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in prefixes(memory.base).items()
    )  # lines keep their numbers
    query = header + on(rule.query, today)
    for some in portions(about):
        values: dict[str, str | list[str]] = {"this": memory.base}
        try:
            text = bound(query, values if some is None else {**values, "value": some})
            rows = memory.select(text)
        except (BadQuery, ValueError) as error:  # it may also lack the place where $this is bound
            raise KgError(
                f"The shapes cannot be used: the query of {rule.name} is wrong: "
                f"{readable(str(error), query)}"
            ) from error
        for row in rows:
            path, value = (row[name].value if name in row else None for name in ("path", "value"))
            message = filled(rule.message, {name: text_of(term) for name, term in row.items()})
            yield Finding(memory.base, path, value, rule.name, rule.severity, message)


def text_of(term: Term) -> str:
    """A term in a message; an address keeps its brackets, for who shows it knows more of it."""
    return str(term) if isinstance(term, NamedNode) else term.value
