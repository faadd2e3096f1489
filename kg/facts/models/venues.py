"""Models of conferences with editions and proceedings, and of journals with volumes and issues."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from kg.facts.models.base import EMPTY, NOTHING, Entry, Named, Observation, OtherNames
from kg.facts.models.signatures import Editor
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, When, Year, span
from kg.facts.values.references import AuthorRef, OrganizationRef, PlaceRef, Reference, VenueRef
from kg.facts.values.terms import Fact, Mention, computed, ordered, term, unmapped
from kg.facts.values.text import (
    COUNT,
    Listed,
    Text,
    WebAddress,
    canonical,
    number_hint,
    require,
    shown,
)
from kg.facts.values.work_references import JournalRef
from kg.facts.yaml.rows import texts
from kg.vocab import Iri, cv, foaf, rdf, schema


class Figure(Observation):
    key = "{within}-{word}"

    word: Annotated[str, unmapped("part of the key")]
    variable: Annotated[Iri, term(schema.variableMeasured)]
    value: Annotated[int | Decimal | None, term(schema.value)] = None
    least: Annotated[Decimal | None, term(schema.minValue)] = None
    most: Annotated[Decimal | None, term(schema.maxValue)] = None
    denominator: Annotated[Iri | None, term(schema.measurementDenominator)] = None


def check_count(text: object) -> Decimal:
    if not isinstance(text, str) or not re.fullmatch(COUNT, text):
        message = f"{shown(text)} is not a count. {number_hint(text, COUNT)}"
        raise PydanticCustomError("bad-number", f"{message}Write digits, e.g. 320.")
    return Decimal(str(text))


PERCENT = r"([0-9]{1,3}(?:\.[0-9]+)?)"


def is_percentage(pattern: str, text: str) -> bool:
    """Whether a text matches the pattern, with numbers up to 100 in ascending order."""
    found = re.fullmatch(pattern, text)
    return found is not None and Decimal(found[1]) <= Decimal(found[found.lastindex or 1]) <= 100


Count = Annotated[Decimal, BeforeValidator(check_count)]
FIGURE = "becomes a figure; the rate is computed from both"
STATED = "becomes the rate if there are no counts; otherwise it is compared with them"


class Acceptance(BaseModel):
    """The acceptance figures of an edition: counts, a printed percentage, or a range."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    accepted: Annotated[Count | None, unmapped(FIGURE)] = None
    submitted: Annotated[Count | None, unmapped(FIGURE)] = None
    stated: Annotated[str | None, unmapped(STATED)] = None
    range: Annotated[str | None, unmapped("becomes the bounds of the rate")] = None

    @model_validator(mode="after")
    def makes_sense(self) -> "Acceptance":
        accepted, submitted, stated, range_ = self.accepted, self.submitted, self.stated, self.range
        require(
            stated is None or is_percentage(f"{PERCENT}%", stated),
            "bad-acceptance",
            f"{stated!r} is not a percentage. Write it as 25.3%.",
            "stated",
        )
        require(
            range_ is None or is_percentage(f"{PERCENT}-{PERCENT}%", range_),
            "bad-acceptance",
            f"{range_!r} is not a range. Write it as 20-25%.",
            "range",
        )
        require(
            range_ or stated or (accepted and submitted),
            "bad-acceptance",
            "the acceptance is incomplete. Add 'accepted' and 'submitted', a 'stated' "
            "percentage, or a 'range'.",
        )
        require(
            not (accepted and submitted) or accepted <= submitted,
            "bad-acceptance",
            f"{accepted} accepted of {submitted} submitted is impossible. Correct a number.",
            "accepted",
        )
        return self

    @property
    def rate(self) -> Decimal | None:
        """Computed from counts, or else as stated."""
        if self.accepted and self.submitted:
            return canonical((self.accepted / self.submitted).quantize(Decimal("0.0001")))
        return canonical(Decimal(self.stated[:-1]) / 100) if self.stated else None

    def figures(self) -> list[Figure]:
        counts = (
            ("submissions", cv.submissions, self.submitted),
            ("accepted", cv.acceptedPapers, self.accepted),
        )
        found = [
            Figure.unchecked(word=word, variable=variable, value=int(count))
            for word, variable, count in counts
            if count
        ]
        rate = {
            "word": "acceptance-rate",
            "variable": cv.acceptanceRate,
            "denominator": cv.submissions,
        }
        if self.range:
            least, most = (canonical(Decimal(bound) / 100) for bound in self.range[:-1].split("-"))
            found.append(Figure.unchecked(**rate, least=least, most=most))
        elif self.rate is not None:
            found.append(Figure.unchecked(**rate, value=self.rate))
        return found


