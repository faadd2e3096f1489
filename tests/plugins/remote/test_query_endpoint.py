"""`kg query --endpoint`: other servers, those that answer and those that do not."""

from __future__ import annotations

import csv
import gc
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import pytest

from bench.servers import empty_oxigraph
from kg.publish.site import Documents
from tests.cli.test_cli import EXAMPLE, OWNERS, run
from tests.conftest import skip
from tests.kinds import starts
from tests.web.serving import Server, serving

pytestmark = pytest.mark.sample(quick=0.1)

HEADS = {
    "/500": (500, "text/plain", b"The engine\x1b[31m is ill.\nTry again.\n"),
    "/page": (500, "text/html", b"<html><p>long page</p></html>"),
    "/long": (400, "text/plain", b"x" * 1_000_000),
    "/html": (200, "text/html", b"<html>welcome</html>"),
    "/rubbish": (
        200,
        "application/sparql-results+json",
        b'{"head": {"vars": ["a"]}, "results": {"bindings": [',
    ),
    "/moved": (302, "text/plain", b""),
    "/nothing": (200, "text/csv", b""),
    "/place": (400, "text/plain", b"Parse error at line 2, column 3: no."),
}
GOOD = b"name\r\nAda\r\n"


class Odd(BaseHTTPRequestHandler):
    """A server of many kinds, by its path."""

    requests: list[tuple[str, str, dict[str, list[str]]]]

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        type(self).requests.append((self.headers["Accept"], self.headers["Content-Type"], form))
        if self.path == "/slow":
            time.sleep(2)
            return
        if self.path == "/drip":
            self.send_response(200)
            self.send_header("Content-Type", "text/csv")
            self.end_headers()
            for _ in range(20):
                self.wfile.write(b"x\n")
                time.sleep(0.1)
            return
        status, media_type, body = HEADS.get(self.path, (200, "text/csv; charset=utf-8", GOOD))
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body) + (self.path == "/short")))
        if self.path == "/moved":
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        with suppress(ConnectionError):  # a client that has read enough goes
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def odd_server() -> Iterator[str]:
    Odd.requests = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Odd) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(autouse=True)
def _tidy_each() -> None:
    gc.collect()


@pytest.fixture
@starts("server")
def odd() -> Iterator[str]:
    with odd_server() as address:
        yield address


@pytest.fixture(scope="module")
@starts("server")
def served() -> Iterator[Server]:
    with serving(EXAMPLE) as server:
        yield server


@pytest.mark.proof
def test_a_server_answers_as_a_site_does(served: Server) -> None:
    there, here = (
        run("query", "coauthors", *place)
        for place in (("--endpoint", f"{served.address}sparql"), ("--site", EXAMPLE))
    )
    assert (there.exit_code, there.stdout, there.stderr) == (0, here.stdout, "")
    values = run(
        "query",
        "coauthors-of",
        "--endpoint",
        f"{served.address}sparql",
        "--param",
        "person=noor-haddad",
        "-f",
        "table",
    )
    assert values.stdout.splitlines()[0] == "Co-author       Works"


@pytest.mark.parametrize("form", ["ttl", "nt", "jsonld", "table", "rdf"])
def test_a_graph_comes_in_the_form_that_is_wanted(served: Server, form: str) -> None:
    result = run(
        "query",
        "-",
        "--endpoint",
        f"{served.address}sparql",
        "-f",
        form,
        stdin="DESCRIBE <people/ada-lindqvist#it>",
    )
    assert (result.exit_code, result.stderr) == (0, "")
    assert "ada-lindqvist" in result.stdout


def test_its_hints_are_shown(served: Server) -> None:
    result = run(
        "query",
        "-",
        "--endpoint",
        f"{served.address}sparql",
        stdin="SELECT ?s { ?s <https://schema.org/name> 'größe' }",
    )
    assert result.stderr == (
        "Hint: No triple uses <https://schema.org/name>. Did you mean <http://schema.org/name>?\n"
    )


def test_a_slip_is_reported_by_the_server_and_pointed_at(served: Server) -> None:
    result = run("query", "-", "--endpoint", f"{served.address}sparql", stdin="SELECT *\n{ ?s ?p }")
    assert (result.exit_code, result.stdout) == (2, "")
    first, second, line, caret = result.stderr.splitlines()
    assert first == f"{served.address}sparql returned HTTP 400 Bad Request."
    assert second.startswith("line 2, column ")
    assert (line, caret.strip()) == ("  { ?s ?p }", "^")


