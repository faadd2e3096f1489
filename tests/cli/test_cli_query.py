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
from click.shell_completion import ShellComplete
from pyoxigraph import RdfFormat, parse

from kg.cli import main
from kg.cli.query import RESULT_FORMATS
from kg.text.columns import width
from tests.cli.test_cli import EXAMPLE, OWNERS, run
from tests.stand_ins import with_stand_ins
from tests.web.serving import KG

pytestmark = pytest.mark.sample(quick=0.1)

TYPO = "PREFIX schema: <http://schema.org/>\nSELECT ?name { ?s schema:nmae ?name }"


def on_terminal(*arguments: str | Path, columns: int) -> list[str]:
    """What a terminal of that width shows in the end, when no progress is left."""
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
    lines = shown.decode().removesuffix("\r\n").split("\r\n")
    return [line.rpartition("\r")[2] for line in lines]


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody is at the other end any more
        return b""


@pytest.mark.process
def test_a_terminal_shows_a_table_with_names_in_its_width(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text(
        """PREFIX schema: <http://schema.org/>
        SELECT ?person ?kind ?name (STRLEN(?name) AS ?n) {
          VALUES ?kind { schema:Person } ?person a ?kind ; schema:name ?name
        } ORDER BY ?name"""
    )
    lines = on_terminal("query", tmp_path / "q.rq", "--site", EXAMPLE, columns=100)
    assert lines[:3] == [
        "person          kind           name             n",
        "--------------  -------------  --------------  --",
        "Ada Lindqvist   schema:Person  Ada Lindqvist   13",
    ]
    assert lines[-1].startswith("4 rows.")
    words = ("query", tmp_path / "q.rq", "--site", EXAMPLE, "-f", "table")
    narrow = run(*words, COLUMNS="40").stdout.splitlines()
    assert max(map(width, narrow)) <= 40
    assert any("…" in line for line in narrow)


@pytest.mark.process
@pytest.mark.proof
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


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("form", [form for form in RESULT_FORMATS if form not in ("json", "xml")])
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
            f"This query returns a {wrong}, which has no format '{form}'. Known: table, "
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
    assert result.stderr == "Hint: No triple uses schema:nmae. Did you mean schema:name?\n"


# Named questions


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    "words",
    [
        ["--person", "noor-haddad"],
        ["--person=Noor Haddad"],
        ["--param", "person=noor-haddad"],
        ["-p", "person=people/noor-haddad"],
    ],
)
def test_a_question_has_options_for_its_parameters(words: list[str]) -> None:
    result = run("query", "coauthors-of", *words, EXAMPLE)
    assert (result.exit_code, result.stderr) == (0, "")
    assert [row["works"] for row in csv.DictReader(StringIO(result.stdout))] == ["2", "1"]


def test_options_may_stand_before_the_question() -> None:
    words = ["--site", str(EXAMPLE), "--person", "noor-haddad", "coauthors-of", "--json"]
    assert len(json.loads(run("query", *words).stdout)["results"]["bindings"]) == 2


def test_a_question_in_a_file_or_of_a_site_has_options_too(example: Path, tmp_path: Path) -> None:
    text = """#+ summary: What is somebody called?
#+ params:
#+   who: {type: person, meaning: who it is, example: ada-lindqvist}
SELECT ?name { VALUES (?who) { (<people/ada-lindqvist#it>) } ?who <http://schema.org/name> ?name }
"""
    (tmp_path / "mine.rq").write_text(text)
    (example / "queries").mkdir(exist_ok=True)
    (example / "queries" / "called.rq").write_text(text)
    for query in (tmp_path / "mine.rq", "called"):
        result = run("query", query, "--who", "noor-haddad", example)
        assert result.stdout.splitlines() == ["name", "Noor Haddad"]
    assert "What is somebody called?" in run("query", "called", "--help", "--site", example).stdout


