"""PDF as Markdown, by its layout."""

from __future__ import annotations

from kg.plugins.documents.pdf import Segment, columns, read_pdf
from tests.plugins.documents.small_files import Words, pdf

LONG = "Taught field methods to forty students of geology in the valleys of the north"


def lines(*pages: list[Words], link: str = "") -> list[str]:
    return [line for line in read_pdf(pdf(*pages, link=link)).split("\n") if line]


def test_type_gaps_bullets_and_links() -> None:
    page = [
        Words(50, 800, "Hana Lind", 20, True),
        Words(50, 770, "hana@example.org"),
        Words(50, 740, "Work", 14),
        Words(50, 720, "Lecturer", bold=True),
        Words(480, 720, "2019 \\226 2021"),
        Words(60, 708, f"\\225 {LONG}, some by the"),
        Words(66, 696, "sea"),
    ]
    assert lines(page, link="https://example.org") == [
        *("# Hana Lind", "[hana@example.org](https://example.org)", "## Work"),
        *("**Lecturer** | 2019 – 2021", f"- {LONG}, some by the sea"),
    ]


def test_columns_are_read_one_after_the_other() -> None:
    left = [Words(40, 700 - 17 * at, f"Skill {at}") for at in range(8)]
    right = [Words(220, 705 - 13 * at, f"{LONG} {at}.") for at in range(12)]
    found = lines([Words(40, 800, "Hana Lind", 20), *right, *left])
    paragraph = " ".join(each.text for each in right)
    assert found == ["# Hana Lind", *(each.text for each in left), paragraph]


def test_no_line_at_the_height_of_the_last_line_of_a_column_is_lost() -> None:
    left = [(40, 700 - 15 * at, 90 + at % 4) for at in range(10)]
    right = [(220, 703 - 13 * at, 90 + 9 * (at % 5)) for at in range(12)]
    found = [
        Segment(x, x + width, y, y + 10, 10, "word " * 5, "word", False)
        for x, y, width in (*left, *right, (100, 560, 190))
    ]
    regions = columns(found)
    assert len(regions) > 1 and sum(map(len, regions)) == len(found)


def test_a_column_of_dates_belongs_to_the_lines_beside_it() -> None:
    years = [Words(40, 700 - 13 * at, f"20{at + 10}") for at in range(8)]
    prizes = [Words(120, 700 - 13 * at, f"Prize number {at}") for at in range(8)]
    assert lines(years + prizes) == [f"20{at + 10} | Prize number {at}" for at in range(8)]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [
        [Words(40, 820, "Hana Lind"), Words(40, 700, f"Text {word}"), Words(300, 30, str(number))]
        for number, word in enumerate(("one", "two", "three"), 1)
    ]
    assert lines(*pages) == ["Hana Lind", "Text one", "Text two", "Text three"]


def test_headings_beside_dates_are_those_of_the_texts_beside_them() -> None:
    page = [
        Words(40, 780, "Sand", 16),
        *(Words(170, y, LONG) for y in (750, 738, 726)),
        Words(40, 700, "Trips", 16),
        *(Words(40, y, "May 2020") for y in (660, 636, 612)),
        *(Words(170, y, LONG) for y in (654, 630, 606)),
    ]
    found = [line for line in lines(page) if not line.startswith("May")]
    at = next(at for at, line in enumerate(found) if "Trips" in line)
    assert "Taught" in found[1] and at > 1  # the texts above are those of the first heading
    assert len([line for line in found[at:] if "Taught" in line]) > 0


def test_a_text_that_is_drawn_again_as_an_outline_is_read_once() -> None:
    again = [Words(x, y, "github.com/hana") for x, y in ((40, 780), (40.6, 780), (40, 780.6))]
    assert lines([Words(40, 820, "Hana Lind"), *again]) == ["Hana Lind", "github.com/hana"]


def test_letters_that_are_drawn_several_times_are_read_once() -> None:
    letters = [Words(40 + 6 * at, 780, sign) for at, sign in enumerate("Hanna") for _ in range(3)]
    again = [Words(each.x + 0.3, each.y, each.text) for each in letters[::2]]
    assert lines([Words(40, 820, "Mira"), *letters, *again]) == ["Mira", "Hanna"]


def test_a_page_without_text_is_empty() -> None:
    assert read_pdf(pdf([])) == ""


def test_a_sidebar_is_apart_from_rows_of_dates_and_texts() -> None:
    sidebar = [Words(30, 705 - 15 * at, f"Skill {at}") for at in range(8)]
    dates = [Words(150, 700 - 26 * at, f"{2010 + at}") for at in range(6)]
    texts = [Words(220, 700 - 13 * at, f"Taught geology in town {at}.") for at in range(12)]
    found = lines(sidebar + dates + texts)
    assert found[:8] == [each.text for each in sidebar]
    assert found[8] == "2010 | Taught geology in town 0."


def test_labels_belong_to_the_lines_beside_them() -> None:
    names = [Words(40, 700 - 26 * at, f"Label {at}:") for at in range(6)]
    texts = [Words(160, 700 - 13 * at, f"Text {at}, which is longer.") for at in range(12)]
    found = lines([Words(40, 720, "SKILLS"), *names, *texts, Words(40, 500, "TALKS")])
    assert found[:3] == [
        "SKILLS",
        "Label 0: Text 0, which is longer.",
        "Text 1, which is longer.",
    ]
    assert found[-1] == "TALKS"


def test_wide_spacing_and_small_capitals() -> None:
    spaced = Words(40, 700, "\\040".join("WORK") + "\\040\\040\\040" + "\\040".join("PLACES"))
    found = lines([spaced, Words(40, 650, "Lecturer in Oslo"), Words(40, 637, "DIPL\\364MES")])
    assert found == ["# WORK PLACES", "Lecturer in Oslo", "DIPLÔMES"]


def test_wrapped_lines_keep_their_type_and_compounds() -> None:
    page = [
        Words(50, 760, "An open-source tool for well-known data, well known before.", 10),
        Words(50, 740, f"{LONG}, with well-"),
        Words(50, 728, "known and open-"),
        Words(50, 700, f"{LONG}, in bo-", bold=True),
        Words(50, 688, "reholes"),
        *(Words(50, 660 - 12 * at, f"{LONG}, of {at} days") for at in range(6)),
    ]
    found = lines(page)
    assert found[1] == f"{LONG}, with well-known and open-"
    assert found[2:4] == [f"**{LONG}, in bo-**", "reholes"]


def test_a_reference_with_a_hanging_indent_is_one_line() -> None:
    page = [
        Words(50, 760, "Sand, L. and Berg, A. (2020). The weight of wet sand and the"),
        Words(70, 748, "Stones of the Delta. Journal of Sand, 12(3), 4-9, Hill Press,"),
        Words(70, 736, "Oslo."),
        Words(50, 724, "Sand, L. (2019). Stones. Rivers, 2, 1-4."),
        Words(50, 712, "Berg, A. (2018). A very long title of a paper in a large journal"),
        Words(70, 700, "Sand Letters."),
        Words(50, 680, "Engineer, Delta Works"),
        Words(70, 668, "Built gauges"),
    ]
    assert lines(page) == [
        "Sand, L. and Berg, A. (2020). The weight of wet sand and the Stones of the Delta. "
        "Journal of Sand, 12(3), 4-9, Hill Press, Oslo.",
        "Sand, L. (2019). Stones. Rivers, 2, 1-4.",
        "Berg, A. (2018). A very long title of a paper in a large journal Sand Letters.",
        "Engineer, Delta Works",
        "Built gauges",
    ]
