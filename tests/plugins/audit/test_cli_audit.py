"""`kg audit`: any page, folder or server of this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from tests.kinds import starts

BAD = """<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Persn", "name": "Ada"}
</script>Ada"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["audit", *map(str, arguments)])


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = Path("page.html")
    file.write_text(BAD)
    return file


@pytest.fixture
@starts("server")
def server(page: Path) -> Iterator[str]:
    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            leads = {"/away": "http://127.0.0.2:1/", "/here": "/page.html", "/round": "/round"}
            if self.path in leads:
                self.send_response(302)
                self.send_header("Location", leads[self.path])
                self.end_headers()
            else:
                super().do_GET()

        def log_message(self, format: str, *args: object) -> None:
            pass

    handler: type[BaseHTTPRequestHandler] = Handler
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=".")) as found:
        thread = Thread(target=found.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()
        thread.join()


def test_a_fault_is_shown_as_the_check_shows_it_with_what_to_do(page: Path) -> None:
    result = run(page)
    assert result.exit_code == 1
    assert result.stdout == (
        "page.html:2:45  error    unknown schema.org type 'Persn'. Did you mean 'Person'?  "
        "[unknown-type]\n"
    )
    assert result.stderr == (
        "Checked 1 page: 1 error.\nTo insert correct data about a person from your own site, run: "
        "kg embed SLUG --into page.html\n"
    )


@pytest.mark.parametrize("form", ["json", "sarif", "github", "gitlab"])
def test_every_form_of_the_check_is_there(page: Path, form: str) -> None:
    result = run(page, "--format", form)
    assert result.exit_code == 1
    assert "unknown-type" in result.stdout
    if form != "github":
        json.loads(result.stdout)


def test_a_folder_is_read_without_what_is_hidden(page: Path) -> None:
    for name in (".git/x.html", "node_modules/x.html", "a/b.htm", "a/data.txt"):
        file = Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(BAD)
    assert [line.split(":")[0] for line in run(".").stdout.splitlines()] == ["a/b.htm", "page.html"]


def test_the_mildest_and_the_strictest_can_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<p>")
    assert run(file).exit_code == 0
    assert "no-data" in run(file).stdout
    assert run(file, "--severity", "warning").stdout == ""
    file.write_text(BAD.replace("Persn", "Person").replace('"Ada"', '"Ada", "award": ""'))
    assert [run(file, *strict).exit_code for strict in ([], ["--strict"])] == [0, 1]


def test_a_server_of_this_machine_is_asked(server: str) -> None:
    for path in ("/page.html", "/here"):
        result = run(server + path)
        assert result.exit_code == 1
        assert result.stdout.startswith(f"{server}{path}:2:45  error")
    sarif = json.loads(run(f"{server}/page.html", "-f", "sarif").stdout)
    [found] = sarif["runs"][0]["results"]
    location = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": f"{server}/page.html"}


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("{}/away", "not on this machine"),
        ("{}/round", "redirects more than 3 times"),
        ("{}/none.html", "returned HTTP 404"),
        ("http://127.0.0.1:1/", "Connection refused"),
        ("https://example.org/", "not on this machine"),
        ("http://localhost.example.org/", "not on this machine"),
        ("http://127.0.0.1@example.org/", "not on this machine"),
        ("ftp://localhost/x", "not on this machine"),
        ("http://[/", "is not a valid URL"),
        ("nowhere.html", "nowhere.html does not exist"),
    ],
)
def test_nobody_else_is_asked(server: str, place: str, says: str) -> None:
    result = run(place.format(server))
    assert result.exit_code == 2
    assert says in result.stderr


@pytest.mark.proof
def test_our_own_pages_are_without_fault(built: Path) -> None:
    result = run(built)
    assert [line for line in result.stdout.splitlines() if "  info  " not in line] == []
    assert {line.rsplit("[", 1)[1] for line in result.stdout.splitlines()} <= {
        "no-data]",
        "recommended]",
    }
    assert int(result.stderr.split()[1]) > 100
