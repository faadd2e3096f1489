"""What every kind of fact has in common.

A class states its node (types, constants, the pattern of its fragment) and its joins to the two
ends no author writes: `of`, the thing the document is about, and `within`, the fact that encloses
it. Its fields state the rest.
"""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, interval, span
from kg.facts.values.former import Former
from kg.facts.values.identifiers import Doi
from kg.facts.values.languages import OtherName
from kg.facts.values.references import SourceRef
from kg.facts.values.terms import Fact, computed, term, unmapped, withheld
from kg.facts.values.text import Listed, Slug, Text, WebAddress, require
from kg.vocab import dcterms, schema

Visibility = Literal["public", "private"]
SCHEMES = {
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
    "orcid": "https://orcid.org/",
}

# An empty list for each fact; the plain `[]` would be copied at length for every one.
EMPTY: Any = Field(default_factory=list)
NOTHING: Any = Field(default_factory=dict)


def check_id(text: str) -> str:
    message = f"{text!r} is the address of a part of the page itself. Choose another."
    require(not text.startswith(("crumb", "breadcrumb")), "bad-id", message)
    return text


def classes_in(annotation: Any) -> Iterator[type]:
    """The classes that a type is made of: those of a list, a mapping, a union."""
    if isinstance(annotation, type):
        yield annotation
    for argument in get_args(annotation):
        yield from classes_in(argument)


@cache
def fields_with(model: type[BaseModel], *kinds: type) -> tuple[str, ...]:
    """The fields that hold values of these classes."""
    return tuple(
        name
        for name, field in model.model_fields.items()
        if any(issubclass(each, kinds) for each in classes_in(field.annotation))
    )


class Short(BaseModel):
    """What may be written as one text, which stands for the field `short`: `email: a@b.org` for
    `email: {value: a@b.org}`.
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)

    accepts_text: ClassVar[bool] = True
    short: ClassVar[str] = "value"

    @model_validator(mode="before")
    @classmethod
    def from_short_form(cls, value: Any) -> Any:
        return {cls.short: value} if isinstance(value, str) else value


class Entry(Fact):
    """A fact an author writes; any entry may carry these."""

    id: Annotated[Slug, AfterValidator(check_id)] | None = None
    visibility: Visibility | None = None
    source: Annotated[list[SourceRef], Listed, term(dcterms.source)] = EMPTY
    note: Text | None = None
    disputed: dict[str, Any] = NOTHING
    accept: dict[str, Text] = NOTHING


class Main(Entry):
    """An entry that a document is about: an item of a registry, or the basics of a CV. Its key is
    the end of an address.
    """

    was: Annotated[list[Former], Listed, term(schema.sameAs)] = EMPTY


class FileSources(Fact):
    """Where the entries of a file were taken from."""

    sources: Annotated[
        list[SourceRef], Listed, unmapped("the `source` of every entry that names none")
    ] = EMPTY


OtherNames = Annotated[
    list[OtherName],
    Listed,
    "Other names and short forms; in another language `{name: …, lang: de}`.",
    term(schema.alternateName),
]


class Named(Main):
    """A main entry that has one name, and maybe others."""

    name: Annotated[Text, term(schema.name)]
    alternateNames: OtherNames = EMPTY


class Sourced(Fact):
    """A fact made from an entry, which says where the entry was taken from."""

    source: Annotated[list[SourceRef], term(dcterms.source)] = EMPTY


class Observation(Fact):
    """A number measured on the fact around it."""

    types = (schema.Observation,)
    within = term(schema.observationAbout)


class Identifier(Fact):
    """A DOI, arXiv number, ORCID or the like, as a node of its own."""

    types = (schema.PropertyValue,)
    key = "{scheme}"

    scheme: Annotated[Text, unmapped("part of the key")]
    propertyID: Annotated[Text, term(schema.propertyID)]
    value: Annotated[Text, term(schema.value)]
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @classmethod
    def registered(cls, scheme: str, value: str) -> Self:
        """One of a scheme that identifiers.org knows; it has a web address."""
        registry, address = f"https://registry.identifiers.org/registry/{scheme}", SCHEMES[scheme]
        return cls.unchecked(
            scheme=scheme, propertyID=registry, value=value, url=WebAddress(address + value)
        )


class WithDoi(Fact):
    """What may be registered under a DOI."""

    doi: Annotated[Doi | None, unmapped("an identifier of its own")] = None

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="doi",
    )
    def registered(self) -> Identifier | None:
        return Identifier.registered("doi", self.doi) if self.doi else None


class Dated(Entry):
    """A fact with a period. `dates:` in the file is spread into these before checking."""

    spread: ClassVar[tuple[str, ...]] = ("dates",)

    startDate: Annotated[Date | None, term(schema.startDate)] = None
    endDate: Annotated[When | None, term(schema.endDate)] = None
    expected: Annotated[
        Date | None, withheld("an end that lies ahead is not published; `endDate` says present")
    ] = None

    @computed(term(dcterms.date), field="endDate")
    def edtf(self) -> Edtf | None:
        return interval(self.startDate, self.endDate)

    @computed(*SPAN_TERMS, field="endDate startDate")
    def span(self) -> DaySpan | None:
        return span(self.startDate, self.endDate)
