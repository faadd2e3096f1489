"""Service in lines: a role, its venues, their years."""

from __future__ import annotations

from kg.publish.formats.urls import Link
from kg.publish.pages.lines import Line, by_level, by_role
from kg.publish.pages.rows import Row
from tests.plugins.figures.drawn import row


def served(venue: str, year: str, role: str = "Reviewer", kind: str = "Reviewing") -> Row:
    where = Link(venue, f"{venue}.html")
    return row(item=where, note=role, kind=kind, start=year, end=year, anchor=f"{venue}-{year}")


def told(lines: list[Line]) -> dict[str, str]:
    """The lines as they are read."""
    return {
        line.label: ", ".join(
            f"{stint.item.text} {stint.when}".rstrip()
            + (f" ({stint.remark})" if stint.remark else "")
            for stint in line.stints
            if isinstance(stint.item, Link)
        )
        for line in lines
    }


def test_a_frequent_role_has_a_line_and_rare_ones_join_it() -> None:
    rows = [
        *(served("ICLR", str(year)) for year in (2022, 2020, 2021)),
        *(served("ASPLOS", str(year)) for year in (2021, 2019)),
        served("ECCV", "2022"),
        served("ATC", "2022", "External reviewer"),
        served("TPDS", "2020", "Reviewer, special section on AI"),
        *(served("HiPC", str(year), "Subreviewer") for year in (2015, 2016, 2017)),
    ]
    assert told(by_role(rows)) == {
        "Reviewer": "ICLR 2020–2022, ASPLOS 2019, 2021, ECCV 2022, ATC 2022 (External reviewer), "
        "TPDS 2020 (special section on AI)",
        "Subreviewer": "HiPC 2015–2017",
    }


def test_rare_roles_of_a_kind_share_its_line_and_one_alone_names_it() -> None:
    rows = [
        served("ATC", "2022"),
        served("PLDI", "2019", "Publicity co-chair", "Chairing"),
        served("ASPLOS", "2019", "Session chair", "Chairing"),
        served("HOTI", "2023", "Program committee member", "Program committee"),
    ]
    assert told(by_role(rows)) == {
        "Chairing": "PLDI 2019 (Publicity co-chair), ASPLOS 2019 (Session chair)",
        "Program committee": "HOTI 2023",
        "Reviewer": "ATC 2022",
    }


def test_what_has_more_to_say_has_its_own_line_and_every_entry_its_anchor() -> None:
    told_more = served("SPLASH", "2015")
    told_more["text"] = ["Wrote thirty."]
    lines = by_role([served("PLDI", "2015"), served("PLDI", "2017"), told_more])
    assert [(line.label, line.text) for line in lines] == [
        ("Reviewer", []),
        ("Reviewer", ["Wrote thirty."]),
    ]
    assert lines[0].stints[0].anchors == ["PLDI-2015", "PLDI-2017"]


def test_a_place_without_a_year_or_with_a_number_is_told() -> None:
    one = served("ICLR", "2022")
    one["written"] = ["12 reviews"]
    two = row(item=Link("IEEE", "ieee.html"), note="Student member", kind="Membership")
    assert told(by_role([one, two])) == {
        "Reviewer": "ICLR 2022 (12 reviews)",
        "Student member": "IEEE",
    }


def test_people_alike_are_a_line_and_others_stay_rows() -> None:
    where = Link("Northfjord", "northfjord.html")
    named = [row(item=Link(name, name), note="Student", where=where) for name in "abc"]
    alone = row(item=Link("d", "d"), note="Postdoc", where=where)
    told_more = row(item=Link("e", "e"), note="Student", where=where, text="Ice.")
    lines, others = by_level([*named, alone, told_more])
    assert [(line.label, len(line.stints), line.link) for line in lines] == [
        ("Student", 3, [where])
    ]
    assert others == [alone, told_more]
