"""How cost grows with the number of CVs: `kg dump` including checks from scratch, mapping alone,
and serving the graph.

CPU of all processes, against PyYAML's C loader on the same files, morph-kgc on the same facts, and
rdflib on the same graph. The peak is that of the largest process. Other rows compare the cost per
CV with that in the next smaller site: 1 is linear growth. `make bench-large` adds 10,000 CVs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench import others
from bench.client import Client, ask
from bench.generate import generate
from bench.mapping import measure
from bench.mix import QUESTIONS, people_in
from bench.servers import LeftOut, Server, family, ours
from bench.start import KG
from bench.vitals import memory

WORK = Path(__file__).parent / "work"
SIZES = (10, 100, 1000)
LARGE = (10_000,)
TODAY = "2026-11-15"
ASKED = 20
Row = dict[str, object]


def run(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    rows: list[Row] = []
    before: tuple[int, float] | None = None
    for size in sizes:
        print(f"  {size} CVs ...", file=sys.stderr)
        folder = site(size)
        plain = measure("loader", folder, max(1, 1000 // size))["cpu"]
        cpu, peak, said = checked(folder)
        note = f"{1000 * cpu / size:.0f} ms per CV; peak {peak:.0f} MB; {said}"
        rows.append(
            row(
                f"kg dump, which checks, cold, {size} CVs",
                cpu,
                f"PyYAML C loader {plain:.2f} s",
                cpu / plain,
                note,
            )
        )
        if before:
            smaller, each = before
            times = cpu / size / each
            rows.append(
                row(
                    f"a CV of {size} against one of {smaller}, kg dump",
                    cpu / size,
                    f"{each:.3f} s",
                    times,
                    "1 is linear",
                )
            )
        before = size, cpu / size
        rows += beside(folder, size)
        rows += served(folder, size)
    return rows


def site(size: int) -> Path:
    folder = WORK / f"growth-{size}"
    shutil.rmtree(folder, ignore_errors=True)
    generate(folder, size)
    return folder


def checked(folder: Path) -> tuple[float, float, str]:
    """CPU seconds, peak memory in MB, and a description of the graph, which is written beside the
    data.
    """
    with (folder / "cvs.nq").open("wb") as nquads:
        process = subprocess.Popen(
            [KG, "dump", folder, "-f", "nq"], stdout=nquads, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"kg dump ended with {process.returncode}")
    lines = sum(part.count(b"\n") for part in pieces(folder / "cvs.nq"))
    return (
        used.ru_utime + used.ru_stime,
        used.ru_maxrss / 1024,
        f"{lines} triples, {(folder / 'cvs.nq').stat().st_size / 1e6:.0f} MB of N-Quads",
    )


def pieces(path: Path) -> list[bytes]:
    data = path.read_bytes()
    return [data[start : start + (1 << 24)] for start in range(0, len(data), 1 << 24)]


def beside(folder: Path, size: int) -> list[Row]:
    """Ours against other programs, if they can be installed; rdflib only while it fits into
    memory.
    """
    environments, rows = WORK / "peers" / "environments", []
    environments.mkdir(parents=True, exist_ok=True)
    try:
        our, their = measure("asserted", folder, 1), others.morph(folder, environments)
        each, theirs = (
            1000 * found["cpu"] / found[what]
            for found, what in ((our, "quads"), (their, "triples"))
        )
        note = (
            f"{our['quads']} triples in {our['cpu']:.2f} s, from YAML; theirs {their['triples']} "
            f"in {their['cpu']:.2f} s, from JSON"
        )
        rows.append(
            row(
                f"mapping alone, 1,000 triples, {size} CVs",
                each,
                f"morph-kgc {1000 * theirs:.0f} ms",
                each / theirs,
                note,
            )
        )
        if size <= SIZES[-1]:
            our, their = (
                measure("loaded", folder, 1),
                others.rdflib(folder / "cvs.nq", environments),
            )
            note = "read from N-Quads, and written again"
            rows.append(
                row(
                    f"the graph of {size} CVs",
                    our["cpu"],
                    f"rdflib {their['cpu']:.2f} s",
                    our["cpu"] / their["cpu"],
                    note,
                )
            )
    except LeftOut as reason:
        rows.append(row(f"others, {size} CVs", 0, "", 0, f"left out: {reason}"))
    return rows


def served(folder: Path, size: int) -> list[Row]:
    nquads, rows = folder / "cvs.nq", []
    people = people_in(nquads)
    with ours(nquads, folder, KG_SERVE_CACHE_SIZE="0") as server:
        start = server.cpu()
        for question in (QUESTIONS[0], QUESTIONS[2]):
            warm(server, question.asked(people, 0, 2))
            tally = ask(server, question.asked(people, 2, ASKED))
            note = f"wait {tally.median:.1f} ms; all processes {held(server.pid):.0f} MB"
            note += f"; {start:.1f} s of CPU to start"
            rows.append(row(f"SPARQL, {question.name}, {size} CVs", tally.each / 1000, "", 0, note))
    return rows


def warm(server: Server, queries: list[str]) -> None:
    client = Client(server)
    for query in queries:
        client.ask(query)
    client.close()


def held(pid: int) -> float:
    """Memory of all processes of a server in MB; shared pages count once."""
    return sum(memory(each) for each in family(pid))


def row(work: str, cpu: float, against: str, ratio: float, note: str) -> Row:
    return {
        "work": work,
        "cpu": round(cpu, 5),
        "against": against,
        "ratio": round(ratio, 2) if ratio else "",
        "goal": "",
        "note": note,
    }


if __name__ == "__main__":
    for measured in run((*SIZES, *LARGE) if "--large" in sys.argv else SIZES):
        print("  ".join(f"{value}" for value in measured.values()), flush=True)
