"""Maps a large site in shards of a few files: in this process, in others, or on machines that see
the same folder. A small site is loaded as a whole.

    files --scan--> what others need of each entry --map_shard--> lines, problems, mentions

A shard is a list of CV files or of files of works, which can be mapped independently. Everything
they share (people without a CV, organisations, venues …) is loaded and mapped when the parts are
merged. Only what other shards need stays in memory.
"""

from __future__ import annotations

import datetime
import hashlib
import pickle
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from kg.errors import Place, Problem, tidy
from kg.facts.bibliography.bibliographies import put_in_keys
from kg.facts.bibliography.placement import CV
from kg.facts.files import REFERRED, Files, Found, lightened, read_file, sort_out
from kg.facts.load import FactLoader, Facts, Owners, SiteIndex, gc_paused, load
from kg.facts.loaded import Key
from kg.facts.models import REGISTRIES
from kg.facts.models.people import Cv
from kg.facts.notes import Notes, notes_of
from kg.facts.privacy import ROOTS, profiles_of, public_facts
from kg.facts.site_file import read_site
from kg.facts.values.naming import InlineEntities
from kg.facts.yaml.cv_works import rename_works
from kg.facts.yaml.rows import Row
from kg.files.disk import read_bytes
from kg.graph.parallel.executor import Workers, silent
from kg.graph.parallel.run import Run
from kg.graph.sorted_lines import Packed, pack
from kg.mapping.iris import document_of
from kg.mapping.origins import Origin
from kg.mapping.walk import PartWalker
from kg.settings import Site

SHARD_SIZE = 1 << 17  # approximate bytes of files in a shard
MIN_SHARDED_SIZE = (
    1 << 22
)  # bytes of files; smaller sites are not sharded, cached or sent to workers
SHARED = [kind for kind in REGISTRIES if kind not in ROOTS]


# The problems of facts, file by file; the date is for rules about the present.
Rules = Callable[[Facts, datetime.date | None], list[Problem]]


class Shard(NamedTuple):
    """Some files of one kind."""

    folder: Path
    kind: str
    files: tuple[str, ...]

    def inputs(self) -> bytes:
        return canonical_bytes((self, [read_bytes(self.folder / name) for name in self.files]))

    @property
    def size(self) -> int:
        return sum((self.folder / name).stat().st_size for name in self.files)


@dataclass(frozen=True)
class SharedContext:
    """What every shard needs to know about the whole site."""

    site: Site
    files: Files
    inline: InlineEntities
    parents: dict[str, str]
    today: str
    rules: Rules


class Task(NamedTuple):
    """A shard to map. `known` is the SharedContext, packed once for all; `owners` are those of its
    works.
    """

    shard: Shard
    known: bytes
    owners: Owners

    def inputs(self) -> bytes:
        owners = sorted(self.owners.items())
        return canonical_bytes((digest(self.known), owners)) + self.shard.inputs()

    @property
    def size(self) -> int:
        return self.shard.size


@dataclass
class Mapped:
    """The result of a shard: its lines of facts and sources, its problems, and what other documents
    need. `problems` are those of its entries, `broken` those found by rules.
    """

    lines: Packed
    sources: Packed
    problems: list[Problem]
    broken: list[Problem]
    clashes: list[Problem]
    notes: Notes
    referred: list[Key]
    mentioned: bytes  # each mention and its origin, in the order of the files
    profiles: dict[str, Cv]
    documents: set[str]
    origins: bytes  # origins of the nodes of these documents


T = TypeVar("T", Shard, Task)
Result = TypeVar("Result")


