"""Publications: papers, reports and theses, with their authors in order and as printed."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from kg.facts.models.base import EMPTY, NOTHING, Dated, Fact, Identifier, Main
from kg.facts.models.venues import appearance, container_of
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, Year, period, span
from kg.facts.values.prose import Prose, Title, plain_title
from kg.facts.values.references import (
    AuthorRef,
    CourseRef,
    OrganizationRef,
    PlaceRef,
    PublicationRef,
    VenueRef,
)
from kg.facts.values.terms import Mention, computed, inverse, ordered, term, unmapped, withheld
from kg.facts.values.text import Listed, Text, WebAddress, is_web_address, require
from kg.vocab import bibo, cv, dcterms, foaf, schema

STATUS = {
    "published": "Published",
    "to-appear": "To appear",
    "preprint": "Preprint",
    "submitted": "Submitted",
}
PAPERS = {
    "conference": "Conference paper",
    "workshop": "Workshop paper",
    "journal": "Journal article",
    "poster": "Poster",
    "preprint": "Preprint",
    "book-chapter": "Book chapter",
}
PATENT_STATUS = {
    "filed": "Filed",
    "published-application": "Published application",
    "granted": "Granted",
}
PAGES = re.compile(r"(\w+)\s*[-\u2013\u2014]+\s*(\w+)")


def check_doi(text: str) -> str:
    """A DOI, bare or as the address it is often pasted as."""
    text = re.sub(r"^https?://(dx\.)?doi\.org/", "", text)
    good = re.fullmatch(r"10\.\d{4,9}/\S+", text) and is_web_address(f"https://doi.org/{text}")
    message = f"{text!r} is not a DOI. Write it bare, e.g. 10.1109/MM.2021.3139027."
    require(good, "bad-doi", message)
    return text


def check_arxiv(text: str) -> str:
    good = re.fullmatch(r"(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?", text)
    message = f"{text!r} is not an arXiv number. Write it bare, e.g. 2101.00001."
    require(good, "bad-arxiv", message)
    return text


def page(number: int) -> Any:
    """The first or last page of `621-635`; None where the pages are no range."""
    return lambda pages: found[number] if (found := PAGES.fullmatch(pages)) else None


class Signature(Fact):
    """An author of a work, at a place in the order, under the name that is printed."""

    types = (schema.Role, schema.ListItem)
    fixed = {schema.roleName: "Author"}
    key = "author-{position}"
    accepts_text = True
    filled = ("person",)

    person: Annotated[AuthorRef, term(schema.creator), term(schema.item)]
    printed: Annotated[Text, Field(alias="as"), term(schema.alternateName)]
    equal: Annotated[bool | None, term(cv.equalContribution, as_=lambda equal: equal or None)] = (
        None
    )

    @model_validator(mode="before")
    @classmethod
    def name_the_person(cls, value: Any) -> Any:
        """The printed name says who it is, unless `person` does."""
        row = {"as": value} if isinstance(value, str) else value
        return {"person": row["as"], **row} if isinstance(row, dict) and "as" in row else row


class Publication(Main):
    title: Annotated[Title, term(schema.name, as_=plain_title), term(schema.headline)]
    alternateTitles: Annotated[
        list[Text], Listed, withheld("other printed titles, by which the check finds duplicates")
    ] = EMPTY
    authors: Annotated[list[Signature], Field(min_length=1), ordered(schema.creator)]
    year: Annotated[
        Year | None, unmapped("the date of publication, unless a fuller one is known")
    ] = None
    date: Annotated[Date | None, unmapped("the date of publication")] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None
    doi: Annotated[
        Annotated[str, AfterValidator(check_doi)] | None, unmapped("an identifier of its own")
    ] = None
    arxiv: Annotated[
        Annotated[str, AfterValidator(check_arxiv)] | None, unmapped("an identifier of its own")
    ] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    awards: Annotated[list[Text], Listed, term(schema.award)] = EMPTY
    basedOn: Annotated[list[PublicationRef], Listed, term(schema.isBasedOn)] = EMPTY
    distinctFrom: Annotated[
        list[PublicationRef], Listed, withheld("tells the check that a like title is another work")
    ] = EMPTY
    location: Annotated[PlaceRef | None, term(dcterms.spatial)] = None

    @computed(term(schema.datePublished), field="date year")
    def published(self) -> When | None:
        return self.date or self.year

    @computed(*SPAN_TERMS, field="date year")
    def span(self) -> DaySpan | None:
        return span(self.published, self.published)

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="doi arxiv",
    )
    def identifiers(self) -> list[Identifier]:
        known = {"doi": self.doi, "arxiv": self.arxiv}
        return [Identifier.registered(scheme, value) for scheme, value in known.items() if value]


class Published(Publication):
    status: Annotated[
        Literal["published", "to-appear", "preprint", "submitted"],
        term(schema.creativeWorkStatus, as_=STATUS.get),
    ] = "published"


class Paper(Published):
    """A paper in a conference, workshop or journal, a poster, a chapter or a preprint."""

    types = (schema.ScholarlyArticle, schema.CreativeWork, foaf.Document)

    kind: Annotated[
        Literal["conference", "workshop", "journal", "poster", "preprint", "book-chapter"],
        term(schema.genre, as_=PAPERS.get),
    ]
    venue: Annotated[VenueRef | None, unmapped("the container and the edition")] = None
    volume: Annotated[Text | None, unmapped("of a journal; not published without one")] = None
    issue: Annotated[Text | None, unmapped("of a volume; not published without one")] = None
    pages: Annotated[
        Text | None,
        term(schema.pageStart, as_=page(1)),
        term(schema.pageEnd, as_=page(2)),
        term(schema.pagination, as_=lambda pages: None if PAGES.fullmatch(pages) else pages),
    ] = None

    @model_validator(mode="after")
    def a_preprint_is_not_published(self) -> Self:
        if self.kind == "preprint" and "status" not in self.model_fields_set:
            self.status = "preprint"
        return self

    @computed(term(schema.isPartOf), field="venue")
    def container(self) -> Mention | VenueRef | None:
        return (
            container_of(self.venue, self.year or self.date, self.volume, self.issue)
            if self.venue
            else None
        )

    @computed(inverse(schema.workFeatured), field="venue")
    def edition(self) -> Mention | VenueRef | None:
        """The edition, or the series where no year is known; a journal is the container itself."""
        if not self.venue or self.venue.row.get("kind") == "journal":
            return None
        return appearance(self.venue, self.year or self.date)


class Thesis(Publication):
    """A thesis, and the degree it was written for."""

    types = (schema.Thesis, schema.CreativeWork, foaf.Document)

    kind: Annotated[Literal["thesis"], unmapped("the class says it")]
    institution: Annotated[OrganizationRef | None, term(schema.sourceOrganization)] = None
    degree: Annotated[Text | None, term(schema.inSupportOf)] = None


class Report(Published):
    """A technical report."""

    types = (schema.Report, schema.CreativeWork, foaf.Document)

    kind: Annotated[Literal["report"], unmapped("the class says it")]
    number: Annotated[Text | None, term(schema.reportNumber)] = None
    publisher: Annotated[OrganizationRef | None, term(schema.publisher)] = None


class Patent(Publication):
    """A patent or an application, with whatever numbers are known of it."""

    types = (schema.CreativeWork, bibo.Patent, foaf.Document)

    kind: Annotated[Literal["patent"], unmapped("the class says it")]
    status: Annotated[
        Literal["filed", "published-application", "granted"] | None,
        term(schema.creativeWorkStatus, as_=PATENT_STATUS.get),
    ] = None
    numbers: Annotated[
        dict[Literal["publication", "application", "docket", "patent"], Text],
        unmapped("identifiers of their own"),
    ] = NOTHING

    @computed(term(schema.identifier), field="numbers")
    def numbered(self) -> list[Identifier]:
        names = {"docket": "docket-number", "patent": "patent-number"}
        return [
            Identifier.unchecked(
                scheme=f"{kind}-number",
                propertyID=names.get(kind, f"patent-{kind}-number"),
                value=re.sub(r"[\s/]", "", number) if kind == "publication" else number,
            )
            for kind, number in self.numbers.items()
        ]


class OwnSignature(Fact):
    """The owner as the author of a piece of work in the own CV."""

    types = (schema.Role, schema.ListItem)
    of = (term(schema.creator), term(schema.item))
    fixed = {schema.roleName: "Author"}
    key = "{within}-author-{position}"

    printed: Annotated[Text, term(schema.alternateName)]


class CourseProject(Dated):
    """A project made for a course."""

    types = (schema.CreativeWork, foaf.Project)
    of = (inverse(foaf.pastProject),)
    key = "project-{name}"
    from_loader = ("signed",)

    signed: Annotated[
        Text, unmapped("the name on the signature; put there by the loader, from `basics`")
    ]
    name: Annotated[Text, term(schema.name), term(foaf.name)]
    course: Annotated[CourseRef | None, term(schema.isPartOf)] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    startDate: Annotated[
        Date | None, unmapped("the period, which ends with the date of creation")
    ] = None
    endDate: Annotated[Date | None, term(schema.dateCreated)] = None

    @computed(term(dcterms.date), field="startDate")
    def edtf(self) -> Edtf | None:
        """What the date of creation leaves out: another start, or a season."""
        start = self.startDate or self.endDate
        if not start or (start == self.endDate and not start.is_season):
            return None
        return period(start, self.endDate)

    @computed(*SPAN_TERMS, field="endDate startDate")
    def span(self) -> DaySpan | None:
        return span(self.startDate or self.endDate, self.endDate or self.startDate)

    @computed(ordered(schema.creator))
    def signatures(self) -> list[OwnSignature]:
        return [OwnSignature.unchecked(printed=self.signed)]
