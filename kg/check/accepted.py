"""What is left of the problems when those that an author accepts are taken away. Errors cannot be
accepted, and an acceptance that answers to nothing is told, so that none outlives its reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set

from kg.check.shapes import Shapes
from kg.errors import Problem, tidy
from kg.facts.acceptances import Acceptance
from kg.facts.values.nearest import closest
from kg.settings import shipped


def accepted(
    found: Set[Acceptance], problems: Iterable[Problem], known: Set[str], all_asked: bool = True
) -> list[Problem]:
    """The problems that nobody accepts, and what is wrong with acceptances. `known` are the names
    of all rules.

    An acceptance is stale only where all rules were asked; while there are errors, some are not.
    """
    by_rule: dict[str, list[Acceptance]] = defaultdict(list)
    for each in found:
        by_rule[each.rule].append(each)
    left: list[Problem] = []
    answered: set[Acceptance] = set()
    refused: set[Acceptance] = set()
    for problem in problems:
        holding = [each for each in by_rule.get(problem.rule, ()) if each.holds(problem)]
        if problem.severity == "error":
            refused.update(holding)
        else:
            answered.update(holding)
        if problem.severity == "error" or not holding:
            left.append(problem)
    all_asked = all_asked and not any(problem.severity == "error" for problem in left)

    def complain(each: Acceptance, message: str, rule: str) -> None:
        left.append(
            Problem(each.place, "warning", f"{each.label}.accept.{each.rule}: {message}", rule)
        )

    for each in found - answered:
        if each in refused:
            complain(
                each,
                "this is an error, and errors cannot be accepted. Mend it, then remove this.",
                "accepted-error",
            )
        elif each.rule not in known:
            near = closest(each.rule, sorted(known))
            hint = (
                f"Closest: {', '.join(near)}." if near else "Copy the name from behind the problem."
            )
            complain(each, f"there is no such rule. {hint}", "unknown-rule")
        elif all_asked:
            complain(each, "nothing here breaks this rule any more. Remove it.", "stale-acceptance")
    return tidy(left)


def known_rules(shapes: Shapes) -> set[str]:
    """The names of all rules: those that are explained, and those of the site's own shapes."""
    explained = (shipped("shapes") / "explained").glob("*.yaml")
    return {path.stem for path in explained} | shapes.names
