"""People: the owners of CVs and everyone they name; their accounts and addresses."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from kg.facts.models.base import EMPTY, NOTHING, Entry, Fact, Identifier, Main, Short, Visibility
from kg.facts.models.sections import Statement
from kg.facts.values.dates import Date
from kg.facts.values.languages import Tag, Worded
from kg.facts.values.prose import WordedProse
from kg.facts.values.references import (
    LanguageRef,
    OrganizationRef,
    PatentRef,
    PlaceRef,
    PublicationRef,
    Reference,
    SourceRef,
    TopicRef,
)
from kg.facts.values.terms import computed, inverse, term, unmapped, withheld
from kg.facts.values.text import Listed, Text, WebAddress, require
from kg.vocab import Iri, cv, foaf, schema

# network -> its homepage, and the address of a user's page
NETWORKS = {
    "github": ("https://github.com/", "https://github.com/{}"),
    "linkedin": ("https://www.linkedin.com/", "https://www.linkedin.com/in/{}/"),
    "google-scholar": (
        "https://scholar.google.com/",
        "https://scholar.google.com/citations?user={}",
    ),
    "orcid": ("https://orcid.org/", "https://orcid.org/{}"),
    "mastodon": ("https://joinmastodon.org/", ""),
    "twitter": ("https://twitter.com/", "https://twitter.com/{}"),
}


class Account(Entry):
    """An account at some network; the address follows from the user's name where the network is
    known.
    """

    types = (foaf.OnlineAccount,)
    key = "account-{network}"

    network: Annotated[
        Text,
        term(
            foaf.accountServiceHomepage,
            as_=lambda network: WebAddress(NETWORKS[network][0]) if network in NETWORKS else None,
        ),
        term(schema.name, as_=lambda network: None if network in NETWORKS else network),
    ]
    username: Annotated[Text | None, term(foaf.accountName)] = None
    url: Annotated[WebAddress | None, unmapped("the person's sameAs")] = None

    @model_validator(mode="after")
    def has_an_address(self) -> Account:
        known = ", ".join(name for name, (_, page) in NETWORKS.items() if page)
        message = f"Where is this profile? Give 'url', or a 'username' at one of {known}."
        require(self.address, "bad-profile", message)
        return self

    @property
    def address(self) -> WebAddress | None:
        if self.url:
            return self.url
        page = NETWORKS.get(self.network, ("", ""))[1]
        return WebAddress.check(page.format(self.username)) if page and self.username else None


class Email(Short):
    """An e-mail address. Unless it is public only its hash is kept, and the address is forgotten
    here.
    """

    value: Annotated[str | None, unmapped("the address, or only its hash")] = None
    sha1: Annotated[str | None, unmapped("the hash, where the address is nowhere in the files")] = (
        None
    )
    visibility: Annotated[
        Literal["public", "hashed", "private"],
        unmapped("whether address, hash or nothing is public"),
    ] = "hashed"

    @model_validator(mode="after")
    def forget(self) -> Email:
        value, sha1 = self.value, self.sha1
        require(
            value is None or re.fullmatch(r"[\w.!#$&'*+/=?~-]+@[\w-]+(\.[\w-]+)+", value),
            "bad-email",
            "This is not an e-mail address. Write name@example.org, or give its 'sha1'.",
        )
        require(
            sha1 is None or re.fullmatch(r"[0-9a-f]{40}", sha1),
            "bad-email",
            "'sha1' must be 40 hexadecimal digits: the SHA-1 of mailto:name@example.org.",
        )
        message = "Give the address as 'value', or its hash as 'sha1'."
        require(value or sha1, "bad-email", message)
        if value:
            self.sha1 = hashlib.sha1(f"mailto:{value}".encode(), usedforsecurity=False).hexdigest()
        if self.visibility != "public":
            self.value = None
        return self

    @property
    def hash(self) -> str | None:
        return self.sha1 if self.visibility == "hashed" else None

    @property
    def mailto(self) -> Iri | None:
        return Iri(f"mailto:{self.value}") if self.value else None


class Contact(Short):
    """A telephone number or a street address: private, and forgotten here, unless it says
    `visibility: public` itself.
    """

    value: Annotated[str | None, unmapped("published only with 'visibility: public'")]
    visibility: Visibility = "private"

    @model_validator(mode="after")
    def forget(self) -> Contact:
        message = "this is empty. Write something, or remove the field."
        require((self.value or "").strip(), "empty-value", message)
        if self.visibility != "public":
            self.value = None
        return self

    @property
    def tel(self) -> Iri | None:
        digits = re.sub(r"[^+\d]", "", self.value or "")
        return Iri(f"tel:{digits}") if digits else None


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
    position: Annotated[Text, term(schema.roleName)]


def check_orcid(text: str) -> str:
    """Sixteen digits, the last one a check digit (ISO 7064 mod 11-2); an address at orcid.org will
    do.
    """
    text = re.sub(r"^https?://orcid\.org/", "", text)
    good = re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", text)
    require(good, "bad-orcid", f"{text!r} is not an ORCID. Write it as 0000-0002-1825-0097.")
    digits, total = text.replace("-", ""), 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    require(
        "0123456789X"[(12 - total % 11) % 11] == digits[-1],
        "bad-orcid",
        f"{text!r} is not an ORCID: its last digit does not fit the others. Compare it with "
        "orcid.org.",
    )
    return text


Orcid = Annotated[str, AfterValidator(check_orcid)]


class Person(Main):
    """Somebody named in a CV: name, variants and links, nothing else."""

    types: ClassVar[tuple[Iri, ...]] = (schema.Person, foaf.Person)

    name: Annotated[Text, term(schema.name), term(foaf.name)]
    givenName: Annotated[Text | None, term(schema.givenName), term(foaf.givenName)] = None
    familyName: Annotated[Text | None, term(schema.familyName), term(foaf.familyName)] = None
    alternateNames: Annotated[list[Text], Listed, term(schema.alternateName)] = EMPTY
    url: Annotated[WebAddress | None, term(schema.url), term(foaf.homepage)] = None
    profiles: Annotated[
        list[Account], term(foaf.account), term(schema.sameAs, as_=lambda account: account.address)
    ] = EMPTY
    orcid: Annotated[Orcid | None, unmapped("an identifier of its own, and an address")] = None
    organization: Annotated[OrganizationRef | None, unmapped("a role of its own")] = None
    position: Annotated[Text | None, unmapped("the name of that role")] = None

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="orcid",
    )
    def identifier(self) -> Identifier | None:
        return Identifier.registered("orcid", self.orcid) if self.orcid else None

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

    honorific: Annotated[Text | None, term(schema.honorificPrefix), term(foaf.title)] = None
    label: Annotated[
        Worded | None,
        "What you are, in a few words: Glaciologist.",
        term(schema.disambiguatingDescription),
    ] = None
    summary: Annotated[WordedProse | None, term(schema.description)] = None
    statement: Annotated[
        WordedProse | None,
        "What you work on and aim at, at length: paragraphs of Markdown.",
        unmapped("a section of that title"),
    ] = None
    image: Annotated[WebAddress | None, term(schema.image), term(foaf.img)] = None
    location: Annotated[PlaceRef | None, term(schema.homeLocation)] = None
    email: Annotated[
        Email | None,
        term(foaf.mbox_sha1sum, as_=lambda email: email.hash),
        term(schema.email, as_=lambda email: email.value),
        term(foaf.mbox, as_=lambda email: email.mailto),
    ] = None
    phone: Annotated[
        Contact | None,
        term(schema.telephone, as_=lambda phone: phone.value),
        term(foaf.phone, as_=lambda phone: phone.tel),
    ] = None
    address: Annotated[Contact | None, term(schema.address, as_=lambda address: address.value)] = (
        None
    )

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

    modified: Annotated[Date | None, unmapped("the page's dateModified")] = None
    language: Annotated[
        Tag | None,
        "The tag of the language this CV is written in, e.g. en; without it, the site's.",
        unmapped("of a text in several languages, the one that pages show first"),
    ] = None
    visibility: Annotated[
        dict[str, Visibility], unmapped("of whole sections: `{talks: private}`")
    ] = NOTHING
    sources: Annotated[
        list[SourceRef],
        Listed,
        unmapped("the page's isBasedOn, and the `source` of every entry that names none"),
    ] = EMPTY
    interests: Annotated[
        list[TopicRef], Listed, term(schema.knowsAbout), term(foaf.topic_interest)
    ] = EMPTY
    languages: Annotated[list[LanguageRef], Listed, term(schema.knowsLanguage)] = EMPTY
    publications: Annotated[
        list[Listing],
        unmapped(
            "works: the key of each, or the whole entry as in data/publications.yaml, with a `key` "
            "of your own if you like; `selected: true` shows it first. The name of a .bib or "
            "CSL-JSON file beside the CV, `papers.bib`, stands for all works in it"
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
