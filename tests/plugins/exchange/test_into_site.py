"""kg import into a site that is there: the author's text stays, and the same files add nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kg.check.check import check
from kg.cli import main
from kg.errors import KgError
from kg.files.atomic import replace_files

RESUME: dict[str, Any] = {
    "basics": {"name": "Mira Sand", "label": "Geologist", "url": "https://mira.example.org/"},
    "work": [
        {"name": "Stone Institute", "position": "Researcher", "startDate": "2019-06"},
        {"name": "Gravel Ltd", "position": "Engineer", "startDate": "2015", "endDate": "2018"},
    ],
    "skills": [{"name": "Drilling"}],
}
CV = "data/cv/mira-sand.yaml"
SPELLING = ("name-spelling", "near-name", "address-in-use")


class Site:
    """A folder with a file to import, and a site beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path, self.resume = folder, folder / "site", folder / "resume.json"

    def run(self, content: object, *options: str) -> Result:
        self.resume.write_text(json.dumps(content), encoding="utf-8")
        words = ["import", str(self.resume), "--into", str(self.path), *options]
        return CliRunner().invoke(main, words, catch_exceptions=False)

    @property
    def text(self) -> str:
        return (self.path / CV).read_text(encoding="utf-8")

    def edit(self, old: str, new: str) -> None:
        assert old in self.text
        (self.path / CV).write_text(self.text.replace(old, new), encoding="utf-8")

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.path.rglob("*") if path.is_file())
        return {str(path.relative_to(self.path)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that an import has made."""
    site = Site(tmp_path_factory.mktemp("imported"))
    assert site.run(RESUME).exit_code == 0
    return site.path


@pytest.fixture
def site(imported: Path, tmp_path: Path) -> Site:
    site = Site(tmp_path)
    shutil.copytree(imported, site.path)
    return site


def changed(**fields: Any) -> dict[str, Any]:
    return {**RESUME, **fields}


def test_the_same_file_again_changes_nothing(site: Site) -> None:
    before = site.files()
    result = site.run(RESUME)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Nothing new" in result.stderr
    assert site.files() == before


def test_the_same_bibliography_again_changes_no_byte(site: Site) -> None:
    papers = site.folder / "papers.bib"
    papers.write_text(
        "@misc{a, title = {On Sand}, author = {Sand, M. and Berg, Ole}, year = 2020}\n"
        "@misc{b, title = {On Gravel}, author = {M.J. Sand}, year = 2021}\n",
        encoding="utf-8",
    )
    words = ["import", str(papers), "--into", str(site.path)]
    assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 0
    assert "alternateNames: [M. Sand, M.J. Sand]" in site.text
    before = site.files()
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "")
    assert site.files() == before


def test_nothing_comes_back_that_was_removed_or_reworded(site: Site) -> None:
    site.edit("Researcher", "Senior researcher  # since spring")
    site.edit("skills:\n  - name: Drilling\n", "")
    before = site.files()
    site.run(RESUME)
    site.run(RESUME, "--apply")
    assert site.files() == before


def test_a_newer_file_gives_a_patch_and_writes_it_only_if_told_so(site: Site) -> None:
    site.edit("label: Geologist", "label: Rock person  # mine")
    before = site.files()
    newer = changed(
        basics={**RESUME["basics"], "label": "Professor"},
        awards=[{"title": "Golden Hammer", "date": "2024"}],
    )
    result = site.run(newer)
    assert site.files() == before
    assert result.stdout.startswith(f"--- a/{CV}\n+++ b/{CV}\n@@")
    assert "+  - title: Golden Hammer\n" in result.stdout
    assert "--apply" in result.stderr
    assert (
        "basics.label: you have Rock person, " in result.stderr
        and "has Professor; yours is kept." in result.stderr
    )
    assert site.run(newer, "--apply").exit_code == 0
    assert "label: Rock person  # mine\n" in site.text
    assert "Golden Hammer" in site.text
    after = site.files()
    assert "Nothing new" in site.run(newer).stderr
    assert site.files() == after
    assert check(site.path).publishable


@pytest.mark.process
@pytest.mark.parametrize("tool", [["git", "apply"], ["patch", "-p1", "--quiet"]])
def test_the_patch_is_one_for_the_usual_tools(site: Site, tool: list[str]) -> None:
    if shutil.which(tool[0]) is None:
        pytest.fail(f"{tool[0]} is not here")
    newer = changed(work=RESUME["work"][:1], skills=[{"name": "Drilling"}, {"name": "Blasting"}])
    patch = site.run(newer).stdout
    subprocess.run(tool, cwd=site.path, input=patch, text=True, check=True)
    by_hand = site.text
    assert "Blasting" in by_hand and "Gravel" not in by_hand
    assert "Nothing new" in site.run(newer).stderr
    assert site.text == by_hand


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    site = Site(tmp_path)
    result = site.run(RESUME, "--dry-run")
    assert not site.path.exists()
    assert f"--- /dev/null\n+++ b/{CV}\n" in result.stdout
    assert "data/.imported" not in result.stdout


def test_another_file_joins_what_the_author_has(site: Site) -> None:
    site.edit("work:\n", "work: # my posts\n")
    other = site.folder / "other.json"
    second = changed(education=[{"institution": "Fjord University", "studyType": "MSc"}])
    other.write_text(json.dumps(second), encoding="utf-8")
    before = site.text
    words = ["import", str(other), "--into", str(site.path)]
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    new = site.text.replace("[work, skills, education]", "[work, skills]").splitlines()
    assert [line for line in before.splitlines() if line not in new] == []
    assert "work: # my posts" in new
    assert site.text.count("Stone Institute") == 1
    assert "Fjord University" in site.text


def test_what_a_registry_describes_is_named_by_its_key(site: Site) -> None:
    (site.path / "data/publications.yaml").write_text(
        "sand-2020: {title: On Sand, kind: journal, authors: [Mira Sand], year: 2020, "
        "doi: 10.1234/abc}\n",
        encoding="utf-8",
    )
    newer = changed(
        publications=[{"name": "On Sand", "releaseDate": "2020-02", "publisher": "Sand Letters"}]
    )
    result = site.run(newer, "--apply")
    assert "sand-2020" in site.text, result.output
    assert "On Sand" not in site.text


def test_what_the_check_refuses_beside_the_authors_text_is_listed(site: Site) -> None:
    second = changed(languages=[{"language": "Norwegian"}])
    site.edit("skills:", "languages: Norwegian\nskills:")
    result = site.run(second, "--apply")
    assert check(site.path).publishable, result.output


def test_a_person_is_found_by_orcid_and_by_another_name(site: Site) -> None:
    site.edit("  label:", "  orcid: 0000-0002-1825-0097\n  alternateNames: [M. Sand]\n  label:")
    other = site.folder / "other.json"
    for basics in (
        {
            "name": "Mira Quartz",
            "profiles": [{"network": "ORCID", "username": "0000-0002-1825-0097"}],
        },
        {"name": "M. Sand"},
    ):
        other.write_text(json.dumps({"basics": basics, "skills": [{"name": "Blasting"}]}))
        words = ["import", str(other), "--into", str(site.path), "--apply"]
        assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 0
    assert [path.name for path in (site.path / "data/cv").iterdir()] == ["mira-sand.yaml"]
    assert site.text.count("Blasting") == 1


def test_two_files_of_one_person_say_a_thing_once(tmp_path: Path) -> None:
    site = Site(tmp_path)
    resume = changed(
        publications=[
            {"name": "On Sand", "releaseDate": "2020", "publisher": "Sand Letters"},
        ]
    )
    other = tmp_path / "other.json"
    work = {"name": "On sand.", "releaseDate": "2020-05", "url": "https://sand.example.org/"}
    other.write_text(json.dumps({**resume, "publications": [work]}), encoding="utf-8")
    result = site.run(resume, str(other))
    assert result.exit_code == 0, result.output
    assert site.text.lower().count("on sand") == 1
    assert "https://sand.example.org/" in site.text
    assert "differs from" not in result.stdout
    assert 'publications[0].name  "On sand."  the file lists no authors, so' in result.stdout


@pytest.mark.parametrize("text", ["basics: [", "- a list\n", "basics: {name: *nobody}\n", "\xff"])
def test_a_file_that_cannot_be_read_is_left_alone(site: Site, text: str) -> None:
    (site.path / CV).write_bytes(text.encode("latin-1"))
    before = site.files()
    result = site.run(changed(skills=[]), "--person", "mira-sand")
    assert result.exit_code == 2
    assert CV in result.stderr
    assert site.files() == before


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_are_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old a", encoding="utf-8")
    (tmp_path / "a").chmod(0o640)
    (tmp_path / "b").mkdir()
    with pytest.raises(KgError, match=r"cannot write .*: Is a directory"):
        replace_files(tmp_path, {"b": "new b", "a": "new a"})
    assert (tmp_path / "a").read_text(encoding="utf-8") == "old a"
    assert names_in(tmp_path) == ["a", "b"]
    replace_files(tmp_path, {"c/d": "new d", "a": "new a"})
    assert (tmp_path / "a").read_text(encoding="utf-8") == "new a"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
    assert names_in(tmp_path) == ["a", "b", "c"]


WRITING = """
import sys
from pathlib import Path
from kg.files.atomic import replace_files
folder, texts = Path(sys.argv[1]), ["a" * 3_000_000, "b" * 3_000_000]
print("ready", flush=True)
while True:
    for text in texts:
        replace_files(folder, {"one": text, "two": text})
"""


@pytest.mark.process
@pytest.mark.parametrize("wait", [0.03, 0.05, 0.09])
def test_who_is_killed_leaves_every_file_whole(tmp_path: Path, wait: float) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITING, str(tmp_path)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stdout.readline() == b"ready\n"
        time.sleep(wait)
        process.kill()
    for path in tmp_path.glob("[!.]*"):
        text = path.read_text(encoding="utf-8")
        assert len(text) == 3_000_000 and len(set(text)) == 1


def test_members_who_spell_names_differently_share_a_lab(tmp_path: Path) -> None:
    lab = Site(tmp_path)
    skilled = {
        "Ada Berg": ("SCITEPRESS", ["Javascript", "Node.js", "C", "C++", "C#"]),
        "Bo Ek": ("SciTePress", ["JavaScript", "NodeJs", "c#"]),
        "Cy Dahl": ("SciTePress", ["JavaScript", "NodeJS", "CSS"]),
    }
    for name, (employer, skills) in skilled.items():
        result = lab.run(
            {
                "basics": {"name": name},
                "work": [{"name": employer, "position": "Engineer", "startDate": "2019"}],
                "skills": [{"name": "Web", "keywords": skills}],
            }
        )
        assert result.exit_code == 0, result.output
        assert "Left out" not in result.output
    found = check(lab.path)
    assert found.publishable
    assert [each.rule for each in found.problems if each.rule in SPELLING] == ["name-spelling"]
    assert found.graph is not None
    names = {f"{kind}/{slug}": use.name for (kind, slug), use in found.graph.facts.inline.items()}
    assert names == {
        "orgs/scitepress": "SciTePress",
        "topics/c": "C",
        "topics/c-plus-plus": "C++",
        "topics/c-sharp": "C#",
        "topics/css": "CSS",
        "topics/javascript": "JavaScript",
        "topics/nodejs": "Node.js",
    }


def test_members_whose_co_authors_are_spelled_differently_share_a_lab(tmp_path: Path) -> None:
    lab, names = Site(tmp_path), ["J. Smith", "J Smith", "J. SMITH", "J. Smith"]
    for number, name in enumerate(names):
        own = f"{'ABCD'[number]} Dahl"
        work = {"name": f"Stone {number}", "authors": [own, name], "releaseDate": "2020"}
        result = lab.run({"basics": {"name": own}, "publications": [work]})
        assert result.exit_code == 0, result.output
        assert "Left out" not in result.output
    found = check(lab.path)
    assert found.publishable
    assert [each.rule for each in found.problems if each.rule in SPELLING] == ["name-spelling"]
    assert found.graph is not None
    smith = f"<{found.graph.site.base}people/j-smith#it>"
    lines = found.graph.nquads.decode().splitlines()
    assert {
        line.split('"')[1] for line in lines if f"{smith} <http://schema.org/name>" in line
    } == {"J. Smith"}
    assert sum(f"creator> {smith}" in line for line in lines) == 4
