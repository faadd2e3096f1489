"""Work for other processes, who find it by its name here."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from kg.errors import KgError


def double(number: int) -> int:
    return 2 * number


def double_or_die(task: tuple[int, Path]) -> int:
    """Kills its own process, once for each file that is there to be deleted."""
    number, life = task
    if number == 3 and life.exists():
        life.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise KgError(f"{number} cannot be done")


def wait(folder: Path) -> None:
    """Tells who does it, and takes long."""
    (folder / str(os.getpid())).touch()
    time.sleep(60)
