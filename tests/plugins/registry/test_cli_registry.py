"""`kg who`, `kg names` and `kg schema`: what a name stands for, and what may be written."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from kg.cli import main
from kg.files.atomic import replace_files
from tests.cases import base_site
from tests.conftest import LARGE_SITE


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_printed_name_is_led_to_its_entry() -> None:
    result = run("who", "D. Palme", "--site", str(LARGE_SITE))
    assert result.exit_code == 0
    assert "D. Palme is dk-palme (Dagfinn Kolbein Palme)" in result.stdout
    assert "data/people.yaml:" in result.stdout


def test_an_owner_is_found_in_the_basics() -> None:
    result = run("who", "A.  Jarl", "--site", str(LARGE_SITE))
    assert (
        result.exit_code,
        "alvar-jarl" in result.stdout,
        "data/cv/alvar-jarl.yaml" in result.stdout,
    ) == (0, True, True)


def test_a_name_nobody_has_shows_the_near_ones() -> None:
    result = run("who", "Mirela Zeman", "--site", str(LARGE_SITE))
    assert result.exit_code == 1
    assert "mirela-zemann" in result.stdout
    assert "No file names" in result.stderr


def test_a_name_of_several_people_names_them_all(example: Path) -> None:
    (example / "data" / "people.yaml").write_text(
        "one: {name: S. Li}\ntwo: {name: Shan Li, alternateNames: [S. Li]}\n", encoding="utf-8"
    )
    result = run("who", "S. Li", "--site", str(example))
    assert result.exit_code == 1
    assert "S. Li is one" in result.stdout
    assert "S. Li is two (Shan Li)" in result.stdout
    assert "Several people have this name" in result.stderr


def test_the_nine_people_called_li_are_nine_people() -> None:
    people = (LARGE_SITE / "data" / "people.yaml").read_text(encoding="utf-8")
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


ADA = """\
basics: {name: Ada Berg}
memberships:
  - organization:
      name: Ice Society
      alternateNames: [IS]
      location: Tromsø, Norway
    dates: 2020/2021
"""
BEA = """\
basics: {name: Bea Alm}
memberships:
  - {organization: IS, dates: 2020/2021}
"""


def named_in_place(folder: Path) -> Path:
    """A site of two CVs that name an organisation in place."""
    site = base_site(folder / "named")
    for name, text in {"ada": ADA, "bea": BEA}.items():
        (site / "data" / "cv" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return site


def test_the_names_in_place_are_counted_and_listed(tmp_path: Path) -> None:
    site = named_in_place(tmp_path)
    checked = run("check", str(site))
    assert checked.exit_code == 0
    summary = "2 inline entities: 1 organisation, 1 place."
    assert f"{summary} To list them: kg names\n" in checked.stderr
    result = run("names", str(site))
    assert (result.exit_code, result.stderr) == (0, f"{summary}\n")
    assert result.stdout == (
        "data/cv/ada.yaml:4:7   orgs/ice-society      Ice Society     2 times, in 2 files\n"
        "data/cv/ada.yaml:6:17  places/tromso-norway  Tromsø, Norway  once\n"
    )


def test_a_site_of_registries_names_nothing_in_place(tmp_path: Path) -> None:
    site = base_site(tmp_path)
    assert "named in place" not in run("check", str(site)).stderr
    result = run("names", str(site))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "No inline entities.\n"


def test_a_name_in_place_is_registered(tmp_path: Path) -> None:
    site = named_in_place(tmp_path)
    result = run("register", "Ice Society", "--site", str(site))
    assert (result.exit_code, result.stderr) == (0, "")
    entry = 'ice-society: {name: Ice Society, alternateNames: [IS], location: "Tromsø, Norway"}'
    assert result.stdout == f"{site / 'data' / 'organizations.yaml'}:  {entry}\n"
    again = run("register", "Ice Society", "--site", str(site))
    assert (again.exit_code, again.stdout) == (2, "")
    assert "'Ice Society' is not an inline entity." in again.stderr


def test_an_author_without_an_entry_is_found(tmp_path: Path) -> None:
    text = "basics: {name: Ada Berg}\npublications:\n  - {kind: journal, title: Ice, year: 2020, "
    text += "authors: [Ada Berg, Hana Lind]}\n"
    replace_files(
        tmp_path,
        {"data/site.yaml": "base: https://a.example/\ntitle: A\n", "data/cv/ada.yaml": text},
    )
    result = CliRunner().invoke(main, ["who", "Hana Lind", str(tmp_path)])
    assert result.exit_code == 0
    assert "is hana-lind (Hana Lind, without an entry)" in result.stdout
    assert "data/cv/ada.yaml:3:" in result.stdout
    result = CliRunner().invoke(main, ["who", "Hana Lindt", str(tmp_path)])
    assert result.exit_code == 1
    assert "Similar: hana-lind (Hana Lind)" in result.stdout


def test_a_name_that_is_not_registered_says_why(tmp_path: Path) -> None:
    replace_files(
        tmp_path,
        {
            "data/site.yaml": "base: https://a.example/\ntitle: A\n",
            "data/cv/ada.yaml": "basics: {name: Ada Berg}\n",
        },
    )
    result = CliRunner().invoke(main, ["register", "Ada Berg", str(tmp_path)])
    assert "It has an entry: data/cv/ada.yaml:1:9" in result.stderr
    result = CliRunner().invoke(main, ["register", "Delta", str(tmp_path)])
    assert "'Delta' is not an inline entity." in result.stderr
