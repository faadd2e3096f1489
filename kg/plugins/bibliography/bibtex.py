"""Parser of BibTeX and BibLaTeX that records the line of every field.

Text between entries is a comment. An unreadable entry is reported, and parsing continues at the
next entry. `@string` and month names are expanded, and fields of cross-referenced entries
inherited; values stay LaTeX.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from kg.errors import Problem, Severity, fix
from kg.facts.yaml.reader import problem
from kg.facts.yaml.rows import Spot, place_of
from kg.plugins.bibliography.latex import expanded, macros_in
from kg.plugins.bibliography.work_records import FieldValue, WorkRecord
from kg.text.months import short_names
from kg.text.nearest import alike, closest, did_you_mean

RULE = "bibliography"
MIN_SIMILARITY = 0.8  # similarity of a misspelt word
MAX_VALUE_LENGTH = 100_000  # characters of a value joined by '#'
MAX_EXPANDED_LENGTH = 10_000_000  # characters that @string and crossref add to a file
SPACE = re.compile(r"(?:\s|%[^\n]*(?:\n|$))*")
START = re.compile(r"@\s*([A-Za-z]\w*)\s*([{(])")
NEXT = re.compile(r"^[ \t]*@\s*[A-Za-z]\w*\s*[{(]", re.MULTILINE)
FIELD = re.compile(r"[A-Za-z]+\s*=")  # a field in the place of the key
NAME = re.compile(r"[^\s,{}()=\"#%@]+")
DELIMITER = re.compile(r"[{}\"]")
CLOSING = {"{": "}", "(": ")"}
# Fields that an entry inherits, by their names in the parent.
PARTS = ("inbook", "incollection", "inproceedings", "conference", "inreference", "suppbook")
INHERITED_AS = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}
NOT_INHERITED = ("crossref", "xref", "xdata", "ids", "shorttitle", "keywords", "abstract", "url")


class BibError(Exception):
    """An entry cannot be parsed because of the text at `position`."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position, self.message = position, message


class BibTooLarge(BibError):
    """Expanded strings and inherited fields exceed a limit; parsing stops."""

    def __init__(self, position: int, what: str, most: int) -> None:
        message = (
            f"{what} has more than {most:,} characters. The rest of the file was not read. "
            "Shorten its @string values, or split the file."
        )
        super().__init__(position, message)


