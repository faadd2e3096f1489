"""Models of all kinds of works: papers, books, theses, reports, datasets, software, patents, course
projects.
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
from kg.facts.values.dates import Date, Edtf, period
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
APPEARED = "becomes the container and the edition"


class Contained(Published):
    """A work that can be part of a conference edition, a journal or a book."""

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
        unmapped("becomes schema:isPartOf"),
    ] = None
    volume: Annotated[
        Text | None, unmapped("volume of the journal; not published without a journal")
    ] = None
    issue: Annotated[
        Text | None, unmapped("issue of the volume; not published without a volume")
    ] = None

    @property
    def where(self) -> VenueRef | None:
        return self.venue or self.journal or self.conference

    @model_validator(mode="after")
    def appeared_once(self) -> Self:
        given = [name for name in WHERE if name in self.model_fields_set]
        if len(given) > 1:
            message = f"{' and '.join(given)} cannot be combined. Keep one."
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
    """A paper, article, book chapter, review, blog post or preprint."""

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
    status: Annotated[Status | None, term(schema.creativeWorkStatus, as_=STATUS.get)] = "published"
    reviews: Annotated[
        BookRef | None,
        "The reviewed work: a title, a key, or `{title, authors}`.",
        term(schema.itemReviewed),
    ] = None

    @property
    def is_preprint(self) -> bool:
        return self.kind == "preprint"

    @model_validator(mode="after")
    def makes_sense(self) -> Self:
        if self.is_preprint and "status" not in self.model_fields_set:
            self.status = "preprint"
        if self.reviews is not None and self.kind != "review":
            message = "only a review can have 'reviews'. Write 'kind: review', or use 'basedOn'."
            require(False, "bad-value", message, "reviews")
        return self


class Book(Contained):
    """A book, proceedings, a special issue, or a translation."""

    kind: Annotated[
        Literal["book", "edited-book", "proceedings", "special-issue", "translation"],
        term(schema.genre, as_=genre),
    ]
    status: Annotated[Status | None, term(schema.creativeWorkStatus, as_=STATUS.get)] = "published"
    authors: Annotated[
        list[Signature],
        "The authors; leave them out if there are only editors.",
        ordered(schema.creator),
    ] = EMPTY
    edition: Annotated[Text | None, "The edition as printed: 2nd.", term(schema.bookEdition)] = None
    numberOfPages: Annotated[Count | None, term(schema.numberOfPages, as_=int)] = None
    translationOf: Annotated[
        BookRef | None,
        "The translated work: a title, a key, or `{title, authors}`.",
        term(schema.translationOfWork),
    ] = None

    @property
    def is_article(self) -> bool:
        """Whether this is a translation that is part of another work."""
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
        """The number of a book in its series."""
        return self.volume if self.is_book and not self.where else None


class Thesis(Published):
    """A thesis, and the degree it was written for."""

    kind: Annotated[Literal["thesis"], unmapped("becomes the class")]
    degree: Annotated[Text | None, "The degree: Ph.D.", term(schema.inSupportOf)] = None


class Report(Published):
    """A technical report or working paper."""

    kind: Annotated[Literal["report", "working-paper"], term(schema.genre, as_=genre)]
    number: Annotated[Text | None, term(schema.reportNumber)] = None


class Dataset(Published):
    """A dataset."""

    kind: Annotated[Literal["dataset"], term(schema.genre, as_=genre)]
    downloads: Annotated[
        list[DataFile],
        "The files: addresses, or `{url, format}`.",
        ordered(schema.distribution),
    ] = EMPTY
    temporal: Annotated[
        Text | None, "The period that the data cover: `2019/2022`.", term(schema.temporalCoverage)
    ] = None
    spatial: Annotated[
        PlaceRef | None, "The place that the data cover.", term(schema.spatialCoverage)
    ] = None


class Release(Published):
    """A citable version of software."""

    kind: Annotated[Literal["software"], term(schema.genre, as_=genre)]
    repository: Annotated[
        WebAddress | None,
        "The address of the code.",
        term(schema.codeRepository),
        term(rdf.type, as_=lambda address: schema.SoftwareSourceCode),
    ] = None
    software: Annotated[
        SystemRef | None, "The system that this is a version of.", term(schema.targetProduct)
    ] = None


class Creation(Contained):
    """Another kind of work: a standard, manual, teaching material, video, artwork or website. If no
    kind matches, write `kind: other` and its `kindName`.
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
        Text | None, "What it is, if `kind` is `other`: Patent application.", term(schema.genre)
    ] = None
    number: Annotated[
        Text | None, "The number, e.g. of a standard.", unmapped("becomes an identifier")
    ] = None

    @model_validator(mode="after")
    def is_named_once(self) -> Self:
        message = "'kindName' requires 'kind: other'. Remove one of them."
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
    """A patent or patent application."""

    types = (schema.CreativeWork, bibo.Patent, foaf.Document)

    kind: Annotated[Literal["patent"], unmapped("becomes the class")]
    status: Annotated[
        Literal["filed", "published-application", "granted"] | None,
        term(schema.creativeWorkStatus, as_=PATENT_STATUS.get),
    ] = None
    office: Annotated[OrganizationRef | None, "The patent office.", term(schema.publisher)] = None
    assignee: Annotated[
        list[OrganizationRef], Listed, "The owners.", term(schema.copyrightHolder)
    ] = EMPTY
    numbers: Annotated[
        dict[Literal["publication", "application", "docket", "patent"], Text],
        unmapped("each becomes an identifier node"),
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
    """The person of the CV as the author of a course project."""

    types = (schema.Role, schema.ListItem)
    of = (term(schema.creator), term(schema.item))
    fixed = {schema.roleName: "Author"}
    key = "{within}-author-{position}"

    printed: Annotated[Text, term(schema.alternateName)]


class CourseProject(Dated):
    """A project without a page of its own. The person is the author if it belongs to a course."""

    types = (schema.Project, foaf.Project)
    of = (inverse(foaf.pastProject),)
    key = "project-{name}"
    from_loader = ("signed",)

    signed: Annotated[
        Text, unmapped("becomes the name of the author; filled by the loader from `basics`")
    ]
    name: Annotated[Text, term(schema.name), term(foaf.name)]
    course: Annotated[
        CourseRef | None,
        term(schema.isPartOf),
        term(rdf.type, as_=lambda course: schema.CreativeWork),
    ] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    startDate: Annotated[Date | None, unmapped("becomes the start of dcterms:date")] = None
    endDate: Annotated[Date | None, unmapped("becomes the end of dcterms:date")] = None

    @computed(term(dcterms.date), field="endDate startDate")
    def edtf(self) -> Edtf | None:
        return period(self.startDate, self.endDate) if self.startDate or self.endDate else None

    @computed(ordered(schema.creator))
    def signatures(self) -> list[OwnSignature]:
        return [OwnSignature.unchecked(printed=self.signed)] if self.course else []
