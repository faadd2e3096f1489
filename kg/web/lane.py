"""The fast lane of the endpoint: a plain question for which a worker is free is asked, and
answered, without any thread.

What takes longer, or goes wrong, or is large, is handed to a thread, and so is every question that
must wait. What was answered before is not even read again.
"""

from __future__ import annotations

import math
import select
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.errors import QueryError
from kg.store.protocol import Answer, Begun
from kg.web.answers import Reply
from kg.web.call import Call
from kg.web.client import client
from kg.web.plain import environ_of
from kg.web.protocol import Asked, read
from kg.web.ready import Clock, Prepared, head
from kg.web.refusal import Refusal
from kg.web.sparql import PATH, Question

if TYPE_CHECKING:
    from kg.web.channel import Channel
    from kg.web.log import Log
    from kg.web.state import Stage

IN, OUT = select.POLLIN | select.POLLPRI, select.POLLOUT
SOON = 0.5  # seconds; a question that takes longer goes to a thread
FIRST = f"GET {PATH}?".encode()


@dataclass(eq=False, slots=True)
class Pending:
    """A request that is being answered."""

    channel: Channel
    request: bytes
    environ: dict[str, Any]
    question: Question
    asked: Asked
    began: float
    begun: Begun | Answer

    def now(self) -> Answer:
        """The answer, if all of it is there."""
        answer = self.begun if isinstance(self.begun, Answer) else self.begun.now()
        if answer is None:
            raise Unfinished
        return answer

    def wait(self) -> Answer:
        return self.begun if isinstance(self.begun, Answer) else self.begun.wait()


@dataclass(frozen=True, slots=True)
class Later:
    """What a thread does with a request: it waits for the answer."""

    lane: Lane
    pending: Pending

    def service(self) -> None:
        pending = self.pending
        try:
            reply = pending.question.replied(pending.asked, pending.wait)
        except BaseException:
            pending.channel.will_close = True
            self.lane.answered.append((pending, None))
            raise
        else:
            self.lane.answered.append((pending, reply))
        finally:
            pending.channel.server.pull_trigger()

    def cancel(self) -> None:
        """The server ends, and all its connections."""


class Lane:
    """Everything here is done by the thread that listens, but for what `Later` does."""

    def __init__(self, stage: Stage, log: Log, add_task: Any) -> None:
        self.stage, self.log, self.add_task = stage, log, add_task
        self.clock = Clock()
        self.poll = select.poll()  # for the loop
        self.pending: dict[int, Pending] = {}  # by the descriptor on which the answer comes
        self.answered: deque[tuple[Pending, Reply | None]] = deque()  # by threads

    def takes(self, channel: Channel, request: bytes) -> bool:
        """Whether a request is answered here, now or soon."""
        began = time.perf_counter()
        if (found := self.stage.served.ready.get(request)) is not None:
            channel.put(found.head + self.clock.date() + found.body)
            self.log.note(
                found.environ,
                found.status,
                len(found.body),
                time.perf_counter() - began,
                found.query,
                found.outcome,
            )
            return True
        if not request.startswith(FIRST):
            return False
        environ = environ_of(request, channel.addr[0])
        return environ is not None and self.begins(channel, request, environ, began)

    def begins(
        self, channel: Channel, request: bytes, environ: dict[str, Any], began: float
    ) -> bool:
        served = self.stage.take()
        begun = None
        try:
            question = Question(
                Call(environ), served, self.stage.watched, client(environ, self.log.proxies)
            )
            with suppress(Refusal, QueryError):  # which are told in the ordinary way
                asked = read(question.call, served.documents.base)
                if (
                    asked
                    and not asked.is_for_people
                    and min(asked.timeout or math.inf, served.endpoint.limits.deadline) > 2 * SOON
                ):
                    begun = question.begin(asked)
        finally:
            if begun is None:
                self.stage.leave(served)
        if begun is None or asked is None:
            return False
        channel.requests.append(None)  # so that nothing more is read from it
        pending = Pending(channel, request, environ, question, asked, began, begun)
        if isinstance(begun, Answer):
            self.ends(pending, question.replied(asked, pending.now))
        else:
            self.pending[descriptor := begun.line.fileno()] = pending
            self.poll.register(descriptor, IN)
        return True

    def hears(self, descriptor: int) -> None:
        """There is an answer, or a worker has hung up."""
        pending = self.taken(descriptor)
        try:
            reply = pending.question.replied(pending.asked, pending.now)
        except Unfinished:
            self.add_task(Later(self, pending))
        else:
            self.ends(pending, reply)

    def looks_around(self) -> None:
        """Sends what threads have answered, and hands over what takes long."""
        while self.answered:
            self.ends(*self.answered.popleft())
        if self.pending:
            early = time.perf_counter() - SOON
            for descriptor in [
                descriptor for descriptor, pending in self.pending.items() if pending.began < early
            ]:
                self.add_task(Later(self, self.taken(descriptor)))

    def patience(self) -> float:
        """Milliseconds until the next look around, at the latest."""
        for pending in self.pending.values():  # the oldest is the first
            return max(1.0, 1000 * (pending.began + SOON - time.perf_counter()) + 1)
        return math.inf

    def taken(self, descriptor: int) -> Pending:
        """A question that is no longer waited for here."""
        self.poll.unregister(descriptor)
        return self.pending.pop(descriptor)

    def ends(self, pending: Pending, reply: Reply | None) -> None:
        question, channel = pending.question, pending.channel
        self.stage.leave(question.served)
        channel.requests.clear()
        if reply is None:
            return
        prepared = Prepared(
            head(reply), reply.body, reply.status, pending.environ, question.query, question.outcome
        )
        if question.is_lasting:
            question.served.ready.keep(pending.request, prepared)
        channel.put(prepared.head + self.clock.date() + reply.body)
        self.log.note(
            pending.environ,
            reply.status,
            len(reply.body),
            time.perf_counter() - pending.began,
            question.query,
            question.outcome,
        )


class Unfinished(Exception):
    """An answer has only begun to arrive."""