class BibReader:
    """Parses one file."""

    def __init__(self, file: str, text: str, types: Iterable[str] = ()) -> None:
        self.file, self.text, self.at, self.last = file, text, 0, len(text)
        self.types = [*types]
        self.lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self.strings = {month.lower(): month.lower() for month in short_names()}
        self.macros = dict[str, tuple[int, str]]()  # that @preamble defines
        self.problems: list[Problem] = []
        self.expanded = 0  # characters added so far

    def spot(self, position: int) -> Spot:
        line = bisect_right(self.lines, position) - 1
        return line, position - self.lines[line]

    def position(self, spot: Spot) -> int:
        return self.lines[spot[0]] + spot[1]

    def complain(self, position: int, message: str) -> None:
        self.problems.append(problem(self.file, self.spot(position), message, RULE))

    def entries(self) -> list[WorkRecord]:
        """The citable entries, without those that others inherit from."""
        found = list(self.read())
        for entry in found if self.macros else ():
            for name, written in entry.fields.items():
                entry.fields[name] = written._replace(value=expanded(written.value, self.macros))
        by_key = {entry.key.lower(): entry for entry in reversed(found)}
        parents = set[str]()
        try:
            for entry in found:
                parents |= self.inherit(entry, by_key)
        except BibTooLarge as error:
            self.complain(error.position, error.message)
        return [
            entry
            for entry in found
            if entry.type not in ("xdata", "set") and entry.key.lower() not in parents
        ]

    def read(self) -> Iterator[WorkRecord]:
        while found := START.search(self.text, self.at):
            self.at, kind = found.end(), found[1].lower()
            after = NEXT.search(self.text, self.at)
            self.last = after.start() if after else len(self.text)
            if kind == "comment":
                continue
            try:
                if kind in ("string", "preamble"):
                    self.skipped(kind, CLOSING[found[2]])
                else:
                    entry = self.entry(kind, found.start(), CLOSING[found[2]])
                    self.correct_type(entry)
                    yield entry
            except BibTooLarge as error:
                self.complain(error.position, error.message)
                return
            except BibError as error:
                self.complain(error.position, error.message)
                self.at = self.last

    def skipped(self, kind: str, end: str) -> None:
        """`@string{name = value}` and `@preamble{value}`."""
        if kind == "preamble":
            self.macros |= macros_in(self.value(f"@{kind}"))
        else:
            name, _ = self.name("a name", f"@{kind}")
            self.expect("=", f"@{kind} {name}")
            self.strings[name] = self.value(name)
        self.expect(end, f"@{kind}")

    def entry(self, kind: str, start: int, end: str) -> WorkRecord:
        self.space()
        found = NAME.match(self.text, self.at)
        if not found or FIELD.match(self.text, self.at):
            raise BibError(start, f"This @{kind} has no key. Write @{kind}{{key, … after the type.")
        entry, self.at = WorkRecord(found[0], kind, self.spot(start)), found.end()
        if self.space() not in (",", end, "") and not FIELD.match(self.text, self.at):
            message = f"The key after @{kind} contains a space or sign. Write it in one word."
            raise BibError(self.at, f"{entry.key}: {message}")
        while self.space() != end:
            if self.peek() == ",":
                self.at += 1
                continue
            if self.peek() in ("", "@"):
                raise BibError(start, f"{entry.key}: this entry is not closed. Check its braces.")
            name, name_at = self.name("a field", entry.key)
            self.expect("=", f"{entry.key}: {name}")
            self.space()
            at = self.spot(self.at)
            value = FieldValue(self.value(entry.key), name_at, at)
            if value.value != entry.fields.setdefault(name, value).value:
                message = (
                    f"{entry.key}: '{name}' occurs twice; the first value is used. Delete one."
                )
                self.problems.append(
                    Problem(place_of(self.file, name_at), "warning", message, RULE)
                )
        self.at += 1
        return entry

    def correct_type(self, entry: WorkRecord) -> None:
        """Reports an unknown type, and replaces a misspelt one."""
        if entry.type in self.types or not self.types:
            return
        place = place_of(self.file, entry.at)
        meant = next(iter(alike(entry.type, self.types, most=1, cutoff=MIN_SIMILARITY)), "")
        remedy = fix(f"@{entry.type}", f"@{meant}") if meant else None
        if meant:
            message = f"unknown type @{entry.type}; it is read as @{meant}. Correct it."
            entry.type = meant
        else:
            message = f"unknown type @{entry.type}; it is read as @misc."
        severity: Severity = "warning" if meant else "info"
        message = f"{entry.key}: {message}"
        self.problems.append(Problem(place, severity, message, RULE, fix=remedy))

    def space(self) -> str:
        """Skips space and comments; returns the next character."""
        found = SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.peek()

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def name(self, what: str, where: str) -> tuple[str, Spot]:
        self.space()
        found = NAME.match(self.text, self.at)
        if not found:
            raise BibError(self.at, f"{where}: expected {what}, but found {self.shown()}.")
        self.at = found.end()
        return found[0].lower(), self.spot(found.start())

    def expect(self, sign: str, where: str) -> None:
        if self.space() != sign:
            raise BibError(self.at, f"{where}: expected '{sign}', but found {self.shown()}.")
        self.at += 1

    def shown(self) -> str:
        return repr(self.peek()) if self.peek() else "the end of the file"

    def value(self, where: str) -> str:
        """Pieces joined by '#': in braces, in quotes, a number, or the name of a string."""
        text = self.piece(where)
        while self.space() == "#":
            self.at += 1
            text += self.piece(where)
            if len(text) > MAX_VALUE_LENGTH:
                raise BibTooLarge(self.at, f"{where}: this value, joined by '#',", MAX_VALUE_LENGTH)
        return text

    def piece(self, where: str) -> str:
        opened = self.space()
        if opened in ('"', "{"):
            return self.delimited('"' if opened == '"' else "}", where)
        start = self.at
        name, _ = self.name("a value in braces", where)
        if name.isdigit() or name in self.strings:
            text = self.strings.get(name, name)
            self.expand(text, start)
            return text
        hint = did_you_mean(name, self.strings, "Put braces around it.")
        written = self.text[start : self.at]
        self.complain(start, f"{where}: unknown @string '{written}'. {hint}")
        return ""

    def expand(self, text: str, position: int) -> None:
        """Counts expanded text; raises BibTooLarge above the limit."""
        self.expanded += len(text)
        if self.expanded > MAX_EXPANDED_LENGTH:
            raise BibTooLarge(
                position, "The text added by @string and crossref", MAX_EXPANDED_LENGTH
            )

    def delimited(self, end: str, where: str) -> str:
        start, depth = self.at, 0
        for found in DELIMITER.finditer(self.text, start + 1, self.last):
            if found[0] == end and depth == 0:
                self.at = found.end()
                return self.text[start + 1 : found.start()]
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if depth < 0:
                break
        opened = self.text[start]
        message = f"{where}: this {opened} is not closed. Add {end!r}, or check the braces inside."
        raise BibError(start, message)

    def inherit(self, entry: WorkRecord, by_key: dict[str, WorkRecord]) -> set[str]:
        """Adds inherited fields to an entry; returns the keys of its parents."""
        parents = set[str]()
        for link in ("crossref", "xdata"):
            if link not in entry.fields:
                continue
            written = entry.fields[link]
            for key in re.split(r"\s*,\s*", written.value.strip().lower()):
                parent = by_key.get(key)
                if parent is None or parent is entry:
                    near = closest(key, by_key, most=1)
                    hint = f"Closest: {by_key[near[0]].key}." if near else "Correct the key."
                    message = f"{entry.key}: {link} '{key}' is not an entry of this file. {hint}"
                    self.problems.append(problem(self.file, written.at, message, RULE))
                    continue
                parents.add(key)
                is_part = link == "crossref" and entry.type in PARTS
                for name, value in parent.fields.items():
                    if link == "xdata" or name not in NOT_INHERITED:
                        own = INHERITED_AS.get(name, name) if is_part else name
                        if own not in entry.fields:
                            self.expand(value.value, self.position(written.at))
                            entry.fields[own] = value
        return parents
