"""Drafts: imported data in our own schema, before it is written to a site.

A reader takes values from the records of a source file and puts them into a draft. All values it
does not take are listed automatically, so that nothing is lost silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

from kg.advice.date_guesses import guesses, period_guess
from kg.check.blocks import block
from kg.errors import Place
from kg.facts.models import SECTIONS
from kg.facts.values import dates
from kg.facts.values.text import address_slug
from kg.facts.yaml.rows import Row, Rows, place_of
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.titles import title_for
from kg.settings import shipped
from kg.text.normalize import squeeze

# Placeholders for a missing value.
NO_VALUE = ("", "null", "~", "none", "None", "n/a", "N/A", "-", "–", "—")
NO_FIELD = "no matching field"
NO_ENTRY = "an entry without any value, skipped. Fill it in, or delete it"
NO_LIST = "not imported, because a list of entries belongs here"
# The name of an icon: `fa-solid fa-tag`, `ai ai-orcid`.
ICON = re.compile(r"(?:(?:fa[bdlrs]?|fa-\w+|ai|bi|ti) )*(?:fa|ai|bi|ti)-[a-z0-9-]+(?: fa-\w+)*")
SECONDARY, VISITING = "secondary", "visiting"  # kinds of titles of jobs
ONLY_YEAR = "only the year was imported"
MARK_REMOVED = "mark removed. Add 'equal: true' or 'corresponding: true' if it means that"
OWNER = "@owner"  # placeholder for the CV's person in a list of authors
MOST_ENTRIES = 5_000  # per import
FIRST_DAY = re.compile(r"\d{4}-(\d\d)-01")
UNTITLED = ""  # the only field of a record that is a plain string in the source
NAME = re.compile(r"[a-z][A-Za-z_]*")  # of a field, not a label
FIELDS = {  # names of the fields in which formats keep a text of a list, which are no labels
    *("name", "label", "title", "text", "value", "description", "summary", "details", "item"),
    *("bullet", "bullets", "number", "reversed_number", "keyword", "url", "link", "icon", "date"),
    *(
        UNTITLED,
        "year",
        "items",
        "content",
        "contents",
        "institution",
        "organization",
        "company",
        "language",
    ),
}


class Value(str):
    """A string with its position and path in the source file."""

    __slots__ = ("path", "place")

    place: Place
    path: str

    @classmethod
    def of(cls, text: str, place: Place, path: str) -> Self:
        value = cls(text)
        value.place, value.path = place, path
        return value

    def with_text(self, text: str) -> Value:
        """A copy with another text and the same origin."""
        return Value.of(text, self.place, self.path)


class TooManyEntries(NotImported):
    """The files exceed the limit of entries per import."""

    def __init__(self, file: str = "") -> None:
        super().__init__(
            f"{file}: more than {MOST_ENTRIES:,} entries, too many for one import. Split the file "
            "and import the parts one by one. To use a large BibTeX or CSL-JSON file unchanged, "
            "put it into data/cv/ and write 'publications: FILE' in the CV."
        )


class Unplaced(NamedTuple):
    """A value that was not mapped to a field, with the reason.

    `section` is the free section that contains the value, if any.
    """

    value: Value
    why: str = NO_FIELD
    section: str = ""


@cache
def usual_places() -> Mapping[str, tuple[int, str]]:
    """Where pages of people show each section of a CV without a `layout`."""
    found: dict[str, tuple[int, str]] = {}
    for path in (shipped("queries") / "pages").glob("*.rq"):
        each = block(path.stem, path.read_text(encoding="utf-8"))
        if place := each.place("people"):
            found.update(dict.fromkeys(each.sections, (place, each.name)))
    return found


@dataclass
class Draft:
    """The content of one CV, its registry entries by kind and key, and the unmapped values."""

    cv: dict[str, Any] = field(default_factory=dict)
    entries: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    left: list[Unplaced] = field(default_factory=list)
    size: int = 0  # number of entries added
    order: list[str] = field(default_factory=list)  # sections as the source has them
    source: str = ""  # the file or identifier, in the record of imports

    @property
    def name(self) -> str:
        """The person's name; empty if the source does not give it."""
        return str(self.cv.get("basics", {}).get("name") or "")

    def copy(self) -> Draft:
        """A deep copy."""
        cv, entries = with_leaves(self.cv), with_leaves(self.entries)
        return Draft(cv, entries, [*self.left], self.size, source=self.source)

    def put(self, section: str, entry: Mapping[str, Any], heading: str = "") -> None:
        """Adds an entry to a section, unless it is empty. A job below a heading such as
        `Collaborations` is a secondary one, and one below `Research stays` a visit.
        """
        if found := without_empty(entry):
            kind = title_for(heading).kind if section == "work" else ""
            if kind in (SECONDARY, VISITING):
                found["secondary"] = next(values_in(found)).with_text("true")
            if kind == VISITING:
                found.setdefault("kind", next(values_in(found)).with_text(kind))
            self.add(section, found)

    def add(self, section: str, entry: Any) -> None:
        """Adds an entry, or a plain name, to a section."""
        self.count_entry()
        self.note_section(section)
        self.cv.setdefault(section, []).append(entry)

    def put_free(self, title: str, entry: Mapping[str, Any] | Value) -> None:
        """Adds an entry to the free section with this title."""
        self.count_entry()
        sections = self.cv.setdefault("sections", [])
        found = next((each for each in sections if each["title"] == title), None)
        if found is None:
            sections.append(found := {"title": title, "entries": []})
            self.note_section(title)
        found["entries"].append(entry if isinstance(entry, str) else without_empty(entry))

    def note_section(self, name: str) -> None:
        if name not in self.order:
            self.order += ["selected", name] if name == "publications" else [name]

    def keep_order(self) -> None:
        """Shows the sections of the page in the order of the source, unless that is the usual
        order. News are always at the top.
        """
        shown = [name for name in self.order if name in self.cv or name not in SECTIONS]
        shown = [name for name in shown if name != "news"]
        found = [*{str(name).casefold(): name for name in reversed(shown)}.values()][::-1]
        usual = usual_places()
        free = [name for name in found if name in usual or name not in SECTIONS]
        places = [usual.get(name, usual["sections"]) for name in free if name != "selected"]
        if places != sorted(places):
            self.cv["layout"] = {"order": [*(["news"] if "news" in self.cv else []), *found]}

    def put_patent(self, key: Value, entry: Mapping[str, Any]) -> None:
        """Adds a patent to the registry, and its key to the CV."""
        slug = address_slug(key) or f"patent-{len(self.cv.get('patents', ())) + 1}"
        self.entries.setdefault("patents", {})[slug] = without_empty(entry)
        self.add("patents", key.with_text(slug))

    def count_entry(self) -> None:
        """Counts an entry; raises TooManyEntries over the limit."""
        self.size += 1
        if self.size > MOST_ENTRIES:
            raise TooManyEntries

    def basics(self, **fields: Any) -> None:
        """Adds fields to `basics`; existing values are kept."""
        basics = self.cv.setdefault("basics", {})
        for name, value in without_empty(fields).items():
            basics.setdefault(name, value)

    def leave(self, values: Iterable[Value], why: str = NO_FIELD) -> None:
        self.left += [Unplaced(value, why) for value in values]

    def leave_rest(self, record: SourceRecord) -> None:
        """Lists what was not taken from a record, and its entries without a value."""
        notes, values = {**record.taken.notes}, record.left()
        for each in values:
            why = notes.pop(each.path).why if each.path in notes else NO_FIELD
            self.left.append(Unplaced(each, why))
        self.left += [note for path, note in notes.items() if path not in record.taken]


