"""People: the owners of CVs and everyone they name."""

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
from kg.facts.models.sections import Layout, Statement
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
from kg.vocab import Iri, cv, foaf, measures, schema

NUMBERED = [scheme for scheme in SCHEMES if scheme != "orcid"]  # which has a field of its own
MEASURES = {"h-index": measures.h_index, "citations": measures.citations}


class Metric(Entry):
    """A number about somebody's work, on a day: an h-index, a count of citations."""

    types = (schema.Observation,)
    within = term(schema.observationAbout)
    key = "metric-{name}-{date}"

    name: Annotated[
        Text,
        "h-index, citations, or any other.",
        term(schema.name),
        term(schema.variableMeasured, as_=lambda name: MEASURES.get(name.casefold())),
    ]
    value: Annotated[Number, "21", term(schema.value)]
    date: Annotated[Date | None, "When it was so: 2026-01.", term(schema.observationDate)] = None
    url: Annotated[WebAddress | None, "Where it can be looked up.", term(schema.url)] = None


class Affiliation(Fact):
    """Being with an organisation, as the registry says and nobody says as what; undated."""

    types = (cv.Affiliation, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    fixed = {schema.roleName: "Affiliated"}
    key = "at-{organization}"

    organization: Annotated[OrganizationRef, term(schema.affiliation)]


class Post(Fact):
    """Where somebody without a CV works, as the registry says; undated."""

    types = (cv.Employment, schema.EmployeeRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "work-{organization}-{position}"

    organization: Annotated[OrganizationRef, term(schema.affiliation), term(cv.employer)]
    position: Annotated[Worded, term(schema.roleName)]


class Person(Main):
    """Somebody named in a CV: name, variants and links, nothing else."""

    types: ClassVar[tuple[Iri, ...]] = (schema.Person, foaf.Person)

    name: Annotated[
        Text,
        "The whole name, as the person writes it: Hana Lind.",
        term(schema.name),
        term(foaf.name),
    ]
    givenName: Annotated[
        Text | None,
        "Hana; lists and citations need it.",
        term(schema.givenName),
        term(foaf.givenName),
    ] = None
    familyName: Annotated[
        Text | None, "Lind; lists are sorted by it.", term(schema.familyName), term(foaf.familyName)
    ] = None
    additionalName: Annotated[
        Text | None, "A name between the two, such as a middle name.", term(schema.additionalName)
    ] = None
    alternateNames: Annotated[
        list[OtherName],
        Listed,
        "Other spellings, as papers print them; in another script `{name: 森山花, lang: ja}`.",
        term(schema.alternateName),
    ] = EMPTY
    formerNames: Annotated[
        list[FormerName],
        Listed,
        "Names from before, by which older works are found; private unless `visibility: public`.",
        term(cv.formerName, as_=lambda former: former.name),
        term(schema.alternateName, as_=lambda former: former.name),
    ] = EMPTY
    url: Annotated[
        list[Homepage],
        Listed,
        "Your own page, or several: https://ada.example.org/.",
        term(schema.url, as_=lambda website: website.address),
        term(foaf.homepage, as_=lambda website: website.address),
    ] = EMPTY
    profiles: Annotated[
        list[Account],
        "Where else you are found: `{network: github, username: ada}`, `{label: My blog, url: …}`.",
        term(foaf.account),
        term(schema.sameAs, as_=lambda account: account.address),
    ] = EMPTY
    orcid: Annotated[
        Orcid | None, "0000-0002-1825-0097", unmapped("an identifier of its own, and an address")
    ] = None
    identifiers: Annotated[
        Identifiers,
        f"Your numbers elsewhere: `{{scopus: …}}`. Known: {', '.join(NUMBERED)}.",
        unmapped("a node for each, and its address"),
    ]
    organization: Annotated[
        OrganizationRef | None,
        "Where somebody without a CV works; for yourself, write `work`.",
        unmapped("a role of its own"),
    ] = None
    position: Annotated[
        Text | None, "As what they work there.", unmapped("the name of that role")
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
        """Those that have a label."""
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
    """The person a CV is about: `basics` in the file."""

    types = (cv.Owner, schema.Person, foaf.Person)

    honorific: Annotated[
        Text | None, "Before your name: Dr.", term(schema.honorificPrefix), term(foaf.title)
    ] = None
    honorificSuffix: Annotated[
        Text | None, "After your name: FRS.", term(schema.honorificSuffix)
    ] = None
    pronouns: Annotated[Text | None, "she/her", term(schema.pronouns)] = None
    label: Annotated[
        Worded | None,
        "What you are, in a few words: Glaciologist.",
        term(schema.disambiguatingDescription),
    ] = None
    summary: Annotated[
        Prose | None,
        "Who you are and what you work on, in a paragraph or two.",
        term(schema.description),
    ] = None
    statement: Annotated[
        Prose | None,
        "What you work on and aim at, at length: paragraphs of Markdown.",
        unmapped("a section of that title"),
    ] = None
    image: Annotated[
        Picture | None,
        "A picture of you: the name of a file in `static/`, or a web address.",
        term(schema.image),
        term(foaf.img),
    ] = None
    location: Annotated[
        PlaceRef | None, "Where you live: Tromsø, Norway.", term(schema.homeLocation)
    ] = None
    office: Annotated[
        Text | None,
        "The room where you work: Main building, B 241.",
        unmapped("a place of its own"),
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
        "One or several; private unless `visibility: public`.",
        term(schema.telephone, as_=lambda phone: phone.value),
        term(foaf.phone, as_=lambda phone: phone.tel),
    ] = EMPTY
    address: Annotated[
        StreetAddress | None,
        "A text, or `{street, postalCode, city, region, country}`; private unless "
        "`visibility: public`.",
        term(schema.address, as_=lambda address: address.written),
    ] = None
    birthDate: Annotated[
        BirthDate | None,
        "Private unless `{value: 1985-04-03, visibility: public}`.",
        term(schema.birthDate, as_=lambda date: date.value),
    ] = None
    nationality: Annotated[
        list[PersonalText],
        Listed,
        "A country; private unless `{value: Norway, visibility: public}`.",
        term(
            schema.nationality,
            as_=lambda country: (
                Nationality.unchecked(name=country.value) if country.value else None
            ),
        ),
    ] = EMPTY
    gender: Annotated[
        PersonalText | None,
        "Private unless `{value: …, visibility: public}`.",
        term(schema.gender, as_=lambda gender: gender.value),
        term(foaf.gender, as_=lambda gender: gender.value),
    ] = None
    metrics: Annotated[
        list[Metric], "Numbers about your work: `{name: h-index, value: 21, date: 2026-01}`."
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


LISTED = "each work says who wrote it; the check compares that with this list"


class Listing(Short, Fact):
    """A publication in the owner's list."""

    short = "key"

    publication: Annotated[PublicationRef, Field(alias="key"), withheld(LISTED)]
    selected: Annotated[bool, unmapped("the owner's `cv:selectedWork`")] = False


class Cv(Fact):
    """What a CV says of its owner besides `basics` and the sections."""

    modified: Annotated[
        Date | None,
        "The day you last changed this CV: 2026-01-15.",
        unmapped("the page's dateModified"),
    ] = None
    language: Annotated[
        Tag | None,
        "The tag of the language this CV is written in, e.g. en; without it, the site's.",
        unmapped("of a text in several languages, the one that pages show first"),
    ] = None
    visibility: Annotated[
        dict[str, Visibility], unmapped("of whole sections: `{talks: private}`")
    ] = NOTHING
    layout: Annotated[
        Layout | None,
        "The order of the sections on your page, by their names here or the titles of your own.",
        unmapped("a line of the page, and of no fact"),
    ] = None
    sources: Annotated[
        list[SourceRef],
        Listed,
        unmapped("the page's isBasedOn, and the `source` of every entry that names none"),
    ] = EMPTY
    publications: Annotated[
        list[Listing],
        unmapped(
            "works: the key of each, or the whole entry as in data/publications.yaml, with a `key` "
            "of your own if you like; `selected: true` shows it first. The name of a .bib or "
            "CSL-JSON file beside the CV, `papers.bib`, stands for all works in it; those that the "
            "list names besides may be selected"
        ),
    ] = EMPTY
    patents: Annotated[list[PatentRef], Listed, withheld(LISTED)] = EMPTY

    @computed(term(cv.selectedWork), field="publications")
    def selected(self) -> list[PublicationRef]:
        return [listing.publication for listing in self.publications if listing.selected]

    @property
    def works(self) -> dict[str, Sequence[Reference]]:
        """What the owner should be an author of, by kind."""
        publications = [listing.publication for listing in self.publications]
        return {"publications": publications, "patents": self.patents}
