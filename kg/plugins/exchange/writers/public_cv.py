"""The public part of a CV as plain records, with names instead of keys, and its export.

Writers take values from the records. Values that a writer does not take cannot be represented in
its format, and are reported with their path in the CV.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Any, NamedTuple

from pydantic import BaseModel

from kg import doors
from kg.errors import KgError, Place, Problem, ProblemsFound, counted
from kg.facts.load import Facts
from kg.facts.loaded import Key, Loaded
from kg.facts.models import SECTIONS
from kg.facts.models.abilities import Interest, Skill
from kg.facts.models.base import Short
from kg.facts.models.education import GradePointAverage
from kg.facts.models.grants import Sum
from kg.facts.models.people import Cv, Owner
from kg.facts.models.publications import Publication
from kg.facts.models.signatures import PrintedName
from kg.facts.models.teaching import Attendance
from kg.facts.privacy import public_facts
from kg.facts.values.dates import When
from kg.facts.values.languages import Tagged, Words
from kg.facts.values.references import Reference
from kg.facts.values.terms import Mention, Unmapped
from kg.facts.values.work_references import BookRef
from kg.graph.build import Publishable
from kg.plugins.exchange.draft import SourceRecord, Unplaced, Value, without_empty
from kg.publish.citations.citation import Citations, CitedWork
from kg.text.nearest import closest
from kg.vocab import Iri

# Fields about the entry itself, and derived fields.
ENTRY_METADATA = {"id", "visibility", "source", "note", "disputed", "accept", "was", "sha1"}
PAGE_FIELDS = {"layout", "sync", "sources", "publications", "patents"}
WORKS = ("publications", "patents")
# Field for the name of a referenced entity, by the field that refers to it.
NAME_FIELDS = {"project": "name", "software": "name", "grant": "title", "item": "title"}
TOP = "the top"
NOT_PUBLIC = {
    "private": "not exported. To export it, set its 'visibility' to 'public'",
    "hashed": "not exported. To export the address, write {value: ADDRESS, visibility: public}",
}
ITEM = re.compile(r"\[\d+\]$")
LEAK = "This value is private, but a public field contains it, too. Remove it from that field."
GROUP = "kg.exporters"
# Types that are written as one text; subclasses before their base classes.
WRITTEN: dict[type, Callable[[Any], str | None]] = {
    type(None): lambda _: None,
    bool: lambda flag: "true" if flag else "false",
    When: lambda when: when.text,
    Tagged: lambda name: name.text,
    GradePointAverage: lambda grade: "/".join(map(str, filter(None, (grade.value, grade.scale)))),
    Sum: lambda money: f"{money.value} {money.currency}",
    Attendance: lambda count: f"{count.least}+" if count.value is None else str(count.value),
    str: str,
    int: str,
    Decimal: str,
}


@dataclass
class PublicCv:
    """Public records by section, each with its path; `basics` and TOP have one record each."""

    slug: str
    base: str
    sections: dict[str, list[SourceRecord]]
    works: Sequence[CitedWork] = ()  # for bibliographies
    cited_as: dict[str, str] = field(default_factory=dict)  # citation keys by path
    reduced: list[Unplaced] = field(default_factory=list)
    private: Sequence[Unplaced] = ()  # fields of `basics` that are not exported

    @property
    def basics(self) -> SourceRecord:
        return self.sections["basics"][0]

    @property
    def top(self) -> SourceRecord:
        """The fields of the CV itself, such as its language and date of change."""
        return self.sections[TOP][0]

    @property
    def address(self) -> str:
        return f"{self.base}people/{self.slug}"

    def entries(self, section: str) -> list[SourceRecord]:
        return self.sections.get(section, [])

    def report_reduced(self, value: Value, written: str) -> str:
        """Reports that a value is written less precisely."""
        self.reduced.append(Unplaced(value, f"written as {written}"))
        return written

    def left(self) -> list[Unplaced]:
        """Values that were not exported, are private, or are written less precisely.

        The values of one field are one item, and so is a section without any exported value.
        """
        found = [*self.private]
        for section, records in self.sections.items():
            rest = [Unplaced(value) for record in records for value in by_field(record.left())]
            is_taken = section in ("basics", TOP) or any(record.taken for record in records)
            if rest and not is_taken:
                entries = counted(len(records), "entry", "entries")
                rest = [Unplaced(Value.of(entries, Place(""), section), "no matching section")]
            found += rest
        # An entry with several dates becomes several records, but is reported once.
        once = {(each.value.path, str(each.value)): each for each in [*found, *self.reduced]}
        return list(once.values())


def by_field(values: Iterable[Value]) -> Iterator[Value]:
    """Joins the values of each list."""
    for path, alike in groupby(values, key=lambda value: ITEM.sub("", value.path)):
        yield Value.of(", ".join(alike), Place(""), path)


def public_cv(facts: Facts, slug: str, works: Sequence[CitedWork] = ()) -> PublicCv:
    """Collects the public part of a person's CV."""
    shown, base = public_facts(facts), facts.site.base if facts.site else ""
    own = [each for each in shown if (each.kind, each.slug) == ("people", slug)]
    trees = PlainTrees(shown, facts.private, facts.inline.keys(), base)
    sections: dict[str, list[SourceRecord]] = {"basics": [], TOP: []}
    whole = Cv()
    for each in own:
        if isinstance(each.fact, Cv):
            whole = each.fact
            sections[TOP] = [SourceRecord(trees.of(whole, PAGE_FIELDS), "")]
    for path, rows in groupby(own, key=lambda each: each.row.path):
        for tree in trees.entries(path.partition("[")[0], list(rows)):
            sections.setdefault(path.partition("[")[0], []).append(SourceRecord(tree, path))
    sections.pop("", None)
    keys = {}
    for kind in WORKS:
        for each in works_of(slug, kind, whole, shown):
            in_cv = each.row.path  # `publications[3]` of a work inline
            path = in_cv if "[" in in_cv else f"{each.kind}.{each.slug}"
            keys[path] = each.slug if kind == "publications" else f"{kind}/{each.slug}"
            tree = trees.of(each.fact) | selected_field(whole, each)
            sections.setdefault(kind, []).append(SourceRecord(tree, path))
    hidden = [*private_basics(facts, slug)]
    return PublicCv(slug, base, sections, works, keys, private=hidden)


