"""Three-way merge of an imported draft into the author's YAML text.

`base` is the result of the previous import of the same source, `new` that of this import. Only
differences between them are merged. Where the author changed the same value, it is kept, and the
difference is listed. Without a base, new values are added and existing ones kept, except that a
work can get fuller names of the same authors, or a more precise date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from kg.errors import line_and_column
from kg.facts.folded import SHORT
from kg.facts.models import SECTIONS
from kg.facts.models.people import Cv
from kg.plugins.exchange.author_names import SIGNED, format_names, is_same, join_authors
from kg.plugins.exchange.draft import Value, values_in
from kg.plugins.exchange.edits.entry_matching import (
    IDENTIFYING_FIELDS,
    OTHER_IDENTIFYING_FIELDS,
    WORKS,
    KnownEntries,
    instead_of,
    is_more_exact,
)
from kg.plugins.exchange.edits.joined_entries import Joining, shown
from kg.plugins.exchange.edits.splice import CannotSplice, Edits, YamlNode
from kg.text.normalize import squeeze

LAST_SECTIONS = ("references", "press", "contributions", "sections")
ORDER = (
    *(name for name in Cv.model_fields if name not in WORKS),
    "basics",
    *(name for name in SECTIONS if name not in LAST_SECTIONS),
    *WORKS,
    *LAST_SECTIONS,
)
NESTED = {"work": "positions", "tutorials": "given"}  # lists inside an entry, each item an entry


class Unmerged(NamedTuple):
    """A source value that was not merged, with the reason and a line of the author's text."""

    line: int
    message: str


class AuthorEntry(NamedTuple):
    """An entry in the author's text: its value, its node, and the node around it, if nested."""

    value: Any
    node: YamlNode
    outer: YamlNode | None = None
    number: int = 0  # index in its list

    def holder(self, name: str) -> YamlNode | None:
        """The mapping that contains a field: the entry itself or the one around it."""
        return next(
            (each for each in (self.node, self.outer) if each and name in each.fields), None
        )


