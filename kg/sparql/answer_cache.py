"""An LRU cache of query answers, valid as long as the graph stays the same."""

from __future__ import annotations

import gzip
import hashlib
from collections import OrderedDict
from dataclasses import replace
from functools import cached_property
from threading import Lock

from kg.sparql.endpoint import Endpoint
from kg.store.protocol import Answer, Graphs, Health, Query, Wanted

Key = tuple[str, Wanted, Graphs]


class AnswerCache(Endpoint):
    """A caching endpoint in front of another endpoint, limited by size."""

    def __init__(self, backend: Endpoint) -> None:
        self.backend, self.size = backend, backend.limits.cache
        self.union, self.apart, self.limits = backend.union, backend.apart, backend.limits
        self.used = 0  # bytes
        self.answers: OrderedDict[Key, Answer] = OrderedDict()
        self.lock = Lock()

    async def ask(self, query: Query) -> Answer:
        if not self.size:
            return await self.backend.ask(query)
        key = (query.text, query.wanted, query.graphs)
        with self.lock:
            if key in self.answers:
                self.answers.move_to_end(key)
                return self.answers[key]
        return self.put(key, await self.backend.ask(query))

    def put(self, key: Key, answer: Answer) -> Answer:
        cost = cost_of(key, answer)
        if not answer.is_lasting or cost > self.size // 8:  # one answer must not evict all others
            return answer
        cached = replace(answer, body=CachedBody(answer.body))
        with self.lock:
            if key in self.answers:
                return answer
            self.answers[key] = cached
            self.used += cost
            while self.used > self.size:
                self.used -= cost_of(*self.answers.popitem(last=False))
        return cached

    def health(self) -> Health:
        return self.backend.health()

    def close(self) -> None:
        with self.lock:
            self.answers.clear()
            self.used = 0
        self.backend.close()


def cost_of(key: Key, answer: Answer) -> int:
    """The approximate size in memory, including a gzipped copy that may be added later."""
    return 1024 + 4 * len(key[0]) + 2 * len(answer.body)


class CachedBody(bytes):
    @cached_property
    def tag(self) -> str:
        return hashlib.sha256(self).hexdigest()[:32]

    @cached_property
    def packed(self) -> bytes:
        return pack(self)


def pack(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)
