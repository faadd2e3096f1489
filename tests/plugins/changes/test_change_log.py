"""Builds in a row with a log of changes: what it says, and what it no longer may."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.facts.load import load
from kg.graph.build import build, identity
from kg.plugins.changes.change_log import (
    FEED,
    LOG,
    MAX_BUILDS,
    MAX_LINES,
    PAGE,
    RELEASES,
    LoggedBuild,
    LogLine,
    body,
    continue_log,
    log_lines,
    read_log,
)
from kg.plugins.changes.change_words import WordedChange
from kg.plugins.verify.published_site import verify_site, wrong_changes
from kg.publish.document import MARKER
from kg.publish.hosting.built_folder import BuiltFolder
from kg.publish.site import Documents
from kg.publish.verify.listing import SiteListing
from kg.publish.verify.source import Directory
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web.state import State
from tests.cli.test_cli import run
from tests.client import client_of
from tests.plugins.changes.test_change_words import ADA, NEW_WORK, WORKS, edit

ECHO = "new publication (2026), by Ada Lindqvist, Noor Haddad"


def nquads(site: Path) -> bytes:
    facts = load(site)
    assert facts.site
    return build(facts, facts.site).nquads


def published(folder: Path, graph: bytes, releases: tuple[LoggedBuild, ...] = ()) -> Path:
    """As much of a folder as the next build reads of it."""
    folder.joinpath("changes").mkdir(parents=True)
    folder.joinpath("dump.nq").write_bytes(graph)
    folder.joinpath(LOG).write_bytes(RELEASES.dump_json(releases))
    return folder


def texts(releases: tuple[LoggedBuild, ...]) -> list[list[str]]:
    return [[line.text for line in release.lines] for release in releases]


def test_a_line_lasts_as_long_as_what_it_says(
    small: Documents, example: Path, tmp_path: Path
) -> None:
    first = small.graph.nquads
    folder = published(tmp_path / "1", first)
    assert continue_log(folder, first, "2026-01-01") == (), "nothing changed, and there is no log"

    edit(example, WORKS, "", NEW_WORK)
    edit(example, ADA, "  pronouns: she/her\n", "")
    second = nquads(example)
    log = continue_log(folder, second, "2026-02-01")
    assert texts(log) == [["Pronouns removed", ECHO]]
    assert (log[0].date, log[0].version, log[0].since) == (
        "2026-02-01", identity(second), identity(first)
    )  # fmt: skip
    assert continue_log(folder, second, "2026-02-01") == log, "the same again is the same"
    folder = published(tmp_path / "2", second, log)
    assert continue_log(folder, second, "2026-03-01") == log, "a build that changes nothing"

    edit(example, ADA, "Measures how rivers carry sand", "Measures how rivers carry gravel")
    third = nquads(example)
    log = continue_log(folder, third, "2026-03-01")
    assert [release.number for release in log] == [2, 1]
    assert "gravel" in texts(log)[0][0]
    assert texts(log)[1] == ["Pronouns removed", ECHO]
    folder = published(tmp_path / "3", third, log)

    # The work is taken back, and the summary is another: of neither a word is left.
    edit(example, WORKS, NEW_WORK, "")
    edit(example, ADA, "gravel, and why", "mud, and why")
    log = continue_log(folder, nquads(example), "2026-04-01")
    assert [release.number for release in log] == [3, 2, 1]
    assert texts(log)[1:] == [[], ["Pronouns removed"]]
    assert "publication removed" in texts(log)[0]
    written = b"".join(body(path, log, small.pages) for path in (PAGE, FEED, LOG))
    for word in (b"Echo", b"gravel", b"she/her"):
        assert word not in written
    assert b"mud, and why" in written


def test_the_log_is_bounded(small: Documents, tmp_path: Path) -> None:
    graph, many = small.graph.nquads, MAX_LINES + 5
    old = tuple(LoggedBuild(n, "2026-01-01", "a", "b", 1, 1, ()) for n in range(MAX_BUILDS, 0, -1))
    folder = published(tmp_path / "old", graph.split(b"\n", 1)[1], old)
    log = continue_log(folder, graph, "2026-02-01")
    assert [log[0].number, log[-1].number, len(log)] == [MAX_BUILDS + 1, 2, MAX_BUILDS]
    gone = [WordedChange("", "", "removed", "award removed", "x")] * many
    assert log_lines(gone) == [LogLine("", "", "removed", f"award removed ({many})")]


def test_a_site_at_another_base_begins_anew(small: Documents, tmp_path: Path) -> None:
    graph = small.graph.nquads
    folder = published(tmp_path / "old", graph.replace(b"lab.example.org", b"old.example.org"))
    assert continue_log(folder, graph, "2026-02-01") == ()
    assert continue_log(tmp_path, graph, "2026-02-01") == (), "a list of addresses alone"


@pytest.mark.parametrize("text", ["", "{}", '[{"number": 1}]', "[" * 500])
def test_what_is_no_log_is_refused(tmp_path: Path, text: str) -> None:
    folder = published(tmp_path / "old", b"")
    folder.joinpath(LOG).write_text(text)
    with pytest.raises(KgError, match="Delete it"):
        read_log(folder)


def test_hostile_names_do_no_harm(small: Documents) -> None:
    name = "<script>alert(1)</script>\x0b & ]]>"
    line = LogLine(f"{small.base}nowhere#it", name, "new", f"{name}: {{{{ 1 }}}}")
    log = (LoggedBuild(1, "2026-01-01", "a", "b", 1, 1, (line,)),)
    page, feed = (body(path, log, small.pages).decode() for path in (PAGE, FEED))
    assert "<script>alert" not in page + feed
    assert "\x0b" not in feed
    assert 'href="../nowhere' not in page


def test_each_of_several_changes_of_a_thing_is_a_line_below_its_name(small: Documents) -> None:
    about = (f"{small.base}nowhere#it", "Ada", "new")
    lines = (LogLine(*about, "Pronouns: she/her"), LogLine(*about, "E-mail changed"))
    page = body(PAGE, (LoggedBuild(1, "2026-01-01", "a", "b", 1, 1, lines),), small.pages).decode()
    below = "<li>Pronouns: she/her</li>\n<li>E-mail changed</li>\n</ul>\n</li>"
    assert f'<li>Ada\n<ul class="points">\n{below}' in page


def test_without_a_log_there_is_no_page_and_no_link(small: Documents) -> None:
    assert not [path for path in small.files if path.startswith("changes")]
    page = small.get("index.html")
    assert page
    assert b"changes/" not in page.body


@pytest.fixture(scope="module")
def second(one_person: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build that knows the one before."""
    top = tmp_path_factory.mktemp("second")
    site = Path(shutil.copytree(one_person, top / "site"))
    old = published(top / "old", nquads(site))
    old.joinpath("addresses.txt").write_text("https://cv.example.org/\n")
    path = next(site.glob("data/cv/*.yaml"))
    path.write_text(
        path.read_text().replace("name: Ada Berg", "name: Ada Berg\n  pronouns: she/her")
    )
    found = run("build", site, "-o", top / "out", "--previous", old, "--today", "2026-05-01")
    assert found.exit_code == 0, found.stderr
    return top / "out"


