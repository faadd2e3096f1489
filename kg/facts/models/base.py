"""Base classes of all models.

A model declares its node (types, constants, pattern of the fragment) and its joins to two nodes
that authors do not write: `of`, the entity that the document is about, and `within`, the enclosing
fact. The fields declare the rest.
"""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, interval, span
from kg.facts.values.identifiers import Doi, Former, doi_address
from kg.facts.values.languages import OtherName
from kg.facts.values.references import SourceRef
from kg.facts.values.terms import Fact, computed, term, unmapped, withheld
from kg.facts.values.text import Listed, Slug, Text, WebAddress, require
from kg.vocab import dcterms, schema

Visibility = Literal["public", "private"]
SCHEMES = {
    "arxiv": "https://arxiv.org/abs/",
    "orcid": "https://orcid.org/",
}

# Shared default: pydantic would deep-copy a plain `[]` for every fact.
EMPTY: Any = Field(default_factory=list)
NOTHING: Any = Field(default_factory=dict)


def check_id(text: str) -> str:
    message = f"{text!r} is reserved for the page itself. Choose another id."
    require(not text.startswith(("crumb", "breadcrumb")), "bad-id", message)
    return text


def classes_in(annotation: Any) -> Iterator[type]:
    """All classes inside a type: list items, mapping values, union members."""
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
    """A model that can be written as plain text, which becomes the field `short`: `email: a@b.org`
    is `email: {value: a@b.org}`.
    """

    model_config = ConfigDict(extra="forbid", defer_build=True)

    accepts_text: ClassVar[bool] = True
    short: ClassVar[str] = "value"

    @model_validator(mode="before")
    @classmethod
    def from_short_form(cls, value: Any) -> Any:
        return {cls.short: value} if isinstance(value, str) else value


class Entry(Fact):
    """A fact that authors write, with the fields that all entries share."""

    id: Annotated[Slug, AfterValidator(check_id)] | None = None
    visibility: Visibility | None = None
    source: Annotated[list[SourceRef], Listed, term(dcterms.source)] = EMPTY
    note: Text | None = None
    disputed: dict[str, Any] = NOTHING
    accept: dict[str, Text] = NOTHING


class Main(Entry):
    """An entry with its own document: a registry entry, or `basics` of a CV. Its key is the end of
    its address.
    """

    was: Annotated[list[Former], Listed, term(schema.sameAs)] = EMPTY


class FileSources(Fact):
    """The sources of all entries in a file."""

    sources: Annotated[
        list[SourceRef],
        Listed,
        "The documents that the entries were taken from.",
        unmapped("becomes the `source` of every entry without one"),
    ] = EMPTY


OtherNames = Annotated[
    list[OtherName],
    Listed,
    "Other names and abbreviations; in another language `{name: …, lang: de}`.",
    term(schema.alternateName),
]


class Named(Main):
    """A main entry with a name and other names."""

    name: Annotated[Text, term(schema.name)]
    alternateNames: OtherNames = EMPTY


class Sourced(Fact):
    """A fact derived from an entry; it keeps the entry's sources."""

    source: Annotated[list[SourceRef], term(dcterms.source)] = EMPTY


class Observation(Fact):
    """A measured number about the enclosing fact."""

    types = (schema.Observation,)
    within = term(schema.observationAbout)


class Identifier(Fact):
    """An identifier such as a DOI, arXiv number or ORCID, as a node."""

    types = (schema.PropertyValue,)
    key = "{scheme}"

    scheme: Annotated[Text, unmapped("part of the key")]
    propertyID: Annotated[Text, term(schema.propertyID)]
    value: Annotated[Text, term(schema.value)]
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @classmethod
    def registered(cls, scheme: str, value: str) -> Self:
        """An identifier of a scheme known to identifiers.org, with its web address."""
        registry = f"https://registry.identifiers.org/registry/{scheme}"
        url = doi_address(value) if scheme == "doi" else WebAddress(SCHEMES[scheme] + value)
        return cls.unchecked(scheme=scheme, propertyID=registry, value=value, url=url)


class WithDoi(Fact):
    """Adds a DOI."""

    doi: Annotated[Doi | None, unmapped("becomes an identifier node")] = None

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="doi",
    )
    def registered(self) -> Identifier | None:
        return Identifier.registered("doi", self.doi) if self.doi else None


class Dated(Entry):
    """A fact with a period. The loader spreads `dates:` into these fields before validation."""

    spread: ClassVar[tuple[str, ...]] = ("dates",)

    startDate: Annotated[Date | None, term(schema.startDate)] = None
    endDate: Annotated[When | None, term(schema.endDate)] = None
    expected: Annotated[
        Date | None, withheld("the expected end date; also write `endDate: present`")
    ] = None

    @computed(term(dcterms.date), field="endDate")
    def edtf(self) -> Edtf | None:
        return interval(self.startDate, self.endDate)

    @computed(*SPAN_TERMS, field="endDate startDate")
    def span(self) -> DaySpan | None:
        return span(self.startDate, self.endDate)
