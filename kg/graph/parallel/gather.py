"""The facts of a site, gathered from its shards.

    files --look--> what others need of each entry --map_shard--> lines, problems, mentions

Of a shard only that stays in memory which others need. What hangs together across files comes after
its mapping: who was invented twice, what is private, which CVs list a work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

from kg.errors import tidy
from kg.facts.files import CV, Files, read_file, read_site, sort_out
from kg.facts.garbage import quiet
from kg.facts.load import Facts, Loader, World, load
from kg.facts.models import REGISTRIES
from kg.facts.notes import Key, Notes, noted
from kg.facts.reading.rows import Row
from kg.graph.parallel import shards
from kg.graph.parallel.executor import Workers, silent
from kg.graph.parallel.shards import Known, Mapped, Shard, Task
from kg.graph.public import ROOTS
from kg.memo import Memo
from kg.settings import Site

SHARED = [kind for kind in REGISTRIES if kind not in ROOTS]
WORTH = 1 << 22  # bytes of files; this process has soon mapped fewer by itself
Owners = dict[Key, tuple[str, ...]]


class Sized(Protocol):
    @property
    def size(self) -> int: ...


T = TypeVar("T", bound=Sized)
Result = TypeVar("Result")


@quiet()
def gather(
    folder: Path, today: str, memo: Memo, workers: Workers | None = None
) -> tuple[Facts, list[Mapped]]:
    """The facts that documents share, and the shards of the others, mapped."""
    site, problems = read_site(folder)
    if site is None:  # without the base there are no addresses: only the problems can be reported
        return load(folder), []
    files, names = sort_out(folder)
    gathering = Gathering(folder, site, today, memo, workers)
    gathering.read_files(files, names)
    facts, parts = gathering.result()
    facts.problems = tidy([*problems, *files.problems, *facts.problems])
    return facts, parts


class Gathering:
    def __init__(
        self, folder: Path, site: Site, today: str, memo: Memo, workers: Workers | None
    ) -> None:
        self.folder, self.site, self.today = folder, site, today
        self.memo, self.workers = memo, workers

    def each(self, work: Callable[[T], Result], tasks: Iterable[T]) -> Iterator[Result]:
        """What the work makes of each task, by other processes where there is much to do."""
        waiting, some, size = iter(tasks), list[T](), 0
        for task in waiting:
            some.append(task)
            size += task.size
            if self.workers and size >= WORTH:
                return self.workers.each(work, chain(some, waiting))
        return map(work, some)

    def read_files(self, files: Files, names: Mapping[str, str]) -> None:
        """Reads what is shared, and looks at the shards."""
        self.files, self.shards = files, shards.cut(self.folder, names)
        looked = zip(self.shards, self.memo.map(shards.look, self.shards, self.each), strict=True)
        found = {
            name: each
            for shard, those in looked
            for name, each in zip(shard.files, those, strict=True)
        }
        self.keys = {
            name: [(each.kind, key) for key, _, _ in each.entries or ()]
            for name, each in found.items()
        }
        for name, kind in names.items():
            files.take(found.get(name) or read_file(self.folder, name, kind))
        self.world = World(files, self.site)
        self.shared = {kind: self.load_shared(kind) for kind in SHARED}

    def load_shared(self, kind: str, minted: Mapping[str, str] | None = None) -> Loader:
        """The entries of a registry that is not cut into shards."""
        loader = Loader(self.files, self.world, minted)
        loader.registries([kind], {})
        return loader

    def result(self) -> tuple[Facts, list[Mapped]]:
        facts = (loader.facts(self.folder, ()) for loader in self.shared.values())
        parents = {slug: parent for each in facts for slug, parent in each.parents.items()}
        hidden, found = None, private_rows(self.files)
        while (
            hidden != found
        ):  # an entry that is private and wrong is none, which its reading shows
            hidden = found
            ordered = tuple(sorted(hidden))
            known = shards.pack_known(Known(self.site, self.files, parents, ordered, self.today))
            parts = self.map_shards(known)
            self.name_once(known, parts)
            found = {key for part in parts for key in part.hidden} | {
                (each.kind, each.slug)
                for loader in self.shared.values()
                for each in loader.loaded
                if each.is_main and each.is_private
            }
        return self.facts(parts), parts

    def map_shards(self, known: bytes) -> list[Mapped]:
        """All shards: CVs first, for a name that two claim in a work is that of the one whose CV
        lists it.
        """
        cvs = [shard for shard in self.shards if shard.kind == CV]
        works = [shard for shard in self.shards if shard.kind != CV]
        much = sum(shard.size for shard in self.shards) >= WORTH
        progress = self.workers.counting("files mapped") if self.workers and much else silent
        done, total = 0, sum(len(shard.files) for shard in self.shards)
        parts: list[Mapped] = []
        for some in (cvs, works):
            owners = owners_in(parts)
            tasks = (self.task(shard, known, owners) for shard in some)
            results = self.memo.map(shards.map_shard, tasks, self.each)
            for shard, part in zip(some, results, strict=True):
                parts.append(part)
                done += len(shard.files)
                progress(done, total)
        return parts

    def task(
        self, shard: Shard, known: bytes, owners: Owners, minted: Mapping[str, str] | None = None
    ) -> Task:
        keys = (key for name in shard.files for key in self.keys[name])
        listed = {key: owners[key] for key in keys if key in owners and shard.kind != CV}
        return Task(shard, known, listed, minted or {})

    def name_once(self, known: bytes, parts: list[Mapped]) -> None:
        """Two people whom nobody lists may have got one address, by shards that did not know of
        each other: the second is mapped again, and complains.
        """
        owners, minted = owners_in(parts), dict[str, str]()
        for unit in self.units():
            mine = self.shared[unit].names.minted if isinstance(unit, str) else parts[unit].minted
            if any(minted.get(slug, name) != name for slug, name in mine.items()):
                if isinstance(unit, str):
                    self.shared[unit] = self.load_shared(unit, minted)
                    mine = self.shared[unit].names.minted
                else:
                    task = self.task(self.shards[unit], known, owners, minted)
                    (parts[unit],) = self.memo.map(shards.map_shard, [task])
                    mine = parts[unit].minted
            minted = {**mine, **minted}

    def units(self) -> Iterator[int | str]:
        """Shards by their number and shared registries by their kind, in the order in which one
        process reads them.
        """
        for kind in (CV, *REGISTRIES):
            if kind in SHARED:
                yield kind
            else:
                yield from (at for at, shard in enumerate(self.shards) if shard.kind == kind)

    def facts(self, parts: list[Mapped]) -> Facts:
        loader, notes = Loader(self.files, self.world), Notes()
        for unit in self.units():
            if isinstance(unit, str):
                loader.loaded += self.shared[unit].loaded
                loader.problems += self.shared[unit].problems
                notes.add(noted(self.shared[unit].loaded))
            else:
                loader.problems += parts[unit].problems
                notes.add(parts[unit].notes)
        facts = loader.facts(self.folder, loader.problems)
        facts.notes, facts.found = notes, [problem for part in parts for problem in part.broken]
        return facts


def owners_in(parts: Iterable[Mapped]) -> Owners:
    """Which CVs list a work."""
    owners: Owners = {}
    for part in parts:
        for key, slugs in part.owners.items():
            owners[key] = (*owners.get(key, ()), *slugs)
    return owners


def private_rows(files: Files) -> set[Key]:
    """The documents that say that they are private."""
    found = {
        (kind, slug)
        for kind, rows in files.registries.items()
        for slug, row in rows.items()
        if row.get("visibility") == "private"
    }
    basics = ((slug, row.get("basics")) for slug, row in files.cvs.items())
    return found | {
        ("people", slug)
        for slug, row in basics
        if isinstance(row, Row) and row.get("visibility") == "private"
    }
