"""Members of a lab, imported one after another: nobody is refused, and nobody becomes another."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kg.check.check import check
from kg.cli import main
from kg.facts.load import load
from kg.facts.models.publications import Publication

HANA = {
    "basics": {"name": "Hana Lind", "email": "hana@example.org"},
    "work": [{"name": "River Institute", "position": "Reader", "startDate": "2019"}],
}
HANA_WORKS = """
@article{a, title={Deep Ice}, author={Lind, Hana and Kim, J.}, journal={Ice}, year=2021}
@article{b, title={Deep Snow}, author={Lind, Hana and Berg, Ada}, journal={Ice}, year=2022}
"""


class Lab:
    """A site that members are imported into."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.site = folder, folder / "site"

    def add(self, resume: dict[str, Any], works: str = "", *options: str) -> str:
        """Imports a member; the files of others stay as they are, and the site has no errors."""
        name = resume["basics"]["name"]
        files = [self.folder / f"{name}.json", self.folder / f"{name}.bib"]
        files[0].write_text(json.dumps(resume), encoding="utf-8")
        files[1].write_text(works, encoding="utf-8")
        before = self.cvs()
        given = [str(each) for each in files if works or each is files[0]]
        words = ["import", *given, "--into", str(self.site), *options]
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        after = self.cvs()
        assert len([name for name in after if before.get(name) != after[name]]) <= 1
        assert check(self.site).publishable
        again = CliRunner().invoke(main, words, catch_exceptions=False)
        assert "Nothing new" in again.output
        return result.output

    def cvs(self) -> dict[str, str]:
        found = (self.site / "data/cv").glob("*.yaml")
        return {each.stem: each.read_text(encoding="utf-8") for each in found}

    def write(self, name: str, text: str) -> None:
        (self.site / "data" / name).write_text(text, encoding="utf-8")

    def authors(self, title: str) -> list[str]:
        """The keys of the authors of a work."""
        [work] = (work for _, work in load(self.site).of(Publication) if work.title == title)
        return [each.person.slug for each in work.authors]


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lab = Lab(tmp_path_factory.mktemp("lab"))
    lab.add(HANA, HANA_WORKS)
    return lab.folder


@pytest.fixture
def lab(founded: Path, tmp_path: Path) -> Lab:
    """A lab with one member."""
    return Lab(Path(shutil.copytree(founded, tmp_path, dirs_exist_ok=True)))


def member(name: str, **fields: Any) -> dict[str, Any]:
    return {"basics": {"name": name, **fields.pop("basics", {})}, **fields}


def test_cvs_of_several_people_are_imported_one_by_one(tmp_path: Path) -> None:
    folder, site = tmp_path / "cvs", str(tmp_path / "site")
    folder.mkdir()
    for name in ("Ada Berg", "Bo Ek"):
        (folder / f"{name}.json").write_text(json.dumps(member(name)), encoding="utf-8")
    (folder / "works.bib").write_text(HANA_WORKS, encoding="utf-8")
    run = CliRunner().invoke
    result = run(main, ["import", str(folder), "--into", site])
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "The files are CVs of several people:",
        f"  Ada Berg: {folder}/Ada Berg.json",
        f"  Bo Ek: {folder}/Bo Ek.json",
        f"Import each CV alone: kg import FILE --into {site}",
        "For one person of a file, or if all are the same, add --person ada-berg.",
    ]
    assert not (tmp_path / "site" / "data").exists()
    result = run(main, ["import", str(folder), "--into", site, "--person", "ada-berg"])
    assert [path.name for path in (tmp_path / "site/data/cv").iterdir()] == ["ada-berg.yaml"]


def test_a_file_about_several_people_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lab.ttl"
    people = "".join(f'<#{name}> a f:Person; f:name "{name}"; f:nick "x" .' for name in "AB")
    file.write_text(f"@prefix f: <http://xmlns.com/foaf/0.1/> . {people}", encoding="utf-8")
    command = ["import", str(file), "--into", str(tmp_path / "site")]
    result = CliRunner().invoke(main, command)
    assert f"several people:\n  A: {file}\n  B: {file}\n" in result.stderr
    result = CliRunner().invoke(main, [*command, "--person", "b"])
    assert "A in lab.ttl: skipped; not b." in result.stderr
    assert "name: B\n" in (tmp_path / "site/data/cv/b.yaml").read_text(encoding="utf-8")


