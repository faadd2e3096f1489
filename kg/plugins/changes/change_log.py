"""The change log of a site: `changes/`, as a page, a feed and JSON.

A build that knows what was published before compares the two and continues the existing log. A line
of the log stays only while everything it says is still published: it has the digests of the triples
it was made from, and is removed with the first of them. Removed values are never quoted: only the
property or the kind of the entry is named. So the log does not keep what an author withdraws or
makes private.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from kg.errors import KgError
from kg.mapping.iris import document_of
from kg.plugins.changes.change_words import GraphState, WordedChange, changes, difference
from kg.publish.about.notices import render
from kg.publish.added_files import AddedFiles, FileAdder, Publication
from kg.publish.document import DUMP
from kg.publish.formats.media import ATOM, HTML, JSON
from kg.publish.formats.urls import href
from kg.publish.pages.frame import Frame
from kg.text import dates

FOLDER = "changes/"
PAGE, FEED, LOG = f"{FOLDER}index.html", f"{FOLDER}feed.xml", f"{FOLDER}changes.json"
MAX_BUILDS, MAX_LINES = 50, 200  # builds in the log, and lines of each


@dataclass(frozen=True)
class LogLine:
    """A published change; `quotes` are digests of the lines of the graph that it depends on."""

    about: str
    title: str
    verb: str
    text: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoggedBuild:
    """A build with changes: its number, date and identity, that of the previous build, the number
    of added and removed triples, and the most important changes in words.
    """

    number: int
    date: str
    version: str
    since: str
    added: int
    removed: int
    lines: tuple[LogLine, ...]
    more: int = 0

    @property
    def anchor(self) -> str:
        return f"r{self.number}"


RELEASES = TypeAdapter(tuple[LoggedBuild, ...])


def files_of(documents: Publication) -> AddedFiles | None:
    """The files of the log, if a previous build is known and has changed since."""
    if documents.previous is None:
        return None
    log = continue_log(documents.previous, documents.graph.nquads, documents.today)

    def make(documents: Publication, path: str) -> bytes:
        return body(path, log, documents.pages)

    return AddedFiles({PAGE: HTML, FEED: ATOM, LOG: JSON}, make, repr(log)) if log else None


def continue_log(folder: Path, nquads: bytes, today: str) -> tuple[LoggedBuild, ...]:
    """The log of a previously published folder, updated for the graph that replaces it. A site at
    another base starts a new log, since all its triples differ.
    """
    if not (folder / DUMP).is_file():
        return ()
    old, new = GraphState((folder / DUMP).read_bytes()), GraphState(nquads)
    if old.base != new.base:
        return ()
    releases = list(still_true(read_log(folder), nquads))
    found = difference(old, new)
    if found.added or found.removed:
        lines = log_lines(changes(found))
        number = releases[0].number + 1 if releases else 1
        sizes = len(found.added), len(found.removed)
        shown, more = tuple(lines[:MAX_LINES]), len(lines[MAX_LINES:])
        releases.insert(
            0, LoggedBuild(number, today, new.identity, old.identity, *sizes, shown, more)
        )
    return tuple(releases[:MAX_BUILDS])


def read_log(folder: Path) -> tuple[LoggedBuild, ...]:
    path = folder / LOG
    if not path.is_file():
        return ()
    try:
        return RELEASES.validate_json(path.read_bytes())
    except ValidationError as error:
        raise KgError(
            f"{path} is not a change log written by kg build. Delete it to start a new log."
        ) from error


def still_true(releases: Iterable[LoggedBuild], nquads: bytes) -> Iterator[LoggedBuild]:
    """The log without lines that the graph no longer supports."""
    known = {*map(digest, nquads.decode().splitlines())}
    for release in releases:
        lines = tuple(line for line in release.lines if known.issuperset(line.quotes))
        yield replace(release, lines=lines)


def log_lines(changes: Sequence[WordedChange]) -> list[LogLine]:
    """The publishable part of changes: removed entries are only counted by kind."""
    found = [
        LogLine(change.about, change.title, change.verb, change.text, digests(change.quotes))
        for change in changes
        if change.about
    ]
    gone = Counter(change.text for change in changes if not change.about)
    texts = (f"{text} ({number})" if number > 1 else text for text, number in gone.items())
    return [*found, *(LogLine("", "", "removed", text) for text in texts)]


def digests(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(map(digest, lines)))


def digest(line: str) -> str:
    return hashlib.blake2b(line.encode(), digest_size=8).hexdigest()


def body(path: str, releases: Sequence[LoggedBuild], pages: Frame) -> bytes:
    """The file at a path."""
    if path == LOG:
        return RELEASES.dump_json(tuple(releases), indent=1) + b"\n"
    shown = [(release, dates.date(release.date), grouped(release, pages)) for release in releases]
    if path == FEED:
        return render("changes.xml", site=pages.site, releases=shown)
    return pages.rendered("changes.html", releases=shown, root="../")


def grouped(release: LoggedBuild, pages: Frame) -> list[tuple[str, str, list[str]]]:
    """The changes by entry: link to its page (or empty), name, and texts."""
    return [
        (
            href(pages.site.base, about, FOLDER) if document_of(about) in pages.documents else "",
            title,
            [line.text for line in lines],
        )
        for (about, title), lines in groupby(release.lines, lambda each: (each.about, each.title))
    ]


FILES = FileAdder(files_of)
