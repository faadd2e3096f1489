"""Work and study: units that belong to another organisation, and two employers at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kg.errors import Problem
from kg.facts.load import Facts, Loaded
from kg.facts.models.careers import Position, Study
from kg.facts.values.references import OrganizationRef

Parents = dict[str, str]


def lineage(slug: str, parents: Parents) -> list[str]:
    """An organisation, what it is part of, and so on upwards; a circle ends where it closes."""
    above = [slug]
    while (slug := parents.get(slug, "")) and slug not in above:
        above.append(slug)
    return above


def units(facts: Facts) -> Iterator[Problem]:
    parents = facts.parents
    for each, position in facts.of(Position):
        yield from unit_of(each, position.unit, position.organization, parents)
    for each, study in facts.of(Study):
        yield from unit_of(each, study.unit, study.institution, parents)


def unit_of(
    each: Loaded, unit: OrganizationRef | None, whole: OrganizationRef, parents: Parents
) -> Iterator[Problem]:
    if unit and whole.slug not in lineage(unit.slug, parents):
        message = (
            f"{each.row.path}: unit '{unit.slug}' is not part of '{whole.slug}'. Give it a "
            "'parent' there, or correct one of the two."
        )
        yield Problem(each.row.at("unit"), "error", message, "unit-elsewhere")


def two_employers(facts: Facts) -> Iterator[Problem]:
    """Each public position that is current beside one at another employer, unless one of the two is
    marked as secondary.
    """
    parents = facts.parents
    current: dict[str, list[tuple[Loaded, Position]]] = defaultdict(list)
    for each, position in facts.of(Position):
        if (
            position.endDate
            and position.endDate.text == "present"
            and not position.secondary
            and not each.is_private
        ):
            current[each.slug].append((each, position))
    for positions in current.values():
        first: dict[str, tuple[Loaded, Position]] = {}
        for each, position in positions:
            employer = lineage(position.organization.slug, parents)[-1]
            other = next((known for name, known in first.items() if name != employer), None)
            first.setdefault(employer, (each, position))
            if other:
                here, slug, there = (
                    position.organization.slug,
                    other[1].organization.slug,
                    other[0].row.at("endDate"),
                )
                message = (
                    f"{each.row.path}: '{here}' is a current employer, and so is '{slug}' "
                    f"({there}). "
                    "End one of the positions, or mark it 'secondary: true'."
                )
                yield Problem(each.row.at("endDate"), "warning", message, "two-employers", (there,))
