"""Base models of publications, and the table of kinds with their labels and schema.org classes."""

import re
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from kg.facts.models.base import EMPTY, NOTHING, Identifier, Main
from kg.facts.models.contacts import Picture
from kg.facts.models.links import (
    CodeRef,
    DataRef,
    Pdf,
    PosterFile,
    RelatedPage,
    Slides,
    Video,
)
from kg.facts.models.signatures import Editor, OtherContributor, Signature, Translator
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, When, Year, span
from kg.facts.values.identifiers import (
    Arxiv,
    Doi,
    Isbn,
    License,
    Pmcid,
    Pmid,
    address_in,
    check_numbers,
    date_of_preprint,
    doi_address,
)
from kg.facts.values.prose import Prose, Title
from kg.facts.values.references import (
    GrantRef,
    LanguageRef,
    OrganizationRef,
    PlaceRef,
    PublicationRef,
)
from kg.facts.values.terms import Fact, computed, inverse, ordered, term, unmapped, withheld
from kg.facts.values.text import Listed, Slug, Text, WebAddress, is_web_address, require
from kg.facts.values.work_references import Keyword
from kg.text.markdown import plain_title
from kg.vocab import Iri, cv, dcterms, foaf, rdf, schema

Status = Literal[
    "published",
    "to-appear",
    "preprint",
    "submitted",
    "accepted",
    "revised",
    "in-preparation",
    "retracted",
]
STATUS = {
    "published": "Published",
    "to-appear": "To appear",
    "preprint": "Preprint",
    "submitted": "Submitted",
    "accepted": "Accepted",
    "revised": "Revised",
    "in-preparation": "In preparation",
    "retracted": "Retracted",
}
# kind -> label, and classes in addition to CreativeWork and foaf:Document
KINDS: dict[str, tuple[str | None, tuple[Iri, ...]]] = {
    "conference": ("Conference paper", (schema.ScholarlyArticle,)),
    "workshop": ("Workshop paper", (schema.ScholarlyArticle,)),
    "journal": ("Journal article", (schema.ScholarlyArticle,)),
    "poster": ("Poster", (schema.ScholarlyArticle,)),
    "abstract": ("Abstract", (schema.ScholarlyArticle,)),
    "preprint": ("Preprint", (schema.ScholarlyArticle,)),
    "book-chapter": ("Book chapter", (schema.Chapter, schema.ScholarlyArticle)),
    "encyclopedia-entry": ("Encyclopedia entry", (schema.Article,)),
    "editorial": ("Editorial", (schema.ScholarlyArticle,)),
    "review": ("Review", (schema.Review,)),
    "magazine": ("Magazine article", (schema.Article,)),
    "newspaper": ("Newspaper article", (schema.NewsArticle,)),
    "blog": ("Blog post", (schema.BlogPosting,)),
    "book": ("Book", (schema.Book,)),
    "edited-book": ("Edited book", (schema.Book,)),
    "proceedings": ("Proceedings", (schema.Book, schema.PublicationVolume)),
    "special-issue": ("Special issue", (schema.PublicationIssue,)),
    "translation": ("Translation", (schema.Book,)),
    "thesis": (None, (schema.Thesis,)),
    "report": (None, (schema.Report,)),
    "working-paper": ("Working paper", (schema.Report,)),
    "dataset": ("Dataset", (schema.Dataset,)),
    "software": ("Software", (schema.SoftwareApplication,)),
    "standard": ("Standard", (schema.TechArticle,)),
    "manual": ("Manual", (schema.TechArticle,)),
    "teaching-material": ("Teaching material", (schema.LearningResource,)),
    "video": ("Video", (schema.VideoObject,)),
    "audio": ("Audio", (schema.AudioObject,)),
    "artwork": ("Artwork", (schema.VisualArtwork,)),
    "music": ("Music", (schema.MusicComposition,)),
    "map": ("Map", (schema.Map,)),
    "performance": ("Performance", ()),
    "website": ("Website", (schema.WebSite,)),
    "other": (None, ()),
}
NUMBERS = ("pmid", "pmcid", "isbn", "articleNumber", "identifiers")
PAGES = re.compile(r"(\w+)\s*[-\u2013\u2014]+\s*(\w+)")


def genre(kind: str) -> str | None:
    return KINDS[kind][0]


def page(number: int) -> Any:
    """The first or last page of `621-635`; None if it is not a range."""
    return lambda pages: found[number] if (found := PAGES.fullmatch(pages)) else None