class Merge:
    """Collects edits of one text; the label of each is the path of the value it changes."""

    def __init__(self, text: str, known: KnownEntries | None = None) -> None:
        self.known = known or KnownEntries()
        self.edits = Edits(text)
        self.differences: list[Unmerged] = []
        self.given: dict[str, Value] = {}  # label -> the first value of the source

    def add(self, base: Mapping[str, Any] | None, new: Mapping[str, Any]) -> None:
        root = self.edits.root
        self.fields("", AuthorEntry(root.plain, root), base, new)

    def result(self, without: Iterable[str] = ()) -> tuple[str, list[tuple[str, int, int]]]:
        """The new text, and label, first and last line of each edit, except labels in `without`."""
        return self.edits.result(without)

    def insert(self, section: str, entry: Any) -> None:
        """Adds an entry at the end of a section."""
        root = self.edits.root
        if section in root.fields:
            self.edits.append(root.fields[section], [entry])
        else:
            self.put(section, AuthorEntry(root.plain, root), section, [entry])

    def fields(
        self, path: str, spot: AuthorEntry, base: Mapping[str, Any] | None, new: Mapping[str, Any]
    ) -> None:
        """Merges the fields of one mapping. A field of the source can take the place of one that it
        excludes: `date` of `year`.
        """
        replaced = set[str]()
        for name in dict.fromkeys([*new, *(base or ())]):
            before, now = (base or {}).get(name), new.get(name)
            if (base is not None and before == now) or name in replaced:
                continue
            where = f"{path}.{name}" if path else name
            holder, other = spot.holder(name), instead_of(name, base or {})
            old = spot.holder(other) if other and holder is None and other not in new else None
            if old and base and old.fields[other].plain == base[other] and isinstance(now, str):
                self.edit(where, self.edits.replace_field, old, other, name, now)
                replaced.add(other)
            elif holder is None:
                self.merge_missing(where, spot, name, before, now)
            else:
                self.merge_existing(where, holder, name, before, now)

    def merge_missing(self, path: str, spot: AuthorEntry, name: str, before: Any, now: Any) -> None:
        """Merges a field that is missing in the author's text."""
        if now is None:
            return
        if is_entries(path, name, now, before or []):
            paired = self.known.pairs(name, now, before or [])
            added = [item for number, item in enumerate(now) if number not in paired]
            for number, old in paired.items():
                if now[number] != before[old]:
                    self.report(path, spot.node, removed_here(before[old]))
            if added:
                self.put(path, spot, name, added)
        elif before is not None and (
            (other := instead_of(name, spot.node.fields))
            and is_more_exact(now, spot.node.fields[other].plain)
        ):
            self.edit(path, self.edits.replace_field, spot.node, other, name, now)
        elif before is not None:
            self.report(path, spot.node, f"now {shown(now)} in the source, but you removed it")
        elif other := instead_of(name, spot.value or {}):
            if not (isinstance(now, str) and str(spot.value[other]).startswith(now)):
                message = f"{shown(now)} was skipped, because you have '{other}'"
                self.report(path, spot.node, message)
        else:
            self.put(path, spot, name, now)

    def merge_existing(self, path: str, holder: YamlNode, name: str, before: Any, now: Any) -> None:
        """Merges a field that the author has, even if it was removed from the source."""
        node = holder.fields[name]
        mine = node.plain
        if name in SIGNED and isinstance(now, list) and mine:
            self.authors(path, node, before, now)
        elif isinstance(now, list) and is_entries(path, name, now, mine):
            self.entries(path, name, holder, before or [], now)
        elif now is None and isinstance(before, list) and is_entries(path, name, before, mine):
            self.entries(path, name, holder, before, [])
        elif isinstance(mine, dict) and isinstance(now, dict):
            inner = before if isinstance(before, dict) else None
            self.fields(path, AuthorEntry(mine, node), inner, now)
        elif now is None:
            if mine == before:
                self.edit(path, self.edits.remove_field, holder, name)
            else:
                self.report(path, node, f"removed from the source; yours is kept: {shown(mine)}")
        elif before is not None and mine == before:
            self.edit(path, self.edits.replace, node, now)
        elif self.is_same(mine, now):
            return
        elif isinstance(mine, list) and isinstance(now, list) and isinstance(before, list):
            self.texts(path, node, before, now)
        else:
            self.report(path, node, both_changed(mine, now))

    def authors(self, path: str, node: YamlNode, before: Any, now: list[Any]) -> None:
        """Merges a list of authors: takes fuller names of the same people, or keeps the list."""
        mine = node.plain if isinstance(node.plain, list) else [node.plain]
        joined = join_authors(mine, now, self.known.person)
        is_cut = isinstance(before, list) and len(now) < len(before)
        if before is not None and mine == before:
            self.edit(path, self.edits.replace, node, now)
        elif joined is None or (is_cut and joined == mine):
            place = next((str(each.place) for each in values_in(now)), "the source")
            self.report(path, node, f"your list is kept; {place} has {format_names(now)}")
        elif node.is_list and len(joined) >= len(mine) and all(map(is_same, mine, joined)):
            for number, item in enumerate(node.items):
                if joined[number] != mine[number]:
                    self.edit(path, self.edits.replace, item, joined[number])
            for item in joined[len(mine) :]:
                self.edit(path, self.edits.append, node, [item])
        elif joined != mine:
            self.edit(path, self.edits.replace, node, joined)

    def texts(self, path: str, node: YamlNode, before: list[Any], now: list[Any]) -> None:
        """Merges a list of texts that both sides changed."""
        mine = node.plain
        gone = [item for item in before if item not in now]
        if any(item not in mine for item in gone):
            self.report(path, node, both_changed(mine, now))
            return
        left = [item for item in mine if item not in gone]
        wanted = [*left, *(item for item in now if item not in [*before, *left])]
        self.edit(path, self.edits.replace, node, wanted)

    def entries(
        self, path: str, section: str, holder: YamlNode, before: list[Any], now: list[Any]
    ) -> None:
        """Merges a list of entries by pairing those that match."""
        node = holder.fields[section]
        if not (node.is_list or node.is_empty or isinstance(node.plain, str)):
            self.report(path, node, "this is not a list, so nothing was added")
            return
        spots = [*entries_in(node, section)]
        mine = [spot.value for spot in spots]
        old = [each for item in before for each in expanded(item, section)]
        numbered = [
            (number, each) for number, item in enumerate(now) for each in expanded(item, section)
        ]
        new = [each for _, each in numbered]
        in_old, in_mine = self.known.pairs(section, new, old), self.known.pairs(section, new, mine)
        of_old = self.known.pairs(section, old, mine)
        fresh: dict[int, list[Any]] = {}
        for at, (number, each) in enumerate(numbered):
            was = in_old.get(at)
            there = in_mine.get(at)
            if there is None and was is not None and of_old.get(was) not in in_mine.values():
                there = of_old.get(was)
            if there is not None:
                self.entry(path, section, spots[there], None if was is None else old[was], each)
            elif was is None:
                fresh.setdefault(number, []).append(each)
            elif old[was] != each:
                self.report(path, node, removed_here(old[was]))
        added = [
            each
            for number, found in fresh.items()
            for each in ([now[number]] if found == expanded(now[number], section) else found)
        ]
        in_new = set(in_old.values())
        gone = [each for number, each in enumerate(old) if number not in in_new]
        self.update_list(
            path, section, holder, [*self.removed(path, section, node, spots, gone)], added
        )

    def removed(
        self, path: str, section: str, node: YamlNode, spots: list[AuthorEntry], gone: list[Any]
    ) -> Iterator[AuthorEntry]:
        """The entries that were removed from the source and that the author did not change."""
        pairs = self.known.pairs(section, gone, [spot.value for spot in spots])
        for number, there in pairs.items():
            if spots[there].value == gone[number]:
                yield spots[there]
            else:
                message = f"{shown(spots[there].value)} was removed from the source; yours is kept"
                self.report(path, spots[there].node, message)

    def update_list(
        self, path: str, section: str, holder: YamlNode, gone: list[AuthorEntry], added: list[Any]
    ) -> None:
        """Removes entries from a list and appends new ones."""
        node = holder.fields[section]
        numbers = [spot.number for spot in gone if spot.outer is None]
        for spot in gone:
            if spot.outer:
                inner = spot.outer.fields[NESTED[section]]
                self.edit(path, self.edits.remove_items, inner, [spot.number])
        if numbers and len(numbers) == len(node.items):
            if added:
                self.edit(path, self.edits.replace, node, added)
            else:
                self.edit(path, self.edits.remove_field, holder, section)
            return
        if numbers:
            self.edit(path, self.edits.remove_items, node, numbers)
        if added and not (node.is_list and node.items):
            self.edit(path, self.edits.append, node, added)
            return
        for number, item in enumerate(added):
            self.edit(f"{path}[+{number}]", self.edits.append, node, [item])

    def entry(self, path: str, section: str, spot: AuthorEntry, before: Any, now: Any) -> None:
        """Merges one entry with the author's matching entry."""
        where = f"{path}[{spot.number}]"
        if now in (before, spot.value) or isinstance(now, str):
            return
        if isinstance(spot.value, str):
            if section not in WORKS:  # the key of a work refers to an entry in another file
                name = SHORT.get(
                    section, IDENTIFYING_FIELDS.get(section, OTHER_IDENTIFYING_FIELDS)[0][0]
                )
                self.edit(where, self.edits.replace, spot.node, {**now, name: spot.value})
            return
        if section in WORKS and before is None:
            self.join_work(where, spot, now)
        else:
            self.fields(where, spot, before if isinstance(before, dict) else None, now)

    def join_work(self, path: str, spot: AuthorEntry, now: Mapping[str, Any]) -> None:
        """Joins a work with the author's work, like two files that are imported together."""
        joining, node = Joining(self.known), spot.node
        wanted = joining.fields(spot.value, now)
        for name, value in wanted.items():
            where, mine = f"{path}.{name}", spot.value.get(name)
            other = instead_of(name, node.fields)
            if name in SIGNED and mine:
                self.authors(where, node.fields[name], None, value)
            elif isinstance(mine, list) and value[: len(mine)] == mine:
                self.edit(where, self.edits.append, node.fields[name], value[len(mine) :])
            elif mine is not None and value != mine:
                self.edit(where, self.edits.replace, node.fields[name], value)
            elif mine is None and other:
                self.edit(where, self.edits.replace_field, node, other, name, value)
            elif mine is None:
                self.put(where, spot, name, value)
        for name in spot.value:
            if name not in wanted and not any(instead_of(each, {name: ""}) for each in wanted):
                self.edit(f"{path}.{name}", self.edits.remove_field, node, name)
        for each in joining.differences:
            message = f"yours is kept: {shown(each.kept)}; {each.place} has {shown(each.other)}"
            self.report(f"{path}.{each.field}", node.fields.get(each.field, node), message)

    def put(self, path: str, spot: AuthorEntry, name: str, value: Any) -> None:
        root = self.edits.root
        after = ""
        if spot.node is root and name in ORDER:
            earlier = [each for each in root.fields if each in ORDER[: ORDER.index(name)]]
            after = max(earlier, key=ORDER.index, default="")
        self.edit(path, self.edits.put, spot.node, name, value, after)

    def edit(self, label: str, make: Callable[..., object], node: YamlNode, *values: Any) -> None:
        """Makes an edit, or reports why it cannot be made."""
        self.edits.label = label
        if value := next(values_in([*values]), None):
            self.given[label] = value
        try:
            make(node, *values)
        except CannotSplice as error:
            why = str(error).removesuffix(".")
            self.report(label, node, f"{shown(values[-1])} was skipped. {why}")

    def report(self, path: str, node: YamlNode, message: str) -> None:
        line, _ = line_and_column(self.edits.text, node.start)
        self.differences.append(Unmerged(line, f"{path}: {message}."))

    def is_same(self, mine: Any, now: Any) -> bool:
        """Whether the author's value is equal, shorter in notation, or more precise."""
        left, right = (each if isinstance(each, list) else [each] for each in (mine, now))
        if len(left) != len(right):
            return isinstance(now, list) and all(
                any(self.is_same(a, b) for a in left) for b in right
            )
        return all(map(self.is_same_value, left, right))

    def is_same_value(self, mine: Any, now: Any) -> bool:
        if isinstance(mine, str) and isinstance(now, str):
            is_alike = is_more_exact(mine, now) or squeeze(mine) == squeeze(now)
            return is_alike or self.known.normal_name(mine) == self.known.normal_name(now)
        if isinstance(mine, dict) and isinstance(now, str):
            return now in mine.values()
        return bool(mine == now)


