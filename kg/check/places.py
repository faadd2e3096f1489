"""Finds the place and the label of a problem, in the site's Turtle if it states the offending
triple, otherwise in the YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pyoxigraph import Literal

from kg.errors import Place
from kg.graph.build import Graph
from kg.graph.handwritten import PlacedTriple
from kg.mapping import origins

QUOTED_TEXT = re.compile(r"<([^<>\s]+)>|'([^']+)'|(https?://[^\s<>',;]*[^\s<>',;.)])")
MIN_TEXT_LENGTH = 4  # letters that a text needs to be recognised in a message
Located = tuple[Place, str]


def locate(
    graph: Graph,
    about: str,
    path: str | None = None,
    value: str | None = None,
    message: str = "",
) -> Located | None:
    """The place and the label for a problem of a node: where its property `path` is written, or the
    value that the message names.
    """
    base = graph.site.base
    said = graph.by_hand.about(about)
    label = about.removeprefix(base)
    if found := offending_triple(said, path, value, message):
        is_property = path is not None and f"<{path}>" in message
        return found.predicate if is_property else found.object, label
    in_yaml = origins.locate(graph.origins, base, about, path, value)
    if path and value is None:
        in_yaml = locate_first_text(graph, about, texts_in(message), path) or in_yaml
    return in_yaml or next(((each.subject, label) for each in said), None)


def locate_first_text(
    graph: Graph, node: str, said: Iterable[str], *paths: str | None
) -> Located | None:
    """The place of the first of these texts that the node has. Dataset rules name the value only in
    their message.
    """
    return next(
        (
            found
            for path in paths
            for text in said
            if (found := origins.locate_value(graph.origins, graph.site.base, node, text, path))
        ),
        None,
    )


def texts_in(message: str) -> list[str]:
    """The addresses and quoted texts in a message."""
    return [said for found in QUOTED_TEXT.findall(message) for said in found if said]


def offending_triple(
    said: Sequence[PlacedTriple], path: str | None, value: str | None, message: str
) -> PlacedTriple | None:
    """The triple that a problem names most clearly, of this property if there are any. If it names
    none, the last one of the property.
    """
    of_path = [each for each in said if each.triple.predicate.value == path]
    named = [(match_score(each, path, value, message), each) for each in of_path or said]
    most = max((plain for plain, _ in named), default=0)
    if most:
        return next(each for plain, each in named if plain == most)
    return of_path[-1] if of_path else None


def match_score(each: PlacedTriple, path: str | None, value: str | None, message: str) -> int:
    """How clearly a problem names a triple, as its value or in its message; 0 if it does not."""
    text, is_of_path = getattr(each.triple.object, "value", ""), each.triple.predicate.value == path
    if text == value or (is_of_path and f"<{path}>" in message):
        return 3
    if not isinstance(each.triple.object, Literal):
        return 2 * (f"<{text}>" in message)
    if not re.search(rf"(?<!\w){re.escape(text)}(?!\w)", message):
        return 0
    is_quoted = f"'{text}'" in message or f"({text})" in message
    return (is_of_path or len(text) >= MIN_TEXT_LENGTH) * (1 + is_quoted)


def place_of(graph: Graph, thing: str) -> Place:
    """The place that describes an entry: its own, the first mention, or handwritten Turtle."""
    found = locate(graph, thing)
    return found[0] if found else graph.by_hand.place_of(thing)
