"""The head of the page of a thing: kind and place, and a sentence."""

from __future__ import annotations

from collections import defaultdict

import pytest

from kg.publish.formats.urls import Cell, Link
from kg.publish.pages.rows import PageSection, Row, RowGroup
from kg.publish.pages.thing_head import Line, thing_head

ADA, KIM, LU = (
    Link(name, f"{name[:3].lower()}.html") for name in ("Ada Berg", "Kim Osei", "Lu Xun")
)


def row(**cells: Cell) -> Row:
    return defaultdict(list, {name: [cell] for name, cell in cells.items()})


def post(person: Link, edtf: str, verb: str = "worked") -> Row:
    start, _, end = edtf.partition("/")
    dates = {"start": start} | ({"end": end} if end not in ("", "..") else {})
    return row(person=person, edtf=edtf, verb=verb, **dates)


def section(name: str, *rows: Row) -> PageSection:
    return PageSection(name, "entries", name, [RowGroup("", list(rows))])


def said(kind: str, *sections: PageSection) -> str:
    line = thing_head(kind, [], sections, []).said
    return "".join(part.text if isinstance(part, Link) else part for part in line)


@pytest.mark.parametrize(
    ("posts", "sentence"),
    [
        ([], ""),
        ([row(person=ADA, verb="been")], ""),
        ([post(ADA, "2012/2015")], "One person on this site worked here, 2012–2015."),
        ([post(ADA, "2012")], "One person on this site worked here, 2012."),
        ([post(ADA, "2012/..")], "One person on this site has worked here since 2012."),
        (
            [post(ADA, "2015-05/2016"), post(KIM, "2016/.."), post(LU, "2018/..")],
            "Three people on this site have worked here since 2015; Kim Osei and Lu Xun still do.",
        ),
        (
            [post(ADA, "2015/2016", "studied"), post(KIM, "2016/..")],
            "Two people on this site have worked or studied here since 2015; Kim Osei still does.",
        ),
        (
            [post(ADA, "2015/2016", "been"), post(KIM, "2016/2019")],
            "Two people on this site were here, 2015–2019.",
        ),
    ],
)
def test_who_was_there_is_said_in_a_sentence(posts: list[Row], sentence: str) -> None:
    assert said("orgs", section("members", *posts)) == sentence


@pytest.mark.parametrize(
    ("kind", "sections", "sentence"),
    [
        (
            "venues",
            [
                section("venue-works", *(row(work=Link(str(one), str(one))) for one in range(14))),
                section("served", row(item=ADA, note="Reviewer"), row(item=ADA, note="Chair")),
            ],
            "14 works on this site appeared here; one person served here.",
        ),
        ("topics", [section("knowers", row(item=ADA))], "One person lists it."),
        ("languages", [section("knowers", row(item=ADA))], "One person speaks it."),
        ("courses", [section("runs", row(), row())], "It was given two times."),
        ("topics", [section("mentions", row(item=ADA))], ""),
    ],
)
def test_other_things_say_how_much_there_is(
    kind: str, sections: list[PageSection], sentence: str
) -> None:
    assert said(kind, *sections) == sentence


def test_kind_and_place_stand_above_the_name_and_not_among_the_facts() -> None:
    place, whole = Link("Oslo", "oslo.html"), Link("Delta", "delta.html")
    facts: list[tuple[str, list[Cell]]] = [
        ("Also known as", ["DW"]),
        ("Part of", [whole]),
        ("Kind", ["Laboratory"]),
        ("Place", [place]),
    ]
    head = thing_head("orgs", facts, [], [])
    assert head.above == [["Laboratory"], [place], ["part of ", whole]]
    assert head.facts == facts[:1]
    list_: Line = [Link("Venues", "../venues/")]
    assert thing_head("venues", [], [], [Link("Venues", "../venues/")]).above == [list_]
    assert thing_head("topics", [], [], []).above == [["Topic"]]
    assert thing_head("publications", facts, [], []).facts == facts, "a work has its own head"