@gc_paused()
def gather(
    folder: Path, run: Run, rules: Rules, workers: Workers | None = None
) -> tuple[Facts, list[Mapped]]:
    """The shared facts, and the mapped shards of all others. For a small site, all facts and no
    shards.
    """

    def each(work: Callable[[T], Result], tasks: Iterable[T]) -> Iterator[Result]:
        """The result of each task, in other processes if there is enough work."""
        some = list(tasks)
        much = sum(task.size for task in some) >= MIN_SHARDED_SIZE
        return workers.each(work, some) if workers and much else map(work, some)

    site, problems = read_site(folder)
    files, names = sort_out(folder)
    shards = cut(folder, names)
    # Without a base IRI there are no addresses, so only problems can be reported.
    if site is None or sum(shard.size for shard in shards) < MIN_SHARDED_SIZE:
        return load(folder), []
    found: dict[str, Found] = {}
    for shard, some in zip(shards, run.cache.map(scan, shards, each), strict=True):
        found.update(zip(shard.files, some, strict=True))
    for name, kind in names.items():
        files.take(found.get(name) or read_file(folder, name, kind).with_namings())
    files.settle_works()
    files.list_bibliographies()
    index = SiteIndex(files, site)
    loader = FactLoader(files, index)
    loader.load(SHARED, {})
    loader.load_in_place()
    facts = loader.facts(folder, ())
    known = pack_known(SharedContext(site, files, index.inline, facts.parents, run.today, rules))
    owners = owners_in(index)
    tasks = [
        Task(shard, known, dict(chain.from_iterable(owners[name].items() for name in shard.files)))
        for shard in shards
    ]
    progress = workers.counting("files mapped") if workers else silent
    done, parts = 0, list[Mapped]()
    for shard, part in zip(shards, run.cache.map(map_shard, tasks, each), strict=True):
        parts.append(part)
        done += len(shard.files)
        progress(done, len(found))
    problems += files.problems + loader.problems
    problems += index.gathered.problems
    facts.problems = tidy([*problems, *(problem for part in parts for problem in part.problems)])
    facts.found = [problem for part in parts for problem in part.broken]
    facts.notes = Notes()
    for part in parts:
        facts.notes.add(part.notes)
    facts.notes.add(notes_of(facts.loaded))
    return facts, parts


def owners_in(index: SiteIndex) -> dict[str, dict[Key, tuple[str, ...]]]:
    """The CVs that list the works of each file."""
    found: dict[str, dict[Key, tuple[str, ...]]] = defaultdict(dict)
    for (kind, slug), owners in index.owners().items():
        if row := index.files.registries[kind].get(slug):
            found[row.file][kind, slug] = owners
    return found


def cut(folder: Path, names: Mapping[str, str]) -> list[Shard]:
    """The shards of a site, in the order in which one process would read them: CVs, then works."""
    sizes = {
        name: (folder / name).stat().st_size for name, kind in names.items() if kind in (CV, *ROOTS)
    }
    kinds = ((kind, [name for name in sizes if names[name] == kind]) for kind in (CV, *ROOTS))
    return [
        Shard(folder, kind, files)
        for kind, those in kinds
        for files in groups(those, sizes, SHARD_SIZE)
    ]


