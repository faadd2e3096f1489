"""Machine-readable reports: JSON, SARIF 2.1.0, GitHub annotations and GitLab code quality.

The JSON is one object:

    {"site": "…/mysite",                    absolute path of the site's folder
     "problems": [                          the selected ones, sorted by place
       {"file": "data/cv/ada.yaml",         relative to the site's folder
        "line": 41, "column": 7,            counted from 1, in characters
        "endLine": 41, "endColumn": 14,     the position after the value; null if unknown
        "severity": "error",                error, warning or info
        "rule": "role-dates",
        "message": "work[2]: ends …",
        "others": [{"file": …, "line": …, "column": …, …}]}],    related places
     "summary": {"error": 1, "warning": 0, "info": 0},    of the whole site
     "publishable": false}                                    whether there are no errors

Fields may be added, but none is removed or changes its meaning.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from kg.check.report.extents import ends
from kg.check.report.selection import (
    PLACE,
    Selection,
    from_here,
    mentioned,
    message_from_here,
    named,
)
from kg.check.report.text import json_of, printable
from kg.errors import Place, Problem

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
BASE = "SITE"  # base of the site's folder, so that places stay valid wherever it is
GITLAB_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}
GITHUB_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
# Characters that would end a command or one of its properties are percent-encoded.
MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY = {**MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}


def json_text(selection: Selection) -> str:
    known = ends_of(selection)
    problems = [json_problem(problem, known) for problem in selection.problems]
    found = {
        "site": str(selection.folder.absolute()),
        "problems": problems,
        "summary": selection.counts,
        "publishable": selection.publishable,
    }
    return json_of(found) + "\n"


def ends_of(selection: Selection) -> dict[Place, Place]:
    places = (place for each in selection.problems for place in (each.place, *mentioned(each)))
    return ends(selection.folder, places)


def json_problem(problem: Problem, known: Mapping[Place, Place] = {}) -> dict[str, Any]:
    """A problem as JSON; `known` are the ends of places."""
    return {
        **json_place(problem.place, known),
        "severity": problem.severity,
        "rule": problem.rule,
        "message": problem.message,
        "others": [json_place(place, known) for place in mentioned(problem)],
    }


def json_place(place: Place, known: Mapping[Place, Place]) -> dict[str, Any]:
    end = known.get(place)
    return {
        **asdict(place),
        "endLine": end.line if end else None,
        "endColumn": end.column if end else None,
    }


def sarif_text(selection: Selection, reasons: Mapping[str, str]) -> str:
    """The SARIF report; `reasons` are the explanations of rules, as far as they exist."""
    rules = sorted({problem.rule for problem in selection.problems})
    known = ends_of(selection)
    run = {
        "tool": {
            "driver": {
                "name": "kg",
                "version": version("cv-kg"),
                "rules": [sarif_rule(rule, reasons) for rule in rules],
            }
        },
        "originalUriBaseIds": {BASE: {"uri": f"{selection.folder.absolute().as_uri()}/"}},
        "columnKind": "unicodeCodePoints",
        "results": [
            sarif_result(problem, rules.index(problem.rule), known)
            for problem in selection.problems
        ],
    }
    return json_of({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def sarif_rule(rule: str, reasons: Mapping[str, str]) -> dict[str, Any]:
    return (
        {"id": rule, "shortDescription": {"text": reasons[rule]}}
        if rule in reasons
        else {"id": rule}
    )


def sarif_result(problem: Problem, index: int, known: Mapping[Place, Place]) -> dict[str, Any]:
    """A SARIF result. Places in the message become links to related locations."""
    others = mentioned(problem)
    text = PLACE.sub(
        lambda name: (
            f"[{name[0]}]({others.index(place)})" if (place := named(name)) in others else name[0]
        ),
        problem.message,
    )
    found = {
        "ruleId": problem.rule,
        "ruleIndex": index,
        "level": SARIF_LEVELS[problem.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": physical(problem.place, known)}],
    }
    if others:
        found["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": physical(place, known),
                "message": {"text": "Related place"},
            }
            for number, place in enumerate(others)
        ]
    return found


def physical(place: Place, known: Mapping[Place, Place]) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column}
    if end := known.get(place):
        region |= {"endLine": end.line, "endColumn": end.column}
    return {
        "artifactLocation": (
            {"uri": place.file}
            if "://" in place.file
            else {"uri": quote(place.file), "uriBaseId": BASE}
        ),
        "region": region,
    }


def github_lines(selection: Selection) -> Iterator[str]:
    """One workflow command for each problem."""
    known = ends_of(selection)
    for problem in selection.problems:
        at, end = problem.place, known.get(problem.place)
        values: dict[str, str | int] = {
            "file": from_here(selection.folder, at.file),
            "line": at.line,
            "col": at.column,
        }
        if end:  # GitHub accepts columns only within one line
            values |= {"endColumn": end.column} if end.line == at.line else {"endLine": end.line}
        values["title"] = problem.rule
        properties = ",".join(
            f"{name}={str(value).translate(PROPERTY)}" for name, value in values.items()
        )
        command = f"{GITHUB_COMMANDS[problem.severity]} {properties}"
        message = message_from_here(selection.folder, problem.message)
        yield printable(f"::{command}::{message.translate(MESSAGE)}")


def gitlab_text(selection: Selection) -> str:
    """A code quality report. The fingerprint of a problem does not change when lines are added
    above it.
    """
    found = []
    for problem in selection.problems:
        file = from_here(selection.folder, problem.place.file)
        message = message_from_here(selection.folder, problem.message)
        identity = json.dumps([file, problem.rule, message])
        found.append(
            {
                "description": message,
                "check_name": problem.rule,
                "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
                "severity": GITLAB_SEVERITIES[problem.severity],
                "location": {"path": file, "lines": {"begin": problem.place.line}},
            }
        )
    return json_of(found) + "\n"
