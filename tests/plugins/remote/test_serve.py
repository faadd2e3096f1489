"""`kg serve FOLDER --endpoint`: the folder's pages, and a guarded proxy of another server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from werkzeug.test import Client

from kg.check.reloads import Reloads
from kg.errors import KgError
from kg.plugins.remote.backend import PushedServer
from kg.plugins.remote.push import Record, push, split_by_document
from kg.publish.site import Documents
from kg.sparql.limits import Limits
from kg.web.serve import follow
from kg.web.sources import FolderSource
from tests.cli.test_cli import run
from tests.client import client_of
from tests.kinds import starts
from tests.plugins.remote.conftest import Elsewhere
from tests.plugins.remote.faulty import faulty
from tests.web.serving import KG, serving

pytestmark = pytest.mark.proof

NAME = (
    "PREFIX schema: <http://schema.org/> SELECT ?name { <people/ada-lindqvist#it> schema:name "
    "?name }"
)
LIMITS = Limits(deadline=60, workers=3)


class Here(NamedTuple):
    """The example site, built here, and pushed to a server."""

    elsewhere: Elsewhere
    folder: Path
    documents: Documents
    client: Client


@pytest.fixture(scope="module", params=["oxigraph", "virtuoso"])
@starts("process")
def here(request: pytest.FixtureRequest, built: Path, small: Documents) -> Iterator[Here]:
    elsewhere: Elsewhere = request.getfixturevalue(request.param)
    push(split_by_document(small), Record(elsewhere.server(), small.base))
    state = FolderSource(built, LIMITS, server=PushedServer(elsewhere.server())).state()
    yield Here(elsewhere, built, small, client_of(state))
    state.endpoint.close()


def ask(client: Client, query: str, form: str = "csv") -> str:
    return client.post("/sparql", data={"query": query, "format": form}).get_data(as_text=True)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s ?p ?o { GRAPH <void> { ?s ?p ?o } } ORDER BY ?s ?p ?o",
        "BASE <void> SELECT * FROM <> { ?s ?p ?o }",
    ],
)
def test_answers_longer_than_the_server_gives_at_once_are_complete(here: Here, query: str) -> None:
    wanted = here.documents.void().count(b"\n")
    rows = [
        json.dumps(row)
        for row in json.loads(ask(here.client, query, "json"))["results"]["bindings"]
    ]
    assert len(rows) == len(set(rows)) == wanted > 5_000


def test_answers_are_the_same_in_every_form(here: Here) -> None:
    assert ask(here.client, NAME) == "name\r\nAda Lindqvist\r\n"
    assert '"value":"Ada Lindqvist"' in ask(here.client, NAME, "json")
    assert "<literal>Ada Lindqvist</literal>" in ask(here.client, NAME, "xml")
    assert '"boolean":true' in ask(here.client, "ASK { <people/ada-lindqvist#it> ?p ?o }", "json")
    assert '"boolean":false' in ask(here.client, "ASK { <people/nobody#it> ?p ?o }", "json")
    graph = ask(
        here.client,
        (
            "PREFIX schema: <http://schema.org/> CONSTRUCT WHERE { <people/ada-lindqvist#it> "
            "schema:name ?n }"
        ),
        "nt",
    )
    assert graph == (
        f'<{here.documents.base}people/ada-lindqvist#it> <http://schema.org/name> "Ada '
        'Lindqvist" .\n'
    )


def test_columns_keep_the_order_of_the_query(here: Here) -> None:
    assert (
        ask(
            here.client,
            "SELECT * { <people/ada-lindqvist#it> <http://schema.org/name> ?z BIND(1 AS ?a) }",
        )
        == "z,a\r\nAda Lindqvist,1\r\n"
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("INSERT DATA { <a> <b> <c> }", "This endpoint is read-only"),
        (
            "SELECT * { ?s ?p ?o FILTR(1) }",
            "line 1, column 21: unexpected 'FILTR'",
        ),
        ("define input:default-graph-uri <x> SELECT * { ?s ?p ?o }", "line 1, column 1"),
    ],
)
def test_a_forbidden_query_goes_nowhere(here: Here, query: str, words: str) -> None:
    assert words in ask(here.client, query)


@pytest.mark.parametrize(
    "name", ["<bif:concat>", "<BIF:concat>", r"<b\u0069f:concat>", "<sql:rdf_sink>"]
)
def test_functions_of_virtuoso_itself_are_not_for_strangers(
    virtuoso: Elsewhere, here: Here, name: str
) -> None:
    if here.elsewhere is virtuoso:
        assert "is not allowed" in ask(here.client, f'SELECT ({name}("a") AS ?x) {{}}')
        assert "is not allowed" in ask(
            here.client, f'PREFIX f: {name} SELECT (f:x("a") AS ?x) {{}}'
        )


# It ends by itself after some seconds, for a server does not hear that nobody waits any more.
LONG = (
    "SELECT (COUNT(*) AS ?n) { { SELECT * { ?a ?b ?c } LIMIT 2000 } { SELECT * { ?d ?e ?f } "
    "LIMIT 2000 } }"
)


def test_a_query_has_a_deadline(here: Here) -> None:
    response = here.client.post("/sparql", data={"query": LONG, "timeout": "0.1"})
    assert response.status_code == 504
    assert ask(here.client, NAME) == "name\r\nAda Lindqvist\r\n"


@pytest.mark.server
def test_the_served_folder_is_proved(here: Here) -> None:
    command = [KG, "serve", here.folder, "--port", "0", *here.elsewhere.arguments]
    with serving(here.folder, command=command, KG_PASSWORD=here.elsewhere.user) as server:
        result = run("verify", server.address)
    assert result.exit_code == 0, result.output
    assert "Verified 57 documents" in result.output


def test_after_a_new_push_answers_are_new(
    oxigraph: Elsewhere, built: Path, small: Documents
) -> None:
    published, base = split_by_document(small), small.base
    some = {document: lines for document, lines in published.items() if "ferreira" not in document}
    record = Record(oxigraph.server(), base)
    push(some, record)
    source = FolderSource(built, LIMITS, server=PushedServer(oxigraph.server()))
    current, reloads = source.open()[0], Reloads()
    client = client_of(current)
    query = "ASK { <people/tomas-ferreira#it> ?p ?o }"
    assert '"boolean":false' in ask(client, query, "json")
    assert client.get("/people/tomas-ferreira.html").status_code == 200
    states = source.follow(current, reloads, 0.05)
    watcher = Thread(target=follow, args=(current, states, reloads))
    watcher.start()
    try:
        first = current.state
        push(published, record)
        for _ in range(600):
            if current.state is not first:
                break
            time.sleep(0.1)
        assert '"boolean":true' in ask(client, query, "json")
    finally:
        reloads.end()
        watcher.join()
        current.close()


def test_while_a_server_is_silent_pages_are_served(
    oxigraph: Elsewhere, built: Path, small: Documents
) -> None:
    push(split_by_document(small), Record(oxigraph.server(), small.base))
    with ExitStack() as stack:
        door = stack.enter_context(faulty(oxigraph.root))
        source = FolderSource(built, LIMITS, server=PushedServer(oxigraph.server(root=door.root)))
        state = source.state()
        stack.callback(state.endpoint.close)
        client = client_of(state)
        door.fault = lambda *_: "503"
        page, answer = (
            client.get("/people/noor-haddad"),
            client.post("/sparql", data={"query": NAME}),
        )
        assert (page.status_code, answer.status_code) == (200, 503)
        assert "The server behind this endpoint is not responding." in answer.get_data(as_text=True)
        assert door.root not in answer.get_data(as_text=True)
        door.fault = lambda *_: ""
        assert ask(client, NAME) == "name\r\nAda Lindqvist\r\n"


def test_a_server_that_holds_nothing_of_the_site_is_refused(
    elsewhere: Elsewhere, renamed_folder: Path
) -> None:
    with pytest.raises(KgError, match="Run kg push first"):
        FolderSource(renamed_folder, LIMITS, server=PushedServer(elsewhere.server())).state()


def test_questions_are_answered_with_their_nearest_names(here: Here, small_client: Client) -> None:
    """The same bytes as the server of the site, by name and by slug."""
    for address in (
        "coauthors-of.csv?person=Ada+Lindqvist&addresses=yes",
        "coauthors-of.json?person=ada-lindqvist",
        "coauthors-of.html?person=ada-lindqvist",
        "papers-per-year.html?",
    ):
        found = here.client.get(f"/queries/{address}")
        assert found.status_code == 200
        if here.elsewhere.profile == "oxigraph":  # others write numbers and quotes differently
            assert found.data == small_client.get(f"/queries/{address}").data
    wrong = here.client.get("/queries/coauthors-of.csv?person=ada-lindqist")
    assert (wrong.status_code, "Did you mean ada-lindqvist?" in wrong.text) == (400, True)
