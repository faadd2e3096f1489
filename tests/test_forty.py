"""Forty questions about data/, each asked in four ways: on its page, in SPARQL, in Python and by an
agent. The answers were worked out from the documents by hand. With tests/test_data.py, this is the
acceptance test of data/.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from html.parser import HTMLParser
from typing import Any, Protocol

import httpx
import pytest
import yaml

from kg.check.check import good
from kg.opened_site import OpenSite
from kg.publish.site import Documents
from kg.web.state import State, build_endpoint
from tests.client import client_of
from tests.conftest import ROOT
from tests.kinds import starts
from tests.plugins.mcp.conftest import Agent, in_this_process, on_standard_input, text_of
from tests.web.serving import serving

FORTY = yaml.safe_load((ROOT / "tests" / "asked" / "forty.yaml").read_text(encoding="utf-8"))
MAX_TOKENS = 2_000  # of an answer to an agent

pytestmark = pytest.mark.sample(test=0.4)

# In this process, and in a process of its own.
WHERE = ("here", pytest.param("elsewhere", marks=pytest.mark.proof))

each_question = pytest.mark.parametrize("asked", FORTY, ids=lambda asked: asked["asked"])

# What is more natural in Python than to ask a question of the site.
IN_PYTHON: dict[str, Callable[[OpenSite], Sequence[object]]] = {
    "Which co-author do Arpan Jain and Siddharth Singh share?": lambda site: [
        one for one in site.people["arpan-jain"].coauthors
        if one in site.people["siddharth-singh"].coauthors
    ],
    "How often did Arpan Jain give a tutorial at PPoPP?": lambda site: [
        row for row in site.ask("tutorials", person=site.people["Arpan Jain"])
        if str(row["at"]).startswith("PPoPP")
    ],
    "For which degrees did Arpan Jain write a thesis?": lambda site: [
        row["d"] for row in site.sparql(
            "SELECT ?d { <people/arpan-jain#it> ^schema:author/schema:inSupportOf ?d }"
        )
    ],
    "How many equal contributions are marked?": lambda site: site.sparql(
        "SELECT * { ?signature cv:equalContribution true }"
    ),
}  # fmt: skip


class Table(HTMLParser):
    """The cells of the first table of a page, row by row."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.is_inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.is_inside = self.is_inside or tag in ("td", "th")

    def handle_endtag(self, tag: str) -> None:
        self.is_inside = self.is_inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.is_inside:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def documents() -> Documents:
    return Documents(good(ROOT))


@pytest.fixture(scope="module")
def site(documents: Documents) -> OpenSite:
    return OpenSite(documents.graph)


class Server(Protocol):
    """What answers requests, with their parameters and headers."""

    def __call__(self, path: str, given: Mapping[str, str], accept: str = "*/*") -> str: ...


@pytest.fixture(scope="module", params=WHERE)
@starts("process")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    def ask_client(path: str, given: Mapping[str, str], accept: str = "*/*") -> str:
        answer = client.get(path, query_string=dict(given), headers={"Accept": accept})
        assert answer.status_code == 200
        return answer.text

    def ask_server(path: str, given: Mapping[str, str], accept: str = "*/*") -> str:
        address = f"{found.address}{path.removeprefix('/')}"
        answer = httpx.get(address, params=given, headers={"Accept": accept}, timeout=60)
        assert answer.status_code == 200
        return answer.text

    if request.param == "here":
        documents = request.getfixturevalue("documents")
        with closing(build_endpoint(documents, documents.graph)) as endpoint:
            client = client_of(State(documents, endpoint))
            yield ask_client
    else:
        with serving(ROOT) as found:
            yield ask_server


@pytest.fixture(scope="module", params=WHERE)
@starts("process")
def agent(request: pytest.FixtureRequest) -> Iterator[Agent]:
    is_here = request.param == "here"
    documents = request.getfixturevalue("documents") if is_here else None
    with in_this_process(documents, False) if documents else on_standard_input(str(ROOT)) as found:
        yield found


def expected(asked: Mapping[str, Any], words: str = "hand") -> list[str]:
    hand = asked.get(words, asked["hand"])
    return sorted(hand) if isinstance(hand, list) else [str(hand)]


def chosen(
    asked: Mapping[str, Any], rows: Sequence[Mapping[str, str]], where: str = "where"
) -> list[str]:
    """What the rows answer: the values of a column, or their number."""
    wanted = asked.get(where) or asked.get("where") or {}
    fitting = [
        row for row in rows if all(row[name].startswith(text) for name, text in wanted.items())
    ]
    if asked.get("count"):
        return [str(len(fitting))]
    return sorted({row[asked["column"]] for row in fitting})


def shown(value: object) -> str:
    if isinstance(value, dict):
        value = value["name"]
    return "" if value is None else str(value)


def test_no_question_went_missing() -> None:
    assert len({asked["asked"] for asked in FORTY}) == 40
    assert {*IN_PYTHON} <= {asked["asked"] for asked in FORTY}


@each_question
def test_a_page_answers(asked: dict[str, Any], server: Server, site: OpenSite) -> None:
    given = {name: str(value) for name, value in asked["values"].items()}
    page = server(f"/queries/{asked['question']}.html", given)
    columns = site.ask(asked["question"], **given).columns
    _, *rows = Table(page).rows
    named = [dict(zip(columns, row, strict=False)) for row in rows]
    assert chosen(asked, named, "page_where") == expected(asked, "page")


@each_question
def test_sparql_answers(asked: dict[str, Any], server: Server) -> None:
    given = {"query": asked["sparql"]}
    answer = json.loads(server("/sparql", given, "application/sparql-results+json"))
    [column] = answer["head"]["vars"]
    found = {row[column]["value"] for row in answer["results"]["bindings"]}
    assert ([str(len(found))] if asked.get("count") else sorted(found)) == expected(asked)


@each_question
def test_python_answers(asked: dict[str, Any], site: OpenSite) -> None:
    if way := IN_PYTHON.get(asked["asked"]):
        found = way(site)
        texts = [str(len(found))] if asked.get("count") else sorted(map(shown, found))
        assert texts == expected(asked)
        return
    answer = getattr(site.questions, asked["question"].replace("-", "_"))(**asked["values"])
    rows = [{name: shown(value) for name, value in row.items()} for row in answer]
    assert chosen(asked, rows) == expected(asked)


@each_question
def test_an_agent_answers_in_three_calls(asked: dict[str, Any], agent: Agent) -> None:
    """The first lists the questions with their parameters, the second asks one; a third is needed
    only for the rest of a long answer.
    """
    listed = text_of(agent.call("questions"))
    assert f"{asked['question']}(" in listed
    values = {name: str(value) for name, value in asked["values"].items()}
    found = agent.call("ask", question=asked["question"], values=values)
    data: dict[str, Any] = found.structured_content
    assert max(len(text_of(found)), len(json.dumps(data))) / 4 < MAX_TOKENS
    if len(data["rows"]) < data["total"]:
        more = {"question": asked["question"], "values": values, "limit": data["total"]}
        data = agent.data("ask", **more)
    rows = [{name: shown(value) for name, value in row.items()} for row in data["rows"]]
    assert chosen(asked, rows) == expected(asked)
