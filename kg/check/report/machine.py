"""The report as JSON, one object:

    {"site": "…/mysite",                    absolute path of the site's folder
     "problems": [                          the selected ones, sorted by place
       {"file": "data/cv/ada.yaml",         relative to the site's folder
        "line": 41, "column": 7,            counted from 1, in characters
        "endLine": 41, "endColumn": 14,     the position after the value; null if unknown
        "severity": "error",                error, warning or info
        "rule": "role-dates",
        "message": "work[2]: ends …",
        "others": [{"file": …, "line": …, "column": …, …}],      related places
        "fixes": [{"file": …, "line": …, …, "text": …}]}],       what to write instead
     "summary": {"error": 1, "warning": 0, "info": 0},    of the whole site
     "publishable": false}                                    whether there are no errors

Fields may be added, but none is removed or changes its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from kg.check.report.extents import Edit, ends
from kg.check.report.selection import Selection, mentioned
from kg.check.report.text import json_of
from kg.errors import Place, Problem


def json_text(selection: Selection) -> str:
    known, edits = ends_of(selection), selection.edits
    problems = [
        {**json_problem(problem, known), "fixes": json_fixes(edits.get(problem))}
        for problem in selection.problems
    ]
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


def json_fixes(edit: Edit | None) -> list[dict[str, Any]]:
    if edit is None:
        return []
    return [{**json_place(edit.start, {edit.start: edit.end}), "text": edit.text}]
