"""Rules about registries: inconsistent figures of editions, and entries that nothing refers to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal

from kg.errors import Problem, counted
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models.venues import Series
from kg.facts.privacy import ROOTS

MAX_DIFFERENCE = Decimal("0.6")
MAX_SHOWN = 3  # problems shown per registry
IN_TURTLE = re.compile(rb"/([a-z0-9-]+)")


def unmentioned(facts: Facts) -> Iterator[Problem]:
    """Registry entries that no fact refers to. Skipped while there are errors, because entries that
    cannot be read may refer to them.
    """
    if any(problem.severity == "error" for problem in facts.problems):
        return
    in_turtle = {
        slug.decode() for path in facts.turtle for slug in IN_TURTLE.findall(path.read_bytes())
    }
    unused: defaultdict[str, list[Loaded]] = defaultdict(list)
    for each in facts.loaded:
        is_alone = each.kind not in ROOTS and each.is_main and not each.is_private
        is_named = (each.kind, each.slug) in facts.notes.named or each.slug in in_turtle
        is_owner = each.kind == "people" and each.slug in facts.owners
        if is_alone and not is_named and not is_owner:
            unused[each.kind].append(each)
    for found in unused.values():
        accepted = [each for each in found if is_accepted(each)]
        left = [each for each in found if not is_accepted(each)]
        rest = counted(len(left) - MAX_SHOWN, "other") if len(left) > MAX_SHOWN else ""
        more = f" The same goes for {rest} in this registry." if rest else ""
        for each in [*left[:MAX_SHOWN], *accepted]:
            message = (
                f"{each.slug}: nothing refers to this entry, so it is not published.{more} "
                "Remove it, or keep it for later."
            )
            yield Problem(each.row.place, "info", message, "unmentioned")
            more = ""


def is_accepted(each: Loaded) -> bool:
    reasons = each.row.get("accept")
    return isinstance(reasons, Mapping) and "unmentioned" in reasons


def stated_percentages(facts: Facts) -> Iterator[Problem]:
    """Printed percentages that do not match their counts."""
    for each, series in facts.of(Series):
        for year, edition in series.editions.items():
            figures = edition.acceptance
            if not (figures and figures.stated and figures.accepted and figures.submitted):
                continue
            ratio = figures.accepted / figures.submitted * 100
            if abs(ratio - Decimal(figures.stated[:-1])) > MAX_DIFFERENCE:
                yield Problem(
                    each.row.at("editions", year, "acceptance", "stated"),
                    "warning",
                    f"{each.slug} {year}: {figures.accepted} of {figures.submitted} is "
                    f"{ratio:.1f}%, not {figures.stated} as stated. Check the numbers.",
                    "stated-acceptance",
                )
