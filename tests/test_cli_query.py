"""`kg query`: what it prints on a terminal and in a pipe, with other values, and with what it
points at a slip.
"""

from __future__ import annotations

import csv
import fcntl
import json
import os
import pty
import struct
import subprocess
import termios
from io import StringIO
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse

from kg.cli.query import FORMS, clean, cut, fitted, pointed, table, width
from tests.test_cli import EXAMPLE, OWNERS, run
from tests.web.serving import KG

TYPO = "PREFIX schema: <http://schema.org/>\nSELECT ?name { ?s schema:nmae ?name }"


def on_terminal(*arguments: str | Path, columns: int) -> list[str]:
    """What a terminal of that width shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
    }
    with subprocess.Popen(
        [KG, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        shown = b""
        while portion := read(ours):
            shown += portion
    os.close(ours)
    assert process.returncode == 0, shown
    return shown.decode().splitlines()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody is at the other end any more
        return b""


def test_a_terminal_shows_a_table_with_short_names_in_its_width(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text(
        """PREFIX schema: <http://schema.org/>
        SELECT ?person ?kind ?name (STRLEN(?name) AS ?n) {
          VALUES ?kind { schema:Person } ?person a ?kind ; schema:name ?name
        } ORDER BY ?name"""
    )
    lines = on_terminal("query", tmp_path / "q.rq", "--site", EXAMPLE, columns=100)
    assert lines[:3] == [
        "person                    kind           name             n",
        "------------------------  -------------  --------------  --",
        "people/ada-lindqvist#it   schema:Person  Ada Lindqvist   13",
    ]
    assert lines[-1].startswith("4 rows.")
    narrow = on_terminal("query", tmp_path / "q.rq", "--site", EXAMPLE, columns=40)
    assert max(map(width, narrow)) <= 40
    assert any("…" in line for line in narrow)


def test_a_graph_is_turtle_on_a_terminal_too(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text("DESCRIBE <people/ada-lindqvist#it>")
    assert on_terminal("query", tmp_path / "q.rq", "--site", EXAMPLE, columns=80)[0].startswith(
        "@prefix "
    )


def test_in_a_pipe_a_table_is_csv() -> None:
    result = run("query", "-", "--site", EXAMPLE, stdin=OWNERS)
    assert {row["name"] for row in csv.DictReader(StringIO(result.stdout))} == {
        "Ada Lindqvist",
        "Tomás Ferreira",
    }


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("json", "xml")])
def test_every_form_holds_a_table_or_a_graph_or_says_which_do(form: str) -> None:
    questions = {"table": OWNERS, "graph": "DESCRIBE <people/ada-lindqvist#it>"}
    results = {
        kind: run("query", "-", "--site", EXAMPLE, "-f", form, stdin=text)
        for kind, text in questions.items()
    }
    codes = {kind: result.exit_code for kind, result in results.items()}
    if form == "table":
        assert codes == {"table": 0, "graph": 0}
        assert results["graph"].stdout.split()[:3] == ["subject", "predicate", "object"]
    else:
        assert sorted(codes.values()) == [0, 2]
        wrong = next(kind for kind, code in codes.items() if code == 2)
        assert (
            f"This query gives a {wrong}, and {form} cannot hold it. Choose table, "
            in results[wrong].stderr
        )


def test_json_and_xml_hold_both() -> None:
    assert "results" in json.loads(
        run("query", "-", "--site", EXAMPLE, "-f", "json", stdin=OWNERS).stdout
    )
    assert isinstance(
        json.loads(
            run(
                "query",
                "-",
                "--site",
                EXAMPLE,
                "-f",
                "json",
                stdin="DESCRIBE <people/ada-lindqvist#it>",
            ).stdout
        ),
        list,
    )
    xml = run(
        "query", "-", "--site", EXAMPLE, "-f", "xml", stdin="DESCRIBE <people/ada-lindqvist#it>"
    )
    assert len(list(parse(xml.stdout_bytes, format=RdfFormat.RDF_XML))) > 10


@pytest.mark.parametrize(
    ("query", "shown"),
    [("ASK {}", "Yes.\n"), ("ASK { <x:a> <x:b> 1 }", "No.\n"), ("SELECT * {}", "")],
)
def test_a_verdict_and_a_table_without_columns(query: str, shown: str) -> None:
    assert run("query", "-", "--site", EXAMPLE, "-f", "table", stdin=query).stdout == shown


def test_what_no_triple_uses_is_hinted_at_on_stderr() -> None:
    result = run("query", "-", "--site", EXAMPLE, stdin=TYPO)
    assert (result.exit_code, result.stdout) == (0, "name\n")
    assert result.stderr == "Hint: No triple uses schema:nmae; did you mean schema:name?\n"


def test_a_parameter_can_have_another_value() -> None:
    result = run("query", "coauthors-of", "--site", EXAMPLE, "--param", "person=noor-haddad")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [row["coauthor"] for row in csv.DictReader(StringIO(result.stdout))] == [
        "Ada Lindqvist",
        "Tomás Ferreira",
    ]
    both = run(
        "query",
        "shared-coauthors",
        "--site",
        EXAMPLE,
        "-p",
        "person=ada-lindqvist",
        "-p",
        "other=people/tomas-ferreira#it",
    )
    assert "Noor Haddad" in both.stdout


def test_a_value_that_is_nobody_gets_a_hint() -> None:
    result = run("query", "coauthors-of", "--site", EXAMPLE, "--param", "person=nor-haddad")
    assert result.exit_code == 0
    assert "did you mean <people/noor-haddad#it>?" in result.stderr


@pytest.mark.parametrize(
    ("param", "words"),
    [
        ("persn=ada", "This query has no parameter 'persn'. It has person."),
        ("person", "Give its name and its value"),
        ("person=ada>) } #", "The parameter 'person' cannot be"),
    ],
)
def test_a_wrong_parameter_is_2_and_says_what_would_be_right(param: str, words: str) -> None:
    result = run("query", "coauthors-of", "--site", EXAMPLE, "--param", param)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_slip_is_shown_with_a_caret_under_the_place() -> None:
    query = (
        "PREFIX schema: <http://schema.org/>\nSELECT ?a WHERE {\n  ?a schema:name ;; ?b .\n  "
        "FILTR(?b)\n}"
    )
    result = run("query", "-", "--site", EXAMPLE, stdin=query)
    assert (result.exit_code, result.stdout) == (2, "")
    said, line, caret = result.stderr.splitlines()
    assert said.startswith("line 3, column ")
    assert line == "    ?a schema:name ;; ?b ."
    assert caret.strip() == "^"
    column = int(said.partition("column ")[2].partition(":")[0])
    assert caret.index("^") == column - 1 + 2


def test_what_is_not_allowed_is_pointed_at_too() -> None:
    result = run(
        "query", "-", "--site", EXAMPLE, stdin="SELECT * {\n  SERVICE <http://127.0.0.1/> {}\n}"
    )
    assert result.stderr.splitlines()[1:] == ["    SERVICE <http://127.0.0.1/> {}", "    ^"]


def test_a_question_that_is_not_utf_8_is_2(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_bytes(b"SELECT * { ?s ?p '\xff' }")
    result = run("query", tmp_path / "q.rq", "--site", EXAMPLE)
    assert (result.exit_code, "is not UTF-8" in result.stderr) == (2, True)


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_bytes(b"\xef\xbb\xbf" + OWNERS.encode())
    assert run("query", tmp_path / "q.rq", "--site", EXAMPLE).exit_code == 0


# Columns


def test_the_widest_columns_give_way_first() -> None:
    assert fitted([3, 10, 40], 100) == [3, 10, 40]
    assert fitted([3, 10, 40], 30) == [3, 10, 13]
    assert fitted([30, 40, 3], 40) == [16, 16, 3]
    assert fitted([30] * 10, 20) == [6] * 10, "but they stay readable, and lines wrap"


def test_a_table_is_aligned_whatever_it_holds() -> None:
    lines = list(
        table(
            ["name", "n"],
            [["名前", "7"], ["e\u0301", "12"], ["a long text", ""]],
            frozenset({1}),
            12,
        )
    )
    assert lines == [
        "name       n",
        "--------  --",
        "名前       7",
        "e\u0301         12",
        "a long …",
    ]
    assert [width(line) for line in lines] == [12, 12, 12, 12, 8]


def test_nothing_in_a_text_commands_the_terminal() -> None:
    assert clean("a\x1b[31mred\x07\nb\u202ec\u2028\x9b") == "a [31mred  b c  "
    assert (
        "\x1b"
        not in run(
            "query", "-", "--site", EXAMPLE, "-f", "table", stdin="SELECT ('a\x1b[2J' AS ?x) {}"
        ).stdout
    )


def test_a_cut_is_marked_and_counts_cells() -> None:
    assert [cut("abcdef", 6), cut("abcdefg", 6), cut("名前名前", 6)] == [
        "abcdef",
        "abcde…",
        "名前…",
    ]


def test_a_long_line_is_shown_around_the_place() -> None:
    line, caret = pointed("x" * 300 + "!" + "y" * 300, 1, 301, 60)
    assert width(line) <= 60
    assert line[caret.index("^")] == "!"
    assert pointed("one\n\ttwo", 2, 2, 60) == [" two", " ^"]
    assert pointed("名前 x", 1, 4, 60) == ["名前 x", "     ^"]
    assert pointed("one", 1, 4, 60) == ["one", "   ^"]
    assert pointed("one", 5, 1, 60) == []
