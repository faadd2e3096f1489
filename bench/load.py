"""Five minutes of mixed load on `kg serve`: friends whose answers are compared, attackers, slow
clients, and processes killed from outside.

`python -m bench.load 60` runs for one minute. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.crowd import Crowd
from bench.guests import friends
from bench.start import KG
from bench.vitals import Vitals, children, forked, vitals
from kg.sparql.limits import Limits

ROOT = Path(__file__).parent.parent
DEADLINE = 3  # seconds per query; short, so that many queries exceed it
SETTLE_TIME = 6  # seconds for the server to settle after the load
OUTPUT = "said"
Row = dict[str, object]


@contextmanager
def serving(folder: Path) -> Iterator[tuple[int, int]]:
    """Runs a server over the starting data; yields its process id and port. Its temporary files and
    output are in the folder.
    """
    said = folder / OUTPUT
    options = ["--port", "0", "--proxies", "1", "--log", "none", "--deadline", str(DEADLINE)]
    environment = {**os.environ, "TMPDIR": str(folder)}
    with (
        said.open("w") as stderr,
        subprocess.Popen([KG, "serve", ROOT, *options], stderr=stderr, env=environment) as server,
    ):
        try:
            while not (found := re.search(r"Serving http://\S+:(\d+)/", said.read_text())):
                if server.poll() is not None:
                    raise SystemExit("kg serve exited: " + said.read_text())
                time.sleep(0.1)
            yield server.pid, int(found[1])
        finally:
            server.terminate()
            server.wait()


def figures(crowd: Crowd) -> dict[str, float]:
    """The server's own metrics."""
    connection = crowd.connection()
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return {
        name: float(value) for name, value in re.findall(r"^([^#\s]\S*) (\S+)$", text, re.MULTILINE)
    }


def run(seconds: float = 300) -> list[Row]:
    known = friends(ROOT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder) as (web, port):
            quiet = Crowd(web, port, seconds)
            for friend in known:  # each once, to warm up
                quiet.note(friend, *friend.request.sent(quiet.connection(), "192.0.2.99"), 0)
            start = vitals(web)
            crowd = Crowd(web, port, seconds)
            crowd.wrong, crowd.failed = quiet.wrong, quiet.failed
            crowd.run(known)
            time.sleep(SETTLE_TIME)
            end, reported = vitals(web), figures(crowd)
            loader, workers = forked(web)
            unburied = len(children(web, dead=True)) + len(children(loader or web, dead=True))
        left = sum(path.name != OUTPUT for path in folder.iterdir())
        complaints = (
            (folder / OUTPUT)
            .read_text()
            .partition("Serving")[2]
            .partition("\n")[2]
            .replace("Stopped.\n", "")
        )
    explain(crowd, start, end, reported, complaints)
    return rows(crowd, start, end, reported, abs(Limits().workers - len(workers)) + unburied, left)


def explain(
    crowd: Crowd, start: Vitals, end: Vitals, reported: dict[str, float], complaints: str
) -> None:
    kinds: dict[str, list[str]] = {}
    for (kind, status), count in sorted(crowd.statuses.items()):
        kinds.setdefault(kind, []).append(f"{status} x {count}")
    for kind, counts in kinds.items():
        print(f"  {kind}: {', '.join(counts)}", file=sys.stderr)
    for said in (*crowd.wrong, *crowd.failed, *crowd.let_through, *complaints.splitlines()):
        print(f"  ! {said}", file=sys.stderr)
    for number in (1, 2, 3, 4):
        seen = crowd.quarter(number)
        means = (
            {
                part: round(statistics.fmean(getattr(each, part) for each in seen))
                for part in vars(start)
            }
            if seen
            else {}
        )
        print(f"  quarter {number}, means: {means}", file=sys.stderr)
    own = ", ".join(
        f"{name} {value:.0f}" for name, value in reported.items() if "_bucket" not in name
    )
    print(
        f"  at the start: {start}\n  at the end: {end}\n  server metrics: {own}",
        file=sys.stderr,
    )


def rows(
    crowd: Crowd, start: Vitals, end: Vitals, reported: dict[str, float], astray: int, left: int
) -> list[Row]:
    def row(
        what: str, ratio: float, goal: float, against: str, note: str, seconds: object = ""
    ) -> Row:
        return {
            "work": f"load, {what}",
            "cpu": seconds,
            "against": against,
            "ratio": ratio,
            "goal": goal,
            "note": note,
        }

    times = sorted(crowd.latencies)
    median, most, worst = statistics.median(times), times[int(0.95 * len(times))], times[-1]
    patience = Limits().patience + 2 * DEADLINE
    friendly = f"{len(times)} friendly requests"
    hostile = (
        f"{sum(count for (kind, _), count in crowd.statuses.items() if kind.startswith('foe'))} "
        "hostile requests"
    )
    killed = "; killed: {} workers, {} loaders".format(
        *(crowd.statuses["killed", kind] for kind in ("worker", "loader"))
    )
    lost = astray + abs(Limits().workers - int(reported["kg_workers"]))
    found = [
        row("wrong answers", len(crowd.wrong), 0, friendly, f"in {crowd.seconds:g} s"),
        row(
            "failures",
            len(crowd.failed),
            0,
            friendly,
            f"{crowd.busy} more were rejected because the endpoint was busy",
        ),
        row("attacks with an unexpected status", len(crowd.let_through), 0, hostile, ""),
        row(
            "latency of friends",
            round(worst / patience, 2),
            1,
            f"{patience:g} s",
            f"95 %: {most:.2f} s, worst {worst:.1f} s",
            round(median, 3),
        ),
        row(
            "latency of attackers",
            round(crowd.slowest_foe / patience, 2),
            1,
            f"{patience:g} s",
            "worst",
            round(crowd.slowest_foe, 2),
        ),
        row(
            "lost workers",
            lost,
            0,
            f"{Limits().workers} workers",
            f"{reported['kg_worker_restarts_total']:.0f} restarts{killed}",
        ),
    ]
    for part, what in (("web", "the web process"), ("loader", "the loader")):
        before, more = crowd.growth(part)
        room = max(10, before * 0.05)
        found.append(
            row(
                f"growth of {what}",
                round(max(more, 0) / room, 2),
                1,
                f"{room:.0f} MB",
                f"{more:+.1f} MB on {before:.0f} MB",
            )
        )
    taken, may = (
        max(seen.workers for _, seen in crowd.samples),
        Limits().workers * Limits().memory / 1024**2,
    )
    at_rest = f"peak; at rest {start.workers:.0f} MB before and {end.workers:.0f} MB after"
    found.append(
        row(
            "memory of the workers",
            round(taken / may, 2),
            1,
            f"{may:.0f} MB",
            f"{taken:.0f} MB, {at_rest}",
        )
    )
    counts_words = (
        f"{start.threads} threads and {start.files} files at the start, {end.threads} and "
        f"{end.files} at the end"
    )
    more_files = max(end.files - start.files, 0) + left
    found.append(
        row(
            "threads and files left",
            max(end.threads - start.threads, 0) + more_files,
            0,
            "as at the start",
            counts_words,
        )
    )
    return found


if __name__ == "__main__":
    measured = run(float(sys.argv[1]) if len(sys.argv) > 1 else 300)
    for each in measured:
        print("  ".join(f"{value}" for value in each.values()))
    sys.exit(any(float(str(each["ratio"])) > float(str(each["goal"])) for each in measured))
