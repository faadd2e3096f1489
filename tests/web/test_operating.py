"""docs/operate.md says what is so: the limits and their options, and the figures of the server."""

from __future__ import annotations

import re

from kg.cli.serve import serve
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web import connections, rsgi
from kg.web.app import Options
from kg.web.request import LONGEST_BODY, LONGEST_HEADERS
from kg.web.serve import LONGEST_HEAD, MOST_CONNECTIONS, SILENCE
from kg.web.state import State
from tests.client import client_of
from tests.conftest import ROOT
from tests.web.serving import KEY, WITH_KEY

TEXT = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
ROWS = {
    cells[0]: cells[1:]
    for line in TEXT.splitlines()
    if line.startswith("| ") and len(cells := [cell.strip() for cell in line.split("|")[1:-1]]) > 1
}
KB, MB = 1024, 1024 * 1024


def test_the_limits_are_those_of_the_program() -> None:
    limits = Limits()
    said = {name: cells[:2] for name, cells in ROWS.items()}
    for name, value, option in (
        ("time of a query", f"{limits.deadline:g} s", "`--deadline`"),
        ("memory of a query", f"{limits.memory // MB} MB", "`--memory`"),
        ("bytes of an answer", f"{limits.answer // MB} MB", "`--answer-size`"),
        ("queries at once", "cores + 1", "`--workers`"),
        ("queries that wait", f"{limits.waiting}, for {limits.patience:g} s", ""),
        ("answers that are kept", f"{limits.cache // MB} MB", "`--kept`"),
        ("body of a request", f"{LONGEST_BODY // MB} MB, in {rsgi.TO_ARRIVE:g} s", ""),
        (
            "headers; head of a request",
            f"{LONGEST_HEADERS // KB} KB; {LONGEST_HEAD // KB} KB, in {SILENCE} s",
            "",
        ),
        (
            "connections of one client, of all",
            f"{connections.MOST_OF_ONE}, {MOST_CONNECTIONS:,}",
            "",
        ),
    ):
        assert said[name] == [value, option]


def test_the_options_are_there() -> None:
    options = {name for option in serve.params for name in option.opts + option.secondary_opts}
    of_others = {"--twins", "--verify", "--previous", "--require-hashes", "--no-deps"}
    assert set(re.findall(r"`(--[a-z-]+)", TEXT)) <= options | of_others


def test_the_figures_are_those_of_the_server(documents: Documents, endpoint: Embedded) -> None:
    client = client_of(State(documents, endpoint), Options(key=KEY))
    client.get("/sparql?query=ASK{}")
    shown = client.get("/metrics", headers=WITH_KEY).text
    told = set(re.findall(r"`(kg_[a-z_]+)", TEXT))
    assert told == set(re.findall(r"^# TYPE (kg_\S+)", shown, re.MULTILINE))
    for path in ("/healthz", "/readyz"):
        assert f"| `{path}` |" in TEXT
        assert client.get(path).status_code == 200
