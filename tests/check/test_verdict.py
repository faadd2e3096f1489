"""Judging: after any edit the verdict is the one from the beginning, and that is the one of plain
pyshacl.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.check import shape_files
from kg.check.check import check, good
from kg.check.shapes import Shapes
from kg.check.verdict import judge, load_verdict, reference, save_verdict
from kg.graph.build import Graph
from kg.settings import CACHE, shipped
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
    return replace(graph, nquads=nquads, memory=Memory(graph.site.base, nquads + graph.pages))


@given(seed=st.integers(0, 2**32), edits=st.integers(1, 12))
@settings(max_examples=20, deadline=None)
def test_after_any_edit_it_is_the_verdict_from_the_beginning(seed: int, edits: int) -> None:
    rng = random.Random(seed)
    before = edited(example_graph(), rng, edits)
    after = edited(before, rng, rng.randrange(1, 6))
    start = judge(before, shapes(), TODAY)
    assert judge(after, shapes(), TODAY, start) == judge(after, shapes(), TODAY)


@pytest.mark.proof
@given(seed=st.integers(0, 2**32), edits=st.integers(1, 12))
@settings(max_examples=3, deadline=None)
def test_it_is_the_verdict_of_plain_pyshacl(seed: int, edits: int) -> None:
    graph = edited(example_graph(), random.Random(seed), edits)
    ours = judge(graph, shapes(), TODAY).findings
    assert {each.result for each in ours} == {
        each.result for each in reference(graph, shapes(), TODAY)
    }


def test_on_another_day_only_what_is_about_now_is_asked_again() -> None:
    start = judge(example_graph(), shapes(), "1980-01-01")
    assert judge(example_graph(), shapes(), TODAY, start) == judge(example_graph(), shapes(), TODAY)


def test_other_shapes_are_judged_from_the_beginning() -> None:
    fewer = shape_files.read(example_graph().site.base, FILES[:2])
    start = judge(example_graph(), fewer, TODAY)
    assert judge(example_graph(), shapes(), TODAY, start).shapes == shapes().key != fewer.key


def test_a_verdict_is_kept_and_found_again(example: Path) -> None:
    verdict = check(example, TODAY).verdict
    assert verdict is not None
    save_verdict(example, verdict)
    assert load_verdict(example) == verdict
    assert (example / CACHE / ".gitignore").read_text(encoding="utf-8") == "*\n"


@pytest.mark.parametrize("damage", ["graph.nq", "verdict.json", "both", "version", "fields"])
def test_a_damaged_cache_is_as_good_as_none(example: Path, damage: str) -> None:
    verdict = check(example, TODAY).verdict
    assert verdict is not None
    save_verdict(example, verdict)
    folder = example / CACHE
    if damage == "both":
        (folder / "graph.nq").unlink()
        (folder / "verdict.json").unlink()
    elif damage in ("version", "fields"):
        said = json.loads((folder / "verdict.json").read_bytes())
        said.update({"program": "0"} if damage == "version" else {"dataset": [{"surprise": 1}]})
        (folder / "verdict.json").write_text(json.dumps(said), encoding="utf-8")
    else:
        (folder / damage).write_bytes((folder / damage).read_bytes()[:-9])
    assert load_verdict(example) is None


def test_where_nothing_can_be_written_nothing_is_kept(example: Path) -> None:
    verdict = check(example, TODAY).verdict
    assert verdict is not None
    (example / CACHE).write_text("in the way", encoding="utf-8")
    save_verdict(example, verdict)
    assert load_verdict(example) is None
