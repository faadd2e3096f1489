"""What the doctor finds here, and what he would say where something is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from kg.cli.new_site import new_site, write_new
from kg.plugins.doctor import diagnosis, packages
from kg.plugins.doctor.packages import install_advice, numbers, package, python, requirements
from kg.publish.questions import editor
from tests.cli.test_cli import run

WITHOUT_PACKAGES = """
import sys
for name in ("flask", "granian", "httpx", "markdown_it", "pydantic", "pyoxigraph", "pyshacl",
             "rdflib", "yaml"):
    sys.modules[name] = None
from kg.plugins.doctor.command import doctor
from kg.plugins.doctor.packages import requirements
print(len(list(requirements())))
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    write_new(tmp_path / "mine", new_site("Ada"))
    return tmp_path / "mine"


def test_all_that_is_needed_is_here(site: Path) -> None:
    result = run("doctor", site)
    assert result.exit_code == 0
    assert result.stderr == "Everything that kg needs is installed.\n"
    lines = result.stdout.splitlines()
    assert f"ok     Python: {sys.version.split()[0]}" in lines
    assert "ok     site: 1 CV, 0 errors" in lines
    assert any(line.startswith("ok     pyoxigraph: 0.") for line in lines)
    printed = json.loads(run("doctor", site, "--json").stdout)
    assert printed["ready"] is True
    assert {"name": "site", "there": "1 CV, 0 errors", "advice": "", "severity": "ok"} in printed[
        "findings"
    ]


def test_a_site_with_errors_is_not_well(site: Path) -> None:
    (site / "data" / "cv" / "ada.yaml").write_text("basics: {nmae: Ada}\n", encoding="utf-8")
    result = run("doctor", site)
    assert result.exit_code == 1
    assert f"Run: kg check {site}" in result.stdout
    assert json.loads(run("doctor", site, "--json").stdout)["ready"] is False


def test_without_a_site_the_rest_is_told(tmp_path: Path) -> None:
    result = run("doctor", tmp_path)
    assert result.exit_code == 0
    assert "info   site: not found" in result.stdout
    assert f"kg new {tmp_path}" in result.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As if kg were installed, and not run from its checkout."""
    monkeypatch.setattr(packages, "CHECKOUT", tmp_path)


@pytest.mark.usefixtures("outside")
def test_a_package_that_is_missing_or_old_is_named_with_the_command() -> None:
    missing, old = package("no-such-package", "1.2"), package("flask", "99.0")
    assert (missing.state, missing.there) == ("error", "not installed")
    assert missing.advice == (
        "Version 1.2 or newer is required. In a checkout of cv-kg, run: pip install ."
    )
    assert old.state == "error"
    assert old.advice.startswith("Version 99.0 or newer is required.")
    assert package("flask", "3").state == "ok"
    assert numbers("0.10.0rc1") > numbers("0.9")
    assert [python((3, minor, 0)).state for minor in (10, 11)] == ["error", "ok"]


PIPX, UV = "/home/ada/.local/share/pipx/venvs/cv-kg", "/home/ada/.local/share/uv/tools/cv-kg"
VENV = "/home/ada/site/.venv"


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize(
    ("prefix", "extra", "command"),
    [
        (PIPX, "", "pipx install --force ."),
        (PIPX, "mcp", 'pipx install --force ".[mcp]"'),
        (PIPX, "font", "make editor && pipx install --force ."),
        (PIPX, "editor", "make wheel && pipx inject --force cv-kg dist/cv_kg_editor-*.whl"),
        (UV, "mcp", 'uv tool install --force ".[mcp]"'),
        (UV, "editor", "make wheel && uv tool install --force . --with dist/cv_kg_editor-*.whl"),
        (VENV, "mcp", 'pip install ".[mcp]"'),
        (VENV, "editor", "make wheel && pip install dist/cv_kg_editor-*.whl"),
    ],
)
def test_the_advice_installs_from_a_checkout_with_the_installer_that_was_used(
    prefix: str, extra: str, command: str
) -> None:
    assert install_advice(extra, prefix) == f"In a checkout of cv-kg, run: {command}"


def test_in_a_checkout_the_advice_is_make_setup() -> None:
    assert {install_advice(extra) for extra in ("", "font", "editor", "mcp")} == {
        "In the checkout, run: make setup"
    }


@pytest.mark.process
def test_the_doctor_comes_though_every_package_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PACKAGES], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) == len(list(requirements())) >= 10


def test_comforts_and_programs_that_are_missing_stop_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(diagnosis, "files", partial(editor.files, tmp_path))
    monkeypatch.setattr(diagnosis, "STATIC", tmp_path)
    found = {each.name: each for each in (*diagnosis.optional_files(), *diagnosis.programs())}
    assert {each.state for each in found.values()} == {"info"}
    for name in ("SPARQL editor and engine", "page font"):
        assert "make setup" in found[name].advice
    assert "apt install chromium" in found["Chromium, for kg pdf"].advice
    assert "apt install git" in found["git"].advice
