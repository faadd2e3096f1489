"""Edits an author's YAML by splicing text, so that only changed lines are touched.

A round trip through a parser (even ruamel.yaml, which keeps comments) rewrites the whole file, with
other line widths, quotes and indentation. Here the parser only finds the position of each value.
New text is spliced in there, and all other bytes stay the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from kg.errors import KgError
from kg.facts.yaml.rows import flow
from kg.plugins.exchange.yaml_text import block

STEP = 2  # columns per level of indentation
WIDEST = 130  # columns for an entry in braces on one line
BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")
COMMENT_LINE = re.compile(r"\r?\n( *)#[^\r\n]*")
COMMENT = re.compile(r"(^|\s)#")


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


class Splice(NamedTuple):
    """Replaces the characters from `start` to `end`; `label` identifies the edit.

    Lines inserted at the same position are sorted by indentation, deepest first, because they
    belong to the entry before them.
    """

    start: int
    end: int
    depth: int
    text: str
    label: str


@dataclass
class Edits:
    """Collects edits of one text and applies them together.

    Each edit refers to a node of the original text. `label` is attached to the edits that follow.
    """

    text: str
    label: str = ""
    splices: list[Splice] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.mark = self.text[: self.text.startswith("\ufeff")]  # byte order mark
        self.text = self.text.removeprefix("\ufeff")
        self.root = compose(self.text)
        self.newline = "\r\n" if "\r\n" in self.text else "\n"

    def result(self, without: Iterable[str] = ()) -> tuple[str, list[tuple[str, int, int]]]:
        """The new text, and label, first and last line of each edit, except labels in `without`."""
        left_out = set(without)
        chosen = [each for each in self.splices if each.label not in left_out]
        done, at, line, lines = [], 0, 1, []
        for start, end, _, spliced, label in sorted(chosen, key=lambda each: each[:3]):
            if start < at:
                raise CannotSplice("Two changes affect the same lines.")
            new = spliced.replace("\n", self.newline)
            line += self.text.count("\n", at, start)
            lines.append((label, line + spliced.startswith("\n"), line + new.count("\n")))
            line += new.count("\n")
            done += [self.text[at:start], new]
            at = end
        return "".join([self.mark, *done, self.text[at:]]), lines

    def splice(self, start: int, end: int, text: str, column: int = 0) -> None:
        self.splices.append(Splice(start, end, -column, text, self.label))

    def append(self, items: YamlNode, values: Sequence[Any]) -> None:
        """Appends items to a list; an empty value or a single text becomes a list."""
        require_unshared(items)
        if items.is_flow and items.value:
            for value in values:
                self.add_in_flow(items, items.items[-1], flow(value))
        elif items.in_flow:
            texts = [flow(items.plain)] if items.value else []
            self.splice(items.start, items.end, f"[{', '.join([*texts, *map(flow, values)])}]")
        elif items.is_list and items.value:
            last = items.items[-1]
            lines = [text for value in values for text in item_lines(value, last.is_flow)]
            self.insert_lines(last.end, lines, items.column)
        else:
            before = [items.plain] if items.value else []
            self.fill(items, value_lines([*before, *values]))

    def put(self, mapping: YamlNode, name: str, value: Any, after: str = "") -> None:
        """Adds a field at the end of a mapping, or after another field."""
        require_unshared(mapping)
        if not (mapping.is_mapping or mapping.is_empty):
            raise CannotSplice("Expected fields ('name: value') here.")
        if mapping.is_flow and mapping.value:
            self.add_in_flow(mapping, mapping.value[-1][1], f"{name}: {flow(value)}")
        elif mapping.in_flow:
            self.splice(mapping.start, mapping.end, flow({name: value}))
        elif mapping.value:
            last = mapping.fields.get(after) or mapping.value[-1][1]
            lines = value_lines({name: value})
            is_root = mapping is self.root
            if is_root and (at := self.template_position(name)):
                self.splice(at, at, "".join(f"\n{line}" for line in lines) + "\n")
            else:
                has_blank_lines = is_root and self.has_blank_lines
                self.insert_lines(
                    last.end, ["", *lines] if has_blank_lines else lines, mapping.column
                )
        else:
            self.fill(mapping, value_lines({name: value}))

    def replace(self, node: YamlNode, value: Any) -> None:
        """Replaces a value."""
        require_unshared(node, is_cut=True)
        if not (node.in_flow or node.is_flow or isinstance(value, str) or not value):
            self.fill(node, value_lines(value))
            return
        start, text, gap = node.start, quoted(value, node), self.gap(node)
        if gap == ":":
            start, text = self.text.index(":", node.behind) + 1, f" {text}"
        elif self.text[start - 1 : start] in (":", "-"):
            text = f" {text}"
        self.splice(start, node.end, text)

    def replace_field(self, mapping: YamlNode, name: str, new: str, value: str) -> None:
        """Replaces a field by another field with a text value."""
        require_unshared(mapping)
        key, old = mapping.value[[*mapping.fields].index(name)]
        require_unshared(old, is_cut=True)
        self.splice(key.start, old.end, f"{new}: {flow(value)}")

    def remove_items(self, items: YamlNode, numbers: Sequence[int]) -> None:
        require_unshared(items)
        nodes = [items.items[number] for number in numbers]
        for node in nodes:
            require_unshared(node, is_cut=True)
        if len(nodes) == len(items.items):
            self.replace(items, [])
        elif items.is_flow:
            self.cut_in_flow([(each.start, each.end) for each in items.items], numbers)
        else:
            for node in nodes:
                first = self.line_start(node.start)
                if self.text[first : node.start].strip() != "-":
                    raise CannotSplice("The entry does not start on its own line.")
                self.cut_lines(self.text.index("-", first), node.end)

    def remove_field(self, mapping: YamlNode, name: str) -> None:
        require_unshared(mapping)
        names = list(mapping.fields)
        number = names.index(name)
        key, value = mapping.value[number]
        require_unshared(value, is_cut=True)
        is_inline = self.text[self.line_start(key.start) : key.start].strip()
        if mapping.is_flow:
            self.cut_in_flow([(key.start, value.end) for key, value in mapping.value], [number])
        elif len(names) == 1:
            self.splice(key.start, value.end, "{}")
        elif is_inline:  # on the line of the dash
            following = mapping.value[1][0].start
            if COMMENT.search(self.text[self.line_end(value.end) : following]):
                raise CannotSplice("A comment follows the field.")
            self.splice(key.start, following, "")
        else:
            self.cut_lines(key.start, value.end)

    @property
    def has_blank_lines(self) -> bool:
        """Whether the author mostly separates top-level fields by blank lines."""
        pairs = self.root.value
        gaps = [self.text[one.end : other.start] for (_, one), (other, _) in pairwise(pairs)]
        return 2 * sum(bool(BLANK_LINE.search(gap)) for gap in gaps) > len(gaps)

    def template_position(self, name: str) -> int:
        """The position of a commented-out template for a section (`# work:`), or 0.

        The section goes above the template.
        """
        found = re.search(rf"\r?\n# ?{re.escape(name)}:", self.text)
        if not found or any(key.start <= found.end() <= at.end for key, at in self.root.value):
            return 0
        return found.start()

    def fill(self, node: YamlNode, lines: list[str]) -> None:
        """Replaces the value after a key or dash by lines; keeps a comment on the key's line."""
        gap = self.gap(node)
        if node is self.root or not node.start:
            self.splice(node.start, node.end, "")
        elif node.behind < 0:
            self.splice(node.start, node.end, f"\n{' ' * node.column}".join(lines))
            return
        elif gap == ":":
            self.splice(self.text.index(":", node.behind) + 1, node.end, "")
        else:
            self.cut_lines(node.start, node.end)
        self.insert_lines(node.end, lines, node.around + STEP)

    def gap(self, node: YamlNode) -> str:
        """The text between a key and its value, without spaces."""
        return self.text[node.behind : node.start].strip() if node.behind >= 0 else ""

    def insert_lines(self, behind: int, lines: list[str], column: int) -> None:
        at = self.line_end(behind)
        while (comment := COMMENT_LINE.match(self.text, at)) and len(comment[1]) > column:
            at = comment.end()  # a comment that belongs to the previous value
        text = "".join(f"\n{' ' * column}{line}" if line else "\n" for line in lines)
        self.splice(at, at, text if self.text[:at].strip() else f"{text[1:]}\n", column)

    def add_in_flow(self, around: YamlNode, last: YamlNode, text: str) -> None:
        """Adds an item after the last one of a flow collection."""
        behind = self.text[last.end : around.end - 1]
        comma = re.match(r"(?:\s|#[^\n]*\n)*,", behind)
        at = last.end + (comma.end() if comma else 0)
        line = self.line_start(at)
        if at - line + len(text) > WIDEST and not comma:
            first = self.line_start(last.start)
            column = re.match(r" *", self.text[first:])
            indent = len(column[0]) if column else 0
            is_first = first == self.line_start(around.start)
            text = f"\n{' ' * (indent + STEP if is_first else indent)}{text}"
        else:
            text = f" {text}"
        self.splice(at, at, f"{text}," if comma else f",{text}")

    def cut_in_flow(self, spots: list[tuple[int, int]], numbers: Sequence[int]) -> None:
        """Removes items of a flow collection, each with a comma."""
        last_left = max((each for each in range(len(spots)) if each not in numbers), default=-1)
        for number in numbers:
            start, end = spots[number]
            if number < last_left or number == 0:
                comma = self.text.find(",", end, spots[number + 1][0]) if spots[number + 1 :] else 0
                if comma <= 0 or COMMENT.search(self.text[end:comma]):
                    self.splice(start, end, "")
                    continue
                after = self.text[comma + 1 :]
                self.splice(start, comma + 1 + len(after) - len(after.lstrip(" ")), "")
            else:
                before = self.text[spots[number - 1][1] : start]
                comma = before.find(",")
                if COMMENT.search(before):
                    raise CannotSplice("A comment precedes the value.")
                self.splice(start - len(before) + comma, end, "")

    def cut_lines(self, start: int, end: int) -> None:
        first, last = self.line_start(start), self.line_end(end)
        if self.text[first:start].strip():
            raise CannotSplice("The value is not on its own line.")
        if first:
            first -= len(self.newline)
        else:
            last += len(self.newline)
        self.splice(first, last, "")

    def line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """The end of the line that contains a position, before the line break."""
        if at and self.text[at - 1] == "\n":
            found = at - 1
        else:
            found = self.text.find("\n", at)
            found = len(self.text) if found < 0 else found
        return found - (found > 0 and self.text[found - 1] == "\r")


