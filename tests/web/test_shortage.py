"""A server that is short of files, memory or disk space: each request gets a status and a sentence,
and none ends it.
"""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import httpx
import pytest

from bench.servers import free_port
from tests.conftest import ROOT
from tests.web.serving import KG

pytestmark = [pytest.mark.proof, pytest.mark.server]

ADDRESSES = (
    "/people/ada-lindqvist.html",
    "/search?q=ada",
    "/queries/coauthors-of.csv?person=ada-lindqvist",
    "/reconcile/suggest/entity?prefix=ada",
    "/dump.nq",
    "/sparql?format=csv&query=SELECT * { ?s ?p ?o }",
    "/sparql?format=csv&query=SELECT ?a ?p { ?a ?p ?b . ?c ?q ?d } LIMIT 30000",
)


@contextmanager
def short_of(limit: str) -> Iterator[tuple[subprocess.Popen[bytes], httpx.Client]]:
    """The example is served within a limit of the shell."""
    port = free_port()
    command = f"{limit} && exec {KG} serve {ROOT / 'kg' / 'example'} --port {port}"
    with (
        subprocess.Popen(["bash", "-c", command], stderr=subprocess.DEVNULL) as process,
        httpx.Client(
            base_url=f"http://127.0.0.1:{port}", headers={"Accept-Encoding": "identity"}, timeout=60
        ) as client,
    ):
        try:
            while process.poll() is None:
                with suppress(httpx.TransportError):
                    assert client.get("/healthz").status_code == 200
                    break
                time.sleep(0.2)
            yield process, client
        finally:
            process.terminate()


def responses(client: httpx.Client) -> list[httpx.Response]:
    """Many at once, and one when all is over."""
    with ThreadPoolExecutor(40) as executor:
        found = [*executor.map(client.get, ADDRESSES * 20)]
    return [*found, client.get("/healthz")]


@pytest.mark.parametrize("limit", ["ulimit -n 64", "ulimit -v 600000", "exec 2>/dev/full"])
def test_a_shortage_ends_nothing(limit: str) -> None:
    with short_of(limit) as (process, client):
        found = responses(client)
        assert process.poll() is None
    assert {each.status_code for each in found} <= {200, 503}
    assert all(each.text for each in found)
    assert found[-1].status_code == 200


def test_a_full_disk_is_reported() -> None:
    """Here, no file can be longer than 64 kB."""
    with short_of("true") as (process, client):
        _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1 << 16, hard))
        found = responses(client)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        assert client.get("/dump.nq").status_code == 200
    assert {each.status_code for each in found} == {200, 503}
    short = [each.text for each in found if each.status_code == 503]
    assert all("short of memory, disk space or open files" in text for text in short)
