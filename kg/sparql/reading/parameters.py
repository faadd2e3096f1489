"""The parameters of a query: values that the caller may choose.

A query names them in its opening comments, `# parameters: person = people/ada#it`, and gives each a
value of its own in `VALUES (?person) { (<people/ada#it>) }`. Another value takes the place of that
one and is of the same kind. It is written by the engine's own terms, so that whatever was given
stays one term.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile

from pyoxigraph import Literal, NamedNode

from kg.errors import BadQuery
from kg.sparql.reading.tokens import END, Token, tokens
from kg.vocab import xsd

STATED = re.compile(r"#[ \t]*parameters:(.*)")
NAME = re.compile(r"(?:^|,)\s*(\w+)\s*=")
NUMBERS = {
    "integer": re.compile(r"[+-]?[0-9]+"),
    "decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    "double": re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+"),
}
# lets the engine judge an address that is relative to a base we do not know
STAND_IN = "http://base.invalid/"


Slot = Sequence[Token]  # that stand where a value of a parameter does


def parameters(query: str) -> list[str]:
    """The names of a query's parameters, as it states them."""
    opening = takewhile(lambda line: line.startswith("#"), query.splitlines())
    return [
        name
        for line in opening
        if (stated := STATED.match(line))
        for name in NAME.findall(stated[1])
    ]


def fill(query: str, values: Mapping[str, str]) -> str:
    """A query with these values for its parameters: addresses, relative ones too, the last part of
    one, or texts and numbers.
    """
    known = parameters(query)
    for name in values:
        if name not in known:
            raise BadQuery(
                f"This query has no parameter '{name}'. It has {', '.join(known) or 'none'}."
            )
    found = list(tokens(query))
    slots = {name: slot_of(name, found) for name in values}
    for name, slot in sorted(slots.items(), key=lambda item: item[1][0].start, reverse=True):
        try:
            term = write_term(values[name], slot, found)
        except (ValueError, UnicodeError) as error:
            raise BadQuery(
                f"The parameter '{name}' cannot be '{values[name][:100]}': {error}."
            ) from error
        query = query[: slot[0].start] + term + query[slot[-1].end :]
    return query


def slot_of(name: str, found: Sequence[Token]) -> Slot:
    """Where the value of a parameter stands."""
    for at, token in enumerate(found):
        if token.word != "VALUES":
            continue
        rest = found[at + 1 :]
        head = list(takewhile(lambda token: token.text != "{", rest))
        row = takewhile(lambda token: token.text != "}", rest[len(head) + 1 :])
        names = [token.text[1:] for token in head if token.kind == "variable"]
        slots = terms([token for token in row if token.text not in ("(", ")")])
        if name in names and len(slots) == len(names):
            return slots[names.index(name)]
    raise BadQuery(
        f"The parameter '{name}' has no place in this query; one such as VALUES (?{name}) {{ "
        f"(…) }} with one row is needed."
    )


def terms(row: Sequence[Token]) -> list[Slot]:
    """The tokens of each term: a literal may have several, as in `"1"^^xsd:int` and `-1`."""
    begins = [
        at
        for at, (before, token) in enumerate(pairwise([END, *row]))
        if token.text != "^" and token.kind != "tag" and before.text not in ("^", "-", "+")
    ]
    return [row[at:end] for at, end in pairwise([*begins, len(row)])]


def write_term(value: str, slot: Slot, found: Sequence[Token]) -> str:
    """A value as a term of the kind that stands in its place."""
    first, last = slot[0], slot[-1]
    if first.kind in ("iri", "name"):
        return address(value, first, found)
    if first.kind == "string":
        return str(Literal(value)) + "".join(token.text for token in slot[1:])
    if first.word in ("TRUE", "FALSE"):
        if value not in ("true", "false"):
            raise ValueError("it is true or false")
        return value
    if last.kind == "number":
        kind = next((kind for kind, form in NUMBERS.items() if form.fullmatch(value)), None)
        if kind is None:
            raise ValueError("it is a number")
        return str(Literal(value, datatype=NamedNode(xsd.string.replace("string", kind))))
    raise ValueError(f"'{first.text}' stands in its place, which may be anything")


def address(value: str, present: Token, found: Sequence[Token]) -> str:
    """An address; for a slug alone the one beside the present."""
    if value.startswith("<") and value.endswith(">"):
        value = value[1:-1]
    elif not re.search(r"[:/#]", value):
        before, after = around(present, found)
        value = f"{before}{value}{after}" if value else ""
    if not value:
        raise ValueError("it is an address")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value):
        return str(NamedNode(value))
    return f"<{str(NamedNode(STAND_IN + value)).removeprefix(f'<{STAND_IN}')}"


def around(present: Token, found: Sequence[Token]) -> tuple[str, str]:
    """What stands before and after the slug of an address: `people/` and `#it`."""
    if present.kind == "iri":
        document, sign, fragment = present.text[1:-1].partition("#")
        folder, slash, _ = document.rpartition("/")
        return folder + slash, sign + fragment
    prefix = present.text.partition(":")[0]
    lines = zip(found, found[1:], found[2:], strict=False)
    namespace = next(
        (
            iri.text[1:-1]
            for word, name, iri in lines
            if word.word == "PREFIX" and name.text == f"{prefix}:"
        ),
        None,
    )
    if namespace is None:
        raise ValueError(f"the prefix {prefix}: has no PREFIX line")
    return namespace, ""
