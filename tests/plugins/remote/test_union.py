"""A joined site on SPARQL servers: a graph for each of its sites."""

from __future__ import annotations

from pathlib import Path

from kg.check.check import check
from kg.plugins.remote.push import Record, push, split_by_document
from kg.publish.site import Documents
from tests.plugins.join.conftest import members_of
from tests.plugins.join.member_sites import BASE, full_name, join
from tests.plugins.remote.conftest import Elsewhere

PREFIXES = "PREFIX schema: <http://schema.org/> PREFIX cv: <https://w3id.org/cv-kg/terms#> "
OURS = f"FILTER(STRSTARTS(STR(?thing), '{BASE}'))"  # other tests have theirs on the same server
OWNERS = f"{PREFIXES}SELECT ?name {{ ?thing a cv:Owner ; schema:name ?name {OURS} }} ORDER BY ?name"
COUNT = (
    f"{PREFIXES}SELECT (COUNT(DISTINCT ?thing) AS ?n) {{ ?thing a schema:ScholarlyArticle {OURS} }}"
)
MEDAL = "awards: [{title: Medal of Patience, year: 2024}]\n"


def test_a_server_has_a_graph_for_each_site(elsewhere: Elsewhere, tmp_path: Path) -> None:
    """So the change of one site replaces one graph."""
    union, server = tmp_path / "union", elsewhere.server()

    def documents() -> dict[str, bytes]:
        return split_by_document(Documents(check(union).good_graph(union)))

    with members_of(tmp_path, 3) as members:
        join(union, *members.urls)
        before = documents()
        push(before, Record(server, BASE))
        members.publish(2, MEDAL)
        join(union)
    owners = [each["name"].value for each in server.select(OWNERS)]
    assert owners == sorted(map(full_name, range(3)))
    assert [each["n"].value for each in server.select(COUNT)] == ["3"]
    sites = {each for each in before if each.startswith(f"{BASE}sources/joined-")}
    assert len(sites) == 3
    others = {f"{BASE}{each}" for each in ("provenance", "terms/cv", "void")}
    assert {*before} == sites | others
    after = documents()
    changed = {each for each in after if after[each] != before.get(each)}
    assert len(changed & sites) == 1
    assert changed <= sites | {f"{BASE}void"}, "which has counts"
    assert push(after, Record(server, BASE)).put == len(changed)
    medal = f"{PREFIXES}SELECT ?m {{ ?m schema:name 'Medal of Patience' }}"
    assert len(server.select(medal)) == 1
