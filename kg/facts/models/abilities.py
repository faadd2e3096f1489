"""What people know and like: languages, skills, interests. Each may be written as a text alone."""

from typing import Annotated, Literal

from kg.facts.models.base import EMPTY, Entry, Sourced
from kg.facts.values.references import LanguageRef, SourceRef, TopicRef
from kg.facts.values.terms import computed, term, unmapped
from kg.facts.values.text import Listed, Text
from kg.vocab import cv, foaf, schema

ON_THE_ROLE = "on the role"


class LanguageRole(Sourced):
    """How well a language is known."""

    types = (cv.LanguageSkill, schema.Role)
    key = "language-{language}"

    language: Annotated[LanguageRef, term(schema.skills)]
    roleName: Annotated[Text, term(schema.roleName)]
    description: Annotated[Text | None, term(schema.description)] = None


class Spoken(Entry):
    """A language you know: its name or tag alone (`en`, `German`), or with a level."""

    accepts_text = True

    language: Annotated[LanguageRef, "Its name or its tag: German, de.", term(schema.knowsLanguage)]
    level: Annotated[
        Text | None,
        "native, A1 to C2, or how you would say it.",
        unmapped("the name of a role on `schema:skills`"),
    ] = None
    reading: Annotated[Text | None, "C1", unmapped("a part of that role's description")] = None
    listening: Annotated[Text | None, "C1", unmapped("a part of that role's description")] = None
    speaking: Annotated[Text | None, "B2", unmapped("a part of that role's description")] = None
    writing: Annotated[Text | None, "B2", unmapped("a part of that role's description")] = None

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
            roleName=level[:1].upper() + level[1:],
            description=details[:1].upper() + details[1:] or None,
            source=self.source,
        )


class SkillRole(Sourced):
    """That somebody has a skill, maybe at a stated level or in a group with others."""

    types = (cv.Skill, schema.Role)
    key = "skill-{topic}"

    topic: Annotated[TopicRef, term(schema.skills)]
    roleName: Annotated[Text, term(schema.roleName)] = "Skill"
    description: Annotated[Text | None, term(schema.description)] = None


class Skill(Entry):
    """Something you can do: a text alone (`Python`), with a level, or a group of several: `{name:
    Programming, keywords: [Python, C]}`.
    """

    accepts_text = True
    from_loader = ("group",)

    name: Annotated[
        TopicRef,
        "What you can do; with `keywords`, the group they are in.",
        term(schema.knowsAbout),
    ]
    level: Annotated[
        Literal["beginner", "intermediate", "advanced", "expert"] | None,
        unmapped("the name of the role on `schema:skills`"),
    ] = None
    keywords: Annotated[
        list[Text],
        "The skills of a group, each of which is one.",
        unmapped("a skill for each; the group is the description of its role"),
    ] = EMPTY
    # put there by the reader, from the name of a group
    group: Annotated[Text | None, unmapped("the description of the role")] = None
    source: Annotated[list[SourceRef], Listed, unmapped(ON_THE_ROLE)] = EMPTY

    @computed(term(schema.skills), field="name level")
    def role(self) -> SkillRole:
        return SkillRole.unchecked(
            topic=self.name,
            roleName=self.level.capitalize() if self.level else "Skill",
            description=self.group,
            source=self.source,
        )


class Interest(Entry):
    """Something you work on or like: a text alone (`Sea ice`), or with `keywords`."""

    accepts_text = True

    name: Annotated[TopicRef, term(schema.knowsAbout), term(foaf.topic_interest)]
    keywords: Annotated[list[Text], "More of the kind.", unmapped("an interest for each")] = EMPTY
