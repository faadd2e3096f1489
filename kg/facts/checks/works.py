"""Single entries: disputes, works based on themselves, awards for the works of others."""

from __future__ import annotations

from collections.abc import Iterator

from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.models.base import Entry
from kg.facts.models.works import Publication


def disputes(facts: Facts) -> Iterator[Problem]:
    for each, entry in facts.of(Entry):
        for field in entry.disputed:
            message = (
                f"{each.row.path}: the sources disagree about '{field}'. Settle it, then remove "
                "it from 'disputed'."
            )
            yield Problem(each.row.at("disputed", field, key=True), "info", message, "disputed")


def based_on_itself(facts: Facts) -> Iterator[Problem]:
    for each, work in facts.of(Publication):
        for number, other in enumerate(work.basedOn):
            if (other.kind, other.slug) == (each.kind, each.slug):
                message = f"{each.slug}: a work is not based on itself. Correct 'basedOn'."
                yield Problem(each.row.at("basedOn", number), "error", message, "based-on-itself")


def awards_of_others(facts: Facts) -> Iterator[Problem]:
    for award in facts.notes.awards:
        work = facts.notes.works.get(award.work)
        if work and award.owner not in work.authors:
            message = (
                f"{award.label}: the award is for '{award.work[1]}', of which you are no author. "
                "Is it the right key?"
            )
            yield Problem(award.place, "warning", message, "award-of-others")
