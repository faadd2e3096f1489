"""The report on a site is taken from the cache where nothing has changed, and only there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import NoReturn

import pytest

from kg import doors
from kg.check.site_state import SiteState
from kg.cli.check import judge
from kg.files.cache import Cache
from kg.graph.parallel.run import Run
from tests.cli.test_cli import run

TODAY = "2026-11-15"


def append(site: Path) -> None:
    with (site / "data" / "people.yaml").open("a", encoding="utf-8") as file:
        file.write("# more\n")


def put(name: str, text: str = "# a remark\n") -> Callable[[Path], object]:
    def write(site: Path) -> None:
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")

    return write


def link_out(site: Path) -> None:
    (site / "static").mkdir(exist_ok=True)
    (site.parent / "outside.txt").write_text("same")
    (site / "static" / "a.txt").symlink_to(site.parent / "outside.txt")


CHANGES: dict[str, Callable[[Path], object]] = {
    "an edit": append,
    "a new file": put("data/more.yaml"),
    "a shape": put("shapes/own.ttl"),
    "a query": put("queries/own.rq"),
    "a template": put("templates/own.html"),
    "a file to publish": put("static/a.txt", "same"),
    "a link that leads out": link_out,
    "a link that leads nowhere": lambda site: (site / "data/x.yaml").symlink_to("gone"),
    "an empty folder": lambda site: (site / "data" / "other").mkdir(),
    "a file that is gone": lambda site: (site / "data" / "venues.yaml").unlink(),
}


@pytest.fixture
def only_cached(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("it is checked again")

    module = sys.modules["kg.check.check"]
    return lambda: monkeypatch.setattr(module, "check", refuse)


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab"])
def test_a_site_that_is_unchanged_is_not_checked_again(
    example: Path, form: str, only_cached: Callable[[], None]
) -> None:
    put("data/cv/ada-lindqvist.yaml", "basics: {name: Ada, nmae: A}\n")(example)
    words = ["check", example, "--today", TODAY, "-f", form]
    before = run(*words)
    only_cached()
    after = run(*words)
    assert before.exit_code == after.exit_code == 1
    assert "nmae" in before.stdout
    assert (after.stdout, after.stderr) == (before.stdout, before.stderr)


@pytest.mark.parametrize("change", CHANGES)
def test_after_any_change_the_state_is_another(example: Path, change: str) -> None:
    state = SiteState(example, Run(TODAY))
    before = state.inputs()
    assert state.inputs() == before
    CHANGES[change](example)
    assert state.inputs() != before


def test_a_file_and_a_link_to_the_same_text_are_told_apart(example: Path) -> None:
    state = SiteState(example, Run(TODAY))
    put("static/a.txt", "same")(example)
    before = state.inputs()
    (example / "static" / "a.txt").unlink()
    link_out(example)
    assert state.inputs() != before


def test_another_day_and_another_earlier_build_are_other_states(
    example: Path, tmp_path: Path
) -> None:
    addresses = tmp_path / "addresses.txt"
    states = {SiteState(example, Run(day)).inputs() for day in ("", TODAY, "2026-11-16")}
    states.add(SiteState(example, Run(TODAY, addresses)).inputs())
    for name in ("addresses.txt", "_redirects"):
        (tmp_path / name).write_text("#")
        states.add(SiteState(example, Run(TODAY, addresses)).inputs())
    assert len(states) == 6


def test_with_rules_of_plugins_nothing_is_taken_from_the_cache(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = SiteState(example, Run(TODAY, cache=Cache(example)))
    assert state.cache is state.run.cache
    monkeypatch.setattr(
        doors, "installed", lambda group: {"own": EntryPoint("own", "own:RULE", group)}
    )
    assert state.cache.folder is None


def test_a_report_is_that_of_a_check(example: Path) -> None:
    state = SiteState(example, Run(TODAY, cache=Cache(example)))
    first, again = (next(Cache(example).map(judge, [state])) for _ in range(2))
    assert first == again
    assert first.publishable
    assert "people" in first.counts
