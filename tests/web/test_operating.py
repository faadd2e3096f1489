"""docs/operate.md says what is so: the limits and their options, and the figures of the server."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import click
import pytest
from click.testing import CliRunner

from bench.pages import cost
from kg.cli import main
from kg.cli.serve import ACCESS, LIMITS, Variable, limits, serve
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web import connections
from kg.web.app import Options
from kg.web.request import MAX_BODY, MAX_HEADERS
from kg.web.serve import BODY_TIMEOUT, HEADER_TIMEOUT, MAX_CONNECTIONS, MAX_HEAD
from kg.web.state import State
from tests.client import client_of
from tests.conftest import ROOT
from tests.web.serving import KEY, WITH_KEY, serving

TEXT = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
ROWS = {
    cells[0]: cells[1:]
    for line in TEXT.splitlines()
    if line.startswith("| ") and len(cells := [cell.strip() for cell in line.split("|")[1:-1]]) > 1
}
KB, MB = 1024, 1024 * 1024


@pytest.mark.proof
@pytest.mark.server
def test_a_cached_page_takes_the_time_that_is_stated() -> None:
    found = re.search(r"A cached page takes ([0-9.]+) ms of CPU", TEXT)
    assert found
    with serving(ROOT / "kg" / "example") as server:
        port = urlsplit(server.address).port or 0
        page = "people/ada-lindqvist.html"
        taken = min(cost(server.process.pid, port, page, None) for _ in range(3))
    assert float(found[1]) / 3 < taken < float(found[1]) * 3


def test_the_limits_are_those_of_the_program() -> None:
    limits = Limits()
    said = {name: cells[:2] for name, cells in ROWS.items()}
    for name, value, option in (
        ("Time of a query", f"{limits.deadline:g} s", "`--deadline`"),
        ("Memory of a query", f"{limits.memory // MB} MB", "`--memory`"),
        ("Size of an answer", f"{limits.answer // MB} MB", "`KG_SERVE_ANSWER_SIZE`"),
        ("Concurrent queries", "cores + 1", "`--workers`"),
        ("Queued queries", f"{limits.waiting}, for {limits.patience:g} s", ""),
        ("Cached answers", f"{limits.cache // MB} MB", "`KG_SERVE_CACHE_SIZE`"),
        ("Body of a request", f"{MAX_BODY // MB} MB, in {BODY_TIMEOUT:g} s", ""),
        (
            "Headers; head of a request",
            f"{MAX_HEADERS // KB} KB; {MAX_HEAD // KB} KB, in {HEADER_TIMEOUT} s",
            "",
        ),
        (
            "Connections of one client; of all",
            f"{connections.MAX_PER_CLIENT}; {MAX_CONNECTIONS:,}",
            "",
        ),
    ):
        assert said[name] == [value, option]


def test_the_options_are_there() -> None:
    options = {name for option in serve.params for name in option.opts + option.secondary_opts}
    of_others = {"--formats", "--verify", "--previous", "--require-hashes", "--no-deps"}
    of_others |= {"--log-driver", "--log-opt"}  # of the container
    for paragraph in TEXT.split("\n\n"):
        if not paragraph.startswith("They replace "):
            assert set(re.findall(r"`(--[a-z-]+)", paragraph)) <= options | of_others


def test_the_variables_are_listed_and_are_no_options() -> None:
    variables = [option for option in serve.params if isinstance(option, Variable)]
    assert {f"`{option.envvar[0]}`" for option in variables} == {
        name for name in ROWS if name.startswith("`KG_SERVE_") and name != "`KG_SERVE_KEY`"
    }
    shown = CliRunner().invoke(main, ["serve", "--help"]).output
    for option in variables:
        assert option.opts[0].replace("_", "-") not in shown
        result = CliRunner().invoke(main, ["serve", option.opts[0]])
        assert (result.exit_code, "No such option" in result.output) == (2, True)


@pytest.mark.parametrize("old", ["--kept", "--answer-size", "--open-metrics", "--no-union"])
def test_an_option_of_earlier_versions_is_unknown(old: str) -> None:
    result = CliRunner().invoke(main, ["serve", old])
    assert (result.exit_code, f"No such option '{old}'" in result.output) == (2, True)


@pytest.mark.parametrize("name", ["KG_SERVE_CACHE_SIZE", "KG_SERVE_UNION"])
def test_a_wrong_variable_is_named(name: str, one_person: Path) -> None:
    result = CliRunner().invoke(main, ["serve", str(one_person)], env={name: "much"})
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Invalid value for {name}: 'much' is not a valid" in result.stderr


def test_variables_set_limits_and_access() -> None:
    variables = {
        "KG_SERVE_CACHE_SIZE": "7",
        "KG_SERVE_ANSWER_SIZE": "2",
        "KG_SERVE_OPEN_METRICS": "1",
        "KG_SERVE_UNION": "0",
    }
    found: dict[str, object] = {}

    @click.command()
    @ACCESS
    @LIMITS
    def show(**settings: object) -> None:
        found.update(settings)

    result = CliRunner().invoke(show, [], env=variables)
    assert result.exit_code == 0, result.output
    set_limits = limits(**found)
    assert (set_limits.cache, set_limits.answer) == (7 * MB, 2 * MB)
    assert (found["open_metrics"], found["open_console"], found["union"]) == (True, False, False)


def test_the_figures_are_those_of_the_server(documents: Documents, endpoint: Embedded) -> None:
    client = client_of(State(documents, endpoint), Options(key=KEY))
    client.get("/sparql?query=ASK{}")
    shown = client.get("/metrics", headers=WITH_KEY).text
    told = set(re.findall(r"`(kg_[a-z_]+)", TEXT))
    assert told == set(re.findall(r"^# TYPE (kg_\S+)", shown, re.MULTILINE))
    for path in ("/healthz", "/readyz"):
        assert f"| `{path}` |" in TEXT
        assert client.get(path).status_code == 200
