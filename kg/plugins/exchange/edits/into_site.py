"""Merges a draft into the files of a site, checks the result, and returns the texts to write.

The draft is compared with that of the last import, so that entries removed by the author do not
come back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

from kg.errors import Place, Problem, line_and_column
from kg.facts.bibliography.bibliographies import is_bibliography, key_in
from kg.facts.files import Files, read_files
from kg.facts.models import REGISTRIES
from kg.facts.yaml.rows import Row
from kg.plugins.exchange.draft import Draft, Unplaced, values_in, with_leaves
from kg.plugins.exchange.edits.entry_matching import WORKS, KnownEntries
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.exchange.edits.merge import AuthorEntry, Merge
from kg.plugins.exchange.edits.people import Newcomer
from kg.plugins.exchange.edits.splice import CannotSplice
from kg.plugins.exchange.source_files import NotImported
from kg.plugins.exchange.unsaved import check_rows, check_unsaved, has, reason
from kg.plugins.exchange.yaml_text import file_text
from kg.settings import SITE_FILE

RECORDS = "data/.imported"
LINE = re.compile(r"[^\n]*\n|[^\n]+")
Contents = dict[str, dict[str, Any]]  # imported content by path of the file
Edit = Callable[[Callable[[str], Merge]], None]  # gets a function that opens a file by its path


@dataclass
class Change:
    """The changes of an import: new texts of files, and source values that were not merged.

    Each difference has the position of the author's value that was kept.
    """

    texts: dict[str, str] = field(default_factory=dict)
    differences: list[tuple[Place, str]] = field(default_factory=list)
    left: list[Unplaced] = field(default_factory=list)
    is_refused: bool = False  # because the site would have errors
    # path -> label, first and last line of each edit
    lines: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)


def changes(
    draft: Draft,
    key: str,
    site: Path,
    before: Draft | None,
    is_checked: bool,
    edit: Edit | None = None,
) -> Change:
    """Computes the changes of a draft for the person with this key.

    `before` is the draft of the last import. A draft
    that was not fully checked alone (`is_checked`) is refused if the site has errors with it, since
    the draft may cause them. `edit` makes other edits, which are checked with it.
    """
    found = Change()
    if before is None or (before.cv, before.entries) != (draft.cv, draft.entries):
        files = read_files(site)
        assignment = FileAssignment(files, key, draft.entries)
        new, old = assignment.contents(draft), assignment.contents(before) if before else {}
        known, merges = KnownEntries(files), dict[str, Merge]()
        if assignment.has_own_layout(before):
            for each in (new, old):
                each.get(assignment.cv, {}).pop("layout", None)
        person = files.registries["people"].get(key)
        if person is not None and key not in files.cvs:  # the entry moves into the new CV
            basics = new[assignment.cv].get("basics", {})
            merges[person.file] = open_merge(site / person.file, known)
            root = merges[person.file].edits.root
            new[assignment.cv] |= {"basics": {**root.fields[key].plain, **basics}}
            merges[person.file].edits.remove_field(root, key)
            new.setdefault(person.file, {})
        if is_checked and (site / SITE_FILE).exists():
            found.left += fit(site, assignment.cv, new, key)
        for path, content in new.items():
            if not (site / path).exists():
                kind = "cv" if path == assignment.cv else Path(path).stem
                found.texts[path] = file_text(kind, content)
                continue
            merges.setdefault(path, open_merge(site / path, known))
            merges[path].add(old.get(path, {}) if before else None, content)
        for row, work in assignment.shared_works(draft, before):
            found.left += join_shared(site, row, work, merges, known)
        if edit:
            edit(
                lambda path: (
                    merges.get(path) or merges.setdefault(path, open_merge(site / path, known))
                )
            )
        apply_merges(site, merges, found, is_checked)
    return found


def read_text(path: Path) -> str:
    """Reads UTF-8 text without changing line breaks."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise CannotSplice("The file is not UTF-8. Save it as UTF-8.") from error


def open_merge(path: Path, known: KnownEntries | None = None) -> Merge:
    """Opens an author's file for merging."""
    try:
        found = Merge(read_text(path), known)
    except CannotSplice as error:
        raise NotImported(f"{path}: {error}") from error
    if not (found.edits.root.is_mapping or found.edits.root.is_empty):
        raise NotImported(f"{path}: the file must consist of 'key: value' lines. Fix it first.")
    return found


