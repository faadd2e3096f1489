"""Reads the files of a site except `data/site.yaml`: CVs and registries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from kg.errors import Place, Problem, errors_in
from kg.facts.bibliography.bibliographies import (
    is_bibliography,
    is_same_work,
    make_private,
    private_files,
    put_in_keys,
    read_bibliography,
    wrap_file_name,
)
from kg.facts.bibliography.placement import (
    CV,
    KINDS_BY_FILE,
    TURTLE,
    is_remark,
    kind_of,
    misplaced,
    not_a_file,
    unknown_file,
    unread_file,
)
from kg.facts.folded import expand_entries, fill_theses, fold_sections, hide_applications
from kg.facts.inline.mentions import EntryContext, MentionFinder, NameMention, ResolvedTexts
from kg.facts.models import REGISTRIES
from kg.facts.models.base import FileSources
from kg.facts.values.naming import distinct_key, is_same_title
from kg.facts.values.text import RESERVED, SLUG, slug_hint
from kg.facts.yaml.cv_works import already, is_in_a_cv, rename_works, take_works
from kg.facts.yaml.reader import faults_in, read
from kg.facts.yaml.rows import Row
from kg.files.disk import in_order, read_bytes, unreadable, walk

# Fields of an entry that references to it need.
REFERRED = ("name", "title", "alternateNames", "formerNames", "kind", "was", "visibility", "orcid")
LISTS = ("publications", "patents")  # lists of works in a CV
SITE = "site.yaml"
# path -> content that replaces the file on disk, as rows or as text to parse
Unsaved = Mapping[str, Row | bytes]


class Found(NamedTuple):
    """The content of one file: entries with key and place, or None if it cannot be read."""

    kind: str
    file: str
    entries: list[tuple[str, Any, Place]] | None
    problems: list[Problem]
    sources: Row | None = None  # `sources:` of a registry file
    mentions: Sequence[NameMention] = ()
    works: Sequence[tuple[str, Row, Place]] = ()  # works written in a CV
    given: frozenset[str] = frozenset()  # paths of works whose key the author chose

    def with_namings(self, settled: ResolvedTexts | None = None) -> Found:
        """Adds the places where the file names entities; texts in `settled` are skipped."""
        finder = MentionFinder(ResolvedTexts({}) if settled is None else settled)
        if self.sources and self.kind != CV:
            finder.fields(FileSources, EntryContext(self.sources, ""))
        for key, row, _ in self.entries or ():
            if isinstance(row, Row) and self.kind == CV:
                finder.cv(row, key)
            elif isinstance(row, Row):
                finder.registered(self.kind, key, row)
        for key, row, _ in self.works:
            finder.registered("publications", key, row)
        return self._replace(mentions=finder.found)

    @property
    def light(self) -> Found:
        """Keeps only the fields of entries that other files need."""
        if self.entries is None:
            return self
        light = reduced_cv if self.kind == CV else reduced_entry
        return self.with_namings()._replace(
            entries=[(key, light(row), at) for key, row, at in self.entries],
            works=[(key, reduced_entry(row), at) for key, row, at in self.works],
        )


@dataclass
class Files:
    """The content of all files: CVs and registry entries by key, and the files that could not be
    read.
    """

    cvs: dict[str, Row] = field(default_factory=dict)
    registries: dict[str, dict[str, Row]] = field(
        default_factory=lambda: {kind: {} for kind in REGISTRIES}
    )
    turtle: list[Path] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)  # CVs, by file name
    unread: set[str] = field(default_factory=set)  # registries with an unreadable file
    problems: list[Problem] = field(default_factory=list)
    sources: dict[str, Row] = field(default_factory=dict)  # file -> `sources:` of the registry file
    mentions: list[NameMention] = field(default_factory=list)  # inline names
    bibliographies: dict[str, list[str]] = field(default_factory=dict)  # file -> keys
    closed: set[str] = field(default_factory=set)  # bibliographies that only private CVs use
    # Works whose keys can change: from bibliographies, and from CVs without a `key`.
    unsettled: list[tuple[str, Row, Place]] = field(default_factory=list)
    # file -> path -> new key, for works whose key was taken
    renamed: dict[str, dict[str, str]] = field(default_factory=dict)
    # ambiguous key -> keys of the works that would get it
    contested: dict[str, list[str]] = field(default_factory=dict)

    def of(self, kind: str) -> dict[str, Row]:
        return self.cvs if kind == CV else self.registries[kind]

    @property
    def people(self) -> dict[str, Row]:
        """key -> `basics` of the CV, else the registry entry; empty if the CV has no valid
        basics.
        """
        basics = {
            slug: row["basics"]
            for slug, row in self.cvs.items()
            if isinstance(row.get("basics"), Row)
        }
        absent = {slug: Row("") for slug in (*self.unreadable, *self.cvs) if slug not in basics}
        return {**absent, **self.registries["people"], **basics}

    def list_bibliographies(self) -> None:
        """Adds the works of bibliographies to the CVs that list them."""
        self.closed = private_files(self.cvs.values(), self.bibliographies)
        self.problems += put_in_keys(self.cvs.values(), self.bibliographies, self.renamed)
        self.close_bibliographies()
        if self.bibliographies:  # they have the fewest fields, so they come last
            self.mentions.sort(key=lambda each: is_bibliography(each.file))

    def close_bibliographies(self) -> None:
        """Makes works private that only private CVs list."""
        if self.closed:
            make_private(self.registries["publications"].values(), self.closed)
            self.mentions = [
                each._replace(is_private=True) if each.file in self.closed else each
                for each in self.mentions
            ]

    def take(self, found: Found) -> None:
        """Adds the content of a file."""
        self.problems += found.problems
        if found.sources is not None:
            self.sources[found.sources.file] = found.sources
        self.mentions += found.mentions
        entries, settled = self.of(found.kind), found.entries or []
        if is_bibliography(found.file):
            self.bibliographies[found.file] = [key for key, _, _ in settled]
            self.unsettled += settled
            settled = []
        for key, row, place in settled:
            if wrong := refusal(key, row, entries):
                self.problems.append(Problem(place, "error", *wrong))
            else:
                row.path = row.path or key
                entries[key] = row
        works = self.registries["publications"]
        for key, row, place in found.works:
            if row.path not in found.given:
                self.unsettled.append((key, row, place))
            elif key in works:
                self.problems.append(written_twice(key, row, place, works[key]))
            else:
                works[key] = row
        is_partial = is_bibliography(found.file) and errors_in(found.problems)
        if found.entries is None or is_partial:
            self.mark_incomplete(found.file, found.kind)

    def settle_works(self) -> None:
        """Adds works whose keys can change, after all files were read. If a key is taken, words of
        the title are added; the first work keeps the key.
        """
        works = self.registries["publications"]
        given = frozenset(works)
        for key, row, place in sorted(self.unsettled, key=precedence):
            other = works.get(key)
            if is_same_work(row, other):
                continue
            is_twice = other is not None and is_written_twice(row, other)
            if is_twice and is_in_a_cv(row):
                self.problems.append(written_twice(key, row, place, works[key]))
            elif wrong := refusal(key, row, works if is_twice else {}):
                self.problems.append(Problem(place, "error", *wrong))
            else:
                new = distinct_key(key, row.get("title"), works)
                works[new] = row
                if new == key:
                    continue
                self.renamed.setdefault(row.file, {})[row.path] = new
                if key not in given:
                    self.contested.setdefault(key, [key]).append(new)
                if keys := self.bibliographies.get(row.file):
                    keys[keys.index(key)] = new
        self.unsettled.clear()
        for cv in self.cvs.values():
            rename_works(cv, self.renamed.get(cv.file, {}))

    def report_unreadable(self, file: str, kind: str, fault: str) -> None:
        """Reports an unreadable file."""
        self.problems.append(Problem(Place(file), "error", fault, "unreadable-file"))
        self.mark_incomplete(file, kind)

    def mark_incomplete(self, file: str, kind: str) -> None:
        """Records that entries of this kind may be missing."""
        if kind == CV:
            self.unreadable += filter(None, [key_of(file)])
            self.unread |= {"publications"} if key_of(file) else {"publications", "people"}
        elif kind in REGISTRIES:
            self.unread.add(kind)


def precedence(work: tuple[str, Row, Place]) -> tuple[bool, bool]:
    """Sort key: bibliographies first, whose keys were chosen, then public works."""
    return is_in_a_cv(work[1]), work[1].get("visibility") == "private"


def is_written_twice(work: Row, other: Row) -> bool:
    """Whether two works with one key are the same: in one CV never, in one bibliography always, in
    different files if their titles match.
    """
    if work.file == other.file:
        return not is_in_a_cv(work)
    return is_same_title(work, other)


def written_twice(key: str, row: Row, place: Place, other: Row) -> Problem:
    message = f"{row.path}: {already(key, other.place)}"
    return Problem(place, "error", message, "duplicate-key", (other.place,))


def refusal(key: str, row: object, entries: Mapping[str, Row]) -> tuple[str, str] | None:
    """Returns why an entry cannot be added, and the rule; None if it can."""
    if not SLUG.fullmatch(key):
        return (
            f"{key!r} cannot be an address. Use lower-case letters and digits joined by '-', "
            f"{slug_hint(key)}."
        ), "bad-slug"
    if RESERVED.fullmatch(key):
        return (
            f"{key!r} is reserved for lists. Choose another key, e.g. 'the-{key.replace('-', '')}'."
        ), "bad-slug"
    if not isinstance(row, Row):
        return (
            f"{key}: this entry has no fields. Write lines of the form 'name: value' below the key."
        ), "bad-value"
    if key in entries and is_in_a_cv(entries[key]):
        return (
            f"{key}: this work is also written in a CV ({entries[key].place}). Write '- {key}' "
            "there, or remove this entry."
        ), "duplicate-key"
    if key in entries:
        return (
            f"The key '{key}' occurs twice (first in {entries[key].place}). Merge the entries, "
            "or rename one."
        ), "duplicate-key"
    return None


def read_files(folder: Path, unsaved: Unsaved | None = None) -> Files:
    """Reads all YAML files in `data/`; `unsaved` ones from memory."""
    files, names = sort_out(folder)
    unsaved = unsaved or {}
    if new := {name: kind for name in unsaved if (kind := kind_of(name.removeprefix("data/")))}:
        names = dict(sorted({**names, **new}.items(), key=lambda item: in_order(item[0])))
    found = [read_file(folder, name, kind, unsaved.get(name)) for name, kind in names.items()]
    for each in found:
        files.take(each)
    files.settle_works()
    settled = ResolvedTexts({**files.registries, "people": files.people})
    files.mentions = [naming for each in found for naming in each.with_namings(settled).mentions]
    files.list_bibliographies()
    return files


def sort_out(folder: Path) -> tuple[Files, dict[str, str]]:
    """Lists the files to read with their kinds: `cv` or a registry. Reads nothing yet.

    Unreadable and misplaced files are problems; otherwise their facts would be missing silently.
    """
    files, names, found = Files(), dict[str, str](), walk(folder / "data")
    for name, fault in found.faults.items():
        if name != SITE:
            files.report_unreadable(
                f"data/{name}".rstrip("/"), kind_of(name) or KINDS_BY_FILE.get(name, ""), fault
            )
    for name in found.folders:
        if kind_of(name):
            files.report_unreadable(f"data/{name}", kind_of(name), not_a_file(folder, name))
    for name in found.files:
        kind = kind_of(name)
        if kind_of(name.rpartition("/")[0]) or name == SITE or is_remark(name):
            continue
        if kind == TURTLE:
            files.turtle.append(folder / "data" / name)
        elif kind:
            names[f"data/{name}"] = kind
        else:
            files.problems.append(unknown_file(folder, name))
    return files, names


def read_file(folder: Path, name: str, kind: str, unsaved: Row | bytes | None = None) -> Found:
    """Reads a file, or its `unsaved` content."""
    if isinstance(unsaved, Row):
        return found_in(name, kind, unsaved, faults_in(unsaved))
    data = read_bytes(folder / name) if unsaved is None else unsaved
    if isinstance(data, OSError):
        fault = Problem(Place(name), "error", unreadable(data), "unreadable-file")
        return Found(kind, name, None, [fault])
    if is_bibliography(name):
        works, problems = read_bibliography(name, data)
        if any(each.rule == "unknown-file" for each in problems):  # other JSON
            problems = [unread_file(name.removeprefix("data/"), read(name, data)[0])]
        return Found(kind, name, works, problems)
    return found_in(name, kind, *read(name, data))


def found_in(name: str, kind: str, row: Row | None, problems: list[Problem]) -> Found:
    """Converts the parsed content of a file; `row` is None if it cannot be parsed."""
    if row is not None and (elsewhere := misplaced(name, kind, row)):
        return Found(kind, name, None, [elsewhere])
    sources, works, given = None, list[tuple[str, Row, Place]](), frozenset[str]()
    if row is None:
        entries = None
    elif kind == CV:
        wrap_file_name(row)
        expand_entries(row)
        works, given, wrong = take_works(row)
        problems += wrong
        fold_sections(row)
        fill_theses(row, key_of(name))
        entries = [(key_of(name), row, row.place)]
        if works and "sources" in row:
            sources = Row(name, row.spot).copy_keys(row, ["sources"])
    else:
        if "sources" in row and not isinstance(row["sources"], Row):
            sources = Row(name, row.spot).copy_keys(row, ["sources"])
            row = row.without("sources")
        entries = [(each, row[each], row.at(each, key=True)) for each in row]
        for entry in row.values() if kind == "grants" else ():
            if isinstance(entry, Row):
                hide_applications(entry)
    return Found(kind, name, entries, problems, sources, works=works, given=given)


def key_of(file: str) -> str:
    """The file name without folder and suffix; for a CV, its key."""
    return file.rpartition("/")[2].rpartition(".")[0]


def reduced_cv(row: Any) -> Any:
    light = lightened(row, *LISTS)
    light["basics"] = reduced_entry(row.get("basics"))
    return light


def reduced_entry(row: Any) -> Any:
    return lightened(row, *REFERRED)


def lightened(row: Any, *keys: str) -> Any:
    """A copy with only these keys, without positions."""
    if not isinstance(row, Row):
        return row
    light = Row(row.file, row.spot, row.path)
    light.update({key: row[key] for key in keys if key in row})
    return light