@pytest.mark.proof
def test_a_build_that_knows_the_one_before_has_a_page_that_is_proved(second: Path) -> None:
    page = second.joinpath(PAGE).read_text()
    assert '<a href="../people/ada-berg.html">Ada Berg</a>: Pronouns added: she/her</li>' in page
    assert '<a href="./changes/">Changes</a>' in second.joinpath("index.html").read_text()
    assert {PAGE, FEED, LOG} <= {*second.joinpath(MARKER).read_text().splitlines()}
    assert list(wrong_changes(SiteListing(Directory(second)))) == []


@pytest.mark.process
def test_a_server_of_the_folder_has_the_page(second: Path) -> None:
    folder = BuiltFolder(second)
    with closing(Embedded(folder.base, b"", Limits(workers=1))) as endpoint:
        client = client_of(State(folder, endpoint))
        assert client.get("/changes").location == "./changes/"
        assert client.get("/changes/").data == second.joinpath(PAGE).read_bytes()
        assert client.get(f"/{FEED}").mimetype == "application/atom+xml"
        assert client.get(f"/{LOG}").json[0]["number"] == 1


def test_a_log_that_says_more_than_the_site_is_found(second: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(second, tmp_path / "folder"))
    log = json.loads(folder.joinpath(LOG).read_text())
    log[0]["lines"][0]["quotes"] = ["0" * 16]
    folder.joinpath(LOG).write_text(json.dumps(log))
    [problem] = verify_site(Directory(folder)).problems
    assert (problem.rule, problem.place.file) == ("changes", str(folder / LOG))
    folder.joinpath(LOG).write_text("[{}]")
    [problem] = wrong_changes(SiteListing(Directory(folder)))
    assert "not a change log" in problem.message
