"""Waits for connections, requests and answers, and does what is to be done. (waitress's own loop registers all of them anew each time.)"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Any

from waitress import wasyncore

if TYPE_CHECKING:
    from kg.web.lane import Lane

IN, OUT = select.POLLIN | select.POLLPRI, select.POLLOUT
LONGEST, SHORT = 1000, 20  # milliseconds; the second while an answer is awaited that may have to be handed over


def loop(sockets: dict[int, Any], lane: Lane) -> None:
    """Until it is interrupted."""
    poll = select.poll()
    known: dict[int, int] = {}  # descriptor -> what is waited for
    while True:
        wanted = dict.fromkeys(lane.pending, IN)
        for fd, each in list(sockets.items()):
            if flags := (IN if each.readable() else 0) | (OUT if each.writable() and not each.accepting else 0):
                wanted[fd] = flags
        if wanted != known:
            for fd in known.keys() - wanted.keys():
                poll.unregister(fd)
            for fd, flags in wanted.items() - known.items():
                poll.register(fd, flags)
            known = wanted
        for fd, flags in poll.poll(SHORT if lane.pending else LONGEST):
            if fd in lane.pending:
                lane.hears(fd)
            elif (each := sockets.get(fd)) is not None:
                wasyncore.readwrite(each, flags)
        lane.looks_around()
