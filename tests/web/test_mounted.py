"""`kg.blueprint`: a site in a Flask application of somebody else, below a path of its own."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urljoin
from urllib.request import urlopen

import flask
import pytest
from werkzeug.serving import make_server
from werkzeug.test import Client, TestResponse

import kg
from kg.check.check import good
from kg.errors import ProblemsFound
from kg.sparql.limits import Limits
from kg.web.state import State, build_state
from tests.client import client_of
from tests.conftest import ROOT, copy_of_example
from tests.sparql.processes import descendants

pytestmark = pytest.mark.process
LIMITS = Limits(deadline=1, workers=2)
PAGE = "people/ada-lindqvist"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
TRUE = b'{"head":{},"boolean":true}'


def application(blueprint: flask.Blueprint) -> flask.Flask:
    app = flask.Flask("theirs")
    app.register_blueprint(blueprint, url_prefix="/cv")
    app.add_url_rule("/", "home", lambda: "Their home page.")
    return app


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_example(tmp_path_factory.mktemp("mounted"))


@pytest.fixture(scope="module")
def app(site: Path) -> flask.Flask:
    return application(kg.blueprint(site, endpoint=True, limits=LIMITS))


@pytest.fixture(scope="module")
def mounted(app: flask.Flask) -> Client:
    return Client(app)


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[Client]:
    """What `kg serve` answers."""
    state: State = build_state(good(site), LIMITS)
    yield client_of(state)
    state.endpoint.close()


def shown(answer: TestResponse) -> tuple[int, dict[str, str], bytes]:
    return answer.status_code, dict(answer.headers), answer.data


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "", {"Accept": "text/html"}),
        ("GET", PAGE, {"Accept": "text/html"}),
        ("HEAD", PAGE, {"Accept": "text/html"}),
        ("GET", PAGE, {"Accept": "text/turtle", "Accept-Encoding": "gzip"}),
        ("GET", PAGE, {"Accept": "image/png"}),
        ("GET", f"{PAGE}.jsonld", {}),
        ("GET", "people", {}),
        ("GET", "search?q=ada", {"Accept": "application/json"}),
        ("GET", "search?q=ada&format=odd", {}),
        ("GET", "search.html?q=ada", {}),
        ("GET", "sparql.html?query=ASK{}", {}),
        ("GET", "sparql", {"Accept": "text/html"}),
        ("GET", "sparql?query=ASK{}", {}),
        ("HEAD", "sparql?query=ASK{}", {}),
        ("GET", "sparql?query=ASK{", {"Accept": "application/problem+json"}),
        ("GET", "queries/coauthors-of.csv?person=ada-lindqvist", {}),
        ("GET", "queries/coauthors-of.csv?nobody=ada", {}),
        ("GET", "queries/coauthors-of.html", {}),
    ],
)
def test_what_is_mounted_answers_as_a_server_of_the_site(
    mounted: Client, served: Client, method: str, path: str, headers: dict[str, str]
) -> None:
    here, there = (
        client.open(f"{top}{path}", method=method, headers=headers)
        for client, top in ((mounted, "/cv/"), (served, "/"))
    )
    assert shown(here) == shown(there)
    if tag := here.headers.get("ETag"):
        known = mounted.open(
            f"/cv/{path}", method=method, headers={**headers, "If-None-Match": tag}
        )
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", tag)


@pytest.mark.parametrize("accept", ["text/html", "text/plain", "application/json"])
def test_an_address_that_does_not_exist_is_reported_in_the_form_of_the_client(
    mounted: Client, served: Client, accept: str
) -> None:
    here, there = (
        client.get(f"{top}people/ada-lindquist", headers={"Accept": accept})
        for client, top in ((mounted, "/cv/"), (served, "/"))
    )
    assert here.status_code == there.status_code == 404
    assert here.headers["Content-Type"] == there.headers["Content-Type"]
    assert "people/ada-lindqvist" in here.text
    if accept != "text/html":
        assert "/cv/people/ada-lindquist does not exist." in here.text
        assert "Closest: /cv/people/ada-lindqvist" in here.text


def test_the_rest_of_the_application_is_its_own(mounted: Client) -> None:
    assert mounted.get("/").text == "Their home page."
    assert "Content-Security-Policy" not in mounted.get("/").headers
    for path in ("/people/", "/cv/console", "/cv/metrics", "/cv/healthz"):
        assert mounted.get(path).status_code == 404


def test_links_lead_to_pages_below_the_same_path(mounted: Client) -> None:
    page = mounted.get(f"/cv/{PAGE}", headers={"Accept": "text/html"}).text
    links = {link for link in re.findall(r'(?:href|src)="([^"#]*)"', page) if ":" not in link}
    assert not [link for link in links if link.startswith("/")]
    local = sorted(link for link in links if link.startswith("../"))[:20]
    assert len(local) > 10
    for link in local:
        answer = mounted.get(urljoin("/cv/people/", link), follow_redirects=True)
        assert answer.status_code == 200, link


def test_queries_are_posted_and_guarded(mounted: Client) -> None:
    def post(text: str, media_type: str = "application/sparql-query") -> TestResponse:
        return mounted.post("/cv/sparql", data=text, content_type=media_type)

    assert mounted.post("/cv/sparql", data={"query": "ASK {}"}).data == TRUE
    assert post("ASK {}").data == TRUE
    assert post("DROP ALL", "application/sparql-update").status_code == 403
    assert post("x" * (1 << 21)).status_code == 413
    assert post("ASK {}", "text/plain").status_code == 415
    assert post("SELECT * { SERVICE <http://example.org/> {} }").status_code == 400
    assert mounted.put("/cv/sparql", data="ASK {}").status_code == 405


def test_a_query_past_its_deadline_costs_its_worker(mounted: Client) -> None:
    assert mounted.get("/cv/sparql?query=ASK{}").data == TRUE
    before = descendants(os.getpid())
    late = mounted.get(f"/cv/sparql?query={quote(ENDLESS)}")
    assert (late.status_code, "longer than 1 s" in late.text) == (504, True)
    assert before - descendants(os.getpid()), "it was ended"
    assert mounted.get("/cv/sparql?query=ASK{}%23again").data == TRUE


def test_without_the_endpoint_there_are_pages_and_no_processes(site: Path) -> None:
    before = descendants(os.getpid())
    client = Client(application(kg.blueprint(site)))
    assert client.get(f"/cv/{PAGE}").status_code == 200
    assert client.get("/cv/search?q=ada").status_code == 200
    assert client.get("/cv/sparql?query=ASK{}").status_code == 404
    assert client.get("/cv/sparql.html?query=ASK{}").status_code == 200, "its script answers"
    assert descendants(os.getpid()) <= before


def test_each_process_of_a_server_has_workers_of_its_own(mounted: Client) -> None:
    """As where a server forks after it has loaded the application."""
    assert mounted.get("/cv/sparql?query=ASK{}").data == TRUE
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(theirs, mounted.get("/cv/sparql?query=ASK{}%23in-a-child").data)
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as answer:
        assert answer.read() == TRUE
    os.waitpid(child, 0)
    assert mounted.get("/cv/sparql?query=ASK{}%23in-the-parent").data == TRUE


def test_a_site_with_errors_is_not_mounted(example: Path) -> None:
    (example / "data" / "cv" / "ada-lindqvist.yaml").write_text("name: 3\n", encoding="utf-8")
    with pytest.raises(ProblemsFound):
        kg.blueprint(example)


def test_two_sites_in_one_application(site: Path, one_person: Path) -> None:
    app = application(kg.blueprint(site))
    app.register_blueprint(kg.blueprint(one_person), url_prefix="/ada", name="ada")
    client = Client(app)
    assert client.get("/ada/people/ada-berg").status_code == 200
    assert client.get(f"/ada/{PAGE}").status_code == 404
    assert client.get(f"/cv/{PAGE}").status_code == 200


def test_it_is_served_over_a_real_socket(app: flask.Flask) -> None:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        top = f"http://127.0.0.1:{server.server_port}/cv/"
        with urlopen(f"{top}{PAGE}.html", timeout=60) as answer:
            assert b"Ada Lindqvist" in answer.read()
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        with urlopen(f"{top}sparql?query=ASK%7B%7D", timeout=60) as answer:
            assert answer.read() == TRUE
        with urlopen(f"{top}sparql", b"query=ASK%7B%7D%23posted", timeout=60) as answer:
            assert answer.read() == TRUE
    finally:
        server.shutdown()
        thread.join(30)
        server.server_close()


def test_the_documentation_shows_it(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "publish.md").read_text(encoding="utf-8")
    code = text.partition("## Flask applications")[2].partition("```python\n")[2]
    monkeypatch.chdir(site.parent)
    (site.parent / "mysite").symlink_to(site)
    found: dict[str, flask.Flask] = {}
    exec(code.partition("```")[0], found)  # noqa: S102
    client = Client(found["app"])
    assert client.get(f"/people/{PAGE}").status_code == 200
    assert client.get("/people/sparql?query=ASK{}").data == TRUE
