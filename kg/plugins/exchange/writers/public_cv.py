"""The CV of a person as others may read it: every public fact in the words of a CV, with names
where the files have keys.

Writers take values out of its records. What a writer does not take, its format cannot carry, and
that is reported with its path in the CV.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Any, NamedTuple

from pydantic import BaseModel

from kg.errors import Place, counted
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
from kg.plugins.exchange.draft import SourceRecord, Unplaced, Value, filled
from kg.publish.citations.citation import CitedWork
from kg.vocab import Iri

# Fields about an entry, not about a life; and what follows from the other fields.
ABOUT_ENTRIES = {"id", "visibility", "source", "note", "disputed", "accept", "was", "sha1"}
OF_A_PAGE = {"layout", "sources", "publications", "patents"}
WORKS = ("publications", "patents")
# What the name of a thing is called in an entry that refers to it.
NAMED = {"project": "name", "software": "name", "grant": "title", "item": "title"}
TOP = "the top"
NOT_PUBLIC = {
    "private": "not exported. To export it, set its 'visibility' to 'public'",
    "hashed": "not exported. To export the address, write {value: ADDRESS, visibility: public}",
}
ITEM = re.compile(r"\[\d+\]$")
# Values that are one text; a kind before those that it is a kind of.
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
    """Records by section, each with its path in the file; `basics` and the top are one each."""

    slug: str
    base: str
    sections: dict[str, list[SourceRecord]]
    works: Sequence[CitedWork] = ()  # as a bibliography has them
    cited_as: dict[str, str] = field(default_factory=dict)  # their keys, by the path of each
    reduced: list[Unplaced] = field(default_factory=list)
    private: Sequence[Unplaced] = ()  # about the person, and not to be exported

    @property
    def basics(self) -> SourceRecord:
        return self.sections["basics"][0]

    @property
    def top(self) -> SourceRecord:
        """What a CV says of itself: its language, and when it was changed."""
        return self.sections[TOP][0]

    @property
    def address(self) -> str:
        return f"{self.base}people/{self.slug}"

    def entries(self, section: str) -> list[SourceRecord]:
        return self.sections.get(section, [])

    def reduce(self, value: Value, written: str) -> str:
        """Notes that a value is written in a form that says less."""
        self.reduced.append(Unplaced(value, f"written as {written}"))
        return written

    def left(self) -> list[Unplaced]:
        """What was not taken, what is private, and what was written in a form that says less. The
        values of one field are one, and so is a section of which nothing was taken.
        """
        found = [*self.private]
        for section, records in self.sections.items():
            rest = [Unplaced(value) for record in records for value in by_field(record.left())]
            is_taken = section in ("basics", TOP) or any(record.taken for record in records)
            if rest and not is_taken:
                entries = counted(len(records), "entry", "entries")
                rest = [Unplaced(Value.of(entries, Place(""), section), "no matching section")]
            found += rest
        # An entry that was written for several dates says the rest once.
        once = {(each.value.path, str(each.value)): each for each in [*found, *self.reduced]}
        return list(once.values())


def by_field(values: Iterable[Value]) -> Iterator[Value]:
    """The values of a list as one."""
    for path, alike in groupby(values, key=lambda value: ITEM.sub("", value.path)):
        yield Value.of(", ".join(alike), Place(""), path)


def public_cv(facts: Facts, slug: str, works: Sequence[CitedWork] = ()) -> PublicCv:
    """All that is public in the CV of somebody who has one here."""
    shown, base = public_facts(facts), facts.site.base if facts.site else ""
    own = [each for each in shown if (each.kind, each.slug) == ("people", slug)]
    trees = PlainTrees(shown, facts.private, facts.inline.keys(), base)
    sections: dict[str, list[SourceRecord]] = {"basics": [], TOP: []}
    whole = Cv()
    for each in own:
        if isinstance(each.fact, Cv):
            whole = each.fact
            sections[TOP] = [SourceRecord(trees.of(whole, OF_A_PAGE), "")]
    for path, rows in groupby(own, key=lambda each: each.row.path):
        for tree in trees.entries(path.partition("[")[0], list(rows)):
            sections.setdefault(path.partition("[")[0], []).append(SourceRecord(tree, path))
    sections.pop("", None)
    keys = {}
    for kind in WORKS:
        for each in works_of(slug, kind, whole, shown):
            path = work_path(each)
            keys[path] = each.slug if kind == "publications" else f"{kind}/{each.slug}"
            tree = trees.of(each.fact) | chosen(whole, each)
            sections.setdefault(kind, []).append(SourceRecord(tree, path))
    hidden = [*private_basics(facts, slug)]
    return PublicCv(slug, base, sections, works, keys, private=hidden)


def private_basics(facts: Facts, slug: str) -> Iterator[Unplaced]:
    """The fields of `basics` that are not public, without their values: an e-mail address, a
    telephone number and such are private by default, which authors may not know.
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
    """The works that a CV lists, in its order, and others that its owner signed."""
    listed = {each.slug: number for number, each in enumerate(cv.works[kind])}
    found = [
        each
        for each in shown
        if each.kind == kind
        and isinstance(each.fact, Publication)
        and (each.slug in listed or slug in each.fact.signers)
    ]
    return sorted(found, key=lambda each: listed.get(each.slug, len(listed)))


