"""What a host of plain files needs: pages for what moved and what is gone, and the files that
common hosts read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import urlopen

import lxml.html
import pytest

from kg.publish.formats.media import (
    CITATION_SUFFIXES,
    HTML,
    LINKSET_SUFFIX,
    OWN_POLICIES,
    PAGE_POLICY,
    PAGE_SUFFIXES,
    TURTLE,
)
from kg.publish.formats.urls import page_at
from kg.publish.hosting.host_rules import types
from kg.publish.site import Documents
from tests.kinds import starts

OURS = ("addresses.txt", "404.html", "_redirects", "_headers", ".htaccess", ".nojekyll")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def plain_server(folder: Path) -> Iterator[str]:
    """Python's own file server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
@starts("server")
def served(renamed_folder: Path) -> Iterator[str]:
    """The folder below /cv/, where its base says it is."""
    with plain_server(renamed_folder.parent) as address:
        yield f"{address}cv/"


def body(documents: Documents, path: str) -> str:
    found = documents.get(path)
    assert found is not None
    return found.body.decode()


def test_every_site_has_them(documents: Documents) -> None:
    assert {*OURS} <= documents.files.keys()
    assert documents.former.moved == documents.former.withdrawn == {}
    assert body(documents, "_redirects") == ""


def test_a_page_leads_on_from_the_old_address(renamed: Documents) -> None:
    page = lxml.html.fromstring(body(renamed, "people/n-haddad.html"))
    (refresh,) = page.xpath("//meta[@http-equiv='refresh']/@content")
    assert refresh == "0; url=../people/noor-haddad.html"
    assert page.xpath("//link[@rel='canonical']/@href") == [f"{renamed.base}people/noor-haddad"]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex"]
    assert page.xpath("//main//a/@href") == ["../people/noor-haddad.html"]
    assert [path for path in renamed.files if path.startswith("people/n-haddad")] == [
        "people/n-haddad.html",
        "people/n-haddad/index.html",
    ], "data cannot lead on"


def test_what_led_to_a_list_still_leads_there(renamed: Documents) -> None:
    page = lxml.html.fromstring(body(renamed, "topics/docker.html"))
    (refresh,) = page.xpath("//meta[@http-equiv='refresh']/@content")
    assert refresh == "0; url=../topics/"
    assert page.xpath("//link[@rel='canonical']") == [], "the list is not the topic"
    assert page.xpath("string(//h1)") == "This page no longer exists"
    folder = lxml.html.fromstring(body(renamed, "topics/docker/index.html"))
    (refresh,) = folder.xpath("//meta[@http-equiv='refresh']/@content")
    assert refresh == "0; url=../../topics/"


def test_a_page_says_what_is_gone_why_and_since_when(renamed: Documents) -> None:
    html = body(renamed, "press/rumour.html")
    assert (
        "press/rumour was withdrawn (Feb 2026) and is no longer available. &lt;b&gt;It&lt;/b&gt; "
        "was untrue."
    ) in html
    assert '<meta name="robots" content="noindex">' in html
    assert "people/eli was withdrawn and is no longer available." in body(
        renamed, "people/eli.html"
    )


def test_the_page_for_nothing_finds_the_site_from_any_depth(renamed: Documents) -> None:
    page = lxml.html.fromstring(body(renamed, "404.html"))
    links = [link for *_, link, _ in page.iterlinks() if not link.startswith(("#", "mailto:"))]
    assert len(links) > 4
    for link in links:
        for address in (
            "https://lab.example.org/cv/nothing",
            "https://lab.example.org/cv/people/no/such/thing",
        ):
            path = urljoin(address, link).removeprefix(renamed.base)
            assert f"{path}index.html" in renamed.files or path in renamed.files
    assert not page.xpath("//base"), "the policy would not allow it"


def test_the_old_address_is_in_the_data_and_not_on_the_page(renamed: Documents) -> None:
    assert "schema:sameAs <people/n-haddad#it>" in body(renamed, "people/noor-haddad.ttl")
    page = lxml.html.fromstring(body(renamed, "people/noor-haddad.html"))
    assert "n-haddad" not in re.sub("noor-haddad", "", page.xpath("string(//main)"))
    assert not [link for _, _, link, _ in page.iterlinks() if link.endswith("people/n-haddad#it")]


def test_redirects_are_listed_for_each_form(renamed: Documents) -> None:
    lines = [line.split() for line in body(renamed, "_redirects").splitlines()]
    moved = {old: new for old, new, status in lines if status == "301"}
    assert moved == {
        f"/cv/people/n-haddad{suffix}": f"/cv/people/noor-haddad{suffix}"
        for suffix in ("", *PAGE_SUFFIXES, *CITATION_SUFFIXES, LINKSET_SUFFIX)
    }
    listed = {old: new for old, new, status in lines if status == "302"}
    assert listed == {
        f"/cv/topics/docker{suffix}": f"/cv/topics/{f'index{suffix}' if suffix else ''}"
        for suffix in ("", *PAGE_SUFFIXES, LINKSET_SUFFIX)
    }
    gone = {old for old, _, status in lines if status == "410!"}
    assert {"/cv/people/eli", "/cv/people/eli.ttl", "/cv/press/rumour"} <= gone
    assert not [line for line in lines if line[0] == line[1]], "a host would turn in circles"