def private_basics(facts: Facts, slug: str) -> Iterator[Unplaced]:
    """The private fields of `basics`, without their values.

    They are reported because authors may not know that contact details are private by default.
    """
    for each in facts.loaded:
        if (each.kind, each.slug) != ("people", slug) or not isinstance(each.fact, Owner):
            continue
        for name in Owner.model_fields:
            value = getattr(each.fact, name)
            parts = value if isinstance(value, list) else [value]
            is_list = isinstance(each.row.get(name), list)
            for number, part in enumerate(parts):
                visibility = getattr(part, "visibility", None)
                if visibility in NOT_PUBLIC:
                    path = f"{each.row.path}.{name}{f'[{number}]' if is_list else ''}"
                    yield Unplaced(Value.of(visibility, Place(""), path), NOT_PUBLIC[visibility])


def works_of(slug: str, kind: str, cv: Cv, shown: Iterable[Loaded]) -> list[Loaded]:
    """The works that a CV lists, in order, followed by others that the person signed."""
    listed = {each.slug: number for number, each in enumerate(cv.works[kind])}
    found = [
        each
        for each in shown
        if each.kind == kind
        and isinstance(each.fact, Publication)
        and (each.slug in listed or slug in each.fact.signers)
    ]
    return sorted(found, key=lambda each: listed.get(each.slug, len(listed)))


def selected_field(cv: Cv, work: Loaded) -> dict[str, str]:
    is_selected = any(each.slug == work.slug for each in cv.selected)
    return {"selected": "true"} if is_selected else {}


