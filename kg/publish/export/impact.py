"""The difference between two graphs, and the queries it affects.

A query is affected if it names a predicate of a changed triple or can match any predicate. Graphs
are compared as sorted lines; long equal runs are skipped by comparing bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from urllib.parse import urljoin

from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.mapping import iris
from kg.sparql.reading.tokens import END, Token, tokens
from kg.vocab import PREFIXES, rdf, schema

MIN_STEP, MAX_STEP = 1 << 8, 1 << 20  # bytes compared at once; doubled while they are equal
LISTING_KEYWORDS = (
    "SELECT",
    "GROUP",
    "ORDER",
    "VALUES",
)  # followed by variables that are in no pattern


class Difference:
    """The changes between two graphs; `lines` are the lines that only one of them has."""

    def __init__(self, base: str, lines: Iterable[str]) -> None:
        self.base = base
        self.quads = list(parse("\n".join(lines), format=RdfFormat.N_QUADS, lenient=True))
        self.predicates = frozenset(quad.predicate.value for quad in self.quads)

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The nodes with changed triples."""
        return frozenset(subjects_of(self.quads))

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(map(iris.document_of, self.subjects))

    @cached_property
    def named(self) -> frozenset[str]:
        """The nodes whose class or name changed."""
        words = (rdf.type, schema.name)
        return frozenset(subjects_of(quad for quad in self.quads if quad.predicate.value in words))

    def concerns(self, query: str) -> bool:
        """Whether the result of the query can have changed."""
        names = names_in(query, self.base)
        return bool(self.quads) if names is None else not names.isdisjoint(self.predicates)


def subjects_of(quads: Iterable[Quad]) -> Iterator[str]:
    return (quad.subject.value for quad in quads if isinstance(quad.subject, NamedNode))


@lru_cache(maxsize=1024)
def names_in(query: str, base: str) -> frozenset[str] | None:
    """All IRIs that a query names, including predicates; None if it can match triples with any
    predicate.
    """
    found = tokens(query)
    if can_match_any_predicate(found):
        return None
    known, names = dict(PREFIXES), set[str]()
    for before, token, after in zip((END, *found), found, (*found[1:], END), strict=False):
        if token.kind == "iri":
            names.add(resolved(token, base))
        elif token.word == "A":
            names.add(rdf.type)
        elif before.word == "PREFIX":
            known[token.text.removesuffix(":")] = resolved(after, base)
        elif token.kind == "name":
            # The dot that ends a triple can directly follow a name; it is not part of the name.
            prefix, _, name = token.text.rstrip(".").partition(":")
            if prefix == "_":  # a blank node
                continue
            if prefix not in known or "\\" in name:
                return None
            names.add(f"{known[prefix]}{name}")
    return frozenset(names)


def resolved(token: Token, base: str) -> str:
    """The absolute IRI."""
    address = token.text[1:-1]
    if ":" in address.partition("/")[0]:
        return address
    return urljoin(base, address.removesuffix("#")) + "#" * address.endswith("#")


def can_match_any_predicate(found: tuple[Token, ...]) -> bool:
    """Whether a query can match triples with any predicate: by a variable as predicate, a negated
    or optional path, or an empty group. If in doubt, it can.
    """
    around, is_listed = (END, *found, END, END), False
    for at, token in enumerate(found, 1):
        before, after, then = around[at - 1], around[at + 1], around[at + 2]
        if token.word in LISTING_KEYWORDS:
            is_listed = True
        elif token.text in ("{", "}") or token.word == "WHERE":
            is_listed = False
        match token.text:
            case "!":
                first = next((each for each in found[at:] if each.text != "("), END)
                found_any = first.kind in ("iri", "name") or first.text == "^" or first.word == "A"
            case "*" | "?":
                found_any = is_address(before) or before.text == ")"
            case "}":
                found_any = before.text == "{"
            case _:
                found_any = token.word == "DESCRIBE" or (
                    token.kind == "variable" and not is_listed and is_predicate(before, after, then)
                )
        if found_any:
            return True
    return False


def is_address(token: Token) -> bool:
    return token.kind in ("iri", "name") or token.word == "A"


def is_predicate(before: Token, after: Token, then: Token) -> bool:
    """Whether a variable between these tokens can be a predicate. After a closing bracket it can be
    the subject, and then a predicate follows.
    """
    is_object_after = (
        after.is_term
        or after.kind in ("string", "number", "open")
        or after.word in ("TRUE", "FALSE")
        or after.text in ("+", "-")
    ) and after.text != "{"
    if before.text == ")" and is_address(after):
        return not (then.is_term or then.kind in ("string", "number", "open", "operator"))
    follows = before.is_term or before.text in (";", "[", "]", ")")
    return follows and is_object_after


def changes(old: bytes, new: bytes) -> list[str]:
    """The lines that only one of the two graphs has."""
    removed, added = compare(old, new)
    return removed + added


def compare(old: bytes, new: bytes) -> tuple[list[str], list[str]]:
    """The removed lines and the added lines."""
    removed: list[bytes] = []
    added: list[bytes] = []
    here, there = 0, 0  # always at the start of a line
    while here < len(old) and there < len(new):
        mine, other = line(old, here), line(new, there)
        if mine == other:
            same = max(len(mine), equal_lines(old, here, new, there))
            here, there = here + same, there + same
        elif mine < other:
            removed.append(mine)
            here += len(mine)
        else:
            added.append(other)
            there += len(other)
    removed += old[here:].split(b"\n")[:-1]
    added += new[there:].split(b"\n")[:-1]
    return text_of(removed), text_of(added)


def text_of(lines: list[bytes]) -> list[str]:
    return [each.decode().rstrip("\n") for each in lines]


def line(text: bytes, start: int) -> bytes:
    return text[start : text.find(b"\n", start) + 1]


def equal_lines(old: bytes, here: int, new: bytes, there: int) -> int:
    """The number of equal bytes from here, rounded down to the end of a line."""
    run, step = 0, MIN_STEP
    ours = memoryview(old)  # slices without copying
    while step >= MIN_STEP:
        part = ours[here + run : here + run + step]
        if part and new.startswith(part, there + run):
            run += len(part)
            step = min(2 * step, MAX_STEP)
        else:
            step //= 2
    return old.rfind(b"\n", here, here + run) + 1 - here
