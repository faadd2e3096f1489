"""Answers that are kept for as long as the graph is the same, so that a question asked again costs next to nothing."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Event, Lock

from kg.engine.body import Body
from kg.engine.store import Answer, Endpoint, Graphs, Health, Wanted

Key = tuple[str, Wanted, Graphs]
SOON = 2  # seconds in which most questions are answered


class Kept:
    """An endpoint before another. What was asked longest ago goes first when there is no more room.

    Who asks what somebody else has just asked waits for that answer a while; if there is none to keep, everybody asks for themselves."""

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
                with self.lock:
                    del self.asked[key]
                mine.set()

    def known(self, key: Key) -> Answer | None:
        with self.lock:
            found = self.answers.get(key)
            if found is not None:
                self.answers.move_to_end(key)
            return found

    def keep(self, key: Key, answer: Answer) -> Answer:
        size = cost(key, answer)
        if not answer.is_lasting or size > self.room // 8:  # one answer must not drive out all others
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


def cost(key: Key, answer: Answer) -> int:
    """Bytes in memory, roughly: a packed copy may come with it."""
    return 1024 + 4 * len(key[0]) + 2 * len(answer.body)