class FileAssignment:
    """Assigns the parts of a draft to files, and replaces known entities by their keys."""

    def __init__(self, files: Files, key: str, entries: Mapping[str, Mapping[str, Any]]) -> None:
        own, self.key = files.cvs.get(key), key
        self.cv = own.file if own is not None else f"data/cv/{key}.yaml"
        self.files, self.known = files, KnownEntries(files, without=self.cv)
        listed = own.get("publications") if own is not None else None
        self.listed = {key_in(item) for item in listed} if isinstance(listed, list) else set()
        self.renamed = {
            entry_key: self.key_for(kind, entry_key, entry)
            for kind, found in entries.items()
            for entry_key, entry in found.items()
        }

    def has_own_layout(self, before: Any) -> bool:
        """Whether the author decided on the order of the page: the CV is older than the import,
        or has no layout any more.
        """
        own = self.files.cvs.get(self.key)
        return own is not None and (before is None or "layout" not in own)

    def key_for(self, kind: str, key: str, entry: Mapping[str, Any]) -> str:
        """The key of an existing entry, or a free key for a new one."""
        rows = self.known.rows.get(kind, {})
        if found := self.known.work(entry) if kind in WORKS else self.known.key_of(entry):
            return found if found in rows else key
        number = 2
        while key in rows and f"{key}-{number}" in rows:
            number += 1
        return f"{key}-{number}" if key in rows else key

    def contents(self, given: Draft) -> Contents:
        found: Contents = {}
        for kind, entries in given.entries.items():
            for key, entry in entries.items():
                name = self.renamed.get(key, key)
                there = self.files.registries[kind].get(name)
                path = there.file if there is not None else REGISTRIES[kind].path
                is_owner = kind == "people" and name in self.files.cvs
                if not is_bibliography(path) and path != self.cv and not is_owner:
                    found.setdefault(path, {})[name] = self.known.with_known_keys(
                        self.rename(entry)
                    )
        newcomer = Newcomer(self.files, self.known, self.key, given.cv)
        cv = newcomer.settled(self.known.with_known_keys(self.rename(given.cv)))
        if newcomer.entries:
            found.setdefault(REGISTRIES["people"].path, {}).update(newcomer.entries)
        for section in WORKS:
            if section in cv:
                cv[section] = [each for each in cv[section] if key_in(each) not in self.listed]
        return {**found, self.cv: {name: value for name, value in cv.items() if value}}

    def shared_works(
        self, given: Draft, before: Draft | None
    ) -> Iterator[tuple[Row, Mapping[str, Any]]]:
        """New or changed works of a draft that are described in other files of the site."""
        noted = before.cv.get("publications", ()) if before else ()
        for work in given.cv.get("publications", ()):
            key = "" if work in noted or isinstance(work, str) else self.known.work(work)
            if key in self.known.rows["publications"]:
                yield self.known.rows["publications"][key], self.rename(work)

    def rename(self, value: Any) -> Any:
        """Replaces keys of the draft by keys of the site."""
        return with_leaves(value, lambda leaf: self.renamed.get(leaf, leaf))


def join_shared(
    site: Path,
    row: Row,
    work: Mapping[str, Any],
    merges: dict[str, Merge],
    known: KnownEntries,
) -> Iterator[Unplaced]:
    """Joins a work with its entry in another file; what a bibliography lacks is listed."""
    if is_bibliography(row.file):
        joining = Joining(known)
        plain = with_leaves(row)
        joined = joining.fields(plain, work)
        for name in joined:
            if name != "key" and joined[name] != plain.get(name):
                first = next(values_in(work.get(name)), None)
                yield from [Unplaced(first, f"not in {row.place}. Add it there")] if first else []
        yield from joining.unplaced()
        return
    merge = merges.setdefault(row.file, open_merge(site / row.file, known))
    root, line = merge.edits.root, row.spot[0] + 1
    listed = root.fields["publications"].items if "publications" in root.fields else []
    for node in [*root.fields.values(), *listed]:
        if node.is_mapping and line_and_column(merge.edits.text, node.start)[0] == line:
            merge.join_work(f"publications: {work['title']}", AuthorEntry(node.plain, node), work)


