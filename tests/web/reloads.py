"""Reloads of a real server under load, with an edit before each: no request is lost, each answer is
of one state, and neither memory nor processes nor descriptors grow.

`python -m tests.web.reloads N [--watch]` does N of them, and prints figures.
"""

from __future__ import annotations

import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

from kg.settings import shipped
from kg.sparql.workers.pool import resident
from tests.sparql.processes import descendants, wait_until
from tests.web.serving import KG, Server, serving

CLIENTS = 4
REST = 0.15  # seconds from an answer to the next request of a client
WARM = 10  # reloads, after which figures are compared
BROKEN = 7  # one of so many edits is a mistake
QUERY = 'SELECT ?text { ?s ?p ?text FILTER(isLiteral(?text) && CONTAINS(STR(?text), "Kelp ")) }'
PAGE = "/people/ada-lindqvist"
STATE = re.compile(r"Kelp (\d+)")


@dataclass
class Figures:
    """Of a server at one moment."""

    memory: int  # MB of the server itself
    of_others: int  # MB of its loaders and workers, shared pages counted in each
    processes: int
    threads: int
    descriptors: int

    @classmethod
    def of(cls, pid: int) -> Figures:
        others, proc = descendants(pid), Path(f"/proc/{pid}")
        threads, files = (len(list((proc / name).iterdir())) for name in ("task", "fd"))
        megabytes = [each >> 20 for each in (resident(pid), sum(map(resident, others)))]
        return cls(*megabytes, len(others), threads, files)


@dataclass
class Load:
    """Clients that ask without end; `written` is the number of the newest edit."""

    address: str
    written: int = 0
    served: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)

    def ask(self, number: int) -> None:
        connection = HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        turn = 0
        while not self.done.wait(REST):
            turn += 1
            query = quote(f"{QUERY} # {number} {turn}")
            path = f"/sparql?format=csv&query={query}" if (number + turn) % 2 else PAGE
            least = self.served
            try:
                connection.request("GET", path, headers={"Accept": "text/csv, text/html"})
                answer = connection.getresponse()
                text = answer.read().decode()
            except OSError as error:
                self.faults.append(f"{path}: {error!r}")
                connection.close()
                continue
            self.statuses[answer.status] += 1
            states = [int(each) for each in STATE.findall(text)]
            if answer.status != 200 or len(states) < 2 or len(set(states)) != 1:
                self.faults.append(f"{path}: {answer.status}, the states {states}")
            elif not least <= states[0] <= self.written:
                self.faults.append(f"{path}: {states[0]}, not {least} to {self.written}")
        connection.close()

    @contextmanager
    def running(self) -> Iterator[None]:
        clients = [threading.Thread(target=self.ask, args=(number,)) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        try:
            yield
        finally:
            self.done.set()
            for client in clients:
                client.join()


class Author:
    """Edits a site, and has a server reload it."""

    def __init__(self, site: Path) -> None:
        self.site = site
        self.file = site / "data" / "cv" / "ada-lindqvist.yaml"
        self.text = self.file.read_text(encoding="utf-8")
        self.write(0)

    def write(self, number: int, field: str = "position") -> None:
        text = self.text.replace("position: Lecturer", f"{field}: Reader in Kelp {number}")
        text = text.replace("summary: ", f"summary: Kelp {number}. ")
        draft = self.file.with_name(".draft")
        draft.write_text(text, encoding="utf-8")
        draft.replace(self.file)

    def reload(self, number: int, server: Server, load: Load) -> None:
        if number % BROKEN == 0:
            self.write(number, "postion")
            assert "refused, 1 error" in reload(server)
            return
        load.written = number
        self.write(number)
        assert reload(server).endswith(": served")
        load.served = number


def reload(server: Server) -> str:
    """Sends SIGHUP, and waits for the outcome that /readyz reports."""
    before = count_reloads(server)
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: count_reloads(server) > before)
    return ready(server).splitlines()[1]


def count_reloads(server: Server) -> int:
    found = re.search(r"^reload (\d+) ", ready(server), re.MULTILINE)
    return int(found[1]) if found else 0


def ready(server: Server) -> str:
    with urlopen(f"{server.address}readyz", timeout=60) as answer:
        return str(answer.read().decode())


def settled(pid: int, processes: int) -> Figures:
    """Figures when the processes of earlier states have ended."""
    until = time.monotonic() + 30
    while len(descendants(pid)) > processes and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(1)
    return Figures.of(pid)


def run(site: Path, reloads: int, *options: str) -> tuple[Load, Figures, Figures]:
    """The requests that were answered, and figures when the server was warm and in the end."""
    author = Author(site)
    command = [KG, "serve", site, "--port", "0", "--workers", "2", *options]
    with serving(site, command=command) as server:
        pid, load = server.process.pid, Load(server.address)
        reader = threading.Thread(target=server.process.stderr.read)  # type: ignore[union-attr]
        reader.start()
        processes = len(descendants(pid))
        with load.running():
            for number in range(1, reloads + 1):
                author.reload(number, server, load)
                if number == WARM:
                    warm = settled(pid, processes)
                if number % 50 == 0:
                    sys.stdout.write(f"{number}: {Figures.of(pid)}, {load.statuses.total()}\n")
                    sys.stdout.flush()
            last = settled(pid, processes)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) == 0
        reader.join()
    return load, warm, last


def main(reloads: int, *options: str) -> None:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        shutil.copytree(shipped("example"), site, ignore=shutil.ignore_patterns(".*"))
        load, warm, last = run(site, reloads, *options)
    lines = [
        f"{reloads} reloads in {time.monotonic() - began:.0f} s, {reloads // BROKEN} of them "
        f"refused; requests by status: {dict(load.statuses)}; faults: {len(load.faults)}",
        *load.faults[:20],
        f"after {WARM} reloads: {warm}",
        f"in the end: {last}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(bool(load.faults))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
