"""Addresses, headers and queries at random against a real server: the answer has a status below
500, a form that was asked for, headers of ours alone, and nothing that is not published.

`python -m tests.web.test_fuzz_requests KIND NUMBER [SEED]` sends more: requests, or queries.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from kg.publish.formats.media import CITATION_SUFFIXES, PAGE_SUFFIXES
from kg.settings import shipped
from tests.check.test_fuzz import MUTATIONS
from tests.kinds import starts
from tests.web.hostile.attack import SECRETS, SIMPLE, send, wrong
from tests.web.hostile.case import asks, request
from tests.web.serving import KG, Server, serving

pytestmark = pytest.mark.fuzz

CANARY = "canary-that-stays-home"  # in files that nobody publishes
PATIENCE = 60  # seconds, of which an answer needs few thousandths
FORMS = [*PAGE_SUFFIXES.values(), *CITATION_SUFFIXES.values()]
# Addresses that have several forms, and none in their name.
NEGOTIATED = ("/people/ada-lindqvist", "/publications/lindqvist-2024-sand", "/people/", "/", "")
PATHS = (
    *NEGOTIATED,
    *("/people/ada-lindqvist.html", "/people/ada-lindqvist.ttl", "/publications/", "/sparql"),
    *("/search", "/queries/", "/queries/coauthors-of", "/queries/talks.csv", "/dump.nq"),
    *("/sitemap.xml", "/static/style.css", "/reconcile", "/console", "/console.json", "/metrics"),
    *("/healthz", "/readyz", "/llms.txt", "/_headers", "/.htaccess", "/openapi.json", "/404.html"),
    *("/data/site.yaml", "/.git/config", "/static/../data/site.yaml", "/static/note.txt"),
)
WEIGHTS = ("q=0", "q=0.5", "q=1", "q=0.001")
PIECES = (
    *("..", ".", "/", "//", "\\", "%2e%2e", "%2f", "%5c", "%252e", "%00", "%0d%0a", "\t", "~"),
    *("%0d%0aX-Planted:%20yes", "%e2%80%ae", "%ff", "%c0%af", "%ed%a0%80", "%zz", "%", ";", ":"),
    *("etc/passwd", "data", "site.yaml", "static", "people", ".html", ".ttl", ".csv", "index"),
    *("<script>", "'", '"', "{{7*7}}", "${7*7}", "a" * 300, "page-2", "page-99999999999999999999"),
    *("@evil.example", "http://evil.example/", "file:///etc/passwd", "#it", "?", "&", "="),
)
FIELDS = ("q", "query", "format", "person", "type", "queries", "limit", "offset", "timeout", "name")
VALUES = (
    *("", "a", "ada-lindqvist", "Ada Lindqvist", "people/ada-lindqvist", "json", "csv", "html"),
    *("0", "-1", "1e309", "NaN", "9" * 40, "2024", "0000-00-00", "ASK{}", "SELECT * {?s ?p ?o}"),
    *("<", '"', "'", "\\", "\0", "\r\nX-Planted: yes", "\u202e", "\ud800", "{", "[]", '{"q":{}}'),
    *("../../etc/passwd", "javascript:alert(1)", "x" * 2000, "%", "*", "ß", "İ", "\U0001f600"),
)
HEADERS = {
    "Accept-Encoding": ("gzip", "gzip;q=0", "*;q=0.5", "br, zstd", "gzip;q=x", ",,", "identity"),
    "Accept-Language": ("de", "*", "x" * 400, "en;q=nan"),
    "If-None-Match": ("*", '"x"', 'W/"x", "y"', '"', "," * 90),
    "If-Modified-Since": ("yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "0"),
    "Range": ("bytes=0-9", "bytes=9-1", "bytes=-", "bytes=0-0,1-1,2-2", "lines=1-2"),
    "X-Forwarded-For": ("::1", "127.0.0.1", "x, y", "[fe80::1%eth0]:9"),
    "X-Forwarded-Host": ("evil.example", "a b"),
    "X-HTTP-Method-Override": ("DELETE", "PUT"),
    "Cookie": ("a=b", "=;=", "x" * 999),
    "Origin": ("https://evil.example", "null", "file://"),
    "Content-Type": ("application/json", "text/html; charset=utf-7", "multipart/form-data"),
    "Expect": ("100-continue", "x"),
    "Upgrade": ("websocket", "h2c"),
}
METHODS = ("GET", "GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "PUT", "TRACE")
OURS = {
    *("content-type", "content-length", "content-location", "content-encoding", "etag", "vary"),
    *("content-security-policy", "x-content-type-options", "referrer-policy", "cache-control"),
    *("access-control-allow-origin", "access-control-allow-headers", "access-control-max-age"),
    *("access-control-allow-methods", "access-control-expose-headers", "cross-origin-resource"),
    *("cross-origin-resource-policy", "link", "location", "allow", "retry-after", "kg-hint"),
    *("connection", "date", "server", "transfer-encoding", "x-frame-options", "accept-ranges"),
    *("cross-origin-opener-policy", "permissions-policy", "x-robots-tag", "content-range"),
    *("strict-transport-security", "content-disposition", "accept-post", "www-authenticate"),
}
QUERIES = (
    *sorted(path.read_text(encoding="utf-8") for path in shipped("queries").glob("*.rq")),
    "SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s HAVING (?n > 3) ORDER BY DESC(?n) LIMIT 5",
    "CONSTRUCT { ?s a ?t } WHERE { ?s a/<http://a/>* ?t OPTIONAL { ?t !^<http://b/> ?u } }",
    "DESCRIBE <https://lab.example.org/people/ada-lindqvist#it>",
    'ASK { VALUES (?a ?b) { (1 "x"@en) (UNDEF 2.0) } FILTER(REGEX(STR(?b), "^(a+)+$", "i")) }',
    "SELECT * { { SELECT ?s { ?s ?p ?o MINUS { ?s a ?o } } } UNION { GRAPH ?g { ?s ?p 1e9 } } }",
    "SELECT * FROM <http://a/> { BIND(IF(BOUND(?x), 1/0, <<( <a> <b> <c> )>>) AS ?y) }",
)


@st.composite
def targets(draw: st.DrawFn) -> str:
    """An address: one that exists, or pieces of several; then a query."""
    path = draw(st.sampled_from(PATHS))
    for piece in draw(st.lists(st.sampled_from(PIECES), max_size=4)):
        at = draw(st.integers(0, len(path)))
        path = path[:at] + piece + path[at:]
    if draw(st.integers(0, 7)) == 0:
        path += quote(draw(st.text(max_size=8)).encode("utf-8", "surrogatepass"))
    pairs = draw(st.lists(st.tuples(st.sampled_from(FIELDS), st.sampled_from(VALUES)), max_size=3))
    query = "&".join(
        f"{name}={quote(each.encode('utf-8', 'surrogatepass'))}" for name, each in pairs
    )
    path = re.sub(r"[\s<>\"{}|\\^`]", lambda sign: quote(sign[0]), path)
    return (path if path.startswith("/") else f"/{path}") + (f"?{query}" if query else "")


def accept_headers() -> st.SearchStrategy[str]:
    names = st.sampled_from(
        [*FORMS, "text/*", "application/*", "*/*", "image/png", "a/b", "*", "text", "", "*/html"]
    )
    weights = st.sampled_from(["", *(f";{each}" for each in (*WEIGHTS, "q=", "q=x", "v=1"))])
    return st.lists(st.tuples(names, weights).map("".join), max_size=5).map(", ".join)


HEAD = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in HEADERS.items()}
)


def faults(method: str, target: str, accept: str, got: bytes) -> Iterator[str]:
    """What is wrong with an answer."""
    found = re.match(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n", got)
    status = int(found[1]) if found else 599
    head, _, body = got.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")[1:]
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    if status >= 500:
        yield f"{status} {body[:200]!r}"
    if strange := headers.keys() - OURS:
        yield f"headers of others: {strange}"
    place = headers.get("location", "")
    if urlsplit(place).netloc or place.startswith(("/", "\\")):
        yield f"it leads to {place}"
    for secret in (*SECRETS, CANARY):
        if secret.encode() in got:
            yield f"{secret} is in the answer"
    if target in NEGOTIATED and method == "GET" and is_clear(accept):
        kind = headers.get("content-type", "").partition(";")[0]
        wanted = parse_accept_header(accept or "*/*", MIMEAccept)  # as another program reads it
        if status == 200 and not wanted[kind]:
            yield f"{kind} is no answer to {accept}"
        if status == 406 and any(wanted[form] for form in PAGE_SUFFIXES.values()):
            yield f"406 is no answer to {accept}"


def is_clear(accept: str) -> bool:
    """Whether the standard says what a header means: each range is one, and there once."""
    ranges = [each.partition(";") for each in accept.split(", ")] if accept else []
    is_valid = all(
        re.fullmatch(r"[a-z]+/(\*|[a-z][^*]*)|\*/\*", name) and tail in ("", *WEIGHTS)
        for name, _, tail in ranges
    )
    return is_valid and len({name for name, *_ in ranges}) == len(ranges)


def ask_all(server: Server, number: int, chosen: int | None) -> Counter[str]:
    """Sends so many requests; the statuses that came back. Raises AssertionError."""
    seen: Counter[str] = Counter()

    @given(st.sampled_from(METHODS), targets(), accept_headers(), HEAD)
    def ask(method: str, target: str, accept: str, headers: dict[str, str]) -> None:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        sent = request(f"{method} {target}", f"Accept: {accept}\r\n{lines}")
        got = send(server, sent, PATIENCE)
        seen[got[9:12].decode()] += 1
        asked = (method, target, accept, headers)
        assert [*faults(method, target, accept, got)] == [], asked

    bounded(ask, number, chosen)
    return seen


def ask_queries(server: Server, number: int, chosen: int | None) -> Counter[str]:
    """The same for queries: those of the product, changed at random. One that takes long is
    stopped.
    """
    seen: Counter[str] = Counter()

    @given(st.integers(0, 2**63))
    def ask(chance: int) -> None:
        dice = Random(chance)
        query = dice.choice(QUERIES)
        for _ in range(dice.choice((1, 1, 2, 4))):
            query = dice.choice(MUTATIONS)(dice, query)
        body = query.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        got = send(server, asks("", body).sent, PATIENCE)
        status = got[9:12].decode()
        seen[status] += 1
        assert status in ("200", "400", "413", "503", "504"), (status, got[-300:], body)
        assert not any(secret.encode() in got for secret in (*SECRETS, CANARY)), body

    bounded(ask, number, chosen)
    assert wrong(server, SIMPLE) == ""
    return seen


def bounded(ask: Callable[..., None], number: int, chosen: int | None) -> None:
    """Runs a test so many times: the same every time, or by a seed."""
    tuned = settings(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize=chosen is None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )(ask)
    (tuned if chosen is None else seed(chosen)(tuned))()


@contextmanager
def guarded(folder: Path) -> Iterator[Server]:
    """The example, served with a deadline; with files around it that are nobody's business."""
    site = folder / "site"
    shutil.copytree(shipped("example"), site, ignore=shutil.ignore_patterns(".*"))
    for path in ("note.txt", "site/note.txt", "site/data/.note", "site/static/.note"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(CANARY, encoding="utf-8")
    data = site / "data" / "site.yaml"
    data.write_text(f"# {CANARY}\n{data.read_text(encoding='utf-8')}", encoding="utf-8")
    command = [KG, "serve", site, "--port", "0", "--deadline", "2", "--memory", "256"]
    with serving(site, command=command) as server:
        yield server


KINDS = {"requests": ask_all, "queries": ask_queries}


@pytest.fixture(scope="module")
@starts("server")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with guarded(tmp_path_factory.mktemp("fuzz")) as server:
        yield server


@pytest.mark.proof
@pytest.mark.parametrize(
    ("kind", "number", "refused"), [("requests", 700, "404"), ("queries", 150, "400")]
)
def test_whatever_is_sent_is_answered(server: Server, kind: str, number: int, refused: str) -> None:
    seen = KINDS[kind](server, number, None)
    assert sum(seen.values()) >= number * 0.9
    assert {"200", refused} <= seen.keys()


def test_the_judge_sees_what_is_wrong() -> None:
    """A fuzz whose judge is blind finds nothing."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    assert [*faults("GET", "/", "text/html", head + b"\r\nwell")] == []
    for wrong_answer in (
        b"HTTP/1.1 500 Oh\r\n\r\n",
        head + b"X-Planted: yes\r\n\r\n",
        head + f"\r\n{CANARY}".encode(),
        head + b"Location: //evil.example/\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\n\r\n",
        b"",
    ):
        assert [*faults("GET", "/", "text/html", wrong_answer)] != [], wrong_answer


if __name__ == "__main__":
    _, name, count, *given_seed = sys.argv
    with tempfile.TemporaryDirectory() as temporary, guarded(Path(temporary)) as served:
        counts = KINDS[name](served, int(count), int(given_seed[0]) if given_seed else 1)
        sys.stdout.write(f"{sum(counts.values())} {name}: {dict(counts)}\n")
