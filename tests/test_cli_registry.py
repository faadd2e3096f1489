"""`kg who` and `kg schema`: what a name stands for, and what may be written."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from kg.cli import main
from tests.conftest import ROOT


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_printed_name_is_led_to_its_entry() -> None:
    result = run("who", "D. Panda", "--site", str(ROOT))
    assert result.exit_code == 0
    assert "D. Panda is dk-panda (Dhabaleswar Kumar Panda)" in result.stdout
    assert "data/people.yaml:" in result.stdout


def test_an_owner_is_found_in_the_basics() -> None:
    result = run("who", "A.  Jain", "--site", str(ROOT))
    assert (
        result.exit_code,
        "arpan-jain" in result.stdout,
        "data/cv/arpan-jain.yaml" in result.stdout,
    ) == (0, True, True)


def test_a_name_nobody_has_shows_the_near_ones() -> None:
    result = run("who", "Minjia Zang", "--site", str(ROOT))
    assert result.exit_code == 1
    assert "minjia-zhang" in result.stdout
    assert "Nobody in the registry has this name" in result.stderr


def test_a_name_of_several_people_names_them_all(example: Path) -> None:
    (example / "data" / "people.yaml").write_text(
        "one: {name: S. Li}\ntwo: {name: Shan Li, alternateNames: [S. Li]}\n", encoding="utf-8"
    )
    result = run("who", "S. Li", "--site", str(example))
    assert result.exit_code == 1
    assert "S. Li is one" in result.stdout
    assert "S. Li is two (Shan Li)" in result.stdout
    assert "Several people claim this name" in result.stderr


def test_the_nine_people_called_li_are_nine_people() -> None:
    people = (ROOT / "data" / "people.yaml").read_text(encoding="utf-8")
    assert (
        len(
            {
                line.partition(":")[0]
                for line in people.splitlines()
                if line.partition(":")[0].endswith("-li")
            }
        )
        == 9
    )


def test_a_schema_is_printed_and_an_unknown_one_refused() -> None:
    assert json.loads(run("schema", "cv").stdout)["properties"]["basics"]
    assert set(json.loads(run("schema").stdout)) >= {"cv", "people", "site"}
    refused = run("schema", "cvs")
    assert (refused.exit_code, "Known: courses, cv," in refused.stderr) == (2, True)


def test_schemas_are_written_where_the_files_look_for_them(example: Path) -> None:
    assert run("schema", "--write", "--site", str(example)).exit_code == 0
    line = (
        (example / "data" / "cv" / "ada-lindqvist.yaml").read_text(encoding="utf-8").splitlines()[0]
    )
    assert (example / "data" / "cv" / line.partition("=")[2]).is_file()
