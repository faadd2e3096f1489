"""The works of a person in the files of a site, and which found works they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kg.errors import Place
from kg.facts.bibliography.bibliographies import is_bibliography, key_in
from kg.facts.files import Files
from kg.facts.load import Facts
from kg.facts.models.publications import Publication
from kg.facts.yaml.rows import Row
from kg.plugins.exchange.edits.entry_matching import (
    KnownEntries,
    identifiers,
    is_distinct,
    is_same_work,
)
from kg.plugins.exchange.edits.into_site import open_merge
from kg.plugins.exchange.edits.splice import YamlNode
from kg.plugins.exchange.source_files import NotImported
from kg.plugins.sync.found_works import PUBLICATIONS, FoundWork, ids_of

IN_CV = re.compile(rf"{PUBLICATIONS}\[(\d+)\]")


@dataclass(eq=False)
class OwnWork:
    """A work in a file of the site. `fields` is what the author wrote; `is_editable` is false for a
    work of a bibliography.
    """

    key: str
    row: Row
    fields: Mapping[str, Any]
    is_editable: bool
    text: str  # of the file

    @property
    def file(self) -> str:
        return self.row.file

    @property
    def place(self) -> Place:
        return self.row.place

    @property
    def title(self) -> str:
        return str(self.fields.get("title", ""))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return tuple(ids_of(self.fields))

    @property
    def links(self) -> dict[str, str]:
        """The addresses of pages and files, by field."""
        every = {name: str(value) for name, value in self.fields.items()}
        return {name: text for name, text in every.items() if "://" in text[:9]}

    @property
    def doi(self) -> str:
        return dict(identifiers(self.fields)).get("doi", "")


def own_works(site: Path, slug: str, files: Files, facts: Facts) -> list[OwnWork]:
    """The public works that a CV lists, or whose author the person is."""
    signed = {each.slug: each.row for each, work in facts.of(Publication) if slug in work.signers}
    cv = files.cvs.get(slug)
    listed = [key_in(item) for item in (cv.rows(PUBLICATIONS) if cv is not None else ())]
    rows = files.registries[PUBLICATIONS]
    texts, found = dict[str, tuple[str, YamlNode | None]](), list[OwnWork]()
    for key in dict.fromkeys([*listed, *signed]):
        row = rows.get(key)
        if row is None or row.get("visibility") == "private":
            continue
        if row.file not in texts:
            texts[row.file] = opened(site / row.file)
        text, root = texts[row.file]
        node = node_at(root, row.path) if root else None
        is_editable = bool(node and node.fields["title"].plain == row.get("title"))
        fields = node.plain if node and is_editable else dict(row)
        found.append(OwnWork(key, row, fields, is_editable, text))
    return found


def opened(path: Path) -> tuple[str, YamlNode | None]:
    """The text of a file and its content; None if it cannot be edited."""
    if is_bibliography(path.name):
        return "", None
    try:
        edits = open_merge(path).edits
    except NotImported:
        return "", None
    return edits.text, edits.root


def node_at(root: YamlNode, path: str) -> YamlNode | None:
    """The entry of a work: `publications[3]` of a CV, or a key of the registry."""
    if found := IN_CV.fullmatch(path):
        items = root.fields[PUBLICATIONS].items if PUBLICATIONS in root.fields else []
        number = int(found[1])
        node = items[number] if number < len(items) else None
    else:
        node = root.fields.get(path)
    return node if node and "title" in node.fields else None


def paired(own: Sequence[OwnWork], found: Iterable[FoundWork]) -> dict[FoundWork, OwnWork]:
    """Which found work is which of the author's. Works with the same identifier are paired first,
    then those that agree in kind, venue and pages.
    """
    known, there = KnownEntries(), dict[str, list[tuple[int, OwnWork]]]()
    for number, work in enumerate(own):
        for hint in known.lookup_keys(PUBLICATIONS, work.fields):
            there.setdefault(hint, []).append((number, work))
    scored = list[tuple[int, int, int, FoundWork, OwnWork]]()
    for number, each in enumerate(found):
        entries = [one.first for one in (each, each.preprint) if one]
        near = {
            (at, mine)
            for entry in entries
            for hint in known.lookup_keys(PUBLICATIONS, entry)
            for at, mine in there.get(hint, ())
        }
        for at, mine in near:
            if score := max(likeness(mine.fields, entry) for entry in entries):
                scored.append((-score, number, at, each, mine))
    pairs, used = dict[FoundWork, OwnWork](), set[OwnWork]()
    for _, _, _, each, mine in sorted(scored, key=lambda item: item[:3]):
        if each not in pairs and mine not in used:
            pairs[each] = mine
            used.add(mine)
    return pairs


def is_doubtful(mine: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a work has the title, but another kind, venue, number or year."""
    return likeness(mine, entry) == 1


def likeness(mine: Mapping[str, Any], entry: Mapping[str, Any]) -> int:
    if not is_same_work(mine, entry):
        return 0
    if {*identifiers(mine)} & {*identifiers(entry)}:
        return 3
    years = {str(each.get("date") or each.get("year"))[:4] for each in (mine, entry)}
    return 1 if is_distinct(mine, entry) or len(years) > 1 else 2
