"""Moves an inline entity into its registry (`kg register`).

Its fields are appended to the registry file; in the other files only the name remains. The address
does not change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kg.errors import KgError, Place, errors_in
from kg.facts.bibliography.bibliographies import is_bibliography
from kg.facts.load import Facts, load
from kg.facts.loaded import Key, Loaded
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.values.naming import TITLED, names_of
from kg.facts.yaml.cv_works import is_in_a_cv
from kg.facts.yaml.rows import flow
from kg.files.atomic import lock_site, replace_files
from kg.text.nearest import closest_are
from kg.text.normalize import squeeze

ENTRY = re.compile(r"(\w+)\[\d+\](?:\.(\w+))?")  # of a section, or a field of one


class NotRegistered(KgError):
    """The entity could not be registered; no file was changed."""


def register(
    folder: Path, name: str, tell: Callable[[str], None] = lambda _: None
) -> tuple[str, str]:
    """Registers the entity with this name or address; returns the file and the added line.

    If any other problem or entity of the site would change, no file is written. `tell` reports
    waiting for another command.
    """
    with lock_site(folder, tell):
        return move(folder, name)


def move(folder: Path, name: str) -> tuple[str, str]:
    facts = load(folder)
    kind, slug = key = find(facts, name)
    use, registry = facts.inline[key], REGISTRIES[kind]
    fields = {name: value for name, value in use.row.items() if name != registry.key_field}
    line = f"{slug}: {flow(fields or {TITLED.get(kind, 'name'): use.name})}"
    file = registry.path
    files = (place.file for place in use.places if not is_bibliography(place.file))
    texts = {path: read(folder / path) for path in files}
    left = slug if is_in_a_cv(use.row) else use.name
    changed = {
        path: without_fields(
            text, [at for at in use.places if at.file == path], left, folding(use.row.path)
        )
        for path, text in texts.items()
    }
    texts.setdefault(file, read(folder / file))
    head = f"# yaml-language-server: $schema=.schema/{registry.file}.json"
    entry = f"{(changed.pop(file, '') or texts[file] or head).rstrip()}\n{line}\n"
    changed = {file: entry, **changed}
    now = load(folder, {path: text.encode() for path, text in changed.items()})
    if key in now.inline or errors(now) != errors(facts):
        new = (each.message for each in errors_in(now.problems) if each not in facts.problems)
        why = next(new, f"{now.inline[key].row.place} has its fields." if key in now.inline else "")
        raise NotRegistered(
            f"{name!r} cannot be registered automatically: {why} Add to {file}:  {line}"
        )
    replace_files(folder, changed)
    return file, line


def find(facts: Facts, name: str) -> Key:
    """Finds an inline entity by name or address."""
    found = [
        key
        for key, use in facts.inline.items()
        if name == "/".join(key) or squeeze(name) in (use.name, *use.spellings())
    ]
    if len(found) > 1:
        addresses = " or ".join("/".join(key) for key in found)
        raise NotRegistered(f"{name!r} is ambiguous: {addresses}. Use the address.")
    if not found:
        known = (each for each in facts.loaded if each.is_main and is_called(each, name))
        names = (use.name for use in facts.inline.values())
        near = closest_are(name, names, "To list all: kg names")
        hint = next((f"It has an entry: {each.row.place}" for each in known), near)
        raise NotRegistered(f"{name!r} is not an inline entity. {hint}")
    return found[0]


def is_called(entry: Loaded, name: str) -> bool:
    return squeeze(name) in (entry.slug, f"{entry.kind}/{entry.slug}", *names_of(entry.row))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def errors(facts: Facts) -> list[tuple[str, str]]:
    """The errors, without their lines."""
    return [(each.place.file, each.rule) for each in facts.problems if each.severity == "error"]


class Folding(NamedTuple):
    """How an entry contains fields of an entity: the field that refers to it, and the fields that
    belong to the entity.
    """

    thing: str
    moved: frozenset[str]
    is_beside: bool  # beside its name


def folding(path: str) -> Folding | None:
    """The folding of the entry at a path: `press[0]`, or `teaching[0].course`."""
    entry = ENTRY.fullmatch(path)
    section = SECTIONS.get(entry[1]) if entry else None
    if not (entry and section and section.holder):
        return None
    if section.beside:
        beside = frozenset({"name", *section.beside})
        return Folding(section.thing, beside, True) if entry[2] == section.thing else None
    own = {*section.fields_of_thing} - {*section.holder.model_fields}
    return None if entry[2] else Folding(section.thing, frozenset(own), False)


def without_fields(text: str, places: list[Place], name: str, folded: Folding | None) -> str:
    """Replaces the mappings at these places with the name."""
    spots = {(place.line - 1, place.column - 1) for place in places}

    def is_there(node: Any) -> bool:
        return (node.start_mark.line, node.start_mark.column) in spots

    found = [
        (node.start_mark.index, node.end_mark.index, node)
        for node in mappings(yaml.compose(text, Loader=yaml.SafeLoader))
        if is_there(node) or (folded and names_it(node, folded, is_there))
    ]
    for start, end, node in sorted(found, key=lambda each: each[0], reverse=True):
        before, inside = text[:start], text[start:end]
        rest = inside[len(inside.rstrip()) :] + text[end:]
        if before.rstrip().endswith(":"):
            before = f"{before.rstrip()} "
        chosen = [key.value for key, value in node.value if value.value == "true"]
        left: Any = {"key": name, "selected": "true"} if "selected" in chosen else name
        if folded and folded.is_beside != is_there(node):
            kept = [each for each in node.value if each[0].value not in folded.moved]
            others = {key.value: plain(value) for key, value in kept if key.value != folded.thing}
            left = {folded.thing: name, **others} if others else name
        text = before + flow(left) + rest
    return text


def names_it(node: Any, folded: Folding, is_there: Callable[[Any], bool]) -> bool:
    """Whether an entry names the entity at one of the places, with fields of the entity beside the
    name.
    """
    named = any(
        is_there(value) and isinstance(value, yaml.ScalarNode)
        for key, value in node.value
        if key.value in (folded.thing, "name")
    )
    has_more = any(key.value in folded.moved for key, _ in node.value)
    return folded.is_beside and named and has_more


def plain(node: Any) -> Any:
    """The value of a node, all scalars as text."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: plain(value) for key, value in node.value}
    return list(map(plain, node.value)) if isinstance(node, yaml.SequenceNode) else node.value


def mappings(node: Any) -> Iterator[Any]:
    """The mappings of a YAML document that are values or list items."""
    if isinstance(node, yaml.MappingNode):
        yield node
        for _, value in node.value:
            yield from mappings(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from mappings(value)
