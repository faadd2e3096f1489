"""Decisions about similar names for `kg reconcile`: lists the pairs, and writes a decision.

"Same" adds the name to the `alternateNames` of an entry; "different" accepts the similarity with a
reason, or gives a person an entry of their own. Both are lines in a file; delete the line to undo
the decision.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

from kg.advice.likeness import LikelyPair, likely_pairs
from kg.errors import KgError
from kg.facts.files import Files, read_files
from kg.facts.load import SiteIndex, load
from kg.facts.models import REGISTRIES
from kg.facts.site_file import read_site
from kg.facts.values.naming import TITLED
from kg.facts.values.text import address_slug
from kg.facts.yaml.rows import flow
from kg.plugins.exchange.edits.alike_people import PersonPair, likely_people
from kg.plugins.exchange.edits.into_site import errors_with, read_text
from kg.plugins.exchange.edits.splice import Edits, require_unshared
from kg.plugins.exchange.edits.yaml_nodes import CannotSplice
from kg.plugins.exchange.yaml_text import file_text

Decision = Literal["same", "different"]
RULE = "near-name"


class NotReconciled(KgError):
    """The decision cannot be written."""


def pairs(site: Path) -> list[LikelyPair]:
    """The pairs of similar names in a site that are still undecided."""
    facts = load(site)
    shown = {each.place for each in facts.problems if each.rule == RULE}
    index = SiteIndex(read_files(site), read_site(site)[0])
    accepted = facts.notes.accepted
    return [
        pair
        for pair in likely_pairs(index.gathered, index.index)
        if pair.place in shown
        and not any(each.rule == RULE and each.holds(pair.problem) for each in accepted)
    ]


def proposals(site: Path) -> list[LikelyPair | PersonPair]:
    """People who may be one person, the likeliest first, then other similar names."""
    return [*likely_people(load(site)), *pairs(site)]


def texts_with_person(
    site: Path, pair: PersonPair, decision: Decision, reason: str
) -> dict[str, str]:
    """The texts of the changed files with a decision about people, by path."""
    files, path = read_files(site), REGISTRIES["people"].path
    entry = files.registries["people"].get(pair.slug)
    remark = reason or f"{pair.name} is {'' if decision == 'same' else 'not '}{pair.other}"
    if decision == "different" and pair.entry:
        row = files.registries["people"][pair.entry]
        raise NotReconciled(f"Write the full name of '{pair.entry}' in {row.place}.")
    is_new = entry is None and pair.slug not in files.cvs
    if decision == "different" or is_new:
        text = read_text(site / path) if (site / path).exists() else file_text("people", {})
        others = {"alternateNames": [pair.name]} if decision == "same" else {}
        new: dict[str, Any] = {pair.slug: {"name": pair.other, **others}} if is_new else {}
        if decision == "different":
            new[address_slug(pair.name)] = {"name": pair.name}
        remark = " ".join(remark.split())
        lines = [f"{key}: {flow(fields)}  # {remark}" for key, fields in new.items()]
        texts = {path: "\n".join([text.partition("{}")[0].rstrip(), *lines, ""])}
    elif pair.entry:
        texts = without_entry(site, files, pair)
    else:
        path = entry.file if entry is not None else files.cvs[pair.slug].file
        text, key = read_text(site / path), pair.slug if entry is not None else "basics"
        changed = with_field(text, key, "alternateNames", [pair.name])
        texts = {path: with_comment(text, changed, remark)}
    require_no_errors(site, texts, pair)
    return texts


def without_entry(site: Path, files: Files, pair: PersonPair) -> dict[str, str]:
    """Replaces the key of a numbered entry by that of the person, and removes the entry."""
    own = files.registries["people"][pair.entry].file
    edits = Edits(read_text(site / own))
    edits.remove_field(edits.root, pair.entry)
    texts = {own: edits.result()[0]}
    key = re.compile(rf"(\bperson: ){pair.entry}\b(?!-)")
    for path in {
        row.file for row in (*files.cvs.values(), *files.registries["publications"].values())
    }:
        text = texts.get(path) or read_text(site / path)
        if key.search(text):
            texts[path] = key.sub(rf"\g<1>{pair.slug}", text)
    return texts


def texts_with_decision(
    site: Path, pair: LikelyPair | PersonPair, decision: Decision, reason: str
) -> dict[str, str]:
    """The registry text with the decision, by path; nothing is written."""
    if isinstance(pair, PersonPair):
        return texts_with_person(site, pair, decision, reason)
    registry = REGISTRIES[pair.kind]
    row = read_files(site).registries[pair.kind].get(pair.slug)
    path = row.file if row is not None else registry.path
    is_same = decision == "same"
    accepted = {RULE: reason or f"{pair.name} is not {pair.other}"}
    field = "alternateNames" if is_same else "accept"
    value: Any = [pair.name] if is_same else accepted
    text = read_text(site / path) if (site / path).exists() else ""
    if row is not None:
        changed = with_field(text, pair.slug, field, value)
    else:
        name = TITLED.get(pair.kind, "name")
        entry: dict[str, Any] = {name: pair.other, field: value}
        if pair.whole:
            entry["parent"] = pair.whole
        line = f"{pair.slug}: {flow(entry)}"
        head = text or file_text(registry.file, {}).partition("\n")[0]
        changed = f"{head.rstrip()}\n{line}\n"
    if is_same:
        changed = with_comment(text, changed, reason or f"{pair.name} is {pair.other}")
    require_no_errors(site, {path: changed}, pair)
    return {path: changed}


def with_field(text: str, key: str, field: str, value: Any) -> str:
    """Adds a field to an entry of a registry, or more values to that field."""
    edits = Edits(text)
    entry = edits.root.fields.get(key)
    if entry is None:
        raise NotReconciled(f"Cannot edit the entry '{key}'. Add to it: {field}: {flow(value)}")
    try:
        there = entry.fields.get(field)
        if there is None and not entry.is_flow:
            require_unshared(entry)
            line = f"{field}: {flow(value)}"  # one line, so that it is easy to delete
            edits.insert_lines(entry.end, [line], entry.column)
        elif there is None:
            edits.put(entry, field, value)
        elif isinstance(value, list):
            edits.append(there, value)
        else:
            for name, item in value.items():
                edits.put(there, name, item)
    except CannotSplice as error:
        raise NotReconciled(f"{key}: {error} Add manually: {field}: {flow(value)}") from error
    return edits.result()[0]


def with_comment(before: str, after: str, comment: str) -> str:
    """Appends a comment to the only new or changed line."""
    old = set(before.splitlines())
    changed = [line for line in after.splitlines() if line not in old]
    if len(changed) != 1 or "#" in changed[0]:
        return after
    return after.replace(changed[0], f"{changed[0]}  # {' '.join(comment.split())}", 1)


def require_no_errors(site: Path, texts: dict[str, str], pair: LikelyPair | PersonPair) -> None:
    """Raises NotReconciled if the decision would cause an error."""
    known = {each.message for each in errors_with(site, {}, in_full=False)}
    for problem in errors_with(site, texts, in_full=False):
        if problem.message not in known:
            raise NotReconciled(f"{pair.name}: {problem.message}")
