"""Two sites that were built separately, on one server: one query answers for both, with no word
about the base of either.
"""

from __future__ import annotations

from pathlib import Path

from kg.check.check import check
from kg.plugins.remote.push import Record, push, split_by_document
from kg.publish.site import Documents
from tests.plugins.join.member_sites import full_name, write_site
from tests.plugins.remote.conftest import Elsewhere

PREFIXES = "PREFIX schema: <http://schema.org/> PREFIX cv: <https://w3id.org/cv-kg/terms#> "
OWNERS = f"{PREFIXES}SELECT DISTINCT ?name {{ ?p a cv:Owner ; schema:name ?name }} ORDER BY ?name"
# The work of each owner with the same DOI: the two are co-authors across both sites.
COAUTHORS = f"""{PREFIXES}SELECT DISTINCT ?name ?other {{
    ?owner a cv:Owner ; schema:name ?name . ?mine schema:author ?owner ; schema:sameAs ?doi .
    ?coauthor a cv:Owner ; schema:name ?other .
    ?theirs schema:author ?coauthor ; schema:sameAs ?doi .
    FILTER(?owner != ?coauthor)
}} ORDER BY ?name ?other"""


def test_two_sites_answer_one_query(elsewhere: Elsewhere, tmp_path: Path) -> None:
    server = elsewhere.server()
    for number in (0, 1):
        base = f"https://two-sites-{number}.example/"
        site = write_site(tmp_path / str(number), number, 3, base)
        documents = split_by_document(Documents(check(site).good_graph(site)))
        push(documents, Record(server, base))
    names = sorted(map(full_name, (0, 1)))
    found = [each["name"].value for each in server.select(OWNERS)]
    assert {*names} <= {*found}
    rows = [(row["name"].value, row["other"].value) for row in server.select(COAUTHORS)]
    assert {(names[0], names[1]), (names[1], names[0])} <= {*rows}