class PlainTrees:
    """Converts facts back to mappings of texts with the field names of the files.

    Private entities are left out.
    """

    def __init__(
        self, shown: Iterable[Loaded], hidden: Set[Key], inline: Set[Key], base: str
    ) -> None:
        self.things = {(each.kind, each.slug): each.fact for each in shown if each.is_main}
        self.hidden, self.base, self.inline = hidden, base, inline & self.things.keys()

    def entries(self, section: str, rows: list[Loaded]) -> Iterator[dict[str, Any]]:
        """The entries of one path: one per date, but skills split by keyword are joined again."""
        facts = [each.fact for each in rows]
        spread = [each for each in facts if isinstance(each, (Skill, Interest))]
        group = spread[0].group if spread and isinstance(spread[0], Skill) else None
        if len(spread) > 1 or group:
            names = [str(self.value(each.name)) for each in spread]
            tree = {**self.of(spread[0]), "name": group or names.pop(0), "keywords": names}
            yield {name: value for name, value in tree.items() if name != "group"}
            return
        for fact in facts:
            tree = self.of(fact)
            known = SECTIONS.get(section)
            if known and known.thing in tree:
                reference = getattr(fact, known.thing)
                name, thing = (
                    tree.pop(known.thing),
                    self.things.get((reference.kind, reference.slug)),
                )
                beside = self.of(thing) if thing else {}
                if known.beside:
                    beside = {ours: beside.get(theirs) for ours, theirs in known.beside.items()}
                tree = without_empty(
                    {NAME_FIELDS.get(known.thing, known.thing): name, **beside, **tree}
                )
            yield tree

    def of(self, fact: BaseModel, without: Set[str] = frozenset()) -> dict[str, Any]:
        """The fields of a fact, without defaults and values that are not published."""
        found: dict[str, Any] = {}
        own = type(fact).__annotations__
        # Required fields first, then those that the class itself declares.
        order = sorted(
            type(fact).model_fields.items(),
            key=lambda each: (not each[1].is_required(), each[0] not in own),
        )
        for name, info in order:
            value = getattr(fact, name)
            marks = [mark for mark in info.metadata if isinstance(mark, Unmapped)]
            is_told = not any(mark.is_withheld for mark in marks)
            is_written = name not in getattr(fact, "from_loader", ()) and name not in ENTRY_METADATA
            if not is_told or not is_written or name in without or value == info.get_default():
                continue
            word = info.alias or name
            found[word] = self.value(value)
            if isinstance(value, Words):
                found |= {f"{word}.{tag}": text for tag, text in value.others.items()}
        return without_empty(found)

    def value(self, value: Any) -> Any:
        """Converts a value to a text, list or mapping of texts; None if it is private."""
        if isinstance(value, (Reference, Mention)):
            return self.named(value)
        if isinstance(value, Iri) and "://" not in value:
            return f"{self.base}{value}"
        for kind, written in WRITTEN.items():
            if isinstance(value, kind):
                return written(value)
        if isinstance(value, BaseModel):
            return self.part(value)
        if isinstance(value, Mapping):
            return without_empty({name: self.value(item) for name, item in value.items()})
        return [found for item in value if (found := self.value(item))]

    def named(self, thing: Reference | Mention) -> Any:
        """The name of a referenced entity; an inline book with all its fields."""
        key = (thing.kind, thing.slug)
        if key in self.hidden:
            return None
        if type(thing) is BookRef and key in self.inline:
            book = self.of(self.things[key], {"kind"})
            return book if len(book) > 1 else thing.name
        return thing.name if isinstance(thing, Reference) else getattr(thing.fact, "name", None)

    def part(self, fact: BaseModel) -> Any:
        """Converts a nested fact; only its text if it has no other fields; None if private."""
        if getattr(fact, "visibility", None) in NOT_PUBLIC:
            return None
        is_printed = isinstance(fact, PrintedName)
        without = {"person", "organization"} if is_printed else frozenset[str]()
        found = self.of(fact, without)
        short = fact.short if isinstance(fact, Short) else "as" if without else ""
        is_short = [*found] == [short] or len(type(fact).model_fields) == 1
        return next(iter(found.values()), None) if is_short else found


class ExportFormat(NamedTuple):
    """An export format; `write` returns one file, or the files of a folder by name."""

    title: str
    write: Callable[[PublicCv], bytes | dict[str, bytes]]
    is_folder: bool = False


class NotExported(KgError):
    """The person or the format does not exist."""


def format_named(name: str) -> ExportFormat:
    found = doors.loaded(doors.installed(GROUP)[name], ExportFormat)
    if found is None:
        raise NotExported(f"The format '{name}' is not available.")
    return found


class Exported(NamedTuple):
    """Exported files by name (a single file has the name ""), and values that were not exported."""

    files: dict[str, bytes]
    left: list[Unplaced]


def export_cv(facts: Facts, graph: Publishable, slug: str, name: str) -> Exported:
    """Converts the public part of a CV to a format; raises if the result has private values."""
    if slug not in facts.owners or ("people", slug) in facts.private:
        near = closest(slug, facts.owners)
        hint = f" Closest: {', '.join(near)}." if near else ""
        raise NotExported(f"There is no public CV '{slug}'.{hint}")
    works = Citations(graph.memory, graph.site.base).read(f"people/{slug}")
    cv = public_cv(facts, slug, works)
    found = format_named(name).write(cv)
    files = found if isinstance(found, dict) else {"": found}
    for content in files.values():
        if secrets := graph.secrets.found_in(content.decode()):
            problems = [Problem(each.place, "error", LEAK, "leak") for each in secrets]
            raise ProblemsFound(problems, facts.folder)
    return Exported(files, cv.left())
