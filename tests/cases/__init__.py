"""Reads case folders: builds the site a case stands for, and what is expected of it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pyoxigraph import Quad, RdfFormat, parse

from kg.check.check import check
from kg.check.report.explain import read
from kg.errors import Problem
from kg.facts.load import load
from kg.graph.build import build
from kg.graph.parallel.run import Run
from kg.publish.formats.rdf import turtle

FOLDER = Path(__file__).parent
BASE = "https://cases.example.org/"
TODAY = "2026-01-15"
CASES = sorted(path for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_"))
EXPLAINED = sorted((FOLDER.parent.parent / "shapes" / "explained").glob("*.yaml"))


def site(case: Path, folder: Path) -> Path:
    """The site of a case: the base, with the case's files on top, and what is in its own `data/` as
    it is; in `site/` what a build left.
    """
    data = base_site(folder) / "data"
    for path in case.glob("*.yaml"):
        target = (
            data / "cv" / "ada.yaml" if path.name == "cv.yaml" else data / path.stem / "case.yaml"
        )
        target.parent.mkdir(exist_ok=True)
        shutil.copy(path, data / path.name if path.name == "site.yaml" else target)
    for path in case.glob("*.ttl"):
        if path.name != "expected.ttl":
            shutil.copy(path, data)
    if (case / "data").is_dir():
        shutil.copytree(case / "data", data, dirs_exist_ok=True)
    if (case / "addresses.txt").exists():
        (folder / "site").mkdir()
        shutil.copy(case / "addresses.txt", folder / "site")
    return folder


def base_site(folder: Path) -> Path:
    (folder / "data" / "cv").mkdir(parents=True)
    for path in (FOLDER / "_base").glob("*.yaml"):
        place = Path("cv", "ada.yaml") if path.name == "cv.yaml" else Path(path.name)
        shutil.copy(path, folder / "data" / place)
    shutil.copytree(FOLDER / "_base" / "cv", folder / "data" / "cv", dirs_exist_ok=True)
    return folder


def example_site(files: Mapping[str, str | bytes], folder: Path) -> Path:
    """The site of an example of a rule: the base, with the example's files on top."""
    base_site(folder)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def triples(folder: Path) -> set[Quad]:
    """The graph of a site without what no author wrote: pages, lists, our own terms."""
    facts = load(folder)
    assert facts.site is not None
    found = build(facts, facts.site).memory.store
    boilerplate = ("mainEntityOfPage>", "isPrimaryTopicOf>")
    kept = [
        quad
        for quad in found
        if written(str(quad.subject)[1:-1]) and not str(quad.predicate).endswith(boilerplate)
    ]
    return {Quad(quad.subject, quad.predicate, quad.object) for quad in kept}


def written(subject: str) -> bool:
    document, _, fragment = subject.partition("#")
    return bool(fragment) and not document.endswith("/") and "/terms#" not in document


def added(case: Path, folder: Path) -> set[Quad]:
    """What a case adds to the graph of the base."""
    return triples(site(case, folder)) - base_triples()


@cache
def base_triples() -> set[Quad]:
    with TemporaryDirectory() as folder:
        return triples(site(FOLDER / "_base", Path(folder)))


def expected(case: Path) -> set[Quad]:
    return {
        Quad(*quad.triple)
        for quad in parse(path=str(case / "expected.ttl"), format=RdfFormat.TURTLE)
    }


def found(site: Path) -> list[Problem]:
    return check(site, Run(TODAY, site / "site" / "addresses.txt")).problems


def problems(site: Path) -> str:
    return "".join(f"{problem}\n" for problem in found(site))


def rewrite(case: Path, folder: Path) -> None:
    """Writes the expectation of a case, or of a rule's bad example, from what happens now."""
    if case.suffix == ".yaml":
        report = problems(example_site(read(case).bad, folder / "problems"))
        before, _, _ = case.read_text(encoding="utf-8").partition("\nsays: ")
        lines = "".join(f"  {line}\n" for line in report.splitlines())
        case.write_text(f"{before}\nsays: |\n{lines}", encoding="utf-8")
    elif (case / "expected.ttl").exists() or not (case / "problems.txt").exists():
        (case / "expected.ttl").write_bytes(turtle(BASE, added(case, folder)))
    else:
        report = problems(site(case, folder / "problems"))
        (case / "problems.txt").write_text(report, encoding="utf-8")
