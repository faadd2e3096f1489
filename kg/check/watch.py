"""Watches a site: checks it once, and again after every change or on request.

Files are polled, which works on every system and every kind of disk. A state is reported only if it
is complete: two polls before reading and one after must agree.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from kg.check.check import Checked, check
from kg.check.reloads import Reloads
from kg.errors import KgError
from kg.files.disk import Stamp, stamp_of, walk
from kg.graph.parallel.run import Run
from kg.settings import FOLDERS

# Seconds between two polls; longer if there are so many files that a poll is slow.
POLL_INTERVAL = 0.2
SETTLE_INTERVAL = 0.05  # seconds after a change
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
    """Checks a site at once, after each save, on a new day of the clock and on request.

    If the site is not `watched`, it is checked on request only.

    An exception that prevents a check, such as shapes that do not parse, is yielded instead of a
    result, and watching continues.
    """

    def poll() -> tuple[str, dict[str, Stamp]]:
        return clock(), files(folder)

    def checked(state: tuple[str, dict[str, Stamp]]) -> Seen:
        try:
            return check(folder, replace(run, today=state[0]))
        except (KgError, OSError) as error:
            return error.with_traceback(None)

    for found in changes(poll, checked, reloads, watched):
        yield found
        del found  # otherwise it would stay in memory until the next result
        gc.collect()


def changes(
    poll: Callable[[], State], read: Callable[[State], Read], reloads: Reloads, watched: bool = True
) -> Iterator[Read]:
    """Yields `read(state)` for the current state, then for each state that has changed or was
    requested and is complete, until reloads end. If not `watched`, only for requests.
    """
    reported: State | None = None
    seen, at_rest, took, wanted = poll(), True, 0.0, False
    while not reloads.is_ended:
        if at_rest and (wanted or (watched and seen != reported)):
            found = read(seen)
            if poll() == seen:  # otherwise a file changed meanwhile: read again
                reported, wanted = seen, False
                yield found
                del found
        if wanted or (watched and seen != reported):
            wanted = reloads.wait(SETTLE_INTERVAL) or wanted
        else:
            wanted = reloads.wait(max(POLL_INTERVAL, 10 * took) if watched else None)
        began = time.monotonic()
        before, seen = seen, poll()
        at_rest, took = seen == before, time.monotonic() - began


def files(folder: Path) -> dict[str, Stamp]:
    """Every file of a site with its stamp, and anything that is in the place of a file. Hidden
    files are left out.
    """
    tops = [(folder / name, walk(folder / name, sys.maxsize)) for name in FOLDERS]
    return {
        f"{top}/{path}": stamp_of(top / path)
        for top, found in tops
        for path in (*found.files, *found.faults)
    }
