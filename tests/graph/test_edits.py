"""A check after an edit, which takes results from the memo, finds what a first check finds."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.check.check import Checked, check
from kg.files.cache import Cache, cache_folder
from kg.graph.parallel import shards
from kg.graph.parallel.executor import WorkerConfig
from kg.graph.parallel.run import Run
from tests.conftest import ROOT

ADA, KIM = "data/cv/ada-lindqvist.yaml", "data/cv/tomas-ferreira.yaml"
OWN, RULES = "data/own.ttl", "queries/rules/own.rq"
RULE = """PREFIX schema: <http://schema.org/>
CONSTRUCT { ?other schema:knows ?one ; schema:alternateName ?name } WHERE { ?one schema:knows ?other . ?other schema:name ?name }
"""  # noqa: E501
EDITS = [
    (ADA, "Survey Intern", "Gauge Intern"),
    (ADA, "name: Ada Lindqvist", "name: Ada Lindquist"),  # whom works and other CVs name
    ("data/people.yaml", "{name: Noor Haddad", "{name: Noor Hadad"),
    (KIM, "basics:\n", "basics:\n  visibility: private\n"),
    (KIM, "basics:\n  visibility: private\n", "basics:\n"),
    ("data/publications.yaml", "year: 2024\n", "year: 20x4\n"),
    ("data/publications.yaml", "year: 20x4\n", "year: 2024\n"),
    (ADA, "basics:", "basics: ["),
    (ADA, "basics: [", "basics:"),
    (ADA, "Gauge Intern", "Gauge Intern, note: Tomás Ferreira"),  # which is public elsewhere
    (OWN, "", "<people/noor-haddad#it> <http://schema.org/knows> <people/ada-lindqvist#it> .\n"),
    (RULES, "", RULE),  # which looks at what others derive
    (OWN, "knows", "colleague"),
    (ADA, "Gauge Intern, note: Tomás Ferreira", "Gauge Intern, note: Sediment transport"),
    (KIM, "name: Tomás Ferreira", "name: Tom Ferreira"),
]
TODAY = "2026-11-15"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A site each of whose files is a shard."""
    monkeypatch.setattr(shards, "MIN_SHARDED_SIZE", 0)
    monkeypatch.setattr(shards, "SHARD_SIZE", 1)
    monkeypatch.setattr(WorkerConfig, "size", 1)  # one process maps them all
    return Path(shutil.copytree(ROOT / "kg" / "example", tmp_path / "site"))


def results(site: Path) -> set[str]:
    return {path.name for path in (cache_folder(site) / "memo").iterdir()}


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def same(found: Checked, first: Checked, what: str) -> None:
    assert found.problems == first.problems, what
    assert found.graph is not None
    assert first.graph is not None
    assert found.graph.nquads == first.graph.nquads, what
    assert set(found.graph.memory.store) == set(first.graph.memory.store), what
    assert found.graph.memory.documents() == first.graph.memory.documents(), what


@pytest.mark.proof
def test_after_each_edit_all_is_found_that_a_first_check_finds(site: Path) -> None:
    memo = Cache(site)
    (site / "queries" / "rules").mkdir(parents=True)
    for file, old, new in [(ADA, "", ""), *EDITS]:
        edit(site / file, old, new)
        first = check(site, Run(TODAY))
        same(check(site, Run(TODAY, cache=memo)), first, new)


@pytest.mark.fuzz
@pytest.mark.sample(test=0.05)
@pytest.mark.parametrize("seed", range(2))
def test_a_random_series_of_edits(site: Path, seed: int) -> None:
    """Lines are taken out, doubled and swapped, in files of all kinds; some states have errors."""
    rng, memo = random.Random(seed), Cache(site)
    files = [path for path in sorted(site.glob("data/**/*.yaml")) if path.name != "site.yaml"]
    for _ in range(8):
        path = rng.choice(files)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        at = rng.randrange(len(lines))
        here, others = lines[at], lines[at + 1 : at + 2]
        lines[at : at + 2] = rng.choice(
            [
                others,
                [here, here, *others],
                [*others, here],
                [here.replace("20", "19", 1), *others],
                [here.replace("e", "é", 1), *others],
            ]
        )
        path.write_text("".join(lines), encoding="utf-8")
        same(check(site, Run(TODAY, cache=memo)), check(site, Run(TODAY)), f"{path.name}:{at}")


def test_after_a_check_that_failed_all_is_found(site: Path) -> None:
    memo = Cache(site)
    check(site, Run(TODAY, cache=memo))
    (site / "queries" / "rules").mkdir(parents=True)
    rule = site / "queries" / "rules" / "own.rq"
    rule.write_text(RULE.replace("?name }", "?name"))
    edit(site / ADA, "Survey Intern", "Gauge Intern")
    assert not check(site, Run(TODAY, cache=memo)).publishable
    rule.write_text(RULE)
    same(check(site, Run(TODAY, cache=memo)), check(site, Run(TODAY)), "")


def test_only_what_an_edit_touches_is_read_again(site: Path) -> None:
    memo = Cache(site)
    graph = check(site, Run(TODAY, cache=memo)).graph
    assert graph is not None
    before, quads = results(site), set(graph.memory.store)
    edit(site / ADA, "Survey Intern", "Gauge Intern")
    check(site, Run(TODAY, cache=memo))
    assert len(results(site) - before) == 2, "the file, and what it means"
    assert len(before) > 6
    assert set(graph.memory.store) == quads, "the graph before can still be queried"


def test_a_new_process_reads_what_another_has_saved(site: Path) -> None:
    memo = Cache(site)
    first = check(site, Run(TODAY, cache=memo))
    saved = results(site)
    same(check(site, Run(TODAY, cache=Cache(site))), first, "")
    assert results(site) == saved != set()
