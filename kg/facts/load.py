"""Loads a site: validates all entries, resolves references, and collects all problems."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from kg.advice.explain import problems_of, unknown_in_layout, unknown_sections, value_fix
from kg.advice.likeness import near_names
from kg.advice.other_words import value_meant
from kg.errors import Place, Problem, tidy
from kg.facts.bibliography.placement import CV
from kg.facts.expand import spread
from kg.facts.files import LISTS, Files, Unsaved, read_files
from kg.facts.identity import PeopleByName
from kg.facts.inline.entities import Gathered, InlineCollector, Use
from kg.facts.loaded import Key, Loaded
from kg.facts.models import REGISTRIES, SECTIONS, Registry
from kg.facts.models.base import Entry, FileSources
from kg.facts.models.people import Cv, Owner
from kg.facts.models.things import Organization
from kg.facts.notes import Notes, notes_of
from kg.facts.site_file import read_site
from kg.facts.values.naming import InlineEntities, ThingsByName, name_in
from kg.facts.values.references import UNREAD, Context, SourceRef
from kg.facts.values.terms import Fact
from kg.facts.yaml.cv_works import is_in_a_cv
from kg.facts.yaml.rows import Row, Rows
from kg.settings import SITE_FILE, Site

F = TypeVar("F", bound=Fact)
Owners = Mapping[Key, tuple[str, ...]]  # work -> CVs that list it


@dataclass
class Facts:
    """The validated facts of a site. `site` is None only if `data/site.yaml` is invalid."""

    folder: Path
    site: Site | None
    loaded: list[Loaded] = field(default_factory=list)
    turtle: list[Path] = field(default_factory=list)
    owners: frozenset[str] = frozenset()
    complete: bool = True  # whether all files could be read
    names: PeopleByName = field(default_factory=lambda: PeopleByName({}))
    private: frozenset[Key] = frozenset()  # documents that are private
    problems: list[Problem] = field(default_factory=list)
    inline: Mapping[Key, Use] = field(default_factory=dict)  # inline entities, with their places
    # file -> `sources:` of the file
    sources: Mapping[str, Row] = field(default_factory=dict)
    # Problems that rules found in facts that are no longer in memory.
    found: list[Problem] = field(default_factory=list)

    def of(self, kind: type[F]) -> Iterator[tuple[Loaded, F]]:
        """The facts of a class, each with its document and row."""
        return ((each, each.fact) for each in self.loaded if isinstance(each.fact, kind))

    @cached_property
    def notes(self) -> Notes:
        """Summary of all documents for rules that compare entries."""
        return notes_of(self.loaded)

    @cached_property
    def parents(self) -> dict[str, str]:
        """organisation -> parent"""
        return {each.slug: fact.parent.slug for each, fact in self.of(Organization) if fact.parent}


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pauses garbage collection during bulk work, which makes many objects and no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@gc_paused()
def load(folder: Path, unsaved: Unsaved | None = None) -> Facts:
    """Loads the site in a folder. Problems are collected; valid facts are returned despite them.
    `unsaved` files are read from memory.
    """
    site, problems = read_site(folder, (unsaved or {}).get(str(SITE_FILE)))
    files = read_files(folder, unsaved)
    site_index = SiteIndex(files, site)
    loader = FactLoader(files, site_index)
    loader.load((CV, *REGISTRIES), site_index.owners())
    loader.load_in_place()
    return loader.facts(folder, problems + files.problems + loader.problems)


class SiteIndex:
    """Everything that entries of a site can refer to."""

    def __init__(
        self, files: Files, site: Site | None, inline: InlineEntities | None = None
    ) -> None:
        """`inline` are the inline entities, if they are known already."""
        self.files, self.site = files, site
        people = files.people
        for slug, cv in files.cvs.items():
            if people[slug] is cv.get("basics"):
                people[slug].path = "basics"
        self.rows = {**files.registries, "people": people}
        self.withdrawn = {each.address: each.place for each in (site.withdrawn if site else ())}
        self.gathered = Gathered(inline) if inline else self.gather()
        self.inline = self.gathered.things
        self.index = ThingsByName(self.rows, self.inline)
        everybody = {**people, **self.inline.rows.get("people", {})}
        self.names = PeopleByName(everybody, self.inline.called)
        self.private = frozenset(
            (kind, slug)
            for kind, rows in [*self.rows.items(), *self.inline.rows.items()]
            for slug, row in rows.items()
            if row.get("visibility") == "private"
        )

    def gather(self) -> Gathered:
        """Collects the inline entities of all files."""
        context = Context(self.rows, unread=frozenset(self.files.unread), withdrawn=self.withdrawn)
        sections = self.site.visibility if self.site else {}
        gatherer = InlineCollector(self.rows, context)
        found = gatherer.gather(self.files.mentions, sections)
        for slug, row in self.rows["publications"].items():
            if is_in_a_cv(row) and row.get("visibility") != "private":
                use = found.uses.setdefault(("publications", slug), Use(name_in(row), [], row))
                use.places.append(row.place)
        found.problems += near_names(found, gatherer.index)
        if self.files.unread:  # a name may be that of an entry that could not be read
            found.problems.clear()
        return found

    def owners(self) -> Owners:
        """publication or patent -> CVs that list it"""
        owners: dict[Key, tuple[str, ...]] = defaultdict(tuple)
        for slug, row in self.files.cvs.items():
            for kind in LISTS:
                listed = row.get(kind)
                for item in listed if isinstance(listed, list) else [listed]:
                    work = item.get("key") if isinstance(item, Row) else item
                    owners[kind, str(work)] += (slug,)
        return owners


class FactLoader:
    """Loads some or all files of a site; `known` has all files."""

    def __init__(self, files: Files, site_index: SiteIndex) -> None:
        self.files, self.site_index, self.known, self.site = (
            files,
            site_index,
            site_index.files,
            site_index.site,
        )
        self.visibility = self.site.visibility if self.site else {}
        self.languages = (self.site.language,) if self.site and self.site.language else ()
        self.loaded: list[Loaded] = []
        self.problems: list[Problem] = []
        self.context = Context(
            site_index.rows,
            site_index.names,
            unread=frozenset(self.known.unread),
            withdrawn=site_index.withdrawn,
            index=site_index.index,
            contested=self.known.contested,
        )

    def facts(self, folder: Path, problems: Iterable[Problem]) -> Facts:
        of_cvs = {cv.file: cv for cv in self.files.cvs.values() if "sources" in cv}
        return Facts(
            folder,
            self.site,
            loaded=self.loaded,
            turtle=self.known.turtle,
            owners=frozenset(self.known.cvs),
            complete=not self.known.unreadable and not self.known.unread,
            names=self.site_index.names,
            private=self.site_index.private,
            problems=tidy([*problems, *self.site_index.gathered.problems]),
            inline=self.site_index.gathered.uses,
            sources={**of_cvs, **self.files.sources},
        )

    def load(self, kinds: Iterable[str], owners: Owners) -> None:
        """Loads CVs and registry entries; `owners` maps works to the CVs that list them."""
        sources = {file: self.sources_of(row) for file, row in self.files.sources.items()}
        for kind in kinds:
            for slug, row in self.files.of(kind).items():
                if kind == CV:
                    self.cv(slug, row)
                else:
                    self.context.owners = owners.get((kind, slug), ())
                    self.registered(kind, slug, row, sources.get(row.file, ()))

    def load_in_place(self) -> None:
        """Loads inline entities. Those that only private entries name are validated, but not
        kept.
        """
        self.context.owners = ()
        for kind, rows in self.site_index.inline.rows.items():
            for slug, row in rows.items():
                self.registered(kind, slug, row, ())
        before = len(self.loaded)
        for kind, row in self.site_index.gathered.unpublished:
            self.registered(kind, "", row, ())
        del self.loaded[before:]

    def sources_of(self, row: Row) -> Sequence[SourceRef]:
        """The sources that a registry file gives for all its entries."""
        fact = self.checked(row, FileSources)
        return fact.sources if fact else ()

    def registered(self, kind: str, slug: str, row: Row, sources: Sequence[SourceRef]) -> None:
        """Loads a registry entry."""
        if kind == "people" and slug in self.known.cvs:
            other = self.known.cvs[slug].place.file
            self.complain(
                row.place,
                f"{slug} has a CV ({other}). Move these fields into its basics.",
                "duplicate-key",
            )
            return
        self.refuse_ids(row)
        self.context.languages = self.languages
        registry = REGISTRIES[kind]
        read = self.known_kind(row, registry)
        if registry.key_field and slug in self.known.registries[kind]:
            read.fill(registry.key_field, slug)
        before = len(self.problems)
        self.entry(kind, slug, read, registry.model_for(read), sources=sources)
        if read is not row:  # fields depend on the kind, so it is fixed first
            self.problems[before:] = [
                each if each.fix and "kind" in each.fix.texts else replace(each, fix=None)
                for each in self.problems[before:]
            ]

    def known_kind(self, row: Row, registry: Registry) -> Row:
        """Reports a missing or unknown `kind` where it selects the model, and continues with the
        most likely one.
        """
        if not registry.by_kind or row.get("kind") in registry.kinds:
            return row
        choices = ", ".join(registry.kinds)
        meant = value_meant(str(row.get("kind", "")), registry.kinds)
        hint = f"Did you mean '{meant}'? " if meant else ""
        wrong = (
            f"unknown kind {row['kind']!r}. {hint}Choose one of {choices}."
            if "kind" in row
            else f"'kind' is missing. Choose one of {choices}."
        )
        rule = "unknown-value" if "kind" in row else "missing-field"
        fix = value_fix(row.get("kind"), [*registry.kinds])
        self.problems.append(
            Problem(row.at("kind"), "error", f"{row.path}: {wrong}", rule, fix=fix)
        )
        return row.without("kind").fill("kind", meant or registry.kinds[0])

    def refuse_ids(self, row: Row) -> None:
        """Reports `id` in registry entries and editions, whose addresses are the key and the
        year.
        """
        editions = row.row("editions").values() if "editions" in row else ()
        for each in (row, *editions):
            if isinstance(each, Row) and "id" in each:
                message = (
                    f"{row.path}: 'id' is only for entries of a CV. The key is the address here. "
                    "Remove 'id'."
                )
                self.complain(each.at("id", key=True), message, "id-here")

    def cv(self, slug: str, row: Row) -> None:
        """Loads a CV: `basics`, other fields and sections."""
        self.context.languages = (str(row.get("language", "")).lower(), *self.languages)
        self.context.owners = (slug,)
        person = None
        if isinstance(row.get("basics"), Row):
            row["basics"].path = "basics"
            person = self.entry("people", slug, row["basics"], Owner)
        elif "basics" in row:
            message = "basics: write fields here ('name: value'), at least 'name'."
            self.complain(row.at("basics"), message, "bad-value")
        else:
            message = "'basics' is missing. Add basics: {name: …}."
            self.complain(row.place, message, "missing-field")
        row.path = ""
        elsewhere = ("basics", *SECTIONS)
        self.context.contested = {}  # the lists of a CV contain the final keys
        whole = self.entry("people", slug, row.without(*elsewhere), Cv, others=elsewhere)
        if person and whole and "source" not in row["basics"]:
            person.source = whole.sources
        self.context.contested = self.known.contested
        self.problems += unknown_sections(row) + unknown_in_layout(row)
        for name in SECTIONS:
            if isinstance(row.get(name), Rows):
                self.section(slug, row, name, whole.sources if whole else ())
            elif name in row:
                message = f"'{name}' must be a list of entries, each starting with '- '."
                self.complain(row.at(name), message, "bad-value")

    def section(self, slug: str, cv: Row, name: str, sources: Sequence[SourceRef]) -> None:
        """Loads a section of a CV."""
        section, visibility, shown = SECTIONS[name], self.said_of(name, cv), 0
        owner = str(self.context.rows["people"].get(slug, {}).get("name", slug))
        for number, entry in enumerate(cv[name]):
            path = f"{name}[{number}]"
            if not isinstance(entry, Row):
                wrong = (
                    "this is a list inside a list. Begin the entry with a single '- '."
                    if isinstance(entry, Rows)
                    else f"{entry!r} is not an entry. Write fields ('name: value')."
                )
                self.complain(cv.at(name, number), f"{path}: {wrong}", "bad-value")
                continue
            entry.path = entry.path or path
            model = section.model_for(entry)
            if model.key == "it" and "id" in entry:
                self.complain(
                    entry.at("id", key=True),
                    f"{entry.path}: this entry has no address, so it cannot have an 'id'. Remove "
                    "it.",
                    "id-here",
                )
            if visibility and "visibility" not in entry:
                entry.fill("visibility", visibility)
            shown += entry.get("visibility") != "private"
            known = {"position": shown, "signed": owner}
            for field_name in known.keys() & model.from_loader:
                entry.fill(field_name, known[field_name])
            of_thing = section.fields_of_thing if model is section.holder else ()
            for each in spread(entry, model, self.problems):
                self.entry("people", slug, each, model, (*model.spread, *of_thing), sources)

    def said_of(self, section: str, cv: Row) -> str:
        """The visibility of a section; private if the site or the CV says so."""
        said = (self.visibility.get(section), cv.row("visibility").get(section))
        return "private" if "private" in said else "public" if any(said) else ""

    def entry(
        self,
        kind: str,
        slug: str,
        row: Row,
        model: type[F],
        others: tuple[str, ...] = (),
        sources: Sequence[SourceRef] = (),
    ) -> F | None:
        """Validates and keeps a row. Without a `source` it gets the sources of its file."""
        self.context.kind = kind
        fact = self.checked(row, model, others)
        if fact is not None:
            if sources and isinstance(fact, Entry) and "source" not in row:
                fact.source = list(sources)
            self.loaded.append(Loaded(kind, slug, fact, row))
        return fact

    def checked(self, row: Row, model: type[F], others: tuple[str, ...] = ()) -> F | None:
        try:
            return model.model_validate(row, context=self.context)
        except ValidationError as error:
            self.problems += [
                found for found in problems_of(error, row, model, others) if found.rule != UNREAD
            ]
            return None

    def complain(self, place: Place, message: str, rule: str) -> None:
        self.problems.append(Problem(place, "error", message, rule))
