"""An endpoint as the web sees it: a graph for everybody's queries, wherever it is."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from kg.sparql.limits import Limits
from kg.store.protocol import Answer, Graphs, Health, Wanted


class Endpoint(ABC):
    """`union`: whether the default graph is the union of all graphs."""

    union: bool
    limits: Limits

    @abstractmethod
    async def ask(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        """Raises a QueryError where there is no answer. When the task is cancelled, so is the
        evaluation.
        """

    def answer(
        self,
        query: str,
        wanted: Wanted,
        graphs: Graphs = Graphs(),  # noqa: B008
        client: str = "",
        timeout: float | None = None,
    ) -> Answer:
        """The same for callers without an event loop."""
        return asyncio.run(self.ask(query, wanted, graphs, client, timeout))

    @abstractmethod
    def health(self) -> Health: ...

    @abstractmethod
    def close(self) -> None: ...
