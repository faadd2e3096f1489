"""The shapes with the site's address in them: one file of Turtle for any SHACL processor. And what
they say of themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import NamedNode, RdfFormat, serialize

from kg.check.findings import local
from kg.check.shape_files import read
from kg.vocab import prefixes, rdf, rdfs, sh


@dataclass(frozen=True, slots=True)
class Said:
    """What a shape says of itself: its message, with `{?name}` for what it finds, and its comment,
    which may be empty.
    """

    message: str
    comment: str = ""


def turtle(base: str, files: Iterable[Path]) -> bytes:
    """All shapes in one file, sorted."""
    triples = sorted(
        read(base, files).triples,
        key=lambda each: (str(each.subject), each.predicate.value != rdf.type, str(each)),
    )
    names = {**prefixes(base), "sh": str(sh), "s": f"{base}shapes#"}
    lines = (serialize(triples, format=RdfFormat.TURTLE, prefixes=names) or b"").splitlines(
        keepends=True
    )
    return b"".join(
        [*sorted(lines[: len(names)]), *lines[len(names) :]]
    )  # the prefixes come in any order


def said(files: Iterable[Path]) -> dict[str, Said]:
    """Rule -> what its shape says. The rule is the fragment of the shape's IRI, so any base will
    do.
    """
    shapes, rules = read("https://site.example/", files), {}
    for node in shapes.about:
        of = [node, *shapes.values(node, sh.sparql)]
        message, comment = (
            next(filter(None, (shapes.text(each, name) for each in of)), "")  # type: ignore[arg-type]
            for name in (sh.message, rdfs.comment)
        )
        if isinstance(node, NamedNode) and message:
            rules[local(node.value)] = Said(message, comment)
    return rules