def is_entries(path: str, name: str, now: Any, mine: Any) -> bool:
    """Whether a field holds a list of entries, rather than a list of texts."""
    if not isinstance(now, list):
        return False
    if path == name and (name in SECTIONS or name in WORKS):
        return True
    others = mine if isinstance(mine, list) else []
    return name == "entries" or any(isinstance(item, dict) for item in [*now, *others])


def entries_in(node: YamlNode, section: str) -> Iterator[AuthorEntry]:
    """The entries of a list in the author's text, with nested ones (`positions`) expanded."""
    if not node.is_list:
        if node.value:
            yield AuthorEntry(node.plain, node)
        return
    for number, item in enumerate(node.items):
        inner = item.fields.get(NESTED.get(section, ""))
        if inner and inner.is_list:
            around = {key: each for key, each in item.plain.items() if key != NESTED[section]}
            for below, each in enumerate(inner.items):
                if each.is_mapping:
                    yield AuthorEntry({**around, **each.plain}, each, item, below)
        else:
            yield AuthorEntry(item.plain, item, None, number)


def expanded(item: Any, section: str) -> list[Any]:
    """The entries of an item of a draft, with nested ones (`positions`) expanded."""
    inner = item.get(NESTED.get(section, "")) if isinstance(item, dict) else None
    if not isinstance(inner, list):
        return [item]
    around = {key: each for key, each in item.items() if key != NESTED[section]}
    return [{**around, **each} for each in inner]


def both_changed(mine: Any, now: Any) -> str:
    places = (str(each.place) for each in values_in([now]) if each.place.line)
    return f"you have {shown(mine)}, {next(places, 'the source')} has {shown(now)}; yours is kept"


def removed_here(value: Any) -> str:
    return f"{shown(value)} changed in the source, but you removed it"
