"""Models of contact details and profiles, and of personal data that is private by default."""

import hashlib
import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, model_validator

from kg.facts.models.base import Entry, Short, Visibility
from kg.facts.models.things import PostalAddress
from kg.facts.values.dates import Date
from kg.facts.values.regions import countries
from kg.facts.values.social_networks import NETWORKS, network_of, page_of
from kg.facts.values.terms import Fact, computed, term, unmapped
from kg.facts.values.text import Text, WebAddress, mail_link, own_file, require
from kg.vocab import Iri, dcterms, foaf, schema

IF_PUBLIC = "published only with `visibility: public`"
LABEL = "Its purpose, e.g. work."


class ContactPoint(Fact):
    """A labelled way to reach a person, such as a work email address."""

    types = (schema.ContactPoint,)
    key = "{medium}-{contactType}"

    medium: Annotated[Text, unmapped("part of the key")]
    contactType: Annotated[Text, term(schema.contactType)]
    email: Annotated[Text | None, term(schema.email)] = None
    telephone: Annotated[Text | None, term(schema.telephone)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None


class Account(Entry):
    """A profile on a network, by user name or address: `{network: github, username: ada}`,
    `{network: …, url: …}`, `{label: My blog, url: …}`.
    """

    types = (foaf.OnlineAccount,)
    key = "account-{called}"

    network: Annotated[
        Text | None,
        f"One of {', '.join(NETWORKS)}; or any other, with its 'url'.",
        term(
            foaf.accountServiceHomepage,
            as_=lambda name: WebAddress(known.home) if (known := network_of(name)) else None,
        ),
    ] = None
    username: Annotated[
        Text | None,
        "Your user name; for Mastodon with the host: '@ada@HOST'.",
        term(foaf.accountName),
    ] = None
    url: Annotated[
        WebAddress | None,
        "Its address, if the user name is not enough.",
        unmapped("becomes `schema:url` of the account and `sameAs` of the person"),
    ] = None
    label: Annotated[
        Text | None, "Its name, if it is not on a network.", unmapped("becomes its name")
    ] = None

    @model_validator(mode="after")
    def has_an_address(self) -> "Account":
        message = "this profile has no address. Add 'network' and 'username', or 'url'."
        require(self.network or self.label, "bad-profile", message)
        require(self.url or (self.network and self.username), "bad-profile", message)
        if not self.url:
            page_of(str(self.network), str(self.username))
        return self

    @property
    def called(self) -> str | None:
        return self.network or self.label

    @computed(term(schema.name), field="label network")
    def name(self) -> str | None:
        known = network_of(self.network) if self.network else None
        return self.label or (known.title if known else self.network)

    @computed(term(schema.url), field="url username")
    def address(self) -> WebAddress:
        return self.url or page_of(str(self.network), str(self.username))


class Email(Short):
    """An email address. Unless it is public, only its hash is kept; the address is discarded during
    validation.
    """

    value: Annotated[
        str | None, "The address: name@HOST.", unmapped("published as it is, or as a hash")
    ] = None
    sha1: Annotated[str | None, unmapped("the SHA-1 hash, to keep the address out of the file")] = (
        None
    )
    visibility: Annotated[
        Literal["public", "hashed", "private"],
        "`public` shows it on your page.",
        unmapped("decides whether the address, its hash or nothing is published"),
    ] = "hashed"
    label: Annotated[Text | None, LABEL, unmapped("becomes the type of a contact point")] = None

    @model_validator(mode="after")
    def forget(self) -> "Email":
        value, sha1 = self.value, self.sha1
        require(
            value is None or re.fullmatch(r"[\w.!#$&'*+/=?~-]+@[\w-]+(\.[\w-]+)+", value),
            "bad-email",
            "this is not an email address. Write name@example.org, or give its hash as 'sha1'.",
            "value",
        )
        require(
            sha1 is None or re.fullmatch(r"[0-9a-f]{40}", sha1),
            "bad-email",
            "'sha1' is not 40 hexadecimal digits. Write the SHA-1 of mailto:name@example.org.",
            "sha1",
        )
        message = "the email address is missing. Add it as 'value', or its hash as 'sha1'."
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
        return mail_link(self.value) if self.value else None

    @property
    def point(self) -> ContactPoint:
        return ContactPoint.unchecked(medium="email", contactType=self.label, email=self.value)


class Personal(Short):
    """Personal data: private by default, and then discarded during validation."""

    visibility: Visibility = "private"

    @model_validator(mode="after")
    def forget(self) -> "Personal":
        value = getattr(self, self.short)
        message = "this field is empty. Add a value, or remove the field."
        require(not isinstance(value, str) or value.strip(), "empty-value", message)
        if self.visibility != "public":
            for name in type(self).model_fields:
                if name != "visibility":
                    setattr(self, name, None)
        return self


class Contact(Personal):
    """A telephone number."""

    value: Annotated[str | None, unmapped(IF_PUBLIC)]
    label: Annotated[Text | None, LABEL, unmapped("becomes the type of a contact point")] = None

    @property
    def tel(self) -> Iri | None:
        digits = re.sub(r"[^+0-9]", "", self.value or "")
        return Iri(f"tel:{digits}") if digits else None

    @property
    def point(self) -> ContactPoint:
        return ContactPoint.unchecked(medium="phone", contactType=self.label, telephone=self.value)


class StreetAddress(Personal):
    """A street address: text, or its parts."""

    value: Annotated[str | None, unmapped(IF_PUBLIC)] = None
    street: Annotated[Text | None, unmapped("part of the address")] = None
    postalCode: Annotated[Text | None, unmapped("part of the address")] = None
    city: Annotated[Text | None, unmapped("part of the address")] = None
    region: Annotated[Text | None, unmapped("part of the address")] = None
    country: Annotated[Text | None, unmapped("part of the address")] = None

    @model_validator(mode="before")
    @classmethod
    def says_something(cls, value: Any) -> Any:
        message = (
            "the address is empty. Write it as text, or add 'street', 'postalCode' and 'city'."
        )
        is_empty = isinstance(value, dict) and not value.keys() - {"visibility"}
        require(not is_empty, "empty-value", message)
        return value

    @property
    def written(self) -> str | PostalAddress | None:
        if self.visibility != "public" or self.value:
            return self.value
        country = countries().get((self.country or "").casefold(), self.country)
        return PostalAddress.unchecked(
            street=self.street,
            postalCode=self.postalCode,
            locality=self.city,
            region=self.region,
            country=country,
        )


class FormerName(Personal):
    """A former name. If it is private, it still identifies works signed with it; they are published
    under the current name.
    """

    short = "name"

    name: Annotated[Text | None, unmapped(IF_PUBLIC)]


class BirthDate(Personal):
    """A date or year of birth."""

    value: Annotated[Date | None, unmapped(IF_PUBLIC)]


class PersonalText(Personal):
    """Personal text."""

    value: Annotated[Text | None, unmapped(IF_PUBLIC)]


class Homepage(Short):
    """A website of the person."""

    value: Annotated[WebAddress, unmapped("becomes the address")]
    label: Annotated[
        Text | None, "Its label, e.g. My lab.", unmapped("becomes the type of a contact point")
    ] = None
    visibility: Visibility = "public"

    @property
    def address(self) -> WebAddress | None:
        return self.value if self.visibility == "public" else None

    @property
    def point(self) -> ContactPoint:
        return ContactPoint.unchecked(medium="website", contactType=self.label, url=self.value)


class Room(Fact):
    """A person's office."""

    types = (schema.Place, dcterms.Location)
    key = "office"

    name: Annotated[Text, term(schema.name)]


class Nationality(Fact):
    """A country of citizenship, in the person's own words."""

    types = (schema.Country, schema.Place, dcterms.Location)
    key = "nationality-{name}"

    name: Annotated[Text, term(schema.name)]


def check_picture(text: str) -> Iri | WebAddress:
    """Accepts the name of an image file in `static/`, or a web address."""
    if "://" in text:
        return WebAddress.check(text)
    message = (
        f"{text!r} is not an image. Write the name of a file in static/ with letters, digits, "
        "'-' and '_', e.g. photo.jpg, or a web address."
    )
    return own_file(text, "bad-picture", message)


Picture = Annotated[str, AfterValidator(check_picture)]