def with_leaves(value: Any, change: Callable[[Any], Any] = lambda leaf: leaf) -> Any:
    """A deep copy of plain data; `change` replaces everything but mappings and lists."""
    if isinstance(value, Mapping):
        return {name: with_leaves(item, change) for name, item in value.items()}
    return (
        [with_leaves(item, change) for item in value] if isinstance(value, list) else change(value)
    )


def without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value}


def join_values(values: Iterable[Value], between: str = "\n\n") -> Value | None:
    """Joins values into one with the origin of the first; None if there are none."""
    found = list(values)
    return found[0].with_text(between.join(found)) if found else None


def values_in(value: Any) -> Iterator[Value]:
    """All source values inside a value, depth first."""
    if isinstance(value, dict):
        for item in value.values():
            yield from values_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from values_in(item)
    elif isinstance(value, Value):
        yield value


class TakenPaths(set[str]):
    """The paths of the values that were taken from a source.

    `notes` has, by path, the entries without a value, and the values that stand where a list of
    entries belongs.
    """

    def __init__(self) -> None:
        super().__init__()
        self.notes: dict[str, Unplaced] = {}

    def note(self, text: str, place: Place, path: str, why: str) -> None:
        self.notes[path] = Unplaced(Value.of(text, place, path), why)


class SourceRecord:
    """A mapping of the source file, which tracks which of its values were taken.

    A record shares its set of taken paths with the records nested in it. Scalars are read as text.
    """

    def __init__(self, row: Any, path: str = "", taken: TakenPaths | None = None):
        self.row: Mapping[str, Any] = row if isinstance(row, Mapping) else {}
        self.path = path
        self.taken = TakenPaths() if taken is None else taken

    def __contains__(self, name: str) -> bool:
        return self.row.get(name) not in (None, *NO_VALUE)

    def __iter__(self) -> Iterator[str]:
        return iter(self.row)

    def at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path and name else self.path or name

    def text(self, *names: str) -> Value | None:
        """The first text in these fields."""
        return next(iter(self.texts(*names, most=1)), None)

    def texts(self, *names: str, most: int = 0) -> list[Value]:
        """The texts of these fields, each a single text or a list; at most `most` (0: all)."""
        found: list[Value] = []
        for name in names:
            for value in leaves(self.row.get(name), self.place(name), self.at(name), deep=False):
                if not most or len(found) < most:
                    self.taken.add(value.path)
                    found.append(value)
            if most and found:
                break
        return found

    def line(self) -> Value | None:
        """The text of a record that is an item `- Tools: Python` of a list of texts."""
        place = self.row.place if isinstance(self.row, Row) else Place("")
        is_field = any(NAME.fullmatch(name) for name in self.row)
        if not is_field and (found := labelled_text(self.row, place, self.path)):
            self.taken.add(found.path)
            return found
        return None

    def record(self, name: str) -> SourceRecord:
        """The mapping in a field, or an empty one."""
        return next(iter(self.records(name)), SourceRecord({}, self.at(name), self.taken))

    def records(self, *names: str) -> list[SourceRecord]:
        """The mappings in these fields, each a single mapping or a list.

        A text in a list becomes a record with the one field UNTITLED.
        """
        found: list[SourceRecord] = []
        for name in names:
            value, path = self.row.get(name), self.at(name)
            if isinstance(value, Mapping):
                found.append(SourceRecord(value, path, self.taken))
            elif isinstance(value, list):
                for number, item in enumerate(value):
                    at, where = f"{path}[{number}]", self.place_in(value, number)
                    found.append(record_of(item, where, at, self.taken))
                    if not any(leaves(item, where, at)):
                        text = "{}" if isinstance(item, Mapping) else str(item)
                        self.taken.note(text, where, at, NO_ENTRY)
            elif (text := squeeze(str(value))) not in ("", "null", "~", "None"):
                self.taken.note(text, self.place(name), path, NO_LIST)
        return found

    def skip(self, *names: str) -> None:
        """Marks fields as taken without using them, so that they are not listed."""
        for name in names:
            self.taken |= {
                value.path for value in leaves(self.row.get(name), self.place(name), self.at(name))
            }

    def is_taken(self, name: str) -> bool:
        values = leaves(self.row.get(name), self.place(name), self.at(name))
        return all(value.path in self.taken for value in values)

    def left(self) -> list[Value]:
        """All values that were not taken, including nested ones."""
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


