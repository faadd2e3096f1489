"""Answers that are kept for as long as the graph is the same, so that a question asked again costs
next to nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Lock

from kg.sparql.cached_body import Body
from kg.store.protocol import Answer, Begun, Endpoint, Graphs, Health, Wanted

Key = tuple[str, Wanted, Graphs]
SOON = 2  # seconds in which most questions are answered


class Kept:
    """An endpoint before another. What was asked longest ago goes first when there is no more room.

    Who asks what somebody else has just asked waits for that answer a while; if there is none to
    keep, everybody asks for themselves.
    """

    def __init__(self, behind: Endpoint, room: int) -> None:
        self.behind, self.room = behind, room
        self.union, self.limits = behind.union, behind.limits
        self.taken = 0  # bytes
        self.answers: OrderedDict[Key, Answer] = OrderedDict()
        self.asked: dict[Key, Event] = {}  # what is being answered now
        self.lock = Lock()

    def answer(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        if not self.room:
            return self.behind.answer(query, wanted, graphs, client, timeout)
        key = (query, wanted, graphs)
        if found := self.known(key):
            return found
        with self.lock:
            asked = self.asked.setdefault(key, mine := Event())
        if asked is not mine and asked.wait(SOON) and (found := self.known(key)):
            return found
        try:
            return self.keep(key, self.behind.answer(query, wanted, graphs, client, timeout))
        finally:
            if asked is mine:
                self.settle(key)

    def begin(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer | Begun | None:
        if not self.room:
            return self.behind.begin(query, wanted, graphs, client, timeout)
        key = (query, wanted, graphs)
        if found := self.known(key):
            return found
        with self.lock:
            if key in self.asked:
                return None
            self.asked[key] = Event()
        try:
            begun = self.behind.begin(query, wanted, graphs, client, timeout)
        except BaseException:
            self.settle(key)
            raise
        if begun is None or isinstance(begun, Answer):
            self.settle(key)
            return begun
        return Keeping(self, key, begun)

    def settle(self, key: Key) -> None:
        """A question is no longer being answered: who waits for it may look, or ask."""
        with self.lock:
            asked = self.asked.pop(key)
        asked.set()

    def known(self, key: Key) -> Answer | None:
        with self.lock:
            found = self.answers.get(key)
            if found is not None:
                self.answers.move_to_end(key)
            return found

    def keep(self, key: Key, answer: Answer) -> Answer:
        size = cost(key, answer)
        if (
            not answer.is_lasting or size > self.room // 8
        ):  # one answer must not drive out all others
            return answer
        kept = replace(answer, body=Body(answer.body))
        with self.lock:
            if key in self.answers:
                return answer
            self.answers[key] = kept
            self.taken += size
            while self.taken > self.room:
                self.taken -= cost(*self.answers.popitem(last=False))
        return kept

    def health(self) -> Health:
        return self.behind.health()

    def close(self) -> None:
        with self.lock:
            self.answers.clear()
            self.taken = 0
        self.behind.close()


class Keeping:
    """A question that has begun to be answered; the answer is kept."""

    def __init__(self, kept: Kept, key: Key, begun: Begun) -> None:
        self.kept, self.key, self.begun = kept, key, begun
        self.line = begun.line

    def now(self) -> Answer | None:
        return self.heard(self.begun.now)

    def wait(self) -> Answer:
        answer = self.heard(self.begun.wait)
        assert answer is not None  # noqa: S101
        return answer

    def heard(self, hear: Callable[[], Answer | None]) -> Answer | None:
        try:
            answer = hear()
        except BaseException:
            self.kept.settle(self.key)
            raise
        if answer is None:
            return None
        answer = self.kept.keep(self.key, answer)
        self.kept.settle(self.key)
        return answer


def cost(key: Key, answer: Answer) -> int:
    """Bytes in memory, roughly: a packed copy may come with it."""
    return 1024 + 4 * len(key[0]) + 2 * len(answer.body)
