"""PDF as Markdown, by its layout."""

from __future__ import annotations

from kg.plugins.documents.pdf import read_pdf
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


def test_a_page_without_text_is_empty() -> None:
    assert read_pdf(pdf([])) == ""