def record_of(item: Any, place: Place, path: str, taken: TakenPaths) -> SourceRecord:
    """Wraps an item of a list as a record; a scalar becomes its field UNTITLED."""
    if isinstance(item, Mapping):
        return SourceRecord(item, path, taken)
    row = Row(place.file, (place.line - 1, place.column - 1))
    return SourceRecord(row.fill(UNTITLED, item), path, taken)


def item_place(items: list[Any], number: int, above: Place) -> Place:
    if isinstance(items, Rows) and number < len(items.spots):
        return place_of(above.file, items.spots[number])
    return above


def leaves(value: Any, place: Place, path: str, deep: bool = True) -> Iterator[Value]:
    """The texts in a value; unless `deep`, only the value itself or the items of its list."""
    if isinstance(value, Mapping):
        for name in value if deep else ():
            at = value.at(name) if isinstance(value, Row) else place
            yield from leaves(value[name], at, f"{path}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            at = item_place(value, number, place)
            if not deep and (line := labelled_text(item, at, f"{path}[{number}]")):
                yield line
            elif deep or not isinstance(item, Mapping | list):
                yield from leaves(item, at, f"{path}[{number}]", deep)
    elif value is not None and (text := squeeze(str(value))) not in NO_VALUE:
        long = "\n" in str(value).strip()
        if not ICON.fullmatch(text):
            yield Value.of(str(value).strip() if long else text, place, path)


def labelled_text(item: Any, place: Place, path: str) -> Value | None:
    """The text of `- Tools: Python` in a list of texts, which YAML reads as a mapping."""
    if not isinstance(item, Mapping) or len(item) != 1 or {*item} & FIELDS:
        return None
    ((label, text),) = item.items()
    is_text = not isinstance(text, Mapping | list) and text not in (None, *NO_VALUE)
    return Value.of(f"{label}: {text}", place, f"{path}.{label}") if is_text else None


def parse_date(value: Value | None) -> Value | None:
    """Converts a date into our notation; None if it is ambiguous or not a date."""
    if value is None:
        return None
    if dates.read(str(value)):
        return value
    found = [guess for guess in guesses(str(value)) if dates.read(guess)]
    return value.with_text(found[0]) if len(found) == 1 else None


def without_first_day(value: Any) -> Any:
    """`2020-06-01` -> `2020-06`, `2020-01-01` -> `2020`: programs that need a day write the first,
    whatever is known.
    """
    found = FIRST_DAY.fullmatch(value) if isinstance(value, Value) else None
    return value.with_text(value[: 4 if found[1] == "01" else 7]) if found else value


def parse_period(value: Value | None) -> dict[str, Value]:
    """Parses a period (`Jun 2019 – Present`) or a single date; empty if it is ambiguous."""
    if value is None:
        return {}
    if both := period_guess(str(value)):
        return {"startDate": value.with_text(both[0]), "endDate": value.with_text(both[1])}
    found = None if re.search(r"\s[-–—]\s", value) else parse_date(value)  # of an unclear period
    return {"startDate": found, "endDate": found} if found and found != "present" else {}


class Request(NamedTuple):
    """How to ask a web service for what is imported."""

    today: str = ""
    contact: str = ""  # email address for the operators of the service
    is_offline: bool = False  # use answers of earlier requests only
    record: Path | None = None  # folder in which the answers are kept, too


class Fetched(NamedTuple):
    """The drafts that a service gave, and messages about what it did not give."""

    drafts: list[Draft]
    notes: list[str]


class Format(NamedTuple):
    """An import format: `matches` detects it, `read` yields one draft per person.

    Of several matching formats, the one with the lowest `priority` is used. Built-in formats have
    10 or more; the most general ones come last. A format with `fetch` has no files: its entry point
    is called `scheme-NAME`, and it takes the identifier of `kg import NAME:IDENTIFIER`.
    """

    name: str
    title: str
    matches: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], Iterable[Draft]]
    priority: int = 0
    fetch: Callable[[str, Request], Fetched] | None = None
