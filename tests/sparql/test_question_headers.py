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


def test_a_query_without_a_header_is_a_question_too() -> None:
    assert faults("# Who?\nSELECT * {}") == []
    assert read_question("mine", "# Who,\n# and when?\nASK {}").summary == "Who, and when?"


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("With whom?", "Whom: you?", "1:"),
        ("#+ summary: With whom?\n", "", "1:1 Say what is asked, in words"),
        ("#+ picture: bars", "#+ picture: pie", "6:13 A picture is one of bars, timeline"),
        ("#+ featured: 3", "#+ featured: first", "8:14 A place on the home page is a number"),
        ("#+ tags", "#+ tgas", "7:4 A question has no 'tgas'. Did you mean 'tags'?"),
        ("type: person", "type: persn", "4:21 There is no type 'persn'. Did you mean 'person'?"),
        ("meaning: whose, ", "", "4:14 Say what it means"),
        ("meaning: whose", "menaing: whose", "4:29 A parameter has no 'menaing'. Did you mean"),
        ("example: ada", "example: bob", "4:54 The query has <people/ada#it> instead of this."),
        (", example: ada", "", "4:14 Give the value in the query, as a default or as an example"),
        ("from when", "from when, default: 2020", "5:55 The query says UNDEF for ?since."),
        ("from when", "from when, example: soon", "5:55 since cannot be 'soon': it is a date"),
        ("{type: person, meaning: whose, example: ada}", "ada", "4:14 Write '{type: person"),
        ("(?person ?since)", "(?who ?since)", "4:6 ?person has no place in the query."),
        ("\n  ?person ?since", "\n  ?since ?since", "4:6 ?person is not used by the query."),
        ("   person:", "   format:", "4:6 A parameter cannot be called 'format': it is an option"),
        ("SELECT ?x", "# parameters: a = b\nSELECT ?x", "10:1 Parameters stand in the header now"),
        ("SELECT ?x", "\n#+ tags: [a]\nSELECT ?x", "11:1 This line of the header comes too late."),
        ("?since ?x\n", "?since ?_y_iri\n", "12:18 ?_y_iri is no parameter here."),
        ("#+ params:", "#+ params: all\n#+ more:", ""),
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
    assert [str(each.place) for each in found] == ["queries/mine.rq:4:21"]
