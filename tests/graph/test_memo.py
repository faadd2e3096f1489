"""Who checks again and again finds what a first check finds, though most of it is not read again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.graph import shards
from kg.graph.check import check
from kg.graph.keep import Body, read_body
from kg.graph.memo import Memo
from tests.conftest import ROOT

ADA, KIM = "data/cv/ada-lindqvist.yaml", "data/cv/tomas-ferreira.yaml"
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
]
TODAY = "2026-11-15"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A site each of whose files is a shard."""
    monkeypatch.setattr(shards, "FINEST", 1)
    return Path(shutil.copytree(ROOT / "kg" / "example", tmp_path / "site"))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_after_each_edit_all_is_found_that_a_first_check_finds(site: Path) -> None:
    memo = Memo()
    for file, old, new in [(ADA, "", ""), *EDITS]:
        edit(site / file, old, new)
        again, first = check(site, TODAY, memo=memo), check(site, TODAY)
        assert again.problems == first.problems, new
        assert again.graph is not None
        assert first.graph is not None
        assert again.graph.nquads == first.graph.nquads, new


def test_only_what_an_edit_touches_is_read_again(site: Path) -> None:
    memo = Memo()
    check(site, TODAY, memo=memo)
    before = set(memo.known)
    edit(site / ADA, "Survey Intern", "Gauge Intern")
    check(site, TODAY, memo=memo)
    assert len(set(memo.known) - before) == 2, "the file, and what it means"
    assert len(before) == len(memo.known) > 6, "what it was before is let go"


class Task:
    """What is read changes while it is read."""

    text = b"a"

    def inputs(self, body: Body = read_body) -> bytes:
        return self.text


def test_what_was_written_to_while_it_was_read_is_not_remembered() -> None:
    def read(task: Task) -> bytes:
        task.text = b"b"
        return task.text

    memo, task = Memo(), Task()
    assert list(memo.begin(None).each(read, [task])) == [b"b"]
    memo.end()
    assert not memo.known
    assert list(memo.begin(None).each(read, [task])) == [b"b"]
    memo.end()
    assert len(memo.known) == 1