class Proceedings(Fact):
    """The volume with the papers of an edition; a book if it has an ISBN."""

    types = (schema.PublicationVolume, schema.CreativeWork, foaf.Document)
    within = term(schema.about)
    key = "{within}-proceedings"

    name: Annotated[Text, term(schema.name)]
    publisher: Annotated[list[OrganizationRef], term(schema.publisher)] = EMPTY
    isbn: Annotated[
        Text | None,
        term(schema.isbn, as_=lambda isbn: re.sub(r"[\s-]", "", isbn)),
        term(rdf.type, as_=lambda isbn: schema.Book),
    ] = None
    editors: Annotated[
        list[AuthorRef],
        term(schema.editor),
        ordered(
            schema.contributor, as_=lambda editor: Editor.unchecked(printed=None, person=editor)
        ),
    ] = EMPTY


class Host(BaseModel):
    """The edition that a workshop belongs to."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    venue: Annotated[VenueRef, unmapped("the conference")]
    year: Annotated[Year, unmapped("the year of the conference")]


class Edition(Entry):
    """One year of a series. Publisher, ISBN and editors become those of its proceedings."""

    types = (schema.ConferenceEvent, schema.Event)
    of = (term(schema.superEvent),)
    key = "{year}"
    filled = ("name", "year")

    name: Annotated[Text, term(schema.name)]
    alternateNames: OtherNames = EMPTY
    year: Annotated[Year, unmapped("becomes the start, unless `date` is given")]
    date: Annotated[Date | None, unmapped("becomes the start")] = None
    endDate: Annotated[Date | None, term(schema.endDate)] = None
    location: Annotated[PlaceRef | None, term(schema.location)] = None
    host: Annotated[
        "Host | None", term(schema.superEvent, as_=lambda host: edition_of(host.venue, host.year))
    ] = None
    proceedings: Annotated[Text | None, unmapped("becomes the name of the proceedings")] = None
    publisher: Annotated[
        list[OrganizationRef], Listed, unmapped("becomes the publisher of the proceedings")
    ] = EMPTY
    isbn: Annotated[Text | None, unmapped("becomes the ISBN of the proceedings")] = None
    editors: Annotated[
        list[AuthorRef], Listed, unmapped("become the editors of the proceedings")
    ] = EMPTY
    acceptance: Annotated[Acceptance | None, unmapped("becomes observations")] = None

    @computed(field="acceptance")
    def figures(self) -> list[Figure]:
        return self.acceptance.figures() if self.acceptance else []

    @computed(term(schema.startDate), field="date year")
    def start(self) -> When:
        return self.date or self.year

    @computed(*SPAN_TERMS, field="endDate date year")
    def span(self) -> DaySpan | None:
        return span(self.start, self.endDate or self.start)

    @computed(field="isbn")
    def volume(self) -> Proceedings | None:
        if not (self.publisher or self.isbn or self.editors or self.proceedings):
            return None
        return Proceedings.unchecked(
            name=self.proceedings or f"Proceedings of {self.name}",
            publisher=self.publisher,
            isbn=self.isbn,
            editors=self.editors,
        )


class Series(Named):
    """A recurring conference or workshop."""

    types = (schema.EventSeries, schema.Event)

    kind: Annotated[
        Literal["conference", "workshop", "meeting", "school"],
        term(schema.keywords, as_=str.capitalize),
    ]
    url: Annotated[WebAddress | None, term(schema.url)] = None
    editions: dict[str, Edition] = NOTHING

    @model_validator(mode="before")
    @classmethod
    def name_editions(cls, row: Any) -> Any:
        """Names editions without a name after the series: SC 2020."""
        editions = row.get("editions")
        if not isinstance(editions, Mapping):
            return row
        named = {
            year: {"name": edition_name(row, year), **edition, "year": year}
            if isinstance(edition, Mapping)
            else edition
            for year, edition in editions.items()
        }
        return {**row, "editions": named}


class Journal(Named):
    """A periodical."""

    types = (schema.Periodical, schema.CreativeWork, foaf.Document)

    kind: Annotated[Literal["journal"], unmapped("becomes the class")]
    url: Annotated[WebAddress | None, term(schema.url)] = None
    issn: Annotated[Text | None, term(schema.issn)] = None
    publisher: Annotated[OrganizationRef | None, term(schema.publisher)] = None


class Volume(Fact):
    types = (schema.PublicationVolume, schema.CreativeWork, foaf.Document)
    of = (term(schema.isPartOf),)
    key = "v{volumeNumber}"

    name: Annotated[Text, term(schema.name)]
    volumeNumber: Annotated[Text, term(schema.volumeNumber)]


class Issue(Fact):
    types = (schema.PublicationIssue, schema.CreativeWork, foaf.Document)
    within = term(schema.isPartOf)
    key = "{within}-i{issueNumber}"

    name: Annotated[Text, term(schema.name)]
    issueNumber: Annotated[Text, term(schema.issueNumber)]


def edition_name(series: Mapping[str, Any], year: str) -> str:
    """The name of an edition in the registry, or acronym and year."""
    editions = series.get("editions")
    edition = editions.get(year) if isinstance(editions, Mapping) else None
    if (
        isinstance(edition, Mapping)
        and edition.get("visibility") != "private"
        and isinstance(edition.get("name"), str)
    ):
        return str(edition["name"])
    return f"{next(iter(texts(series, 'alternateNames')), series.get('name', ''))} {year}"


def edition_of(venue: VenueRef, date: When) -> Mention:
    """The edition in the year of a date."""
    year = When(*[date.iso[:4]] * 3)
    fact = Edition.unchecked(name=edition_name(venue.row, year.text), year=year)
    return Mention(venue.kind, venue.slug, fact)


def appearance(venue: VenueRef, year: When | None) -> Mention | VenueRef:
    """The edition of a year; the series if the year is unknown; a journal as it is."""
    return venue if year is None or venue.row.get("kind") == "journal" else edition_of(venue, year)


class Appearance(NamedTuple):
    """Where a work appeared: the container it is part of, the event, and the volume and issue if
    the container has none.
    """

    container: Mention | Reference | None = None
    event: Mention | Reference | None = None
    volume: str | None = None
    issue: str | None = None


def appearance_in(
    venue: VenueRef | None, year: When | None, volume: str | None, issue: str | None
) -> Appearance:
    """Proceedings of an edition; or issue, volume or whole of a journal. Without a year, only the
    series is known.
    """
    if venue is None or not (isinstance(venue, JournalRef) or venue.row.get("kind") == "journal"):
        if venue is None or year is None:
            return Appearance(None, venue, volume, issue)
        edition = edition_of(venue, year)
        name = f"Proceedings of {edition_name(venue.row, year.iso[:4])}"
        printed = Proceedings.unchecked(name=name)
        proceedings = Mention(venue.kind, venue.slug, printed, edition)
        return Appearance(proceedings, edition, volume, issue)
    if volume is None:
        return Appearance(venue, issue=issue)
    whole = Mention(
        venue.kind, venue.slug, Volume.unchecked(name=f"{venue.name} {volume}", volumeNumber=volume)
    )
    if issue is None:
        return Appearance(whole)
    part = Issue.unchecked(name=f"{venue.name} {volume}({issue})", issueNumber=issue)
    return Appearance(Mention(venue.kind, venue.slug, part, within=whole))
