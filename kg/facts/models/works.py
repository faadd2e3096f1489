"""The kinds of work, each class with the fields that its kinds have: papers, books, theses,
reports, datasets, software and others; patents, and projects for a course.
"""

import re
from operator import attrgetter
from typing import Annotated, Literal, Self

from pydantic import model_validator

from kg.facts.models.base import EMPTY, NOTHING, Dated, Identifier
from kg.facts.models.links import DataFile
from kg.facts.models.publications import (
    STATUS,
    Publication,
    Published,
    Status,
    genre,
    identified,
)
from kg.facts.models.signatures import Signature
from kg.facts.models.venues import Appearance, Count, appearance_in
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, period, span
from kg.facts.values.prose import Prose
from kg.facts.values.references import (
    CourseRef,
    OrganizationRef,
    PlaceRef,
    SystemRef,
    VenueRef,
)
from kg.facts.values.terms import Fact, computed, inverse, ordered, term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress, require
from kg.facts.values.work_references import BookRef, JournalRef, SeriesRef
from kg.vocab import Iri, bibo, dcterms, foaf, rdf, schema

PATENT_STATUS = {
    "filed": "Filed",
    "published-application": "Published application",
    "granted": "Granted",
}
WHERE = ("venue", "journal", "conference")
APPEARED = "the container and the edition"


class Contained(Published):
    """A work that may be part of something: an edition of a conference, a journal, a book."""

    venue: Annotated[
        VenueRef | None, "The conference, workshop or journal.", unmapped(APPEARED)
    ] = None
    journal: Annotated[
        JournalRef | None, "The journal, instead of `venue`.", unmapped(APPEARED)
    ] = None
    conference: Annotated[
        SeriesRef | None, "The conference, instead of `venue`.", unmapped(APPEARED)
    ] = None
    book: Annotated[
        BookRef | None,
        "The book it is in: a title, a key, or `{title, editors, publisher, isbn, year}`.",
        unmapped("what it is part of: schema:isPartOf"),
    ] = None
    volume: Annotated[Text | None, unmapped("of a journal; not published without one")] = None
    issue: Annotated[Text | None, unmapped("of a volume; not published without one")] = None

    @property
    def where(self) -> VenueRef | None:
        return self.venue or self.journal or self.conference

    @model_validator(mode="after")
    def appeared_once(self) -> Self:
        given = [name for name in WHERE if name in self.model_fields_set]
        if len(given) > 1:
            message = f"Give one of {', '.join(given)}: each says where it appeared."
            require(False, "bad-value", message, given[-1])
        return self

    @computed(
        term(schema.isPartOf, as_=attrgetter("container")),
        inverse(schema.workFeatured, as_=attrgetter("event")),
        field="book venue journal conference",
    )
    def appeared(self) -> Appearance:
        where = self.where
        if where is None:
            return Appearance(self.book)
        found = appearance_in(where, self.year or self.date, self.volume, self.issue)
        return found._replace(container=self.book) if self.book else found


class Paper(Contained):
    """A paper or an article: in a conference, workshop or journal, a magazine or a blog, a book or
    an encyclopedia; or a preprint.
    """

    kind: Annotated[
        Literal[
            "conference",
            "workshop",
            "journal",
            "poster",
            "abstract",
            "preprint",
            "book-chapter",
            "encyclopedia-entry",
            "editorial",
            "review",
            "magazine",
            "newspaper",
            "blog",
        ],
        term(schema.genre, as_=genre),
    ]
    reviews: Annotated[
        BookRef | None,
        "What a review is about: a title, a key, or `{title, authors}`.",
        term(schema.itemReviewed),
    ] = None

    @model_validator(mode="after")
    def makes_sense(self) -> Self:
        if self.kind == "preprint" and "status" not in self.model_fields_set:
            self.status = "preprint"
        if self.reviews is not None and self.kind != "review":
            message = "only a review has 'reviews'. Write 'kind: review', or 'basedOn'."
            require(False, "bad-value", message, "reviews")
        return self


