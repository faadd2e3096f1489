"""The files for citing, reporting, contributing and CI, and for workflows of users.
They are what their readers expect, agree with the package, and name commands and files that exist.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from kg.cli import main
from kg.cli.new_site import new_site, write_new
from kg.plugins.exchange.readers.citation_cff import FORMAT as CITATION
from kg.plugins.exchange.source_files import SourceFile
from release.artefacts import contradictions, pack, pythons, versions
from tests.conftest import ROOT
from tests.schemas import faults, stored_schema

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
STORE = "https://json.schemastore.org/"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
# A file -> its schema.
SCHEMAS = {
    "CITATION.cff": "https://citation-file-format.github.io/1.2.0/schema.json",
    "action.yml": f"{STORE}github-action.json",
    ".github/dependabot.yml": f"{STORE}dependabot-2.0.json",
    ".github/ISSUE_TEMPLATE/config.yml": f"{STORE}github-issue-config.json",
    ".pre-commit-config.yaml": f"{STORE}pre-commit-config.json",
    **{str(path.relative_to(ROOT)): f"{STORE}github-workflow.json" for path in WORKFLOWS},
    **{str(path.relative_to(ROOT)): f"{STORE}github-issue-forms.json" for path in FORMS},
}


def read(name: str) -> Any:
    """As GitHub reads it: `on` is a word, which PyYAML takes for a truth."""
    found = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        return found
    return {"on" if key is True else key: value for key, value in found.items()}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_no_file_went_missing() -> None:
    assert {path.stem for path in WORKFLOWS} == {"docs", "proof", "release", "test"}
    assert {path.stem for path in FORMS} == {"fault", "idea"}


@pytest.mark.slow
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_file_is_what_its_reader_expects(name: str) -> None:
    schema = stored_schema(SCHEMAS[name])
    assert faults(read(name), schema) == []
    assert faults([], schema), "the schema judges"


def test_a_citation_names_this_version() -> None:
    citation, meta = read("CITATION.cff"), json.loads(text_of("codemeta.json"))
    assert citation["version"] == meta["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"] == meta["license"].rpartition("/")[2]
    assert meta["description"] == PROJECT["description"]
    assert meta["keywords"] == PROJECT["keywords"]
    assert citation["url"] == meta["url"] == PROJECT["urls"]["Documentation"]
    [author] = {each["name"].lower() for each in PROJECT["authors"]}
    assert [each["name"].lower() for each in citation["authors"]] == [author]
    assert [each["name"].lower() for each in meta["author"]] == [author]


def test_a_release_is_refused_if_a_file_names_another_version() -> None:
    assert list(contradictions(ROOT, PROJECT["version"])) == []
    assert len(list(contradictions(ROOT, "9.9.9"))) == 4


def test_a_release_is_tried_with_each_python_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = ".".join(map(str, sys.version_info[:2]))
    known = versions(ROOT)
    assert here in known
    assert known[0] == "3.11"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(pythons([here, "3.99"])) == [sys.executable]
    assert capsys.readouterr().out == "Not tried with Python 3.99: it is not installed here.\n"


def test_the_labels_of_the_image_are_those_of_the_package() -> None:
    labels = dict(
        re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', text_of("Containerfile"))
    )
    assert labels == {
        "title": PROJECT["name"],
        "description": PROJECT["description"],
        "version": PROJECT["version"],
        "licenses": PROJECT["license"],
        "authors": PROJECT["authors"][0]["name"],
    }


def test_the_same_documentation_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    packed = []
    for number in range(2):
        (tmp_path / "docs" / "index.html").write_text("<p>Fog")
        os.utime(tmp_path / "docs" / "index.html", (number * 1_000, number * 1_000))
        pack(tmp_path / "docs", tmp_path / "docs.tar.gz")
        packed.append((tmp_path / "docs.tar.gz").read_bytes())
    assert packed[0] == packed[1]
    with tarfile.open(tmp_path / "docs.tar.gz") as archive:
        assert archive.getnames() == ["docs/index.html"]


def test_our_own_importer_reads_the_citation() -> None:
    source = SourceFile("CITATION.cff", "CITATION.cff", (ROOT / "CITATION.cff").read_bytes())
    assert CITATION.matches(source)
    (draft,) = CITATION.read(source)
    (work,) = draft.cv["publications"]
    assert (work["kind"], work["version"], work["license"]) == ("software", "0.1.0", "MIT")
    assert work["title"].startswith("cv-kg: ")
    assert work["authors"] == [{"organization": "The cv-kg developers"}]
    assert [each.value for each in draft.left if each.value in (work["title"], "MIT")] == []


def test_the_versions_of_python_are_those_that_run() -> None:
    known = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if ":: 3." in each]
    assert f">={known[0]}" == PROJECT["requires-python"]
    assert read(".github/workflows/test.yml")["jobs"]["quick"]["strategy"]["matrix"] == {
        "python": known
    }


def scripts(name: str) -> list[str]:
    found = read(name)
    jobs = [found["runs"]] if "runs" in found else found["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name.startswith(".github/work")])
def test_a_workflow_runs_commands_that_exist(name: str) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", text_of("Makefile"), re.MULTILINE))
    used = set(re.findall(r"\bmake ([a-z0-9-]+)", "\n".join(scripts(name))))
    assert used, "the same commands as on a developer's machine"
    assert used <= targets


def test_only_the_release_publishes_and_without_a_key() -> None:
    for path in WORKFLOWS:
        found, text = read(str(path.relative_to(ROOT))), path.read_text(encoding="utf-8")
        assert found["permissions"] == {"contents": "read"}
        assert "secrets." not in text
    release = read(".github/workflows/release.yml")
    assert release["on"] == {"push": {"tags": ["v*"]}}
    publish = release["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == "build"


@pytest.mark.process
def test_a_release_has_the_tag_of_its_version() -> None:
    [compare] = [script for script in scripts(".github/workflows/release.yml") if "test " in script]
    for tag, code in ((f"v{PROJECT['version']}", 0), ("v9.9.9", 1)):
        done = subprocess.run(
            ["bash", "-ec", compare],
            cwd=ROOT,
            env={**os.environ, "GITHUB_REF_NAME": tag},
            check=False,
        )
        assert done.returncode == code


@pytest.mark.parametrize(
    "file", ["action.yml", ".github/workflows/docs.yml", "kg/cli/files/github.yml"]
)
def test_a_site_is_uploaded_with_hidden_files(file: str) -> None:
    jobs = read(file).get("jobs") or {"build": read(file)["runs"]}
    steps = [step for job in jobs.values() for step in job["steps"]]
    [upload] = [each for each in steps if "upload-pages-artifact" in each.get("uses", "")]
    assert upload["uses"] == "actions/upload-pages-artifact@v5"  # older ones leave them out
    assert upload["with"]["include-hidden-files"] is True


@pytest.mark.process
def test_the_action_checks_and_builds(tmp_path: Path) -> None:
    write_new(tmp_path / "my site", new_site("Ada Berg"))
    install, check, build = scripts("action.yml")
    for name in re.findall(r'-r "\$ACTION/([\w.-]+)"', install):
        assert (ROOT / name).is_file()
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "KG_CACHE": str(tmp_path / "cache"),
        **{"SITE": "my site", "OUTPUT": "public", "OPTIONS": ""},
    }
    for script in (check, build):
        subprocess.run(["bash", "-ec", script], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "public" / "people" / "ada-berg.html").is_file()
    steps = read("action.yml")["runs"]["steps"]
    defined = read("action.yml")["inputs"].keys()
    assert set(re.findall(r"inputs\.([\w-]+)", text_of("action.yml"))) == defined
    assert "uses" in steps[-1]


def test_the_hook_of_users_checks_a_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    assert (hook["id"], hook["language"]) == ("kg-check", "python")
    program, *words = hook["entry"].split()
    assert program in PROJECT["scripts"]
    write_new(tmp_path / "site", new_site("Ada Berg"))
    monkeypatch.chdir(tmp_path / "site")
    assert CliRunner().invoke(main, words).exit_code == 0
    assert re.match(hook["files"], "data/cv/ada-berg.yaml")


@pytest.mark.parametrize(
    "name", ["SECURITY.md", "CODE_OF_CONDUCT.md", ".github/pull_request_template.md"]
)
def test_a_text_names_files_that_exist(name: str) -> None:
    text = text_of(name)
    assert len(text) > 100
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target
    for command in re.findall(r"`kg --?(\w+)`", text):
        assert CliRunner().invoke(main, [f"--{command}"]).exit_code == 0


def test_the_checks_before_a_commit_exist() -> None:
    (repository,) = read(".pre-commit-config.yaml")["repos"]
    targets = set(re.findall(r"^([a-z0-9-]+):", text_of("Makefile"), re.MULTILINE))
    assert {each["entry"].removeprefix("make ") for each in repository["hooks"]} <= targets