class Publication(Main):
    """A citable work."""

    types: ClassVar[tuple[Iri, ...]] = (schema.CreativeWork, foaf.Document)

    title: Annotated[Title, term(schema.name, as_=plain_title), term(schema.headline)]
    subtitle: Annotated[Text | None, term(schema.alternativeHeadline)] = None
    alternateTitles: Annotated[
        list[Text], Listed, withheld("other printed titles, used to find duplicates")
    ] = EMPTY
    authors: Annotated[
        list[Signature],
        Field(min_length=1),
        "The names in printed order; with more fields `{as: J. Novák, corresponding: true}`.",
        ordered(schema.creator),
    ]
    moreAuthors: Annotated[
        bool | Literal["unknown"] | None,
        "true if `authors` does not name all authors (et al.); `unknown` if there may be others.",
        term(cv.moreAuthors, as_=lambda more: more is True or None),
        term(cv.authorsUnknown, as_=lambda more: more == "unknown" or None),
    ] = None
    year: Annotated[
        Year | None, unmapped("becomes the publication date, unless `date` is given")
    ] = None
    date: Annotated[Date | None, unmapped("becomes the publication date")] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None
    doi: Annotated[Doi | None, unmapped("becomes an identifier node")] = None
    arxiv: Annotated[Arxiv | None, unmapped("becomes an identifier node")] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    abstract: Annotated[Prose | None, term(schema.abstract)] = None
    keywords: Annotated[
        list[Keyword],
        Listed,
        "Keywords; those that name a topic link to it.",
        term(schema.keywords, as_=lambda keyword: keyword.name),
        term(schema.about, as_=lambda keyword: keyword.topic),
    ] = EMPTY
    awards: Annotated[list[Text], Listed, term(schema.award)] = EMPTY
    basedOn: Annotated[list[PublicationRef], Listed, term(schema.isBasedOn)] = EMPTY
    distinctFrom: Annotated[
        list[PublicationRef], Listed, withheld("keys of other works with a similar title")
    ] = EMPTY
    location: Annotated[PlaceRef | None, term(dcterms.spatial)] = None
    language: Annotated[LanguageRef | None, "Its tag or English name.", term(schema.inLanguage)] = (
        None
    )
    pdf: Annotated[
        Pdf | None, "The full text: an address, or a file in `static/`.", term(schema.encoding)
    ] = None
    image: Annotated[
        Picture | None, "An image: an address, or a file in `static/`.", term(schema.image)
    ] = None
    links: Annotated[
        list[RelatedPage],
        "Related pages: addresses, or `{kind: demo, url: …, label: …}`.",
        ordered(schema.subjectOf),
    ] = EMPTY

    @property
    def signers(self) -> list[str]:
        """The keys of all contributors."""
        return [signature.signer for signature in self.authors]

    @property
    def versions_of(self) -> list[PublicationRef]:
        """The works that this is another version of."""
        return []

    @property
    def dates(self) -> list[When | None]:
        """The publication dates of all versions."""
        return [self.year, self.date]

    @property
    def is_preprint(self) -> bool:
        return False

    @computed(term(schema.datePublished), field="date year arxiv doi")
    def published(self) -> When | None:
        stated = self.date or self.year
        return date_of_preprint(stated, self.arxiv, self.doi) if self.is_preprint else stated

    @computed(*SPAN_TERMS, field="date year arxiv doi")
    def span(self) -> DaySpan | None:
        return span(self.published, self.published)

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="doi arxiv",
    )
    def known_as(self) -> list[Identifier]:
        known = (("doi", self.doi), ("arxiv", self.arxiv))
        return [Identifier.registered(scheme, value) for scheme, value in known if value]


class Preprint(Fact):
    """An earlier version; not counted as a work, and with the same authors."""

    types = (schema.CreativeWork, foaf.Document)
    fixed = {schema.creativeWorkStatus: "Preprint"}
    within = term(schema.exampleOfWork)
    key = "{within}-preprint"
    accepts_text = True
    from_loader = ("name",)

    name: Annotated[Text, term(schema.name)] = ""  # the title of the work
    arxiv: Annotated[
        Arxiv | None,
        term(schema.sameAs, as_=lambda number: WebAddress(f"https://arxiv.org/abs/{number}")),
    ] = None
    doi: Annotated[Doi | None, term(schema.sameAs, as_=doi_address)] = None
    date: Annotated[Date | None, unmapped("becomes the publication date")] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @computed(term(schema.datePublished), field="date arxiv doi")
    def published(self) -> When | None:
        return date_of_preprint(self.date, self.arxiv, self.doi)

    @model_validator(mode="before")
    @classmethod
    def from_an_address_or_number(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"url" if is_web_address(value) else "arxiv": value}
        return value

    @model_validator(mode="after")
    def is_somewhere(self) -> Self:
        message = "the address is missing. Add 'arxiv', 'doi' or 'url'."
        require(self.arxiv or self.doi or self.url, "missing-field", message)
        return self


class BookSeries(Fact):
    types = (schema.BookSeries, schema.CreativeWork, foaf.Document)
    key = "{within}-series"

    name: Annotated[Text, term(schema.name)]


