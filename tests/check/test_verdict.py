"""Judging: after any edit the verdict is the one from the beginning, and that is the one of plain
pyshacl.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.check.check import check, check_cached, good
from kg.check.shacl import shape_files
from kg.check.shacl.shapes import Shapes
from kg.check.verdict import judge, load_verdict, reference, save_verdict
from kg.files.cache import Cache, cache_folder
from kg.graph.build import Graph
from kg.graph.parallel.run import Run
from kg.settings import shipped
from kg.store.memory import Memory
from tests.conftest import ROOT

TODAY = "2026-11-15"
FILES = sorted(shipped("shapes").glob("*.ttl"))


@cache  # no fixtures: hypothesis would write them out at length
def example_graph() -> Graph:
    return good(ROOT / "kg" / "example")


@cache
def shapes() -> Shapes:
    return shape_files.read(example_graph().site.base, FILES)


def edited(graph: Graph, rng: random.Random, edits: int) -> Graph:
    """The graph after random edits of its triples, as an author could hardly make them: things
    lost, doubled, bent.
    """
    lines = graph.nquads.decode().splitlines()
    subjects = sorted({line.split(" ", 1)[0] for line in lines})
    for _ in range(edits):
        at = rng.randrange(len(lines))
        subject, predicate, rest = lines[at].split(" ", 2)
        graph_name = rest[rest.rindex(" <") :] if " <" in rest else ""
        other = lines[rng.randrange(len(lines))].split(" ", 2)
        match rng.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines[at] = (
                    f"{subject} {predicate} "
                    f'"{rng.choice(["", "lower case", "1066", "10.1/x"])}"{graph_name}'
                )
            case 2:
                lines.append(f"{subject} {predicate} {rng.choice(subjects)}{graph_name}")
            case 3:
                lines.append(
                    f"{subject} {other[1]} {other[2][: other[2].rindex(' <')]}{graph_name}"
                )
            case 4:
                lines = [line for line in lines if not line.startswith(f"{subject} ")]
    nquads = "".join(f"{line}\n" for line in sorted(set(lines))).encode()
    return replace(graph, nquads=nquads, memory=Memory(graph.site.base, nquads + graph.rest))


@pytest.mark.fuzz
@pytest.mark.proof
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 12))
@settings(max_examples=20, deadline=None)
def test_after_any_edit_it_is_the_verdict_from_the_beginning(seed: int, edits: int) -> None:
    rng = random.Random(seed)
    before = edited(example_graph(), rng, edits)
    after = edited(before, rng, rng.randrange(1, 6))
    start = judge(before, shapes(), Run(TODAY))
    assert judge(after, shapes(), Run(TODAY), start) == judge(after, shapes(), Run(TODAY))


@pytest.mark.fuzz
@pytest.mark.proof
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 12))
@settings(max_examples=3, deadline=None)
def test_it_is_the_verdict_of_plain_pyshacl(seed: int, edits: int) -> None:
    graph = edited(example_graph(), random.Random(seed), edits)
    ours = judge(graph, shapes(), Run(TODAY)).findings
    assert {each.result for each in ours} == {
        each.result for each in reference(graph, shapes(), TODAY)
    }


def test_on_another_day_only_what_is_about_now_is_asked_again() -> None:
    start = judge(example_graph(), shapes(), Run("1980-01-01"))
    assert judge(example_graph(), shapes(), Run(TODAY), start) == judge(
        example_graph(), shapes(), Run(TODAY)
    )


def test_other_shapes_are_judged_from_the_beginning() -> None:
    fewer = shape_files.read(example_graph().site.base, FILES[:2])
    start = judge(example_graph(), fewer, Run(TODAY))
    assert judge(example_graph(), shapes(), Run(TODAY), start).shapes == shapes().key != fewer.key


def test_a_verdict_is_kept_and_found_again(example: Path) -> None:
    verdict = check(example, Run(TODAY)).verdict
    assert verdict is not None
    save_verdict(Cache(example), verdict)
    assert load_verdict(Cache(example)) == verdict


def test_a_damaged_cache_is_as_good_as_none(example: Path) -> None:
    verdict = check(example, Run(TODAY)).verdict
    assert verdict is not None
    save_verdict(Cache(example), verdict)
    file, rng = cache_folder(example) / "verdict", random.Random(3)
    body = file.read_bytes()
    for _ in range(40):
        flipped = bytearray(body)
        flipped[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
        file.write_bytes(flipped)
        assert load_verdict(Cache(example)) is None
    file.write_bytes(body[:-9])
    assert load_verdict(Cache(example)) is None
    file.unlink()
    assert load_verdict(Cache(example)) is None


def test_a_verdict_of_another_program_is_as_good_as_none(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = check(example, Run(TODAY)).verdict
    assert verdict is not None
    save_verdict(Cache(example), verdict)
    monkeypatch.setattr("kg.files.cache.program", lambda: "0")
    assert load_verdict(Cache(example)) is None


@pytest.mark.sample(test=0.03, proof=0.15)
@pytest.mark.parametrize("seed", range(40))
def test_a_flipped_bit_anywhere_in_the_cache_changes_no_report(example: Path, seed: int) -> None:
    told = check_cached(example, Run(TODAY, cache=Cache(example))).problems
    rng = random.Random(seed)
    files = sorted(path for path in cache_folder(example).rglob("*") if path.is_file())
    file = rng.choice(files)
    body = bytearray(file.read_bytes())
    body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
    file.write_bytes(body)
    assert check_cached(example, Run(TODAY, cache=Cache(example))).problems == told


def test_where_nothing_can_be_written_nothing_is_kept(example: Path) -> None:
    verdict = check(example, Run(TODAY)).verdict
    assert verdict is not None
    cache_folder(example).write_text("in the way", encoding="utf-8")
    save_verdict(Cache(example), verdict)
    assert load_verdict(Cache(example)) is None
