"""A new site: what is written, that it is well, and where nothing is written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kg.check.check import check
from kg.cli.new_site import example_site, new_site
from kg.facts.schema import schemas
from kg.graph.parallel.run import Run
from tests.cli.test_cli import run
from tests.conftest import ROOT

CV = "data/cv/your-name.yaml"
# What a # keeps from the page: a field or an entry, not a sentence.
WITHHELD = re.compile(r"^( *)# (?=(?:  )*(?:- |[a-zA-Z]+:))", re.MULTILINE)


def written(folder: Path) -> set[str]:
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {path for path in found if not path.startswith("data/.schema/")}


def test_a_new_site_asks_nothing_and_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("new", "mine")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines() == [
        f"Created a site in mine/. Edit mine/{CV}, or import a CV: kg import FILE --into mine",
        "Next: kg check mine, kg serve --watch mine, and kg build mine -o public",
    ]
    assert written(Path("mine")) == {"data/site.yaml", CV, "README.md", ".gitignore"}
    assert {path.stem for path in Path("mine/data/.schema").iterdir()} == set(schemas())
    assert len(Path("mine/README.md").read_text(encoding="utf-8").splitlines()) <= 10
    assert {problem.rule for problem in check(Path("mine"), Run("2026-11-16")).problems} == {
        "owner-page"
    }
    built = run("build", "mine", "-o", "mine/site")
    assert built.exit_code == 0, built.stderr
    assert "Your Name" in Path("mine/site/people/your-name.html").read_text(encoding="utf-8")
    ignored = Path("mine/.gitignore").read_text(encoding="utf-8").splitlines()
    assert {path.name for path in Path("mine").iterdir()} == {
        ".gitignore",
        "README.md",
        "data",
        *(line.strip("/") for line in ignored if not line.startswith("#")),
    }


def test_what_the_cv_invites_to_write_is_right(tmp_path: Path) -> None:
    files = new_site("Ada Lindqvist")
    [path] = (path for path in files if path.startswith("data/cv/"))
    text, count = WITHHELD.subn(r"\1", files[path])
    assert count > 30
    for name, body in {**files, path: text}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(WITHHELD.sub(r"\1", body), encoding="utf-8")
    found = check(tmp_path, Run("2026-11-16"))
    assert [each for each in found.problems if each.severity != "info"] == []
    assert {"work", "education", "publications", "skills", "languages", "sections"} <= set(
        re.findall(r"^(\w+):", text, re.MULTILINE)
    )


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ('Łukasz "Q": O\'Brien #1, Jr.', "lukasz-q-obrien-1-jr"),
        ("$name {x} % \\n", "name-x-n"),
        ("王小明", "wang-xiao-ming"),
        ("A" * 300, "a" * 80),
    ],
)
def test_any_name_is_taken_as_it_is(name: str, slug: str, tmp_path: Path) -> None:
    assert run("new", tmp_path / "s", "--name", f" {name} ").exit_code == 0
    [cv] = (tmp_path / "s" / "data" / "cv").iterdir()
    assert cv.stem == slug
    found = check(tmp_path / "s")
    assert found.publishable
    assert found.graph is not None
    assert found.graph.site.title == name
    assert found.graph.facts.names.people[cv.stem].get("name") == name


def test_the_example_has_all_there_is(tmp_path: Path) -> None:
    result = run("new", tmp_path / "mine", "--example")
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"Next: kg check {tmp_path / 'mine'}, " in result.stderr
    shipped = {path.relative_to(ROOT / "kg/example") for path in ROOT.glob("kg/example/**/*.yaml")}
    assert len(shipped) > 15
    assert written(tmp_path / "mine") == {*map(str, shipped), "README.md", ".gitignore"}
    assert check(tmp_path / "mine").problems == []


def test_a_repository_that_is_empty_becomes_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    result = run("new", ".")
    assert result.exit_code == 0
    assert (
        result.stderr.splitlines()[-1] == "Next: kg check, kg serve --watch, and kg build -o public"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["full"], "full is not empty: it has notes.txt."),
        (["full/notes.txt"], "is a file"),
        (["new", "--name", " "], "on one line"),
        (["new", "--name", "Ada\nBerg"], "on one line"),
        (["new", "--name", "Ada", "--example"], "exclude each other"),
        ([], "FOLDER"),
    ],
)
def test_wrong_use_writes_nothing(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("full").mkdir()
    Path("full/notes.txt").touch()
    result = run("new", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert written(tmp_path) == {"full/notes.txt"}


def test_the_same_is_written_each_time() -> None:
    assert new_site("Ada", ["github"]) == new_site("Ada", ["github"])
    assert list(example_site(["gitlab"]).items()) == list(example_site(["gitlab"]).items())


@pytest.mark.process
def test_the_package_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kg", "new", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Usage: python -m kg new [OPTIONS] FOLDER")
