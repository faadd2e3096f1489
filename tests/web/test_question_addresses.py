"""Questions by their addresses: every form, every way to name a thing, and errors that say what to
mend.
"""

from __future__ import annotations

import csv
import json
import re
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from io import StringIO
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, QuerySolutions, RdfFormat, Store, parse
from werkzeug.test import Client, TestResponse

from kg.errors import BadQuery
from kg.publish.formats.media import DUMP_SUFFIXES, TABLE_SUFFIXES
from kg.publish.hosting.built_folder import BuiltFolder
from kg.publish.questions.values import Things, bind
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.reading.questions import Question, read_question
from kg.store.memory import Memory
from kg.web.state import State
from tests.client import client_of
from tests.web.serving import Server

COAUTHORS = "/queries/coauthors-of"
PAGE = {"Accept": "text/html"}
PROBLEM = "application/problem+json"


def things_of(documents: Documents) -> Things:
    memory = documents.graph.memory
    assert isinstance(memory, Memory)
    return Things.of(memory)


def rows(answer: TestResponse) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    return list(csv.reader(StringIO(answer.text)))


def test_pandas_reads_an_answer_by_its_address(server: Server) -> None:
    import pandas  # takes a second, which not every worker should spend

    table = pandas.read_csv(f"{server.address}queries/coauthors-of.csv?person=mirela-zemann")
    assert list(table.columns)[-1] == "works"
    assert len(table) > 20
    assert table["works"].is_monotonic_decreasing


