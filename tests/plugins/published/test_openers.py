"""`kg.open` on what is published: an address, a built folder, a dump."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import kg
from kg.answer_table import AnswerTable
from kg.errors import BadQuery, KgError, SiteNotFound
from kg.opened_site import OpenSite
from kg.publish.site import Documents
from tests.kinds import starts


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """A static web host, which knows nothing of kg."""
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
@starts("server")
def address(built: Path) -> Iterator[str]:
    with hosted(built) as found:
        yield found


def check(site: OpenSite, small: Documents) -> None:
    """The site answers as the checked one does."""
    assert site.url == small.base
    assert [each.name for each in site.people if each.has_cv] == ["Ada Lindqvist", "Tomás Ferreira"]
    assert len(site.people["ada-lindqvist"].publications) == 8
    found = site.questions.coauthors_of(person="noor-haddad")
    assert isinstance(found, AnswerTable)
    assert found.to_csv() == "coauthor,works\r\nAda Lindqvist,2\r\nTomás Ferreira,1\r\n"
    with pytest.raises(BadQuery):
        site.sparql("DROP ALL")


def test_a_built_folder_is_opened_with_its_title_and_questions(
    built: Path, small: Documents
) -> None:
    site = kg.open(built)
    check(site, small)
    assert site.title == "A small laboratory"
    assert {*site.questions} == {*OpenSite(small.graph).questions}
    query = "ASK { GRAPH <pages> { ?page schema:mainEntity ?entry } }"
    assert site.sparql(query) is True
    assert site.sparql("ASK { GRAPH <void> { <void#it> dcterms:title ?title } }") is True


def test_an_address_is_opened_from_any_web_host(address: str, small: Documents) -> None:
    site = kg.open(address)
    check(site, small)
    assert site.title == "A small laboratory"


@pytest.mark.parametrize("name", ["dump.nq", "dump.ttl", "dump.jsonld", "dump.nq.gz"])
def test_a_dump_is_opened_with_the_built_in_questions(
    name: str, built: Path, small: Documents, tmp_path: Path
) -> None:
    file = tmp_path / name
    text = (built / name.removesuffix(".gz")).read_bytes()
    file.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    check(kg.open(file), small)


def test_other_sources_are_refused_with_the_reason(address: str, tmp_path: Path) -> None:
    other = tmp_path / "other.ttl"
    other.write_text("<https://a.example/> <https://a.example/p> 'x' .")
    with pytest.raises(SiteNotFound, match="not a dump of one site"):
        kg.open(other)
    with pytest.raises(SiteNotFound, match="HTTP 404"):
        kg.open(f"{address}/people")
    with pytest.raises(KgError, match="Cannot reach"):
        kg.open("http://127.0.0.1:9/")
    with pytest.raises(SiteNotFound, match="kg new"):
        kg.open(tmp_path / "nothing")
    (tmp_path / "void.ttl").write_text("<x> <y> ")
    with hosted(tmp_path) as broken, pytest.raises(KgError, match="Cannot read"):
        kg.open(broken)