class Book(Contained):
    """A book, proceedings, a special issue, or a translation."""

    kind: Annotated[
        Literal["book", "edited-book", "proceedings", "special-issue", "translation"],
        term(schema.genre, as_=genre),
    ]
    authors: Annotated[
        list[Signature], "Left out where all there are is editors.", ordered(schema.creator)
    ] = EMPTY
    edition: Annotated[Text | None, "`2nd`, as it is printed.", term(schema.bookEdition)] = None
    numberOfPages: Annotated[Count | None, term(schema.numberOfPages, as_=int)] = None
    translationOf: Annotated[
        BookRef | None,
        "The work that was translated: a title, a key, or `{title, authors}`.",
        term(schema.translationOfWork),
    ] = None

    @property
    def is_article(self) -> bool:
        """Of translations, what appeared in something is one."""
        return self.kind == "translation" and self.appeared.container is not None

    @property
    def is_book(self) -> bool:
        return self.kind != "special-issue" and not self.is_article

    @computed(term(rdf.type))
    def classes(self) -> tuple[Iri, ...]:
        return (schema.Article,) if self.is_article and not self.versionOf else super().classes

    @computed(term(schema.isbn), field="isbn")
    def own_isbn(self) -> str | None:
        return self.isbn if self.is_book else None

    @computed(
        term(schema.volumeNumber),
        term(rdf.type, as_=lambda number: schema.PublicationVolume),
        field="volume",
    )
    def volume_number(self) -> str | None:
        """Which volume of its series a book is."""
        return self.volume if self.is_book and not self.where else None


class Thesis(Published):
    """A thesis, and the degree it was written for."""

    kind: Annotated[Literal["thesis"], unmapped("the class says it")]
    status: Annotated[Status | None, term(schema.creativeWorkStatus, as_=STATUS.get)] = None
    degree: Annotated[Text | None, "`Ph.D.`", term(schema.inSupportOf)] = None


class Report(Published):
    """A technical report or a working paper."""

    kind: Annotated[Literal["report", "working-paper"], term(schema.genre, as_=genre)]
    number: Annotated[Text | None, term(schema.reportNumber)] = None


class Dataset(Published):
    """Data that others may use."""

    kind: Annotated[Literal["dataset"], term(schema.genre, as_=genre)]
    downloads: Annotated[
        list[DataFile],
        "Files: addresses, or `{url, format}`.",
        ordered(schema.distribution),
    ] = EMPTY
    temporal: Annotated[
        Text | None, "The time that the data are about: `2019/2022`.", term(schema.temporalCoverage)
    ] = None
    spatial: Annotated[
        PlaceRef | None, "The place that the data are about.", term(schema.spatialCoverage)
    ] = None


class Release(Published):
    """Software in a version that can be cited."""

    kind: Annotated[Literal["software"], term(schema.genre, as_=genre)]
    repository: Annotated[WebAddress | None, "Where the code is.", term(schema.codeRepository)] = (
        None
    )
    software: Annotated[
        SystemRef | None, "The system that this is a version of.", term(schema.targetProduct)
    ] = None


class Creation(Contained):
    """Another kind of work: a standard or a manual, material for teaching, a video, a work of art,
    a website. What none of the kinds fits is `other`, and `kindName` tells what it is.
    """

    kind: Annotated[
        Literal[
            "standard",
            "manual",
            "teaching-material",
            "video",
            "audio",
            "artwork",
            "music",
            "map",
            "performance",
            "website",
            "other",
        ],
        term(schema.genre, as_=genre),
    ]
    kindName: Annotated[
        Text | None, "What it is, where `kind` is `other`: Patent application.", term(schema.genre)
    ] = None
    number: Annotated[Text | None, "Of a standard, say.", unmapped("an identifier")] = None

    @model_validator(mode="after")
    def is_named_once(self) -> Self:
        message = "'kindName' is for 'kind: other'. Remove one of the two."
        require(not self.kindName or self.kind == "other", "bad-value", message, "kindName")
        return self

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="number doi arxiv pmid pmcid isbn articleNumber identifiers",
    )
    def known_as(self) -> list[Identifier]:
        own = [identified("number", self.number)] if self.number else []
        return [*super().known_as, *own]


class Patent(Publication):
    """A patent or an application, with whatever numbers are known of it."""

    types = (schema.CreativeWork, bibo.Patent, foaf.Document)

    kind: Annotated[Literal["patent"], unmapped("the class says it")]
    status: Annotated[
        Literal["filed", "published-application", "granted"] | None,
        term(schema.creativeWorkStatus, as_=PATENT_STATUS.get),
    ] = None
    office: Annotated[
        OrganizationRef | None, "The office that grants it.", term(schema.publisher)
    ] = None
    assignee: Annotated[
        list[OrganizationRef], Listed, "Who owns it.", term(schema.copyrightHolder)
    ] = EMPTY
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