def rules(text: str) -> dict[str, dict[str, str]]:
    """Path -> its headers."""
    blocks = [block.splitlines() for block in re.split(r"\n(?=/)", text)]
    assert len({path for path, *_ in blocks}) == len(blocks)
    return {
        path: dict(header.strip().split(": ", 1) for header in headers) for path, *headers in blocks
    }


def test_headers_are_those_of_the_server(renamed: Documents) -> None:
    found = rules(body(renamed, "_headers"))
    assert found["/cv/*"] == {
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    assert (
        found["/cv/*.ttl"]
        == found["/cv/.well-known/void"]
        == {"Content-Type": "text/turtle; charset=utf-8"}
    )
    assert found["/cv/*.md"] == {"Content-Type": "text/markdown; charset=utf-8"}
    assert len(found) <= 100, "some hosts read no more"
    policies = {
        path: rule["Content-Security-Policy"]
        for path, rule in found.items()
        if "Content-Security-Policy" in rule
    }
    assert {path for path, policy in policies.items() if policy != PAGE_POLICY} == {
        "/cv/sparql",
        "/cv/sparql.html",
        "/cv/static/engine.js",
    }
    assert policies["/cv/sparql.html"] == OWN_POLICIES["sparql.html"]
    static = [path for path in renamed.files if re.match(r"static/.*\.(?!js$)\w+$", path)]
    assert len(static) > 5
    for page in (
        *static,
        *(
            path
            for path, (address, media) in renamed.files.items()
            if media == HTML and address in renamed.addresses
        ),
    ):
        assert len([path for path in policies if fits(path, f"/cv/{page}")]) == 1, (
            "two policies would both hold"
        )


def fits(pattern: str, path: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), path) is not None


def test_apache_is_told_types_moves_and_choices(renamed: Documents) -> None:
    lines = body(renamed, ".htaccess").splitlines()
    assert f"AddType {TURTLE} .ttl" in lines
    assert "ErrorDocument 404 /cv/404.html" in lines
    assert f'Header always set Content-Security-Policy "{PAGE_POLICY}"' in lines
    rewrites = [line.split() for line in lines if line.startswith("RewriteRule")]
    assert all(len(rule) == 4 for rule in rewrites)
    (moved,) = [rule for rule in rewrites if rule[3] == "[R=301,L]"]
    for path, to in (
        ("people/n-haddad", "/cv/people/noor-haddad"),
        ("people/n-haddad.ttl", "/cv/people/noor-haddad.ttl"),
    ):
        assert re.sub(moved[1], moved[2].replace("$1", r"\1"), path) == to
    assert not re.match(moved[1], "people/n-haddad-2")
    listed = [rule for rule in rewrites if rule[3] == "[R=302,L]"]
    for path, to in (
        ("topics/docker", "/cv/topics/"),
        ("topics/docker.ttl", "/cv/topics/index.ttl"),
    ):
        (rule,) = [rule for rule in listed if re.match(rule[1], path)]
        assert re.sub(rule[1], rule[2].replace("$1", r"\1"), path) == to
    assert [
        bool(re.match(rule[1], "press/rumour.nt")) for rule in rewrites if rule[3] == "[G]"
    ] == [False, True]
    opened = [line for line in lines if line.startswith("<") and not line.startswith("</")]
    assert len(opened) == len([line for line in lines if line.startswith("</")])


def test_a_suffix_with_two_meanings_is_left_to_the_host() -> None:
    files = {
        "a.xml": ("", "application/xml"),
        "b.xml": ("", "application/atom+xml"),
        "c.ttl": ("", TURTLE),
        "void": ("", TURTLE),
    }
    assert types(files) == {".ttl": TURTLE}


@pytest.mark.proof
def test_a_plain_file_server_shows_the_pages(served: str) -> None:
    for path, words in (
        ("people/n-haddad.html", "It is now at"),
        ("people/eli.html", "no longer available"),
        ("404.html", "no page at this"),
    ):
        with urlopen(served + path) as answer:
            assert words in answer.read().decode()
    with pytest.raises(HTTPError, match="404") as error:
        urlopen(served + "people/n-haddad.ttl")
    error.value.close()


def end_of(address: str) -> str:
    """Where a browser arrives, which follows pages that lead on."""
    with urlopen(address) as answer:
        page = answer.read().decode("utf-8", "replace")
        if refresh := re.search('http-equiv="refresh" content="0; url=(.*?)"', page):
            return end_of(urljoin(answer.url, refresh[1]))
        return str(answer.url)


@pytest.mark.proof
def test_every_address_answers_on_a_plain_file_server(renamed: Documents, served: str) -> None:
    found = re.findall(r"<loc>(.*?)</loc>", body(renamed, "sitemap.xml"))
    assert len(found) == len(renamed.addresses) > 40
    for address in (each.removeprefix(renamed.base) for each in found):
        assert end_of(served + address) == served + page_at(address)


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("people/n-haddad", "people/noor-haddad.html"),
        ("people/eli", "people/eli.html"),
        ("people", "people/"),
        ("void", "void.ttl"),
        ("shapes", "shapes.ttl"),
    ],
)
def test_old_addresses_and_those_of_data_answer_too(address: str, file: str, served: str) -> None:
    assert end_of(served + address) == served + file
