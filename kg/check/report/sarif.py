"""Problems as SARIF 2.1.0, the form in which tools that look at code exchange what they found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from kg.check.report.shown import Shown
from kg.errors import Place, Problem

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
BASE = "SITE"  # stands for the site's folder, so that the places hold wherever it lies


def text(shown: Shown, reasons: Mapping[str, str]) -> str:
    """`reasons` are what the rules are for, as far as that is written."""
    rules = sorted({problem.rule for problem in shown.problems})
    run = {
        "tool": {
            "driver": {
                "name": "kg",
                "version": version("cv-kg"),
                "rules": [described(rule, reasons) for rule in rules],
            }
        },
        "originalUriBaseIds": {BASE: {"uri": f"{shown.folder.absolute().as_uri()}/"}},
        "columnKind": "unicodeCodePoints",
        "results": [result(problem, rules.index(problem.rule)) for problem in shown.problems],
    }
    return (
        json.dumps(
            {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2
        )
        + "\n"
    )


def described(rule: str, reasons: Mapping[str, str]) -> dict[str, Any]:
    return (
        {"id": rule, "shortDescription": {"text": reasons[rule]}}
        if rule in reasons
        else {"id": rule}
    )


def result(problem: Problem, index: int) -> dict[str, Any]:
    found = {
        "ruleId": problem.rule,
        "ruleIndex": index,
        "level": LEVELS[problem.severity],
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": physical(problem.place)}],
    }
    if problem.others:
        found["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": physical(place),
                "message": {"text": "This is about it too."},
            }
            for number, place in enumerate(dict.fromkeys(problem.others))
        ]
    return found


def physical(place: Place) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": quote(place.file), "uriBaseId": BASE},
        "region": {"startLine": place.line, "startColumn": place.column},
    }
