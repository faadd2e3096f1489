"""The shapes: each rule has a name and words for the author; a site's own are judged with ours,
whatever they are made of.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.check import shapes
from kg.check.check import check, good
from kg.errors import Place, ProblemsFound
from kg.graph.parallel.run import Run
from kg.settings import shipped
from tests import cases

BASE = "https://lab.example.org/"
FILES = sorted(shipped("shapes").glob("*.ttl"))
TODAY = "2026-11-15"


def test_every_rule_is_a_query_with_words_for_the_author() -> None:
    ours = shapes.read(BASE, FILES)
    assert len(ours.rules) >= 90
    assert {rule.name for rule in ours.rules} == ours.texts.keys()
    assert [rule for rule in ours.rules if len(rule.message.split()) < 3] == []
    assert [rule for rule in ours.rules if "?value" not in rule.query] == []


def test_ours_use_only_what_shacl_allows() -> None:
    """Other processors refuse these words in constraints; ours would not notice."""
    queries = [rule.query for rule in shapes.read(BASE, FILES).rules]
    assert [
        each for each in queries if re.search(r"(?i)(?<![\w:?])(VALUES|MINUS|SERVICE)\b", each)
    ] == []


def test_a_site_can_switch_a_rule_of_ours_off(example: Path) -> None:
    (example / "shapes").mkdir()
    own = example / "shapes" / "own.ttl"
    own.write_text(f"{SHACL}<shapes#owner-page> sh:deactivated true .")
    rules = shapes.read(BASE, [*FILES, own]).rules
    assert "owner-page" not in {rule.name for rule in rules}
    assert len(rules) == len(shapes.read(BASE, FILES).rules) - 1


OWN = {
    "local": """<shapes#own> a sh:NodeShape ; sh:targetClass schema:Person ; sh:property <shapes#own-award> .
        <shapes#own-award> sh:path schema:award ; sh:minCount 1 .""",  # noqa: E501
    "local, without a name": """<shapes#own-award> a sh:NodeShape ; sh:targetClass schema:Person ;
        sh:property [ sh:or ( [ sh:path schema:award ; sh:minCount 1 ] ) ; sh:path schema:name ; sh:maxCount 0 ] .""",  # noqa: E501
    "class of a value": (
        "<shapes#own-award> sh:targetSubjectsOf schema:affiliation ; sh:path schema:affiliation "
        "; sh:class schema:Person ."
    ),
    "question about each": """<shapes#own-award> sh:targetClass schema:Person ; sh:sparql [ sh:prefixes <shapes> ;
        sh:select "SELECT $this WHERE { $this a schema:Person FILTER NOT EXISTS { $this schema:award ?award } }" ] .""",  # noqa: E501
    "question about all": """<shapes#own-award> sh:targetNode <> ; sh:sparql [
        sh:select "SELECT $this ?value WHERE { ?value a schema:Person FILTER NOT EXISTS { ?value schema:award ?award } }" ] .""",  # noqa: E501
}


def judged(made_of: str, folder: Path) -> set[tuple[Place, str]]:
    """Where the site's own rule finds something, and how bad that is."""
    site = cases.site(cases.FOLDER / "job-ended", folder)
    (site / "shapes").mkdir()
    (site / "shapes" / "own.ttl").write_text(SHACL + OWN[made_of], encoding="utf-8")
    return {
        (problem.place, problem.severity)
        for problem in check(site, Run(TODAY)).problems
        if problem.rule == "own-award"
    }


@pytest.mark.parametrize("made_of", OWN)
@pytest.mark.sample(test=0.3)
def test_a_sites_own_shapes_are_judged_too(made_of: str, tmp_path: Path) -> None:
    assert {severity for _, severity in judged(made_of, tmp_path)} == {"error"}


SHACL = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix schema: <http://schema.org/> .\n"


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (
            "<shapes#own> a sh:NodeShape",
            "Until then",
        ),
        (
            "<shapes#own> sh:targetNode <> ; sh:sparql [ sh:select 'SELECT ?value WHERE {' ] .",
            "Expected SelectQuery, found end of text. Correct them.",
        ),
        (
            (
                "<shapes#own> sh:targetClass schema:Person ; sh:property [ sh:path schema:name ; "
                "sh:minCount 'x' ] ."
            ),
            "sh:minCount",
        ),
    ],
)
def test_shapes_of_a_site_that_cannot_be_used_are_told(example: Path, shape: str, why: str) -> None:
    (example / "shapes").mkdir()
    (example / "shapes" / "own.ttl").write_text(SHACL + shape, encoding="utf-8")
    with pytest.raises(ProblemsFound, match=re.escape(why)):
        good(example)


QUERIES = {
    "without the word WHERE": "SELECT ?value { ?value a schema:Person }",
    "in small letters": "select $this ?value where { ?value a schema:Person }",
    "with another WHERE first": (
        "SELECT $this ?value { { SELECT $this ?value WHERE { ?value a schema:Person } } }"
    ),
    "with $this in a group": (
        "SELECT $this ?value WHERE { { ?value a schema:Person FILTER(STRLEN(STR($this)) > 1) } "
        "UNION { ?value a schema:Place FILTER(!BOUND($this)) } }"
    ),
    "with a comment": "# WHERE {\nSELECT ?value WHERE { ?value a schema:Person }",
}


def add_rule(query: str, example: Path) -> None:
    (example / "shapes").mkdir()
    (example / "shapes" / "own.ttl").write_text(
        f'''{SHACL}<shapes#own> a sh:NodeShape ; sh:targetNode <> ; sh:sparql [
        sh:message "is." ; sh:select """{query}""" ] .''',
        encoding="utf-8",
    )


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
@pytest.mark.sample(test=0.3)
def test_a_query_that_is_not_like_ours_finds_everybody(query: str, example: Path) -> None:
    add_rule(query, example)
    assert len([each for each in check(example).problems if each.rule == "own"]) == 4


def test_who_wrote_what_others_published_signs_nothing(tmp_path: Path) -> None:
    site = cases.site(cases.FOLDER / "press-in-the-cv", tmp_path / "site")
    assert " by: Eva Holm" in (site / "data" / "cv" / "ada.yaml").read_text(encoding="utf-8")
    assert not [problem for problem in check(site).problems if problem.severity == "error"]
