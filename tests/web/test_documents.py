"""Documents over HTTP: by suffix or by negotiation, with the headers that caches, crawlers and
browsers need.
"""

from __future__ import annotations

import gzip
import http.client
import json
from urllib.parse import urljoin, urlsplit

import lxml.html
import pytest
from werkzeug.test import Client

from kg.publish.formats import media as published
from kg.publish.formats.media import (
    HTML,
    JSONLD,
    MARKDOWN,
    NTRIPLES,
    PAGE_SUFFIXES,
    RDFXML,
    TURTLE,
)
from kg.publish.questions import editor
from tests.web.serving import Server

PERSON = "/people/alvar-jarl"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ODD_PATHS = [
    "/nothing",
    "/people/nobody",
    "/people/nobody.ttl",
    "/people/../../../../etc/passwd",
    "/static/../site.py",
    "/static/../../../pyproject.toml",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/..%5c..%5cwindows",
    "/static/",
    "/static/style.css%00",
    "/people/alvar-jarl/",
    "/people/alvar-jarl.ttl/",
    "/people/alvar-jarl.TTL",
    "/people/alvar-jarl.exe",
    "/people//alvar-jarl",
    "/people/%00",
    "/%ff%fe",
    "/.html",
    "/.cv-kg",
    "/dump",
    "/" + "a" * 4000,
]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (BROWSER, HTML),
        ("*/*", HTML),
        ("text/turtle", TURTLE),
        ("application/ld+json", JSONLD),
        ("application/n-triples;q=0.2", NTRIPLES),
        ("application/rdf+xml", RDFXML),
        ("text/markdown", MARKDOWN),
        ("text/markdown, text/html;q=0.9, */*;q=0.1", MARKDOWN),
        ("text/*", HTML),
    ],
)
def test_a_document_comes_in_the_form_the_client_wants(
    client: Client, accept: str, media_type: str
) -> None:
    answer = client.get(PERSON, headers={"Accept": accept})
    suffix = {media: suffix for suffix, media in PAGE_SUFFIXES.items()}[media_type]
    assert (answer.status_code, answer.mimetype) == (200, media_type)
    assert urljoin(PERSON, answer.headers["Content-Location"]) == PERSON + suffix
    assert "Accept" in answer.headers["Vary"]
    assert answer.data == client.get(PERSON + suffix).data


@pytest.mark.parametrize(("suffix", "media_type"), PAGE_SUFFIXES.items())
def test_a_suffix_says_more_than_the_accept_header(
    client: Client, suffix: str, media_type: str
) -> None:
    answer = client.get(PERSON + suffix, headers={"Accept": "image/png"})
    assert (answer.status_code, answer.mimetype) == (200, media_type)


@pytest.mark.parametrize(
    ("address", "file"),
    [("/", "/index"), ("/people/", "/people/index"), ("/terms/cv", "/terms/cv")],
)
def test_lists_and_the_start_are_documents_too(client: Client, address: str, file: str) -> None:
    for suffix, media_type in PAGE_SUFFIXES.items():
        answer = client.get(address, headers={"Accept": media_type})
        assert (answer.status_code, urljoin(address, answer.headers["Content-Location"])) == (
            200,
            file + suffix,
        )


