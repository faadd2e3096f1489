"""Problems for machines: the JSON object, SARIF that validates, annotations that GitHub and
GitLab read as they were meant.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from kg.check.check import check
from kg.check.report import machine
from kg.check.report.selection import Selection, select
from kg.errors import Place, Problem, fix
from kg.plugins.reports import ci, sarif
from tests import cases
from tests.schemas import faults, stored_schema

ODD = Problem(
    Place("data/cv/a b,c:d%.yaml", 3, 5),
    "error",
    "100% wrong:\r\nsee a, b::c.",
    "odd-rule",
    (Place("data/people.yaml", 7, 2),),
)
MILD = Problem(
    Place("data/people.yaml", 7, 2), "warning", "twice.", "twice", (ODD.place, ODD.place)
)
HINT = Problem(Place("data/venues.yaml"), "info", "ünused.", "unused")
REASONS = {"twice": "Each is said once."}


@pytest.fixture
def shown() -> Selection:
    return select([ODD, MILD, HINT], Path("my site"))


@pytest.fixture(scope="session")
def schema() -> Any:
    schema = stored_schema("https://json.schemastore.org/sarif-2.1.0.json")
    assert schema["$id"].endswith("/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json")
    # Its patterns for languages have a bracket too many, which strict regular expressions refuse.
    for name in ("run", "toolComponent"):
        language = schema["definitions"][name]["properties"]["language"]
        language["pattern"] = language["pattern"].replace("]?$", "$")
    return schema


def test_the_object_for_editors_has_its_documented_names(shown: Selection) -> None:
    said = json.loads(machine.json_text(shown))
    assert list(said) == ["site", "problems", "summary", "publishable"]
    assert said["site"] == str(Path("my site").absolute())
    assert said["problems"][0] == {
        "file": "data/cv/a b,c:d%.yaml",
        "line": 3,
        "column": 5,
        "endLine": None,
        "endColumn": None,
        "severity": "error",
        "rule": "odd-rule",
        "message": "100% wrong:\r\nsee a, b::c.",
        "others": [
            {"file": "data/people.yaml", "line": 7, "column": 2, "endLine": None, "endColumn": None}
        ],
        "fixes": [],
    }
    assert said["summary"] == {"error": 1, "warning": 1, "info": 1}
    assert said["publishable"] is False
    assert set(re.findall(r'"(\w+)":', machine.__doc__ or "")) == {
        *said,
        *said["problems"][0],
        *said["summary"],
        "text",
    }


def test_the_summary_for_editors_is_of_the_whole_site(shown: Selection) -> None:
    said = json.loads(
        machine.json_text(select(shown.all, Path(), least="error", files=["data/venues.yaml"]))
    )
    assert said["problems"] == []
    assert said["summary"] == {"error": 1, "warning": 1, "info": 1}


@pytest.mark.slow
@pytest.mark.proof
def test_sarif_validates(shown: Selection, schema: Any, tmp_path: Path) -> None:
    assert faults(json.loads(sarif.sarif_text(shown, REASONS)), schema) == []
    assert faults(json.loads(sarif.sarif_text(select([], Path()), {})), schema) == []
    real = check(cases.site(cases.FOLDER / "ten-mistakes", tmp_path)).problems
    assert len(real) == 10
    assert faults(json.loads(sarif.sarif_text(select(real, tmp_path), REASONS)), schema) == []


@pytest.mark.slow
def test_the_schema_of_sarif_refuses_what_is_wrong(shown: Selection, schema: Any) -> None:
    log = json.loads(sarif.sarif_text(shown, REASONS))
    log["runs"][0]["results"][0]["level"] = "fatal"
    log["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    del log["runs"][0]["tool"]["driver"]["name"]
    assert len(faults(log, schema)) == 3


def test_sarif_says_where_how_bad_and_why(shown: Selection) -> None:
    [run] = json.loads(sarif.sarif_text(shown, REASONS))["runs"]
    odd, mild, hint = run["results"]
    assert [each["level"] for each in run["results"]] == ["error", "warning", "note"]
    place = odd["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 3, "startColumn": 5}
    assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
    assert run["originalUriBaseIds"]["SITE"]["uri"] == Path("my site").absolute().as_uri() + "/"
    assert unquote(place["artifactLocation"]["uri"]) == ODD.place.file
    assert ":" not in place["artifactLocation"]["uri"]
    related = odd["relatedLocations"][0]["physicalLocation"]
    assert (related["artifactLocation"]["uri"], related["region"]["startLine"]) == (
        "data/people.yaml",
        7,
    )
    assert len(mild["relatedLocations"]) == 1, "each place once, as SARIF wants it"
    assert "relatedLocations" not in hint
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [
        "odd-rule",
        "twice",
        "unused",
    ]
    assert rules[mild["ruleIndex"]]["shortDescription"] == {"text": "Each is said once."}
    assert "shortDescription" not in rules[hint["ruleIndex"]]


def test_annotations_are_escaped(shown: Selection) -> None:
    assert list(ci.github_lines(shown)) == [
        (
            "::error file=my site/data/cv/a "
            "b%2Cc%3Ad%25.yaml,line=3,col=5,title=odd-rule::100%25 wrong:%0D%0Asee a, b::c."
        ),
        "::warning file=my site/data/people.yaml,line=7,col=2,title=twice::twice.",
        "::notice file=my site/data/venues.yaml,line=1,col=1,title=unused::ünused.",
    ]


def test_gitlab_gets_what_its_report_of_code_quality_wants(shown: Selection) -> None:
    found = json.loads(next(ci.gitlab_lines(shown)))
    assert [each["severity"] for each in found] == ["major", "minor", "info"]
    assert (found[1]["description"], found[1]["check_name"]) == ("twice.", "twice")
    assert found[1]["location"] == {"path": "my site/data/people.yaml", "lines": {"begin": 7}}
    moved = replace(MILD, place=replace(MILD.place, line=9))
    [below] = json.loads(next(ci.gitlab_lines(select([moved], Path("my site")))))
    assert below["fingerprint"] == found[1]["fingerprint"]
    assert len({each["fingerprint"] for each in found}) == 3
    assert [*ci.gitlab_lines(select([], Path()))] == ["[]"]


def test_reports_tell_where_a_value_ends_and_name_places_as_their_head(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "people.yaml").write_text("ada:\n  name: Ada Berg\n  url: |\n    x\n")
    first, second = Place("data/people.yaml", 2, 9), Place("data/people.yaml", 3, 8)
    shown = select(
        [
            Problem(first, "error", f"twice (first in {second}).", "twice"),
            Problem(second, "info", "long.", "long"),
        ],
        tmp_path,
    )
    twice, long = json.loads(machine.json_text(shown))["problems"]
    assert (twice["endLine"], twice["endColumn"]) == (2, 17)
    assert (long["endLine"], long["endColumn"]) == (5, 1)
    assert [(each["line"], each["endLine"]) for each in twice["others"]] == [(3, 5)]
    [run] = json.loads(sarif.sarif_text(shown, {}))["runs"]
    result = run["results"][0]
    assert result["message"]["text"] == "twice (first in [data/people.yaml:3:8](0))."
    assert result["relatedLocations"][0]["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 8,
        "endLine": 5,
        "endColumn": 1,
    }
    file = f"{tmp_path}/data/people.yaml"
    assert list(ci.github_lines(shown)) == [
        f"::error file={file},line=2,col=9,endColumn=17,title=twice::twice (first in {file}:3:8).",
        f"::notice file={file},line=3,col=8,endLine=5,title=long::long.",
    ]


def test_every_format_has_the_certain_fix(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text("a: {postion: x}\n", encoding="utf-8")
    place = Place("f.yaml", 1, 5)
    shown = select(
        [Problem(place, "error", "x", "unknown-field", fix=fix("postion", "position"))], tmp_path
    )
    [found] = json.loads(machine.json_text(shown))["problems"]
    end = {"endLine": 1, "endColumn": 12}
    assert found["fixes"] == [{"file": "f.yaml", "line": 1, "column": 5, **end, "text": "position"}]
    [run] = json.loads(sarif.sarif_text(shown, {}))["runs"]
    [change] = run["results"][0]["fixes"][0]["artifactChanges"]
    region = {"startLine": 1, "startColumn": 5, **end}
    assert change["replacements"] == [
        {"deletedRegion": region, "insertedContent": {"text": "position"}}
    ]
    assert "kg check --fix writes: position" in next(ci.github_lines(shown))
    assert "kg check --fix writes: position" in next(ci.gitlab_lines(shown))


def test_sarif_with_fixes_validates(tmp_path: Path, schema: Any) -> None:
    (tmp_path / "f.yaml").write_text("a: postion\n", encoding="utf-8")
    found = Problem(Place("f.yaml", 1, 4), "error", "x", "y", fix=fix("postion", "position"))
    log = json.loads(sarif.sarif_text(select([found], tmp_path), {}))
    assert log["runs"][0]["results"][0]["fixes"]
    assert faults(log, schema) == []
