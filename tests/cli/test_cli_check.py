"""`kg check` with its options: which files, which form, which severity, which exit code; and what a
rule is for.
"""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.cli.check import REPORT_FORMATS
from tests import cases
from tests.cli.test_cli import EXAMPLE, run
from tests.conftest import LARGE_SITE, ROOT

PROGRAM = "from kg.cli import main; main(prog_name='kg')"
SHAPE = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix s: <shapes#> .
s:house-rule a sh:NodeShape ; sh:targetNode <> ; sh:severity sh:Warning ; rdfs:comment "Our house likes it so. Ask Ada." ;
  sh:sparql [ a sh:SPARQLConstraint ; sh:message "{?name} is here. Say hello." ;
    sh:select "SELECT $this ?value ?name WHERE { ?page a schema:ProfilePage ; schema:mainEntity ?value . ?value schema:name ?name }" ] .
"""  # noqa: E501


@pytest.fixture
def broken(example: Path) -> Path:
    """An error in one CV, a warning in each, and nothing elsewhere."""
    (example / "shapes").mkdir()
    (example / "shapes" / "house.ttl").write_text(SHAPE, encoding="utf-8")
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(
        cv.read_text(encoding="utf-8").replace("endDate: present", "endDate: 1999", 1),
        encoding="utf-8",
    )
    return example


@pytest.fixture
def warned(broken: Path) -> Path:
    """Warnings alone."""
    cv = broken / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(
        cv.read_text(encoding="utf-8").replace("endDate: 1999", "endDate: present"),
        encoding="utf-8",
    )
    return broken


def rules(output: str) -> list[str]:
    return [line.rpartition("[")[2].rstrip("]") for line in output.splitlines()]


def test_a_file_limits_the_report_but_not_the_check(broken: Path) -> None:
    complete = run("check", broken)
    assert complete.exit_code == 1
    assert {"role-dates", "house-rule"} <= set(rules(complete.stdout))
    result = run("check", broken / "data" / "cv" / "tomas-ferreira.yaml")
    assert (result.exit_code, rules(result.stdout)) == (1, ["house-rule"])
    more = len(complete.stdout.splitlines()) - 1
    assert (
        f"1 warning; {more} more problems in other files. Fix the error before publishing."
        in result.stderr
    )


def test_several_files_with_or_without_their_site(broken: Path) -> None:
    files = [
        broken / "data" / "cv" / f"{name}.yaml" for name in ("ada-lindqvist", "tomas-ferreira")
    ]
    result = run("check", *files)
    assert result.stdout == run("check", broken, *files).stdout == run("check", broken).stdout
    assert run("check", broken, files[1]).stdout == run("check", files[1]).stdout


def test_a_file_finds_its_site_from_any_folder(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(broken / "data" / "cv")
    assert run("check", "tomas-ferreira.yaml").stdout.startswith("tomas-ferreira.yaml:")
    monkeypatch.chdir(broken / "data")
    assert run("check", "../data/cv/tomas-ferreira.yaml").stdout.startswith(
        "cv/tomas-ferreira.yaml:"
    )
    monkeypatch.chdir(broken)
    assert run("check", "data/cv/tomas-ferreira.yaml").stdout.startswith(
        "data/cv/tomas-ferreira.yaml:"
    )
    assert run("check").stdout.startswith("data/cv/ada-lindqvist.yaml:")


def test_a_link_in_the_data_is_a_file_of_the_site(broken: Path) -> None:
    cv = broken / "data" / "cv" / "tomas-ferreira.yaml"
    cv.rename(broken.parent / "elsewhere.yaml")
    cv.symlink_to(broken.parent / "elsewhere.yaml")
    assert rules(run("check", cv).stdout) == ["house-rule"]


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        ([ROOT / "LICENSE"], "LICENSE is not in a site. Give files of one site"),
        ([ROOT / "docs" / "formats.md"], "is not in a site"),
        ([EXAMPLE, LARGE_SITE / "data" / "people.yaml"], f"is not in the site {EXAMPLE}"),
        (
            [EXAMPLE / "data" / "people.yaml", LARGE_SITE / "data" / "people.yaml"],
            f"is not in the site {EXAMPLE}",
        ),
        (
            [EXAMPLE / "data" / "people.yaml", EXAMPLE],
            "is a folder. Give the folder of the site first",
        ),
        ([EXAMPLE / "data" / "poeple.yaml"], "does not exist"),
        (["--format", "xml", EXAMPLE], "'xml' is not one of"),
        (["--severity", "bad", EXAMPLE], "'bad' is not one of"),
    ],
)
def test_wrong_use_is_2(paths: list[str | Path], words: str) -> None:
    result = run("check", *paths)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in " ".join(result.stderr.split())


def test_the_mildest_to_show_changes_no_exit_code(broken: Path, warned: Path) -> None:
    quiet = run("check", warned, "--severity", "error")
    assert (quiet.exit_code, quiet.stdout) == (0, "")
    assert "no problems; not shown: 2 warnings." in quiet.stderr
    assert len(run("check", warned, "--severity", "warning").stdout.splitlines()) == 2
    strict = run("check", warned, "--severity", "error", "--strict")
    assert (strict.exit_code, strict.stdout) == (1, "")


def test_strict_makes_warnings_fail(warned: Path) -> None:
    assert run("check", warned).exit_code == 0
    assert run("check", warned, "--strict").exit_code == 1
    assert run("check", EXAMPLE, "--strict").exit_code == 0
    assert run("check", warned, KG_CHECK_STRICT="1").exit_code == 1


def test_what_programs_read_is_all_that_is_printed(broken: Path) -> None:
    for form in ("json", "gitlab", "sarif"):
        result = run("check", broken, "--format", form)
        assert (result.exit_code, result.stderr) == (1, "")
        printed = json.loads(result.stdout)
    assert {"house-rule", "role-dates"} <= {
        result["ruleId"] for result in printed["runs"][0]["results"]
    }
    assert printed == json.loads(run("check", broken, KG_CHECK_FORMAT="sarif").stdout)
    well = json.loads(run("check", EXAMPLE, "-f", "json").stdout)
    assert (well["publishable"], well["problems"]) == (True, [])


def test_sarif_tells_what_a_rule_is_for(broken: Path) -> None:
    driver = json.loads(run("check", broken, "-f", "sarif").stdout)["runs"][0]["tool"]["driver"]
    described = {
        rule["id"]: rule.get("shortDescription", {}).get("text", "") for rule in driver["rules"]
    }
    assert described["role-dates"].startswith("An entry cannot end before it starts.")


def test_github_gets_annotations_and_the_log_its_summary(broken: Path) -> None:
    result = run(
        "check", broken, "--format", "github", broken / "data" / "cv" / "tomas-ferreira.yaml"
    )
    assert result.exit_code == 1
    assert result.stdout.startswith(f"::warning file={broken}/data/cv/tomas-ferreira.yaml,line=")
    assert "Fix the error before publishing." in result.stderr


def test_the_closing_words_say_what_to_do(broken: Path) -> None:
    printed = run("check", broken).stderr
    assert f"kg check {broken} --explain " in printed
    assert 'accept: {house-rule: "the reason"}' in printed


@pytest.mark.process
@pytest.mark.proof
def test_a_terminal_is_coloured_and_a_pipe_is_not(broken: Path) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "check", broken],
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(theirs)
    with open(ours, "rb", buffering=0) as terminal:  # noqa: PTH123
        shown = terminal.read(100_000)
    assert done.returncode == 1
    assert b"\x1b[31merror" in shown
    assert b"\r\n\r\n" in shown
    piped = run("check", broken).stdout
    assert "\x1b" not in piped
    assert "\n\n" not in piped


def test_a_rule_is_explained_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("check", "--explain", "role-dates")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("role-dates: An entry cannot end before it starts.")
    assert "\nBad:\n" in result.stdout
    assert "\nGood:\n" in result.stdout


def test_all_rules_are_listed_with_a_sentence_each(broken: Path) -> None:
    listed = dict(
        line.split("  ", 1) for line in run("check", broken, "--explain").stdout.splitlines()
    )
    assert len(listed) >= 25
    assert listed["role-dates"].strip() == "An entry cannot end before it starts."
    assert listed["house-rule"].strip() == "Our house likes it so."
    assert list(listed) == sorted(listed)


def test_a_rule_of_ones_own_says_what_its_shape_says_or_has_a_file(broken: Path) -> None:
    assert run("check", broken, "--explain", "house-rule").stdout == (
        "house-rule: {?name} is here. Say hello.\nOur house likes it so. Ask Ada.\n"
    )
    folder = broken / "shapes" / "explained"
    folder.mkdir(parents=True)
    (folder / "house-rule.yaml").write_text("why: Visitors are greeted.")
    assert (
        run("check", "--explain", "house-rule", broken).stdout
        == "house-rule: Visitors are greeted.\n"
    )


def test_an_unknown_rule_is_2_with_the_closest() -> None:
    result = run("check", EXAMPLE, "--explain", "role-date")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Unknown rule 'role-date'. Closest: role-dates" in result.stderr
    assert "kg check --explain lists all" in run("check", EXAMPLE, "--explain", "xyzzy").stderr


@pytest.mark.proof
def test_build_tells_warnings_and_publishes(one_person: Path, tmp_path: Path) -> None:
    site = shutil.copytree(one_person, tmp_path / "site")
    (site / "shapes").mkdir()
    (site / "shapes" / "house.ttl").write_text(SHAPE, encoding="utf-8")
    result = run("build", site, "-o", tmp_path / "out", "--formats", "")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.count("[house-rule]") == 1
    assert b"house-rule" in (tmp_path / "out" / "shapes.ttl").read_bytes()


def test_a_site_that_cannot_be_read_is_reported_in_every_form(tmp_path: Path) -> None:
    site = cases.site(cases.FOLDER / "not-yaml", tmp_path)
    (site / "data" / "site.yaml").write_text("base: [", encoding="utf-8")
    for form in REPORT_FORMATS:
        result = run("check", site, "-f", form)
        assert result.exit_code == 1
        assert "data/site.yaml" in result.stdout
