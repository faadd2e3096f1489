"""Turns findings into problems, each with its place and in terms of the YAML, and drops accepted
ones.

Dataset rules have the base as focus node and the offending node as value, so the value is what the
problem is about. Errors cannot be accepted. An acceptance without a problem is reported, so that
none outlives its reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import replace
from functools import cache
from pathlib import Path

from kg import doors
from kg.check.places import locate, locate_first_text, texts_in
from kg.check.shapes import Finding, Shapes
from kg.check.term_shapes import closed
from kg.errors import Place, Problem, Severity, errors_in, offset_of, place_at, tidy
from kg.facts.notes import AcceptedRule
from kg.graph.build import Graph
from kg.settings import Site, shipped
from kg.text.nearest import closest, closest_are
from kg.vocab import cut

TERMS = {"unknown-property": str.islower, "unknown-class": str.isupper}
LOST = ("dangling", "untyped")
SEVERITY: dict[str, Severity] = {"Violation": "error", "Warning": "warning", "Info": "info"}


def problems_of(graph: Graph, findings: Iterable[Finding]) -> list[Problem]:
    """Problems in the order of their subjects, so that the origins of each part of the site are
    unpacked once.
    """
    ordered = sorted(findings, key=lambda found: found.value or found.focus)
    return [problem_of(graph, finding) for finding in ordered]


def problem_of(graph: Graph, finding: Finding) -> Problem:
    base = graph.site.base
    about = finding.about(base)
    value = finding.value if about == finding.focus else None
    found = locate(graph, about, finding.path, value, finding.message)
    place, label = found or (graph.by_hand.place_of(about), about.removeprefix(base))
    others: list[Place] = []

    def named(found: re.Match[str]) -> str:
        """An entry of the site as its key or number with its place; any other address unchanged."""
        address = found[1] or found[2]
        said = [each for each in texts_in(finding.message) if not each.startswith(base)]
        there = locate_first_text(graph, address, said, finding.path, None) or locate(
            graph, address, finding.path
        )
        kind, _, rest = address.removeprefix(base).partition("/")
        slug, _, fragment = rest.partition("#")
        if there and (fragment == "it" or kind == "people"):
            others.append(there[0])
            return f"{slug if fragment == 'it' else there[1]} ({there[0]})"
        return f"{slug} {fragment}" if there else address.removeprefix(base)

    # An address computed by a query, such as the minimum of several, has no brackets.
    address = rf"<([^<>\s]+)>|({re.escape(base)}[\w/#-]*)"
    message = re.sub(address, named, finding.message) + spelling(graph.site, finding)
    if finding.rule in LOST:
        missed = re.search(r"<([^<>\s]+)>", finding.message)
        message += nearest_address(graph, missed[1] if missed else about)
    severity = SEVERITY.get(finding.severity, "error")
    return Problem(
        place, severity, f"{label}: {message}" if label else message, finding.rule, tuple(others)
    )


def nearest_address(graph: Graph, missed: str) -> str:
    """A suggestion for the address of an entry that does not exist."""
    base = graph.site.base
    path = missed.removeprefix(base).partition("#")[0]
    known = [each.removeprefix(base) for each in graph.memory.documents()]
    folder, sign, slug = path.rpartition("/")
    slugs = {each.rpartition("/")[2] for each in known if each.startswith(folder + sign)} - {
        "",
        slug,
    }
    near = closest(slug, sorted(slugs), most=1)
    return f" Closest: {folder}{sign}{near[0]}." if near else ""


def spelling(site: Site, finding: Finding) -> str:
    """A suggestion for the unknown term that the message starts with."""
    is_alike, term = TERMS.get(finding.rule), re.match(r"<([^<>\s]+)>", finding.message)
    if is_alike is None or term is None:
        return ""
    namespace, name = cut(term[1])
    known = closed(site.vocabularies).get(namespace, [])
    near = closest_are(name, (each for each in known if is_alike(each[0])), most=1)
    return f" {near}" if near else ""


def drop_accepted(
    found: Set[AcceptedRule], problems: Iterable[Problem], known: Set[str], all_judged: bool
) -> list[Problem]:
    """The problems that are not accepted, and the problems of acceptances themselves. `known` are
    the names of all rules.

    Unused acceptances are reported only if all rules were evaluated; after errors, some were not.
    """
    by_rule: dict[str, list[AcceptedRule]] = defaultdict(list)
    for each in found:
        by_rule[each.rule].append(each)
    left: list[Problem] = []
    answered: set[AcceptedRule] = set()
    refused: set[AcceptedRule] = set()
    for problem in problems:
        holding = [each for each in by_rule.get(problem.rule, ()) if each.holds(problem)]
        if problem.severity == "error":
            refused.update(holding)
        else:
            answered.update(holding)
        if problem.severity == "error" or not holding:
            left.append(problem)
    all_judged = all_judged and not errors_in(left)

    def complain(each: AcceptedRule, message: str, rule: str) -> None:
        left.append(
            Problem(each.place, "warning", f"{each.label}.accept.{each.rule}: {message}", rule)
        )

    for each in found - answered:
        if each in refused:
            complain(
                each,
                "errors cannot be accepted. Fix the error, then remove this.",
                "accepted-error",
            )
        elif each.rule not in known:
            hint = closest_are(each.rule, sorted(known), "Copy the name printed after the problem.")
            complain(each, f"unknown rule. {hint}", "unknown-rule")
        elif all_judged:
            complain(each, "this exception is no longer needed. Remove it.", "stale-acceptance")
    return tidy(left)


def known_rules(shapes: Shapes) -> set[str]:
    """The names of all rules: built-in, from plugins, and from the site's own shapes."""
    explained = (shipped("shapes") / "explained").glob("*.yaml")
    return {path.stem for path in explained} | {*doors.installed("kg.checks")} | shapes.texts.keys()


def narrowed(problems: Iterable[Problem], folder: Path) -> list[Problem]:
    """The problems, each at the first occurrence of its part behind its place. A part that is
    written otherwise, with escapes or over two lines, is not found.
    """

    @cache
    def text_of(file: str) -> str:
        path = folder / file
        return path.read_text(encoding="utf-8-sig", errors="replace") if path.is_file() else ""

    def moved(problem: Problem) -> Problem:
        text, place = text_of(problem.place.file), problem.place
        at = text.find(problem.part, offset_of(text, place.line, place.column))
        return problem if at < 0 else replace(problem, place=place_at(place.file, text, at))

    return tidy(moved(each) if each.part else each for each in problems)
