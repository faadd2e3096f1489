"""The reader: what is written stays what it is, every place is known, and no file makes it
raise.
"""

from __future__ import annotations

import re
import string
import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.advice.yaml_mistakes import unseen
from kg.errors import Place
from kg.facts.yaml.reader import LATEX, read
from kg.facts.yaml.rows import Row
from tests.facts import row

CHARACTERS = st.characters(
    exclude_categories=["Cs", "Cc"],
    exclude_characters="\ufffe\uffff",
    include_characters="\t\n\x85",
)
# What nobody sees is told, and so is \\nu in double quotes, which may be meant for LaTeX.
ANY_TEXT = st.text(CHARACTERS, max_size=20).filter(
    lambda text: not unseen(text) and not LATEX.search(text)
)
KEY = ANY_TEXT.filter(lambda key: key != "<<")  # refused as a merge key, in quotes too
NESTED = st.dictionaries(
    KEY,
    st.recursive(
        ANY_TEXT,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEY, inner, max_size=4),
    ),
)
PARSERS_ENGLISH = re.compile("while (?:scanning|parsing)|did not find|found |token|scalar|stream")
NEAR_YAML = st.lists(
    st.sampled_from(
        [
            *"[]{},:-?&*!|>'\"#%@`~=\n\t\r ",
            ": ",
            "- ",
            "? ",
            "\n  ",
            "&a ",
            "*a",
            "<<: ",
            "!!int ",
            "---\n",
            "...\n",
            "a",
            "é",
            "\x85",
        ]
    ),
    max_size=40,
).map("".join)


def complaints(data: bytes | str) -> list[str]:
    """What the reader says of a file: line, column, rule and words."""
    problems = read("cv.yaml", data.encode() if isinstance(data, str) else data)[1]
    assert all(
        problem.place.file == "cv.yaml" and problem.severity == "error" for problem in problems
    )
    return [
        f"{problem.place.line}:{problem.place.column} {problem.rule}: {problem.message}"
        for problem in problems
    ]


@pytest.mark.parametrize(
    "written",
    [
        "NO",
        "2019",
        "1.10",
        "12:30",
        "~",
        "true",
        "null",
        "0x1F",
        "1e3",
        "2019-09-01",
        ".inf",
        "007",
        "=",
    ],
)
def test_a_plain_value_stays_text(written: str) -> None:
    assert row(f"key: {written}\nlist: [{written}]\n{written}: key") == {
        "key": written,
        "list": [written],
        written: "key",
    }


def test_a_value_that_is_left_out_is_empty_text() -> None:
    assert row("name:\nother: ''") == {"name": "", "other": ""}


def test_block_texts_and_quotes_are_read_as_yaml_says() -> None:
    assert row("a: |\n  one\n  two\nb: >\n  one\n  two\nc: 'it''s'\nd: \"\\u00e9\\n\"") == {
        "a": "one\ntwo\n",
        "b": "one two\n",
        "c": "it's",
        "d": "é\n",
    }


def test_every_key_value_and_item_knows_its_place() -> None:
    found = row(
        "basics:\n  name: Ada\nwork:\n- {organization: uni, dates: [2019, 2020]}\n- "
        "position: Röntgen\n  ü: x\n"
    )
    places = {
        ("basics",): (2, 3),
        ("basics", "name"): (2, 9),
        ("work",): (4, 1),
        ("work", 0): (4, 3),
        ("work", 0, "dates"): (4, 30),
        ("work", 0, "dates", 1): (4, 37),
        ("work", 1, "position"): (5, 13),
        ("work", 1, "ü"): (6, 6),
    }
    assert {steps: (found.at(*steps).line, found.at(*steps).column) for steps in places} == places
    assert found.at("work", 0, "dates", key=True) == Place("cv.yaml", 4, 23)
    assert found.at("work", 1, key=True) == Place("cv.yaml", 5, 3)


def test_steps_that_lead_nowhere_stop_at_the_last_place_known() -> None:
    found = row("basics:\n  name: Ada\n")
    assert found.at("basics", "name", "given") == Place("cv.yaml", 2, 9)
    assert found.at("basics", 3) == Place("cv.yaml", 2, 3)
    assert found.at("wrok") == Place("cv.yaml", 1, 1)


