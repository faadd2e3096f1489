"""Shards: a site is mapped a few files at a time, by this process, by others, or by other machines
that see the same folder.

A shard is a list of files, of CVs or of works: the documents that stand for themselves. What they
share (people without a CV, organisations, venues …) is read by `gather`, which puts the parts
together. Two pure functions do the work: `look` gives what other entries need of those of a
shard, `map_shard` gives the lines of a shard, given what is needed of all.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from kg.errors import Problem
from kg.facts import checks
from kg.facts.files import CV, Files, Found, lightened, read_file
from kg.facts.garbage import quiet
from kg.facts.load import Loader, World
from kg.facts.notes import Key, Notes, noted
from kg.facts.reading.rows import Row
from kg.facts.values.terms import Mention
from kg.graph.pages import Profile
from kg.graph.public import ROOTS, clash, public_documents
from kg.graph.sorted_lines import Packed, pack
from kg.mapping.iris import document_of
from kg.mapping.origins import Origin, Remark
from kg.mapping.walk import PartWalker
from kg.settings import Site

SIZE = 1 << 17  # bytes of files in a shard, about
DOCUMENTS_TOGETHER = 64  # documents
Owners = Mapping[Key, tuple[str, ...]]


class Shard(NamedTuple):
    """Files of one kind."""

    folder: Path
    kind: str
    files: tuple[str, ...]

    def inputs(self) -> bytes:
        return canonical_bytes((self, [self.path(name).read_bytes() for name in self.files]))

    @property
    def size(self) -> int:
        return sum(self.path(name).stat().st_size for name in self.files)

    def path(self, name: str) -> Path:
        return self.folder / name


@dataclass(frozen=True)
class Known:
    """What every shard must know of the whole site."""

    site: Site
    files: Files
    parents: dict[str, str]
    hidden: tuple[Key, ...]  # in order, so that the same is packed alike everywhere
    today: str


class Task(NamedTuple):
    """A shard to map. `known` is packed once for all; `minted` are the people whom earlier shards
    had to invent.
    """

    shard: Shard
    known: bytes
    owners: Owners
    minted: Mapping[str, str]

    def inputs(self) -> bytes:
        given = sorted(self.owners.items()), sorted(self.minted.items())
        return canonical_bytes((digest(self.known), *given)) + self.shard.inputs()

    @property
    def size(self) -> int:
        return self.shard.size


@dataclass
class Mapped:
    """What comes of a shard: its lines, what is wrong in it, and what it says to and of other
    documents. `problems` are those of its entries, `broken` are rules that its facts break.
    """

    lines: Packed
    problems: list[Problem]
    broken: list[Problem]
    clashes: list[Problem]
    notes: Notes
    referred: list[Key]
    mentioned: bytes
    profiles: dict[str, Profile]
    hidden: set[Key]
    owners: dict[Key, tuple[str, ...]]
    minted: dict[str, str]
    origins: list[tuple[list[str], bytes]]  # some documents, and the way back from their nodes

    def mentions(self) -> list[tuple[Mention, Origin | Remark]]:
        """What it mentions, in the order of the files."""
        found: list[tuple[Mention, Origin | Remark]] = unpickled(self.mentioned)
        return found


def cut(folder: Path, names: Mapping[str, str]) -> list[Shard]:
    """The shards of a site, in the order in which one process would read them: CVs, then works."""
    sizes = {
        name: os.stat(f"{folder}/{name}").st_size  # noqa: PTH116  for speed
        for name, kind in names.items()
        if kind in (CV, *ROOTS)
    }
    kinds = ((kind, [name for name in sizes if names[name] == kind]) for kind in (CV, *ROOTS))
    return [
        Shard(folder, kind, files) for kind, those in kinds for files in groups(those, sizes, SIZE)
    ]


def groups(names: list[str], sizes: Mapping[str, int], size: int) -> Iterator[tuple[str, ...]]:
    """Files of about so many bytes together. Their names alone decide where a group ends, so that
    an edit moves no file into another, and what is known of the other groups stays up to date.
    """
    whole = sum(sizes[name] for name in names)
    number = 1 << max(size * len(names) // max(whole, 1), 1).bit_length() - 1
    group: list[str] = []
    for name in names:
        group.append(name)
        if whole > size and (zlib.crc32(name.encode()) % number == 0 or len(group) == 2 * number):
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)


def look(shard: Shard) -> list[Found]:
    """What other entries need of those of a shard."""
    return [read_file(shard.folder, name, shard.kind).light for name in shard.files]


def pack_known(known: Known) -> bytes:
    """What all must know, once for all. Nobody needs the places, which move with every edit."""
    files = known.files
    registries = {
        kind: {slug: without_places(row) for slug, row in rows.items()}
        for kind, rows in files.registries.items()
    }
    registries["people"] = {
        slug: without_places(lightened(row, False))
        for slug, row in files.registries["people"].items()
    }
    cvs = {slug: without_places(row) for slug, row in files.cvs.items()}
    light = Files(cvs, registries, files.turtle, files.unreadable, files.unread)
    return zlib.compress(canonical_bytes(replace(known, files=light)), 1)


def canonical_bytes(value: object) -> bytes:
    """The same bytes for equal values, whether or not they are the same objects."""
    found = BytesIO()
    pickler = pickle.Pickler(found)
    pickler.fast = True
    pickler.dump(value)
    return found.getvalue()


def pickled(value: object) -> bytes:
    """A value that stays in memory for long, or is sent to another process."""
    return zlib.compress(pickle.dumps(value), 1)


def unpickled(value: bytes) -> Any:
    return pickle.loads(zlib.decompress(value))  # noqa: S301 (it comes from our own processes)


def without_places(value: Any) -> Any:
    """A row without its places."""
    if isinstance(value, Row):
        row = Row(value.file)
        row.update((key, without_places(item)) for key, item in value.items())
        return row
    return [without_places(item) for item in value] if isinstance(value, list) else value


@lru_cache(maxsize=1)
def digest(known: bytes) -> bytes:
    return hashlib.blake2b(known, digest_size=16).digest()


@lru_cache(maxsize=1)
def world_of(known: bytes) -> tuple[Known, World]:
    found = unpickled(known)
    assert isinstance(found, Known)  # noqa: S101
    return found, World(found.files, found.site)


@quiet()
def map_shard(task: Task) -> Mapped:
    shard, (known, world) = task.shard, world_of(task.known)
    loader = Loader(entries_of(shard, known.files), world, task.minted)
    if shard.kind == CV:
        loader.cvs()
    else:
        loader.registries([shard.kind], task.owners)
    facts = loader.facts(shard.folder, loader.problems)
    facts.parents = known.parents
    broken = checks.in_files(
        facts, datetime.date.fromisoformat(known.today) if known.today else None
    )
    public = public_documents(facts.loaded, set(known.hidden))
    walker = PartWalker(known.site.base, known.hidden)
    for documents in public.documents.values():
        for each in documents:
            walker.walk(each)
    walker.close()
    return Mapped(
        pack(walker.lines),
        loader.problems,
        broken,
        [clash(each) for each in walker.clashes],
        noted(facts.loaded),
        list(walker.referred),
        pickled(walker.mentioned),
        public.profiles,
        public.private,
        dict(loader.listed_by()),
        {slug: name for slug, name in loader.names.minted.items() if slug not in task.minted},
        list(pack_origins(walker.origins)),
    )


def pack_origins(origins: Mapping[str, list[Origin]]) -> Iterator[tuple[list[str], bytes]]:
    """The way back, packed a few documents at a time, for few are ever needed."""
    by_document: dict[str, dict[str, list[Origin]]] = {}
    for iri, found in origins.items():
        by_document.setdefault(document_of(iri), {})[iri] = found
    documents = list(by_document)
    for start in range(0, len(documents), DOCUMENTS_TOGETHER):
        some = documents[start : start + DOCUMENTS_TOGETHER]
        yield (
            some,
            pickled(
                {iri: found for document in some for iri, found in by_document[document].items()}
            ),
        )


def entries_of(shard: Shard, known: Files) -> Files:
    """The entries of a shard, without those whose key another file had before, which is reported
    already.
    """
    own = Files()
    entries = known.cvs if shard.kind == CV else known.registries[shard.kind]
    for name in shard.files:
        found = read_file(shard.folder, name, shard.kind)
        first = [
            each
            for each in found.entries or ()
            if (known_as := entries.get(each[0])) is not None and known_as.file == name
        ]
        own.take(found._replace(entries=first))
    return own


class Origins(dict[str, list[Origin]]):
    """The way back from nodes to lines; for those of a shard it is unpacked when it is needed, few
    documents at a time.
    """

    def __init__(self, parts: Sequence[Mapped] = ()) -> None:
        super().__init__()
        portions = [portion for part in parts for portion in part.origins]
        self.portion_of = {
            document: number
            for number, (documents, _) in enumerate(portions)
            for document in documents
        }
        packed = [each for _, each in portions]

        @lru_cache(maxsize=8)
        def unpacked(number: int) -> dict[str, list[Origin]]:
            found: dict[str, list[Origin]] = unpickled(packed[number])
            return found

        self.unpacked = unpacked

    def get(  # type: ignore[override]
        self, iri: str, default: list[Origin] | None = None
    ) -> list[Origin] | None:
        found = super().get(iri)
        if found is None and (number := self.portion_of.get(iri.partition("#")[0])) is not None:
            found = self.unpacked(number).get(iri)
        return default if found is None else found

    def __missing__(self, iri: str) -> list[Origin]:
        if (found := self.get(iri)) is None:
            raise KeyError(iri)
        return found

    def __contains__(self, iri: object) -> bool:
        return isinstance(iri, str) and self.get(iri) is not None
