"""Edits of the example, and what is said of each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from kg.facts.load import load
from kg.graph.build import build
from kg.plugins.changes.change_words import GraphState, WordedChange, changes, difference
from kg.publish.site import Documents

ADA, WORKS = "cv/ada-lindqvist.yaml", "publications.yaml"
NEW_WORK = """
lindqvist-2026-echo:
  title: Echo
  kind: journal
  authors: [Ada Lindqvist, N. Haddad]
  venue: journal-of-sand
  year: 2026
  source: ada-cv
"""
FRIEND = (
    "{organization: delta-works, level: Friend, startDate: 2024, endDate: present, source: ada-cv}"
)
# What is edited, what it becomes, and what is said: of whom, by which sign, the text, what was.
EDITS = {
    "a new work": (
        WORKS, "", NEW_WORK,
        ("Echo", "new", "new publication (2026), by Ada Lindqvist, Noor Haddad", ""),
    ),
    "a job that ends": (
        ADA, "startDate: 2022-09, endDate: present", "startDate: 2022-09, endDate: 2025-12",
        (
            "Ada Lindqvist", "changed",
            "dates of employment Lecturer, Northfjord, Norway, River Laboratory changed: "
            "Sep 2022 – Dec 2025",
            "Sep 2022 – present",
        ),
    ),
    "a new membership": (
        ADA, "memberships:\n", f"memberships:\n  - {FRIEND}\n",
        ("Ada Lindqvist", "new", "new membership: Friend, Delta Works (2024 – present)", ""),
    ),
    "an address that is hashed": (
        ADA, "value: ada@example.org", "value: ada@river.example",
        ("Ada Lindqvist", "changed", "E-mail changed", ""),
    ),
    "another summary": (
        ADA, "Measures how rivers carry sand, and why they drop it.", "Listens to rivers.",
        (
            "Ada Lindqvist", "changed", "Description changed: Listens to rivers.",
            "Measures how rivers carry sand, and why they drop it.",
        ),
    ),
    "a value that is gone": (
        ADA, "  pronouns: she/her\n", "",
        ("Ada Lindqvist", "removed", "Pronouns removed", "she/her"),
    ),
    "an entry that is gone": (
        ADA, "  - {reason: Parental leave, startDate: 2020-03, endDate: 2020-12, source: ada-cv}\n",
        "  []\n",
        (
            "Ada Lindqvist", "removed", "career break removed",
            "Parental leave (Mar – Dec 2020)",
        ),
    ),
    "another author": (
        WORKS, "authors: [T. Ferreira, A. Lindqvist]", "authors: [T. Ferreira]",
        ("Cheap Gauges for Long Rivers", "removed", "Authors removed", "Ada Lindqvist"),
    ),
}  # fmt: skip


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / "data" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new) if old else text + new, encoding="utf-8")


def state(folder: Path) -> GraphState:
    facts = load(folder)
    assert facts.site
    assert [each for each in facts.problems if each.severity == "error"] == []
    return GraphState(build(facts, facts.site).nquads)


def words(change: WordedChange) -> tuple[str, str, str, str]:
    return change.title, change.verb, change.text, change.former


def test_edits_are_told_in_words_and_none_twice(small: Documents, example: Path) -> None:
    for file, old, new, _ in EDITS.values():
        edit(example, file, old, new)
    before, after = GraphState(small.graph.nquads), state(example)
    found = changes(difference(before, after))
    told = list(map(words, found))
    assert {
        each: [*expected] for each, (*_, expected) in EDITS.items() if expected not in told
    } == {}
    assert len(told) == len({*told}) <= len(EDITS) + 1  # the printed name of a new author
    lines = {*after.nquads.decode().splitlines()}
    for change in found:
        assert {*change.quotes} <= lines, change.text
    assert changes(difference(after, after)) == []

    back = changes(difference(after, before))
    assert Counter(change.verb for change in back)["changed"] == 3
    gone = [change for change in back if not change.about]
    assert list(map(words, gone)) == [("", "removed", "publication removed", "Echo")]
    assert gone[0].quotes == ()
    now = before.nquads.decode()
    for change in back:  # what may be published never says what was
        if change.former and change.former not in now:
            assert change.former not in f"{change.title} {change.text}"


def test_a_graph_of_others_has_words_too() -> None:
    line = '<https://e.example/a> <http://schema.org/name> "{}" .\n'
    old, new = (GraphState(line.format(name).encode()) for name in ("One", "Two"))
    [change] = changes(difference(old, new))
    assert words(change) == ("Two", "changed", "Name changed: Two", "One")