def test_no_site_is_needed_and_nothing_of_the_query_is_changed(
    odd: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    nowhere = tmp_path_factory.mktemp("nowhere")
    result = run(
        "query",
        "-",
        "--site",
        nowhere,
        "--endpoint",
        f"{odd}/sparql?x=1",
        stdin="SELECT ?n { <é> ?p ?n } # &=+%",
    )
    assert (result.exit_code, result.stdout) == (0, GOOD.decode().replace("\r\n", "\n"))
    assert Odd.requests == [
        (
            "text/csv",
            "application/x-www-form-urlencoded",
            {"query": ["SELECT ?n { <é> ?p ?n } # &=+%"]},
        )
    ]
    assert list(csv.reader(StringIO(result.stdout))) == [["name"], ["Ada"]]


@pytest.mark.parametrize(
    ("path", "form", "words"),
    [
        (
            "/500",
            "csv",
            "/500 returned HTTP 500 Internal Server Error.\nThe engine [31m is ill.\nTry again.\n",
        ),
        ("/page", "csv", "/page returned HTTP 500 Internal Server Error.\n"),
        (
            "/html",
            "csv",
            "/html returned text/html instead of text/csv. Is it a SPARQL endpoint?\n",
        ),
        ("/rubbish", "table", "cannot read the answer: "),
        ("/moved", "csv", "/moved redirects. Use --endpoint http://127.0.0.1:1/elsewhere\n"),
        ("/short", "csv", "the response was cut off.\n"),
        ("/slow", "csv", "/slow did not answer within 0.5 s. "),
        ("/drip", "csv", "/drip did not answer within 0.5 s. "),
    ],
)
def test_what_is_no_answer_is_2_with_the_words_of_the_server(
    odd: str, path: str, form: str, words: str
) -> None:
    result = run(
        "query", "-", "--endpoint", odd + path, "--timeout", "0.5", "-f", form, stdin=OWNERS
    )
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert "\x1b[31m is" not in result.stderr


def test_what_a_server_says_is_cut_and_its_place_is_shown(odd: str) -> None:
    assert len(run("query", "-", "--endpoint", f"{odd}/long", stdin=OWNERS).stderr) < 1_200
    printed = run("query", "-", "--endpoint", f"{odd}/place", stdin="SELECT *\n{ ?s ?p ?o }").stderr
    assert printed.endswith("line 2, column 3: no.\n  { ?s ?p ?o }\n    ^\n")


def test_an_empty_answer_is_an_empty_line(odd: str) -> None:
    assert run("query", "-", "--endpoint", f"{odd}/nothing", stdin=OWNERS).stdout == "\n"


def test_nobody_there_is_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    result = run("query", "-", "--endpoint", f"http://127.0.0.1:{port}/", stdin=OWNERS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"cannot reach http://127.0.0.1:{port}/: " in result.stderr


def test_who_hangs_up_is_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            connection, _ = listener.accept()
            connection.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        result = run(
            "query",
            "-",
            "--endpoint",
            f"http://127.0.0.1:{listener.getsockname()[1]}/",
            stdin=OWNERS,
        )
        thread.join()
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot reach http://127.0.0.1:" in result.stderr


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/hostname",
        "ftp://x/",
        "sparql",
        "http://",
        "http:///x",
        "http://a b/",
        "http://[/",
        "data:,x",
    ],
)
def test_only_web_addresses_are_endpoints(address: str) -> None:
    result = run("query", "-", "--endpoint", address, stdin=OWNERS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Write one that starts with http:// or https://." in result.stderr


OXIGRAPH = Path(sys.executable).with_name("oxigraph")


@pytest.fixture(scope="module")
@starts("server")
def split(tmp_path_factory: pytest.TempPathFactory, small: Documents) -> Iterator[str]:
    """A server whose default graph is empty, as many are configured."""
    if not OXIGRAPH.exists():
        skip("oxigraph is not installed")
    with empty_oxigraph(OXIGRAPH, tmp_path_factory.mktemp("oxigraph")) as server:
        root = f"http://127.0.0.1:{server.port}"
        headers = {"Content-Type": "application/n-quads"}
        httpx.post(f"{root}/store", content=small.graph.nquads, headers=headers).raise_for_status()
        yield f"{root}{server.path}"


@pytest.mark.parametrize("form", ["csv", "table"])
def test_an_empty_default_graph_is_reported(split: str, form: str) -> None:
    asked = ("query", "coauthors", EXAMPLE, "--endpoint", split, "-f", form)
    found = run(*asked)
    assert found.exit_code == 0
    assert "its default graph is empty" in found.stderr
    found = run("query", "SELECT ?g { GRAPH ?g { ?s ?p ?o } } LIMIT 2", "--endpoint", split)
    assert (len(found.stdout.split()), found.stderr) == (3, "")


def test_a_site_gives_the_base_and_everybody_the_prefixes(split: str) -> None:
    query = "SELECT ?name { GRAPH ?g { <people/ada-lindqvist#it> a cv:Owner ; schema:name ?name } }"
    found = run("query", query, EXAMPLE, "--endpoint", split)
    assert (found.exit_code, found.stdout.split("\n")[1]) == (0, "Ada Lindqvist")
