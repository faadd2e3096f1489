"""Checks of registries: entries that nothing refers to, which are not published."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from kg.errors import Problem, counted
from kg.facts.load import Facts, Loaded
from kg.facts.privacy import ROOTS

MOST = 3  # of a registry, each with a line of its own
IN_TURTLE = re.compile(rb"/([a-z0-9-]+)")


def unmentioned(facts: Facts) -> Iterator[Problem]:
    """Entries of registries that no fact refers to. Not reported while there are errors: what could
    not be read may refer to them.
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
        more = f" Nor to {counted(len(left) - MOST, 'other')} here." if len(left) > MOST else ""
        for each in [*left[:MOST], *accepted]:
            message = (
                f"{each.slug}: nothing refers to this entry, so nothing of it is published.{more} "
                "Remove it, or keep it for later."
            )
            yield Problem(each.row.place, "info", message, "unmentioned")
            more = ""


def is_accepted(each: Loaded) -> bool:
    reasons = each.row.get("accept")
    return isinstance(reasons, Mapping) and "unmentioned" in reasons
