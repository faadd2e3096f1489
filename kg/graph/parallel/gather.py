"""The facts of a site: loaded by one process, or gathered from shards that several have mapped.

Both ways give the same lines and the same problems. One process keeps all facts; of a shard only
that is kept which others need. What hangs together across files comes after: who was invented
twice, what is private, which CVs list a work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from kg.errors import tidy
from kg.facts.files import CV, Files, Found, read_site, sort_out
from kg.facts.garbage import quiet
from kg.facts.load import Facts, Loader, World, load
from kg.facts.models import REGISTRIES
from kg.facts.notes import Key, Notes
from kg.facts.reading.rows import Row
from kg.graph.looked import Looked
from kg.graph.memo import Memo
from kg.graph.parallel import shards
from kg.graph.parallel.executor import Workers
from kg.graph.parallel.shards import Mapped, Shard, Task
from kg.graph.public import ROOTS
from kg.memo import kept
from kg.settings import Site

SHARED = [kind for kind in REGISTRIES if kind not in ROOTS]


@quiet()
def gather(
    folder: Path, today: str = "", workers: Workers | Memo | None = None
) -> tuple[Facts, list[Mapped]]:
    """The facts of a site, and the parts of it that were mapped apart: none where one process is
    soon done.
    """
    site, problems = read_site(folder) if workers else (None, [])
    files, names = sort_out(folder) if site else (Files(), {})
    cuts = shards.cut(folder, names, isinstance(workers, Memo))
    if workers is None or site is None or not cuts:
        return load(folder), []
    gathering = Gathering(folder, site, today, workers)
    gathering.look(files, names, cuts)
    facts, parts = gathering.gathered()
    facts.problems = tidy([*problems, *files.problems, *facts.problems])
    return facts, parts


class Gathering:
    """One gathering of a site from its shards."""

    def __init__(self, folder: Path, site: Site, today: str, workers: Workers | Memo) -> None:
        self.folder, self.site, self.today, self.workers = folder, site, today, workers
        self.memo = workers if isinstance(workers, Memo) else None
        self.work = kept(shards.mapped, folder)

    def look(self, files: Files, names: Mapping[str, str], cuts: list[Shard]) -> None:
        """Reads what is shared, and has the shards tell what others may ask of them."""
        looked = zip(cuts, self.workers.each(shards.look, cuts), strict=True)
        seen = {
            name: each
            for shard, those in looked
            for name, each in zip(shard.files, those, strict=True)
        }
        rest = [
            Shard(self.folder, kind, (name,)) for name, kind in names.items() if name not in seen
        ]
        whole = self.memo.each(shards.read, rest) if self.memo else map(shards.read, rest)
        shared = {shard.files[0]: each for shard, (each,) in zip(rest, whole, strict=True)}
        found = {name: seen[name] if name in seen else shared[name] for name in names}
        for each in found.values():
            files.take(each)
        self.files, self.cuts = files, cuts
        self.keys = {
            name: [(each.kind, key) for key, _, _ in each.entries or ()]
            for name, each in seen.items()
        }
        last = self.memo.looked if self.memo else None
        self.looked = (
            last if last and last.is_same(self.site, cuts, found, files) else self.anew(found)
        )
        if self.memo:
            self.memo.looked = self.looked

    def anew(self, found: Mapping[str, Found]) -> Looked:
        """What follows from what is found in the files."""
        self.looked = Looked(self.site, self.cuts, found, self.files, World(self.files, self.site))
        self.looked.shared = {kind: self.shared(kind) for kind in SHARED}
        parents = (loader.facts(self.folder, ()).parents for loader in self.looked.shared.values())
        self.looked.parents = {slug: parent for each in parents for slug, parent in each.items()}
        return self.looked

    def gathered(self) -> tuple[Facts, list[Mapped]]:
        shared = dict(self.looked.shared)
        hidden, real = None, private_rows(self.files)
        while (
            hidden != real
        ):  # an entry that is private and wrong is not there at all, which only its reading tells
            hidden = real
            known = self.looked.known(hidden, self.today)
            parts = self.mapped(known)
            self.name_once(known, parts, shared)
            mains = (
                each
                for loader in shared.values()
                for each in loader.loaded
                if each.is_main and each.is_private
            )
            real = {key for part in parts for key in part.hidden} | {
                (each.kind, each.slug) for each in mains
            }
        return self.facts(parts, shared), parts

    def shared(self, kind: str, minted: Mapping[str, str] | None = None) -> Loader:
        """The entries of a registry that is not cut."""
        loader = Loader(self.files, self.looked.world, minted)
        loader.registries([kind], {})
        return loader

    def mapped(self, known: bytes) -> list[Mapped]:
        """All shards: CVs first, for a name that two claim in a work is that of the one whose CV
        lists it.
        """
        cvs, works = (
            [shard for shard in self.cuts if (shard.kind == CV) is wanted]
            for wanted in (True, False)
        )
        parts: list[Mapped] = []
        owners: dict[Key, tuple[str, ...]] = {}
        done, total, progress = (
            0,
            sum(len(shard.files) for shard in self.cuts),
            self.workers.counting("files mapped"),
        )
        for some in (cvs, works):
            tasks = (self.task(shard, known, owners) for shard in some)
            for shard, part in zip(some, self.workers.each(self.work, tasks), strict=True):
                parts.append(part)
                done += len(shard.files)
                progress(done, total)
                for key, slugs in part.owners.items():
                    owners[key] = (*owners.get(key, ()), *slugs)
        return parts

    def task(
        self,
        shard: Shard,
        known: bytes,
        owners: Mapping[Key, tuple[str, ...]],
        minted: Mapping[str, str] | None = None,
    ) -> Task:
        its = (
            {key: owners[key] for name in shard.files for key in self.keys[name] if key in owners}
            if shard.kind != CV
            else {}
        )
        return Task(shard, known, its, minted or {})

    def name_once(self, known: bytes, parts: list[Mapped], shared: dict[str, Loader]) -> None:
        """Two people whom nobody lists may have got one address, by shards that did not know of
        each other: the second is told.
        """
        owners: dict[Key, tuple[str, ...]] = {}
        for part in parts:
            for key, slugs in part.owners.items():
                owners[key] = (*owners.get(key, ()), *slugs)
        minted: dict[str, str] = {}
        for unit in self.units():
            mine = shared[unit].names.minted if isinstance(unit, str) else parts[unit].minted
            if any(minted.get(slug, name) != name for slug, name in mine.items()):
                if isinstance(unit, str):
                    shared[unit] = self.shared(unit, minted)
                    mine = shared[unit].names.minted
                else:
                    (parts[unit],) = self.workers.each(
                        self.work, [self.task(self.cuts[unit], known, owners, minted)]
                    )
                    mine = parts[unit].minted
            minted = {**mine, **minted}

    def units(self) -> Iterator[int | str]:
        """Shards by their number and shared registries by their kind, in the order in which one
        process reads them.
        """
        for kind in (CV, *REGISTRIES):
            yield from (
                [kind]
                if kind in SHARED
                else [number for number, shard in enumerate(self.cuts) if shard.kind == kind]
            )

    def facts(self, parts: list[Mapped], shared: Mapping[str, Loader]) -> Facts:
        loader = Loader(self.files, self.looked.world)
        notes = Notes()
        for unit in self.units():
            if isinstance(unit, str):
                loader.loaded += shared[unit].loaded
                loader.problems += shared[unit].problems
                notes.add(self.looked.notes_on(unit, shared[unit]))
            else:
                loader.problems += parts[unit].problems
                notes.add(parts[unit].notes)
        facts = loader.facts(self.folder, loader.problems)
        facts.notes, facts.told = notes, [problem for part in parts for problem in part.told]
        return facts


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
