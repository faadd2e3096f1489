"""Requests to read the files of a server anew. Each is answered when a state that was read after it
is served, or refused.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from threading import Condition


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the newest state of the files is served, and the same in words."""

    served: bool
    message: str


ENDED = Outcome(False, "The server has ended.")


class Reloads:
    """Joins those who request, which may be any thread, with the one thread that reads the files:
    it waits here for requests, and settles them.
    """

    def __init__(self) -> None:
        self.changed = Condition()
        self.waiting: list[Future[Outcome]] = []  # for the files to be read
        self.begun: list[Future[Outcome]] = []  # for what is being read
        self.last: Outcome | None = None  # for requests after the end

    @property
    def is_ended(self) -> bool:
        return self.last is not None

    def request(self) -> Future[Outcome]:
        found = Future[Outcome]()
        found.set_running_or_notify_cancel()  # nobody can cancel it now
        with self.changed:
            if self.last is None:
                self.waiting.append(found)
                self.changed.notify_all()
            else:
                found.set_result(self.last)
        return found

    def wait(self, seconds: float | None = None) -> bool:
        """Until there is a request, or for so long; whether the files are to be read for one.
        Requests that come later are left for the next reading, for this one may miss what they are
        about.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.waiting or self.is_ended, seconds)
            self.begun += self.waiting
            self.waiting = []
            return bool(self.begun)

    def settle(self, outcome: Outcome) -> None:
        with self.changed:
            begun, self.begun = self.begun, []
        for each in begun:
            each.set_result(outcome)

    def end(self, outcome: Outcome = ENDED) -> None:
        """Nothing is read any more."""
        with self.changed:
            if self.last is None:
                self.last = outcome
            self.begun += self.waiting
            self.waiting = []
            self.changed.notify_all()
        self.settle(self.last)
