"""The command `kg sync`: what it prints, writes and returns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_cli import run
from tests.plugins.sync.services import OWNER, Session, Work, session
from tests.plugins.sync.test_sync import ICE, MINE, RIVER


@pytest.fixture
def synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A site with one of two works, and the year of that in question."""
    with session(tmp_path / "site", [ICE, RIVER], MINE) as each:
        monkeypatch.setenv("KG_SOURCES", each.services.root)
        monkeypatch.setenv("KG_CONTACT", "a@b.example")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.delenv("OPENALEX_KEY", raising=False)
        yield each


def test_lines_have_keys_and_reasons_and_the_patch_goes_to_stdout(synced: Session) -> None:
    result = run("sync", str(synced.site))
    assert result.exit_code == 1
    assert result.stdout.startswith("--- a/data/cv/hana-lind.yaml\n")
    assert "? year: 2021 -> 2023\n" in result.stderr
    assert "Crossref and ORCID say 2023; you say 2021." in result.stderr
    assert "hana-lind: 1 work to add, 2 fields to add, 1 question" in result.stderr
    assert "Crossref agrees with 0 of 1" in result.stderr


def test_apply_writes_and_the_summary_is_markdown(synced: Session, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    result = run("sync", str(synced.site), "--apply", "--summary", str(summary))
    assert result.exit_code == 0
    text = summary.read_text()
    assert "### Written" in text
    assert "| `Rivers that listen` | `+ Rivers that listen (2022)` |" in text
    assert "### Not written, because it needs your answer" in text
    assert "`kg sync --accept " in text
    assert "Rivers that listen" in synced.text
    run("sync", str(synced.site), "--refuse", key_of(synced))
    result = run("sync", str(synced.site))
    assert result.exit_code == 0
    assert "hana-lind: nothing new" in result.stderr
    run("sync", str(synced.site), "--apply", "--summary", str(summary))
    assert "Nothing new." in summary.read_text()


def key_of(synced: Session) -> str:
    result = run("sync", str(synced.site), "--format", "json")
    (found,) = [each for each in json.loads(result.stdout) if each["needs_consent"]]
    return str(found["key"])


def test_titles_of_strangers_cannot_write_markdown(synced: Session, tmp_path: Path) -> None:
    title = "Ice `<img src=x>` @everyone | [x](http://x)"
    synced.services.works = [Work("10.5555/x.1", title, authors=(OWNER,))]
    summary = tmp_path / "summary.md"
    run("sync", str(synced.site), "--summary", str(summary))
    (line,) = [each for each in summary.read_text().splitlines() if "everyone" in each]
    assert line.count("`") % 2 == 0
    assert "Ice '' @everyone \\| [x](http://x)" in line


def test_accepting_one_line_writes_no_other(synced: Session) -> None:
    result = run("sync", str(synced.site), "--accept", key_of(synced))
    assert result.exit_code == 0
    assert "year: 2023" in synced.text
    assert "Rivers" not in synced.text


def test_an_unknown_key_changes_nothing(synced: Session) -> None:
    before = synced.text
    result = run("sync", str(synced.site), "--accept", "nothing")
    assert result.exit_code != 0
    assert "No line has the key nothing" in result.stderr
    assert synced.text == before


def test_answers_are_recorded(synced: Session, tmp_path: Path) -> None:
    run("sync", str(synced.site), "--record", str(tmp_path / "kept"))
    assert len([*(tmp_path / "kept").rglob("*.txt")]) == len(synced.services.asked)


def test_interactive_needs_a_terminal(synced: Session) -> None:
    assert run("sync", str(synced.site), "--interactive").exit_code == 2


@pytest.mark.parametrize(
    ("sync", "message"),
    [
        ("sync: {sources: [crosref]}", "Closest: crossref."),
        ("sync: {sources: [scholar]}", "Known: crossref, datacite, dblp, orcid, openalex."),
    ],
)
def test_an_unknown_source(synced: Session, sync: str, message: str) -> None:
    synced.cv.write_text(f"{synced.text}{sync}\n")
    assert message in run("sync", str(synced.site)).stderr


def test_nobody_with_an_identifier(synced: Session) -> None:
    synced.cv.write_text("basics: {name: Hana Lind}\n")
    assert "Nobody here has an identifier." in run("sync", str(synced.site)).stderr


def test_dead_links_are_listed(synced: Session) -> None:
    synced.cv.write_text(f"{synced.text}    url: https://ice.example/gone\n")
    result = run("sync", str(synced.site), "--links")
    place = "data/cv/hana-lind.yaml:5:5"
    assert f"{place}: https://ice.example/gone does not exist any more" in result.stderr
