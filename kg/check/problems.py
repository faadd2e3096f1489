"""A finding -> a problem: at the line it comes from, in the words of the YAML.

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
from kg.mapping import origins

SEVERITY: dict[str, Severity] = {"Violation": "error", "Warning": "warning", "Info": "info"}


def problems_of(graph: Graph, findings: Iterable[Finding]) -> list[Problem]:
    """In the order of what they are about, so that the way back is unpacked once for each part of
    the site.
    """
    ordered = sorted(findings, key=lambda found: found.value or found.focus)
    return [problem_of(graph, finding) for finding in ordered]


def problem_of(graph: Graph, finding: Finding) -> Problem:
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
