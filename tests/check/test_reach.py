"""Who can see a change: the nodes at the other end of a rule's way; and every rule sees as far as
it says.
"""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad

from kg.check import dataset_rules, shape_files
from kg.check.impact.diff import read
from kg.check.impact.reach import Neighbours, Reach, Way
from kg.check.report import explain
from kg.check.shapes import Rule
from kg.check.verdict import Edit, Verdict
from kg.facts.load import load
from kg.graph.build import build
from kg.settings import shipped
from kg.store.memory import Memory
from tests.cases import BASE, EXPLAINED, TODAY, example_site

B = "https://x.example/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
# Two people, each with two jobs; one job of each is in the lab, which is part of a school.
LINKS = """
    page of ada; ada job ada-1; ada job ada-2; ben job ben-1; ben job ben-2
    ada-1 at lab; ben-1 at lab; ada-2 at firm; ben-2 at firm; lab part school; school part land
"""


def line(link: str) -> str:
    return " ".join(f"<{B}{name}>" for name in [*link.split(), "g"]) + " ."


LINES = [line(link) for row in LINKS.strip().splitlines() for link in row.split(";")]
LINES += [f"<{B}{name}> {TYPE} <{B}Thing> <{B}g> ." for name in ("ada", "ben", "lab", "land")]


def neighbours(*without: str) -> Neighbours:
    return Neighbours(
        Memory(B, "".join(f"{each}\n" for each in LINES if each not in without).encode())
    )


def iris(*names: str) -> set[str]:
    return {f"{B}{name}" for name in names}


def test_neighbours_are_not_found_through_classes() -> None:
    near = neighbours().near
    assert near(iris("lab")) == iris("lab", "ada-1", "ben-1", "school")
    assert near(iris("lab"), way=Way.ALONG) == iris("lab", "school")
    assert near(iris("lab"), way=Way.AGAINST) == iris("lab", "ada-1", "ben-1")
    assert near(iris("lab"), iris("at"), Way.ALONG) == iris("lab")


CASES = {
    "a node sees what begins or ends at it": ("ada-1 at lab", Reach(0), "ada-1 lab"),
    "its neighbours see it too": ("ada-1 at lab", Reach(1), "ada-1 lab ada ben-1"),
    "who looks ahead sees what begins there": ("ada-1 at lab", Reach(forth=1), "ada-1 ada"),
    "so far and no further": ("lab part school", Reach(forth=1), "lab ada-1 ben-1"),
    "two steps ahead": ("lab part school", Reach(forth=2), "lab ada-1 ben-1 ada ben"),
    "who looks back sees it from its other end": (
        "ada job ada-1",
        Reach(back=1),
        "ada ada-1 ada-2 lab",
    ),
    "back, then ahead to another": ("ada-1 at lab", Reach(back=1, forth=1), "ada ada-1 ada-2 lab"),
}


@pytest.mark.parametrize("gone", [False, True], ids=["new", "gone"])
@pytest.mark.parametrize("case", CASES)
def test_who_sees_a_change(case: str, gone: bool) -> None:
    """The same who did, where the triple is gone, as who does, where it is new."""
    link, reach, expected = CASES[case]
    here = neighbours(*([line(link)] if gone else []))
    assert here.around(read([line(link)]), reach, iris("job", "at"), set()) == iris(
        *expected.split()
    )


def test_what_is_followed_takes_no_step() -> None:
    seen = neighbours().around(
        read([line("school part land")]), Reach(forth=1), iris("at", "part"), iris("part")
    )
    assert seen == iris("lab", "school", "land", "ada-1", "ben-1")


SHAPES = shape_files.read(BASE, sorted(shipped("shapes").glob("*.ttl")))
LOOKING_ELSEWHERE = [rule for rule in SHAPES.rules if rule.reach not in (None, Reach(0))]


def test_no_rule_went_missing() -> None:
    assert len(LOOKING_ELSEWHERE) >= 29


@pytest.mark.parametrize("rule", LOOKING_ELSEWHERE, ids=lambda rule: rule.name)
def test_a_rule_sees_as_far_as_it_says(rule: Rule, tmp_path: Path) -> None:
    """From its bad example on, what it looks at is removed, bent and put back; asked about few
    nodes it finds what it finds in all.
    """
    path = next(path for path in EXPLAINED if path.stem == rule.name)
    facts = load(example_site(explain.read(path).bad, tmp_path))
    assert facts.site is not None
    memory, rng = build(facts, facts.site).memory, random.Random(7)
    known, found_anew = frozenset(dataset_rules.ask(memory, rule, TODAY)), 0
    seen = [
        quad
        for quad in sorted(memory.store, key=str)
        if read([str(quad)])[0].concerns(rule.names(SHAPES.base))
    ]
    for _ in range(150):
        changes = read(
            f"{quad} ." for _ in range(rng.randrange(1, 4)) for quad in edited(memory, seen, rng)
        )
        edit = Edit(memory, changes, Verdict(SHAPES.key, b"", TODAY, known, frozenset()), TODAY)
        after = frozenset(dataset_rules.ask(memory, rule, TODAY))
        assert frozenset(edit.asked(rule)) == after
        found_anew += after != known
        known = after
    assert found_anew, "edits that change nothing would prove nothing"


def edited(memory: Memory, quads: list[Quad], rng: random.Random) -> list[Quad]:
    """One of these is removed or put back, leads elsewhere, or to one thing more; all that is no
    longer as it was.
    """
    alike: dict[NamedNode, list[Quad]] = defaultdict(list)
    for quad in quads:
        alike[quad.predicate].append(quad)
    one = rng.choice(alike[rng.choice(sorted(alike, key=str))])
    value = rng.choice([rng.choice(alike[one.predicate]).object, rng.choice(quads).subject])
    other = Quad(one.subject, one.predicate, value, one.graph_name)
    removed, added = rng.choice(
        [([one], []), ([], [one]), ([], [one]), ([one], [other]), ([], [other])]
    )  # mostly as it was
    found = [quad for quad in removed if quad in memory.store] + [
        quad for quad in added if quad not in memory.store
    ]
    for quad in found:
        (memory.store.remove if quad in memory.store else memory.store.add)(quad)
    return found