def test_a_byte_order_mark_shifts_nothing() -> None:
    found, problems = read("cv.yaml", b"\xef\xbb\xbfname: Ada\n")
    assert (found, problems) == ({"name": "Ada"}, [])
    assert isinstance(found, Row)
    assert found.at("name") == Place("cv.yaml", 1, 7)


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("a: 1\nb: 2\na: 3\n", "3:1 duplicate-key: The key 'a' occurs twice (first on line 1)."),
        ("a: {b: 1, b: 2}\n", "1:11 duplicate-key: The key 'b' occurs twice (first on line 1)."),
        ("a: &a {x: y}\nb:\n  <<: *a\n", "3:3 yaml: Merge keys (<<) are not supported."),
        ("a: !!int 3\n", "1:4 yaml: YAML tags such as '!!int' are not supported."),
        ("a: [!secret x]\n", "1:5 yaml: YAML tags such as '!secret' are not supported."),
        (
            "a: !!python/object:os.system {}\n",
            "1:4 yaml: YAML tags such as '!!python/object:os.system' are not",
        ),
        ("a:\n\tb: c\n", "2:1 yaml: This line is indented with a tab. Use spaces."),
        ("a: b\n---\nc: d\n", "2:1 yaml: A second document starts here ('---')."),
        ("a: b: c\n", "1:5 yaml: Unexpected colon."),
        (
            "a: [b\n",
            (
                "1:4 yaml: This [ is still open on line 2. Close it "
                "with ], or add a comma before that line."
            ),
        ),
        ("a: [b\n  {c: d}\n", "2:3 yaml: This is not valid YAML from here on."),
        ("a: 'b\nc: d\n", "1:4 yaml: This ' is never closed. Add another one where the text ends."),
        ("a:\n  b: c\n - d\n", "2:3 yaml: This line is indented by 2 spaces, unlike"),
        ("a: *nobody\n", "1:4 yaml: The alias *nobody has no anchor &nobody above it"),
        ("a: &a [*a]\n", "1:4 yaml: Aliases (*name) expand to too many values here."),
        ("a: &a {b: &b {c: *a}}\n", "1:4 yaml: Aliases (*name) expand to too many values here."),
        ("? [a, b]\n: c\n", "1:3 yaml: A key must be plain text."),
        ("- a\n- b\n", "1:1 yaml: Write a mapping here"),
        ("\n  just words\n", "2:3 yaml: Write a mapping here"),
        ("", "1:1 empty-file: This file is empty."),
        ("# only a remark\n", "1:1 empty-file: This file is empty."),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(written: str, complaint: str) -> None:
    (found,) = complaints(written)
    assert found.startswith(complaint)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("name: Ada\n".encode("utf-16"), "1:1 encoding: Byte 0xff is not UTF-8."),
        ("name: Ada\n".encode("utf-16-le"), "1:2 encoding: The character U+0000 is not allowed"),
        ("a: b\nname: Zoë\n".encode("latin-1"), "2:9 encoding: Byte 0xeb is not UTF-8."),
        (b"a: b\nc: \xed\xa0\x80\n", "2:4 encoding: Byte 0xed is not UTF-8."),
        (b"a: b\nname: A\x00da\n", "2:8 encoding: The character U+0000 is not allowed in YAML."),
        ("é: ü".encode() + b"\xe9\n", "1:5 encoding: Byte 0xe9 is not UTF-8."),
        (b"\xef\xbb\xbfa: b\nc: \xe9\n", "2:4 encoding: Byte 0xe9 is not UTF-8."),
        ("a: ééé\nb: \0\n".encode(), "2:4 encoding: The character U+0000 is not allowed in YAML."),
        (b"a: \x1b[31mred\n", "1:4 encoding: The character U+001B is not allowed in YAML."),
    ],
)
def test_an_encoding_that_is_not_utf_8_is_told_with_its_place(data: bytes, complaint: str) -> None:
    (found,) = complaints(data)
    assert found.startswith(complaint)


@pytest.mark.parametrize(
    "escape", [r"\0", r"\x01", r"\b", r"\e", r"\r", r"\x7f", r"\x9f", r"\ufffe", r"\uffff"]
)
def test_what_can_stand_in_no_page_is_refused_as_an_escape_too(escape: str) -> None:
    code = ord(yaml.safe_load(f'"{escape}"'))
    (found,) = complaints(f'a: &a [b, "c"]\nd: [*a, {{e: "f{escape}g"}}]\n')
    assert found.startswith("2:13 encoding: ")
    assert f"is the character U+{code:04X}. Use single quotes" in found


@pytest.mark.parametrize(
    "escape", [r"\t", r"\n", r"\N", r"\L", r"\P", r"\ufeff", r"\u202e", r"\U0001f989", r"\\", r"\""]
)
def test_other_escapes_are_read(escape: str) -> None:
    assert row(f'a: "b{escape}c"') == {"a": yaml.safe_load(f'"b{escape}c"')}


