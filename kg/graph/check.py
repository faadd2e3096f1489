"""A folder -> its graph and everything that is wrong with it: files, facts, addresses, shapes, all at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg.errors import Problem, ProblemsFound, tidy
from kg.facts import checks
from kg.facts.load import load
from kg.facts.secrets import Secret, digits_of
from kg.graph import shapes
from kg.graph.build import Graph, build

FOLLOWS_FROM_BROKEN_ENTRIES = {"dangling", "owner", "role-start", "untyped"}


@dataclass(frozen=True)
class Checked:
    """The graph of what could be read, or None where not even the site's address could; and the problems."""

    graph: Graph | None
    problems: list[Problem]

    @property
    def publishable(self) -> bool:
        return self.graph is not None and not any(problem.severity == "error" for problem in self.problems)


def check(folder: Path) -> Checked:
    """A broken entry does not hide the problems of the others: what is right is built and judged all the same."""
    facts = load(folder)
    found = facts.problems + checks.check(facts)
    if facts.site is None:
        return Checked(None, tidy(found))
    graph = build(facts, facts.site)
    judged = shapes.check(graph) + leaked(graph)
    if any(problem.severity == "error" for problem in facts.problems):
        judged = [problem for problem in judged if problem.rule not in FOLLOWS_FROM_BROKEN_ENTRIES]
    return Checked(graph, tidy(found + graph.problems + judged))


def leaked(graph: Graph) -> list[Problem]:
    """Private values that stand in the graph, from which all that is published is made."""
    text = graph.nquads.decode()
    digits = digits_of(text)
    found = [secret for secret in graph.secrets if secret.found_in(text, digits)]
    return [
        Problem(secret.place, "error", f"This is private, but would be published in {told(secret, text, graph.site.base)}.", "leak")
        for secret in found
    ]


def told(secret: Secret, text: str, base: str) -> str:
    """The document that tells a secret."""
    line = next((line for line in text.split("\n") if secret.found_in(line, digits_of(line))), "")
    return line[line.rfind(" <") + 2 : line.rfind(">")].removeprefix(base) or "the site"


def good(folder: Path) -> Graph:
    """The graph of a folder that has no errors."""
    return good_or_warn(folder)[0]


def good_or_warn(folder: Path) -> tuple[Graph, list[Problem]]:
    """The graph of a folder that has no errors, and the warnings."""
    checked = check(folder)
    if checked.graph is None or not checked.publishable:
        raise ProblemsFound(checked.problems, folder)
    return checked.graph, checked.problems
