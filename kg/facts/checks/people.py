"""People: names nobody claims, people nobody names, and those who would teach themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.models.people import Owner, Person
from kg.facts.models.works import Publication
from kg.facts.values.terms import Mention

IN_TURTLE = re.compile(rb"people/([a-z0-9-]+)")


def unknown_authors(facts: Facts) -> Iterator[Problem]:
    """Only asked where every CV could be read, for one that could not be may claim the name."""
    for each, work in facts.of(Publication) if facts.complete else ():
        for number, signature in enumerate(work.authors):
            if isinstance(signature.person, Mention):
                near = facts.names.near(signature.printed)
                known = f" If it is one of {', '.join(near)}, add it to the alternateNames there."
                hint = known if near else " If you know who it is, say so in data/people.yaml."
                message = (
                    f"{each.row.path}: nobody in the registry is called '{signature.printed}', "
                    f"so it is a person of its own.{hint}"
                )
                yield Problem(
                    each.row.at("authors", number), "info", message, "unregistered-author"
                )


def unmentioned(facts: Facts) -> Iterator[Problem]:
    """Entries of the registry that no fact refers to. Not asked while there are errors: what could
    not be read may refer to them.
    """
    if any(problem.severity == "error" for problem in facts.problems):
        return
    named = facts.notes.named | {
        slug.decode() for path in facts.turtle for slug in IN_TURTLE.findall(path.read_bytes())
    }
    for each, person in facts.of(Person):
        if not isinstance(person, Owner) and each.slug not in named:
            message = (
                f"{each.slug}: nobody refers to this person any more. Remove the entry, or keep "
                "it for later."
            )
            yield Problem(each.row.place, "info", message, "unmentioned")
