"""Networks: who is drawn, where, and that names keep out of each other's way."""

from __future__ import annotations

import random
import re
from itertools import combinations, pairwise

import pytest
from markupsafe import Markup

from kg.plugins.figures import networks
from kg.plugins.figures.networks import explore
from kg.publish.pages.rows import Row
from tests.plugins.figures.drawn import HOSTILE, people, row, seen, texts

LINE = re.compile(r"M([^L]+)L([^M]+)")


def pairs(owners: int, others: int) -> list[Row]:
    chosen, everybody = random.Random(6), people(owners + others)
    made = []
    for owner in range(owners):
        near = chosen.sample(range(owners, owners + others), min(others, 9))
        near += [
            other
            for other in (owner - 1, owner + 1)
            if 0 <= other < owners and owner // 5 == other // 5
        ]
        made += [
            row(owner=everybody[owner], other=everybody[other], works=str(chosen.randint(1, 9)))
            for other in sorted(near)
        ]
    return made


def test_without_others_there_is_no_network() -> None:
    assert explore([], "Site") == Markup()


def test_the_same_pairs_in_another_order_are_the_same_picture() -> None:
    joined = pairs(12, 60)
    whole = explore(joined, "Site")
    random.Random(2).shuffle(joined)
    assert explore(joined, "Site") == whole


def test_the_whole_network_has_owners_first_and_those_who_join_them() -> None:
    figure = explore(pairs(70, 400), "Site")
    links = list(seen(figure).iter("a"))
    assert len(links) == networks.MAX_DOTS
    assert sum("owner" in str(link.get("class")) for link in links) == networks.MAX_OWNERS
    assert "owner" in str(links[-1].get("class")), "they lie on top"
    people_drawn, owners, ties = networks.chosen(pairs(3, 30))
    joins = [sum(one in tie for tie in ties) for one in range(owners, len(people_drawn))]
    assert joins == sorted(joins, reverse=True)


def test_every_line_ends_at_two_dots_so_that_the_script_finds_them() -> None:
    figure = explore(pairs(8, 90), "Site")
    places = [link.get("data-at") for link in seen(figure).iter("a")]
    assert len(set(places)) == len(places)
    lines = [
        line for path in seen(figure).iter("path") for line in LINE.findall(str(path.get("d")))
    ]
    assert len(lines) > 60
    assert {end for line in lines for end in line} == set(places)


def test_few_owners_have_a_colour_each_and_many_share() -> None:
    people_drawn, owners, ties = networks.chosen(pairs(4, 30))
    assert networks.communities(len(people_drawn), owners, ties)[:4] == [0, 1, 2, 3]
    clique = dict.fromkeys([*combinations(range(4), 2), *combinations(range(4, 8), 2)], 3)
    groups = networks.communities(8, 8, {**clique, (0, 4): 1})
    assert len(set(groups[:4])) == len(set(groups[4:])) == 1
    assert groups[0] != groups[4]


def test_names_are_shown_where_there_is_room_and_owners_first() -> None:
    figure = explore(pairs(3, 60), "Site")
    shown = [
        (text.get("class"), "owner" in str(link.get("class")))
        for link in seen(figure).iter("a")
        for text in link.iter("text")
    ]
    assert [kind for kind, is_owner in shown if is_owner] == [None, None, None]
    assert {kind for kind, _ in shown} == {None, "roomy", "quiet"}
    assert len(texts(figure)) == len(list(seen(figure).iter("a"))) > 20, (
        "every dot has a name, for who points at it"
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_text(text: str) -> None:
    joined = [row(owner=one, other=other, works="2") for one, other in pairwise(people(9))]
    for picture in [explore(joined, text)]:
        allowed = {"all", "svg", "title", "desc", "path", "text", "g", "a", "circle"}
        assert {element.tag for element in seen(picture).iter()} <= allowed
        assert "".join(seen(picture).itertext()).count(text) >= 2, (
            "as a name, and as what the picture is about"
        )
        assert "style=" not in picture
        assert "<script" not in picture


def test_forces_keep_all_inside_and_apart() -> None:
    starts = [50 + 50j + place for place in networks.disc(40, 20)]
    edges = [(0, one, 0.3) for one in range(1, 20)]
    places = networks.settle(tuple(starts), tuple(edges), 100 + 100j)
    assert all(0 <= place.real <= 100 and 0 <= place.imag <= 100 for place in places)
    assert len(set(places)) == 20
    assert networks.fitted([5 + 5j, 6 + 9j], 0j, 10 + 10j) == [0j, 10 + 10j]
    assert networks.fitted([5 + 5j], 0j, 10 + 10j) == [5 + 5j]


def test_the_largest_dot_is_named_as_a_network_opens() -> None:
    """Though it joins nobody."""
    rows = [row(owner="Ada", other=f"Guest {n}", works="1") for n in range(40)]
    rows += [row(owner="Bo", other="Guest 3", works="1"), row(owner="Cy", other="Bo", works="1")]
    figure = explore([*rows, row(owner="Ada", other="Zoe Often", works="30")], "Site")
    kinds = {text.text: text.get("class") for text in seen(figure).iter("text")}
    assert kinds["Zoe Often"] != "quiet"
    assert "quiet" in kinds.values()
