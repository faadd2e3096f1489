"""Models of press coverage, and of a person's role in it."""

from typing import Annotated, Literal

from kg.facts.models.base import EMPTY, Entry, Main, Short, Sourced
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, span
from kg.facts.values.prose import Title
from kg.facts.values.references import (
    CoverageRef,
    OrganizationRef,
    PersonRef,
    PressRef,
    SourceRef,
)
from kg.facts.values.terms import Fact, computed, inverse, term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress
from kg.text.markdown import plain_title
from kg.vocab import Iri, cv, foaf, rdf, schema

PRESS_KINDS: dict[str, Iri] = {
    "news": schema.NewsArticle,
    "magazine": schema.Article,
    "blog": schema.BlogPosting,
    "podcast": schema.PodcastEpisode,
    "radio": schema.RadioEpisode,
    "tv": schema.TVEpisode,
    "video": schema.VideoObject,
}
SERIES_KINDS: dict[str, Iri] = {
    "podcast": schema.PodcastSeries,
    "radio": schema.RadioSeries,
    "tv": schema.TVSeries,
}


class Programme(Fact):
    """The series of an episode, or the column of an article."""

    types = (schema.CreativeWork,)
    key = "programme"

    name: Annotated[Text, term(schema.name)]
    kind: Annotated[str, term(rdf.type, as_=SERIES_KINDS.get)]


class Press(Main):
    """Press coverage: an article, podcast or broadcast by others."""

    types = (schema.CreativeWork, foaf.Document)

    title: Annotated[Title, term(schema.name, as_=plain_title), term(schema.headline)]
    kind: Annotated[
        Literal["news", "magazine", "blog", "podcast", "radio", "tv", "video"],
        term(rdf.type, as_=PRESS_KINDS.get),
    ] = "news"
    publisher: Annotated[
        OrganizationRef | None, "The newspaper, station or company.", term(schema.publisher)
    ] = None
    programme: Annotated[
        Text | None,
        "The podcast, programme or column that it is part of.",
        unmapped("becomes a series that this is part of"),
    ] = None
    by: Annotated[list[PersonRef], Listed, "The authors or producers.", term(schema.author)] = EMPTY
    date: Annotated[Date | None, "The publication date.", term(schema.datePublished)] = None
    about: Annotated[list[CoverageRef], Listed, "Its topics.", term(schema.about)] = EMPTY
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @computed(*SPAN_TERMS, field="date")
    def span(self) -> DaySpan | None:
        return span(self.date, self.date)

    @property
    def whole(self) -> Programme | None:
        return Programme.unchecked(name=self.programme, kind=self.kind) if self.programme else None

    @computed(term(schema.partOfSeries), field="programme")
    def series(self) -> Programme | None:
        return self.whole if self.kind in SERIES_KINDS else None

    @computed(term(schema.isPartOf), field="programme")
    def column(self) -> Programme | None:
        return None if self.kind in SERIES_KINDS else self.whole


class MediaAppearance(Sourced):
    """A person's role in press coverage."""

    types = (cv.MediaAppearance, schema.Role)
    of = (term(schema.contributor),)
    key = "press-{item}"

    item: Annotated[PressRef, inverse(schema.contributor)]
    roleName: Annotated[Text, term(schema.roleName)]


class PressListing(Short, Entry):
    """Press coverage of you: a key in `data/press.yaml`, or fields of the item, and your role in
    it.
    """

    short = "item"

    item: Annotated[
        PressRef,
        "The key or title of an item, unless you write its fields here.",
        term(schema.subjectOf),
    ]
    role: Annotated[
        Text | None,
        "Your role, if any: 'Interviewee', 'Quoted', 'Author'.",
        unmapped("becomes a role"),
    ] = None
    source: Annotated[
        list[SourceRef], Listed, unmapped("becomes the source of the role and the item")
    ] = EMPTY

    @computed(field="role")
    def appearance(self) -> MediaAppearance | None:
        if not self.role:
            return None
        return MediaAppearance.unchecked(item=self.item, roleName=self.role, source=self.source)
