"""Models of languages, skills and interests."""

from typing import Annotated, Literal

from kg.facts.models.base import EMPTY, Entry, Sourced
from kg.facts.values.references import LanguageRef, SourceRef, TopicRef
from kg.facts.values.terms import computed, term, unmapped
from kg.facts.values.text import Listed, Text
from kg.vocab import cv, foaf, schema

ON_THE_ROLE = "becomes the source of the role"


class LanguageRole(Sourced):
    """A language and its level."""

    types = (cv.LanguageSkill, schema.Role)
    key = "language-{language}"

    language: Annotated[LanguageRef, term(schema.skills)]
    roleName: Annotated[Text, term(schema.roleName)]
    description: Annotated[Text | None, term(schema.description)] = None


class Spoken(Entry):
    """A language you know: its name or tag alone (`en`, `German`), or with a level."""

    accepts_text = True

    language: Annotated[LanguageRef, "Its name or tag: German, de.", term(schema.knowsLanguage)]
    level: Annotated[
        Text | None,
        "The level: native, A1 to C2, or your own words.",
        unmapped("becomes the name of a role on `schema:skills`"),
    ] = None
    reading: Annotated[
        Text | None,
        "The level of reading: C1.",
        unmapped("becomes part of that role's description"),
    ] = None
    listening: Annotated[
        Text | None,
        "The level of listening: C1.",
        unmapped("becomes part of that role's description"),
    ] = None
    speaking: Annotated[
        Text | None,
        "The level of speaking: B2.",
        unmapped("becomes part of that role's description"),
    ] = None
    writing: Annotated[
        Text | None,
        "The level of writing: B2.",
        unmapped("becomes part of that role's description"),
    ] = None

    @computed(term(schema.skills), field="level language")
    def role(self) -> LanguageRole | None:
        parts = [
            f"{name} {level}"
            for name in ("reading", "listening", "speaking", "writing")
            if (level := getattr(self, name))
        ]
        if not (self.level or parts):
            return None
        level, details = self.level or "Speaker", ", ".join(parts)
        return LanguageRole.unchecked(
            language=self.language,
            roleName=level,
            description=details[:1].upper() + details[1:] or None,
            source=self.source,
        )


class SkillRole(Sourced):
    """A skill, with its level and group."""

    types = (cv.Skill, schema.Role)
    key = "skill-{topic}"

    topic: Annotated[TopicRef, term(schema.skills)]
    roleName: Annotated[Text, term(schema.roleName)] = "Skill"
    description: Annotated[Text | None, term(schema.description)] = None
    amount: Annotated[Text | None, term(schema.disambiguatingDescription)] = None
    position: Annotated[int, term(schema.position)]


class Skill(Entry):
    """A skill: text (`Python`), a skill with a level, or a group: `{name: Programming, keywords:
    [Python, C]}`.
    """

    accepts_text = True
    from_loader = ("group", "amount", "position")

    name: Annotated[
        TopicRef,
        "The skill; with `keywords`, the name of the group.",
        term(schema.knowsAbout),
    ]
    level: Annotated[
        Literal["beginner", "intermediate", "advanced", "expert"] | None,
        unmapped("becomes the name of the role on `schema:skills`"),
    ] = None
    keywords: Annotated[
        list[Text],
        "The skills of a group.",
        unmapped("each becomes a skill; the group is the description of its role"),
    ] = EMPTY
    # filled by the loader from the name of a group
    group: Annotated[Text | None, unmapped("becomes the description of the role")] = None
    # filled by the loader from keywords such as `7 projects`
    amount: Annotated[Text | None, unmapped("becomes a note of the role")] = None
    position: Annotated[int, unmapped("becomes the position of the role")]
    source: Annotated[list[SourceRef], Listed, unmapped(ON_THE_ROLE)] = EMPTY

    @computed(term(schema.skills), field="name level")
    def role(self) -> SkillRole:
        return SkillRole.unchecked(
            topic=self.name,
            roleName=self.level.capitalize() if self.level else "Skill",
            description=self.group,
            amount=self.amount,
            position=self.position,
            source=self.source,
        )


class Interest(Entry):
    """An interest or research topic: text (`Sea ice`), or with `keywords`."""

    accepts_text = True

    name: Annotated[TopicRef, term(schema.knowsAbout), term(foaf.topic_interest)]
    keywords: Annotated[list[Text], "Related interests.", unmapped("each becomes an interest")] = (
        EMPTY
    )
