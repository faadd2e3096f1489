"""Our terms: the same at every site, described, and never removed."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, Store, parse

from kg.check.check import good
from kg.graph.build import Publishable
from kg.graph.handwritten import OUR_TERMS
from kg.graph.parallel.run import Run
from kg.publish.dumps.dump import dump
from kg.publish.formats.media import NQUADS
from kg.vocab import ALL_PREFIXES, cut, cv, dcterms, owl, rdf, rdfs, schema

ROOT = Path(__file__).parents[1]
RELEASED = (ROOT / "release" / "terms.txt").read_text(encoding="utf-8").splitlines()
ALIGNED = ("http://www.w3.org/ns/org#", "http://vivoweb.org/ontology/core#")


@pytest.fixture(scope="module")
def said() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for quad in parse(path=str(OUR_TERMS), format=RdfFormat.TURTLE, base_iri="https://x.example/"):
        found[quad.subject.value][quad.predicate.value].append(quad.object.value)
    return {iri: found[iri] for iri in found if iri.startswith(str(cv))}


def test_a_released_term_is_there_or_says_what_replaces_it(
    said: dict[str, dict[str, list[str]]],
) -> None:
    released = {f"{cv}{line}" for line in RELEASED if not line.startswith("#")}
    assert len(released) > 70
    assert released - said.keys() == set()
    deprecated = [iri for iri in said if f"{owl}deprecated" in said[iri]]
    assert [iri for iri in deprecated if not said[iri][f"{dcterms}isReplacedBy"]] == []


def test_a_new_term_is_listed(said: dict[str, dict[str, list[str]]]) -> None:
    assert {cut(iri)[1] for iri in said} - {*RELEASED, ""} == set()


def test_each_term_has_a_label_a_meaning_and_a_vocabulary(
    said: dict[str, dict[str, list[str]]],
) -> None:
    assert said[str(cv)][owl.versionInfo]
    terms = {iri: each for iri, each in said.items() if iri != str(cv)}
    for iri, each in terms.items():
        assert len(each[rdfs.label]) == len(each[rdfs.comment]) == 1, iri
        assert each[f"{rdfs}isDefinedBy"] == [str(cv)], iri
    assert terms.keys() == {cv[term] for term in cv}


def test_each_class_lies_below_one_of_schema_org_and_each_alignment_is_explained(
    said: dict[str, dict[str, list[str]]],
) -> None:
    text = (ROOT / "docs" / "vocabulary.md").read_text(encoding="utf-8")
    for iri, each in said.items():
        classes = each[rdfs.subClassOf]
        if rdfs.Class in each[rdf.type]:
            assert any(above.startswith((str(schema), str(cv))) for above in classes), iri
        for above in classes:
            if above.startswith(ALIGNED):
                name = f"{'org' if 'ns/org' in above else 'vivo'}:{cut(above)[1]}"
                lines = [line for line in text.splitlines() if f"| `{name}` |" in line]
                assert any(f"`cv:{cut(iri)[1]}`" in line for line in lines), (iri, above)


def published(folder: Path, base: str, person: str) -> Publishable:
    """A site of one person, who wrote a work with Kim Osei."""
    work = f"{{title: Sand by {person}, authors: [{person}, Kim Osei], kind: journal, year: 2020}}"
    cv_text = f"basics: {{name: {person}}}\npublications:\n  - {work}\n"
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text(f"base: {base}\ntitle: A CV\n", encoding="utf-8")
    (folder / "data" / "cv" / "owner.yaml").write_text(cv_text, encoding="utf-8")
    return good(folder, Run("2026-11-19"))


def test_two_sites_in_one_store_answer_one_query(tmp_path: Path) -> None:
    """Without a word about the base of either."""
    store = Store()
    for base, person in (
        ("https://one.example/", "Ada Berg"),
        ("https://two.example/cv/", "Bo Ek"),
    ):
        graph = published(tmp_path / person[:2], base, person)
        store.load(dump(graph, NQUADS), RdfFormat.N_QUADS)
    query = """SELECT ?name ?coauthor {
        ?owner a cv:Owner ; schema:name ?name .
        ?work schema:author ?owner, ?other FILTER(?other != ?owner) ?other schema:name ?coauthor
    } ORDER BY ?name"""
    rows = store.query(query, prefixes=ALL_PREFIXES, use_default_graph_as_union=True)
    assert [[term.value for term in row] for row in rows] == [
        ["Ada Berg", "Kim Osei"],
        ["Bo Ek", "Kim Osei"],
    ]