def work_path(work: Loaded) -> str:
    """`publications[3]` of a work that is written in a CV, else `publications.KEY`."""
    return work.row.path if "[" in work.row.path else f"{work.kind}.{work.slug}"


def chosen(cv: Cv, work: Loaded) -> dict[str, str]:
    is_selected = any(each.slug == work.slug for each in cv.selected)
    return {"selected": "true"} if is_selected else {}


class PlainTrees:
    """Facts as mappings of texts, in the words of the files. What is hidden has no name here."""

    def __init__(
        self, shown: Iterable[Loaded], hidden: Set[Key], inline: Set[Key], base: str
    ) -> None:
        self.things = {(each.kind, each.slug): each.fact for each in shown if each.is_main}
        self.hidden, self.base, self.inline = hidden, base, inline & self.things.keys()

    def entries(self, section: str, rows: list[Loaded]) -> Iterator[dict[str, Any]]:
        """The entries of one path: several where it was written for several dates, but one where
        its keywords were spread.
        """
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
                tree = filled({NAMED.get(known.thing, known.thing): name, **beside, **tree})
            yield tree

    def of(self, fact: BaseModel, without: Set[str] = frozenset()) -> dict[str, Any]:
        """The fields that say something: no defaults, and nothing that is withheld."""
        found: dict[str, Any] = {}
        own = type(fact).__annotations__
        # What an entry must have comes first, then what its class adds.
        order = sorted(
            type(fact).model_fields.items(),
            key=lambda each: (not each[1].is_required(), each[0] not in own),
        )
        for name, info in order:
            value = getattr(fact, name)
            marks = [mark for mark in info.metadata if isinstance(mark, Unmapped)]
            is_told = not any(mark.is_withheld for mark in marks)
            is_written = name not in getattr(fact, "from_loader", ()) and name not in ABOUT_ENTRIES
            if not is_told or not is_written or name in without or value == info.get_default():
                continue
            word = info.alias or name
            found[word] = self.value(value)
            if isinstance(value, Words):
                found |= {f"{word}.{tag}": text for tag, text in value.others.items()}
        return filled(found)

    def value(self, value: Any) -> Any:
        """A value as a text, a list or a mapping of texts; None where nothing may be said."""
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
            return filled({name: self.value(item) for name, item in value.items()})
        return [found for item in value if (found := self.value(item))]

    def named(self, thing: Reference | Mention) -> Any:
        """The name of a thing; of a book that only this work names, all that is known."""
        key = (thing.kind, thing.slug)
        if key in self.hidden:
            return None
        if type(thing) is BookRef and key in self.inline:
            book = self.of(self.things[key], {"kind"})
            return book if len(book) > 1 else thing.name
        return thing.name if isinstance(thing, Reference) else getattr(thing.fact, "name", None)

    def part(self, fact: BaseModel) -> Any:
        """A part of a fact; the text alone where that is all there is; None where it is private."""
        if getattr(fact, "visibility", None) in NOT_PUBLIC:
            return None
        without = {"person"} if isinstance(fact, PrintedName) else frozenset[str]()
        found = self.of(fact, without)
        short = fact.short if isinstance(fact, Short) else "as" if without else ""
        is_short = [*found] == [short] or len(type(fact).model_fields) == 1
        return next(iter(found.values()), None) if is_short else found


class ExportFormat(NamedTuple):
    """A format that is written: one file, or the files of a folder by name."""

    title: str
    write: Callable[[PublicCv], bytes | dict[str, bytes]]
    is_folder: bool = False
