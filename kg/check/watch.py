"""Watching a site: it is checked as it is, and again whenever its files have changed; or only when
that is requested.

The files are polled, which works on every system and every kind of disk. A state that is still
being written is not reported: two polls in a row must have seen the same before it is read, and a
third after.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from kg.check.check import Checked, check, check_cached
from kg.check.reloads import Reloads
from kg.check.verdict import load_verdict, save_verdict
from kg.errors import KgError
from kg.files.disk import Stamp, stamp_of, walk
from kg.graph.parallel.run import Run
from kg.settings import FOLDERS

# seconds from one poll to the next, or more where there are so many files that a poll takes long
PERIOD = 0.2
REST = 0.05  # and where something has just changed
Seen = Checked | KgError | OSError
State = TypeVar("State")
Read = TypeVar("Read")


def checks(
    folder: Path,
    run: Run,
    clock: Callable[[], str],
    reloads: Reloads,
    watched: bool = True,
) -> Generator[Seen, None, None]:
    """The check of a site as it is, and after each save; also when the clock has a new day, or when
    it is requested. Each is judged from the verdict before, at first the cached one; the last is
    cached in the end. Where the site is not `watched`, there is a check for requests only, and
    nothing stays in memory from one to the next.

    What makes a state impossible to judge, such as shapes that do not parse, is given in its place,
    and watching goes on.
    """
    before = load_verdict(run.cache) if watched else None

    def poll() -> tuple[str, dict[str, Stamp]]:
        return clock(), files(folder)

    def checked(state: tuple[str, dict[str, Stamp]]) -> Seen:
        try:
            now = replace(run, today=state[0])
            return check(folder, now, before) if watched else check_cached(folder, now)
        except (KgError, OSError) as error:
            return error.with_traceback(None)

    try:
        for found in changes(poll, checked, reloads, watched):
            if watched and isinstance(found, Checked):
                before = found.verdict or before
            yield found
            del found  # or it would stay until there is another
            collect()
    finally:
        if before:
            save_verdict(run.cache, before)


def changes(
    poll: Callable[[], State], read: Callable[[State], Read], reloads: Reloads, watched: bool = True
) -> Iterator[Read]:
    """What `read` makes of a state: first of the one that is there, then of each that has changed,
    or for which a reload was requested, and that has come to rest; until reloads end. Where nothing
    is watched, of those that were requested.
    """
    reported: State | None = None
    seen, at_rest, took, wanted = poll(), True, 0.0, False
    while not reloads.is_ended:
        if at_rest and (wanted or (watched and seen != reported)):
            found = read(seen)
            if poll() == seen:  # otherwise it was written to meanwhile, and is read again
                reported, wanted = seen, False
                yield found
                del found
        if wanted or (watched and seen != reported):
            wanted = reloads.wait(REST) or wanted
        else:
            wanted = reloads.wait(max(PERIOD, 10 * took) if watched else None)
        began = time.monotonic()
        before, seen = seen, poll()
        at_rest, took = seen == before, time.monotonic() - began


def files(folder: Path) -> dict[str, Stamp]:
    """Every file a site is made of, and what is there instead of one. What is hidden is left
    out.
    """
    tops = [(folder / name, walk(folder / name, sys.maxsize)) for name in FOLDERS]
    return {
        f"{top}/{path}": stamp_of(top / path)
        for top, found in tops
        for path in (*found.files, *found.faults)
    }


def collect() -> None:
    """Frees what a state left behind, when it has been reported. Building hides its objects from
    the garbage collector, and here they do not live long.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
