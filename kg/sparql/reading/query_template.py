"""The template of queries that differ only in addresses: it is parsed once for all of them.

    SELECT ?name { <https://cv.example.org/people/ada#it> schema:name ?name }
    SELECT ?name { <m://0> schema:name ?name }      its template, with a mark for the address

An address in full holds nothing that could begin or end a literal, a comment or another address, so
the tokens around it are the same whatever it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeVar

LONGEST = 2048  # characters; longer queries are parsed each time
MOST = 64  # templates in the cache
ADDRESS = re.compile(
    r"""<[a-z]+://(?:(?!/\.)[^<>"'{}|^`\\\x00-\x20])*>"""
)  # without steps such as /../
MARK = re.compile(r"<m://([0-9]+)>")
Read = TypeVar("Read")


class QueryTemplate(NamedTuple):
    """A query with marks in it, and what they stand for."""

    text: str
    addresses: tuple[str, ...] = ()

    def restore(self, text: str) -> str:
        """A text derived from the template, with the addresses of the query in it."""
        return (
            MARK.sub(lambda mark: self.addresses[int(mark[1])], text)
            if "<m://" in text and self.addresses
            else text
        )


@lru_cache(maxsize=1)  # needed when a query is checked, and when it is evaluated
def template_of(query: str) -> QueryTemplate:
    """Marks are set behind the first brace; what stands before it (prefixes, graphs, what is
    described) is taken by its name.
    """
    head, brace, rest = query.partition("{")
    if (
        len(query) > LONGEST
        or '"' in head
        or "'" in head
        or "#" in head[head.rfind("\n") + 1 :]
        or "<m://" in head
    ):
        return QueryTemplate(query)  # the brace may be in a literal or a comment
    numbers: dict[str, str] = {}
    marked = ADDRESS.sub(
        lambda address: numbers.setdefault(address[0], f"<m://{len(numbers)}>"), rest
    )
    return QueryTemplate(head + brace + marked, tuple(numbers))


def once(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """A parser with a cache for short texts."""
    remembered = lru_cache(maxsize=MOST)(read)
    return lambda text: remembered(text) if len(text) <= LONGEST else read(text)
