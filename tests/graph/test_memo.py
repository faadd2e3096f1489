"""Who checks again and again finds what a first check finds, though most of it is not read
again.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from kg.check.check import check
from kg.check.verdict import Verdict
from kg.errors import KgError
from kg.graph.memo import Memo
from kg.graph.parallel import shards
from kg.memo import Body, read_body
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
    monkeypatch.setattr(shards, "FINEST", 1)
    return Path(shutil.copytree(ROOT / "kg" / "example", tmp_path / "site"))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_after_each_edit_all_is_found_that_a_first_check_finds(site: Path) -> None:
    memo, in_place = Memo(), Memo(in_place=True)
    before: Verdict | None = None
    (site / "queries" / "rules").mkdir(parents=True)
    for file, old, new in [(ADA, "", ""), *EDITS]:
        edit(site / file, old, new)
        found = [
            check(site, TODAY),
            check(site, TODAY, memo=memo),
            check(site, TODAY, before, memo=in_place),
        ]
        first, before = found[0].graph, found[-1].verdict
        assert first is not None
        for each in found[1:]:
            assert each.problems == found[0].problems, new
            assert each.graph is not None
            assert each.graph.nquads == first.nquads, new
            assert set(each.graph.memory.store) == set(first.memory.store), new
            assert each.graph.memory.documents() == first.memory.documents(), new
            assert each.verdict is not None
            assert each.verdict == found[0].verdict, new
    assert each.graph.since is not None, "it was changed in place"


def test_after_what_went_wrong_all_is_made_anew(site: Path) -> None:
    memo = Memo(in_place=True)
    check(site, TODAY, memo=memo)
    (site / "queries" / "rules").mkdir(parents=True)
    rule = site / "queries" / "rules" / "own.rq"
    rule.write_text(RULE.replace("?name }", "?name"))
    edit(site / ADA, "Survey Intern", "Gauge Intern")
    with pytest.raises(KgError, match="this rule cannot be used"):
        check(site, TODAY, memo=memo)
    rule.write_text(RULE)
    again, first = check(site, TODAY, memo=memo), check(site, TODAY)
    assert again.graph is not None
    assert first.graph is not None
    assert again.graph.since is None
    assert again.graph.nquads == first.graph.nquads
    assert set(again.graph.memory.store) == set(first.graph.memory.store)


def test_only_what_an_edit_touches_is_read_again(site: Path) -> None:
    memo = Memo()
    graph = check(site, TODAY, memo=memo).graph
    assert graph is not None
    before, quads = set(memo.known), set(graph.memory.store)
    edit(site / ADA, "Survey Intern", "Gauge Intern")
    check(site, TODAY, memo=memo)
    assert len(set(memo.known) - before) == 2, "the file, and what it means"
    assert len(before) == len(memo.known) > 6, "what it was before is let go"
    assert set(graph.memory.store) == quads, "who may still ask the last graph is answered from it"


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


class OfFile(NamedTuple):
    path: Path

    def inputs(self, body: Body = read_body) -> bytes:
        return body(str(self.path))


def test_a_file_is_read_again_unless_its_stamp_is_known(tmp_path: Path) -> None:
    memo, task = Memo(), OfFile(tmp_path / "file")

    def told(text: str, **stamps: tuple[int, int]) -> str:
        task.path.write_text(text)
        memo.see({str(tmp_path / name): stamp for name, stamp in stamps.items()})
        (found,) = memo.begin(None).each(lambda task: task.path.read_text(), [task])
        memo.end()
        return found

    assert [told("a"), told("b")] == ["a", "b"]
    assert [told("c", file=(1, 1)), told("d", file=(1, 1)), told("d", file=(2, 1)), told("e")] == [
        "c",
        "c",
        "d",
        "e",
    ]
