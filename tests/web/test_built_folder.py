"""`kg serve FOLDER`: a folder that kg build wrote is served as its site would be."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from werkzeug.test import Client, TestResponse

import kg
from kg.check.reloads import Reloads
from kg.publish.export.export import export
from kg.publish.hosting.built_folder import BuiltFolder
from kg.publish.site import Documents
from kg.sparql.limits import Limits
from kg.web.serve import follow
from kg.web.sources import FolderSource
from kg.web.state import build_state
from tests.cli.test_cli import run
from tests.client import client_of
from tests.conftest import ROOT, copy_of_example
from tests.kinds import starts
from tests.web.serving import KG, serving

LIMITS = Limits(deadline=60, workers=2)
ACCEPTS = (
    None,
    "*/*",
    "text/html",
    "text/turtle",
    "text/markdown",
    "application/ld+json",
    "application/json",
    "application/x-bibtex",
    "text/turtle;q=0.4, application/n-triples;q=0.6",
    "image/png",
)
QUERY = "SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 500"
SEARCHES = ["ada", "Haddad", "lindqvst", "a", "2", "university of", "zzz", "noor 2020", ""]
OTHERS = [
    "people",
    "void",
    "shapes",
    "people/ada-lindqist",
    "people/nobody/at/all",
    "people/n-haddad",
    "people/n-haddad.ttl",
    "people/n-haddad.exe",
    "press/rumour",
    "press/rumour.jsonld",
    ".cv-kg",
    "index.html.gz",
    "../site.yaml",
    "healthz",
    "sparql",
    "sparql.html?query=ASK{}",
    "sparql?query=ASK{}",
    "sparql?query=SELECT",
    "sparql?format=html&query=SELECT*{?s%20?p%20?o}ORDER%20BY%20?s%20?p%20?o%20LIMIT%2020",
    *(f"search?q={words}" for words in SEARCHES),
    *(f"search?q={words}&format=json" for words in SEARCHES),
    "search?format=xml",
    "search.html?q=ada",
]


class Pair(NamedTuple):
    documents: Documents
    folder: Path
    live: Client
    static: Client


@pytest.fixture(scope="module")
@starts("process")
def pair(renamed: Documents, renamed_folder: Path) -> Iterator[Pair]:
    """A site, and the folder that was built from it, both served."""
    sources = FolderSource(renamed_folder, LIMITS)
    with ExitStack() as stack:
        states = [build_state(renamed.graph, LIMITS), sources.state()]
        for state in states:
            stack.callback(state.endpoint.close)
        live, static = (client_of(state) for state in states)
        yield Pair(renamed, renamed_folder, live, static)


def seen(response: TestResponse) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in response.headers.items() if name != "Date"}
    return response.status_code, headers, response.data


@pytest.mark.proof
def test_every_file_is_the_same(pair: Pair) -> None:
    files = [path for path in pair.documents.files if not path.startswith(("dump", "void"))]
    assert len(files) > 250
    for path in [*files, "dump.nq", "dump.nq.gz", "dump.ttl", "void.ttl", ".well-known/void"]:
        live, static = seen(pair.live.get(f"/{path}")), seen(pair.static.get(f"/{path}"))
        assert static[1] == live[1], path
        assert static == live, path
        assert live[0] in (200, 301, 302, 410), path


@pytest.mark.sample(test=0.3)
@pytest.mark.process
@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.proof), 20])
def test_every_address_is_the_same_in_every_form(pair: Pair, accept: str | None, step: int) -> None:
    headers = {"Accept": accept} if accept else {}
    for address in [*sorted(pair.documents.addresses)[::step], *OTHERS]:
        live, static = (
            seen(client.get(f"/{address}", headers=headers)) for client in (pair.live, pair.static)
        )
        assert static == live, (address, accept)


def test_statuses_are_those_that_are_promised(pair: Pair) -> None:
    wanted = {
        "people/ada-lindqvist": 200,
        "people": 308,
        "people/n-haddad": 301,
        "press/rumour": 410,
        "people/ada-lindqist": 404,
        ".cv-kg": 404,
        "index.html.gz": 404,
        "console": 404,
    }
    assert {path: pair.static.get(f"/{path}").status_code for path in wanted} == wanted
    near = pair.static.get("/people/ada-lindqist", headers={"Accept": "text/html"}).text
    assert ">Ada Lindqvist</a>" in near


@pytest.mark.process
def test_a_packed_copy_is_sent_to_who_takes_it(pair: Pair) -> None:
    packed = (pair.folder / "people" / "ada-lindqvist.html.gz").read_bytes()
    headers = {"Accept-Encoding": "gzip", "Accept": "text/html"}
    live, static = (
        client.get("/people/ada-lindqvist", headers=headers) for client in (pair.live, pair.static)
    )
    assert static.data == packed
    assert gzip.decompress(static.data) == gzip.decompress(live.data)
    assert static.headers["ETag"] == live.headers["ETag"]
    again = pair.static.get(
        "/people/ada-lindqvist", headers={**headers, "If-None-Match": static.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.process
def test_queries_are_answered_from_the_dump(pair: Pair) -> None:
    live, static = (
        client.post("/sparql", data={"query": QUERY, "format": "csv"})
        for client in (pair.live, pair.static)
    )
    assert (static.status_code, static.data) == (200, live.data)
    assert len(static.data.splitlines()) == 501
    described = pair.static.get("/sparql", headers={"Accept": "text/turtle"})
    assert "sd:Service" in described.text


def test_a_large_dump_is_sent_from_the_disk(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.publish.hosting.built_folder.STREAMING_SIZE", 10_000)
    documents = BuiltFolder(pair.folder)
    assert "dump.nq" in documents.large
    assert b"".join(documents.large["dump.nq"]) == (pair.folder / "dump.nq").read_bytes()


def test_what_is_missing_for_a_moment_is_found_again(pair: Pair, tmp_path: Path) -> None:
    """Also with a directory in its place. Without its links, a page is still a page."""
    folder = tmp_path / "folder"
    shutil.copytree(pair.folder, folder)
    state = FolderSource(folder, LIMITS).state()
    client = client_of(state)
    page, linkset = folder / "people/ada-lindqvist.html", "people/ada-lindqvist.linkset.json"
    page.rename(folder / "aside.html")
    assert client.get("/people/ada-lindqvist.html").status_code == 404
    page.mkdir()
    assert client.get("/people/ada-lindqvist.html").status_code == 404
    page.rmdir()
    (folder / "aside.html").rename(page)
    (folder / linkset).rename(folder / "aside.json")
    bare = client.get("/people/ada-lindqvist.html")
    (folder / "aside.json").rename(folder / linkset)
    whole = client.get("/people/ada-lindqvist.html")
    state.endpoint.close()
    assert (bare.status_code, "Link" in bare.headers) == (200, False)
    assert (whole.status_code, "Link" in whole.headers) == (200, True)


def test_a_file_that_is_gone_is_not_found(pair: Pair, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(pair.folder, tmp_path / "copy"))
    documents = BuiltFolder(copy)
    (copy / "robots.txt").unlink()
    assert documents.get("robots.txt") is None


@pytest.mark.server
@pytest.mark.proof
def test_the_served_folder_is_proved(pair: Pair) -> None:
    with serving(pair.folder) as server:
        result = run("verify", server.address, "--json")
    assert result.exit_code == 0, result.output
    for manner in ("HEAD", "ETag and 304", "gzip", "content negotiation", "404", "redirects"):
        assert f'"{manner}"' in result.stdout


@pytest.mark.process
@pytest.mark.proof
def test_the_next_build_is_served(tmp_path: Path) -> None:
    site, folder = copy_of_example(tmp_path), tmp_path / "out"
    export(Documents(kg.build(kg.load(site))), folder)
    source = FolderSource(folder, LIMITS)
    current, reloads = source.open()[0], Reloads()
    client = client_of(current)
    states = source.follow(current, reloads, 0.05)
    watcher = Thread(target=follow, args=(current, states, reloads))
    watcher.start()
    try:
        assert "Reader" not in client.get("/people/ada-lindqvist.ttl").text
        cv = site / "data" / "cv" / "ada-lindqvist.yaml"
        cv.write_text(
            cv.read_text(encoding="utf-8").replace("position: Lecturer", "position: Reader"),
            encoding="utf-8",
        )
        first = current.state
        export(Documents(kg.build(kg.load(site))), folder)
        for _ in range(600):
            if current.state is not first:
                break
            time.sleep(0.1)
        assert "Reader" in client.get("/people/ada-lindqvist.ttl").text
    finally:
        reloads.end()
        watcher.join()
        current.close()


@pytest.mark.proof
def test_a_large_search_index_is_read_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("index", "matching"):
        monkeypatch.setattr(f"kg.publish.search.{name}.MAX_IN_ONE_FILE", 5)
    monkeypatch.setattr("kg.publish.search.index.MAX_IN_A_PART", 2)
    documents = Documents(kg.build(kg.load(ROOT / "kg" / "example")))
    export(documents, tmp_path / "out")
    assert len(list((tmp_path / "out" / "search").glob("*.json"))) > 50
    found = BuiltFolder(tmp_path / "out").finder.index
    for words in [*SEARCHES, "no ha", "conference", "uni", "un", "é", "ad lind"]:
        assert found.find(words) == documents.finder.index.find(words), words


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--watch"], "--watch works only with a SITE. For a built folder"),
        (["--base", "http://x/"], "--base works only with FILEs."),
        (["--endpoint", "http://127.0.0.1:9/"], "--endpoint needs the kind of server"),
    ],
)
def test_options_that_do_not_fit_are_refused(pair: Pair, options: list[str], said: str) -> None:
    result = run("serve", str(pair.folder), *options)
    assert result.exit_code == 2
    assert said in result.output


def test_an_endpoint_elsewhere_always_has_the_union(pair: Pair) -> None:
    options = ("--endpoint", "http://127.0.0.1:9/", "--profile", "oxigraph")
    result = run("serve", str(pair.folder), *options, KG_SERVE_UNION="0")
    assert result.exit_code == 2
    assert "always the union of all graphs. Unset KG_SERVE_UNION." in result.output


def test_a_site_needs_no_endpoint(example: Path) -> None:
    result = run("serve", str(example), "--endpoint", "http://127.0.0.1:9/")
    assert result.exit_code == 2
    assert "--endpoint works only with a built folder." in result.output


def test_a_folder_that_is_neither_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    result = run("serve", str(tmp_path))
    assert result.exit_code == 2
    assert "is not a site" in result.output
    assert "Nor was the folder written by kg build." in result.output


@pytest.mark.server
def test_the_command_serves_a_folder_from_within(pair: Pair) -> None:
    with serving(pair.folder, command=[KG, "serve", "--port", "0"]) as server:
        said = subprocess.run(
            ["curl", "-sI", f"{server.address}people/"], capture_output=True, text=True, check=True
        )
    assert "200 OK" in said.stdout
