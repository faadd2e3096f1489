"""The report as SARIF 2.1.0, with the fixes that are certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from kg.check.report import explain
from kg.check.report.extents import Edit
from kg.check.report.machine import ends_of
from kg.check.report.selection import PLACE, ReportFormat, Selection, mentioned, named
from kg.check.report.text import json_of
from kg.errors import Place, Problem

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
BASE = "SITE"  # base of the site's folder, so that places stay valid wherever it is


def lines(selection: Selection) -> Iterator[str]:
    yield sarif_text(selection, explain.reasons(selection.folder))


def sarif_text(selection: Selection, reasons: Mapping[str, str]) -> str:
    """The SARIF report; `reasons` are the explanations of rules, as far as they exist."""
    rules = sorted({problem.rule for problem in selection.problems})
    known, edits = ends_of(selection), selection.edits
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
            | sarif_fixes(edits.get(problem))
            for problem in selection.problems
        ],
    }
    return json_of({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


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


def sarif_fixes(edit: Edit | None) -> dict[str, Any]:
    if edit is None:
        return {}
    where = physical(edit.start, {edit.start: edit.end})
    replacement = {"deletedRegion": where["region"], "insertedContent": {"text": edit.text}}
    change = {"artifactLocation": where["artifactLocation"], "replacements": [replacement]}
    return {"fixes": [{"artifactChanges": [change]}]}


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


FORMAT = ReportFormat(lines)
