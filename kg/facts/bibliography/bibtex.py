"""BibTeX and BibLaTeX text -> entries that know their lines.

Text between entries is a comment. An entry that cannot be read is reported, and reading goes on
with the next line that begins one. Strings (`@string`, names of months) are put in, fields of a
cross-referenced entry are inherited; the values stay LaTeX.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from kg.errors import Problem, Severity
from kg.facts.bibliography.work_records import FieldValue, WorkRecord
from kg.facts.yaml.reader import problem
from kg.facts.yaml.rows import Spot, place_of
from kg.text.months import short_names
from kg.text.nearest import alike, closest, did_you_mean

RULE = "bibliography"
NEAR = 0.8  # how much of a misspelt word is right
MOST_JOINED = 100_000  # characters of a value that is joined by '#'
MOST_EXPANDED = 10_000_000  # characters that @string and crossref put into the entries of a file
SPACE = re.compile(r"(?:\s|%[^\n]*(?:\n|$))*")
START = re.compile(r"@\s*([A-Za-z]\w*)\s*([{(])")
NEXT = re.compile(r"^[ \t]*@\s*[A-Za-z]\w*\s*[{(]", re.MULTILINE)
NAME = re.compile(r"[^\s,{}()=\"#%@]+")
DELIMITER = re.compile(r"[{}\"]")
CLOSING = {"{": "}", "(": ")"}
# what an entry has of another, by the fields of that one
PARTS = ("inbook", "incollection", "inproceedings", "conference", "inreference", "suppbook")
INHERITED_AS = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}
NOT_INHERITED = ("crossref", "xref", "xdata", "ids", "shorttitle", "keywords", "abstract", "url")


class BibError(Exception):
    """An entry cannot be read, because of what is at this position of the text."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position, self.message = position, message


class BibTooLarge(BibError):
    """Strings and inherited fields make a file too large: it is not read further."""

    def __init__(self, position: int, what: str, most: int) -> None:
        message = (
            f"{what} has more than {most:,} characters. The file is not read beyond this line. "
            "Shorten its @string values, or split the file."
        )
        super().__init__(position, message)


class BibReader:
    """One reading of one file."""

    def __init__(self, file: str, text: str, types: Iterable[str] = ()) -> None:
        self.file, self.text, self.at, self.last = file, text, 0, len(text)
        self.types = [*types]
        self.lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self.strings = {month.lower(): month.lower() for month in short_names()}
        self.problems: list[Problem] = []
        self.expanded = 0  # characters put in so far

    def spot(self, position: int) -> Spot:
        line = bisect_right(self.lines, position) - 1
        return line, position - self.lines[line]

    def position(self, spot: Spot) -> int:
        return self.lines[spot[0]] + spot[1]

    def complain(self, position: int, message: str) -> None:
        self.problems.append(problem(self.file, self.spot(position), message, RULE))

    def entries(self) -> list[WorkRecord]:
        """Those that can be cited: without those from which others inherit."""
        found = list(self.read())
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
            self.value(f"@{kind}")
        else:
            name, _ = self.name("a name", f"@{kind}")
            self.expect("=", f"@{kind} {name}")
            self.strings[name] = self.value(name)
        self.expect(end, f"@{kind}")

    def entry(self, kind: str, start: int, end: str) -> WorkRecord:
        self.space()
        found = NAME.match(self.text, self.at)
        if not found:
            raise BibError(start, f"This @{kind} has no key. Write @{kind}{{key, … after its type.")
        entry, self.at = WorkRecord(found[0], kind, self.spot(start)), found.end()
        while self.space() != end:
            if self.peek() == ",":
                self.at += 1
                continue
            if self.peek() in ("", "@"):
                raise BibError(start, f"{entry.key}: this is never closed. Check its braces.")
            name, name_at = self.name("a field", entry.key)
            self.expect("=", f"{entry.key}: {name}")
            self.space()
            at = self.spot(self.at)
            value = FieldValue(self.value(entry.key), name_at, at)
            if value.value != entry.fields.setdefault(name, value).value:
                message = (
                    f"{entry.key}: '{name}' is there twice, and the first is taken. Delete one."
                )
                self.problems.append(
                    Problem(place_of(self.file, name_at), "warning", message, RULE)
                )
        self.at += 1
        return entry

    def correct_type(self, entry: WorkRecord) -> None:
        """A type that is misspelt is read as the one that is meant, and reported."""
        if entry.type in self.types or not self.types:
            return
        place = place_of(self.file, entry.at)
        meant = next(iter(alike(entry.type, self.types, most=1, cutoff=NEAR)), "")
        if meant:
            message = f"there is no type @{entry.type}. It is read as @{meant}; correct it."
            entry.type = meant
        else:
            message = f"there is no type @{entry.type}, and it is read as @misc."
        severity: Severity = "warning" if meant else "info"
        self.problems.append(Problem(place, severity, f"{entry.key}: {message}", RULE))

    def space(self) -> str:
        """What comes next behind space and comments."""
        found = SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.peek()

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def name(self, what: str, where: str) -> tuple[str, Spot]:
        self.space()
        found = NAME.match(self.text, self.at)
        if not found:
            raise BibError(self.at, f"{where}: {what} is expected here, not {self.shown()}.")
        self.at = found.end()
        return found[0].lower(), self.spot(found.start())

    def expect(self, sign: str, where: str) -> None:
        if self.space() != sign:
            raise BibError(self.at, f"{where}: '{sign}' is expected here, not {self.shown()}.")
        self.at += 1

    def shown(self) -> str:
        return repr(self.peek()) if self.peek() else "the end of the file"

    def value(self, where: str) -> str:
        """Pieces joined by '#': in braces, in quotes, a number, or the name of a string."""
        text = self.piece(where)
        while self.space() == "#":
            self.at += 1
            text += self.piece(where)
            if len(text) > MOST_JOINED:
                raise BibTooLarge(self.at, f"{where}: this value, joined by '#',", MOST_JOINED)
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
        self.complain(start, f"{where}: there is no @string '{written}'. {hint}")
        return ""

    def expand(self, text: str, position: int) -> None:
        """Counts a text that is put in. Raises BibTooLarge where that is too much."""
        self.expanded += len(text)
        if self.expanded > MOST_EXPANDED:
            raise BibTooLarge(position, "The text that @string and crossref put in", MOST_EXPANDED)

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
        message = f"{where}: this {opened} is never closed. Add {end!r}, or one of its braces."
        raise BibError(start, message)

    def inherit(self, entry: WorkRecord, by_key: dict[str, WorkRecord]) -> set[str]:
        """Adds what the entry has from others, and tells which these are."""
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
