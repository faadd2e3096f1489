"""`kg verify` on servers: our own, and hosts of plain files, under another path than the base's
too. Nobody else is ever asked.
"""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.errors import KgError
from kg.plugins.verify.command import open_source
from tests.conftest import ROOT
from tests.web.serving import serving

pytestmark = pytest.mark.server

EXAMPLE = ROOT / "kg" / "example"
ADA = "people/ada-lindqvist"
ALL_MANNERS = [
    "media types",
    "HEAD",
    "ETag and 304",
    "gzip",
    "content negotiation",
    "addresses",
    "404",
    "redirects",
]


def verify(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)])


class Quiet(SimpleHTTPRequestHandler):
    """A host of plain files."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".ttl": "text/turtle",
        ".jsonld": "application/ld+json",
        ".nt": "application/octet-stream",
    }

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def hosting(folder: Path, handler: type[SimpleHTTPRequestHandler] = Quiet) -> Iterator[str]:
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *given: handler(*given, directory=str(folder))
    ) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.proof
def test_our_server_is_proved_with_all_its_manners(example: Path) -> None:
    with serving(example) as server:
        result = verify(server.address, "--json", "--site", EXAMPLE)
    report = json.loads(result.stdout)
    assert (result.exit_code, report["problems"], report["good"], report["private"]) == (
        0,
        [],
        True,
        True,
    )
    assert report["proved"]["manners"] == ALL_MANNERS
    assert report["proved"]["documents"] == report["proved"]["read"] > 40
    assert (report["proved"]["triples"] > 1000, report["proved"]["links"] > 1000) == (True, True)


@pytest.mark.proof
def test_a_folder_is_proved(built: Path) -> None:
    result = verify(built, "--site", EXAMPLE)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("Verified ")
    assert result.stderr.endswith("no private data.\n")
    assert "Not checked for private data." in verify(built, "--sample", "5").stderr


@pytest.mark.proof
def test_a_host_of_plain_files_is_proved_under_a_path_of_its_own(built: Path) -> None:
    with hosting(built.parent.parent) as address:
        result = verify(f"{address}deep/lab", "--json")
    report = json.loads(result.stdout)
    assert {(each["rule"], each["severity"]) for each in report["problems"]} == {
        ("media-type", "warning")
    }  # it does not know .nt
    assert result.exit_code == 0
    assert {"HEAD", "addresses", "404", "redirects"} <= set(report["proved"]["manners"])
    assert "content negotiation" not in report["proved"]["manners"]


@pytest.mark.proof
def test_what_is_wrong_is_reported_by_its_address(built: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(built, tmp_path / "copy"))
    page = copy / f"{ADA}.ttl"
    page.write_text(
        page.read_text(encoding="utf-8").replace("Lecturer", "Professor"), encoding="utf-8"
    )
    (copy / "people" / "kim-osei.jsonld").unlink()
    with hosting(copy) as address:
        result = verify(address)
    assert result.exit_code == 1
    assert f"{address}{ADA}.ttl:1:1" in result.stdout
    assert f"{address}people/kim-osei.jsonld:1:1" in result.stdout
    assert "status 404" in result.stdout
    assert "errors" in result.stderr
    assert "Verified" not in result.stderr


class Rude(Quiet):
    """Says what it does not do."""

    def end_headers(self) -> None:
        self.send_header("Vary", "Accept")
        self.send_header("ETag", '"1"')
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        self.send_response(200 if "nobody" in self.path else code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def guess_type(self, path: Any) -> str:
        return "text/css" if str(path).endswith(".ttl") else super().guess_type(path)


@pytest.mark.proof
def test_a_server_that_does_not_do_what_it_says_is_reported(built: Path) -> None:
    with hosting(built, Rude) as address:
        result = verify(address, "--sample", "3", "--json")
    found = {(each["rule"], each["severity"]) for each in json.loads(result.stdout)["problems"]}
    assert found >= {
        ("etag", "error"),
        ("not-found", "error"),
        ("negotiation", "error"),
        ("media-type", "error"),
        ("media-type", "warning"),
    }
    assert result.exit_code == 1


@pytest.mark.proof
def test_no_other_server_gets_a_request(built: Path, tmp_path: Path) -> None:
    requests: list[str] = []

    class Canary(Quiet):
        def do_GET(self) -> None:
            requests.append(self.path)
            super().do_GET()

        do_HEAD = do_GET  # noqa: N815

    copy = Path(shutil.copytree(built, tmp_path / "copy"))
    with hosting(built, Canary) as elsewhere:

        class Leading(Quiet):
            def do_GET(self) -> None:
                if self.path.endswith((f"{ADA}.html", "kim-osei.ttl")):
                    self.send_response(302)
                    self.send_header("Location", elsewhere + self.path.lstrip("/"))
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                else:
                    super().do_GET()

        page = copy / "index.html"
        page.write_text(
            page.read_text(encoding="utf-8").replace(
                "</main>", f'<p><a href="{elsewhere}x">x</a></p></main>'
            ),
            encoding="utf-8",
        )
        with hosting(copy, Leading) as address:
            result = verify(address)
        assert requests == []
    assert result.exit_code == 1
    assert f"{address}{ADA}.html:1:1" in result.stdout
    assert "it redirects to another site" in result.stdout


@pytest.mark.proof
def test_redirects_within_the_site_are_followed(built: Path) -> None:
    class Clean(Quiet):
        """A host that shows pages without their suffix."""

        def do_GET(self) -> None:
            if self.path.endswith(".html"):
                self.send_response(308)
                self.send_header(
                    "Location", self.path.removesuffix("index.html").removesuffix(".html")
                )
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if not self.path.endswith("/") and "." not in self.path.rpartition("/")[2]:
                self.path += ".html"
            super().do_GET()

    with hosting(built, Clean) as address:
        result = verify(address, "--sample", "10", "--json")
    assert {each["rule"] for each in json.loads(result.stdout)["problems"]} <= {
        "media-type",
        "head",
        "link",
    }


@pytest.mark.proof
def test_what_was_promised_once_must_lead_on_or_be_gone(built: Path, tmp_path: Path) -> None:
    class Former(Quiet):
        def do_GET(self) -> None:
            if self.path in ("/people/moved", "/people/gone"):
                self.send_response(308 if self.path.endswith("moved") else 410)
                self.send_header("Location", f"/{ADA}")
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                super().do_GET()

    copy = Path(shutil.copytree(built, tmp_path / "copy"))
    graphs = sorted(
        {
            line[1:].partition(">")[0].partition("#")[0]
            for path in ("all.nq",)
            for line in (copy / path).read_text(encoding="utf-8").splitlines()
            if line.startswith("<https://lab.example.org/")  # not our terms
        }
    )
    former = [f"https://lab.example.org/people/{name}" for name in ("gone", "lost", "moved")]
    (copy / "addresses.txt").write_text(
        "".join(f"{address}\n" for address in [*graphs, *former]), encoding="utf-8"
    )
    with hosting(copy, Former) as address:
        result = verify(address, "--sample", "3", "--json")
    found = [each for each in json.loads(result.stdout)["problems"] if each["rule"] == "address"]
    assert [(each["file"], each["line"]) for each in found] == [
        (f"{address}addresses.txt", len(graphs) + 2)
    ]
    assert "people/lost is listed here" in found[0]["message"]


@pytest.mark.parametrize(
    "address",
    [
        "ftp://127.0.0.1/",
        "http://",
        "http://me:secret@127.0.0.1/",
        "http://127.0.0.1/?q=1",
        "http://a b/",
    ],
)
def test_what_is_no_address_is_wrong_use(address: str) -> None:
    result = verify(address)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not the address of a site" in result.stderr


def test_where_nobody_answers_that_is_reported() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        port = server.server_address[1]
    result = verify(f"http://127.0.0.1:{port}/")
    assert result.exit_code == 2
    assert "cannot be reached: no response (" in result.stderr


def test_where_no_site_is_that_is_reported(tmp_path: Path) -> None:
    with hosting(tmp_path) as address:
        result = verify(address)
    assert result.exit_code == 2
    assert "is not a built site" in result.stderr
    assert verify(tmp_path / "nowhere").exit_code == 2


BAD: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "more than": lambda patch: patch.setattr("kg.plugins.verify.command.MAX_BYTES", 1000),
    "was not verified within": lambda patch: patch.setattr(
        "kg.plugins.verify.server.TIMEOUT_MINUTES", 0
    ),
}


@pytest.mark.proof
@pytest.mark.parametrize("said", BAD)
def test_there_are_bounds(built: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    BAD[said](monkeypatch)
    with (
        hosting(built) as address,
        pytest.raises(KgError, match=said),
        open_source(address),
    ):
        pass