def test_what_is_right_is_read_although_a_key_is_there_twice() -> None:
    found, problems = read("cv.yaml", b"a: 1\nb: 2\na: 3\n")
    assert found == {"a": "1", "b": "2"}
    assert len(problems) == 1


def test_an_alias_repeats_a_value() -> None:
    assert row("a: &a {x: y}\nb: *a\nc: [*a, *a]") == {
        "a": {"x": "y"},
        "b": {"x": "y"},
        "c": [{"x": "y"}, {"x": "y"}],
    }


def test_aliases_that_multiply_are_refused() -> None:
    lines = [
        "a: &a [x, x]",
        *(
            f"{this}: &{this} [*{last}, *{last}]"
            for last, this in zip(string.ascii_lowercase, string.ascii_lowercase[1:], strict=False)
        ),
    ]
    (found,) = complaints("\n".join(lines))
    assert "yaml: Aliases (*name) expand to too many values here." in found


def test_an_alias_of_a_long_list_counts_by_its_length() -> None:
    (found,) = complaints(f"a: &a [{'x, ' * 5000}]\nb: [{'*a, ' * 5000}]\n")
    assert "yaml: Aliases (*name) expand to too many values here." in found


def test_an_alias_of_a_long_text_counts_by_its_length() -> None:
    (found,) = complaints(f"a: &a {'x' * 100_000}\nb: [{'*a, ' * 5000}]\n")
    assert "yaml: Aliases (*name) expand to too many values here." in found


@pytest.mark.parametrize("opening", ["[", "{", "{a: ", "- ", "[{", "? ", "-  ", "- ? "])
def test_two_hundred_thousand_levels_are_refused_and_do_not_crash(opening: str) -> None:
    (found,) = complaints("a: " * (opening[0] in "[{") + opening * 200_000)
    assert found.startswith("1:1 yaml: This file is nested too deeply.")


@pytest.mark.parametrize("line", ["a:", "-", "?"])
@pytest.mark.parametrize("end", ["\n", "\r"])
def test_hundreds_of_indented_levels_are_refused(line: str, end: str) -> None:
    (found,) = complaints("".join(" " * level + line + end for level in range(600)))
    assert found.startswith("1:1 yaml: This file is nested too deeply.")


@pytest.mark.parametrize("line", ["[" * 100_000, "{a: " * 30_000, f"[{'[], ' * 50_000}]"])
def test_a_mistake_above_a_line_of_brackets_is_explained_at_once(line: str) -> None:
    """A parser looks at all open brackets for each token."""
    began = time.process_time()
    (found,) = complaints(f"a: b: c\nd: {line}\n")
    assert found.startswith("1:5 yaml: Unexpected colon.")
    assert time.process_time() - began < 10


def test_brackets_in_quotes_are_no_levels() -> None:
    assert row(f"a: '{'[' * 300}'") == {"a": "[" * 300}


def test_a_few_levels_are_fine() -> None:
    assert row("a: " + "[" * 100 + "x" + "]" * 100)["a"][0][0] != "x"


@pytest.mark.fuzz
@settings(deadline=None)
@given(st.binary() | NEAR_YAML.map(str.encode))
def test_any_bytes_give_a_row_or_problems(data: bytes) -> None:
    found, problems = read("cv.yaml", data)
    assert isinstance(found, Row) or (found is None and problems)
    assert all(
        problem.place.line >= 1 and problem.place.column >= 1 and problem.message
        for problem in problems
    )
    assert not [each for each in problems if PARSERS_ENGLISH.search(each.message)]


@pytest.mark.fuzz
@pytest.mark.proof
@settings(deadline=None)
@given(NESTED, st.booleans())
def test_any_structure_of_texts_is_read_back_as_it_was_written(
    value: dict[str, object], unescaped: bool
) -> None:
    written = yaml.safe_dump(value, default_style='"', allow_unicode=unescaped)
    assert read("cv.yaml", written.encode()) == (value, [])


def test_aliases_of_aliases_may_not_nest_without_end() -> None:
    hidden = [
        f"? &x{number} [{f'*x{number - 1}' if number else 'a'}]\n: b" for number in range(600)
    ]  # keys like these are never read
    assert (
        "yaml: Aliases (*name) expand to too many values here."
        in complaints("\n".join([*hidden, "z: *x599"]))[-1]
    )
