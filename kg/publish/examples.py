"""The named queries as examples that an editor or an agent finds in the endpoint, each complete in itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Store

from kg.engine import guard
from kg.engine.memory import Memory
from kg.engine.outline import outline
from kg.errors import BadQuery, KgError
from kg.settings import Site, resources, shipped

COMMENT = re.compile(r"#[ \t]*(.*)")
PARAMETERS = "parameters:"  # a line for those who put other values in their place


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    question: str
    form: str  # select, ask, construct, describe
    query: str


def examples(site: Site) -> Iterator[Example]:
    """All of them; a site may have queries of its own, and mistakes in them."""
    nothing = Memory(site.base)
    for path in resources(site, "queries", "*.rq"):
        try:
            text = path.read_text(encoding="utf-8")
            guard.check(text)
            nothing.run(text)
        except (BadQuery, UnicodeDecodeError) as error:
            why = str(error).rstrip(".")
            raise KgError(f"{path}: this query cannot be published: {why}. Correct it, or move it out of queries/.") from error
        yield Example(path.stem, question(text) or path.stem.replace("-", " "), form(text), complete(text, site.base))


def own(site: Site) -> bytes:
    """The text of the queries that the site itself brought."""
    files = resources(site, "queries", "*.rq")
    return b"\n".join(path.read_bytes() for path in files if path.parent != shipped("queries").resolve())


def complete(query: str, base: str) -> str:
    """A query that any server understands: with the base, where it has addresses that are relative to it."""
    try:
        Store().query(query)
    except SyntaxError:
        return f"BASE <{base}>\n{query}"
    return query


def question(query: str) -> str:
    """What a query asks, in the words it opens with."""
    lines = []
    for line in query.splitlines():
        found = COMMENT.fullmatch(line)
        if not found:
            break
        if not found[1].startswith(PARAMETERS):
            lines.append(found[1].strip())
    return " ".join(filter(None, lines))


def form(query: str) -> str:
    return outline(query).form.word.lower()
