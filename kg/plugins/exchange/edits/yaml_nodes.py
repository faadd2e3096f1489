"""Parses YAML into nodes with character offsets, for editing the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from kg.errors import KgError

STEP = 2  # columns per level of indentation


class CannotSplice(KgError):
    """The YAML is written in a way that cannot be edited automatically."""


@dataclass(eq=False)
class YamlNode:
    """A YAML value with its start and end offsets."""

    value: Any  # a text, a list of nodes, or a tuple of (key, value) nodes
    start: int
    end: int
    column: int
    around: int = -STEP  # column of the enclosing block
    is_flow: bool = False  # written in brackets or braces
    in_flow: bool = False  # inside brackets or braces
    style: str = ""
    name: str = ""  # of its anchor or alias
    repeats: YamlNode | None = None  # the node that an alias refers to
    behind: int = -1  # end offset of its key; -1 without a key
    is_shared: bool = False  # inside a value with an anchor

    @property
    def fields(self) -> dict[str, YamlNode]:
        pairs = self.value if self.is_mapping else ()
        return {str(key.value): value for key, value in pairs}

    @property
    def items(self) -> list[YamlNode]:
        return list(self.value) if self.is_list else []

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, tuple)

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def is_empty(self) -> bool:
        return not self.value and self.style in ("", "[]")

    @property
    def plain(self) -> Any:
        """The value as plain Python data, with all scalars as text."""
        if self.repeats:
            return self.repeats.plain
        if self.is_mapping:
            return {str(key.value): value.plain for key, value in self.value}
        return [item.plain for item in self.value] if self.is_list else self.value

    @property
    def inner(self) -> list[YamlNode]:
        return [node for pair in self.value for node in pair] if self.is_mapping else self.items

    @property
    def is_named(self) -> bool:
        """Whether the node, or any node in it, has an anchor that aliases may refer to."""
        return bool(self.name and not self.repeats) or any(each.is_named for each in self.inner)

    def share(self, is_shared: bool = False) -> None:
        """Marks all nodes inside a value with an anchor as shared."""
        self.is_shared = is_shared or bool(self.name and not self.repeats)
        for each in self.inner:
            each.share(self.is_shared)


def compose(text: str) -> YamlNode:
    """Parses a YAML text; an empty text gives an empty node."""
    events, named = yaml.parse(text, Loader=yaml.CBaseLoader), dict[str, YamlNode]()
    try:
        next(events)
        if not isinstance(next(events), DocumentStartEvent):
            return YamlNode("", len(text), len(text), 0)
        node = composed(text, next(events), events, named, -STEP, False)
    except (yaml.YAMLError, KeyError, RecursionError) as error:
        raise CannotSplice("The file is not valid YAML. Run kg check to see why.") from error
    node.share()
    return node


def composed(
    text: str,
    event: Any,
    events: Iterator[Any],
    named: dict[str, YamlNode],
    around: int,
    in_flow: bool,
) -> YamlNode:
    start, column = event.start_mark.index, event.start_mark.column
    if type(event) is AliasEvent:
        name = str(event.anchor)
        end = start + len(name) + 1
        return YamlNode("", start, end, column, around, False, in_flow, "*", name, named[name])
    if isinstance(event, ScalarEvent):
        end = scalar_end(text, event)
        style = (event.style or "") if event.style else "plain" if end > start else ""
        node = YamlNode(event.value, start, end, column, around, False, in_flow, style)
    else:
        node = collection(text, event, events, named, around, in_flow)
    if event.anchor:
        node.name = event.anchor
        named[event.anchor] = node
    return node


def collection(
    text: str,
    event: Any,
    events: Iterator[Any],
    named: dict[str, YamlNode],
    around: int,
    in_flow: bool,
) -> YamlNode:
    is_list, is_flow = isinstance(event, SequenceStartEvent), bool(event.flow_style)
    start, column = event.start_mark.index, event.start_mark.column
    inner, inside = around if is_flow else column, in_flow or is_flow
    found: list[YamlNode] = []
    while isinstance(
        event := next(events), (ScalarEvent, AliasEvent, SequenceStartEvent, MappingStartEvent)
    ):
        found.append(composed(text, event, events, named, inner, inside))
    end = event.end_mark.index if is_flow else found[-1].end
    for key, each in zip(found[::2], found[1::2], strict=False):
        each.behind = -1 if is_list else key.end
    value = found if is_list else tuple(zip(found[::2], found[1::2], strict=True))
    return YamlNode(
        value, start, end, column, around, is_flow, in_flow, "[]" if is_flow else "block"
    )


def scalar_end(text: str, event: Any) -> int:
    """The end offset of a scalar; excludes blank lines after a block scalar, except with `|+`."""
    start, end = event.start_mark.index, event.end_mark.index
    if event.style not in ("|", ">") or "+" in text[start:].partition("\n")[0].partition("#")[0]:
        return int(end)
    return int(start + len(text[start:end].rstrip()))
