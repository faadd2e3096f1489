from __future__ import annotations

from collections import defaultdict

import pytest

from kg.publish.formats.urls import Link
from kg.publish.pages.rows import PageSection, Row, RowGroup
from kg.publish.pages.work_list import WORK_KINDS, arrange_works, arranged, folded


def work(slug: str, kind: str = "Conference paper", *earlier: str, name: str = "A. Lind") -> Row:
    links = [Link("Before", f"{each}.html") for each in earlier]
    cells = {"kind": [kind], "earlier": links, "author": [name]}
    return defaultdict(list, {"work": [Link(slug.title(), f"{slug}.html")], **cells})


def years(*sizes: tuple[str, int]) -> list[RowGroup]:
    return [
        RowGroup(year, [work(f"w{year}-{number}") for number in range(size)])
        for year, size in sizes
    ]


def test_what_is_in_press_comes_first_and_what_has_no_date_last() -> None:
    found = arranged(years(("Undated", 1), ("2019", 1), ("In press", 1), ("2021", 2)))
    assert [group.heading for group in found] == ["In press", "2021", "2019", "Undated"]


def test_an_earlier_version_is_folded_into_its_work_and_leaves_no_empty_year() -> None:
    rows = [RowGroup("2022", [work("article", "Journal article", "draft")])]
    assert arranged([*rows, RowGroup("2021", [work("draft", "Preprint")])]) == rows


@pytest.mark.parametrize(
    ("sizes", "shown", "title"),
    [
        ([("2022", 20), ("2021", 10)], 2, ""),
        ([("2022", 12), ("2021", 9), ("2019", 9), ("2010", 1)], 2, "10 earlier works, 2010–2019"),
        ([("2022", 30), ("2021", 1)], 1, "1 earlier work, 2021"),
        ([("2022", 30), ("2020", 1), ("Undated", 1)], 1, "2 earlier works, 2020"),
        ([("2022", 40)], 1, ""),
    ],
)
def test_over_thirty_works_the_newest_twenty_stand_open(
    sizes: list[tuple[str, int]], shown: int, title: str
) -> None:
    found = folded(years(*sizes))
    assert len(found.groups) == shown
    assert (found.older_title if found.older else "") == title


def test_works_are_numbered_by_kind_from_the_oldest_and_cards_with_them() -> None:
    new, talk, old = work("new"), work("talk", "Poster"), work("old")
    groups = [RowGroup("2022", [new, talk]), RowGroup("2020", [old])]
    card = work("new")
    cards = PageSection("selected", "picks", "", [RowGroup("2022", [card])], details="works")
    section = PageSection("works", "works", "", groups, details="works")
    found = arrange_works([cards, section], {"new.html": "@misc{new}"}, is_list=False)
    assert [row["code"] for row in (new, talk, old, card)] == [["C2"], ["Po1"], ["C1"], ["C2"]]
    assert [row["sheet"] for row in (old, card)] == [[], ["cite-C2"]]
    assert found["works"].chips == []


def test_collapsed_works_are_cited_on_their_pages_unless_they_have_a_card() -> None:
    groups = [RowGroup("2022", [work(f"new{n}") for n in range(30)])]
    old, card = [work("old"), work("chosen")], work("chosen")
    section = PageSection("works", "works", "", [*groups, RowGroup("2001", old)], details="works")
    cards = PageSection("selected", "picks", "", [RowGroup("2001", [card])], details="works")
    names = [*(f"new{n}" for n in range(30)), "old", "chosen"]
    bibtex = {f"{name}.html": f"@misc{{{name}}}" for name in names}
    found = arrange_works([cards, section], bibtex, is_list=False)["works"]
    assert [row["bibtex"] for group in found.older for row in group.rows] == [
        [],
        ["@misc{chosen}"],
    ]
    assert all(row["sheet"] for group in found.groups for row in group.rows)
    assert card["sheet"] == old[1]["sheet"] != []


def test_kinds_are_offered_where_there_are_several_and_equals_are_noticed() -> None:
    groups = [RowGroup("2022", [*years(("2022", 4))[0].rows, work("x", "Patent", name="B. Ek*")])]
    found = folded(groups)
    assert [(kind.letter, count) for kind, count in found.chips] == [("C", 4), ("Pat", 1)]
    assert found.has_equals
    assert not folded(years(("2022", 9))).chips


def test_letters_and_marks_are_of_one_kind_each() -> None:
    kinds = set(WORK_KINDS.values())
    assert len({kind.letter for kind in kinds}) == len({kind.mark for kind in kinds}) == len(kinds)
