"""Sites that overlap, hosts that publish them on 127.0.0.1, and runs of `kg join`.

Site i has the CV of person i. Every paper has three authors, i, i+1 and i+2, and is on the site of
each; each site has its own spelling of the keys. Co-authors have their ORCID iD on every second
site only, so on the others the paper has to tell who they are.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from kg.check.check import check
from kg.cli import main
from kg.graph.build import Graph
from kg.publish.site import Documents

BASE = "https://union.example.org/"
State = tuple[tuple[Path, int], ...]  # files and when they were written

GIVEN = ["Ada", "Bo", "Cleo", "Dag", "Eva", "Finn", "Gro", "Hal", "Ida", "Jon"]
FAMILY = ["Berg", "Dahl", "Ek", "Falk", "Gran", "Holm", "Lind", "Moen", "Nord", "Quist"]


def full_name(number: int) -> str:
    return f"{GIVEN[number % 10]} {FAMILY[number // 10 % 10]}{'son' * (number // 100)}"


def orcid(number: int) -> str:
    digits, total = f"0000000{number:08}", 0
    for digit in digits:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    digits += "X" if check == 10 else str(check)
    return "-".join(digits[each : each + 4] for each in range(0, 16, 4))


def key(number: int) -> str:
    return full_name(number).lower().replace(" ", "-")


def papers_of(number: int, count: int) -> list[int]:
    """The papers of a person: those of the person and of the two before."""
    return [(number - each) % count for each in range(3)]


def write_site(folder: Path, number: int, count: int, base: str, more: str = "") -> Path:
    """The site of one person."""
    (folder / "data/cv").mkdir(parents=True, exist_ok=True)
    data = folder / "data"
    (data / "site.yaml").write_text(
        f"base: {base}\ntitle: Site of {full_name(number)}\n"
        "license: https://creativecommons.org/licenses/by/4.0/\n"
    )
    others, works = set[int](), []
    for paper in papers_of(number, count):
        authors = [(paper + each) % count for each in range(3)]
        others.update(authors)
        works.append(
            f"paper-{paper}-{number}:\n  title: Results of experiment {paper}\n  kind: journal\n"
            f"  authors: [{', '.join(map(key, authors))}]\n  venue: results\n  year: 2020\n"
            f"  doi: 10.1234/exp.{paper}\n"
        )
    (data / "publications.yaml").write_text("".join(works))
    (data / "venues.yaml").write_text(
        "results: {name: Journal of Results, kind: journal, issn: 1234-5679}\n"
    )
    (data / "organizations.yaml").write_text(
        "university: {name: University of Results, kind: university, ror: 00rs6vg23}\n"
    )
    (data / "people.yaml").write_text(
        "".join(
            f"{key(each)}: {{name: {full_name(each)}"
            + (f", orcid: {orcid(each)}" if number % 2 else "")
            + "}\n"
            for each in sorted(others - {number})
        )
    )
    works = [f"paper-{paper}-{number}" for paper in papers_of(number, count)]
    (data / "cv" / f"{key(number)}.yaml").write_text(
        f"basics:\n  name: {full_name(number)}\n  orcid: {orcid(number)}\nwork:\n"
        "  - {organization: university, position: Professor, startDate: 2012, endDate: present}\n"
        f"{more}publications: [{', '.join(works)}]\n"
    )
    return folder


def publish(site: Path, public: Path) -> Path:
    """The description and the dump of a site, as `kg build` writes them, without the pages."""
    documents = Documents(check(site).good_graph(site), is_lean=True)
    for name, file in ((".well-known/void", "void.ttl"), ("dump.nq", "dump.nq")):
        document = documents.get(file)
        assert document is not None
        path = public / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document.body)
    return public


class Host(ThreadingHTTPServer):
    """A web host with ETags that counts its requests. `answers` replace files."""

    daemon_threads = True

    def __init__(self, public: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.public, self.requests = public, Counter[str]()
        self.statuses = Counter[int]()
        self.answers: dict[str, Callable[[Handler], None]] = {}
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"

    def forget(self) -> None:
        """Forgets its requests and answers."""
        for each in (self.requests, self.statuses, self.answers):
            each.clear()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body need not wait until headers are confirmed
    server: Host

    def do_GET(self) -> None:
        path = self.path.lstrip("/")
        self.server.requests[path] += 1
        if answer := self.server.answers.get(path) or self.server.answers.get("*"):
            answer(self)
            return
        file = self.server.public / path
        if not file.is_file():
            self.answer(404)
            return
        body = file.read_bytes()
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        is_known = self.headers.get("If-None-Match") == etag
        self.answer(304 if is_known else 200, b"" if is_known else body, ETag=etag)

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.server.statuses[status] += 1
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def hosted(public: Path) -> Iterator[Host]:
    with Host(public) as host:
        thread = threading.Thread(target=host.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield host
        finally:
            host.shutdown()
            thread.join()


def join(folder: Path, *arguments: str) -> Result:
    new = [] if (folder / "data").exists() else ["--base", BASE, "--title", "Union"]
    line = ["join", *arguments, "--into", str(folder), "--today", "2026-11-19", *new]
    return CliRunner().invoke(main, line)


def build(folder: Path, public: Path, *options: str) -> str:
    line = ["build", str(folder), "-o", str(public), "--today", "2026-11-19", *options]
    done = CliRunner().invoke(main, line)
    assert done.exit_code == 0, done.output
    return done.output


def select(folder: Path, query: str) -> list[tuple[str, ...]]:
    """The rows of a query on the joined site, which has no errors."""
    prefixes = (
        "PREFIX schema: <http://schema.org/> PREFIX cv: <https://w3id.org/cv-kg/terms#> "
        "PREFIX dcterms: <http://purl.org/dc/terms/> "
    )
    rows: Any = graph_of(folder, state_of(folder)).memory.select(prefixes + query)
    return sorted(tuple(row[name].value for name in sorted(row)) for row in rows)


def published(folder: Path) -> Documents:
    """What a build of a site would write."""
    return Documents(graph_of(folder, state_of(folder)))


def state_of(folder: Path) -> State:
    files = (path for path in folder.rglob("*") if path.is_file())
    return tuple(sorted((path, path.stat().st_mtime_ns) for path in files))


@lru_cache(maxsize=2)
def graph_of(folder: Path, _state: State) -> Graph:
    """The graph of a site in this state."""
    return check(folder).good_graph(folder)


def people(folder: Path) -> list[str]:
    return [name for (name,) in select(folder, "SELECT ?n { ?p a schema:Person ; schema:name ?n }")]


def works(folder: Path) -> list[str]:
    found = select(folder, "SELECT ?n { ?w a schema:ScholarlyArticle ; schema:headline ?n }")
    return [name for (name,) in found]
