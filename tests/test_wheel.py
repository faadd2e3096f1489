"""The wheels that `make wheel` builds: what is in them, and that they can be installed and work
where nothing else of this repository is.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from kg.publish.questions import editor
from release.locks import RUN, pins
from tests.conftest import ROOT, skip
from tests.installing import PIP, install, new_environment, run
from tests.kinds import starts
from tests.web.serving import serving

# Folder of the checkout -> where it is in the wheel.
CARRIED = {
    "shapes": "kg/shapes",
    "queries": "kg/queries",
    "kg/publish/templates": "kg/publish/templates",
    "kg/publish/static": "kg/publish/static",
    "kg/terms": "kg/terms",
    "kg/example": "kg/example",
    "kg/cli/files": "kg/cli/files",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# What `make wheel` runs besides make and Python.
TOOLS = ("make", "sh", "ls", "rm")
# The files of a checkout that it needs.
SOURCES = (
    *("Makefile", "pyproject.toml", ".gitignore", "README.md", "LICENSE", "sbom.cdx.json"),
    *("kg", "shapes", "queries", "man", "editor"),
)


@pytest.fixture(autouse=True)
def _without_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)


def make_wheel(checkout: Path, dist: Path, *arguments: str, **environment: str) -> str:
    """`make wheel` with the packages of this environment, as they are."""
    here = [f"VENV={sys.prefix}", "-o", f"{sys.prefix}/.user", f"DIST={dist}"]
    words = ["make", "--no-print-directory", "wheel", *here, *arguments]
    return run(words, checkout, **environment)


@pytest.fixture(scope="module")
@starts("process")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "dist"
    make_wheel(ROOT, folder, "-o", "editor")
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    [found] = dist.glob("cv_kg-*.whl")
    return found


@pytest.fixture(scope="module")
def editor_wheel(dist: Path) -> Path:
    if not editor.CHECKOUT.is_dir():
        skip("the editor is not installed; `make editor` does it where there is npm")
    [found] = dist.glob("cv_kg_editor-*.whl")
    return found


@pytest.fixture
@starts("process")
def environment(tmp_path: Path) -> Path:
    return new_environment(tmp_path)


def test_everything_the_package_needs_is_in_the_wheel(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in CARRIED.items():
        files = {
            f"{inside}/{path.relative_to(ROOT / folder)}"
            for path in (ROOT / folder).rglob("*.*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert files
        assert files - packed == set()
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "kg").rglob("*.py")}
    assert modules - packed == set()


def test_the_command_has_the_names_by_which_it_is_called(wheel: Path) -> None:
    """`kg`, and the name of the package, which `uvx` runs."""
    with zipfile.ZipFile(wheel) as archive:
        [names] = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]
        found = ConfigParser()
        found.read_string(archive.read(names).decode())
    assert dict(found["console_scripts"]) == {"cv-kg": "kg.cli:main", "kg": "kg.cli:main"}


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        manual = {path.name for path in (ROOT / "man").iterdir()}
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        shared = [name for name in names if ".data/data/share/man/man1/" in name]
        assert {Path(name).name for name in shared} == manual
        assert {name.partition("/")[0] for name in {*names} - {*shared}} == {"kg"}
        assert not [
            name for name in archive.namelist() if name.endswith(".pyc") or "/tests/" in name
        ]
        people = [path.stem.encode() for path in (ROOT / "data" / "cv").glob("*.yaml")]
        assert people
        told = [
            name
            for name in archive.namelist()
            if any(person in archive.read(name).lower() for person in people)
        ]
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


@pytest.mark.proof
def test_a_folder_answers_questions_where_the_extra_wheel_is(
    wheel: Path, editor_wheel: Path, environment: Path, tmp_path: Path
) -> None:
    site, out = tmp_path / "mine", tmp_path / "out"
    for each, has_editor in ((wheel, False), (editor_wheel, True)):
        command = install(environment, f"pip install {each}", tmp_path)
        if not has_editor:
            run([command, "new", site], tmp_path)
        printed = run([command, "build", site, "--editor", "-o", out], tmp_path)
        answers = "data-engine" in (out / "sparql.html").read_text(encoding="utf-8")
        assert answers == (out / "static" / "oxigraph.wasm").is_file() == has_editor
        assert ("kg doctor" in printed) == (not has_editor)


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(["pipx install ."], marks=pytest.mark.proof),
        pytest.param(
            ["pipx install dist/cv_kg-*.whl", "pipx inject cv-kg dist/cv_kg_editor-*.whl"],
            marks=pytest.mark.proof,
        ),
        pytest.param(["pip install dist/*.whl"], marks=pytest.mark.proof),
        # in the workflows of a new site
        pytest.param(["pip install wheels/*.whl"], marks=pytest.mark.proof),
    ],
    ids=lambda commands: commands[-1],
)
@pytest.mark.usefixtures("editor_wheel")
def test_the_commands_that_install_kg_work(
    commands: list[str], dist: Path, environment: Path, tmp_path: Path
) -> None:
    (tmp_path / "dist").symlink_to(dist)
    (tmp_path / "wheels").symlink_to(dist)
    for command in commands:
        kg = install(environment, command, ROOT if command.endswith(" .") else tmp_path)
    run([kg, "new", "mysite"], tmp_path)
    found = json.loads(run([kg, "doctor", "mysite", "--json"], tmp_path))
    assert found["ready"], found
    states = {each["name"]: each["severity"] for each in found["findings"]}
    assert states["site"] == states["page font"] == "ok"
    has_editor = commands != ["pipx install ."]
    assert states["SPARQL editor and engine"] == ("ok" if has_editor else "info")


@pytest.mark.proof
@pytest.mark.process
def test_without_node_make_wheel_says_what_is_not_included(tmp_path: Path) -> None:
    checkout, dist, tools = (tmp_path / name for name in ("checkout", "dist", "tools"))
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(shutil.which(name))
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        checkout.mkdir(exist_ok=True)
        copy(ROOT / name, checkout / name)
    for made in ("static/source-serif-*", "style/06-font.css"):
        for path in (checkout / "kg" / "publish").glob(made):
            path.unlink()
    said = make_wheel(checkout, dist, PATH=str(tools)).splitlines()
    [wheel] = dist.iterdir()
    assert said == [
        "Node (npm) is not installed. Not included: the page font, the SPARQL editor, and the "
        "engine that answers queries in built sites.",
        str(wheel),
    ]
    assert wheel.name.startswith("cv_kg-")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if "source-serif" in name]


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
        "here",
        pytest.param("installed", marks=pytest.mark.proof),
        pytest.param("oldest", marks=pytest.mark.proof),
    ]
)
def elsewhere(wheel: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The command `kg` of the wheel, installed in a new environment: with the packages that are
    here, with those of the lock, or with the oldest that it says will do. Nothing of the checkout
    is in any.
    """
    if request.param == "here":
        environment = request.getfixturevalue("environment")
        return install(environment, f"pip install {wheel}", tmp_path)
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


@pytest.mark.server
@pytest.mark.proof
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
