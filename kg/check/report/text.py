"""Reports for people: one line per problem with place, severity, message and rule.

On a terminal, the lines are coloured and files are separated by blank lines.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click

from kg import doors
from kg.check.report.selection import Selection, from_here, message_from_here
from kg.errors import SEVERITIES, Problem, counted, summary

COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def lines(selection: Selection, terminal: bool = False) -> Iterator[str]:
    """One line for each problem; in a pipe, nothing else."""
    width = max((len(place(selection, problem)) for problem in selection.problems), default=0)
    for number, (_, problems) in enumerate(
        groupby(selection.problems, key=lambda problem: problem.place.file)
    ):
        if number and terminal:
            yield ""
        for problem in problems:
            severity, rule = f"{problem.severity:<7}", f"[{problem.rule}]"
            if terminal:
                severity, rule = (
                    click.style(severity, fg=COLOURS[problem.severity]),
                    click.style(rule, dim=True),
                )
            message = printable(message_from_here(selection.folder, problem.message))
            yield f"{place(selection, problem):<{width}}  {severity}  {message}  {rule}"


def place(selection: Selection, problem: Problem) -> str:
    at = problem.place
    return printable(f"{from_here(selection.folder, at.file)}:{at.line}:{at.column}")


def printable(text: str) -> str:
    """The text on one line and safe for a terminal: unprintable characters are escaped as in
    Python.
    """
    return (
        text
        if text.isprintable()
        else "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
    )


def harmless(message: str) -> str:
    """The text without terminal commands and changes of text direction; line breaks stay. Messages
    quote names, values and files that anybody may have written.
    """
    return "\n".join(map(printable, message.split("\n")))


def json_of(value: object) -> str:
    """A value as JSON, equally safe for a terminal: unprintable characters are escaped, the value
    stays the same.
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "\n".join(line if line.isprintable() else escaped(line) for line in text.split("\n"))


def escaped(line: str) -> str:
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in line)


def closing(selection: Selection) -> Iterator[str]:
    """The summary and the next steps."""
    sums = [summary(selection.problems)]
    if selection.elsewhere:
        sums.append(f"{counted(len(selection.elsewhere), 'more problem')} in other files")
    if selection.milder:
        sums.append(f"not shown: {summary(selection.milder)}")
    errors = selection.counts["error"]
    what = "the error" if errors == 1 else "the errors"
    if errors == len(selection.all) > 0 and len(sums) == 1:
        what = "it" if errors == 1 else "them"
    yield "; ".join(sums) + ("." if selection.publishable else f". Fix {what} before publishing.")
    if selection.fixable and doors.installed("kg.fixers"):
        count = len(selection.fixable)
        yield f"{count} can be fixed automatically: kg check --fix (first look: --diff)"
    if selection.problems:
        gravest = min(selection.problems, key=lambda problem: SEVERITIES.index(problem.severity))
        # a site can have rules of its own, which are found in its folder
        site = "" if selection.folder == Path() else f"{shlex.quote(str(selection.folder))} "
        yield f"For an explanation with examples: kg check {site}--explain {gravest.rule}"
    mild = next(
        (problem.rule for problem in selection.problems if problem.severity == "warning"), None
    )
    if mild:
        yield f'To accept a warning, add to its entry: accept: {{{mild}: "the reason"}}'
