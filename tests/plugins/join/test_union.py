"""The joined site is a site like any other: on SPARQL servers, in `kg serve`, kept up to date."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import kg
from kg.check.check import check
from kg.plugins.remote.push import Record, push, split_by_document
from kg.publish.site import Documents
from tests.plugins.join.conftest import Members
from tests.plugins.join.member_sites import full_name, key
from tests.plugins.join.test_join import BASE, edit, join
from tests.plugins.remote.conftest import Elsewhere

PREFIXES = "PREFIX schema: <http://schema.org/> PREFIX cv: <https://w3id.org/cv-kg/terms#> "
OWNERS = f"{PREFIXES}SELECT ?name {{ ?p a cv:Owner ; schema:name ?name }} ORDER BY ?name"
COUNT = f"{PREFIXES}SELECT (COUNT(DISTINCT ?w) AS ?n) {{ ?w a schema:ScholarlyArticle }}"
MEDAL = "awards: [{title: Medal of Patience, year: 2024}]\n"


def test_a_server_has_a_graph_for_each_site(
    members: Members, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    """So the change of one site replaces one graph."""
    union, server = tmp_path / "union", elsewhere.server()
    join(union, *members.urls)

    def documents() -> dict[str, bytes]:
        return split_by_document(Documents(check(union).good_graph(union)))

    before = documents()
    push(before, Record(server, BASE))
    assert [each["name"].value for each in server.select(OWNERS)] == sorted(map(full_name, range(4)))
    assert [each["n"].value for each in server.select(COUNT)] == ["4"]
    graphs = {each for each in before if each.startswith(f"{BASE}sources/joined-")}
    assert len(graphs) == 4
    members.publish(3, MEDAL)
    join(union)
    after = documents()
    changed = {each for each in after if after[each] != before.get(each)}
    assert len(changed & graphs) == 1
    assert push(after, Record(server, BASE)).put == len(changed) <= 2
    medal = f"{PREFIXES}SELECT ?m {{ ?m schema:name 'Medal of Patience' }}"
    assert len(server.select(medal)) == 1
