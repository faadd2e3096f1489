"""Real SPARQL servers, empty, on this machine only."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import bench.servers
import kg
from bench.servers import empty_oxigraph, empty_virtuoso
from kg.plugins.remote.profiles import FOLDER, load
from kg.plugins.remote.push import split_by_document
from kg.plugins.remote.retrying import Retry, RetryingClient
from kg.plugins.remote.server import Server
from kg.publish.site import Documents
from tests.conftest import ROOT, copy_of_example, skip
from tests.kinds import starts

OXIGRAPH = Path(sys.executable).with_name("oxigraph")
QUICK = Retry(seconds=20, tries=3, pause=0.01)
# fewer than Virtuoso's usual ten thousand, so that even a small site has a graph with more
ROWS = 3_000


@dataclass(frozen=True)
class Elsewhere:
    """A server that runs, and how kg is told of it. The password is the user's name."""

    root: str
    profile: str
    folder: Path
    user: str = ""
    servers: list[Server] = field(default_factory=list)

    def server(self, retry: Retry = QUICK, root: str = "") -> Server:
        kind = load(self.profile)
        client = RetryingClient(
            root or self.root, kind.authentication if self.user else "none", self.user, self.user
        )
        self.servers.append(Server(kind, client, retry))
        return self.servers[-1]

    def close(self) -> None:
        for server in self.servers:
            server.close()

    @property
    def arguments(self) -> list[str]:
        return [
            "--endpoint",
            self.root,
            "--profile",
            self.profile,
            *(["--user", self.user] if self.user else []),
        ]


@dataclass(frozen=True)
class Published:
    """What is published of a site, by document, and its base."""

    documents: dict[str, bytes]
    base: str


def at(server: bench.servers.Server) -> str:
    return f"http://127.0.0.1:{server.port}/"


def name_of(request: pytest.FixtureRequest) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in request.node.name)


@pytest.fixture(scope="session")
def example_documents() -> dict[str, bytes]:
    return split_by_document(Documents(kg.build(kg.load(ROOT / "kg" / "example"))))


@pytest.fixture
def published(example_documents: dict[str, bytes], request: pytest.FixtureRequest) -> Published:
    """The example site with a base of its own, so that tests share servers and not sites."""
    old, new = "https://lab.example.org/", f"https://lab.example.org/{name_of(request)}/"
    moved = {
        each.replace(old, new): lines.replace(old.encode(), new.encode())
        for each, lines in example_documents.items()
    }
    return Published(moved, new)


@pytest.fixture(scope="session")
@starts("server")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    folder = tmp_path_factory.mktemp("oxigraph")
    with (
        empty_oxigraph(OXIGRAPH, folder) as server,
        closing(Elsewhere(at(server), "oxigraph", folder)) as found,
    ):
        yield found


@pytest.fixture(scope="session")
@starts("server")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    if not shutil.which("virtuoso-t"):
        skip("no Virtuoso was found; it is in the Debian package virtuoso-opensource-7-bin")
    folder = tmp_path_factory.mktemp("virtuoso")
    few = folder / "few-rows.yaml"
    few.write_text(
        (FOLDER / "virtuoso.yaml")
        .read_text(encoding="utf-8")
        .replace("rows: 10000", f"rows: {ROWS}"),
        encoding="utf-8",
    )
    with (
        empty_virtuoso(folder, rows=ROWS, buffers=4_000) as (server, _),
        closing(Elsewhere(at(server), str(few), folder, "dba")) as found,
    ):
        yield found


@pytest.fixture(params=["oxigraph", pytest.param("virtuoso", marks=pytest.mark.proof)])
@starts("server")
def elsewhere(request: pytest.FixtureRequest) -> Elsewhere:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Elsewhere)
    return found


@pytest.fixture
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The same as files, to edit."""
    folder = copy_of_example(tmp_path)
    file = folder / "data" / "site.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace(
            "example.org/", f"example.org/{name_of(request)}/"
        ),
        encoding="utf-8",
    )
    return folder
