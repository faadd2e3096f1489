"""Who can see a change: the nodes at the other end of a rule's way."""

from __future__ import annotations

import pytest

from kg.engine.memory import Memory
from kg.graph.changes import read
from kg.graph.reach import Neighbours, Reach, Way

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
    return Neighbours(Memory(B, "".join(f"{each}\n" for each in LINES if each not in without).encode()))


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
    "who looks back sees it from its other end": ("ada job ada-1", Reach(back=1), "ada ada-1 ada-2 lab"),
    "back, then ahead to another": ("ada-1 at lab", Reach(back=1, forth=1), "ada ada-1 ada-2 lab"),
}


@pytest.mark.parametrize("gone", [False, True], ids=["new", "gone"])
@pytest.mark.parametrize("case", CASES)
def test_who_sees_a_change(case: str, gone: bool) -> None:
    """The same who did, where the triple is gone, as who does, where it is new."""
    link, reach, expected = CASES[case]
    here = neighbours(*([line(link)] if gone else []))
    assert here.around(read([line(link)]), reach, iris("job", "at"), set()) == iris(*expected.split())


def test_what_is_followed_takes_no_step() -> None:
    seen = neighbours().around(read([line("school part land")]), Reach(forth=1), iris("at", "part"), iris("part"))
    assert seen == iris("lab", "school", "land", "ada-1", "ben-1")
