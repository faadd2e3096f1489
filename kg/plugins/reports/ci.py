"""Annotations for GitHub, and code quality reports for GitLab."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from kg.check.report.extents import Edit
from kg.check.report.machine import ends_of
from kg.check.report.selection import ReportFormat, Selection, from_here, message_from_here
from kg.check.report.text import json_of, printable

GITLAB_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}
GITHUB_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
# Characters that would end a command or one of its properties are percent-encoded.
MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY = {**MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}


def github_lines(selection: Selection) -> Iterator[str]:
    """One workflow command for each problem."""
    known, edits = ends_of(selection), selection.edits
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
        message += instead(edits.get(problem))
        yield printable(f"::{command}::{message.translate(MESSAGE)}")


def instead(edit: Edit | None) -> str:
    """What a fix writes, for formats without fixes."""
    return f"\nkg check --fix writes: {edit.text.strip() or 'nothing'}" if edit else ""


def gitlab_lines(selection: Selection) -> Iterator[str]:
    """A code quality report. The fingerprint of a problem does not change when lines are added
    above it.
    """
    found, edits = [], selection.edits
    for problem in selection.problems:
        file = from_here(selection.folder, problem.place.file)
        message = message_from_here(selection.folder, problem.message)
        identity = json.dumps([file, problem.rule, message])
        found.append(
            {
                "description": message + instead(edits.get(problem)),
                "check_name": problem.rule,
                "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
                "severity": GITLAB_SEVERITIES[problem.severity],
                "location": {"path": file, "lines": {"begin": problem.place.line}},
            }
        )
    yield json_of(found)


GITHUB = ReportFormat(github_lines, is_for_people=True)
GITLAB = ReportFormat(gitlab_lines)
