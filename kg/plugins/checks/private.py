"""A rule about what is private, and is named or stands out elsewhere."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from kg.check.report.explain import Explanation
from kg.check.rules import PluginRule
from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models.activities import Award, ProjectRole
from kg.facts.models.grants import Funding, Grant
from kg.facts.models.publications import Publication
from kg.facts.models.talks import Talk
from kg.facts.models.things import Project
from kg.facts.values.naming import name_in
from kg.facts.yaml.reader import texts_in
from kg.facts.yaml.rows import Row, place_of
from kg.text.normalize import squeeze

# Entries whose titles are names, not words such as 'Best Paper Award'.
DISTINCT = (Funding, Grant, Project, ProjectRole, Publication, Talk)
MIN_WORDS = 3  # of a title that public texts cannot contain by chance


def private_named(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    public = [each for each in facts.loaded if not each.is_private]
    known = {name_in(row) for each in public for row in rows_of(each)}
    titles = {
        name[1:]: each.row.place  # without its capital, which prose may not have
        for each in facts.loaded
        if each.is_private and isinstance(each.fact, DISTINCT)
        for row in rows_of(each)
        if len((name := name_in(row)).split()) >= MIN_WORDS and name not in known
    }
    for each in public if titles else ():
        for text, spot in texts_in(each.row, each.row.spot):
            said = squeeze(text) if isinstance(text, str) else ""
            for title, place in titles.items():
                if title in said[1:] and title != said[1:]:
                    start = said.index(title, 1) - 1
                    part = said[start : start + len(title) + 1]
                    message = (
                        f"{each.row.path}: this names '{part}', which is private ({place}). "
                        "Remove it here, or make that public."
                    )
                    here = place_of(each.row.file, spot)
                    yield Problem(here, "warning", message, "", (place,), part=part)
    for each, award in facts.of(Award):
        if award.work and award.work.row.get("visibility") == "private" and not each.is_private:
            message = (
                f"{each.row.path}: this award is public, but its work '{award.work.slug}' is "
                "private. Make both public, or both private."
            )
            yield Problem(each.row.at("work"), "warning", message, "")


def rows_of(each: Loaded) -> Iterator[Row]:
    """The row of an entry, and those inside: a grant is written inside one's part in it."""
    yield each.row
    yield from (each.row.row(field) for field in ("grant", "project"))


def site(visibility: str) -> dict[str, str | bytes]:
    return {
        "data/cv/ada.yaml": "basics: {name: Ada Berg}\nnews:\n"
        "  - {date: 2025-01, text: The project Ice on the Moon begins.}\n"
        f"grants: [{{title: Ice on the Moon, funder: firm, visibility: {visibility}}}]\n"
    }


PRIVATE = PluginRule(
    Explanation(
        "A private grant that the news name, or a public award for a private work, becomes known "
        "after all. That may be wanted, so it is a warning and can be accepted.",
        site("private"),
        site("public"),
    ),
    private_named,
)
