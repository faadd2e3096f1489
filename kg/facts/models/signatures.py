"""Models of authors, editors, translators and other contributors, in printed order."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, model_validator

from kg.advice.several_names import refuse_several
from kg.facts.models.base import EMPTY
from kg.facts.models.people import Person
from kg.facts.values.languages import Worded
from kg.facts.values.naming import name_in
from kg.facts.values.person_identifiers import Orcid
from kg.facts.values.references import AuthorRef, Context, OrganizationRef, Reference
from kg.facts.values.terms import Fact, Mention, computed, term, unmapped
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
    """A printed name in the author list of a work. The name identifies the person or organisation,
    unless `person`, `organization` or a known `orcid` does.
    """

    types = (schema.Role, schema.ListItem)
    accepts_text = True
    filled = ("as",)
    essential = ("person", "organization")

    printed: Annotated[Text, "The name as printed.", Field(alias="as"), term(schema.alternateName)]
    orcid: Annotated[
        Orcid | None,
        "The ORCID of a person who has no entry here.",
        unmapped("becomes an identifier of the person"),
    ] = None
    familyName: Annotated[
        Text | None,
        "Of a person who has no entry here, if it is not the last word: Calderon Lopez.",
        unmapped("becomes the family name of the person"),
    ] = None
    person: Annotated[
        AuthorRef | None,
        "The key of the person, if the name does not identify them.",
        unmapped("becomes the author or contributor"),
    ] = None
    organization: Annotated[
        OrganizationRef | None,
        "The organisation, if it is no person: ATLAS Collaboration.",
        unmapped("becomes the author or contributor"),
    ] = None

    @property
    def agent(self) -> Reference | Mention | None:
        """The person or organisation."""
        return self.organization or self.person

    @property
    def signer(self) -> str:
        """The key of the person; empty for an organisation."""
        return self.person.slug if self.person and self.person.kind == "people" else ""

    @model_validator(mode="before")
    @classmethod
    def name_the_person(cls, value: Any, info: ValidationInfo) -> Any:
        names = info.context.names if info.context else None
        if isinstance(value, str) and value:  # the usual case
            refuse_several(value, names.is_claimed if names else bool, "as")
            printed = names.present_name(value) if names and names.former else value
            return {"as": printed, "person": value}
        row = value
        if isinstance(row, dict) and "as" not in row:
            row = {"as": printed_name(row, info.context or Context({})), **row}
        if not isinstance(row, dict) or not row.get("as"):
            return value
        named = row if "organization" in row else {"person": row["as"], **row}
        if row.keys() & {"orcid", "familyName"} and not row.keys() & {"person", "organization"}:
            named["person"] = described_person(row, info.context or Context({}))
        if names and names.former:
            named["as"] = names.present_name(row["as"])
        return named


def printed_name(row: Mapping[str, Any], context: Context) -> Any:
    """The name of the person or organisation that an author without a printed name refers to."""
    for field, kind in (("person", "people"), ("organization", "orgs")):
        named = row.get(field)
        if isinstance(named, str) and named in context.rows.get(kind, {}):
            return context.rows[kind][named].get("name")
        if field == "organization" and named:
            return name_in(named) if isinstance(named, Mapping) else named
    return None


def described_person(row: Mapping[str, Any], context: Context) -> Any:
    """Finds a person by name and ORCID: the person with this ORCID, else with this name and no
    other ORCID, else a new person with the name, the family name and the ORCID.
    """
    name, orcid = row["as"], str(row.get("orcid") or "").rpartition("/")[2]
    if context.names is None or not isinstance(name, str):
        return name
    if slug := context.names.orcids.get(orcid):
        return AuthorRef("people", slug, context.names.people[slug])
    found = context.names.person(name, context.owners)
    stated = {"orcid": orcid, "familyName": row.get("familyName")}
    known = {each: stated[each] for each in stated if stated[each]}
    if isinstance(found, Mention):  # with the spelling of the name that all mentions have
        called = found.fact.name if isinstance(found.fact, Person) else name
        return found._replace(fact=Person.unchecked(**{"name": called, **known}))
    fact = Person.unchecked(**{"name": name, **known})
    is_other = orcid and "orcid" in found.row
    return Mention("people", f"{found.slug}-{orcid.lower()}", fact) if is_other else found


class Signature(PrintedName):
    """An author of a work."""

    fixed = {schema.roleName: "Author"}
    key = "author-{position}"

    equal: Annotated[
        bool | None,
        "true for each author who contributed equally.",
        term(cv.equalContribution, as_=lambda equal: equal or None),
    ] = None
    corresponding: Annotated[
        bool | None,
        "true for the corresponding author.",
        term(cv.correspondingAuthor, as_=lambda corresponding: corresponding or None),
    ] = None
    roles: Annotated[
        list[CreditRole],
        Listed,
        "The author's CRediT roles.",
        term(schema.additionalType, as_=lambda role: Iri(CREDIT.format(role))),
    ] = EMPTY

    @computed(term(schema.creator), term(schema.item), field="organization person as")
    def creator(self) -> Reference | Mention | None:
        return self.agent


class Contributor(PrintedName):
    """Another contributor to a work."""

    @computed(term(schema.contributor), term(schema.item), field="organization person as")
    def contributor(self) -> Reference | Mention | None:
        return self.agent


class Editor(Contributor):
    """An editor of a work, or of the proceedings of an edition."""

    fixed = {schema.roleName: "Editor"}
    key = "{within}-editor-{position}"


class Translator(Contributor):
    """A translator of a work."""

    fixed = {schema.roleName: "Translator"}
    key = "translator-{position}"


class OtherContributor(Contributor):
    """A contributor with another role."""

    key = "contributor-{position}"

    role: Annotated[Worded, "The role: Illustrator, Preface.", term(schema.roleName)] = (
        "Contributor"
    )
