"""What a file of another format says, in the words of a CV of ours.

A reader takes values out of the records of its source and puts them into a draft. What it does not
take is listed by itself, so that nothing is lost in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from kg.advice.date_guesses import guesses, period_guess
from kg.errors import Place
from kg.facts.values import dates
from kg.facts.yaml.rows import Row, Rows, place_of
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.text.normalize import squeeze

NOTHING = ("", "null", "~", "none", "None", "n/a", "N/A")  # what stands where nothing is known
NO_FIELD = "no matching field"
ONLY_YEAR = "only the year was imported"
MARKED = "mark removed. If it means so, add 'equal: true' or 'corresponding: true'"
OWNER = "@owner"  # an author who is the person whose CV it is, whatever the name
MOST_ENTRIES = 2_000  # of one import
UNTITLED = ""  # the one field of a record that is a mere text


class Value(str):
    """A text that knows where it stands in the source, and on which path."""

    __slots__ = ("path", "place")

    place: Place
    path: str

    @classmethod
    def of(cls, text: str, place: Place, path: str) -> Self:
        value = cls(text)
        value.place, value.path = place, path
        return value

    def with_text(self, text: str) -> Value:
        """Another text, from the same place."""
        return Value.of(text, self.place, self.path)


class TooManyEntries(NotImported):
    """The files have more entries than one import takes."""

    def __init__(self, file: str = "") -> None:
        super().__init__(
            f"{file}: more than {MOST_ENTRIES:,} entries, too many for one import. Split the file "
            "and import the parts one by one. To use a large BibTeX or CSL-JSON file unchanged, "
            "put it into data/cv/ and write 'publications: FILE' in the CV."
        )


class Unplaced(NamedTuple):
    """A value that has no place of its own, and why; `section` is the free section that has it."""

    value: Value
    why: str = NO_FIELD
    section: str = ""


@dataclass
class Draft:
    """The content of one CV (`cv`), entries of registries by kind and key, and what is left."""

    cv: dict[str, Any] = field(default_factory=dict)
    entries: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    left: list[Unplaced] = field(default_factory=list)
    size: int = 0  # entries that were put in

    @property
    def name(self) -> str:
        """Of the person; empty where the source does not tell."""
        return str(self.cv.get("basics", {}).get("name") or "")

    def copy(self) -> Draft:
        """One that can be changed without this one."""
        return Draft(copied(self.cv), copied(self.entries), [*self.left], self.size)

    def put(self, section: str, entry: Mapping[str, Any]) -> None:
        """Adds an entry, unless nothing stands in it."""
        if found := filled(entry):
            self.grow()
            self.cv.setdefault(section, []).append(found)

    def put_free(self, title: str, entry: Mapping[str, Any] | Value) -> None:
        """Adds an entry to a section with a title of its own."""
        self.grow()
        sections = self.cv.setdefault("sections", [])
        found = next((each for each in sections if each["title"] == title), None)
        if found is None:
            sections.append(found := {"title": title, "entries": []})
        found["entries"].append(entry if isinstance(entry, str) else filled(entry))

    def grow(self) -> None:
        """Counts an entry. Raises TooManyEntries."""
        self.size += 1
        if self.size > MOST_ENTRIES:
            raise TooManyEntries

    def basics(self, **fields: Any) -> None:
        """Adds what is known of the person; what is there already stays."""
        basics = self.cv.setdefault("basics", {})
        for name, value in filled(fields).items():
            basics.setdefault(name, value)

    def leave(self, values: Iterable[Value], why: str = NO_FIELD) -> None:
        self.left += [Unplaced(value, why) for value in values]


def copied(value: Any) -> Any:
    """A copy of all mappings and lists in a value; texts never change."""
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def filled(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Without fields that have no value."""
    return {name: value for name, value in fields.items() if value}


def as_one(values: Iterable[Value], between: str = "\n\n") -> Value | None:
    """Several texts as one, from the place of the first; None where there are none."""
    found = list(values)
    return found[0].with_text(between.join(found)) if found else None


