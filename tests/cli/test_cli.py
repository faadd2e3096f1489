"""The commands: what they print where, with which exit code, and what they leave alone."""

from __future__ import annotations

import csv
import json
import re
import socket
import subprocess
import sys
from io import StringIO
from pathlib import Path
from urllib.request import urlopen

import click
import pytest
from click.testing import CliRunner, Result
from pyoxigraph import RdfFormat, parse

from kg.check.check import good
from kg.cli import main
from kg.cli.publish import DUMP_FORMATS
from kg.publish.site import Documents
from tests import cases
from tests.conftest import LARGE_SITE, ROOT
from tests.web.serving import KG, serving

pytestmark = pytest.mark.sample(quick=0.1)

EXAMPLE = ROOT / "kg" / "example"
COMMANDS = main.list_commands(click.Context(main))  # those of our plugins among them
OWNERS = (
    "SELECT ?name { ?person a <https://w3id.org/cv-kg/terms#Owner> ; "
    "<http://schema.org/name> ?name }"
)


def run(*arguments: str | Path, stdin: str | None = None, **environment: str) -> Result:
    """A command's exit code, stdout and stderr; an exception that is not ours fails the test."""
    result = CliRunner().invoke(
        main, [str(argument) for argument in arguments], input=stdin, env=environment
    )
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def ten_mistakes(tmp_path: Path) -> Path:
    return cases.site(cases.FOLDER / "ten-mistakes", tmp_path / "mistakes")


def test_check_says_nothing_on_stdout_when_all_is_well() -> None:
    result = run("check", EXAMPLE)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "4 people, " in result.stderr
    assert "no problems." in result.stderr


def test_warnings_do_not_stop_anything() -> None:
    result = run("check", LARGE_SITE)
    assert result.exit_code == 0
    assert "  warning  " in result.stdout


def test_ten_mistakes_are_ten_lines(ten_mistakes: Path) -> None:
    result = run("check", ten_mistakes)
    lines = result.stdout.splitlines()
    assert (result.exit_code, len(lines)) == (1, 10)
    assert all(re.search(r"data/cv/ada\.yaml:\d+:\d+ +error ", line) for line in lines)
    assert "10 errors. Fix them before publishing." in result.stderr


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    "command",
    [
        ["build", "-o", "out"],
        ["dump"],
        ["query", "-", "--site"],
        ["embed", "ada", "--site"],
        ["serve"],
    ],
)
def test_a_site_with_errors_is_not_published(command: list[str], ten_mistakes: Path) -> None:
    result = run(*command, ten_mistakes)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("  error  ") == 10
    assert "The data has errors." in result.stderr


