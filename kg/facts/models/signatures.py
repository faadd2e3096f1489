"""Who made a work, in order and under the name that is printed: authors, editors, translators and
others.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, model_validator

from kg.advice.several_names import refuse_several
from kg.facts.models.base import EMPTY
from kg.facts.models.people import Person
from kg.facts.values.languages import Worded
from kg.facts.values.person_identifiers import Orcid
from kg.facts.values.references import AuthorRef, Context
from kg.facts.values.terms import Fact, Mention, term, unmapped
from kg.facts.values.text import Listed, Text
from kg.vocab import Iri, cv, schema

CREDIT = "https://credit.niso.org/contributor-roles/{}/"
CreditRole = Literal[
    "conceptualization",
    "data-curation",
    "formal-analysis",
    "funding-acquisition",
    "investigation",
    "methodology",
    "project-administration",
    "resources",
    "software",
    "supervision",
    "validation",
    "visualization",
    "writing-original-draft",
    "writing-review-editing",
]


class PrintedName(Fact):
    """A name in a list of those who made a work, at its place there. Who it is follows from the
    name, unless `person` says so, or an `orcid` that somebody here has.
    """

    types = (schema.Role, schema.ListItem)
    accepts_text = True
    filled = ("person",)

    printed: Annotated[
        Text, "The name as it is printed.", Field(alias="as"), term(schema.alternateName)
    ]
    orcid: Annotated[
        Orcid | None,
        "The ORCID of somebody who has no entry here.",
        unmapped("an identifier of the person"),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def name_the_person(cls, value: Any, info: ValidationInfo) -> Any:
        names = info.context.names if info.context else None
        if isinstance(value, str) and value:  # as most are
            refuse_several(value, names.is_claimed if names else bool, "as")
            printed = names.present_name(value) if names and names.former else value
            return {"as": printed, "person": value}
        row = value
        if isinstance(row, dict) and "as" not in row and isinstance(row.get("person"), str):
            people = (info.context or Context({})).rows.get("people", {})
            row = {"as": people.get(row["person"], {}).get("name"), **row}
        if not isinstance(row, dict) or not row.get("as"):
            return value
        named = {"person": row["as"], **row}
        if "orcid" in row and "person" not in row:
            named["person"] = by_orcid(row, info.context or Context({}))
        if names and names.former:
            named["as"] = names.present_name(row["as"])
        return named


def by_orcid(row: Mapping[str, Any], context: Context) -> Any:
    """Whom name and ORCID mean together: the person that has the name, the one that has the ORCID,
    or a person of its own, of whom both are known.
    """
    name, orcid = row["as"], str(row["orcid"]).rpartition("/")[2]
    if context.names is None or not isinstance(name, str):
        return name
    found = context.names.person(name, context.owners)
    if not isinstance(found, Mention):
        return found
    if slug := context.names.orcids.get(orcid):
        return AuthorRef("people", slug, context.names.people[slug])
    return found._replace(fact=Person.unchecked(name=name, orcid=orcid))


class Signature(PrintedName):
    """An author of a work."""

    fixed = {schema.roleName: "Author"}
    key = "author-{position}"

    person: Annotated[
        AuthorRef,
        "The key of the person, where the name does not say who it is.",
        term(schema.creator),
        term(schema.item),
    ]
    equal: Annotated[
        bool | None,
        "`true` for each of those who contributed equally.",
        term(cv.equalContribution, as_=lambda equal: equal or None),
    ] = None
    corresponding: Annotated[
        bool | None,
        "`true` for whom to write to.",
        term(cv.correspondingAuthor, as_=lambda corresponding: corresponding or None),
    ] = None
    roles: Annotated[
        list[CreditRole],
        Listed,
        "What the author did, in the words of CRediT.",
        term(schema.additionalType, as_=lambda role: Iri(CREDIT.format(role))),
    ] = EMPTY


class Contributor(PrintedName):
    """Somebody else who had a part in a work."""

    person: Annotated[AuthorRef, term(schema.contributor), term(schema.item)]


class Editor(Contributor):
    """An editor of a work."""

    fixed = {schema.roleName: "Editor"}
    key = "editor-{position}"


class Translator(Contributor):
    """Who translated a work."""

    fixed = {schema.roleName: "Translator"}
    key = "translator-{position}"


class OtherContributor(Contributor):
    """Somebody who had another part in a work."""

    key = "contributor-{position}"

    role: Annotated[Worded, "What the part was: Illustrator, Preface.", term(schema.roleName)] = (
        "Contributor"
    )
