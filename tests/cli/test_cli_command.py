"""What every command has: SITE by its place, --json, -q, -v and --no-color; the nearest of what is
misspelt, the order of work, and a shell that completes.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kg.cli import COMMANDS as OF_THE_CORE
from kg.cli import GROUPS, main
from kg.cli.command import VERBOSE, SiteArgument
from kg.cli.messages import report
from kg.errors import SEVERITIES, Place, Problem, counted
from kg.plugins.exchange.commands import SiteOption
from kg.plugins.remote.push import Pushed
from tests.cli.test_cli import COMMANDS, EXAMPLE, OWNERS, run
from tests.conftest import LARGE_SITE

pytestmark = pytest.mark.sample(quick=0.1)

# Commands that are about no site, with the reason.
WITHOUT_SITE = {
    "new": "it makes one",
    "completion": "it is for the shell",
    "plugins": "it is about packages",
    "lsp": "the editor names the folder",
    "join": "it writes one from the sites of others",
}
KG = Path(sys.executable).with_name("kg")


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main, **main.context_settings), name)
    assert found is not None
    return found


def options(found: click.Command) -> set[str]:
    return {name for each in found.params for name in each.opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_manners_of_all(name: str) -> None:
    assert {"-q", "--quiet", "-v", "--verbose", "--no-color"} <= options(command(name))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_its_site_by_place_last_and_as_an_option(name: str) -> None:
    found = command(name)
    sites = [each for each in found.params if isinstance(each, SiteArgument | SiteOption)]
    assert (len(sites) == 1) is (name not in WITHOUT_SITE)
    arguments = [each for each in found.params if isinstance(each, click.Argument)]
    if sites and isinstance(sites[0], SiteArgument):
        needs_kind = name == "add"  # the kind of entry, before or after the site
        assert (arguments[-1], sites[0].required) == (sites[0], needs_kind)
    assert "--site" not in options(found), "there is one way to say it, and an alias"


@pytest.mark.parametrize("name", COMMANDS)
def test_what_has_forms_has_them_by_the_same_names(name: str) -> None:
    found = command(name)
    names = {"import": "--report"}  # which format of files has as --from
    format = names.get(name, "--format")
    if format in options(found):
        assert {"-f", "--json"} <= options(found)
    assert "--json" not in options(found) or format in options(found)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_an_example_that_parses(name: str) -> None:
    *_, heading, example = run(name, "--help").stdout.splitlines()
    assert heading == "Example:"
    program, called, *words = shlex.split(example.partition(" > ")[0])
    assert (program, called) == ("kg", name)
    known = {f"--{each}" for each in ("person", "date", "title")} | options(command(name))
    assert {word for word in words if word.startswith("-")} <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_defaults_in_one_way(name: str) -> None:
    said = " ".join(run(name, "--help").stdout.split())
    assert "[default" not in said
    assert "by itself" not in said
    for option in command(name).params:
        if isinstance(option, click.Option) and not option.hidden and option.show_default:
            assert f"default: {option.default}" in said


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    "words",
    [
        ["dump"],
        ["names"],
        ["check"],
        ["shapes"],
        ["who", "N. Haddad"],
        ["embed", "ada-lindqvist"],
        ["query", "coauthors"],
    ],
)
def test_a_site_may_be_named_in_three_ways(words: list[str]) -> None:
    by_place = run(*words, EXAMPLE)
    by_option = run(*words, "--site", EXAMPLE)
    variable = f"KG_{words[0].upper()}_SITE"
    by_environment = run(*words, **{variable: str(EXAMPLE)})
    assert by_place.exit_code == 0
    for other in (by_option, by_environment):
        assert (other.stdout, other.exit_code) == (by_place.stdout, 0)


def test_two_sites_are_one_too_many() -> None:
    result = run("dump", EXAMPLE, "--site", LARGE_SITE)
    assert result.exit_code == 2
    assert "Two sites are given" in result.stderr


def test_the_schemas_are_written_into_the_site_that_is_named(example: Path) -> None:
    shutil.rmtree(example / "data" / ".schema", ignore_errors=True)
    assert run("schema", "--write", example).exit_code == 0
    assert (example / "data" / ".schema").is_dir()


def test_json_is_short_for_the_format_and_the_last_one_counts() -> None:
    assert json.loads(run("check", EXAMPLE, "--json").stdout)["problems"] == []
    assert run("check", EXAMPLE, "--json", "-f", "text").stdout == ""
    assert json.loads(run("check", EXAMPLE, "-f", "text", "--json").stdout)["problems"] == []
    assert run("dump", EXAMPLE, "--json").stdout == run("dump", EXAMPLE, "-f", "jsonld").stdout
    query = run("query", "-", EXAMPLE, "--json", stdin=OWNERS)
    assert len(json.loads(query.stdout)["results"]["bindings"]) == 2


def test_names_and_who_have_a_form_for_programs() -> None:
    named = json.loads(run("names", EXAMPLE, "--json").stdout)
    assert len(named) == 6
    assert all(each["name"] and each["places"] and "/" in each["address"] for each in named)
    found = json.loads(run("who", "N. Haddad", EXAMPLE, "--json").stdout)
    assert [each["person"] for each in found["is"]] == ["noor-haddad"]
    nobody = run("who", "Nora Hadad", EXAMPLE, "--json")
    assert (nobody.exit_code, json.loads(nobody.stdout)["is"]) == (1, [])


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("words", [["check"], ["dump"], ["query", "coauthors"], ["names"]])
def test_quiet_is_quiet_before_the_command_as_behind_it(words: list[str]) -> None:
    loud = run(*words, EXAMPLE)
    for quiet in (run("-q", *words, EXAMPLE), run(*words, EXAMPLE, "--quiet")):
        assert (quiet.stdout, quiet.exit_code, quiet.stderr) == (loud.stdout, 0, "")
    assert run(*words, EXAMPLE, KG_QUIET="1").stderr == ""


def test_what_is_wrong_is_told_the_quiet_too(tmp_path: Path) -> None:
    assert "is not a site" in run("-q", "check", tmp_path).stderr


def test_verbose_tells_how_long_it_took() -> None:
    usual, verbose = run("dump", EXAMPLE), run("dump", EXAMPLE, "-v")
    assert (usual.stdout, usual.stderr) == (verbose.stdout, "")
    assert verbose.stderr.startswith("Checking: ")
    assert verbose.stderr.endswith(" s\n")


@pytest.mark.parametrize("notes", [{}, {VERBOSE: True}])
def test_verbose_reports_hints_beside_errors_and_warnings(
    notes: dict[str, bool], capsys: pytest.CaptureFixture[str]
) -> None:
    problems = [
        Problem(Place("data/cv/ada.yaml"), each, f"a mere {each}.", "rule") for each in SEVERITIES
    ]
    with click.Context(main, **main.context_settings) as context:
        context.meta.update(notes)
        report(problems, EXAMPLE)
    shown = capsys.readouterr().err
    assert [each in shown for each in ("a mere error", "a mere warning")] == [True, True]
    assert ("a mere info" in shown) is bool(notes)


def test_quiet_and_verbose_exclude_each_other() -> None:
    result = run("-q", "check", EXAMPLE, "-v")
    assert result.exit_code == 2
    assert "exclude each other" in result.stderr


@pytest.mark.parametrize("words", [["--no-color", "check"], ["check", "--no-color"]])
def test_without_colours_nothing_is_coloured(words: list[str], tmp_path: Path) -> None:
    plain = CliRunner().invoke(main, [*words, str(tmp_path)], color=True)
    coloured = CliRunner().invoke(main, ["check", str(tmp_path)], color=True)
    assert "\x1b" not in plain.output
    assert "\x1b" in coloured.output


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("chek", "check"),
        ("biuld", "build"),
        ("sevre", "serve"),
        ("querry", "query"),
        ("nwe", "new"),
    ],
)
def test_a_misspelt_command_is_answered_with_the_nearest(typed: str, meant: str) -> None:
    result = run(typed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Unknown command '{typed}'. Did you mean '{meant}'?" in result.stderr


def test_what_is_near_nothing_is_not_guessed() -> None:
    assert "Unknown command 'xyzzy'. kg --help lists all commands." in run("xyzzy").stderr


def test_a_misspelt_option_is_answered_with_the_nearest() -> None:
    assert "--format" in run("check", "--fromat", "json").stderr
    assert "--site" in run("dump", "--sit", EXAMPLE).stderr


def test_the_commands_are_listed_in_the_order_of_work_under_headings() -> None:
    lines = run("--help").stdout.splitlines()
    shown = [line.split()[0] for line in lines if line.startswith("  ") and line[2:3].isalpha()]
    assert set(shown) >= set(COMMANDS)
    assert [word for word in shown if word in OF_THE_CORE] == list(OF_THE_CORE)
    assert [line[:-1] for line in lines if line[:-1] in GROUPS] == list(GROUPS)
    assert all(len(line) <= 79 for line in lines)
    assert [line for line in lines if line.startswith(" " * 14)] == [], "each on one line"


def completed(home: Path, words: str) -> list[str]:
    """What a real bash offers for the words, once completion is installed."""
    script = f"""
        . "$HOME/.bashrc"
        COMP_WORDS=({words} "") COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
        _kg_completion kg
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    if not words.endswith(" "):
        script = script.replace(f'({words} "")', f"({words})")
    result = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "HOME": str(home), "PATH": f"{KG.parent}:{os.environ['PATH']}"},
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.split()


