"""Requests to read files again, and the end of reading: the thread that reads waits here."""

from __future__ import annotations

from threading import Condition


class Reloads:
    """Any thread may request a reload or end them. One thread waits for requests, and reads."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.is_requested = self.is_ended = False

    def request(self) -> None:
        with self.changed:
            self.is_requested = True
            self.changed.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits for a request, the end or a timeout; returns whether to read the files. A later
        request needs another reading, because this one may miss what the request is about.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.is_requested or self.is_ended, seconds)
            requested, self.is_requested = self.is_requested, False
            return requested

    def end(self) -> None:
        with self.changed:
            self.is_ended = True
            self.changed.notify_all()
