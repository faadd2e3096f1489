"""Models of entities that CVs refer to: organisations, places, topics, languages, projects, systems
and sources.
"""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from kg.facts.models.base import EMPTY, Main, Named, WithDoi
from kg.facts.values.dates import Date
from kg.facts.values.identifiers import License
from kg.facts.values.naming import tag_of
from kg.facts.values.prose import Prose
from kg.facts.values.references import GrantRef, OrganizationRef, PersonRef, PlaceRef, SourceRef
from kg.facts.values.terms import Fact, computed, term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress, require
from kg.vocab import Iri, dcterms, foaf, rdf, schema

ORGANIZATION_TYPES: dict[str, Iri] = {
    "university": schema.CollegeOrUniversity,
    "company": schema.Corporation,
    "laboratory": schema.ResearchOrganization,
    "institute": schema.ResearchOrganization,
    "programme": schema.FundingScheme,
}
# Kinds without a class of their own; `other` adds nothing.
ORGANIZATION_WORDS = {
    kind: kind.capitalize()
    for kind in ("institute", "publisher", "society", "team", "club", "department", "government")
}


def check_ror(text: str) -> str:
    """Accepts a ROR identifier, bare or as an address."""
    text = re.sub(r"^https?://ror\.org/", "", text)
    good = re.fullmatch(r"0[a-hj-km-np-tv-z0-9]{6}[0-9]{2}", text)
    require(
        good,
        "ror",
        f"{text!r} is not a ROR identifier. Write the nine letters and digits at the end of its "
        "address at ror.org.",
    )
    return text


class Organization(Named):
    """An employer, school, laboratory, publisher or society, or a unit of one."""

    types = (schema.Organization, foaf.Organization)

    name: Annotated[Text, term(schema.name), term(foaf.name)]
    kind: Annotated[
        Literal[
            "university",
            "company",
            "laboratory",
            "institute",
            "publisher",
            "society",
            "team",
            "club",
            "department",
            "government",
            "programme",
            "other",
        ]
        | None,
        term(rdf.type, as_=ORGANIZATION_TYPES.get),
        term(schema.keywords, as_=ORGANIZATION_WORDS.get),
    ] = None
    parent: Annotated[OrganizationRef | None, term(schema.parentOrganization)] = None
    location: Annotated[PlaceRef | None, term(schema.location)] = None
    url: Annotated[WebAddress | None, term(schema.url), term(foaf.homepage)] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    sameAs: Annotated[list[WebAddress], Listed, term(schema.sameAs)] = EMPTY
    ror: Annotated[
        Annotated[str, AfterValidator(check_ror)] | None,
        term(schema.sameAs, as_=lambda ror: WebAddress(f"https://ror.org/{ror}")),
    ] = None


class PostalAddress(Fact):
    """The address of a place: town, region, country; a street only for a person who publishes
    it.
    """

    types = (schema.PostalAddress,)
    key = "address"

    street: Annotated[Text | None, term(schema.streetAddress)] = None
    postalCode: Annotated[Text | None, term(schema.postalCode)] = None
    locality: Annotated[Text | None, term(schema.addressLocality)] = None
    region: Annotated[Text | None, term(schema.addressRegion)] = None
    country: Annotated[Text | None, term(schema.addressCountry)] = None


class GeographicPlace(Named):
    """A town or campus."""

    types = (schema.Place, dcterms.Location)

    locality: Annotated[Text | None, unmapped("becomes part of the address")] = None
    region: Annotated[Text | None, unmapped("becomes part of the address")] = None
    country: Annotated[Text | None, unmapped("becomes part of the address")] = None

    @computed(term(schema.address), field="locality")
    def address(self) -> PostalAddress | None:
        parts = {"locality": self.locality, "region": self.region, "country": self.country}
        return PostalAddress.unchecked(**parts) if any(parts.values()) else None


class Topic(Named):
    """A subject of work or study, or a programming language."""

    types = (schema.DefinedTerm,)
    fixed = {schema.inDefinedTermSet: Iri("topics/#it")}

    kind: Annotated[
        Literal["language"] | None, term(rdf.type, as_=lambda kind: schema.ComputerLanguage)
    ] = None


class Language(Main):
    """A human language; its key is its tag, or its name if it has none."""

    types = (schema.Language, schema.DefinedTerm)
    from_loader = ("tag",)

    name: Annotated[Text, term(schema.name)]
    # filled from the key, or from the name; a language may have none
    tag: Annotated[Text | None, unmapped("becomes the tag")] = None

    @computed(term(schema.termCode), field="tag")
    def code(self) -> str | None:
        return (self.tag and tag_of(self.tag, self.name)) or self.tag


class Project(Named):
    """A project. Not typed as an organisation, unlike in schema.org, to keep it apart from
    employers. A funder, a grant or `kind: research` makes it a research project.
    """

    types = (schema.Project, foaf.Project)

    name: Annotated[Text, term(schema.name), term(foaf.name)]
    kind: Annotated[
        Literal["research"] | None, term(rdf.type, as_=lambda kind: schema.ResearchProject)
    ] = None
    parent: Annotated[OrganizationRef | None, term(schema.parentOrganization)] = None
    url: Annotated[WebAddress | None, term(schema.url), term(foaf.homepage)] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    funder: Annotated[OrganizationRef | None, "The funder.", term(schema.funder)] = None
    grant: Annotated[list[GrantRef], Listed, "The grants that fund it.", term(schema.funding)] = (
        EMPTY
    )


class System(WithDoi, Named):
    """A piece of software."""

    types = (schema.SoftwareApplication, schema.CreativeWork, foaf.Project)

    name: Annotated[Text, term(schema.name), term(foaf.name)]
    url: Annotated[WebAddress | None, term(schema.url), term(foaf.homepage)] = None
    repository: Annotated[
        WebAddress | None,
        term(schema.codeRepository),
        term(rdf.type, as_=lambda address: schema.SoftwareSourceCode),
    ] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    version: Annotated[Text | None, "The current version.", term(schema.softwareVersion)] = None
    license: Annotated[
        License | None, "Its SPDX name (MIT, Apache-2.0), or an address.", term(schema.license)
    ] = None
    languages: Annotated[
        list[Text],
        Listed,
        "The programming languages: Python, C.",
        term(schema.programmingLanguage),
        term(rdf.type, as_=lambda language: schema.SoftwareSourceCode),
    ] = EMPTY


class Source(Main):
    """A document that facts were taken from."""

    types = (schema.DigitalDocument, schema.CreativeWork)

    name: Annotated[Text, term(schema.name)]
    kind: Annotated[Text | None, term(schema.genre)] = None
    date: Annotated[Date | None, term(schema.dateCreated)] = None
    person: Annotated[PersonRef | None, term(schema.about)] = None
    links: Annotated[list[SourceRef], Listed, term(schema.mentions)] = EMPTY
