"""Venues: figures that are printed and do not add up."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.models.venues import Series

MOST_POINTS_APART = Decimal("0.6")


def stated_percentages(facts: Facts) -> Iterator[Problem]:
    """A printed percentage that is not what its counts give."""
    for each, series in facts.of(Series):
        for year, edition in series.editions.items():
            figures = edition.acceptance
            if (
                not figures
                or not figures.stated
                or figures.accepted is None
                or not figures.submitted
            ):
                continue
            ratio = figures.accepted / figures.submitted * 100
            if abs(ratio - Decimal(figures.stated[:-1])) > MOST_POINTS_APART:
                counts = f"{figures.accepted} of {figures.submitted} is {ratio:.1f}%"
                message = (
                    f"{each.slug} {year}: {counts}, but {figures.stated} is stated. Check the "
                    "numbers."
                )
                yield Problem(
                    each.row.at("editions", year, "acceptance", "stated"),
                    "warning",
                    message,
                    "stated-acceptance",
                )