def test_an_answer_is_that_of_the_endpoint(client: Client, documents: Documents) -> None:
    question = documents.questions["coauthors-of"]
    query = bind(question, {"person": "mirela-zemann"}, things_of(documents))
    named = client.get(f"{COAUTHORS}.csv?person=mirela-zemann")
    posted = client.post("/sparql", data={"query": query, "format": "csv"})
    assert rows(named) == rows(posted)
    for name in ("ETag", "Cache-Control", "Vary", "Content-Type"):
        assert named.headers[name] == posted.headers[name]
    again = client.get(
        f"{COAUTHORS}.csv?person=mirela-zemann", headers={"If-None-Match": named.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "value",
    ["mirela-zemann", "people/mirela-zemann", "people/mirela-zemann#it", "BASE", "Mirela Zemann"],
)
def test_a_thing_is_named_in_any_way(client: Client, documents: Documents, value: str) -> None:
    full = f"{documents.base}people/mirela-zemann#it"
    found = client.get(f"{COAUTHORS}.csv", query_string={"person": value.replace("BASE", full)})
    assert found.data == client.get(f"{COAUTHORS}.csv?person=mirela-zemann").data


@pytest.mark.parametrize("suffix", TABLE_SUFFIXES)
def test_a_table_comes_by_suffix_and_by_accept(client: Client, suffix: str) -> None:
    by_suffix = client.get(f"{COAUTHORS}{suffix}?person=mirela-zemann")
    wanted = {"Accept": TABLE_SUFFIXES[suffix]}
    by_accept = client.get(f"{COAUTHORS}?person=mirela-zemann", headers=wanted)
    assert (by_suffix.status_code, by_suffix.mimetype) == (200, TABLE_SUFFIXES[suffix])
    assert (by_accept.data, by_accept.mimetype) == (by_suffix.data, by_suffix.mimetype)
    assert b"Yvonne He" in by_suffix.data


def test_without_a_suffix_people_get_a_page(client: Client) -> None:
    for headers in ({}, PAGE, {"Accept": "*/*"}):
        answer = client.get(f"{COAUTHORS}?person=mirela-zemann", headers=headers)
        assert (answer.status_code, answer.mimetype) == (200, "text/html")
        assert "Yvonne He" in answer.text
    assert client.get(COAUTHORS, headers=PAGE).status_code == 200
    assert "Who has this person written with" in client.get("/queries/", headers=PAGE).text
    assert client.get("/queries").headers["Location"] == "./queries/"
    assert client.head(f"{COAUTHORS}.csv?person=mirela-zemann").status_code == 200


def test_a_question_without_parameters_needs_none(client: Client) -> None:
    for path in ("papers-per-year.csv", "papers-per-year.csv?", "papers-per-year.tsv"):
        assert client.get(f"/queries/{path}").status_code == 200
    answer = client.get("/queries/papers-per-year", headers={"Accept": "application/json"})
    assert json.loads(answer.data)["results"]["bindings"]


# What is asked, its status, and what the message says.
WRONG = {
    "nothing that is needed": (".csv", 400, ["person"]),
    "an empty field": (".csv?person=", 400, ["person"]),
    "an unknown thing": (".csv?person=mirela-zeman", 400, ["mirela-zeman", "mirela-zemann"]),
    "a thing of another kind": (".csv?person=orgs/osu", 400, ["person"]),
    "an unknown parameter": (".csv?persn=mirela-zemann", 400, ["persn", "person"]),
    "twice": (".csv?person=mirela-zemann&person=alvar-jarl", 400, ["person", "twice"]),
    "a form for graphs": (".ttl?person=mirela-zemann", 406, ["table", "coauthors-of.csv"]),
    "no UTF-8": (".csv?person=%ff", 400, ["UTF-8"]),
    "a NUL": (".csv?person=a%00b", 400, ["person"]),
    "quotes and lines": (f".csv?person={quote(chr(34) * 3 + '> } #' + chr(10))}", 400, ["person"]),
    "many parameters": (".csv?" + "&".join(f"p{n}=1" for n in range(10_000)), 400, ["1000"]),
    "many times the same": (".csv?" + "person=a&" * 900, 400, ["twice"]),
    "a huge value": (".csv?person=" + "a" * 80_000, 400, ["person"]),
    "a huge name": (".csv?" + "a" * 80_000 + "=1", 400, []),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_at_once(client: Client, what: str) -> None:
    asked, status, words = WRONG[what]
    began = time.process_time()
    answer = client.get(COAUTHORS + asked)
    assert time.process_time() - began < 1
    assert (answer.status_code, answer.mimetype) == (status, PROBLEM), answer.text[:300]
    found = json.loads(answer.data)
    assert found["status"] == status
    assert len(found["detail"]) < 500
    for word in words:
        assert word in found["detail"]
    plain = client.get(COAUTHORS + asked, headers={"Accept": "text/plain"})
    assert (plain.mimetype, plain.text) == ("text/plain", f"{found['detail']}\n")


def test_people_see_what_is_wrong_in_the_form(client: Client) -> None:
    answer = client.get(f"{COAUTHORS}?person=mirela-zeman", headers=PAGE)
    assert (answer.status_code, answer.mimetype) == (400, "text/html")
    assert "mirela-zemann" in answer.text
    assert 'value="mirela-zeman"' in answer.text
    assert "<script>" not in client.get(f"{COAUTHORS}?person=<script>", headers=PAGE).text


def test_an_unknown_question_is_not_there_and_the_nearest_is_named(client: Client) -> None:
    for path in ("coauthor-of", "coauthor-of.csv?person=a", "coauthors-of.pdf", "x/coauthors-of"):
        answer = client.get(f"/queries/{path}")
        assert answer.status_code == 404
    assert "/queries/coauthors-of" in client.get("/queries/coauthor-of.csv").text


@pytest.mark.process
def test_a_built_folder_answers_every_question_as_its_site(
    built: Path, small: Documents, small_client: Client
) -> None:
    folder = BuiltFolder(built)
    endpoint = Embedded(folder.base, folder.graph_lines)
    reader = client_of(State(folder, endpoint))
    assert reader.get("/queries/").data == (built / "queries/index.html").read_bytes()
    things = things_of(small)
    for name, question in small.questions.items():
        given = {each.name: things.example(each) or each.example for each in question.needed}
        for suffix in (".csv", ".json", ".html"):
            address = f"/queries/{name}{suffix}?{urlencode(given)}"
            answer = reader.get(address)
            assert (answer.status_code, answer.data) == (200, small_client.get(address).data), (
                address
            )
    endpoint.close()


@pytest.mark.process
def test_a_built_folder_names_the_nearest_entry(built: Path) -> None:
    folder = BuiltFolder(built)
    endpoint = Embedded(folder.base, folder.graph_lines)
    reader = client_of(State(folder, endpoint))
    wrong = reader.get("/queries/coauthors-of.csv?person=ada-lindqist")
    assert wrong.status_code == 400
    assert "Did you mean ada-lindqvist?" in wrong.text
    assert (
        "Ada Lindqvist"
        in reader.get("/queries/coauthors-of?person=ada-lindqist", headers=PAGE).text
    )
    endpoint.close()


def test_json_has_addresses_and_csv_on_request(client: Client) -> None:
    found = client.get(f"{COAUTHORS}.json?person=alvar-jarl").json
    assert found and found["head"]["vars"] == ["coauthor", "works", "coauthor_address"]
    first = found["results"]["bindings"][0]
    address = first["coauthor_address"]["value"]
    assert first["coauthor_address"]["type"] == "uri"
    plain = client.get(f"{COAUTHORS}.csv?person=alvar-jarl").text.splitlines()
    more = client.get(f"{COAUTHORS}.csv?person=alvar-jarl&addresses=yes").text.splitlines()
    assert plain[0] == "coauthor,works"
    assert more[0] == "coauthor,works,coauthor_address"
    assert more[1] == f"{plain[1]},{address}"
    wrong = client.get(f"{COAUTHORS}.csv?person=alvar-jarl&addresses=please")
    assert (wrong.status_code, "Use yes or no" in wrong.text) == (400, True)


def test_an_answer_names_the_sources_of_its_rows_and_no_others(client: Client) -> None:
    """One CV lists all patents; the others name people and organisations that occur in them."""
    found = client.get("/queries/patents.json").json
    assert found
    (source,) = found["head"]["link"]
    named = source.rpartition("/")[2].removesuffix("#it")
    page = client.get("/queries/patents.html").text
    assert page.count("Sources: ") == 1
    assert re.findall(r'href="../sources/(.*?).html"', page) == [named]
    everything = client.get("/queries/sources.json").json
    assert everything
    assert len(everything["results"]["bindings"]) > 1


def test_questions_are_only_read(client: Client) -> None:
    answer = client.post(f"{COAUTHORS}.csv", data={"person": "mirela-zemann"})
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")


ENDLESS = """#+ summary: Does this ever end?
SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"""


def test_the_limits_of_the_endpoint_hold(
    client: Client, documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(documents.questions, "endless", read_question("endless", ENDLESS))
    answer = client.get("/queries/endless.csv?")
    assert answer.status_code == 504
    assert "longer than 2 s" in answer.text


def test_a_server_refuses_what_is_too_much_and_answers_the_next(server: Server) -> None:
    def status(asked: str) -> int:
        connection = HTTPConnection(urlsplit(server.address).netloc, timeout=10)
        with closing(connection):
            connection.request("GET", f"{COAUTHORS}.csv?{asked}")
            return connection.getresponse().status

    assert status("&".join(f"{n:x}" for n in range(10_000))) == 400
    assert status("person=" + "a" * 80_000) == 414
    assert status("person=alvar-jarl") == 200


GRAPH = """#+ summary: What is said about a person?
#+ params:
#+   person: {type: person, meaning: about whom, example: mirela-zemann}
#+   words: {type: text, meaning: any words, default: "no"}
#+   since: {type: date, meaning: since when, default: "2001"}
#+   most: {type: number, meaning: how many, default: 3}
CONSTRUCT { ?person ?p ?o } WHERE {
  VALUES (?person) { (<people/mirela-zemann#it>) }
  VALUES (?words) { ("no") }
  VALUES (?since) { ("2001") }
  VALUES (?most) { (3) }
  ?person ?p ?o
  FILTER(?words != ?since && ?most > 1)
}"""


@pytest.fixture(scope="module")
def graph_question(documents: Documents) -> Iterator[Question]:
    """A question with a parameter of each type, beside those of the site."""
    question = read_question("about", GRAPH)
    documents.questions["about"] = question
    yield question
    del documents.questions["about"]


@pytest.mark.usefixtures("graph_question")
@pytest.mark.parametrize("suffix", DUMP_SUFFIXES)
def test_a_graph_comes_by_suffix_and_by_accept(client: Client, suffix: str) -> None:
    by_suffix = client.get(f"/queries/about{suffix}?person=mirela-zemann&words=a")
    wanted = {"Accept": DUMP_SUFFIXES[suffix]}
    by_accept = client.get("/queries/about?person=mirela-zemann&words=a", headers=wanted)
    assert (by_suffix.status_code, by_suffix.mimetype) == (200, DUMP_SUFFIXES[suffix])
    assert by_accept.mimetype == by_suffix.mimetype
    form = RdfFormat.from_media_type(DUMP_SUFFIXES[suffix])
    assert form is not None
    assert len(list(parse(by_suffix.data, format=form))) > 10
    assert client.get("/queries/about.csv?person=mirela-zemann").status_code == 406


@pytest.mark.usefixtures("graph_question")
@pytest.mark.parametrize("asked", ["since=yesterday", "most=many", "since=2001-13", "most=1;DROP"])
def test_a_value_of_the_wrong_type_is_refused(client: Client, asked: str) -> None:
    answer = client.get(f"/queries/about.ttl?person=mirela-zemann&{asked}")
    assert answer.status_code == 400
    assert asked.partition("=")[0] in answer.text


@pytest.mark.fuzz
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(["person", "words", "since", "most"]),
    value=st.one_of(
        st.text(max_size=60),
        st.text(alphabet="\"'\\<>{}()#\n\r\t\0u02.@^? \u2028", max_size=30),
        st.sampled_from(["people/alvar-jarl#it", "2024-05", "-4.5e3", "7", "Alvar Jarl"]),
    ),
)
def test_whatever_is_given_the_query_is_that_of_the_question_with_one_other_term(
    documents: Documents, graph_question: Question, name: str, value: str
) -> None:
    try:
        query = bind(graph_question, {"person": "mirela-zemann", name: value}, things_of(documents))
    except BadQuery:
        assert name != "words" or not value.strip()
        return
    usual = bind(graph_question, {"person": "mirela-zemann"}, things_of(documents))
    before, after = usual.split(f"VALUES (?{name}) {{ (")
    row, rest = after.split(") }\n", 1)
    start, end = f"{before}VALUES (?{name}) {{ (", f") }}\n{rest}"
    assert query.startswith(start)
    assert query.endswith(end)
    term, former = query[len(start) : -len(end)], row
    # Written side by side they are two terms, and in one row: nothing in them ends it.
    found = Store().query(f"SELECT * {{ VALUES (?x ?y ?z) {{ ({term} {term} {former}) }} }}")
    assert isinstance(found, QuerySolutions)
    [solution] = found
    assert solution["x"] == solution["y"]
    assert type(solution["x"]) is type(solution["z"])
    if name == "words":
        assert solution["x"] == Literal(value)