@pytest.mark.server
@pytest.mark.proof
def test_a_bad_edit_leaves_the_folder_and_the_running_site_alone(
    example: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    assert run("build", example, "-o", output).exit_code == 0
    before = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    with serving(example) as server:
        cv = example / "data" / "cv" / "ada-lindqvist.yaml"
        cv.write_text(
            cv.read_text(encoding="utf-8").replace("name: Ada", "nmae: Ada"), encoding="utf-8"
        )
        assert run("build", example, "-o", output).exit_code == 1
        with urlopen(f"{server.address}people/ada-lindqvist") as page:
            assert b"Ada Lindqvist" in page.read()
    assert {path: path.read_bytes() for path in output.rglob("*") if path.is_file()} == before


def test_build_writes_a_folder_and_says_so(one_person: Path, tmp_path: Path) -> None:
    result = run("build", one_person, "-o", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "out" / "index.html").is_file()
    assert f"files in {tmp_path / 'out'}/" in result.stderr


def test_build_into_a_strangers_folder_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("x")
    result = run("build", EXAMPLE, "-o", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "was not written by kg build" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("form", DUMP_FORMATS)
def test_dump_prints_the_complete_graph(form: str) -> None:
    result = run("dump", EXAMPLE, "--format", form)
    assert (result.exit_code, result.stderr) == (0, "")
    format_ = RdfFormat.from_media_type(DUMP_FORMATS[form])
    assert format_ is not None
    expected = {quad.triple for quad in parse(good(EXAMPLE).nquads, format=RdfFormat.N_QUADS)}
    assert {quad.triple for quad in parse(result.stdout_bytes, format=format_)} == expected


def test_dump_prints_everything_if_it_is_wanted() -> None:
    result = run("dump", EXAMPLE, "--format", "nq", "--all")
    assert result.exit_code == 0
    documents = Documents(good(EXAMPLE))
    assert result.stdout_bytes == documents.graph.nquads + documents.rest()


def test_dump_of_a_new_site_is_its_few_facts(one_person: Path) -> None:
    """Nothing about pages, and not the vocabulary."""
    result = run("dump", one_person, "--format", "nt")
    assert 0 < len(result.stdout.splitlines()) <= 20


def test_a_question_comes_from_standard_input_a_file_or_by_name(
    example: Path, tmp_path: Path
) -> None:
    (tmp_path / "question.rq").write_text(OWNERS)
    (example / "queries").mkdir()
    (example / "queries" / "owners.rq").write_text(OWNERS)
    for argument, stdin in (("-", OWNERS), (tmp_path / "question.rq", None), ("owners", None)):
        result = run("query", argument, "--site", example, stdin=stdin)
        assert (result.exit_code, result.stderr) == (0, "")
        assert {row["name"] for row in csv.DictReader(StringIO(result.stdout))} == {
            "Ada Lindqvist",
            "Tomás Ferreira",
        }


def test_an_answer_is_a_table_or_a_graph() -> None:
    table = run("query", "-", "--site", EXAMPLE, "-f", "json", stdin=OWNERS)
    assert len(json.loads(table.stdout)["results"]["bindings"]) == 2
    graph = run(
        "query", "-", "--site", EXAMPLE, "-f", "nt", stdin="DESCRIBE <people/ada-lindqvist#it>"
    )
    assert (
        '<https://lab.example.org/people/ada-lindqvist#it> <http://schema.org/name> "Ada Lindqvist"'
        in graph.stdout
    )
    assert "<https://lab.example.org/people/ada-lindqvist#work-" in graph.stdout, (
        "what depends on her is told too"
    )


def test_a_query_sees_what_the_endpoint_holds() -> None:
    text = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    documents = Documents(good(EXAMPLE))
    assert run("query", "-", "--site", EXAMPLE, stdin=text).stdout.split() == [
        "n",
        str((documents.graph.nquads + documents.rest()).count(b"\n")),
    ]


@pytest.mark.sample(test=0.4)
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["check", "no-such-folder"], "no-such-folder"),
        (["check", ROOT / "shapes"], "is not a site"),
        (["dump", EXAMPLE, "--format", "pdf"], "'pdf' is not one of"),
        (["query", "onwers", "--site", EXAMPLE], "Unknown question 'onwers'"),
        (["embed", "ada-lindquist", "--site", EXAMPLE], "Closest: ada-lindqvist"),
        (["new", ROOT], "is not empty"),
        (["new", ROOT / "LICENSE"], "is a file"),
        pytest.param(
            ["serve", EXAMPLE, "--host", "nowhere.invalid", "--port", "0"],
            "Cannot listen on nowhere.invalid",
            marks=pytest.mark.process,
        ),
        (["serve", EXAMPLE, "--port", "99999"], "99999"),
        (["serve", EXAMPLE, "--prot", "1"], "--port"),
        (["sevre"], "Unknown command 'sevre'"),
    ],
)
def test_wrong_use_is_2_and_says_what_would_be_right(command: list[str], words: str) -> None:
    result = run(*command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_slip_in_a_question_is_2_with_line_and_column() -> None:
    result = run("query", "-", "--site", EXAMPLE, stdin="SELECT *\n{ ?s ?p }")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("line 2, column ")


@pytest.mark.proof
def test_every_option_can_come_from_the_environment(one_person: Path, tmp_path: Path) -> None:
    assert (
        run("dump", EXAMPLE, KG_DUMP_FORMAT="nt").stdout == run("dump", EXAMPLE, "-f", "nt").stdout
    )
    assert run(
        "query", "-", stdin=OWNERS, KG_QUERY_SITE=str(EXAMPLE), KG_QUERY_FORMAT="tsv"
    ).stdout.startswith("?name\n")
    assert run("build", one_person, KG_BUILD_OUTPUT=str(tmp_path / "out")).exit_code == 0
    assert (tmp_path / "out" / "index.html").is_file()
    answer = run("query", "-", stdin=OWNERS, KG_QUERY_SITE=str(EXAMPLE))
    assert "Ada Lindqvist" in answer.stdout
    assert "99999" in run("serve", EXAMPLE, KG_SERVE_PORT="99999").stderr


@pytest.mark.process
@pytest.mark.proof
def test_a_taken_port_is_2_and_says_what_to_do() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = subprocess.run(
            [KG, "serve", EXAMPLE, "--port", port],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (result.returncode, result.stdout) == (2, "")
    assert f"Cannot listen on 127.0.0.1:{port}" in result.stderr
    assert "Choose another with --port" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.process
def test_help_names_every_command_and_loads_no_machinery() -> None:
    program = (
        "import sys; from kg.cli import main; main(['--help'], standalone_mode=False); "
        "print(*sys.modules, file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert [name for name in COMMANDS if f"\n  {name} " not in result.stdout] == []
    assert not {"rdflib", "pyshacl", "pyoxigraph", "granian", "pydantic", "yaml"} & set(
        result.stderr.split()
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_the_list_is_there(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {name} ")
