"""A finding -> a problem: led back to the line it comes from, and told in the words of the YAML.

Dataset-wide rules have the base as their focus node and the offender as their value, so the
offender is what a problem is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.check.findings import Finding
from kg.errors import Place, Problem, Severity
from kg.graph import handwritten
from kg.graph.build import Graph
from kg.graph.walked import Origins
from kg.mapping import origins

SEVERITY: dict[str, Severity] = {"Violation": "error", "Warning": "warning", "Info": "info"}


def problem(graph: Graph, finding: Finding) -> Problem:
    base = graph.site.base
    about = finding.value if finding.focus == base and finding.value else finding.focus
    place, label = origins.locate(graph.origins, base, about, finding.path, finding.value) or (
        None,
        about.removeprefix(base),
    )
    if place is None or (
        finding.path and not origins.said_at(graph.origins, base, about, finding.path)
    ):
        by_hand = handwritten.said_at(graph.site, graph.facts.turtle, about, finding.path)
        place = by_hand or place or handwritten.spot(graph.site, graph.facts.turtle, about)
    others: list[Place] = []

    def named(address: re.Match[str]) -> str:
        """An entry of the site by its key or number, and its place; any other address as it is."""
        there = origins.locate(graph.origins, base, address[1], finding.path)
        kind, _, rest = address[1].removeprefix(base).partition("/")
        slug, _, fragment = rest.partition("#")
        if there and (fragment == "it" or kind == "people"):
            others.append(there[0])
            return f"{slug if fragment == 'it' else there[1]} ({there[0]})"
        return f"{slug} {fragment}" if there else address[1].removeprefix(base)

    message = re.sub(r"<([^<>\s]+)>", named, finding.message).replace(base, "")
    severity = SEVERITY.get(finding.severity, "error")
    return Problem(
        place, severity, f"{label}: {message}" if label else message, finding.rule, tuple(others)
    )


Known = tuple[Problem, dict[str, object]]  # and what says where it comes from


class Telling:
    """Tells findings again and again. One is told as before, as long as what says where it comes
    from is the same.
    """

    def __init__(self) -> None:
        self.known: dict[Finding, Known] = {}
        self.by_hand: object = None

    def problems(self, graph: Graph, findings: Iterable[Finding]) -> list[Problem]:
        back, by_hand = (
            graph.origins,
            (graph.site, [(path, path.read_bytes()) for path in graph.facts.turtle]),
        )
        known = self.known if by_hand == self.by_hand else {}
        self.known, self.by_hand = {}, by_hand
        if not isinstance(back, Origins):
            return [problem(graph, finding) for finding in findings]
        for finding in findings:
            said = known.get(finding)
            if said is None or any(
                back.source(node) is not source for node, source in said[1].items()
            ):
                back.asked.clear()
                said = problem(graph, finding), {node: back.source(node) for node in back.asked}
            self.known[finding] = said
        return [said for said, _ in self.known.values()]