class SourceRecord:
    """A mapping of the source, of which values are taken; every value is a text.

    A record and those below it share the set of paths that were taken.
    """

    def __init__(self, row: Any, path: str = "", taken: set[str] | None = None):
        self.row: Mapping[str, Any] = row if isinstance(row, Mapping) else {}
        self.path = path
        self.taken: set[str] = set() if taken is None else taken

    def __contains__(self, name: str) -> bool:
        return self.row.get(name) not in (None, *NOTHING)

    def __iter__(self) -> Iterator[str]:
        return iter(self.row)

    def at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path and name else self.path or name

    def text(self, *names: str) -> Value | None:
        """The first of these that has a text."""
        return next(iter(self.texts(*names, most=1)), None)

    def texts(self, *names: str, most: int = 0) -> list[Value]:
        """The texts of these fields, each of which may have one or a list; `most` of them."""
        found: list[Value] = []
        for name in names:
            for value in leaves(self.row.get(name), self.place(name), self.at(name), deep=False):
                if not most or len(found) < most:
                    self.taken.add(value.path)
                    found.append(value)
            if most and found:
                break
        return found

    def record(self, name: str) -> SourceRecord:
        """The mapping in a field; an empty one where there is none."""
        return next(iter(self.records(name)), SourceRecord({}, self.at(name), self.taken))

    def records(self, *names: str) -> list[SourceRecord]:
        """The mappings in these fields, each of which may have one or a list; a text in a list is
        a mapping with one field that has no name.
        """
        found: list[SourceRecord] = []
        for name in names:
            value, path = self.row.get(name), self.at(name)
            if isinstance(value, Mapping):
                found.append(SourceRecord(value, path, self.taken))
            elif isinstance(value, list):
                found += [
                    record_of(item, self.place_in(value, number), f"{path}[{number}]", self.taken)
                    for number, item in enumerate(value)
                ]
        return found

    def skip(self, *names: str) -> None:
        """Passes over fields that say nothing of a life."""
        for name in names:
            self.taken |= {
                value.path for value in leaves(self.row.get(name), self.place(name), self.at(name))
            }

    def is_taken(self, name: str) -> bool:
        values = leaves(self.row.get(name), self.place(name), self.at(name))
        return all(value.path in self.taken for value in values)

    def left(self) -> list[Value]:
        """All values that were not taken, here and below."""
        found = (
            value
            for name in self.row
            for value in leaves(self.row[name], self.place(name), self.at(name))
        )
        return [value for value in found if value.path not in self.taken]

    def place(self, name: str) -> Place:
        row = self.row
        return row.at(name) if isinstance(row, Row) and name in row else Place("")

    def place_in(self, items: list[Any], number: int) -> Place:
        file = self.row.file if isinstance(self.row, Row) else ""
        return item_place(items, number, Place(file))


def record_of(item: Any, place: Place, path: str, taken: set[str]) -> SourceRecord:
    """A mapping as it is, and anything else as the one value of a mapping."""
    if isinstance(item, Mapping):
        return SourceRecord(item, path, taken)
    row = Row(place.file, (place.line - 1, place.column - 1))
    return SourceRecord(row.fill(UNTITLED, item), path, taken)


def item_place(items: list[Any], number: int, above: Place) -> Place:
    if isinstance(items, Rows) and number < len(items.spots):
        return place_of(above.file, items.spots[number])
    return above


def leaves(value: Any, place: Place, path: str, deep: bool = True) -> Iterator[Value]:
    """Every text in a value; where it is not to be `deep`, only its own and those of its list."""
    if isinstance(value, Mapping):
        for name in value if deep else ():
            at = value.at(name) if isinstance(value, Row) else place
            yield from leaves(value[name], at, f"{path}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if deep or not isinstance(item, Mapping | list):
                at = item_place(value, number, place)
                yield from leaves(item, at, f"{path}[{number}]", deep)
    elif value is not None and (text := squeeze(str(value))) not in NOTHING:
        long = "\n" in str(value).strip()
        yield Value.of(str(value).strip() if long else text, place, path)


def when(value: Value | None) -> Value | None:
    """A written date in our form; None where it is not certain which it is."""
    if value is None:
        return None
    if dates.read(str(value)):
        return value
    found = [guess for guess in guesses(str(value)) if dates.read(guess)]
    return value.with_text(found[0]) if len(found) == 1 else None


def period(value: Value | None) -> dict[str, Value]:
    """Both ends of a written period (`Jun 2019 – Present`), or the one date that it is; empty where
    it is not certain.
    """
    if value is None:
        return {}
    if both := period_guess(str(value)):
        return {"startDate": value.with_text(both[0]), "endDate": value.with_text(both[1])}
    found = when(value)
    return {"startDate": found, "endDate": found} if found and found != "present" else {}


class Format(NamedTuple):
    """A format that is read: `looks` tells whether a source is of it, `read` gives the drafts that
    are in it, one for each person. Of the formats that fit a source the one with the lowest
    `priority` is taken; ours have 10 and more, the most general ones last.
    """

    name: str
    title: str
    matches: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], Iterable[Draft]]
    priority: int = 0
