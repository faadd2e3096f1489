"""Publications: papers, reports and theses, with their authors in order and as printed."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from kg.facts.dates import Date, When
from kg.facts.models.base import EMPTY, Entry, Fact
from kg.facts.models.venues import container_of, edition_of
from kg.facts.references import AuthorRef, OrganizationRef, PlaceRef, PublicationRef, VenueRef
from kg.facts.terms import Mention, inverse, kept, ordered, said, term
from kg.facts.values import Listed, Text, WebAddress
from kg.vocab import cv, dcterms, foaf, schema

STATUS = {"published": "Published", "to-appear": "To appear", "preprint": "Preprint", "submitted": "Submitted"}
PAGES = re.compile(r"(\w+)\s*[-\u2013\u2014]+\s*(\w+)")


def check_doi(text: str) -> str:
    try:
        WebAddress.check(f"https://doi.org/{text}")
        good = re.fullmatch(r"10\.\d{4,9}/\S+", text)
    except PydanticCustomError:
        good = None
    if not good:
        raise PydanticCustomError("bad-doi", f"{text!r} is not a DOI. Write it bare, e.g. 10.1109/MM.2021.3139027.")
    return text


def check_arxiv(text: str) -> str:
    if not re.fullmatch(r"(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?", text):
        raise PydanticCustomError("bad-arxiv", f"{text!r} is not an arXiv number. Write it bare, e.g. 2101.00001.")
    return text


def page(number: int) -> Any:
    """The first or last page of `621-635`; None where the pages are no range."""
    return lambda pages: found[number] if (found := PAGES.fullmatch(pages)) else None


class Signature(Fact):
    """An author of a work, at a place in the order, under the name that is printed."""

    types = (schema.Role, schema.ListItem)
    fixed = {schema.roleName: "Author"}
    key = "author-{position}"

    person: Annotated[AuthorRef, term(schema.creator), term(schema.item)]
    printed: Annotated[Text, Field(alias="as"), term(schema.alternateName)]
    equal: Annotated[bool, term(schema.additionalType, as_=lambda equal: cv.EqualContribution if equal else None)] = False

    @model_validator(mode="before")
    @classmethod
    def name_the_person(cls, value: Any) -> Any:
        """The printed name says who it is, unless `person` does."""
        row = {"as": value} if isinstance(value, str) else value
        return {"person": row["as"], **row} if isinstance(row, dict) and "as" in row else row


class Identifier(Fact):
    """A DOI, arXiv number or the like, as a node of its own."""

    types = (schema.PropertyValue,)
    key = "{scheme}"

    scheme: Annotated[Text, kept("part of the key")]
    propertyID: Annotated[Text, term(schema.propertyID)]
    value: Annotated[Text, term(schema.value)]
    url: Annotated[WebAddress | None, term(schema.url)] = None


class Publication(Entry):
    """What all written works share."""

    title: Annotated[Text, term(schema.name), term(schema.headline)]
    alternateTitles: Annotated[list[Text], Listed, kept("other printed titles, for finding duplicates")] = EMPTY
    authors: Annotated[list[Signature], Field(min_length=1), ordered(schema.creator)]
    year: Annotated[Date | None, kept("the date of publication, unless a fuller one is known")] = None
    date: Annotated[Date | None, kept("the date of publication")] = None
    status: Annotated[Literal["published", "to-appear", "preprint", "submitted"], term(schema.creativeWorkStatus, as_=STATUS.get)] = (
        "published"
    )
    url: Annotated[WebAddress | None, term(schema.url)] = None
    doi: Annotated[Annotated[str, AfterValidator(check_doi)] | None, kept("an identifier of its own")] = None
    arxiv: Annotated[Annotated[str, AfterValidator(check_arxiv)] | None, kept("an identifier of its own")] = None
    summary: Annotated[Text | None, term(schema.description)] = None
    awards: Annotated[list[Text], Listed, term(schema.award)] = EMPTY
    basedOn: Annotated[list[PublicationRef], Listed, term(schema.isBasedOn)] = EMPTY
    distinctFrom: Annotated[list[PublicationRef], Listed, kept("tells the check that a like title is another work")] = EMPTY
    location: Annotated[PlaceRef | None, term(dcterms.spatial)] = None

    @said(term(schema.datePublished), field="date")
    def published(self) -> When | None:
        return self.date or self.year

    @said(term(schema.identifier), term(schema.sameAs, as_=lambda identifier: identifier.url), field="doi")
    def identifiers(self) -> list[Identifier]:
        found = []
        if self.doi:
            registry, address = "https://registry.identifiers.org/registry/doi", WebAddress(f"https://doi.org/{self.doi}")
            found.append(Identifier.made(scheme="doi", propertyID=registry, value=self.doi, url=address))
        if self.arxiv:
            registry, address = "https://registry.identifiers.org/registry/arxiv", WebAddress(f"https://arxiv.org/abs/{self.arxiv}")
            found.append(Identifier.made(scheme="arxiv", propertyID=registry, value=self.arxiv, url=address))
        return found


class Paper(Publication):
    """A paper in a conference, workshop or journal, a poster, a chapter or a preprint."""

    types = (schema.ScholarlyArticle, schema.CreativeWork, foaf.Document)

    kind: Annotated[
        Literal["conference", "workshop", "journal", "poster", "preprint", "book-chapter"],
        term(schema.genre, as_=lambda kind: "Poster" if kind == "poster" else None),
    ]
    venue: Annotated[VenueRef | None, kept("the container and the edition")] = None
    volume: Annotated[Text | None, kept("the container")] = None
    issue: Annotated[Text | None, kept("the container")] = None
    pages: Annotated[
        Text | None,
        term(schema.pageStart, as_=page(1)),
        term(schema.pageEnd, as_=page(2)),
        term(schema.pagination, as_=lambda pages: None if PAGES.fullmatch(pages) else pages),
    ] = None

    @said(term(schema.isPartOf), field="venue")
    def container(self) -> Mention | VenueRef | None:
        return container_of(self.venue, self.year or self.date, self.volume, self.issue) if self.venue else None

    @said(inverse(schema.workFeatured), field="venue")
    def edition(self) -> Mention | None:
        year = self.year or self.date
        return edition_of(self.venue, year) if self.venue and year and self.venue.row.get("kind") != "journal" else None


class Thesis(Publication):
    types = (schema.Thesis, schema.CreativeWork, foaf.Document)

    kind: Annotated[Literal["thesis"], kept("the class says it")]
    institution: Annotated[OrganizationRef | None, term(schema.sourceOrganization)] = None
    degree: Annotated[Text | None, term(schema.inSupportOf)] = None


class Report(Publication):
    types = (schema.Report, schema.CreativeWork, foaf.Document)

    kind: Annotated[Literal["report"], kept("the class says it")]
    number: Annotated[Text | None, term(schema.reportNumber)] = None
    publisher: Annotated[OrganizationRef | None, term(schema.publisher)] = None