def groups(names: list[str], sizes: Mapping[str, int], size: int) -> Iterator[tuple[str, ...]]:
    """Groups of files of about this size. Only the names of the files decide where a group ends, so
    that an edit moves no file to another group and cached results of the others stay valid.
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


def scan(shard: Shard) -> list[Found]:
    """What other entries need to know about the entries of a shard."""
    return [read_file(shard.folder, name, shard.kind).light for name in shard.files]


def pack_known(known: SharedContext) -> bytes:
    """The shared context, packed. Places are left out, because every edit changes them."""
    files = known.files
    registries = {
        kind: {slug: without_places(row) for slug, row in rows.items()}
        for kind, rows in files.registries.items()
    }
    registries["people"] = {
        slug: without_places(lightened(row, *REFERRED))
        for slug, row in files.registries["people"].items()
    }
    cvs = {slug: without_places(lightened(row, "basics")) for slug, row in files.cvs.items()}
    light = Files(cvs, registries, files.turtle, files.unreadable, files.unread)
    light.bibliographies, light.closed = files.bibliographies, files.closed
    light.renamed, light.contested = files.renamed, files.contested
    rows = {
        kind: {slug: without_places(row) for slug, row in rows.items()}
        for kind, rows in known.inline.rows.items()
    }
    inline = replace(known.inline, rows=rows)
    return zlib.compress(canonical_bytes(replace(known, files=light, inline=inline)), 1)


def canonical_bytes(value: object) -> bytes:
    """The same bytes for equal values, even if they are different objects."""
    found = BytesIO()
    pickler = pickle.Pickler(found)
    pickler.fast = True
    pickler.dump(value)
    return found.getvalue()


def pickled(value: object) -> bytes:
    """A compressed value, to be kept in memory or sent to another process."""
    return zlib.compress(pickle.dumps(value), 1)


def unpickled(value: bytes) -> Any:
    return pickle.loads(zlib.decompress(value))  # noqa: S301 (from our own processes)


def without_places(value: Any) -> Any:
    """A row without places."""
    if isinstance(value, Row):
        row = Row(value.file)
        row.update((key, without_places(item)) for key, item in value.items())
        return row
    return [without_places(item) for item in value] if isinstance(value, list) else value


@lru_cache(maxsize=1)
def digest(known: bytes) -> bytes:
    return hashlib.blake2b(known, digest_size=16).digest()


@lru_cache(maxsize=1)
def index_of(known: bytes) -> tuple[SharedContext, SiteIndex]:
    found: SharedContext = unpickled(known)
    return found, SiteIndex(found.files, found.site, found.inline)


@gc_paused()
def map_shard(task: Task) -> Mapped:
    shard, (known, index) = task.shard, index_of(task.known)
    loader = FactLoader(entries_of(shard, known.files), index)
    kinds = [CV, "publications"] if shard.kind == CV else [shard.kind]  # CVs contain works
    loader.load(kinds, task.owners)
    facts = loader.facts(shard.folder, loader.problems)
    facts.parents = known.parents
    broken = known.rules(facts, datetime.date.fromisoformat(known.today) if known.today else None)
    public = public_facts(facts)
    walker = PartWalker(known.site.base, facts.private)
    walker.walk(public)
    return Mapped(
        pack(walker.lines),
        pack(walker.sources),
        loader.problems,
        broken,
        walker.problems,
        notes_of(facts.loaded),
        list(walker.referred),
        pickled(walker.mentioned),
        profiles_of(public),
        {document_of(iri) for iri in walker.origins},
        pickled(walker.origins),
    )


def entries_of(shard: Shard, known: Files) -> Files:
    """The entries of a shard, without duplicates of keys in earlier files, which are already
    reported.
    """
    own, entries = Files(), known.of(shard.kind)
    for name in shard.files:
        found = read_file(shard.folder, name, shard.kind)
        renamed = known.renamed.get(name, {})
        own.take(
            found._replace(
                entries=first_in(name, with_keys(found.entries or (), renamed), entries),
                works=first_in(
                    name, with_keys(found.works, renamed), known.registries["publications"]
                ),
            )
        )
    own.settle_works()
    for cv in own.cvs.values():
        rename_works(cv, known.renamed.get(cv.file, {}))
    # problems here are already reported
    put_in_keys(own.cvs.values(), known.bibliographies, known.renamed)
    own.closed = known.closed
    own.close_bibliographies()
    return own


def with_keys(
    found: Iterable[tuple[str, Any, Place]], renamed: Mapping[str, str]
) -> list[tuple[str, Any, Place]]:
    """The entries of a file; `renamed` ones with their new keys."""
    return [
        (renamed.get(row.path, key) if isinstance(row, Row) else key, row, place)
        for key, row, place in found
    ]


def first_in(
    name: str, found: Iterable[tuple[str, Any, Place]], known: Mapping[str, Row]
) -> list[tuple[str, Any, Place]]:
    """The entries whose keys are not in an earlier file."""
    return [each for each in found if (row := known.get(each[0])) is not None and row.file == name]


class Origins(MutableMapping[str, list[Origin]]):
    """The origins of nodes in the files; those of a shard are unpacked on access."""

    def __init__(self, parts: Sequence[Mapped]) -> None:
        self.own: dict[str, list[Origin]] = {}
        self.packed = {document: part.origins for part in parts for document in part.documents}
        self.unpacked = lru_cache(maxsize=8)(unpickled)

    def __getitem__(self, iri: str) -> list[Origin]:
        if iri in self.own:
            return self.own[iri]
        found: list[Origin] = self.unpacked(self.packed[document_of(iri)])[iri]
        return found

    def __setitem__(self, iri: str, found: list[Origin]) -> None:
        self.own[iri] = found

    def __delitem__(self, iri: str) -> None:
        del self.own[iri]

    def __iter__(self) -> Iterator[str]:
        parts = map(unpickled, dict.fromkeys(self.packed.values()))
        return iter(dict.fromkeys(chain(self.own, *parts)))

    def __len__(self) -> int:
        return sum(1 for _ in self)