@pytest.mark.process
@pytest.mark.proof
def test_one_command_has_bash_complete_commands_options_and_slugs(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text("alias x=y")
    for _ in range(2):
        result = run("completion", "bash", "--install", HOME=str(tmp_path), XDG_DATA_HOME="")
        assert result.exit_code == 0
        assert ".bashrc" in result.stderr
    start = (tmp_path / ".bashrc").read_text().splitlines()
    assert (start[0], len(start)) == ("alias x=y", 2), "once, and on a line of its own"
    assert set(COMMANDS) == set(completed(tmp_path, "kg "))
    assert completed(tmp_path, "kg bu") == ["build"]
    assert completed(tmp_path, "kg check --form") == ["--format"]
    assert completed(tmp_path, "kg embed ad") == ["ada-lindqvist"]
    assert completed(tmp_path, "kg query coauthors-") == ["coauthors-of"]
    run("check", EXAMPLE)
    assert completed(tmp_path, "kg query coauthors-of --person no") == ["noor-haddad"]


@pytest.mark.parametrize(("shell", "file"), [("zsh", ".zshrc"), ("fish", "completions/kg.fish")])
def test_completion_installs_for_other_shells(shell: str, file: str, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "ZDOTDIR": ""}
    result = run("completion", "--install", SHELL=f"/bin/{shell}", **home)
    assert result.exit_code == 0
    assert file in result.stderr
    assert "_KG_COMPLETE" in run("completion", shell).stdout


def test_a_script_of_completion_that_cannot_be_written_is_there_to_print(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "taken")}
    (tmp_path / "taken").write_text("a file in the place of the folder")
    result = run("completion", "fish", "--install", **home)
    assert result.exit_code == 2
    assert "Not a directory" in result.stderr
    assert "Or print the script and install it manually: kg completion fish" in result.stderr


def test_a_shell_that_is_unknown_is_asked_for() -> None:
    result = run("completion", "--install", SHELL="/bin/tcsh")
    assert result.exit_code == 2
    assert "The shell is missing." in result.stderr


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ("file",), "0 files"),
        (1, ("file",), "1 file"),
        (2, ("file",), "2 files"),
        (1, ("person", "people"), "1 person"),
        (12, ("person", "people"), "12 people"),
    ],
)
def test_one_is_one(number: int, words: tuple[str, ...], said: str) -> None:
    assert counted(number, *words) == said


def test_one_person_with_one_problem_is_told_so(tmp_path: Path) -> None:
    assert run("new", tmp_path / "mine").exit_code == 0
    assert run("check", tmp_path / "mine").stderr.startswith("1 person, ")
    [cv] = (tmp_path / "mine" / "data" / "cv").glob("*.yaml")
    cv.write_text(f"{cv.read_text(encoding='utf-8')}\nwrok: []\n", encoding="utf-8")
    assert "\n1 error, 1 info. " in f"\n{run('check', tmp_path / 'mine').stderr}"
    assert str(Pushed(1, 0, 1, 1)) == "1 uploaded, 0 deleted, 1 unchanged"