def test_a_parameter_that_is_called_as_an_option_is_given_by_param(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text(
        """#+ summary: What is the answer?
#+ params:
#+   format: {type: number, meaning: the answer, default: 42}
SELECT ?format { VALUES (?format) { (42) } }
"""
    )
    result = run("query", tmp_path / "q.rq", "-p", "format=7", "--format", "tsv", EXAMPLE)
    assert result.stdout.splitlines() == ["?format", "7"]


def test_the_help_of_a_question_says_what_it_asks_and_takes() -> None:
    result = run("query", "coauthors-of", "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: main query [OPTIONS] coauthors-of [SITE]\n")
    words = " ".join(result.stdout.split())
    assert "Who has this person written with?" in words
    assert "--person PERSON" in words
    assert "kg query coauthors-of --person alvar-jarl" in with_stand_ins(words)
    assert "--person PERSON" not in run("query", "--help").stdout


def test_a_value_that_is_needed_is_asked_for_with_an_example() -> None:
    result = run("query", "coauthors-of", EXAMPLE)
    assert (result.exit_code, result.stdout) == (2, "")
    said = "--person is missing: author. Example: kg query coauthors-of"
    assert f"{said} {EXAMPLE} --person ada-lindqvist" in " ".join(result.stderr.split())
    both = run("query", "shared-coauthors", "--other", "noor-haddad", EXAMPLE)
    command = f"--other noor-haddad {EXAMPLE} --person ada-lindqvist"
    assert command in " ".join(both.stderr.split())


def test_without_a_question_all_are_listed_in_words() -> None:
    result = run("query", "--site", EXAMPLE)
    assert result.exit_code == 0
    assert run("query", EXAMPLE).stdout == result.stdout
    lines = result.stdout.splitlines()
    assert len(lines) >= 32
    assert [line.split()[0] for line in lines] == sorted(line.split()[0] for line in lines)
    assert any(line.startswith("coauthors-of  ") and line.endswith("?") for line in lines)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?n { <people/ada-lindqvist#it> <http://schema.org/name> ?n }",
        "# who?\nselect ?n{<people/ada-lindqvist#it> <http://schema.org/name> ?n}",
    ],
)
def test_a_query_may_be_typed_as_it_is(query: str) -> None:
    result = run("query", query, EXAMPLE)
    assert result.stdout.splitlines() == ["n", "Ada Lindqvist"]


def test_a_long_query_and_a_description_may_be_typed_too() -> None:
    for size in (300, 20_000):
        query = f"# {'x' * size}\nASK {{}}"
        assert run("query", query, "-f", "table", EXAMPLE).stdout == "Yes.\n"
    assert "Ada" in run("query", "DESCRIBE <people/ada-lindqvist#it>", EXAMPLE).stdout


@pytest.mark.parametrize("word", ["x" * 300, "x\0y", "x" * 300 + ".rq"])
def test_what_can_be_no_file_is_no_question_either(word: str) -> None:
    result = run("query", word, EXAMPLE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Unknown question" in result.stderr


def test_a_misspelt_question_is_answered_with_the_nearest() -> None:
    result = run("query", "coauthor-of", EXAMPLE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Unknown question 'coauthor-of'. Closest: coauthors-of" in result.stderr


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--param", "persn=ada"], "Unknown parameter 'persn'. Did you mean person?"),
        (["--param", "person"], "Write NAME=VALUE"),
        (["--persn", "ada"], "No such option"),
        (["--person", "nor-haddad"], "noor-haddad"),
        (["--person", "ada>) } #"], "person cannot be 'ada>) } #'"),
    ],
)
def test_a_wrong_parameter_is_2_and_says_what_would_be_right(words: list[str], said: str) -> None:
    result = run("query", "coauthors-of", "--site", EXAMPLE, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


# Completion


def completed(*words: str) -> dict[str, str]:
    """What a shell offers for the last word, with what it says of each."""
    shell = ShellComplete(main, {}, "kg", "_KG_COMPLETE")
    found = shell.get_completions(list(words[:-1]), words[-1])
    return {str(item.value): item.help or "" for item in found}


def test_the_shell_completes_questions_and_options() -> None:
    site = ("--site", str(EXAMPLE))
    assert "coauthors-of" in completed("query", *site, "coauthors")
    assert "--person" in completed("query", *site, "coauthors-of", "--per")
    assert completed("query", *site, "coauthors", "--per") == {}


# Slips


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


def test_nothing_in_an_answer_commands_the_terminal() -> None:
    assert (
        "\x1b"
        not in run(
            "query", "-", "--site", EXAMPLE, "-f", "table", stdin="SELECT ('a\x1b[2J' AS ?x) {}"
        ).stdout
    )