@pytest.mark.parametrize(
    "path",
    [
        "/dump.ttl",
        "/dump.nt",
        "/dump.nq",
        "/dump.jsonld",
        "/dump.rdf",
        "/static/style.css",
        "/static/icon.svg",
        "/healthz",
    ],
)
def test_there_are_files_beside_the_documents(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


def test_a_packed_dump_is_a_file_of_its_own_and_not_packed_again(client: Client) -> None:
    answer = client.get("/dump.nt.gz", headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.mimetype) == (200, "application/gzip")
    assert "Content-Encoding" not in answer.headers
    assert gzip.decompress(answer.data) == client.get("/dump.nt").data


def test_nothing_that_fits_is_406_and_says_what_there_is(client: Client) -> None:
    answer = client.get(PERSON, headers={"Accept": "image/png"})
    assert answer.status_code == 406
    assert TURTLE in answer.text


@pytest.mark.parametrize("path", ODD_PATHS)
def test_odd_paths_are_not_here(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_odd_paths_get_nowhere_on_the_wire_either(server: Server) -> None:
    for path in ODD_PATHS:
        connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=10)
        connection.request("GET", path, headers={"Accept": "text/plain"})
        answer = connection.getresponse()
        assert answer.status == 404, path
        assert b"root:" not in answer.read()
        connection.close()


def test_a_page_that_is_not_here_says_so_to_people(client: Client) -> None:
    answer = client.get("/people/<script>alert(1)", headers={"Accept": BROWSER})
    assert (answer.status_code, answer.mimetype) == (404, HTML)
    assert "<h1>Page not found</h1>" in answer.text
    assert "<script>" not in answer.text
    assert 'href="../static/style.css"' in answer.text


def test_a_page_that_is_not_here_offers_the_nearest(client: Client) -> None:
    answer = client.get("/people/alvar-jalr", headers={"Accept": BROWSER})
    assert answer.status_code == 404
    page = lxml.html.fromstring(answer.data)
    found = [(link.text, link.get("href")) for link in page.findall(".//main//li/a")]
    assert found[0] == ("Alvar Jarl", "../people/alvar-jarl.html")
    assert found[-1] == ("People", "../people/")
    assert client.get("/people/alvar-jarl.html").status_code == 200


def test_the_nearest_is_told_to_programs_too(client: Client) -> None:
    said = "/people/alvar-jalr does not exist. Closest: /people/alvar-jarl, "
    assert client.get("/people/alvar-jalr", headers={"Accept": "text/plain"}).text.startswith(said)
    assert json.loads(
        client.get("/people/alvar-jalr", headers={"Accept": "application/json"}).data
    )["detail"].startswith(said)


@pytest.mark.parametrize(
    ("accept", "media_type"), [("text/plain", "text/plain"), ("image/png", "text/plain")]
)
def test_a_page_that_is_not_here_says_so_in_a_line(
    client: Client, accept: str, media_type: str
) -> None:
    answer = client.get("/nothing", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype, answer.text) == (
        404,
        media_type,
        "/nothing does not exist.\n",
    )


@pytest.mark.parametrize("accept", ["application/problem+json", "application/json"])
def test_a_page_that_is_not_here_says_so_to_programs(client: Client, accept: str) -> None:
    answer = client.get("/nothing", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    assert json.loads(answer.data) == {
        "title": "Not Found",
        "status": 404,
        "detail": "/nothing does not exist.",
    }


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_documents_are_only_read(client: Client, method: str) -> None:
    answer = client.open(PERSON, method=method)
    assert answer.status_code == 405
    assert {"GET", "HEAD"} <= set(answer.headers["Allow"].split(", "))


@pytest.mark.parametrize("path", ["/", PERSON, f"{PERSON}.ttl", "/dump.nq", "/nothing"])
def test_head_is_get_without_the_body(client: Client, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert head.data == b""
    assert (head.status_code, *headers(head)) == (get.status_code, *headers(get))


def headers(answer: object) -> list[tuple[str, str]]:
    return sorted((name, value) for name, value in answer.headers if name != "Date")  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_what_the_client_has_is_not_sent_again(client: Client, encoding: str) -> None:
    first = client.get(PERSON, headers={"Accept-Encoding": encoding})
    tag = first.headers["ETag"]
    assert tag.startswith('"'), "a strong validator"
    again = client.get(
        PERSON, headers={"Accept-Encoding": encoding, "If-None-Match": f'"other", {tag}'}
    )
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert again.headers["Vary"] == first.headers["Vary"]
    assert client.get(PERSON, headers={"If-None-Match": '"other"'}).status_code == 200


def test_every_form_has_a_validator_of_its_own(client: Client) -> None:
    tags = {
        client.get(PERSON + suffix, headers={"Accept-Encoding": encoding}).headers["ETag"]
        for suffix in PAGE_SUFFIXES
        for encoding in ("identity", "gzip")
    }
    assert len(tags) == 2 * len(PAGE_SUFFIXES)


def test_packed_and_plain_are_the_same(client: Client) -> None:
    plain = client.get(PERSON)
    packed = client.get(PERSON, headers={"Accept-Encoding": "br, gzip;q=0.8"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 3
    assert gzip.decompress(packed.data) == plain.data


@pytest.mark.parametrize("encoding", ["gzip;q=0", "identity", "br", "*;q=0"])
def test_nothing_is_packed_for_who_cannot_unpack_it(client: Client, encoding: str) -> None:
    assert (
        "Content-Encoding" not in client.get(PERSON, headers={"Accept-Encoding": encoding}).headers
    )


@pytest.mark.parametrize(
    "path",
    [
        "/",
        PERSON,
        f"{PERSON}.jsonld",
        "/static/style.css",
        "/nothing",
        "/sparql",
        "/sparql?query=x",
    ],
)
def test_every_answer_is_open_to_readers_and_closed_to_tricks(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = answer.headers.getlist("Content-Security-Policy")
    if path == "/sparql" and editor.files():
        assert policy == [published.EDITOR_POLICY]
    else:
        assert policy == [published.PAGE_POLICY]


def test_only_scripts_of_this_site_run_and_ask_only_this_site() -> None:
    parts, more = published.PAGE_POLICY.split("; "), published.EDITOR_POLICY.split("; ")
    assert parts[0] == more[0] == "default-src 'none'"
    assert "unsafe" not in published.PAGE_POLICY
    assert {"script-src 'self'", "connect-src 'self'"} <= set(parts)
    assert set(more) - set(parts) == {"style-src 'self' 'unsafe-inline'"}
    assert set(parts) - set(more) == {"style-src 'self'"}


def test_the_copy_of_that_page_and_its_worker_alone_may_run_an_engine(client: Client) -> None:
    page, worker = (
        client.get(path).headers.getlist("Content-Security-Policy")
        for path in ("/sparql.html", "/static/engine.js")
    )
    assert page == [published.FOLDER_POLICY]
    more = {"script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"}
    assert set(published.FOLDER_POLICY.split("; ")) ^ set(published.EDITOR_POLICY.split("; ")) == {
        *more,
        "script-src 'self'",
    }
    assert worker == [
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    ]


def test_the_page_of_the_editor_keeps_its_policy_where_a_client_has_it(client: Client) -> None:
    page = client.get("/sparql", headers={"Accept": "text/html"})
    again = client.get(
        "/sparql", headers={"Accept": "text/html", "If-None-Match": page.headers["ETag"]}
    )
    assert again.status_code == 304
    assert again.headers.getlist("Content-Security-Policy") == page.headers.getlist(
        "Content-Security-Policy"
    )
