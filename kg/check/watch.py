"""Watching a site: what it is made of, when that has changed, and what there is to say of it then.

Files are looked at from time to time, which works on every system and every kind of disk. Nothing
is said of a state that is still being written: two looks in a row must have seen the same before it
is read, and a third after.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Event
from typing import TypeVar

from kg.check.check import Checked, check
from kg.check.verdict import Verdict
from kg.errors import KgError
from kg.graph.memo import Memo, Stamp
from kg.graph.parallel.executor import Crew

FOLDERS = ("data", "shapes", "queries", "templates", "static")
# seconds from one look to the next, or more where there are so many files that a look takes long
PERIOD = 0.2
REST = 0.05  # and where something has just changed
EVERY = 8  # states, after which the collector looks for what they have left
COARSEST = 3 * 10**9  # nanoseconds; some disks only tell two seconds apart
Seen = Checked | KgError | OSError
State = TypeVar("State")
Read = TypeVar("Read")


def files(folder: Path) -> dict[str, Stamp]:
    """Every file a site is made of: when it was last written, in nanoseconds, and how long it is.
    What is hidden is left out.
    """
    found: dict[str, Stamp] = {}
    waiting = [f"{folder}/{name}" for name in FOLDERS]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                    continue
                with suppress(
                    OSError
                ):  # it vanished since the folder was opened, or is a link that leads nowhere
                    status = entry.stat()
                    found[entry.path] = status.st_mtime_ns, status.st_size
    return found


def settled(found: dict[str, Stamp], now: int) -> dict[str, Stamp]:
    """The files that were last written so long ago that whoever writes to them now gives them
    another stamp, on any kind of disk.
    """
    return {path: stamp for path, stamp in found.items() if stamp[0] < now - COARSEST}


def changes(
    look: Callable[[], State], read: Callable[[State], Read], stop: Event
) -> Iterator[Read]:
    """What is read of what is there: first as it is, then each time it has changed and come to
    rest, until `stop` is set.
    """
    told: State | None = None
    seen, at_rest, took = look(), True, 0.0
    while not stop.is_set():
        if at_rest and seen != told:
            found = read(seen)
            if look() == seen:  # otherwise it was written to while it was read, and is read again
                told = seen
                yield found
                del found
        stop.wait(max(PERIOD, 10 * took) if seen == told else REST)
        began = time.monotonic()
        before, seen = seen, look()
        at_rest, took = seen == before, time.monotonic() - began


def checks(
    folder: Path,
    today: Callable[[], str],
    stop: Event,
    before: Verdict | None = None,
    previous: Path | None = None,
    crew: Crew | None = None,
    in_place: bool = False,
) -> Iterator[Seen]:
    """What is to be said of a site: as it is, and after each save; also when a new day has come.
    Each is judged from the last.

    `in_place`: who asks for the next state has let the last one go, so that its store may become
    that of the next, which is sooner done. What keeps a state from being judged, such as shapes
    that do not parse, is given in its place, and watching goes on.
    """

    memo = Memo(in_place)

    def look() -> tuple[str, dict[str, Stamp]]:
        return today(), files(folder)

    def judged(state: tuple[str, dict[str, Stamp]]) -> Seen:
        memo.see(settled(state[1], time.time_ns()))
        try:
            return check(folder, state[0], before, previous=previous, crew=crew, memo=memo)
        except (KgError, OSError) as error:
            return error.with_traceback(None)

    numbers = count()  # enumerate() would hold on to a state until there is another
    for found in changes(look, judged, stop):
        if isinstance(found, Checked):
            before = found.verdict or before
        yield found
        del found
        if next(numbers) % EVERY == 0:
            let_go()
    let_go()


def let_go() -> None:
    """Frees what earlier states left behind. Building tells the collector to overlook what it made,
    which here is not kept for long. Nearly all of it goes by itself, and the collector takes long,
    so it is called now and then.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
