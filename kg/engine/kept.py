"""Answers that are kept for as long as the graph is the same, so that a question asked again costs next to nothing."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from kg.engine.body import Body
from kg.engine.store import Answer, Endpoint, Graphs, Health, Wanted

Key = tuple[str, Wanted, Graphs]


class Kept:
    """An endpoint before another. What was asked longest ago goes first when there is no more room."""

    def __init__(self, behind: Endpoint, room: int) -> None:
        self.behind, self.room = behind, room
        self.union, self.limits = behind.union, behind.limits
        self.taken = 0  # bytes
        self.answers: OrderedDict[Key, Answer] = OrderedDict()
        self.lock = Lock()

    def answer(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        key = (query, wanted, graphs)
        with self.lock:
            found = self.answers.get(key)
            if found is not None:
                self.answers.move_to_end(key)
                return found
        answer = self.behind.answer(query, wanted, graphs, client, timeout)
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
