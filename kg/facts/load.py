"""Rows -> checked facts: entries spread over their dates, references resolved, all problems at
once.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from kg.advice.explain import problems_of, unknown_in_layout, unknown_sections
from kg.advice.likeness import near_names
from kg.advice.other_words import value_meant
from kg.errors import Place, Problem, tidy
from kg.facts.bibliography.placement import CV
from kg.facts.expand import spread
from kg.facts.files import LISTS, Files, Unsaved, read_files
from kg.facts.identity import PeopleByName
from kg.facts.inline.entities import Gathered, Gatherer, Use
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
Owners = Mapping[Key, tuple[str, ...]]  # of works: the CVs that list them


@dataclass
class Facts:
    """All that the authors wrote, checked. `site` is None only where `data/site.yaml` itself is
    wrong.
    """

    folder: Path
    site: Site | None
    loaded: list[Loaded] = field(default_factory=list)
    turtle: list[Path] = field(default_factory=list)
    owners: frozenset[str] = frozenset()
    complete: bool = True  # whether every file could be read
    names: PeopleByName = field(default_factory=lambda: PeopleByName({}))
    private: frozenset[Key] = frozenset()  # documents that are private as a whole
    problems: list[Problem] = field(default_factory=list)
    inline: Mapping[Key, Use] = field(default_factory=dict)  # what is named in place, and where
    # what files say of the sources of all their entries, by file
    sources: Mapping[str, Row] = field(default_factory=dict)
    # what the rules have found already, in facts that are not here any more
    found: list[Problem] = field(default_factory=list)

    def of(self, kind: type[F]) -> Iterator[tuple[Loaded, F]]:
        """The facts of a class, each with what is known of its place."""
        return ((each, each.fact) for each in self.loaded if isinstance(each.fact, kind))

    @cached_property
    def notes(self) -> Notes:
        """What all documents say to each other."""
        return notes_of(self.loaded)

    @cached_property
    def parents(self) -> dict[str, str]:
        """What each organisation is part of."""
        return {each.slug: fact.parent.slug for each, fact in self.of(Organization) if fact.parent}


@contextmanager
def gc_paused() -> Iterator[None]:
    """A pause for the garbage collector: bulk work makes many objects and no cycles, and the
    collector would look at them again and again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.freeze()  # what was made stays long; it is still freed when nobody refers to it
            gc.enable()


@gc_paused()
def load(folder: Path, unsaved: Unsaved | None = None) -> Facts:
    """The facts of the site in a folder. Whatever is wrong is among the problems; what is right is
    there all the same. Files that are `unsaved` are read from memory.
    """
    site, problems = read_site(folder, (unsaved or {}).get(str(SITE_FILE)))
    files = read_files(folder, unsaved)
    site_index = SiteIndex(files, site)
    loader = FactLoader(files, site_index)
    loader.load((CV, *REGISTRIES), site_index.owners())
    loader.load_in_place()
    return loader.facts(folder, problems + files.problems + loader.problems)


class SiteIndex:
    """What every entry may refer to, in all files of a site."""

    def __init__(
        self, files: Files, site: Site | None, inline: InlineEntities | None = None
    ) -> None:
        """`in_place` are the things that are named in place, where they are known already."""
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
        """What is named in place in all files."""
        context = Context(self.rows, unread=frozenset(self.files.unread), withdrawn=self.withdrawn)
        sections = self.site.visibility if self.site else {}
        gatherer = Gatherer(self.rows, context)
        found = gatherer.gather(self.files.namings, sections)
        for slug, row in self.rows["publications"].items():
            if is_in_a_cv(row) and row.get("visibility") != "private":
                use = found.uses.setdefault(("publications", slug), Use(name_in(row), [], row))
                use.places.append(row.place)
        found.problems += near_names(found, gatherer.index)
        return found

    def owners(self) -> Owners:
        """Which CVs list a publication or patent."""
        owners: dict[Key, tuple[str, ...]] = defaultdict(tuple)
        for slug, row in self.files.cvs.items():
            for kind in LISTS:
                listed = row.get(kind)
                for item in listed if isinstance(listed, list) else [listed]:
                    work = item.get("key") if isinstance(item, Row) else item
                    owners[kind, str(work)] += (slug,)
        return owners


