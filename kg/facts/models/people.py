"""Models of people: those with a CV, and everyone they name."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from kg.facts.models.base import EMPTY, NOTHING, Entry, Identifier, Main, Short, Visibility
from kg.facts.models.contacts import (
    Account,
    BirthDate,
    Contact,
    ContactPoint,
    Email,
    FormerName,
    Homepage,
    Nationality,
    PersonalText,
    Picture,
    Room,
    StreetAddress,
)
from kg.facts.models.sections import Layout, Statement, Sync
from kg.facts.values.dates import Date
from kg.facts.values.languages import OtherName, Tag, Worded
from kg.facts.values.person_identifiers import SCHEMES, Identifiers, Orcid, address_of
from kg.facts.values.prose import Prose
from kg.facts.values.references import (
    OrganizationRef,
    PatentRef,
    PlaceRef,
    PublicationRef,
    Reference,
    SourceRef,
)
from kg.facts.values.terms import Fact, computed, inverse, term, unmapped, withheld
from kg.facts.values.text import Listed, Number, Text, WebAddress, require
from kg.vocab import Iri, cv, foaf, schema

NUMBERED = [scheme for scheme in SCHEMES if scheme != "orcid"]  # ORCID has its own field
MEASURES = {"h-index": cv.hIndex, "citations": cv.citations}


class Metric(Entry):
    """A metric of a person's work on a given date: h-index, citations."""

    types = (schema.Observation,)
    within = term(schema.observationAbout)
    key = "metric-{name}-{date}"

    name: Annotated[
        Text,
        "h-index, citations, or another metric.",
        term(schema.name),
        term(schema.variableMeasured, as_=lambda name: MEASURES.get(name.casefold())),
    ]
    value: Annotated[Number, "The number: 21.", term(schema.value)]
    date: Annotated[
        Date | None, "The date of the count: 2026-01.", term(schema.observationDate)
    ] = None
    url: Annotated[WebAddress | None, "A page that shows it.", term(schema.url)] = None


