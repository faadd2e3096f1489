"""Servers that reload what was saved, by themselves or by a signal, while one of their processes is
killed: the server itself, a loader or a worker.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

from tests.crashes.kills import LONGEST, PATIENCE, End
from tests.crashes.scenes import NAMES, TODAY, Outcome, Scene
from tests.sparql.processes import descendants, parents

RELOAD = 4.0  # seconds in which what was saved is looked at
BEGUN = 0.02  # seconds for a query to reach its worker
PAGE = "people/ada-berg.nt"
SOME = "{ SELECT * { GRAPH <terms/cv> { ?s%d ?p%d ?o%d } } LIMIT 100 }"
QUERY = "SELECT (COUNT(*) AS ?n) { %s FILTER(%d < 1) }"


class Reload(Scene):
    """The server is killed while it checks and loads what was saved. What it serves after the next
    start is what was saved.
    """

    by_change = False

    def prepare(self) -> None:
        self.words = ["serve", str(self.site), "--port", "0", "--workers", "2", "--today", TODAY]
        self.state, self.served = 0, ""

    def begin(self, state: int) -> None:
        self.state = state

    def outcome(self) -> Outcome:
        return {"served": self.served}

    def run(self, seconds: float = LONGEST, at_change: int = -1) -> End:
        """Killed so many seconds after a save; without them, asked and interrupted."""
        if seconds == LONGEST:
            return self.run_to_the_end()
        way = random.Random(seconds).choice(["--watch", "signal"])
        pid = self.runner.start([*self.words, "--watch"] if way == "--watch" else self.words)
        self.address()
        begun = time.monotonic()
        self.name(self.state)
        if way == "signal":
            os.kill(pid, signal.SIGHUP)
        return self.runner.ended(pid, begun, seconds)

    def run_to_the_end(self) -> End:
        self.name(self.state)
        pid = self.runner.start(self.words)
        root, begun = self.address(), time.monotonic()
        self.served = self.seen(root)
        os.kill(pid, signal.SIGINT)
        ended = self.runner.ended(pid, begun)
        return replace(ended, seconds=max(ended.seconds, RELOAD))

    def seen(self, root: str) -> str:
        with urlopen(f"{root}{PAGE}") as answer:
            text = answer.read().decode()
        return next(name for name in NAMES if name in text)

    def address(self) -> str:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            said = self.runner.said.read_text(encoding="utf-8") if self.runner.said.exists() else ""
            if found := re.search(r"Serving (http://[^\s,]+/)", said):
                return found[1]
            time.sleep(0.02)
        raise AssertionError("kg serve did not start")


class ReloadLoader(Reload):
    """A process that holds a graph is killed, the old or the new one. Others take its place, and
    the client of a query that it was about notices nothing.
    """

    def prepare(self) -> None:
        super().prepare()
        self.pid = self.runner.start([*self.words, "--watch"])
        self.opened.callback(self.stop)
        self.root = self.address()
        self.usual = len(descendants(self.pid))

    def stop(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        end = self.runner.ended(self.pid, time.monotonic(), 60)
        assert end.is_good, end
        assert super().rests() == []

    def rests(self) -> list[Path]:
        return []  # before it has stopped

    def run(self, seconds: float = LONGEST, at_change: int = -1) -> End:
        """Killed so many seconds after a save; then the files are served all the same."""
        begun, code = time.monotonic(), 0
        self.name(self.state)
        if seconds != LONGEST:
            code = self.kill(seconds, begun)
        until = begun + LONGEST
        while self.seen(self.root) != NAMES[self.state] and time.monotonic() < until:
            time.sleep(0.02)
        took = time.monotonic() - begun
        self.served = self.seen(self.root)
        left = self.outnumbering()
        return End(code, self.runner.said.read_text(encoding="utf-8"), took, -1, left)

    def kill(self, seconds: float, begun: float) -> int:
        """Kills one of the processes; how it ended."""
        dice = random.Random(seconds)
        if dice.random() < 0.5:
            os.kill(self.pid, signal.SIGHUP)
        time.sleep(seconds)
        connection = HTTPConnection(urlsplit(self.root).netloc, timeout=LONGEST)
        query = QUERY % (" ".join(SOME % ((each,) * 3) for each in range(3)), -dice.getrandbits(40))
        connection.request("GET", f"/sparql?query={quote(query)}", headers={"Accept": "text/csv"})
        time.sleep(BEGUN)
        victim = dice.choice(sorted(self.victims()))
        with suppress(ProcessLookupError):  # that of the state before, which ends by itself
            os.kill(victim, signal.SIGKILL)
        answer = connection.getresponse()
        assert answer.status == 200, (answer.status, answer.read())
        assert answer.read().split() == [b"n", b"1000000"]
        connection.close()
        return -signal.SIGKILL

    def victims(self) -> set[int]:
        return {pid for pid, parent in parents().items() if parent == self.pid}

    def outnumbering(self) -> frozenset[int]:
        """The processes that are still there after some time, where they are more than usual."""
        until = time.monotonic() + PATIENCE
        while (found := descendants(self.pid)) and len(found) != self.usual:
            if time.monotonic() > until:
                return frozenset(found)
            time.sleep(0.05)
        return frozenset()


class ReloadWorker(ReloadLoader):
    """A process that answers queries is killed."""

    def victims(self) -> set[int]:
        return descendants(self.pid) - super().victims()


KINDS: dict[str, type[Scene]] = {
    "reload": Reload,
    "reload-loader": ReloadLoader,
    "reload-worker": ReloadWorker,
}