class FactLoader:
    """Loads files: all those of a site, or some of them. `known` are all, whichever are loaded."""

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
        """CVs and the entries of registries; `owners` tells which CVs list a work."""
        sources = {file: self.sources_of(row) for file, row in self.files.sources.items()}
        for kind in kinds:
            for slug, row in self.files.of(kind).items():
                if kind == CV:
                    self.cv(slug, row)
                else:
                    self.context.owners = owners.get((kind, slug), ())
                    self.registered(kind, slug, row, sources.get(row.file, ()))

    def load_in_place(self) -> None:
        """What is named in place; fields of things that only private entries name are checked, and
        no more.
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
        """What a registry file says of all its entries."""
        fact = self.checked(row, FileSources)
        return fact.sources if fact else ()

    def registered(self, kind: str, slug: str, row: Row, sources: Sequence[SourceRef]) -> None:
        """An entry of a registry."""
        if kind == "people" and slug in self.known.cvs:
            other = self.known.cvs[slug].place.file
            self.complain(
                row.place,
                f"{slug} has a CV ({other}). Move what is here into its basics.",
                "duplicate-key",
            )
            return
        self.refuse_ids(row)
        self.context.languages = self.languages
        registry = REGISTRIES[kind]
        read = self.known_kind(row, registry)
        if registry.key_field:
            read.fill(registry.key_field, slug)
        self.entry(kind, slug, read, registry.model_for(read), sources=sources)

    def known_kind(self, row: Row, registry: Registry) -> Row:
        """Where the kind decides how an entry is read, a wrong one is told with all right ones; the
        rest is checked all the same.
        """
        if not registry.by_kind or row.get("kind") in registry.kinds:
            return row
        choices = ", ".join(registry.kinds)
        meant = value_meant(str(row.get("kind", "")), registry.kinds)
        hint = f"Did you mean '{meant}'? " if meant else ""
        wrong = (
            f"kind {row['kind']!r} is not known. {hint}Choose one of {choices}."
            if "kind" in row
            else f"'kind' is missing. Choose one of {choices}."
        )
        self.complain(
            row.at("kind"),
            f"{row.path}: {wrong}",
            "unknown-value" if "kind" in row else "missing-field",
        )
        return row.without("kind").fill("kind", meant or registry.kinds[0])

    def refuse_ids(self, row: Row) -> None:
        """The key of a registry entry is its address, and the year that of an edition."""
        editions = row.row("editions").values() if "editions" in row else ()
        for each in (row, *editions):
            if isinstance(each, Row) and "id" in each:
                message = (
                    f"{row.path}: 'id' is for entries of a CV; here the key is the address. "
                    "Remove it."
                )
                self.complain(each.at("id", key=True), message, "id-here")

    def cv(self, slug: str, row: Row) -> None:
        """A CV file: who it is about, what else it says of them, and its sections."""
        self.context.languages = (str(row.get("language", "")).lower(), *self.languages)
        self.context.owners = (slug,)
        if isinstance(row.get("basics"), Row):
            row["basics"].path = "basics"
            self.entry("people", slug, row["basics"], Owner)
        elif "basics" in row:
            message = "basics: fields ('name: value') are expected here, at least 'name'."
            self.complain(row.at("basics"), message, "bad-value")
        else:
            message = "'basics' is missing: who is this CV about? Add basics: {name: …}."
            self.complain(row.place, message, "missing-field")
        row.path = ""
        elsewhere = ("basics", *SECTIONS)
        self.context.contested = {}  # its lists have the keys of what is written there
        whole = self.entry("people", slug, row.without(*elsewhere), Cv, others=elsewhere)
        self.context.contested = self.known.contested
        self.problems += unknown_sections(row) + unknown_in_layout(row)
        for name in SECTIONS:
            if isinstance(row.get(name), Rows):
                self.section(slug, row, name, whole.sources if whole else ())
            elif name in row:
                message = f"'{name}' must be a list of entries, each starting with '- '."
                self.complain(row.at(name), message, "bad-value")

    def section(self, slug: str, cv: Row, name: str, sources: Sequence[SourceRef]) -> None:
        """The entries of a section of a CV."""
        section, visibility, shown = SECTIONS[name], self.said_of(name, cv), 0
        owner = str(self.context.rows["people"].get(slug, {}).get("name", slug))
        for number, entry in enumerate(cv[name]):
            path = f"{name}[{number}]"
            if not isinstance(entry, Row):
                wrong = (
                    "a list stands in the list here. Begin the entry with one '- '."
                    if isinstance(entry, Rows)
                    else f"fields ('name: value') are expected here, not {entry!r}."
                )
                self.complain(cv.at(name, number), f"{path}: {wrong}", "bad-value")
                continue
            entry.path = entry.path or path
            model = section.model_for(entry)
            if model.key == "it" and "id" in entry:
                self.complain(
                    entry.at("id", key=True),
                    f"{entry.path}: this has no address of its own, so no 'id'. Remove it.",
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
        """What the site or the CV says of the visibility of a whole section; the stricter of the
        two.
        """
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
        """Loads a row. One that names no source has those of its file."""
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