class Affiliation(Fact):
    """An undated affiliation from the registry, without a position."""

    types = (cv.Affiliation, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    fixed = {schema.roleName: "Affiliated"}
    key = "at-{organization}"

    organization: Annotated[OrganizationRef, term(schema.affiliation)]


class Post(Fact):
    """The undated position of a person without a CV, from the registry."""

    types = (cv.Employment, schema.EmployeeRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "work-{organization}-{position}"

    organization: Annotated[OrganizationRef, term(schema.affiliation), term(cv.employer)]
    position: Annotated[Worded, term(schema.roleName)]


class Person(Main):
    """A person named in a CV: names and links only."""

    types: ClassVar[tuple[Iri, ...]] = (schema.Person, foaf.Person)

    name: Annotated[
        Text,
        "The full name as the person writes it: Hana Lind.",
        term(schema.name),
        term(foaf.name),
    ]
    givenName: Annotated[
        Text | None,
        "Hana; used in lists and citations.",
        term(schema.givenName),
        term(foaf.givenName),
    ] = None
    familyName: Annotated[
        Text | None, "Lind; lists are sorted by it.", term(schema.familyName), term(foaf.familyName)
    ] = None
    additionalName: Annotated[Text | None, "A middle name.", term(schema.additionalName)] = None
    alternateNames: Annotated[
        list[OtherName],
        Listed,
        "Other spellings, as printed on papers; in another script `{name: 森山花, lang: ja}`.",
        term(schema.alternateName),
    ] = EMPTY
    formerNames: Annotated[
        list[FormerName],
        Listed,
        "Former names, which identify older works; private by default.",
        term(cv.formerName, as_=lambda former: former.name),
        term(schema.alternateName, as_=lambda former: former.name),
    ] = EMPTY
    url: Annotated[
        list[Homepage],
        Listed,
        "Your website, or several: https://ada.example.org/.",
        term(schema.url, as_=lambda website: website.address),
        term(foaf.homepage, as_=lambda website: website.address),
    ] = EMPTY
    profiles: Annotated[
        list[Account],
        "Profiles: `{network: github, username: ada}`, `{label: My blog, url: …}`.",
        term(foaf.account),
        term(schema.sameAs, as_=lambda account: account.address),
    ] = EMPTY
    orcid: Annotated[
        Orcid | None,
        "Your ORCID: 0000-0002-1825-0097.",
        unmapped("becomes an identifier and sameAs"),
    ] = None
    identifiers: Annotated[
        Identifiers,
        f"Your other identifiers: `{{scopus: …}}`. Known: {', '.join(NUMBERED)}.",
        unmapped("each becomes an identifier node with its address"),
    ]
    organization: Annotated[
        OrganizationRef | None,
        "The employer of a person without a CV; for yourself, use `work`.",
        unmapped("becomes a role"),
    ] = None
    position: Annotated[
        Text | None, "Their position there.", unmapped("becomes the name of that role")
    ] = None

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="orcid identifiers",
    )
    def known_as(self) -> list[Identifier]:
        orcid = self.orcid or self.identifiers.get("orcid")
        own = [Identifier.registered("orcid", orcid)] if orcid else []
        others = [
            Identifier.unchecked(
                scheme=scheme, propertyID=scheme, value=value, url=address_of(scheme, value)
            )
            for scheme, value in self.identifiers.items()
            if scheme != "orcid"
        ]
        return own + others

    @computed(term(schema.contactPoint), field="url")
    def contact_points(self) -> list[ContactPoint]:
        """Websites that have a label."""
        return [each.point for each in self.url if each.label and each.address]

    @computed(field="organization")
    def affiliation(self) -> Post | Affiliation | None:
        if not self.organization:
            return None
        if self.position:
            return Post.unchecked(organization=self.organization, position=self.position)
        return Affiliation.unchecked(organization=self.organization)

    @model_validator(mode="after")
    def position_needs_a_place(self) -> Self:
        message = "'position' needs an 'organization'. Add it."
        require(not self.position or self.organization, "missing-field", message, "position")
        return self


class Owner(Person):
    """The person of a CV: `basics` in the file."""

    types = (cv.Owner, schema.Person, foaf.Person)

    honorific: Annotated[
        Text | None,
        "The title before your name: Dr.",
        term(schema.honorificPrefix),
        term(foaf.title),
    ] = None
    honorificSuffix: Annotated[
        Text | None, "Letters after your name: FRS.", term(schema.honorificSuffix)
    ] = None
    pronouns: Annotated[Text | None, "Your pronouns: she/her.", term(schema.pronouns)] = None
    label: Annotated[
        Worded | None,
        "Your profession in a few words: Glaciologist.",
        term(schema.disambiguatingDescription),
    ] = None
    summary: Annotated[
        Prose | None,
        "A short biography, in one or two paragraphs.",
        term(schema.description),
    ] = None
    statement: Annotated[
        Prose | None,
        "A longer statement of your work and aims, in Markdown.",
        unmapped("becomes the section 'Statement'"),
    ] = None
    image: Annotated[
        Picture | None,
        "A photo of you: a file in `static/`, or a web address.",
        term(schema.image),
        term(foaf.img),
    ] = None
    location: Annotated[
        PlaceRef | None, "Where you live: Tromsø, Norway.", term(schema.homeLocation)
    ] = None
    office: Annotated[
        Text | None,
        "Your office: Main building, B 241.",
        unmapped("becomes a place"),
    ] = None
    email: Annotated[
        list[Email],
        Listed,
        "One or several; the page shows those with `visibility: public`.",
        term(foaf.mbox_sha1sum, as_=lambda email: email.hash),
        term(schema.email, as_=lambda email: email.value),
        term(foaf.mbox, as_=lambda email: email.mailto),
    ] = EMPTY
    phone: Annotated[
        list[Contact],
        Listed,
        "One or several; private by default.",
        term(schema.telephone, as_=lambda phone: phone.value),
        term(foaf.phone, as_=lambda phone: phone.tel),
    ] = EMPTY
    address: Annotated[
        StreetAddress | None,
        "Text, or `{street, postalCode, city, region, country}`; private by default.",
        term(schema.address, as_=lambda address: address.written),
    ] = None
    birthDate: Annotated[
        BirthDate | None,
        "Private by default; to publish it, write `{value: 1985-04-03, visibility: public}`.",
        term(schema.birthDate, as_=lambda date: date.value),
    ] = None
    nationality: Annotated[
        list[PersonalText],
        Listed,
        "A country; private by default. To publish it, write "
        "`{value: Norway, visibility: public}`.",
        term(
            schema.nationality,
            as_=lambda country: (
                Nationality.unchecked(name=country.value) if country.value else None
            ),
        ),
    ] = EMPTY
    gender: Annotated[
        PersonalText | None,
        "Private by default; to publish it, write `{value: …, visibility: public}`.",
        term(schema.gender, as_=lambda gender: gender.value),
        term(foaf.gender, as_=lambda gender: gender.value),
    ] = None
    metrics: Annotated[
        list[Metric], "Metrics of your work: `{name: h-index, value: 21, date: 2026-01}`."
    ] = EMPTY

    @computed(term(schema.workLocation), field="office")
    def workplace(self) -> Room | None:
        return Room.unchecked(name=self.office) if self.office else None

    @computed(term(schema.contactPoint), field="email phone url")
    def contact_points(self) -> list[ContactPoint]:
        emails = [each.point for each in self.email if each.label and each.value]
        phones = [each.point for each in self.phone if each.label and each.value]
        return [*emails, *phones, *super().contact_points]

    @computed(field="statement")
    def statement_section(self) -> Statement | None:
        return Statement.unchecked(text=self.statement) if self.statement else None


LISTED = "the authors of each work are published instead; `kg check` compares them with this list"


class Listing(Short, Fact):
    """An entry in the list of publications of a CV."""

    short = "key"

    publication: Annotated[PublicationRef, Field(alias="key"), withheld(LISTED)]
    selected: Annotated[bool, unmapped("becomes `cv:selectedWork` of the person")] = False


class Cv(Fact):
    """The fields of a CV beside `basics` and the sections."""

    modified: Annotated[
        Date | None,
        "The date of your last change: 2026-01-15.",
        unmapped("becomes dateModified of the page"),
    ] = None
    language: Annotated[
        Tag | None,
        "The language tag of this CV, e.g. en (default: that of the site).",
        unmapped("pages show texts in this language first"),
    ] = None
    visibility: Annotated[
        dict[str, Visibility], unmapped("the visibility of whole sections: `{talks: private}`")
    ] = NOTHING
    layout: Annotated[
        Layout | None,
        "The order of the sections on your page, by name or by the title of your own sections.",
        unmapped("used for the page only"),
    ] = None
    sync: Annotated[
        Sync | None,
        withheld("what `kg sync` asks for you, such as `{sources: [orcid, crossref]}`"),
    ] = None
    sources: Annotated[
        list[SourceRef],
        Listed,
        "The documents that this CV was taken from.",
        unmapped("becomes isBasedOn of the page, and the `source` of every entry without one"),
    ] = EMPTY
    publications: Annotated[
        list[Listing],
        unmapped(
            "keys of works, or full entries as in data/publications.yaml, optionally with a "
            "`key`. `selected: true` shows a work first. The name of a .bib or CSL-JSON file "
            "beside the CV, `papers.bib`, lists all works in it; add the keys of those that you "
            "select"
        ),
    ] = EMPTY
    patents: Annotated[list[PatentRef], Listed, withheld(LISTED)] = EMPTY

    @computed(term(cv.selectedWork), field="publications")
    def selected(self) -> list[PublicationRef]:
        return [listing.publication for listing in self.publications if listing.selected]

    @property
    def works(self) -> dict[str, Sequence[Reference]]:
        """The works that the person should be an author of, by kind."""
        publications = [listing.publication for listing in self.publications]
        return {"publications": publications, "patents": self.patents}
