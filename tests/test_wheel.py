"""The wheel, and the extra one: what is in them, and that they work where nothing else of this
repository is.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from kg.publish.queries import editor
from release.locks import RUN, pins
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
    "kg/start/files": "kg/start/files",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
UNPACKED = """#!{python}
import sys
sys.path.insert(0, "{folder}")
from kg.cli import main
assert sys.modules["kg"].__file__.startswith("{folder}/")
main()
"""


def build(project: Path, folder: Path) -> Path:
    command = [
        *PIP,
        "wheel",
        project,
        "--no-deps",
        "--no-build-isolation",
        "--quiet",
        "--wheel-dir",
        folder,
    ]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def editor_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not editor.CHECKOUT.is_dir():
        skip("the editor is not installed; `make editor` does it where there is npm")
    return build(ROOT / "editor", tmp_path_factory.mktemp("editor"))


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


def test_the_command_has_the_names_by_which_it_is_called(wheel: Path) -> None:
    """`kg` after `pipx install cv-kg` (as `installed` does below, by the file), and the name of the
    package for `uvx cv-kg new mysite`; `pipx install "cv-kg[editor]"` brings the other wheel.
    """
    with zipfile.ZipFile(wheel) as archive:
        [names] = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]
        assert archive.read(names).decode().split() == [
            *("[console_scripts]", "cv-kg", "=", "kg.cli:main", "kg", "=", "kg.cli:main")
        ]


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


def test_the_extra_wheel_has_the_editor_and_the_engine(editor_wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(editor_wheel) as archive:
        archive.extractall(tmp_path)
        assert any(name.endswith("/licenses/LICENSE") for name in archive.namelist())
    found = editor.files(tmp_path / editor.MODULE)
    assert {name: path.read_bytes() for name, path in found.items()} == {
        name: path.read_bytes() for name, path in editor.files().items()
    }
    assert editor_wheel.name.startswith("cv_kg_editor-")
    [wanted] = PROJECT["optional-dependencies"]["editor"]
    assert wanted.partition(">=")[0] == "cv-kg-editor"


def test_a_folder_answers_questions_where_the_extra_wheel_is(
    wheel: Path, editor_wheel: Path, tmp_path: Path
) -> None:
    command = unpacked(wheel, tmp_path)
    site, out = tmp_path / "mine", tmp_path / "out"
    subprocess.run([command, "new", site], check=True, capture_output=True)
    said = []
    for _ in range(2):
        done = subprocess.run(
            [command, "build", site, "-o", out], capture_output=True, text=True, check=False
        )
        said.append(done.stderr)
        assert done.returncode == 0, done.stderr
        answers = "data-engine" in (out / "sparql.html").read_text(encoding="utf-8")
        assert answers == (out / "static" / "oxigraph.wasm").is_file() == (len(said) == 2)
        zipfile.ZipFile(editor_wheel).extractall(tmp_path / "unpacked")
    assert "kg doctor" in said[0]
    assert "kg doctor" not in said[1]


def unpacked(wheel: Path, folder: Path) -> Path:
    zipfile.ZipFile(wheel).extractall(folder / "unpacked")
    command = folder / "kg"
    command.write_text(UNPACKED.format(python=sys.executable, folder=folder / "unpacked"))
    command.chmod(0o755)
    return command


def oldest(folder: Path) -> list[str]:
    """The oldest packages that the project says will do; those that they need themselves are as in
    the lock, so that no release of others changes what is tried.
    """
    wanted = PROJECT["dependencies"]
    free = {*(each.partition(">=")[0] for each in wanted), "pydantic-core", "owlrl"}  # tied to them
    others = [f"{pin.name}=={pin.version}\n" for pin in pins(ROOT / RUN) if pin.name not in free]
    (folder / "others.txt").write_text("".join(others))
    return ["-c", f"{folder}/others.txt", *(f"{each.replace('>=', '==')}.*" for each in wanted)]


@pytest.fixture(
    params=[
        "unpacked",
        pytest.param("installed", marks=pytest.mark.proof),
        pytest.param("oldest", marks=pytest.mark.proof),
    ]
)
def elsewhere(wheel: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The command `kg` of the wheel: unpacked, with the packages that are here; or installed in a
    fresh environment with those of the lock, or with the oldest that it says will do. Nothing of
    the checkout is in any.
    """
    if request.param == "unpacked":
        return unpacked(wheel, tmp_path)
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip = [*PIP, "--python", environment / "bin" / "python"]
    locked = ["--require-hashes", "-r", f"{ROOT / RUN}"]
    packages = oldest(tmp_path) if request.param == "oldest" else locked
    binary = ["install", "--quiet", "--only-binary", ":all:"]
    for what in ([*binary, *packages], ["install", "--no-deps", wheel], ["check"]):
        done = subprocess.run(
            [*pip, *what], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        if "Could not find a version" in done.stderr:
            skip("the packages the wheel needs cannot be had here")
        assert done.returncode == 0, done.stdout + done.stderr
    return environment / "bin" / "kg"


def test_the_wheel_makes_checks_builds_and_serves_a_site(elsewhere: Path, tmp_path: Path) -> None:
    site = tmp_path / "my site"
    for command in (
        ["new", site, "--example"],
        ["check", site],
        ["build", site, "-o", tmp_path / "out"],
    ):
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
        assert server.interrupt()[0] == 130
