"""Problems as lines for people: place, severity, message, rule. On a terminal coloured, and with
space between files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby

import click

from kg.check.report.selection import Selection, from_here, message_from_here
from kg.errors import SEVERITIES, Problem, counted, summary

COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def lines(selection: Selection, terminal: bool = False) -> Iterator[str]:
    """One line for each problem, and nothing else where the lines go into a pipe."""
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
    """On one line, and harmless to a terminal: whatever cannot be seen is shown as Python writes
    it.
    """
    return (
        text
        if text.isprintable()
        else "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
    )


def harmless(message: str) -> str:
    """Lines as they are, but for what commands a terminal or turns the direction of a text: a
    message quotes names, values and files that anybody may have written.
    """
    return "\n".join(map(printable, message.split("\n")))


def json_of(value: object) -> str:
    """A value as JSON that is as harmless: the same value, for it is escaped as JSON does."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "\n".join(line if line.isprintable() else escaped(line) for line in text.split("\n"))


def escaped(line: str) -> str:
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in line)


def closing(selection: Selection) -> Iterator[str]:
    """The summary, and what to do next."""
    sums = [summary(selection.problems)]
    if selection.elsewhere:
        sums.append(f"{counted(len(selection.elsewhere), 'more problem')} in other files")
    if selection.milder:
        sums.append(f"not shown: {summary(selection.milder)}")
    yield "; ".join(sums) + ("." if selection.publishable else ". Mend the errors to publish.")
    if selection.problems:
        gravest = min(selection.problems, key=lambda problem: SEVERITIES.index(problem.severity))
        yield f"What a rule is for, with examples: kg check --explain {gravest.rule}"
    mild = next(
        (problem.rule for problem in selection.problems if problem.severity == "warning"), None
    )
    if mild:
        yield f'If a warning is no mistake, say so in its entry: accept: {{{mild}: "the reason"}}'
