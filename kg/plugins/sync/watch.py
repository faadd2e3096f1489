"""The rule `watch`, which loads the plugin only in sites that have notes."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from kg.check.report.explain import Explanation
from kg.check.rules import PluginRule
from kg.errors import Problem
from kg.facts.load import Facts
from kg.plugins.sync import PATH

NOTE = (
    '[["ada", ["doi:10.5555/ice.1"], "retraction", "crossref", "2026-11-19", "retraction of '
    '2026-03-05, according to Crossref. Write \'status: retracted\'.", "status"]]\n'
)


def watch(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    if (facts.folder / PATH).exists():
        from kg.plugins.sync.notes import watched

        yield from watched(facts)


def example(status: str) -> dict[str, str | bytes]:
    work = f"title: Ice, kind: journal, authors: [A. Berg], year: 2020, doi: 10.5555/ice.1{status}"
    return {"data/publications.yaml": f"ice: {{{work}}}\n", PATH: NOTE}


WATCH = PluginRule(
    Explanation(
        "What kg sync found out about a work after it was published: a retraction, a correction, "
        "the paper of a preprint. If it is wrong, or you want to say nothing of it, accept it.",
        example(""),
        example(", status: retracted"),
    ),
    watch,
)
