"""Entries whose keys are equal get addresses of their own, which stay when others are added."""

from __future__ import annotations

import re
from pathlib import Path

from kg.mapping.walk import Walker
from tests.mapping import quads, walked

CV = "basics: {name: Ada Berg}\n"


def ends(walker: Walker) -> list[str]:
    """The fragments of all nodes of the CV, in the order of their first lines."""
    lines = "".join(walker.lines)
    found = re.findall(r"^<[^>]*people/ada#([^>]+)>", lines, flags=re.MULTILINE)
    return [each for each in dict.fromkeys(found) if each != "it"]


def of_section(folder: Path, section: str, *entries: str) -> list[str]:
    listed = "".join(f"  - {entry}\n" for entry in entries)
    walker = walked(folder, cv=f"{CV}{section}:\n{listed}")
    assert [each for each in walker.problems if each.severity == "error"] == []
    return ends(walker)


def test_two_talks_of_one_year_are_told_apart_by_their_titles(tmp_path: Path) -> None:
    talk = "{title: %s, venue: conf, year: 2021}"
    found = of_section(tmp_path, "talks", talk % "Sand", talk % "Water")
    assert found == ["talk-conf-2021", "talk-conf-2021-water"]


def test_one_title_in_two_departments_is_told_apart_by_the_department(tmp_path: Path) -> None:
    job = "{organization: uni, position: Lecturer, unit: %s, dates: 2015/2018}"
    found = of_section(tmp_path, "work", job % "Physics", job % "Chemistry")
    assert found == ["work-uni-lecturer", "work-uni-lecturer-uni-chemistry"]


def test_what_is_added_later_moves_no_address(tmp_path: Path) -> None:
    talk = "{title: %s, venue: conf, year: 2021}"
    talks = [talk % each for each in ("Sand", "Water", "Ice")]
    other = "{title: Water, venue: conf, year: 2022}"
    before = of_section(tmp_path / "before", "talks", *talks[:2])
    after = of_section(tmp_path / "after", "talks", other, *talks)
    assert after == ["talk-conf-2022", *before, "talk-conf-2021-ice"]


def test_the_earliest_keeps_the_plain_address_wherever_it_is_listed(tmp_path: Path) -> None:
    job = "{organization: uni, position: Lecturer, dates: %s}"
    found = of_section(tmp_path, "work", job % "2019-09/2020", job % "2011/2012")
    assert found == ["work-uni-lecturer-2019-09", "work-uni-lecturer"]


def test_a_number_tells_apart_what_no_word_can(tmp_path: Path) -> None:
    job = "{organization: uni, position: %s, dates: 2015}"
    found = of_section(
        tmp_path, "work", job % "P", job % "p.", job % "研究員", job % "♪", job % "♫"
    )
    assert found == [
        "work-uni-p",
        "work-uni-p-2",
        "work-uni-yan-jiu-yuan",
        "work-uni",
        "work-uni-2",
    ]


def test_an_id_holds_and_others_make_way_for_it(tmp_path: Path) -> None:
    talk = "{title: %s, venue: conf, year: 2021%s}"
    found = of_section(
        tmp_path,
        "talks",
        talk % ("Sand", ""),
        talk % ("Ice", ", id: talk-conf-2021"),
        talk % ("Water", ", id: talk-conf-2021-2"),
    )
    assert found == ["talk-conf-2021-3", "talk-conf-2021", "talk-conf-2021-2"]


def test_equal_lines_of_a_free_section_are_two_lines(tmp_path: Path) -> None:
    entries = "[Opponent, Opponent, {text: Judge, id: section-duties-opponent-2}]"
    found = of_section(tmp_path, "sections", f"{{title: Duties, entries: {entries}}}")
    start = "section-duties"
    assert found == [start, f"{start}-opponent", f"{start}-opponent-3", f"{start}-opponent-2"]


def test_two_free_sections_of_one_title_are_two_sections(tmp_path: Path) -> None:
    section = "{title: Duties, entries: [%s]}"
    found = of_section(tmp_path, "sections", section % "Judge", section % "Clerk")
    first = ["section-duties", "section-duties-judge"]
    assert found == [*first, "section-duties-2", "section-duties-2-clerk"]


def test_parts_go_with_their_entry(tmp_path: Path) -> None:
    study = "{institution: uni, studyType: PhD, dates: 2018, area: %s, advisor: bo}"
    found = of_section(tmp_path, "education", study % "sand", study % "Ice")
    assert {"study-uni-phd", "degree-uni-phd", "advisor-bo-study-uni-phd"} <= {*found}
    assert {"study-uni-phd-ice", "degree-uni-phd-ice", "advisor-bo-study-uni-phd-ice"} <= {*found}


def test_nothing_private_becomes_part_of_an_address(tmp_path: Path) -> None:
    job = "{organization: uni, position: Lecturer, unit: %s, dates: 2015}"
    walker = walked(
        tmp_path,
        cv=f"{CV}work: [{job % 'uni-lab'}, {job % 'bunker'}]\n",
        organizations="bunker: {name: Bunker, parent: uni, visibility: private}\n",
    )
    assert ends(walker) == ["work-uni-lecturer", "work-uni-lecturer-2"]
    assert not [each for each in quads(walker) if "bunker" in "".join(each)]


def test_the_same_twice_is_written_once_and_pointed_out(tmp_path: Path) -> None:
    talk = "{title: Sand, venue: conf, year: 2021%s}"
    walker = walked(tmp_path, cv=f"{CV}talks:\n- {talk % ''}\n- {talk % ', source: paper-cv'}\n")
    (problem,) = walker.problems
    assert problem.message.startswith("talks[1]: duplicate of talks[0] in data/cv/ada")
    assert (str(problem.place), problem.rule) == ("data/cv/ada.yaml:4:3", "same-address")
    assert ends(walker) == ["talk-conf-2021"]


def test_equal_ids_are_pointed_out(tmp_path: Path) -> None:
    talk = "{title: %s, venue: conf, year: 2021, id: talk}"
    walker = walked(tmp_path, cv=f"{CV}talks:\n- {talk % 'Sand'}\n- {talk % 'Ice'}\n")
    assert [each.message for each in walker.problems] == [
        "talks[1]: this has the same 'id' (talk) as talks[0] in data/cv/ada.yaml:3:46. Change "
        "one of them."
    ]
