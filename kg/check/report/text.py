"""Problems as lines for people: place, severity, message, rule. On a terminal coloured, and with
space between files.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click

from kg.check.report.shown import Shown, from_here
from kg.errors import SEVERITIES, Problem, summary

COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def lines(shown: Shown, terminal: bool = False) -> Iterator[str]:
    """One line for each problem, and nothing else where the lines go into a pipe."""
    width = max((len(place(shown, problem)) for problem in shown.problems), default=0)
    for number, (_, problems) in enumerate(
        groupby(shown.problems, key=lambda problem: problem.place.file)
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
            yield (
                f"{place(shown, problem):<{width}}  {severity}  {printable(problem.message)}  "
                f"{rule}"
            )


def place(shown: Shown, problem: Problem) -> str:
    at = problem.place
    return printable(f"{from_here(shown.folder, at.file)}:{at.line}:{at.column}")


def printable(text: str) -> str:
    """On one line, and harmless to a terminal: whatever cannot be seen is shown as Python writes
    it.
    """
    return (
        text
        if text.isprintable()
        else "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
    )


def closing(shown: Shown) -> Iterator[str]:
    """The summary, and what to do next."""
    sums = [summary(shown.problems)]
    if shown.elsewhere:
        sums.append(
            f"{len(shown.elsewhere)} more "
            f"{'problem' if len(shown.elsewhere) == 1 else 'problems'} in other files"
        )
    if shown.milder:
        sums.append(f"not shown: {summary(shown.milder)}")
    yield "; ".join(sums) + ("." if shown.publishable else ". Mend the errors to publish.")
    if shown.problems:
        gravest = min(shown.problems, key=lambda problem: SEVERITIES.index(problem.severity))
        yield f"What a rule is for, with examples: kg check --explain {gravest.rule}"
    mild = next((problem.rule for problem in shown.problems if problem.severity == "warning"), None)
    if mild:
        yield f'If a warning is no mistake, say so in its entry: accept: {{{mild}: "the reason"}}'
