"""Two folders change places."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

OLD = "-old"
AT_FDCWD, RENAME_EXCHANGE = -100, 2


def replace(new: Path, old: Path) -> None:
    """Puts the new folder where the old one is; afterwards `new` holds the old one, if there was
    one.
    """
    if not old.exists():
        new.rename(old)
        return
    if not exchange(new, old):
        aside = new.with_name(new.name + OLD)
        old.rename(aside)
        try:
            new.rename(old)
        except OSError:
            aside.rename(old)
            raise
        aside.rename(new)


def exchange(one: Path, other: Path) -> bool:
    """Swaps two folders in one step, where the system can (Linux)."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return (
        rename is not None
        and rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0
    )
