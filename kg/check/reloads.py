"""Reload requests from any thread to the one thread that reads the site."""

from __future__ import annotations

from threading import Condition


class Reloads:
    """Any thread can request a reload or end the loop; one thread waits for requests."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.is_requested = self.is_ended = False

    def request(self) -> None:
        with self.changed:
            self.is_requested = True
            self.changed.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits for a request, the end or a timeout; returns whether to read the files. A request
        that arrives while files are being read needs another read, because the current one may miss
        the change.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.is_requested or self.is_ended, seconds)
            requested, self.is_requested = self.is_requested, False
            return requested

    def end(self) -> None:
        with self.changed:
            self.is_ended = True
            self.changed.notify_all()
