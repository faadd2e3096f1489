"""The wheel: what is in it, and that it works where nothing else of this repository is."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.conftest import ROOT, skip
from tests.web.serving import serving

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
# Folder of the checkout -> where it is in the wheel.
CARRIED = {
    "shapes": "kg/shapes",
    "queries": "kg/queries",
    "kg/publish/templates": "kg/publish/templates",
    "kg/publish/static": "kg/publish/static",
    "kg/terms": "kg/terms",
    "kg/example": "kg/example",
}
UNPACKED = """#!{python}
import sys
sys.path.insert(0, "{folder}")
from kg.cli import main
assert sys.modules["kg"].__file__.startswith("{folder}/")
main()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        *PIP,
        "wheel",
        ROOT,
        "--no-deps",
        "--no-build-isolation",
        "--quiet",
        "--wheel-dir",
        folder,
    ]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_everything_the_package_needs_is_in_the_wheel(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in CARRIED.items():
        files = {
            f"{inside}/{path.relative_to(ROOT / folder)}"
            for path in (ROOT / folder).rglob("*.*")
            if path.is_file() and ".kg-cache" not in path.parts
        }
        assert files
        assert files - packed == set()
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "kg").rglob("*.py")}
    assert modules - packed == set()


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert {
            name.partition("/")[0] for name in archive.namelist() if ".dist-info/" not in name
        } == {"kg"}
        assert not [
            name for name in archive.namelist() if name.endswith(".pyc") or "/tests/" in name
        ]
        told = [name for name in archive.namelist() if b"arpan" in archive.read(name).lower()]
        assert not [name for name in told if not name.startswith("kg/queries/")], (
            "real people's facts stay at home; a question may name one"
        )


@pytest.fixture(params=["unpacked", pytest.param("installed", marks=pytest.mark.proof)])
def elsewhere(wheel: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The command `kg` of the wheel: unpacked, with the packages that are here; or installed in a
    fresh environment with those it asks for. Nothing of the checkout is in either.
    """
    if request.param == "unpacked":
        zipfile.ZipFile(wheel).extractall(tmp_path / "unpacked")
        command = tmp_path / "kg"
        command.write_text(UNPACKED.format(python=sys.executable, folder=tmp_path / "unpacked"))
        command.chmod(0o755)
        return command
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    install = [
        *PIP,
        "--python",
        environment / "bin" / "python",
        "install",
        "--quiet",
        "-c",
        ROOT / "constraints.txt",
        wheel,
    ]
    installed = subprocess.run(install, capture_output=True, text=True, cwd=tmp_path, check=False)
    if "Could not find a version" in installed.stderr:
        skip("the packages the wheel needs cannot be had here")
    assert installed.returncode == 0, installed.stderr
    return environment / "bin" / "kg"


def test_the_wheel_makes_checks_builds_and_serves_a_site(elsewhere: Path, tmp_path: Path) -> None:
    site = tmp_path / "my site"
    for command in (["new", site], ["check", site], ["build", site, "-o", tmp_path / "out"]):
        done = subprocess.run(
            [elsewhere, *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    explained = subprocess.run(
        [elsewhere, "check", "--explain", "role-dates"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert explained.returncode == 0, explained.stderr
    assert "\nBad:\n" in explained.stdout
    assert "\nGood:\n" in explained.stdout
    assert "Ada Lindqvist" in (tmp_path / "out" / "people" / "ada-lindqvist.html").read_text(
        encoding="utf-8"
    )
    with serving(site, kg=elsewhere) as server:
        with urlopen(f"{server.address}people/ada-lindqvist") as page:
            assert page.read() == (tmp_path / "out" / "people" / "ada-lindqvist.html").read_bytes()
        query = b"ASK { <people/ada-lindqvist#it> <http://schema.org/jobTitle> 'Lecturer' }"
        with urlopen(
            Request(f"{server.address}sparql", query, {"Content-Type": "application/sparql-query"})
        ) as answer:
            assert json.load(answer)["boolean"] is True
        assert server.interrupt()[0] == 0
