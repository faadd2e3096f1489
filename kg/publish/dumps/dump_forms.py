"""How a dump in each form is put together from what is said of each document."""

from __future__ import annotations

import json
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pyoxigraph import Quad

from kg.publish.dumps.spooled import Bytes
from kg.publish.formats import jsonld, rdf
from kg.publish.formats.media import JSONLD, RDFXML, TRIG, TURTLE
from kg.store.describe import Description


class Part(NamedTuple):
    """What a dump says of one document, and the prefixes that it uses. Where lines are sorted, a
    document may have several.
    """

    document: str
    body: Bytes
    used: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """What stands between parts, the head for the prefixes in use, the tail, and how a part is
    made.
    """

    between: bytes
    head: Callable[[Set[str]], bytes]
    tail: bytes
    part: Callable[[str, list[Quad]], Part]


PLAIN = Form(b"", lambda used: b"", b"", lambda document, quads: Part(document, b""))


def form_of(base: str, media_type: str) -> Form:
    head, tail = rdf.rdfxml_frame(base)
    forms = {
        TURTLE: Form(b"\n", partial(turtle_head, base), b"", partial(turtle_part, base)),
        TRIG: Form(b"\n", partial(turtle_head, base), b"", partial(trig_part, base)),
        RDFXML: Form(b"", lambda used: head, tail, partial(rdfxml_part, base)),
        JSONLD: Form(b",", partial(jsonld_head, base), b"\n ]\n}\n", partial(jsonld_part, base)),
    }
    if media_type not in forms:
        raise ValueError(f"no dump is made as {media_type}")
    return forms[media_type]


def turtle_head(base: str, used: Set[str]) -> bytes:
    writer = rdf.TurtleWriter(base)
    writer.used = {*used}
    return f"{writer.head()}\n".encode()


def turtle_part(base: str, document: str, quads: list[Quad]) -> Part:
    writer = rdf.TurtleWriter(base)
    blocks = [writer.subject(subject, same) for subject, same in rdf.by_subject(quads)]
    return Part(document, "\n".join(blocks).encode(), tuple(sorted(writer.used)))


def trig_part(base: str, document: str, quads: list[Quad]) -> Part:
    body = turtle_part(base, document, quads)
    writer = rdf.TurtleWriter(base)
    name = writer.iri(document)
    return Part(
        document,
        f"{name} {{\n".encode() + bytes(body.body) + b"}\n",
        tuple(sorted({*body.used, *writer.used})),
    )


def rdfxml_part(base: str, document: str, quads: list[Quad]) -> Part:
    head, tail = rdf.rdfxml_frame(base)
    return Part(document, rdf.rdfxml(base, quads)[len(head) : -len(tail)])


def jsonld_head(base: str, used: Set[str]) -> bytes:
    whole = jsonld.text({"@context": jsonld.context(base), "@graph": []})
    return whole.removesuffix(b"]\n}\n")


def jsonld_part(base: str, document: str, quads: list[Quad]) -> Part:
    lines = json.dumps(
        jsonld.nodes(base, Description(document, quads, {})), ensure_ascii=False, indent=1
    ).split("\n")
    return Part(document, "".join(f"\n {line}" for line in lines[1:-1]).encode())