class Published(Publication):
    """Fields of all publications except patents."""

    kind: Annotated[str, term(schema.genre, as_=genre)]
    status: Annotated[Status | None, term(schema.creativeWorkStatus, as_=STATUS.get)] = None
    editors: Annotated[
        list[Editor],
        "Written like `authors`.",
        ordered(schema.contributor),
        term(schema.editor, as_=lambda editor: editor.agent),
    ] = EMPTY
    translators: Annotated[
        list[Translator],
        "Written like `authors`.",
        ordered(schema.contributor),
        term(schema.translator, as_=lambda translator: translator.agent),
    ] = EMPTY
    contributors: Annotated[
        list[OtherContributor],
        "Other contributors, each with a `role`: `{as: K. Osei, role: Illustrator}`.",
        ordered(schema.contributor),
    ] = EMPTY
    publisher: Annotated[OrganizationRef | None, term(schema.publisher)] = None
    institution: Annotated[OrganizationRef | None, term(schema.sourceOrganization)] = None
    pages: Annotated[
        Text | None,
        "The pages: 101-119, or as printed.",
        term(schema.pageStart, as_=page(1)),
        term(schema.pageEnd, as_=page(2)),
        term(schema.pagination, as_=lambda pages: None if PAGES.fullmatch(pages) else pages),
    ] = None
    series: Annotated[
        Text | None,
        "The title of a series of books or reports.",
        term(schema.isPartOf, as_=lambda name: BookSeries.unchecked(name=name)),
    ] = None
    isbn: Annotated[Isbn | None, unmapped("becomes an identifier; for a book also schema:isbn")] = (
        None
    )
    articleNumber: Annotated[Text | None, unmapped("becomes an identifier node")] = None
    pmid: Annotated[Pmid | None, "The PubMed ID.", unmapped("becomes an identifier")] = None
    pmcid: Annotated[
        Pmcid | None, "The PubMed Central ID: PMC6711234.", unmapped("becomes an identifier")
    ] = None
    identifiers: Annotated[
        dict[Slug, Text],
        AfterValidator(check_numbers),
        "Other identifiers by scheme: `{hal: …, handle: …, openreview: …, dblp: …, zenodo: …}`.",
        unmapped("each becomes an identifier node"),
    ] = NOTHING
    refereed: Annotated[
        bool | None,
        "Whether it was peer-reviewed; omit it if unknown.",
        term(cv.refereed),
    ] = None
    funding: Annotated[
        list[GrantRef], Listed, "The grants that funded it.", term(schema.funding)
    ] = EMPTY
    version: Annotated[Text | None, term(schema.version)] = None
    license: Annotated[
        License | None, "Its SPDX name (CC-BY-4.0, MIT), or an address.", term(schema.license)
    ] = None
    annotation: Annotated[Prose | None, "A remark for readers.", term(schema.description)] = None
    preprint: Annotated[
        Preprint | None,
        "An earlier version: an arXiv number, an address, or `{arxiv, doi, date, url}`.",
        unmapped("becomes schema:workExample"),
    ] = None
    versionOf: Annotated[
        PublicationRef | None,
        "The key of the work that this is another version of.",
        inverse(schema.workExample),
        term(schema.exampleOfWork),
    ] = None
    code: Annotated[
        CodeRef | None, "Its code: a web address or a key.", inverse(schema.citation)
    ] = None
    data: Annotated[
        DataRef | None, "Its data: a web address or a key.", inverse(schema.citation)
    ] = None
    slides: Annotated[
        Slides | None, "The slides: an address, or a file in `static/`.", term(schema.subjectOf)
    ] = None
    poster: Annotated[
        PosterFile | None, "The poster: an address, or a file in `static/`.", term(schema.subjectOf)
    ] = None
    video: Annotated[Video | None, "The address of a video.", term(schema.video)] = None

    @property
    def signers(self) -> list[str]:
        others = [*self.editors, *self.translators, *self.contributors]
        return super().signers + [each.signer for each in others]

    @property
    def versions_of(self) -> list[PublicationRef]:
        return [self.versionOf] if self.versionOf else []

    @property
    def dates(self) -> list[When | None]:
        return [*super().dates, self.preprint.date if self.preprint else None]

    @property
    def is_book(self) -> bool:
        return False

    @computed(term(schema.workExample), field="preprint")
    def earlier_version(self) -> Preprint | None:
        if self.preprint is None:
            return None
        return self.preprint.model_copy(update={"name": plain_title(self.title)})

    @computed(term(rdf.type))
    def classes(self) -> tuple[Iri, ...]:
        """Empty for another version of a work, which is not counted as a work."""
        return () if self.versionOf else KINDS[self.kind][1]

    @computed(
        term(schema.identifier),
        term(schema.sameAs, as_=lambda identifier: identifier.url),
        field="doi arxiv pmid pmcid isbn articleNumber identifiers",
    )
    def known_as(self) -> list[Identifier]:
        registered: list[Identifier] = super().known_as
        if self.model_fields_set.isdisjoint(NUMBERS):  # the usual case
            return registered
        others = {
            "pmid": self.pmid,
            "pmcid": self.pmcid,
            "isbn": None if self.is_book else self.isbn,
            "article-number": self.articleNumber,
            **self.identifiers,
        }
        own = [identified(scheme, value) for scheme, value in others.items() if value]
        return [*registered, *own]


def identified(scheme: str, value: str) -> Identifier:
    return Identifier.unchecked(
        scheme=scheme, propertyID=scheme, value=value, url=address_in(scheme, value)
    )
