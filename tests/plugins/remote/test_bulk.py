"""What `kg push --shards` says of a server's bulk loader, done word for word; afterwards a push has
nothing to do.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from bench.servers import empty_oxigraph
from kg.plugins.remote import bulk
from tests.cli.test_cli import run
from tests.plugins.remote.conftest import OXIGRAPH, Elsewhere, at

pytestmark = pytest.mark.proof


def instructions(site: Path, folder: Path, profile: str) -> list[str]:
    result = run("push", str(site), "--shards", str(folder), "--profile", profile)
    assert result.exit_code == 0, result.output
    lines = (folder / bulk.TEXT).read_text(encoding="utf-8").splitlines()
    return [line for line in lines[1:] if line and not line.startswith("#")]


def done(command: str) -> None:
    path = f"{OXIGRAPH.parent}:{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-c", command],
        check=True,
        capture_output=True,
        env={**os.environ, "PATH": path},
        timeout=60,
    )


@pytest.mark.process
def test_oxigraph_loads_what_was_written(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "SIZE", 100_000)
    *loading, serving = instructions(site, tmp_path / "shards", "oxigraph")
    assert len(list((tmp_path / "shards").glob("*.nq"))) > 3
    assert serving.startswith("oxigraph serve-read-only")  # which would take no push
    for command in loading:
        done(command.replace("DIR", str(tmp_path / "store")))
    with empty_oxigraph(OXIGRAPH, tmp_path, lasts=True) as server:
        second = run("push", str(site), "--endpoint", at(server), "--profile", "oxigraph")
    assert re.search(r"Documents: 0 uploaded, 0 deleted, [1-9]\d+ unchanged", second.output)


def test_virtuoso_loads_what_was_written(
    virtuoso: Elsewhere, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "SIZE", 100_000)
    monkeypatch.setenv("KG_PASSWORD", "dba")
    (loading,) = instructions(
        site, virtuoso.folder / "shards", virtuoso.profile
    )  # its own folder is one that it may read
    port = re.findall(
        r"ServerPort = (\S+)", (virtuoso.folder / "virtuoso.ini").read_text(encoding="utf-8")
    )[0]
    assert " 1111 dba PASSWORD " in loading
    done(loading.replace(" 1111 dba PASSWORD ", f" {port} dba dba "))
    second = run("push", str(site), *virtuoso.arguments)
    assert re.search(r"Documents: 0 uploaded, 0 deleted, [1-9]\d+ unchanged", second.output)
