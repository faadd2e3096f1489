"""How much of the machine's memory a graph may take, and who is told where one takes more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kg.sparql.disk import WEIGHT, is_larger
from kg.sparql.workers.limits import SHARE
from kg.store.memory import Memory
from kg.store.passing import Passing


@dataclass(frozen=True)
class Room:
    share: float = SHARE
    tell: Callable[[str], None] = lambda _: None

    def memory(self, base: str, size: int, folder: Path) -> Memory:
        """A store for a graph of so many bytes of lines: on disk, in this folder, where it is
        larger than its share of memory.
        """
        if not is_larger(size, self.share):
            return Memory(base)
        self.tell(told(size, self.share))
        return Passing(base, folder)


def told(size: int, share: float) -> str:
    much = f"{size * WEIGHT / 1e9:.1f} GB of memory, more than {share:.0%} of this machine's"
    return (
        f"The graph would take {much}: it lives on disk, where questions take some three to five "
        "times as long (--share)."
    )
