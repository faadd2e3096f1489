"""Measures `kg join` with generated sites whose people share papers, on one host of this machine.

    python -m bench.join FOLDER 1000

A first run makes the sites below FOLDER; later ones use them again. It prints the seconds and
requests of a first run, of one without changes, and of one in which a hundredth of the sites have
changed. Pages are not built.
"""

from __future__ import annotations

import re
import resource
import shutil
import sys
import time
from pathlib import Path

from kg.facts.yaml.rows import flow
from kg.graph.parallel.run import Run
from kg.plugins.join.joining import Report, join
from tests.plugins.join.member_sites import Host, hosted, publish, write_site

TODAY = "2026-11-19"


def make(folder: Path, count: int, host: Host) -> list[str]:
    """The sites, made for a former host or new; returns their addresses."""
    found = []
    for number in range(count):
        url, public = f"{host.url}{number}/", folder / "public" / str(number)
        found.append(url)
        if not (public / "dump.nq").is_file():
            site = write_site(folder / "site", number, count, url)
            publish(site, public)
            shutil.rmtree(site)
        for file in (public / "dump.nq", public / ".well-known/void"):
            text = file.read_text(encoding="utf-8")
            file.write_text(re.sub(r"http://127\.0\.0\.1:\d+/", host.url, text), encoding="utf-8")
    return found


def measure(title: str, union: Path) -> Report:
    started, cpu = time.monotonic(), time.process_time()
    report = join(union, Run(today=TODAY), lambda _: lambda *_: None)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"{title}: {time.monotonic() - started:.1f} s, {time.process_time() - cpu:.1f} s CPU, "
        f"{report.requests} requests, {report.files} files changed, {memory:.0f} MB; "
        f"{report.counts}; {len(report.problems)} problems, "
        f"{len(report.of('unreachable'))} unreachable, {len(report.not_joined)} not joined"
    )
    return report


def main(folder: Path, count: int) -> None:
    (folder / "public").mkdir(parents=True, exist_ok=True)
    union = folder / "union"
    shutil.rmtree(union, ignore_errors=True)
    with hosted(folder / "public") as host:
        started = time.monotonic()
        urls = make(folder, count, host)
        print(f"{count} sites made in {time.monotonic() - started:.0f} s")
        (union / "data").mkdir(parents=True)
        items = "".join(f"  - {flow(url)}\n" for url in urls)
        text = f"base: https://union.example.org/\ntitle: Union\njoined:\n{items}"
        (union / "data/site.yaml").write_text(text)
        measure("First run", union)
        measure("Unchanged", union)
        for number in range(0, count, 100):
            site = write_site(
                folder / "site",
                number,
                count,
                urls[number],
                "awards: [{title: Medal, year: 2024}]\n",
            )
            publish(site, folder / "public" / str(number))
            shutil.rmtree(site)
        measure("A hundredth changed", union)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
