"""What a gathering saw of a site's files, as far as others may ask for it, and what follows from
that alone.

Whoever gathers again and again, and sees the same, need not work that out once more: it moves with
few edits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kg.facts.files import Files, Found
from kg.facts.load import Loader, World
from kg.facts.notes import Key, Notes, noted
from kg.graph.parallel import shards
from kg.graph.parallel.shards import Known, Shard
from kg.settings import Site


@dataclass
class Looked:
    """`found` is what stands in each file, of the shards' files only what others ask for. `shared`
    are the registries that are not cut.
    """

    site: Site
    cuts: Sequence[Shard]
    found: Mapping[str, Found]
    files: Files
    world: World
    shared: dict[str, Loader] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Notes] = field(default_factory=dict)
    packed: tuple[tuple[Key, ...], str, bytes] | None = None

    def is_same(
        self, site: Site, cuts: Sequence[Shard], found: Mapping[str, Found], files: Files
    ) -> bool:
        """Whether others see the same in these files. Places are not asked for, but by who loads a
        file that is not cut.
        """
        cut = {name for shard in cuts for name in shard.files}
        return (
            (self.site, self.cuts, self.files.turtle) == (site, cuts, files.turtle)
            and list(self.found) == list(found)
            and all(
                each is (old := self.found[name]) or (name in cut and told(each) == told(old))
                for name, each in found.items()
            )
        )

    def known(self, hidden: set[Key], today: str) -> bytes:
        """What every shard must know."""
        told = tuple(sorted(hidden))  # in order, so that the same is packed alike everywhere
        if self.packed is None or self.packed[:2] != (told, today):
            self.packed = (
                told,
                today,
                shards.pack(Known(self.site, self.files, self.parents, told, today)),
            )
        return self.packed[2]

    def notes_on(self, kind: str, loader: Loader) -> Notes:
        """The notes on a registry, which may have been loaded again since."""
        if loader is not self.shared.get(kind):
            return noted(loader.loaded)
        if kind not in self.notes:
            self.notes[kind] = noted(loader.loaded)
        return self.notes[kind]


def told(found: Found) -> tuple[object, ...]:
    entries = None if found.entries is None else [(key, row) for key, row, _ in found.entries]
    return found.kind, found.key, entries
