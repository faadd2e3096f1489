"""The documents that an answer rests on: the sources of the roles, works and other facts that the
patterns of its query match.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode

from kg.publish.questions import results

MAX_CITED = 64 * 1024  # bytes of an answer; the sources of longer ones are those of the whole site
MOST_DOCUMENTS = 2_000  # of a site; on larger ones the sources take longer than the answer
HEAD = b'{"head":{'


class Source(NamedTuple):
    """A document; `url` is its original, if it is on the web."""

    name: str
    iri: str
    url: str = ""


def is_cited(body: bytes, documents: int) -> bool:
    """Whether an answer of a site with so many documents names its sources."""
    return len(body) <= MAX_CITED and documents <= MOST_DOCUMENTS


def sources(body: bytes) -> list[Source]:
    """The sources in the answer to `Question.evidence`, without duplicates."""
    found: dict[str, Source] = {}
    for source, name, url in results.table(body).rows:
        if isinstance(source, NamedNode) and isinstance(name, Literal):
            address = url.value if isinstance(url, NamedNode) else ""
            found.setdefault(source.value, Source(name.value, source.value, address))
    return list(found.values())


def with_links(body: bytes, cited: Iterable[Source]) -> bytes:
    """SPARQL results in JSON with the sources as links of the head, as the format has them."""
    links = json.dumps([each.iri for each in cited]).encode()
    return body.replace(HEAD, b'%s"link":%s,' % (HEAD, links), 1) if links != b"[]" else body