def require_unshared(node: YamlNode, is_cut: bool = False) -> None:
    """Raises CannotSplice if an edit would change a value shared through an anchor."""
    if node.repeats or node.is_shared or (is_cut and node.is_named):
        raise CannotSplice("The value is shared through a YAML anchor (&name, *name).")


def value_lines(value: Any) -> list[str]:
    """The lines of a mapping or list in block style."""
    if isinstance(value, list):
        return [line for item in value for line in item_lines(item)]
    return block(value).removesuffix("\n").split("\n")


def item_lines(value: Any, in_braces: bool = False) -> list[str]:
    """The lines of a list item: in braces if the other items are and it fits."""
    if in_braces and len(line := f"- {flow(value)}") <= WIDEST:
        return [line]
    if isinstance(value, dict) and value:
        first, *rest = value_lines(value)
        return [f"- {first}", *(f"  {line}" if line else "" for line in rest)]
    first, *rest = value_lines({"item": value})
    return [f"-{first.partition(':')[2]}", *rest]


def quoted(value: Any, node: YamlNode) -> str:
    """A value on one line, in the quotes of the value it replaces."""
    if isinstance(value, str) and node.style == '"':
        return json.dumps(value, ensure_ascii=False)
    is_plain = isinstance(value, str) and value.isprintable()
    if is_plain and node.style == "'":
        return f"'{value.replace(chr(39), chr(39) * 2)}'"
    return flow(value)
