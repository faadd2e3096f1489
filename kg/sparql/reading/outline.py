"""The outline of a query, read from its tokens: its form, columns and graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kg.sparql.reading.guard import FORMS
from kg.sparql.reading.tokens import Token, once, tokens

AFTER_HEAD = {"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"}
CHANGING = {"NOW", "RAND", "UUID", "STRUUID", "BNODE"}  # functions with a different value each time


@dataclass(frozen=True, slots=True)
class Outline:
    """`head` is the tokens between the form and the patterns or graphs: `DISTINCT *`, or the nodes
    to describe. `rest` is the offset of what follows.
    """

    query: str
    tokens: tuple[Token, ...]
    form: Token
    head: tuple[Token, ...]
    rest: int
    graphs: tuple[Token, ...]  # after FROM
    names_graphs: bool  # has FROM or FROM NAMED
    is_changing: bool

    @property
    def prologue(self) -> str:
        return self.query[: self.form.start]

    @property
    def has_patterns(self) -> bool:
        return any(token.text == "{" for token in self.tokens if token.start >= self.rest)

    @property
    def variables(self) -> list[str]:
        """All variables, in the order of the text."""
        return list(
            dict.fromkeys(token.text[1:] for token in self.tokens if token.kind == "variable")
        )

    @property
    def selects_all(self) -> bool:
        return self.form.word == "SELECT" and bool(self.head) and self.head[-1].text == "*"

    def selecting(self, columns: Sequence[str]) -> str:
        """The same query as a SELECT of these columns."""
        distinct = " ".join(
            token.text for token in self.head if token.word in ("DISTINCT", "REDUCED")
        )
        return f"{self.prologue}SELECT {distinct} {' '.join(columns)} {self.query[self.rest :]}"

    def resolving(self, terms: Sequence[Token]) -> str:
        """A query that returns one row with the full IRIs of these terms."""
        columns = " ".join(
            f"({token.text.rstrip('.')} AS ?a{number})" for number, token in enumerate(terms)
        )
        return f"{self.prologue}SELECT {columns} {{}}"


def with_prefixes(query: str, known: Mapping[str, str]) -> str:
    """The query with declarations of the known prefixes that it uses without declaring them."""
    found = tokens(query)
    own = {after.text for token, after in pairwise(found) if token.word == "PREFIX"}
    used = dict.fromkeys(token.text.partition(":")[0] for token in found if token.kind == "name")
    missing = [name for name in used if name in known and f"{name}:" not in own]
    return "".join(f"PREFIX {name}: <{known[name]}> " for name in missing) + query


@once
def outline(query: str) -> Outline:
    found = tokens(query)
    words = {token.word for token in found}
    first = next((at for at, token in enumerate(found) if token.word in FORMS), len(found))
    end = Token("end", "", len(query))
    begins = next(
        (
            at
            for at, token in enumerate(found)
            if at > first and (token.text == "{" or token.word in AFTER_HEAD)
        ),
        len(found),
    )
    rest = (*found[begins:], end)
    froms = (
        [after for token, after in pairwise(rest) if token.word == "FROM"]
        if "FROM" in words
        else []
    )
    return Outline(
        query=query,
        tokens=found,
        form=found[first] if first < len(found) else end,
        head=tuple(found[first + 1 : begins]),
        rest=rest[0].start,
        graphs=tuple(token for token in froms if token.kind in ("iri", "name")),
        names_graphs=bool(froms),
        is_changing=not CHANGING.isdisjoint(words),
    )
