"""Pages over HTTP against the same bytes as a static file from the same server, and the time and
output size of a build.

New requests each have a unique header, so that the server must parse them. Repeated requests are
identical.
"""

from __future__ import annotations

import http.client
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.generate import generate
from bench.servers import free_port, running, used
from bench.start import KG

WORK = Path(__file__).parent / "work" / "pages"
CVS, REQUESTS, ROUNDS = 10, 300, 4
SAME = "static/same.html"  # a static file with the bytes of a page


def ask(connection: http.client.HTTPConnection, path: str, number: int | None) -> bytes:
    headers = {"Accept": "text/html"} | ({} if number is None else {"X-Number": str(number)})
    connection.request("GET", f"/{path}", headers=headers)
    return connection.getresponse().read()


def cost(pid: int, port: int, path: str, first: int | None) -> float:
    """Milliseconds of CPU for one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    ask(connection, path, first)
    before = used(pid)
    for number in range(REQUESTS):
        ask(connection, path, None if first is None else first + number + 1)
    found = 1000 * (used(pid) - before) / REQUESTS
    connection.close()
    return found


def run() -> list[dict[str, object]]:
    site = WORK / "site"
    shutil.rmtree(WORK, ignore_errors=True)
    generate(site, CVS)
    (WORK / "server").mkdir()
    page = "people/" + sorted(path.stem for path in (site / "data" / "cv").glob("*.yaml"))[0]
    rows = []
    command: list[str | Path] = [KG, "serve", site, "--log", "none", "--port"]
    with running("kg", [*command, str(port := free_port())], port, "/", WORK / "server"):
        body = ask(http.client.HTTPConnection("127.0.0.1", port), page, None)
    (site / "static").mkdir()
    (site / SAME).write_bytes(body)
    with running("kg", [*command, str(port := free_port())], port, "/", WORK / "server") as server:
        for how, first in (("new requests", 0), ("repeated requests", None)):
            each: dict[str, list[float]] = {page: [], SAME: []}
            for turn in range(ROUNDS):
                for path, found in each.items():
                    found.append(
                        cost(
                            server.pid, port, path, None if first is None else turn * (REQUESTS + 1)
                        )
                    )
            ours, file = (statistics.median(found) for found in each.values())
            note = (
                f"{len(body) / 1000:.1f} kB; rounds {', '.join(f'{one:.3f}' for one in each[page])}"
            )
            rows.append(
                row(
                    f"page over HTTP, {how}",
                    ours / 1000,
                    f"the same bytes as a file {file:.3f} ms",
                    ours / file,
                    2.0,
                    note,
                )
            )
    (site / SAME).unlink()
    return [
        *rows,
        *build(Path(__file__).parent.parent, "starting data"),
        *build(site, f"{CVS} CVs"),
    ]


def build(site: Path, name: str) -> list[dict[str, object]]:
    folder, rows = WORK / name.replace(" ", "-"), []
    for what in ("first", "nothing changed"):
        start, before = time.perf_counter(), resource_cpu()
        said = subprocess.run(
            [KG, "build", site, "-o", folder], check=True, capture_output=True, text=True
        ).stderr
        seconds, cpu = time.perf_counter() - start, resource_cpu() - before
        pages = list(folder.rglob("*.html"))
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / len(pages)
        note = (
            f"{seconds:.1f} s; {len(pages)} pages, {size / 1000:.1f} kB each in all formats; "
            f"{said.splitlines()[-1][:100]}"
        )
        rows.append(row(f"kg build, {name}, {what}", cpu, "", 0, "", note))
    return rows


def resource_cpu() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def row(
    work: str, cpu: float, against: str, ratio: float, goal: float | str, note: str
) -> dict[str, object]:
    return {
        "work": work,
        "cpu": round(cpu, 5),
        "against": against,
        "ratio": round(ratio, 2) or "",
        "goal": goal,
        "note": note,
    }


if __name__ == "__main__":
    for each in run():
        print(each, file=sys.stdout)
