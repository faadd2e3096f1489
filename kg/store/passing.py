"""A graph on disk, for building and for pages, where memory is too small: it is asked as one in
memory is, and gone in the end.

FOLDER/.kg-store-x3f9…/    held as long as it is used, so that what a killed program left can be
told, and is cleared away
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from pyoxigraph import RdfFormat, Store

from kg.errors import KgError
from kg.sparql.disk import AT_ONCE, clear, held
from kg.store.filed import is_usable
from kg.store.memory import Memory

PREFIX = ".kg-store-"


class Passing(Memory):
    def __init__(self, base: str, folder: Path) -> None:
        """In this folder, or in the one for passing things where this cannot be written."""
        place = folder if is_usable(folder) else Path(tempfile.gettempdir())
        clear(place, PREFIX)
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        self.end = weakref.finalize(self, remove, self.folder, held(self.folder), os.getpid())
        self.left: Store | None = None  # in a process that was forked: its parent's
        super().__init__(base, store=Store(self.folder / "store"))
        os.register_at_fork(after_in_child=partial(reopen, weakref.ref(self)))

    def load_all(self, texts: Iterable[bytes]) -> None:
        try:
            waiting: list[bytes] = []
            for text in texts:
                waiting.append(text)
                if sum(map(len, waiting)) >= AT_ONCE:
                    self.add(waiting)
            self.add(waiting)
            self.store.optimize()
            self.store.flush()
        except OSError as error:
            raise KgError(
                f"The graph cannot be written into {self.folder.parent} ({error}). Make room "
                "on the disk."
            ) from error
        self.forget()

    def add(self, texts: list[bytes]) -> None:
        if texts:
            self.store.bulk_load(b"".join(texts), RdfFormat.N_QUADS, lenient=True)
            texts.clear()


def remove(folder: Path, handle: int, owner: int) -> None:
    if os.getpid() == owner:  # a process that was forked has a copy of all this
        os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


def reopen(known: weakref.ref[Passing]) -> None:
    """In a process that was forked: the store's own threads are not there, so it is opened anew.
    The old one is left as it is.
    """
    if memory := known():
        memory.left = memory.store
        memory.store = Store.read_only(str(memory.folder / "store"))
        memory.forget()
