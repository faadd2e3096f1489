"""The built wheels in environments that have nothing else, with each extra and with none: a site is
made, filled, checked, built, served and asked. The packages are those of the locks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from release.locks import EXTRAS as LOCK
from release.locks import pins
from tests.conftest import ROOT, skip
from tests.installing import PIP
from tests.kinds import starts
from tests.plugins.documents.small_files import docx, paragraph
from tests.plugins.sources.recorded_server import RecordedServer, served
from tests.test_wheel import PROJECT, make_wheel
from tests.web.serving import serving

pytestmark = pytest.mark.proof

ORCID = "0000-0002-1825-0097"
RESUME = '{"basics": {"name": "Ada Berg"}, "work": [{"name": "Fjord Lab", "startDate": "2020"}]}'
AGENT = "".join(
    json.dumps({"jsonrpc": "2.0", **each}) + "\n"
    for each in (
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "tests", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    )
)
TABLE = (
    "import kg; found = kg.open('mysite').questions.coauthors_of(person='ada-lindqvist'); "
    "print(len(found), len(found.to_pandas()))"
)
ON_A_CLUSTER = """
import subprocess, sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        done = [sys.argv[1], "check", "mysite", "--cluster", cluster.scheduler_address]
        sys.exit(subprocess.run(done).returncode)