def fit(site: Path, own: str, contents: Contents, key: str) -> list[Unplaced]:
    """Changes a CV until the site has no errors in it, and reports what was changed.

    A name that looks like a mistyped key is marked as a name. An entity that another file describes
    keeps only its name. Other values are removed.
    """
    files = {**contents}
    for path in contents:
        if path != own and (site / path).exists():
            there = open_merge(site / path).edits.root.plain or {}
            files[path] = {name: there[name] for name in there if name != key} | contents[path]
    mine = open_merge(site / own).edits.root.plain or {} if (site / own).exists() else {}
    tried, found = set[tuple[str | int, ...]](), list[Unplaced]()

    def whole() -> dict[str, Any]:
        """The imported CV with the author's `basics`."""
        cv = contents[own]
        return {**cv, "basics": {**mine.get("basics", {}), **cv.get("basics", {})}}

    while faults := {
        steps[1:]: problem
        for steps, problem in check_rows(site, {**files, own: whole()})
        if steps[:1] == (own,) and len(steps) > 1 and is_in(contents[own], steps[1:])
    }:
        for steps in sorted(faults, key=str, reverse=True):
            above: Any = contents[own]
            for step in steps[:-1]:
                above = above[step]
            value, problem = above[steps[-1]], faults[steps]
            if (
                steps not in tried
                and problem.rule == "unknown-reference"
                and isinstance(value, str)
            ):
                above[steps[-1]] = {"name": value}
            elif steps not in tried and problem.rule == "in-place-twice":
                above[steps[-1]] = value.get("name") or value.get("title")
                rest = [each for each in values_in(value) if each != above[steps[-1]]]
                found += [Unplaced(each, f"skipped: {reason(problem)}") for each in rest]
            else:
                rest = [*values_in(above.pop(steps[-1]))]
                found += [Unplaced(each, f"skipped: {reason(problem)}") for each in rest]
            tried.add(steps)
    return found


def is_in(value: Any, steps: Sequence[str | int]) -> bool:
    """Whether there is a value at the end of a path."""
    for step in steps:
        if not has(value, step):
            return False
        value = value[step]
    return True


def apply_merges(site: Path, merges: Mapping[str, Merge], found: Change, is_checked: bool) -> None:
    """Fills in the texts of merged files; leaves out edits that cause errors."""
    refused: dict[str, dict[str, str]] = {path: {} for path in merges}
    was = {path: merge.edits.text for path, merge in merges.items()}
    while True:
        results = {path: merge.result(refused[path]) for path, merge in merges.items()}
        texts = {path: text for path, (text, _) in results.items() if text != was[path]}
        texts = {**found.texts, **texts}
        errors = errors_with(site, texts) if texts and (site / SITE_FILE).exists() else []
        if errors and not is_checked:
            found.is_refused = True
            return
        wrong = [
            (place.file, label, reason(problem))
            for problem in errors
            for place in (problem.place, *problem.others)
            for label, first, last in results.get(place.file, ("", []))[1]
            if first <= place.line <= last and label not in refused[place.file]
        ]
        if not wrong:
            break
        for path, label, message in wrong:
            refused[path][label] = message
    if errors and (
        more := Counter(map(problem_key, errors)) - Counter(map(problem_key, errors_with(site, {})))
    ):
        problem = next(each for each in errors if problem_key(each) in more)
        raise NotImported(f"Cannot import into {site}: {problem.message} ({problem.place.file})")
    found.texts = texts
    found.lines = {path: lines for path, (_, lines) in results.items()}
    for path, merge in merges.items():
        found.differences += [(Place(path, each.line), each.message) for each in merge.differences]
        for label, why in refused[path].items():
            value = merge.given.get(label)
            if value:
                found.left.append(Unplaced(value, f"skipped: {why}"))
            else:
                found.differences.append((Place(path), f"{label}: skipped: {why}"))


def problem_key(problem: Problem) -> tuple[str, str]:
    """Identifies a problem independently of its line."""
    return problem.place.file, problem.rule


def errors_with(site: Path, texts: Mapping[str, str], in_full: bool = True) -> list[Problem]:
    """The errors a site would have with these texts; unless `in_full`, only those of fields."""
    return check_unsaved(site, {path: text.encode() for path, text in texts.items()}, "", in_full)


def patch(site: Path, texts: Mapping[str, str]) -> str:
    """A unified diff for `git apply` or `patch -p1` in the site's folder."""
    return "".join(piece for path, text in texts.items() for piece in pieces(site, path, text))


def pieces(site: Path, path: str, text: str) -> Iterator[str]:
    old = read_text(site / path) if (site / path).exists() else ""
    name = f"a/{path}" if (site / path).exists() else "/dev/null"
    lines = LINE.findall(old), LINE.findall(text)
    for line in unified_diff(*lines, name, f"b/{path}" if text else "/dev/null"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
