"""Problems as workflow commands, which GitHub shows beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator

from kg.check.report.shown import Shown, from_here

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
# What would end a command, or one of its properties, is written as in a URL.
MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY = {**MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}


def lines(shown: Shown) -> Iterator[str]:
    """One command for each problem."""
    for problem in shown.problems:
        at = problem.place
        values = {
            "file": from_here(shown.folder, at.file),
            "line": at.line,
            "col": at.column,
            "title": problem.rule,
        }
        said = ",".join(
            f"{name}={str(value).translate(PROPERTY)}" for name, value in values.items()
        )
        yield f"::{COMMANDS[problem.severity]} {said}::{problem.message.translate(MESSAGE)}"
