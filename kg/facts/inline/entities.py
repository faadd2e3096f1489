"""Collects inline entities: resolves every name written inline, merges its fields, and assigns an
address.

A mapping instead of a key describes an entity like a registry entry would. A name alone creates one
if no entry has that name. All spellings of a name are one entity, which gets the most frequent
spelling; works keep the printed names of people.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from kg.errors import Place, Problem
from kg.facts.bibliography.bibliographies import is_bibliography
from kg.facts.inline.mentions import NameMention
from kg.facts.loaded import Key
from kg.facts.models import REGISTRIES
from kg.facts.values.languages import language_tag
from kg.facts.values.naming import (
    InlineEntities,
    Registries,
    ThingsByName,
    address_of,
    distinct_key,
    kind_word,
    known_of,
    name_in,
)
from kg.facts.values.references import AuthorRef, Context, UnitRef
from kg.facts.values.text import RESERVED, SLUG
from kg.facts.yaml.rows import Row
from kg.text.normalize import name_key, squeeze

# kind -> field that can hold the title instead of the fields
TITLE_ONLY_FIELDS = {"grants": "grant", "press": "item"}
MAX_SPELLINGS = 10  # in the message about spellings


@dataclass
class Use:
    """An inline entity: name, places, fields, and all mentions by spelling."""

    name: str
    places: list[Place]
    row: Row
    mentions: dict[str, list[NameMention]] = field(default_factory=lambda: defaultdict(list))

    def add(self, naming: NameMention) -> None:
        self.places.append(naming.place)
        self.mentions[squeeze(naming.name)].append(naming)

    def spellings(self) -> list[str]:
        """The spellings of the name, the most frequent first."""
        found = [name for name in self.mentions if name_key(name) == name_key(self.name)]
        return sorted(found, key=lambda name: (-len(self.mentions[name]), name))

    def call(self, kind: str, name: str) -> None:
        """Sets the name. A name without fields is located where this spelling occurs first."""
        self.name = name
        if self.row.written:
            self.row["name" if self.row.get("name") else "title"] = name
            return
        first = self.mentions[name][0]
        self.row.file, self.row.spot, self.row.path = first.file, first.spot, first.path
        for key, value in {**self.row, **known_of(kind, name)}.items():
            self.row.fill(key, value)


@dataclass
class Gathered:
    """The inline entities of a site, and their problems."""

    things: InlineEntities = field(default_factory=InlineEntities)
    uses: dict[Key, Use] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    # Fields in private entries, by kind: validated, but not published.
    unpublished: list[tuple[str, Row]] = field(default_factory=list)


class InlineCollector:
    """Finds all inline entities of a site."""

    def __init__(self, rows: Registries, context: Context) -> None:
        self.rows, self.context, self.found = rows, context, Gathered()
        self.index = ThingsByName(rows, self.found.things)

    def gather(self, mentions: Iterable[NameMention], sections: Mapping[str, str]) -> Gathered:
        """Collects the entities; `sections` is the site's visibility of sections."""
        public = []
        for each in mentions:
            if not each.hidden(sections):
                public.append(each)
            elif each.fields is not None:
                self.found.unpublished.append((each.reference.inline, each.fields))
        for first in (True, False):  # organisations first: other addresses contain them
            for each in public:
                is_whole = each.reference.inline == "orgs" and not each.whole
                if each.fields is not None and is_whole == first:
                    self.described(each, each.fields)
            self.index = ThingsByName(self.rows, self.found.things)
        alike: dict[tuple[object, ...], list[NameMention]] = {}
        for each in public:
            if each.fields is None:
                key = (each.reference, each.name, each.whole, each.kind, each.author)
                alike.setdefault(key, []).append(each)
        # then references to several kinds, which may match inline entities
        for several in (False, True):
            for same in alike.values():
                if (len(same[0].reference.kinds) > 1) == several and (use := self.bare(same[0])):
                    for each in same:
                        use.add(each)
            self.index = ThingsByName(self.rows, self.found.things)
        self.choose_spellings()
        self.index = ThingsByName(self.rows, self.found.things)
        self.default_to_conference()
        return self.found

    def described(self, naming: NameMention, fields: Row) -> None:
        """Adds an entity that is described with fields."""
        kind, whole = naming.reference.inline, self.whole(naming)
        is_key = naming.name in self.rows.get(kind, ())
        slugs = [naming.name] if is_key else self.claimants(naming, whole)
        there = self.rows.get(kind, {}).get(slugs[0]) if slugs else None
        if there is not None:
            self.twice(naming, there, f"move these fields there, and write '{naming.name}' here")
            return
        slug = self.slug_of(kind, fields, whole)
        known = self.found.things.rows[kind].get(slug)
        if known is not None and name_key(naming.name) == name_key(name_in(known)):
            if [*map(without_name, known.written)] != [without_name(fields)]:
                alone = (
                    f"'{TITLE_ONLY_FIELDS[kind]}: {naming.name}'"
                    if kind in TITLE_ONLY_FIELDS
                    else "the name alone"
                )
                self.twice(naming, known, f"write the fields once, and {alone} in the other places")
            self.found.uses[kind, slug].add(naming)
            return
        if use := self.add(naming, slug, whole, fields):
            use.add(naming)

    def bare(self, naming: NameMention) -> Use | None:
        """Returns the entity for a name alone, by the rules of references."""
        reference, name, kind = naming.reference, naming.name, naming.reference.inline
        if (
            any(name in self.rows.get(each, ()) for each in reference.kinds)  # the usual case
            or not self.context.unread.isdisjoint(reference.kinds)
            or (issubclass(reference, AuthorRef) and SLUG.fullmatch(name))
        ):
            return None
        whole = self.whole(naming)
        slugs = self.claimants(naming, whole)
        if kind == "languages" and not slugs:
            slugs = self.index.find(kind, language_tag(name))
        if slugs:
            return self.found.uses.get((kind, slugs[0])) if len(slugs) == 1 else None
        return self.new_from_name(naming, whole) if reference.is_name(name, self.context) else None

    def new_from_name(self, naming: NameMention, whole: str) -> Use | None:
        """Returns the entity for a name that no entry has."""
        name, kind = naming.name, naming.reference.inline
        slug = self.slug_of(kind, {"name": name, **naming.known}, whole)
        use = self.found.uses.get((kind, slug))
        if use and (name_key(use.name) == name_key(name) or kind == "languages"):
            if naming.kind and "kind" not in self.found.things.rows[kind][slug]:
                self.found.things.rows[kind][slug]["kind"] = naming.kind
            return use
        if not issubclass(naming.reference, AuthorRef):
            return self.add(naming, slug, whole, None)
        # The work creates this person when it is validated.
        if not slug or slug in self.rows.get(kind, {}) or use:
            return None
        return self.found.uses.setdefault((kind, slug), Use(squeeze(name), [], Row("")))

    def slug_of(self, kind: str, fields: Mapping[str, Any], whole: str) -> str:
        """The slug of an entity; made unique for works."""
        slug = address_of(kind, fields, self.index, whole)
        known = (self.rows.get(kind, {}), self.found.things.rows[kind])
        if kind != "publications" or not any(slug in rows for rows in known):
            return slug
        name, works = name_in(fields), {**known[0], **known[1]}
        return distinct_key(slug, name, {each for each in works if name_in(works[each]) != name})

    def add(self, naming: NameMention, slug: str, whole: str, fields: Row | None) -> Use | None:
        kind, name, things = naming.reference.inline, squeeze(naming.name), self.found.things
        if not slug or RESERVED.fullmatch(slug):
            self.complain(
                naming,
                f"{name!r} cannot be an address. Add it to the registry with a key in Latin "
                f"letters, and write the key here. {REGISTRIES[kind].line('KEY', name)}",
                "unknown-name",
            )
            return None
        other = self.rows.get(kind, {}).get(slug)
        if other is None:
            other = things.rows[kind].get(slug)
        if other is not None:
            there = other.place if isinstance(other, Row) else Place("")
            called = name_in(other)
            self.complain(
                naming,
                f"{name!r} would get the address {kind}/{slug}, which belongs to {called!r} "
                f"({there}). If they are the same, add it to alternateNames. Otherwise add it to "
                f"the registry with another key. {REGISTRIES[kind].line('KEY', name)}",
                "address-in-use",
                (there,),
            )
            return None
        row = Row(naming.file, naming.spot, naming.path)
        if fields is not None:
            row.copy_keys(fields, fields).written = (fields,)
        more = known_of(kind, naming.name) if fields is None or kind == "places" else {}
        if naming.kind:
            more["kind"] = naming.kind
        more |= naming.known
        if whole:
            more["parent"] = naming.whole
            things.units[slug] = whole
        for key, value in more.items():
            if key not in row:
                row.fill(key, value)
        things.rows[kind][slug] = row
        return self.found.uses.setdefault((kind, slug), Use(name_in(row), [], row))

    def whole(self, naming: NameMention) -> str:
        """The slug of the organisation that a unit belongs to."""
        return self.index.organization(naming.whole) if naming.whole else ""

    def claimants(self, naming: NameMention, whole: str) -> list[str]:
        if issubclass(naming.reference, UnitRef):
            return self.index.find_unit(naming.name, whole)
        kinds = (kind for kind in naming.reference.kinds if naming.reference.has_names(kind))
        return next(filter(None, (self.index.find(kind, naming.name) for kind in kinds)), [])

    def choose_spellings(self) -> None:
        """Gives each entity its most frequent spelling, and reports the others."""
        found = dict[Key, list[str]]()
        places = list[Place]()
        for (kind, slug), use in sorted(self.found.uses.items()):
            spellings = use.spellings() if kind != "languages" else []
            if len(spellings) > 1:
                found[kind, slug] = spellings
                places += [use.mentions[name][0].place for name in spellings[1:]]
                use.call(kind, spellings[0])
                if slug not in self.found.things.rows[kind]:
                    self.found.things.called[slug] = spellings[0]
        if found:
            message = spellings_message(found)
            self.found.problems.append(Problem(min(places), "info", message, "name-spelling"))

    def default_to_conference(self) -> None:
        """Treats venues without a kind as conferences, and reports them."""
        for slug, row in self.found.things.rows["venues"].items():
            if "kind" not in row:
                row.fill("kind", "conference")
                name = self.found.uses["venues", slug].name
                message = (
                    f"{row.path}: '{name}' is treated as a conference. If it is a journal, write "
                    "'journal' instead of 'venue'."
                )
                self.found.problems.append(Problem(row.place, "info", message, "venue-kind"))

    def twice(self, naming: NameMention, other: Mapping[str, object], remedy: str) -> None:
        # BibTeX cannot refer to an entity without repeating its fields
        if is_bibliography(naming.file):
            return
        there = other.place if isinstance(other, Row) else Place("")
        message = (
            f"{naming.name!r} is also described in {there}, with other fields. If they are the "
            f"same, {remedy}."
        )
        self.complain(naming, message, "in-place-twice", (there,))

    def complain(
        self, naming: NameMention, message: str, rule: str, others: tuple[Place, ...] = ()
    ) -> None:
        start = f"{naming.path}: " if naming.path else ""
        self.found.problems.append(Problem(naming.place, "error", start + message, rule, others))


