"""Watching: every save is answered, none is read by half, and nothing that an author does to the
files ends it.
"""

from __future__ import annotations

import gc
import os
import shutil
import weakref
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from kg.check import watch
from kg.check.check import Checked, check
from kg.check.reloads import Reloads
from kg.check.watch import changes, checks, files
from kg.errors import SiteNotFound
from kg.facts.yaml.rows import Row
from kg.files.cache import Cache
from kg.graph.parallel.run import Run
from tests.conftest import ROOT

TODAY = "2026-11-15"


@pytest.fixture
def reloads() -> Iterator[Reloads]:
    """Ends the watching where a test would wait for ever."""
    reloads = Reloads()
    timer = Timer(30, reloads.end)
    timer.start()
    yield reloads
    timer.cancel()


def save(path: Path, old: str, new: str) -> None:
    """As editors save: beside the file, and then in its place."""
    draft = path.with_name(f".{path.name}.draft")
    text = path.read_text(encoding="utf-8")
    assert old in text
    draft.write_text(text.replace(old, new), encoding="utf-8")
    draft.replace(path)


def test_a_site_is_made_of_data_shapes_and_queries(example: Path) -> None:
    for name in (
        "shapes/own.ttl",
        "queries/rules/own.rq",
        "data/.schema/cv.json",
        "data/.cv.swp",
        ".kg-cache/graph.nq",
        "notes.txt",
    ):
        (example / name).parent.mkdir(parents=True, exist_ok=True)
        (example / name).write_text("#")
    os.utime(example / "shapes" / "own.ttl", ns=(5, 7))
    (example / "data" / "nowhere.yaml").symlink_to("gone.yaml")
    found = {str(Path(path).relative_to(example)): stamp for path, stamp in files(example).items()}
    assert found["data/nowhere.yaml"] == (0, 0), "the check reports it"
    assert found["shapes/own.ttl"] == (7, 1)
    assert {"data/site.yaml", "data/cv/ada-lindqvist.yaml", "queries/rules/own.rq"} < set(found)
    assert (
        len(found)
        == len(
            [
                path
                for path in (ROOT / "kg" / "example" / "data").rglob("*.yaml")
                if ".schema" not in path.parts
            ]
        )
        + 3
    )


def test_a_folder_that_is_gone_is_made_of_nothing(tmp_path: Path) -> None:
    assert files(tmp_path / "gone") == {}


@pytest.mark.parametrize(
    ("looks", "told"),
    [
        ("AAAAA", "A"),
        ("AAAABBBB", "AB"),
        ("AAAABCDDDD", "AD"),  # still being written at B and C
        ("AABBCBCBBBB", "AB"),  # to and fro
        ("AAABBCCCC", "AC"),  # written to while B was read
        ("ABBBB", "B"),  # and while the first state was read
        ("AATAA", "A"),  # a draft came and went
        ("AABBTBBBB", "AB"),  # and just while B was read
    ],
)
def test_only_what_has_come_to_rest_is_told(
    monkeypatch: pytest.MonkeyPatch, looks: str, told: str
) -> None:
    """The letters are what one look after the other sees; a state is looked at again as soon as it
    has been read.
    """
    monkeypatch.setattr(watch, "POLL_INTERVAL", 0)
    monkeypatch.setattr(watch, "SETTLE_INTERVAL", 0)
    reloads, left = Reloads(), list(looks)

    def look() -> str:
        if len(left) == 1:
            reloads.end()
        return left.pop(0) if len(left) > 1 else left[0]

    assert "".join(changes(look, str, reloads)) == told


@pytest.mark.proof
def test_every_save_is_answered_as_if_it_were_the_first(example: Path, reloads: Reloads) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    states = checks(example, Run(cache=Cache(example)), lambda: TODAY, reloads)
    first = next(states)
    assert isinstance(first, Checked)
    assert first.publishable
    for old, new, rules in (
        ("position: Lecturer", "postion: Lecturer", {"unknown-field"}),
        ("startDate: 2022-09", "startDate: 2022-13", {"unknown-field", "bad-date"}),
        ("startDate: 2022-13", "startDate: 2022-09", {"unknown-field"}),
        ("postion: Lecturer", "position: Lecturer", set()),
    ):
        save(cv, old, new)
        found = next(states)
        assert isinstance(found, Checked)
        assert {problem.rule for problem in found.problems if problem.severity == "error"} == rules
        assert found.problems == check(example, Run(TODAY)).problems
    assert found.graph is not None
    assert first.graph is not None
    assert found.graph.nquads == first.graph.nquads


