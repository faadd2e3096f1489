"""The time of common commands as users feel it: checking and building a site, and the size of the
result. CPU seconds of the command and its children, the minimum of several runs.

Two peers are installed by `make bench`: pyrudof for SHACL, with the same graph and shapes, and Hugo
for pages, which renders the Markdown of the same site with a short template.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from bench.check import loaded, timed
from bench.generate import generate
from bench.start import KG

ROOT = Path(__file__).parent.parent
WORK = Path(__file__).parent / "work" / "felt"
TODAY = "2026-11-15"
RUNS = 3
CONFIG = 'baseURL = "https://example.org/"\ndisableKinds = ["taxonomy", "term", "RSS"]\n'
LAYOUT = "<!doctype html><title>{{ .Title }}</title><h1>{{ .Title }}</h1>{{ .Content }}"


def cpu(*command: str | Path, cache: Path) -> float:
    """CPU seconds of a command; `cache` is its cache folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "KG_CACHE": str(cache)}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(*command: str | Path, keeps: bool = False) -> float:
    """The minimum CPU of several runs, with or without a warm cache."""
    found, cache = [], WORK / "cache"
    for number in range(RUNS + keeps):
        if not keeps or not number:
            shutil.rmtree(cache, ignore_errors=True)
        found.append(cpu(*command, cache=cache))
    return min(found[keeps:])


def run() -> list[dict[str, object]]:
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    one, public = WORK / "one", WORK / "public"
    subprocess.run([KG, "new", one], check=True, capture_output=True)
    rows = [
        limit("kg check, a new site of one person, without a cache", least(KG, "check", one), 0.6),
        limit("kg check, starting data, without a cache", least(KG, "check", ROOT), 1.7),
        limit("kg check, starting data, again", least(KG, "check", ROOT, keeps=True), 0.9),
        limit("kg build, a new site of one person", built(one, public), 1.5),
    ]
    files = [path for path in public.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    rows.append(
        limit("files of a site of one person", len(files), 120, f"{size / 1e6:.1f} MB", "files")
    )
    example = WORK / "example"
    subprocess.run([KG, "new", example, "--example"], check=True, capture_output=True)
    built(example, WORK / "example-public")
    again = least(KG, "build", example, "-o", WORK / "example-public", keeps=True)
    rows.append(limit("kg build, the example, nothing changed", again, 0.5))
    seconds = built(ROOT, WORK / "data", runs=1)
    number = len([path for path in (WORK / "data").rglob("*") if path.is_file()])
    rows.append(limit("kg build, starting data", seconds, 15, f"{number} files"))
    rows.append(against_hugo(WORK / "data", seconds))
    return [*rows, against_rudof(ROOT, "starting data"), against_rudof(hundred(), "100 CVs")]


def built(site: Path, target: Path, runs: int = RUNS) -> float:
    found = []
    for _ in range(runs):
        shutil.rmtree(target, ignore_errors=True)
        shutil.rmtree(WORK / "cache", ignore_errors=True)
        found.append(cpu(KG, "build", site, "-o", target, cache=WORK / "cache"))
    return min(found)


def hundred() -> Path:
    generate(WORK / "hundred", 100)
    return WORK / "hundred"


def against_hugo(site: Path, seconds: float) -> dict[str, object]:
    """Pages per CPU second, ours against Hugo's."""
    ours = len(list(site.rglob("*.html")))
    hugo = WORK / "hugo"
    for path in site.rglob("*.md"):
        page = hugo / "content" / path.relative_to(site).with_name(f"{path.stem}-page.md")
        page.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        page.write_text(f"---\ntitle: {json.dumps(path.stem)}\n---\n{text}", encoding="utf-8")
    (hugo / "layouts" / "_default").mkdir(parents=True)
    for name in ("single", "list", "home"):
        (hugo / "layouts" / "_default" / f"{name}.html").write_text(LAYOUT)
    (hugo / "hugo.toml").write_text(CONFIG)
    program = Path(sys.executable).with_name("hugo")
    theirs = min(
        cpu(
            program,
            "--quiet",
            "--source",
            hugo,
            "--destination",
            WORK / f"hugo-{number}",
            cache=WORK,
        )
        for number in range(RUNS)
    )
    made = len(list((WORK / "hugo-0").rglob("*.html")))
    return {
        "work": "pages for a second of CPU, starting data",
        "cpu": round(seconds, 2),
        "against": f"Hugo {made / theirs:.0f} pages/s, HTML only, not verified",
        "ratio": round((ours / seconds) / (made / theirs), 4),
        "goal": "",
        "note": f"{ours / seconds:.0f} pages/s, each in all formats, verified; Hugo wrote {made}",
    }


def against_rudof(folder: Path, name: str) -> dict[str, object]:
    """Validation only, each in its own process, with the same graph and shapes."""
    ours, theirs = (
        json.loads(
            subprocess.run(
                [sys.executable, "-m", "bench.felt", which, folder],
                check=True,
                capture_output=True,
                text=True,
            ).stdout.splitlines()[-1]
        )
        for which in ("kg", "rudof")
    )
    return {
        "work": f"SHACL, {name}, against pyrudof",
        "cpu": round(ours["cpu"], 2),
        "against": f"pyrudof {theirs['cpu']:.2f} s",
        "ratio": round(ours["cpu"] / theirs["cpu"], 2),
        "goal": 0.7,
        "note": f"{ours['findings']} findings; pyrudof {theirs['findings']}",
    }


def judged(which: str, folder: Path) -> dict[str, float]:
    from kg.graph.parallel.run import Run  # noqa: PLC0415
    from kg.mapping.ntriples import ntriples  # noqa: PLC0415

    graph, shapes = loaded(folder)
    if which == "kg":
        times, found = timed(lambda: shapes.find(graph.memory, Run(TODAY)))
        return {**times, "findings": len({each[:5] for each in found})}
    import pyrudof  # noqa: PLC0415

    turtle = shapes.turtle().decode()
    triples = (ntriples(graph.nquads) + ntriples(graph.rest)).decode()

    def work() -> int:
        rudof = pyrudof.Rudof(pyrudof.RudofConfig())
        rudof.read_data(triples, pyrudof.RDFFormat.NTriples)
        rudof.read_shacl(turtle, pyrudof.ShaclFormat.Turtle)
        return len(rudof.validate_shacl(pyrudof.ShaclValidationMode.Native))

    times, number = timed(work)
    return {**times, "findings": number}


def limit(
    work: str, found: float, most: float, note: str = "", unit: str = "s of CPU"
) -> dict[str, object]:
    return {
        "work": work,
        "cpu": round(found, 2),
        "against": f"{most:g} {unit}",
        "ratio": round(found / most, 2),
        "goal": 1.0,
        "note": note,
    }


if __name__ == "__main__":
    print(json.dumps(judged(sys.argv[1], Path(sys.argv[2]))))
