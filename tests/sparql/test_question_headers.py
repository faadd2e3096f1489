"""Headers of questions: what they say, and what is wrong with them, at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import check
from kg.sparql.reading.own_queries import header_faults
from kg.sparql.reading.questions import read_question

GOOD = """#+ summary: With whom?
#+ description: More of it.
#+ params:
#+   person: {type: person, meaning: whose, example: ada}
#+   since: {type: date, meaning: from when}
#+ picture: bars
#+ tags: [people, works]
#+ featured: 3
#+ endpoint: https://elsewhere.example/sparql
SELECT ?x WHERE {
  VALUES (?person ?since) { (<people/ada#it> UNDEF) }
  ?person ?since ?x
}"""


def faults(text: str) -> list[str]:
    return [
        f"{each.place.line}:{each.place.column} {each.message}" for each in header_faults("q", text)
    ]


def test_a_header_says_what_is_asked_with_what_and_how_it_looks() -> None:
    assert faults(GOOD) == []
    question = read_question("mine", GOOD)
    assert (question.summary, question.description) == ("With whom?", "More of it.")
    assert (question.picture, question.tags, question.featured) == ("bars", ("people", "works"), 3)
    person, since = question.parameters
    assert (person.is_required, person.is_thing, person.example) == (True, True, "ada")
    assert (since.is_required, since.is_open) == (False, True)
    assert question.text == GOOD


@pytest.mark.parametrize(
    ("kind", "default", "values", "asked"),
    [
        ("number", "3", "5", '"3"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        ("number", "3", "UNDEF", '"3"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        ("number", "3", "3", "3"),
        ("text", "ice", '"sand"@en', '"ice"@en'),
        ("text", "ice", '"ice"', '"ice"'),
        ("person", "ada", "<people/bo#it>", "<people/ada#it>"),
        ("number", "many", "5", "5"),  # an error of the check
    ],
)
def test_the_default_of_the_header_is_what_is_asked(
    kind: str, default: str, values: str, asked: str
) -> None:
    text = (
        "#+ summary: Which?\n#+ params:\n"
        f"#+   x: {{type: {kind}, meaning: which, default: {default}}}\n"
        "SELECT ?y WHERE { VALUES (?x) { (VALUE) } ?y ?z ?x }"
    )
    question = read_question("mine", text.replace("VALUE)", f"{values})"))
    assert question.text == text.replace("VALUE)", f"{asked})")
    assert question.parameters[0].default == default


def test_a_query_without_a_header_is_a_question_too() -> None:
    assert faults("# Who?\nSELECT * {}") == []
    assert read_question("mine", "# Who,\n# and when?\nASK {}").summary == "Who, and when?"


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("With whom?", "Whom: you?", "1:"),
        ("#+ summary: With whom?\n", "", "1:4 The summary is missing"),
        (
            "#+ picture: bars",
            "#+ picture: pie",
            "6:13 Unknown picture 'pie'. Known: bars, timeline",
        ),
        ("#+ tags", "#+ tgas", "7:10 Unknown field 'tgas'. Known: summary,"),
        ("type: person", "type: persn", "4:14 Write '{type: person, meaning: …"),
        ("meaning: whose, ", "", "4:14 Write '{type: person, meaning: …"),
        ("from when", "from when, example: soon", "5:55 since cannot be 'soon': it is not a date"),
        ("{type: person, meaning: whose, example: ada}", "ada", "4:14 Write '{type: person"),
        ("(?person ?since)", "(?who ?since)", "4:14 ?person is missing in the query."),
    ],
)
def test_what_is_wrong_is_told_at_its_line(wrong: str, right: str, message: str) -> None:
    assert wrong in GOOD
    found = faults(GOOD.replace(wrong, right))
    assert found
    assert any(each.startswith(message) for each in found), found


def test_the_check_of_a_site_reads_the_headers_of_its_questions(example: Path) -> None:
    (example / "queries").mkdir()
    (example / "queries" / "mine.rq").write_text(GOOD.replace("type: person", "type: persn"))
    found = [each for each in check(example).problems if each.rule == "question"]
    assert [str(each.place) for each in found] == ["queries/mine.rq:4:14"]