def test_what_cannot_be_judged_is_told_and_watching_goes_on(
    site: Path, reloads: Reloads, tmp_path: Path
) -> None:
    states = checks(site, Run(cache=Cache(site)), lambda: TODAY, reloads)
    assert isinstance(next(states), Checked)
    (site / "shapes").mkdir()
    (site / "shapes" / "own.ttl").write_text("<people/ada> a")
    broken = next(states)
    assert isinstance(broken, Checked)
    assert [each.rule for each in broken.problems if each.severity == "error"] == ["turtle"]
    shutil.rmtree(site / "shapes")
    assert isinstance(next(states), Checked)
    site.rename(tmp_path / "elsewhere")
    assert isinstance(next(states), SiteNotFound)
    (tmp_path / "elsewhere").rename(site)
    back = next(states)
    assert isinstance(back, Checked)
    assert back.publishable


def test_a_file_that_may_not_be_read_is_told_and_watching_goes_on(
    site: Path, reloads: Reloads
) -> None:
    cv = site / "data" / "cv" / "ada-berg.yaml"
    states = checks(site, Run(cache=Cache(site)), lambda: TODAY, reloads)
    next(states)
    text = cv.read_bytes()
    cv.unlink()
    cv.symlink_to("/proc/self/mem")  # opens, and cannot be read even by root
    broken = next(states)
    assert isinstance(broken, Checked)
    assert "unreadable-file" in {each.rule for each in broken.problems}
    cv.unlink()
    cv.write_bytes(text)
    assert isinstance(next(states), Checked)


def test_a_new_day_is_judged_too(site: Path, reloads: Reloads) -> None:
    days = [TODAY]
    states = checks(site, Run(cache=Cache(site)), lambda: days[0], reloads)
    next(states)
    days[0] = "2026-11-16"
    assert isinstance(next(states), Checked)


def test_the_end_of_reloads_ends_it(site: Path, reloads: Reloads) -> None:
    states = checks(site, Run(cache=Cache(site)), lambda: TODAY, reloads)
    next(states)
    reloads.end()
    assert list(states) == []


def test_a_state_is_gone_before_the_next_is_checked(
    site: Path, reloads: Reloads, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv, states = (
        site / "data" / "cv" / "ada-berg.yaml",
        checks(site, Run(cache=Cache(site)), lambda: TODAY, reloads),
    )
    graphs, left = [], []

    def noted(*given: Any, **more: Any) -> Checked:
        left.append([graph() is None for graph in graphs])
        return check(*given, **more)

    monkeypatch.setattr(watch, "check", noted)
    for initial in "BCD":
        save(cv, "name: ", f"name: {initial}. ")
        found = next(states)
        assert isinstance(found, Checked)
        graphs.append(weakref.ref(found.graph))
        del found
    assert left == [[], [True], [True, True]]


@pytest.mark.proof
def test_earlier_states_do_not_stay_in_memory(site: Path, reloads: Reloads) -> None:
    cv, states = (
        site / "data" / "cv" / "ada-berg.yaml",
        checks(site, Run(cache=Cache(site)), lambda: TODAY, reloads),
    )
    gc.collect()
    before = rows_alive()
    for initial in "BCD":
        save(cv, "name: ", f"name: {initial}. ")
        last = next(states)
        assert isinstance(last, Checked)
    held = rows_alive()
    del last
    reloads.end()
    assert list(states) == []
    assert rows_alive() <= min(before, held - 1)


def rows_alive() -> int:
    """How much of what was read is still there, be it overlooked by the collector."""
    gc.unfreeze()
    return sum(isinstance(each, Row) for each in gc.get_objects())
