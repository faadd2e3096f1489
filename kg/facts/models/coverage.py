"""The press: what others publish about a person and the work, and the part the person has in it."""

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
    """What an episode is one of, or the column that an article stands in."""

    types = (schema.CreativeWork,)
    key = "programme"

    name: Annotated[Text, term(schema.name)]
    kind: Annotated[str, term(rdf.type, as_=SERIES_KINDS.get)]


class Press(Main):
    """Something that others published: an article, a podcast, a broadcast."""

    types = (schema.CreativeWork, foaf.Document)

    title: Annotated[Title, term(schema.name, as_=plain_title), term(schema.headline)]
    kind: Annotated[
        Literal["news", "magazine", "blog", "podcast", "radio", "tv", "video"],
        term(rdf.type, as_=PRESS_KINDS.get),
    ] = "news"
    publisher: Annotated[
        OrganizationRef | None, "The paper, the station, the company.", term(schema.publisher)
    ] = None
    programme: Annotated[
        Text | None,
        "The podcast or the programme that it is an episode of, the column of a paper.",
        unmapped("a series of its own, which this is part of"),
    ] = None
    by: Annotated[
        list[PersonRef], Listed, "Who wrote or made it, where others did.", term(schema.author)
    ] = EMPTY
    date: Annotated[Date | None, "When it appeared.", term(schema.datePublished)] = None
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
    """The part that the owner has in what others published."""

    types = (cv.MediaAppearance, schema.Role)
    of = (term(schema.contributor),)
    key = "press-{item}"

    item: Annotated[PressRef, inverse(schema.contributor)]
    roleName: Annotated[Text, term(schema.roleName)]


class PressListing(Short, Entry):
    """Something that others published about you: its key in `data/press.yaml`, or its own fields
    here, and your part in it.
    """

    short = "item"

    item: Annotated[
        PressRef,
        "Where its own fields do not stand here: the key or the title of an item.",
        term(schema.subjectOf),
    ]
    role: Annotated[
        Text | None,
        "Your part in it, if you had one: 'Interviewee', 'Quoted', 'Author'.",
        unmapped("a role of its own"),
    ] = None
    source: Annotated[list[SourceRef], Listed, unmapped("on the role and on the item")] = EMPTY

    @computed(field="role")
    def appearance(self) -> MediaAppearance | None:
        if not self.role:
            return None
        return MediaAppearance.unchecked(item=self.item, roleName=self.role, source=self.source)