"""


@dataclass
class Installed:
    """An environment, and an empty folder to work in."""

    python: Path
    folder: Path
    environment: dict[str, str]

    @property
    def kg(self) -> Path:
        return self.python.with_name("kg")

    def run(self, *words: str | Path, code: int = 0, given: str = "") -> str:
        """What a command prints; its time goes to the report (`pytest -rP`)."""
        begun = time.monotonic()
        done = subprocess.run(
            [self.python.with_name(str(words[0])), *words[1:]],
            cwd=self.folder,
            env=self.environment,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        said = " ".join(map(str, words)).replace(str(self.folder), "")[:70]
        sys.stdout.write(f"{time.monotonic() - begun:7.2f} s  {said}\n")
        assert done.returncode == code, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
@starts("process")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "dist"
    make_wheel(ROOT, folder, "-o", "editor")
    return folder


@pytest.fixture(autouse=True)
def _without_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)


@pytest.fixture(scope="module")
def installing(
    dist: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Installed]]:
    """Installs the wheel with an extra, or with none; each once."""
    top = tmp_path_factory.mktemp("installed")
    [wheel] = dist.glob("cv_kg-*.whl")
    locked = [f"{pin.name}=={pin.version}\n" for pin in pins(ROOT / LOCK)]
    (top / "locked.txt").write_text("".join(dict.fromkeys(locked)))

    @cache
    def install(extra: str) -> Installed:
        environment, folder = top / f"environment-{extra}", top / f"empty-{extra}"
        folder.mkdir()
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        pip = [*PIP, "--python", environment / "bin" / "python", "install", "--quiet"]
        options = ["--only-binary", ":all:", "-c", top / "locked.txt", "--find-links", dist]
        begun = time.monotonic()
        done = subprocess.run(
            [*pip, *options, wanted], capture_output=True, text=True, cwd=folder, check=False
        )
        if "Could not find a version" in done.stderr and "cv-kg" not in done.stderr:
            skip("the packages the wheel needs cannot be had here")
        assert done.returncode == 0, done.stderr
        size = sum(path.stat().st_size for path in environment.rglob("*") if path.is_file())
        sys.stdout.write(f"{time.monotonic() - begun:7.2f} s  install: {size / 1e6:.0f} MB\n")
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        own = {**inherited, "KG_CACHE": str(top / f"cache-{extra}"), "HOME": str(folder)}
        return Installed(environment / "bin" / "python", folder, own)

    yield install


@pytest.mark.server
def test_without_extras_a_site_is_made_filled_checked_built_served_and_asked(
    installing: Callable[[str], Installed], dist: Path
) -> None:
    here = installing("")
    (here.folder / "resume.json").write_text(RESUME)
    assert PROJECT["version"] in here.run("kg", "--version")
    here.run("kg", "new", "mysite", "--example")
    here.run("kg", "import", "resume.json", "--into", "other")
    assert "Fjord Lab" in (here.folder / "other/data/cv/ada-berg.yaml").read_text()
    here.run("kg", "check", "-q", "mysite")
    query = ("kg", "query", "coauthors-of", "--person", "ada-lindqvist", "mysite")
    assert "Noor Haddad" in here.run(*query)
    assert "Verified" in here.run("kg", "build", "mysite", "-o", "public")
    files = [path for path in (here.folder / "public").rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    sys.stdout.write(f"{len(files)} files, {size / 1e6:.1f} MB\n")
    for site in ("mysite", "public"):
        begun = time.monotonic()
        with serving(here.folder / site, kg=here.kg) as server:
            sys.stdout.write(f"{time.monotonic() - begun:7.2f} s  kg serve {site}\n")
            with urlopen(f"{server.address}people/ada-lindqvist") as page:
                assert "Ada Lindqvist" in page.read().decode()
            asked = urlencode({"query": "ASK { <people/ada-lindqvist#it> ?p ?o }"})
            with urlopen(f"{server.address}sparql?{asked}") as answer:
                assert json.load(answer)["boolean"] is True
            assert server.interrupt()[0] == 130
    for extra, command in (("mcp", ("mcp", "mysite")), ("lsp", ("lsp",))):
        assert f'pip install ".[{extra}]"' in here.run("kg", *command, code=2)


@pytest.mark.server
def test_without_extras_a_site_is_compared_with_its_sources_and_again_offline(
    installing: Callable[[str], Installed],
) -> None:
    here = installing("")
    with served(RecordedServer()) as sources:
        here.environment |= {"KG_SOURCES": sources.root, "KG_CONTACT": "a@b.example"}
        here.run("kg", "import", f"orcid:{ORCID}", "--into", "mine")
        online = here.run("kg", "sync", "mine", code=1)
        asked = len(sources.asked)
        assert here.run("kg", "sync", "mine", "--offline", code=1) == online
        assert len(sources.asked) == asked


def ask_an_agent(here: Installed) -> None:
    lines = here.run("kg", "mcp", "mysite", given=AGENT).splitlines()
    replies = [json.loads(line) for line in lines if line.startswith("{")]
    [tools] = [each["result"]["tools"] for each in replies if each.get("id") == 2]
    assert len(tools) == 5


def greet_an_editor(here: Installed) -> None:
    messages = (
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    )
    texts = [json.dumps({"jsonrpc": "2.0", **each}) for each in messages]
    sent = "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts)
    assert '"completionProvider"' in here.run("kg", "lsp", given=sent)


def import_a_document(here: Installed) -> None:
    (here.folder / "cv.docx").write_bytes(docx(paragraph("Ada Berg") + paragraph("Rivers")))
    here.run("kg", "import", "cv.docx", "--into", "words")
    assert "Ada Berg" in next((here.folder / "words/data/cv").iterdir()).read_text()


def make_a_table(here: Installed) -> None:
    rows, table = here.run("python", "-c", TABLE).split()
    assert int(rows) == int(table) > 0


def check_on_a_cluster(here: Installed) -> None:
    (here.folder / "cluster.py").write_text(ON_A_CLUSTER)
    assert "4 people" in here.run("python", "cluster.py", str(here.kg))


def build_with_the_editor(here: Installed) -> None:
    here.run("kg", "build", "mysite", "--editor", "-o", "public")
    assert (here.folder / "public/static/oxigraph.wasm").stat().st_size > 100_000


USES: dict[str, Callable[[Installed], None]] = {
    "cluster": check_on_a_cluster,
    "documents": import_a_document,
    "editor": build_with_the_editor,
    "lsp": greet_an_editor,
    "mcp": ask_an_agent,
    "pandas": make_a_table,
}


def test_each_extra_for_users_is_tried() -> None:
    assert {*USES} == {*PROJECT["optional-dependencies"]} - {"bench", "dev"}


@pytest.mark.process
@pytest.mark.parametrize("extra", USES)
def test_an_extra_alone_is_enough_for_what_it_adds(
    installing: Callable[[str], Installed], dist: Path, extra: str
) -> None:
    if extra == "editor" and not [*dist.glob("cv_kg_editor-*.whl")]:
        skip("the editor is not installed; `make editor` does it where there is npm")
    here = installing(extra)
    here.run("kg", "new", "mysite", "--example")
    USES[extra](here)
