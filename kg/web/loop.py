"""Waits for connections, requests and answers, and does what is to be done. (waitress's own loop
registers all of them anew each time.)
"""

from __future__ import annotations

from typing import Any

from waitress import wasyncore

from kg.web.lane import IN, OUT, Lane

LONGEST = 1000  # milliseconds


def loop(sockets: dict[int, Any], lane: Lane) -> None:
    """Until it is interrupted. (The lane itself says which answers it awaits.)"""
    poll, known = lane.poll, dict[int, int]()  # descriptor -> what is waited for
    while True:
        for fd, each in list(sockets.items()):
            flags = (IN if each.readable() else 0) | (
                OUT if each.writable() and not each.accepting else 0
            )
            if flags and flags != known.get(fd):
                poll.register(fd, flags)
                known[fd] = flags
            elif not flags and fd in known:
                poll.unregister(fd)
                del known[fd]
        if not known.keys() <= sockets.keys():
            for fd in known.keys() - sockets.keys():
                poll.unregister(fd)
                del known[fd]
        for fd, flags in poll.poll(min(LONGEST, lane.patience())):
            if fd in lane.pending:
                lane.hears(fd)
            elif (each := sockets.get(fd)) is not None:
                wasyncore.readwrite(each, flags)
        lane.looks_around()
