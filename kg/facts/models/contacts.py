"""How a person is reached and where else a person is found; and what of a person is nobody's
business unless the author says so.
"""

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

FORGOTTEN = "published only with 'visibility: public'"
LABEL = "What it is for, e.g. work."


class ContactPoint(Fact):
    """A way to reach a person that has a name: the e-mail address at work."""

    types = (schema.ContactPoint,)
    key = "{medium}-{contactType}"

    medium: Annotated[Text, unmapped("part of the key")]
    contactType: Annotated[Text, term(schema.contactType)]
    email: Annotated[Text | None, term(schema.email)] = None
    telephone: Annotated[Text | None, term(schema.telephone)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None


class Account(Entry):
    """A profile at some network, by the user's name or by its address: `{network: github, username:
    ada}`, `{network: …, url: …}`, `{label: My blog, url: …}`.
    """

    types = (foaf.OnlineAccount,)
    key = "account-{called}"

    network: Annotated[
        Text | None,
        f"One of {', '.join(NETWORKS)}; or any other with its 'url'.",
        term(
            foaf.accountServiceHomepage,
            as_=lambda name: WebAddress(known.home) if (known := network_of(name)) else None,
        ),
    ] = None
    username: Annotated[
        Text | None,
        "Your name there; at mastodon with its host: '@ada@HOST'.",
        term(foaf.accountName),
    ] = None
    url: Annotated[
        WebAddress | None,
        "Its address, where the user's name is not enough.",
        unmapped("the account's own `schema:url`, and the person's `sameAs`"),
    ] = None
    label: Annotated[
        Text | None, "What to call it, where no network is named.", unmapped("its name")
    ] = None

    @model_validator(mode="after")
    def has_an_address(self) -> "Account":
        message = "Where is this profile? Give its 'network' and your 'username' there, or 'url'."
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
    """An e-mail address. Unless it is public only its hash is kept, and the address is forgotten
    here.
    """

    value: Annotated[str | None, "name@HOST", unmapped("the address, or only its hash")] = None
    sha1: Annotated[str | None, unmapped("the hash, where the address is nowhere in the files")] = (
        None
    )
    visibility: Annotated[
        Literal["public", "hashed", "private"],
        "'public' shows it on your page.",
        unmapped("whether address, hash or nothing is public"),
    ] = "hashed"
    label: Annotated[Text | None, LABEL, unmapped("the type of a contact point")] = None

    @model_validator(mode="after")
    def forget(self) -> "Email":
        value, sha1 = self.value, self.sha1
        require(
            value is None or re.fullmatch(r"[\w.!#$&'*+/=?~-]+@[\w-]+(\.[\w-]+)+", value),
            "bad-email",
            "This is not an e-mail address. Write name@example.org, or give its 'sha1'.",
            "value",
        )
        require(
            sha1 is None or re.fullmatch(r"[0-9a-f]{40}", sha1),
            "bad-email",
            "'sha1' must be 40 hexadecimal digits: the SHA-1 of mailto:name@example.org.",
            "sha1",
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
        return mail_link(self.value) if self.value else None

    @property
    def point(self) -> ContactPoint:
        return ContactPoint.unchecked(medium="email", contactType=self.label, email=self.value)


class Personal(Short):
    """What is private, and forgotten here, unless it says `visibility: public` itself."""

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

    value: Annotated[str | None, unmapped(FORGOTTEN)]
    label: Annotated[Text | None, LABEL, unmapped("the type of a contact point")] = None

    @property
    def tel(self) -> Iri | None:
        digits = re.sub(r"[^+0-9]", "", self.value or "")
        return Iri(f"tel:{digits}") if digits else None

    @property
    def point(self) -> ContactPoint:
        return ContactPoint.unchecked(medium="phone", contactType=self.label, telephone=self.value)


class StreetAddress(Personal):
    """A street address: a text, or its parts."""

    value: Annotated[str | None, unmapped(FORGOTTEN)] = None
    street: Annotated[Text | None, unmapped("part of the address")] = None
    postalCode: Annotated[Text | None, unmapped("part of the address")] = None
    city: Annotated[Text | None, unmapped("part of the address")] = None
    region: Annotated[Text | None, unmapped("part of the address")] = None
    country: Annotated[Text | None, unmapped("part of the address")] = None

    @model_validator(mode="before")
    @classmethod
    def says_something(cls, value: Any) -> Any:
        message = "Write the address as one text, or give 'street', 'postalCode', 'city'."
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
    """A name that the person had before. A private one still tells who signed a work, and the
    signature is then published under the present name.
    """

    short = "name"

    name: Annotated[Text | None, unmapped(FORGOTTEN)]


class BirthDate(Personal):
    """The day of birth, or its year."""

    value: Annotated[Date | None, unmapped(FORGOTTEN)]


class PersonalText(Personal):
    """A text that is private unless it says otherwise."""

    value: Annotated[Text | None, unmapped(FORGOTTEN)]


class Homepage(Short):
    """A page of one's own."""

    value: Annotated[WebAddress, unmapped("the address")]
    label: Annotated[
        Text | None, "What it is, e.g. My lab.", unmapped("the type of a contact point")
    ] = None
    visibility: Visibility = "public"

    @property
    def address(self) -> WebAddress | None:
        return self.value if self.visibility == "public" else None

    @property
    def point(self) -> ContactPoint:
        return ContactPoint.unchecked(medium="website", contactType=self.label, url=self.value)


class Room(Fact):
    """The room where a person works."""

    types = (schema.Place, dcterms.Location)
    key = "office"

    name: Annotated[Text, term(schema.name)]


class Nationality(Fact):
    """A country a person is a citizen of, as the person calls it."""

    types = (schema.Country, schema.Place, dcterms.Location)
    key = "nationality-{name}"

    name: Annotated[Text, term(schema.name)]


def check_picture(text: str) -> Iri | WebAddress:
    """The file of a picture below `static/`, or its address."""
    if "://" in text:
        return WebAddress.check(text)
    message = (
        f"{text!r} is no picture. Write the name of a file in static/, of letters, digits, '-' "
        "and '_', e.g. photo.jpg, or a web address."
    )
    return own_file(text, "bad-picture", message)


Picture = Annotated[str, AfterValidator(check_picture)]
