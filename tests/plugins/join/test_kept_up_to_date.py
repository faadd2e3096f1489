"""A joined site in use: `kg serve` shows it, `kg join --watch` and `kg serve --watch` keep it up to
date, and `changes/` tells what is new.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

import kg
from tests.plugins.join.conftest import Members
from tests.plugins.join.member_sites import (
    BASE,
    build,
    full_name,
    join,
    key,
    publish,
    select,
    write_site,
)
from tests.plugins.join.test_join import edit

PEOPLE = "SELECT ?p { ?p a <http://schema.org/Person> }"
MEDAL = "awards: [{title: Medal of Patience, year: 2024}]\n"


@pytest.mark.proof
def test_watch_joins_again(members: Members, union: Path) -> None:
    """Changes of a site arrive while it runs, and Ctrl-C ends it."""
    line = [sys.executable, "-m", "kg", "join", "--into", str(union), "--watch", "10"]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as watching:
        assert watching.stderr is not None
        summaries = (each for each in watching.stderr if each.startswith("Joined"))
        assert "4 unchanged; 4 requests" in next(summaries)
        members.publish(3, MEDAL)
        assert "1 changed, 3 unchanged" in next(summaries)
        watching.send_signal(signal.SIGINT)
        assert watching.wait(20) == 130
        assert "Traceback" not in watching.stderr.read()
    assert "Medal of Patience" in "".join(each.read_text() for each in union.glob("data/*.ttl"))


@pytest.mark.proof
def test_changes_of_sites_are_in_the_list_of_changes(three: Members, tmp_path: Path) -> None:
    union, public = tmp_path / "union", tmp_path / "public"
    join(union, *three.urls)
    build(union, public)
    three.publish(2, MEDAL)
    join(union)
    build(union, public, "--previous", str(public))
    [change] = json.loads((public / "changes/changes.json").read_text())
    texts = {(each["about"], each["text"]) for each in change["lines"]}
    assert (f"{BASE}people/{key(2)}#it", "new award: Medal of Patience (2024)") in texts
    assert not [text for _, text in texts if "sha256" in text]
    about = {each for each, _ in texts if "/people/" in each}
    assert about == {f"{BASE}people/{key(2)}#it"}


def test_a_joined_site_is_served(members: Members, tmp_path: Path) -> None:
    """With redirects from former addresses, 410 for withdrawn ones, and its endpoint."""
    union = tmp_path / "union"
    alone = write_site(tmp_path / "site-alone", 7, 8, "https://alone.example/")
    publish(alone, tmp_path / "alone")
    join(union, str(tmp_path / "alone/dump.nq"), *members.urls[:2])
    assert len(select(union, PEOPLE)) == 7
    (union / "data/people.yaml").write_text(f"professor: {{name: {full_name(1)}}}\n")
    edit(union, '  - "../alone/dump.nq"\n', "")
    join(union)
    app = Flask("union")
    app.register_blueprint(kg.blueprint(union, endpoint=True))
    client = app.test_client()
    moved = client.get(f"/people/{key(1)}")
    assert (moved.status_code, moved.location) == (301, "../people/professor")
    assert client.get(f"/people/{key(7)}").status_code == 410
    assert full_name(1) in client.get("/people/professor").text
    found = client.get("/sparql", query_string={"query": PEOPLE, "format": "csv"})
    assert len(found.text.split()) == 1 + 4