def without_name(fields: Row) -> dict[str, object]:
    return {key: value for key, value in fields.items() if key not in ("name", "title")}


def quoted(name: str) -> str:
    return f"'{name}'"


def spellings_message(found: Mapping[Key, list[str]]) -> str:
    """The message about names with several spellings."""
    shown = [
        f"{quoted(name)} (also {', '.join(map(quoted, others))})"
        for name, *others in islice(found.values(), MAX_SPELLINGS)
    ]
    more = len(found) - len(shown)
    (kind, slug), (name, *_) = next(iter(found.items()))
    start = "1 name is spelled" if len(found) == 1 else f"{len(found)} names are spelled"
    return (
        f"{start} in several ways. The most frequent spelling is published: {', '.join(shown)}"
        f"{f', and {more} more' if more else ''}. To choose another, add it to the registry, "
        f"e.g. {REGISTRIES[kind].line(slug, name)}"
    )


def summary(uses: Mapping[Key, Use]) -> str:
    """`3 inline entities: 2 organisations, 1 place.`"""
    kinds = Counter(kind for kind, _ in uses)
    if not kinds:
        return ""
    each = (f"{number} {kind_word(kind, number)}" for kind, number in kinds.most_common())
    total = kinds.total()
    return f"{total} inline {'entities' if total > 1 else 'entity'}: {', '.join(each)}."


def listing(uses: Mapping[Key, Use]) -> Iterator[tuple[str, str, str, str]]:
    """For each entity: first place, address, name, and number of uses; sorted by kind and name."""
    for (kind, slug), use in sorted(uses.items(), key=lambda each: (each[0][0], each[1].name)):
        files = {place.file for place in use.places}
        times = f"{len(use.places)} times" if len(use.places) > 1 else "once"
        in_files = f", in {len(files)} files" if len(files) > 1 else ""
        yield str(use.places[0]), f"{kind}/{slug}", use.name, times + in_files