def test_a_shared_address_is_skipped_and_reported(lab: Lab) -> None:
    output = lab.add(member("Ada Berg", basics={"email": "hana@example.org"}))
    assert 'basics.email  "hana@example.org"  skipped: ' in output
    assert "email" not in lab.cvs()["ada-berg"]
    assert "is not shown on the page" not in output


def test_a_name_that_resembles_a_key_stays_a_name(lab: Lab) -> None:
    lab.write("organizations.yaml", "rivers: {name: Institute of Rivers}\n")
    job = {"name": "river", "position": "Guide", "startDate": "2018"}
    output = lab.add(member("Ada Berg", work=[job]))
    assert "name: river" in lab.cvs()["ada-berg"]
    assert "skipped" not in output


def test_a_short_name_of_a_member_is_not_claimed_without_a_shared_work(lab: Lab) -> None:
    lab.add(member("Jin Kim"), "@article{c, title={Tide}, author={Kim, J. and Ek, Bo}, year=2020}")
    assert lab.authors("Deep Ice") == ["hana-lind", "j-kim"]
    assert lab.authors("Tide") == ["jin-kim", "bo-ek"]


def test_a_short_name_is_the_members_after_a_shared_work(lab: Lab) -> None:
    lab.add(member("Jin Kim"), HANA_WORKS.replace("Lind, Hana", "Lind, H."))
    assert lab.authors("Deep Ice") == ["hana-lind", "jin-kim"]
    assert "Deep Ice" not in lab.cvs()["jin-kim"]


def test_a_short_name_in_a_work_of_a_stranger_is_another_person(lab: Lab) -> None:
    lab.write("cv/jin-kim.yaml", "basics: {name: Jin Kim, alternateNames: [J. Kim]}\n")
    lab.add(member("Bo Ek"), "@article{c, title={Tide}, author={Ek, Bo and Kim, J.}, year=2020}")
    assert lab.authors("Tide") == ["bo-ek", "j-kim-2"]
    works = "@article{d, title={Surf}, author={Ek, Bo and Kim, Jin}, year=2020}\n"
    works += "@article{e, title={Foam}, author={Ek, B. and Kim, J.}, year=2021}"
    lab.add(member("Bo Ek"), works, "--apply")


def test_other_orcids_are_other_people(lab: Lab) -> None:
    lab.write("cv/jin-kim.yaml", "basics: {name: Jin Kim, orcid: 0000-0002-1825-0097}\n")
    work = {
        "title": "Tide",
        "type": "article-journal",
        "author": [
            {"family": "Ek", "given": "Bo"},
            {"family": "Kim", "given": "Jin", "ORCID": "0000-0001-5109-3700"},
        ],
        "issued": {"date-parts": [[2020]]},
    }
    (lab.folder / "works.json").write_text(json.dumps([work]), encoding="utf-8")
    lab.add(member("Bo Ek"))
    words = ["import", str(lab.folder / "works.json"), "--person", "Bo Ek", "--into", str(lab.site)]
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert lab.authors("Tide") == ["bo-ek", "jin-kim-0000-0001-5109-3700"]
    assert check(lab.site).publishable


def test_a_member_is_recognised_by_orcid_mail_and_homepage(lab: Lab) -> None:
    lab.add(member("Hana B. Lind", basics={"email": "hana@example.org", "label": "Reader"}))
    lab.write("cv/bo.yaml", "basics: {name: Bo Ek, url: https://ek.example.org/}\n")
    lab.add(member("B. Ek", basics={"url": "https://ek.example.org", "label": "Guide"}))
    assert {*lab.cvs()} == {"hana-lind", "bo"}
    assert "Guide" in lab.cvs()["bo"]


def test_the_same_name_with_another_orcid_is_another_member(lab: Lab) -> None:
    lab.write("cv/jin-kim.yaml", "basics: {name: Jin Kim, orcid: 0000-0002-1825-0097}\n")
    profile = {"network": "ORCID", "username": "0000-0001-5109-3700"}
    lab.add(member("Jin Kim", basics={"profiles": [profile]}))
    assert {*lab.cvs()} == {"hana-lind", "jin-kim", "jin-kim-2"}


def test_an_entry_of_a_person_moves_into_the_new_cv(lab: Lab) -> None:
    lab.write(
        "people.yaml", "ada: {name: Ada Berg, url: https://berg.example.org/}\nbo: {name: Bo}\n"
    )
    lab.add(member("Ada Berg", basics={"label": "Reader"}))
    assert "https://berg.example.org/" in lab.cvs()["ada"] and "Reader" in lab.cvs()["ada"]
    assert lab.authors("Deep Snow") == ["hana-lind", "ada"]
