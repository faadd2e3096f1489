"""A site whose files are open in an editor: problems with the unsaved texts, and the entries that
can be named.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kg.check.check import check_facts
from kg.errors import KgError, Place, Problem, why
from kg.facts.bibliography.placement import kind_of
from kg.facts.load import Facts, load
from kg.facts.values.naming import kind_word
from kg.graph.parallel.run import Run
from kg.settings import SITE_FILE
from kg.text.normalize import name_key


class Entity(NamedTuple):
    """Something that fields can refer to. `key` is empty if it has no entry."""

    kind: str
    key: str
    name: str
    place: Place
    summary: str = ""

    @property
    def noun(self) -> str:
        return kind_word(self.kind, 1)

    @property
    def text(self) -> str:
        """How a field refers to it."""
        return self.key or self.name


@dataclass
class OpenSite:
    """A site in an editor. The texts of files that are not saved replace those on disk."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)  # of the last full check
    entities: list[Entity] = field(default_factory=list)

    def check_fields(self, texts: Mapping[str, bytes]) -> list[Problem]:
        """The problems of fields and references, and those of the last full check in other
        files.
        """
        facts = self.load(texts)
        elsewhere = [each for each in self.problems if each.place.file not in texts]
        return list(dict.fromkeys([*facts.problems, *elsewhere]))

    def check(self, texts: Mapping[str, bytes]) -> list[Problem]:
        """All problems, as `kg check` finds them, except those of own templates."""
        try:
            run = Run(datetime.date.today().isoformat())
            self.problems = check_facts(self.load(texts), run).problems
        except (KgError, OSError) as error:
            wrong = Problem(Place(str(SITE_FILE)), "error", why(error), "unreadable-file")
            self.problems = [wrong]
        return self.problems

    def load(self, texts: Mapping[str, bytes]) -> Facts:
        known = {file: text for file, text in texts.items() if is_read(file)}
        facts = load(self.folder, known)
        if found := [*entities_in(facts)]:
            self.entities = found
        return facts

    def named(self, text: str, kinds: tuple[str, ...] = ()) -> list[Entity]:
        """The entities with this key or name."""
        key = name_key(text)
        return [
            each
            for each in self.entities
            if (each.key == text or name_key(each.name) == key)
            and (not kinds or each.kind in kinds)
        ]


def is_read(file: str) -> bool:
    """Whether the text of a file can replace the file on disk; Turtle is read when it is saved."""
    return file == str(SITE_FILE) or kind_of(file.removeprefix("data/")) not in ("", "ttl")


def entities_in(facts: Facts) -> list[Entity]:
    """The entries of a site, and the names that are used without an entry."""
    found = {
        (each.kind, each.slug): Entity(
            each.kind,
            each.slug,
            str(each.row.get("name") or each.row.get("title") or each.slug),
            each.row.place,
            str(each.row.get("summary") or each.row.get("description") or ""),
        )
        for each in facts.loaded
        if each.is_main and (each.kind, each.slug) not in facts.inline
    }
    inline = (
        Entity(kind, "", use.name, use.places[0])
        for (kind, _), use in facts.inline.items()
        if use.places
    )
    return [*found.values(), *inline]
