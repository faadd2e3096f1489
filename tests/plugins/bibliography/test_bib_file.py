"""Entries of .bib files as rows: kinds, names, dates and places."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.facts.bibliography.bibliographies import read_bibliography
from kg.plugins.bibliography.bib_file import person
from kg.plugins.bibliography.venue_titles import read_title

PIECES = (
    *("@article{k,", "@string(s=", "@comment{", "@x{a,", "title", "author", "year", "crossref"),
    *(" = ", "{", "}", "(", ")", '"', ",", "#", "%", "@", "\n", " and ", "2020", "k", "s"),
    *("\\'", "\\", "\\emph", "$", "_", "^", "~", "--", "ö", "Berg, Ada"),
)


def row(entry: str) -> dict[str, Any]:
    works, problems = read_bibliography("data/cv/a.bib", entry.encode())
    assert works
    assert problems == []
    return dict(works[0][1])


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("Ludwig van Beethoven", "Ludwig van Beethoven"),
        ("van Beethoven, Ludwig", "Ludwig van Beethoven"),
        ("King, Jr., Martin Luther", "Martin Luther King Jr."),
        ("Sand, Mira,", "Mira Sand"),
        (r"Nov{\'a}k, J.", "J. Novák"),
        ("{Barnes and Noble, Inc.}", "Barnes and Noble, Inc."),
        ("family=Harman, given=Hans, prefix=von", "Hans von Harman"),
    ],
)
def test_a_name_is_as_printed(written: str, printed: str) -> None:
    assert person(written) == printed


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ("@article{a, journal = {Ice}", "journal"),
        ("@article{a, journal = {arXiv preprint arXiv:2301.01234}", "preprint"),
        ("@article{a, journal = {CoRR}, volume = {abs/2301.01234}", "preprint"),
        ("@misc{a, eprint = {2301.01234}, archivePrefix = {arXiv}", "preprint"),
        ("@InProceedings{a, booktitle = {Ice}", "conference"),
        ("@mastersthesis{a, school = {Ice}", "thesis"),
        ("@techreport{a, number = {7}", "report"),
    ],
)
def test_the_type_and_the_fields_tell_the_kind(fields: str, kind: str) -> None:
    found = row(f"{fields}, title = {{T}}, author = {{A. B.}}, year = 2020}}")
    assert found["kind"] == kind
    assert ("2301.01234" in fields) == (found.get("arxiv") == "2301.01234")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("year = 2020", {"year": "2020"}),
        ("year = {2020a}", {"year": "2020"}),
        ("year = 2020, month = may", {"year": "2020", "date": "2020-05"}),
        ("year = {2020}, month = {May}, day = 4", {"year": "2020", "date": "2020-05-04"}),
        ("year = {2020}, month = {Q2}", {"year": "2020"}),
        ("date = {2020-05-04}", {"date": "2020-05-04"}),
        ("date = {2020-05/2020-06}", {"date": "2020-05"}),
        ("date = {2020-23}", {"date": "autumn 2020"}),
        ("year = {in press}", {"status": "to-appear"}),
    ],
)
def test_dates_are_as_fine_as_they_are_written(fields: str, expected: dict[str, str]) -> None:
    found = row(f"@article{{a, title = {{T}}, author = {{A. B.}}, {fields}}}")
    assert {name: found[name] for name in ("year", "date", "status") if name in found} == expected


@pytest.mark.parametrize(
    ("title", "series"),
    [
        ("Proceedings of the 12th Conference on Ice", "Conference on Ice"),
        ("Proc. Conference on Ice (2023)", "Conference on Ice"),
        ("2023 Conference on Ice, 2023", "Conference on Ice"),
        ("SC '24", "SC"),
        ("2019 IEEE Symposium on Ice (SOI '19)", "IEEE Symposium on Ice"),
        ("Conference on Ice (in Winter)", "Conference on Ice (in Winter)"),
        ("Conference on Ice", "Conference on Ice"),
        ("2023", "2023"),
        ("The Fourteenth International Conference on Ice", "International Conference on Ice"),
        ("Thirty-First AAAI Conference on Ice", "AAAI Conference on Ice"),
        ("XIX Reunión Española sobre Hielo", "Reunión Española sobre Hielo"),
        ("60. Deutscher Eiskongress", "Deutscher Eiskongress"),
        ("SOI '19: The 3rd ACM Symposium on Ice", "ACM Symposium on Ice"),
        ("SOI 2019: Symposium on Ice", "Symposium on Ice"),
        ("3rd Symposium on Ice, 2019. Proceedings.", "Symposium on Ice"),
        ("Second Language Research Forum", "Second Language Research Forum"),
        ("Proceedings of the ACM on Ice", "Proceedings of the ACM on Ice"),
        ("Proceedings of the VLDB Endowment", "Proceedings of the VLDB Endowment"),
        ("Proceedings of Machine Learning Research", "Proceedings of Machine Learning Research"),
        ("Conference on Ice, ICI 2020, Oslo, Norway, May 18-22, 2020", "Conference on Ice"),
        (
            "Proceedings of the 30th Conference on Ice and Rivers, Volume 2",
            "Conference on Ice and Rivers",
        ),
    ],
)
def test_all_years_are_one_conference(title: str, series: str) -> None:
    assert read_title(title).name == series


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("@inproceedings{a, booktitle={Snow Workshop on Ice},", {"kind": "workshop"}),
        ("@inproceedings{a, booktitle={Conference and Workshops on Ice},", {"kind": "conference"}),
        (
            "@article{a, journal={Proceedings of the 2020 17th Conference on Ice},",
            {"kind": "conference", "conference": "Conference on Ice"},
        ),
        (
            "@article{a, journal={International Conference on Ice (ICI)},",
            {"kind": "conference", "conference": "International Conference on Ice"},
        ),
        (
            "@article{a, journal={Proceedings of the Ice Academy},",
            {"kind": "journal", "journal": "Proceedings of the Ice Academy"},
        ),
        ("@article{a, booktitle={The Urbanist},", {"kind": "journal", "journal": "The Urbanist"}),
        (
            "@article{a, journal={\\mnras},",
            {"journal": "Monthly Notices of the Royal Astronomical Society"},
        ),
        ("@article{a, journal={Preprint},", {"status": "preprint", "journal": None}),
        (
            "@misc{a, note={book-chapter}, journal={Ice},",
            {"kind": "book-chapter", "book": {"title": "Ice"}},
        ),
    ],
)
def test_the_venue_tells_the_kind(entry: str, expected: dict[str, Any]) -> None:
    found = row(f"{entry} title={{T}}, author={{A. B.}}}}")
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("url={https://doi.org/10.5555/ice}", {"doi": "10.5555/ice"}),
        ('url={doi:<a href="https://doi.org/10.5555/ice">ice</a>}', {"doi": "10.5555/ice"}),
        ("doi={https://hdl.example.org/1/2}", {"url": "https://hdl.example.org/1/2"}),
        (
            "doi={10.5555/ice}, url={https://ice.example.org}",
            {"doi": "10.5555/ice", "url": "https://ice.example.org"},
        ),
    ],
)
def test_a_doi_and_an_address_are_told_apart(fields: str, expected: dict[str, str]) -> None:
    found = row(f"@article{{a, title={{T}}, author={{A. B.}}, {fields}}}")
    assert {name: found[name] for name in ("doi", "url") if name in found} == expected


@pytest.mark.parametrize(
    "authors",
    [
        "<u>Ada Berg</u> and Kim Osei",
        "{<u>Ada Berg</u>} and Kim Osei",
        "<b>Ada Berg</b> and Kim Osei",
    ],
)
def test_a_name_that_is_underlined_on_a_page_is_a_name(authors: str) -> None:
    found = row(f"@article{{a, title={{T}}, author={{{authors}}}}}")
    assert found["authors"] == ["Ada Berg", "Kim Osei"]


@pytest.mark.parametrize(
    ("written", "read"), [("101--119", "101-119"), ("180101 EP  -", "180101"), ("n/a-n/a", None)]
)
def test_pages_have_no_placeholders(written: str, read: str | None) -> None:
    found = row(f"@article{{a, title={{T}}, author={{A. B.}}, pages={{{written}}}}}")
    assert found.get("pages") == read


def test_fields_our_kind_does_not_have_are_left_out() -> None:
    found = row("@phdthesis{a, title={T}, author={A. B.}, file={/home/a.pdf}, keywords={}, x={y}}")
    assert {*found} == {"title", "authors", "kind", "degree"}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://ice.example.org/\n  a\\_b.pdf", "https://ice.example.org/a_b.pdf"),
        ("2020 Sand\n JGR.pdf", "2020 Sand JGR.pdf"),
    ],
)
def test_an_address_goes_over_lines_and_the_name_of_a_file_has_blanks(
    written: str, read: str
) -> None:
    assert row(f"@article{{a, title={{T}}, author={{A. B.}}, pdf={{{written}}}}}")["pdf"] == read


def test_every_value_knows_its_place() -> None:
    works, _ = read_bibliography("a.bib", b"\n@article{k,\n  title = {T},\n  author={A}}\n")
    assert works is not None
    key, found, place = works[0]
    assert (key, str(place)) == ("k", "a.bib:2:1")
    assert str(found.at("title")) == "a.bib:3:11"
    assert str(found.at("authors", 0)) == "a.bib:4:10"


@pytest.mark.fuzz
@given(st.lists(st.sampled_from([*PIECES])).map("".join))
def test_whatever_is_written_is_read_or_reported(text: str) -> None:
    works, problems = read_bibliography("a.bib", text.encode())
    assert works is not None
    assert all(problem.message for problem in problems)


@pytest.mark.parametrize("deep", ["{" * 5000 + "}" * 5000, "\\'" * 5000, "\\emph{" * 5000])
def test_nobody_nests_so_deeply(deep: str) -> None:
    works, _ = read_bibliography("a.bib", f'@misc{{a, title = "x{deep}", year = 2020}}'.encode())
    assert works is not None


def test_a_character_that_no_page_can_hold_is_reported() -> None:
    works, problems = read_bibliography("a.bib", b"@misc{a,\r\n title = {x\x01y}}\r\n")
    assert [row["title"] for _, row, _ in works or ()] == ["x y"]
    assert [str(problem.place) for problem in problems] == ["a.bib:2:12"]


@pytest.mark.parametrize(
    "printed",
    [
        "Berg*, Ada",
        "Berg, Ada*",
        "Ada Berg†",
        r"Ada Berg$^{1,2}$",
        r"Berg\textsuperscript{*}, Ada",
        r"Berg$^\dagger$, Ada",
        "Ada Berg^",
        "Ada Berg¹",
        "Ada Berg1",
        r"\textbf{Ada Berg}*",
        "Ada Berg 0001",
    ],
)
def test_marks_are_no_part_of_a_name(printed: str) -> None:
    found = row(f"@misc{{a, title={{T}}, author={{{printed} and Bo Ek}}, year=2020}}")
    assert found["authors"] == ["Ada Berg", "Bo Ek"]


@pytest.mark.parametrize("name", ["Ann O'Neill", "Jean-Luc d'Arc", "4D-STAR Team", "Louis XIV"])
def test_a_name_without_marks_stays(name: str) -> None:
    found = row(f"@misc{{a, title={{T}}, author={{{name}}}, year=2020}}")
    assert found["authors"] == [name]


def test_a_mark_says_what_the_note_of_the_entry_says() -> None:
    note = r"$^*$ Equal contribution, $^\dagger$ corresponding author"
    found = row(
        "@misc{a, title={T}, author={Ada Berg* and Bo Ek$^{\\dagger}$ and Carl Dahl1}, "
        f"year=2020, note={{{note}}}}}"
    )
    assert found["authors"] == [
        {"as": "Ada Berg", "equal": "true"},
        {"as": "Bo Ek", "corresponding": "true"},
        "Carl Dahl",
    ]


@pytest.mark.parametrize(
    ("fields", "status", "more"),
    [
        ("year = {2025 - under review}", "submitted", {"year": "2025"}),
        ("date = {2025 (in press)}", "to-appear", {"date": "2025"}),
        ("year = {Under review}", "submitted", {}),
        ("year = 2025, note = {Under review at Ice Letters}", "submitted", {"year": "2025"}),
        ("year = 2025, note = {Submitted to Ice Letters}", "submitted", {}),
        (
            "journal = {Submitted to Ice Letters}",
            "submitted",
            {"annotation": "Submitted to Ice Letters"},
        ),
        ("journal = {Ice Letters (in press)}", "to-appear", {"journal": "Ice Letters"}),
        ("pubstate = {under review at Ice Letters}", "submitted", {}),
    ],
)
def test_a_state_in_another_field_is_the_status(
    fields: str, status: str, more: dict[str, str]
) -> None:
    found = row(f"@article{{a, title={{T}}, author={{A}}, {fields}}}")
    assert found["status"] == status
    assert {**found, **more} == found


@pytest.mark.parametrize(
    "fields", ["year = 2025, note = {Accepted as oral}", "journal = {Journal of Peer Review}"]
)
def test_other_words_tell_no_state(fields: str) -> None:
    assert "status" not in row(f"@article{{a, title={{T}}, author={{A}}, {fields}}}")


def test_an_address_that_repeats_the_doi_is_left_out() -> None:
    found = row("@misc{a, title={T}, author={A}, doi={10.1/X}, url={https://doi.org/10.1/x}}")
    assert "url" not in found


@pytest.mark.parametrize(
    ("abstract", "text"),
    [
        ("<jats:p>Ice <i>melts</i></jats:p>", "Ice melts"),
        ("<jats:p>Ice, H<jats:sub>2</jats:sub>O</jats:p>", "Ice, H2O"),
        ("of<jats:italic>B. glacialis</jats:italic>in <i>ice</i>.", "of B. glacialis in ice."),
    ],
)
def test_an_abstract_loses_its_tags(abstract: str, text: str) -> None:
    found = row(f"@misc{{a, title={{T}}, author={{A}}, abstract={{{abstract}}}}}")
    assert found["abstract"] == text


def test_chapters_of_one_book_describe_it_once() -> None:
    chapter = "@incollection{%s, title={T}, author={A}, booktitle={Ice}, year=2020, %s}\n"
    text = chapter % ("a", "publisher={P}") + chapter % ("b", "isbn={9783161484100}")
    text += chapter % ("c", "publisher={Q}")
    works, problems = read_bibliography("a.bib", text.encode())
    assert [str(each.place) for each in problems] == ["a.bib:3:79"]
    assert [row["book"] for _, row, _ in works or ()] == [
        {"title": "Ice", "publisher": "P", "isbn": "9783161484100", "year": "2020"},
        "Ice",
        "Ice",
    ]


def test_a_file_that_is_not_utf8_is_reported() -> None:
    works, (problem,) = read_bibliography("a.bib", b"@article{k,\n title = {\xe9}}")
    assert works is None
    assert str(problem.place) == "a.bib:2:11"


def test_a_misspelt_type_is_read_as_the_one_that_is_meant_and_reported() -> None:
    text = "@inprocedings{a, title={T}, author={A}, booktitle={Ice}, year=2020}"
    works, problems = read_bibliography("a.bib", text.encode())
    assert [(row["kind"], row["conference"]) for _, row, _ in works or ()] == [
        ("conference", "Ice")
    ]
    assert [f"{each.place} {each.severity} {each.message}" for each in problems] == [
        "a.bib:1:1 warning a: unknown type @inprocedings; it is read as @inproceedings. Correct it."
    ]


def test_a_type_that_is_near_to_none_is_reported() -> None:
    works, problems = read_bibliography("a.bib", b"@gadget{a, title={T}, author={A}, year=2020}")
    assert [row["kind"] for _, row, _ in works or ()] == ["other"]
    assert [(each.severity, each.message) for each in problems] == [
        ("info", "a: unknown type @gadget; it is read as @misc.")
    ]


def test_a_misspelt_field_is_reported_once_with_the_near_one() -> None:
    entry = "@article{KEY, title={T},\n jornal={Ice}, author={A}, year=2020, url2={x}, mine={y}}\n"
    text = entry.replace("KEY", "a") + entry.replace("KEY", "b")
    works, problems = read_bibliography("a.bib", text.encode())
    assert [row.get("journal") for _, row, _ in works or ()] == ["Ice", "Ice"]
    assert [f"{each.place} {each.severity} {each.message} {each.rule}" for each in problems] == [
        "a.bib:2:2 warning a: unknown field 'jornal'. Did you mean 'journal'? "
        "It is read as that. 2 entries have it. unknown-field"
    ]


def test_strings_that_double_each_other_are_one_problem() -> None:
    lines = ["@string{a0 = {0123456789}}"]
    lines += [f"@string{{a{n} = a{n - 1} # a{n - 1}}}" for n in range(1, 40)]
    text = "\n".join([*lines, "@misc{k, title = a39, author = {A B}, year = 2020}"])
    works, (problem,) = read_bibliography("a.bib", text.encode())
    assert works == []
    assert str(problem.place).startswith("a.bib:15:")
    assert "more than 100,000 characters" in problem.message


@pytest.mark.parametrize(
    "entry", ["@misc{k%d, title = {T}, note = s # s}", "@misc{k%d, title = {T}, crossref = {p}}"]
)
def test_what_is_put_into_many_entries_is_bounded(entry: str) -> None:
    text = f"@string{{s = {{{'x' * 40_000}}}}}\n@misc{{p, title = {{P}}, note = s}}\n"
    text += "\n".join(entry % number for number in range(600))
    works, (problem,) = read_bibliography("a.bib", text.encode())
    assert works
    assert "more than 10,000,000 characters" in problem.message
    assert sum(len(str(row)) for _, row, _ in works) < 11_000_000
