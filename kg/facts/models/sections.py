"""Models of custom sections, key contributions, the statement, and the layout of a page. Entries
keep their order.
"""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kg.facts.models.base import EMPTY, Entry, Short
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, period, span
from kg.facts.values.languages import Worded
from kg.facts.values.person_identifiers import Orcid
from kg.facts.values.prose import Prose
from kg.facts.values.references import OrganizationRef, PlaceRef, WorkRef
from kg.facts.values.terms import Fact, computed, inverse, ordered, term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress, require
from kg.text.markdown import plain_prose
from kg.vocab import cv, dcterms, schema

MAX_WORDS = 6  # of a line, in an address
HIDES = "-"  # prefix of hidden sections
POSITION_HELP = "its position in the list; filled by the loader"


class FreeEntry(Short, Entry):
    """An entry of a custom section: a line of Markdown, a label with details, or fields."""

    types = (cv.Entry, schema.ListItem)
    key = "{within}-{called}-{began}"
    may_repeat = True
    short = "text"

    text: Annotated[
        Prose | None,
        "One line of Markdown, instead of the other fields.",
        term(schema.description),
    ] = None
    label: Annotated[Text | None, "A label before the details.", term(schema.name)] = None
    details: Annotated[Prose | None, "The text after the label.", term(schema.description)] = None
    name: Annotated[Text | None, "Its name.", term(schema.name)] = None
    organization: Annotated[OrganizationRef | None, "The organisation.", term(schema.item)] = None
    location: Annotated[PlaceRef | None, term(dcterms.spatial)] = None
    date: Annotated[
        Date | None, "The day or year, if it is not a period.", unmapped("becomes the period")
    ] = None
    startDate: Annotated[Date | None, unmapped("becomes the period")] = None
    endDate: Annotated[When | None, unmapped("becomes the period")] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @model_validator(mode="after")
    def is_of_one_form(self) -> Self:
        forms = [name for name in ("text", "label", "name") if getattr(self, name)]
        hint = "Write a line of text, 'label' and 'details', or 'name' and other fields."
        require(forms, "missing-field", f"this entry has no name. {hint}")
        message = f"'{forms[0]}' and '{forms[-1]}' cannot be combined. {hint}"
        require(len(forms) == 1, "bad-value", message, forms[-1])
        texts = [name for name in ("text", "details", "summary") if getattr(self, name)]
        message = f"'{texts[0]}' and '{texts[-1]}' mean the same here. Keep one." if texts else ""
        require(len(texts) < 2, "bad-value", message, texts[-1] if texts else "")
        message = "'date' cannot be combined with 'startDate' or 'endDate'. Remove one of them."
        ends = self.startDate or self.endDate
        require(not (self.date and ends), "bad-value", message, "date")
        return self

    @property
    def called(self) -> str:
        words = (self.name or self.label or plain_prose(self.text or "")).split()
        return " ".join(words[:MAX_WORDS])

    @property
    def began(self) -> When | None:
        return self.date or self.startDate

    @computed(term(dcterms.date), field="date startDate endDate")
    def edtf(self) -> Edtf | None:
        end = self.date or self.endDate
        return period(self.began, end) if self.began or end else None

    @computed(*SPAN_TERMS, field="date startDate endDate")
    def span(self) -> DaySpan | None:
        return span(self.began, self.date or self.endDate)


class FreeSection(Entry):
    """A section with your own title, for anything that has no section here."""

    types = (cv.Section, schema.ItemList, schema.ListItem)
    of = (inverse(cv.section),)
    key = "section-{title}"
    from_loader = ("position",)

    position: Annotated[int, term(schema.position), POSITION_HELP]
    title: Annotated[Worded, "The title: Exhibitions.", term(schema.name)]
    entries: Annotated[
        list[FreeEntry],
        Field(min_length=1),
        "Lines of Markdown, or entries with fields.",
        ordered(schema.itemListElement),
    ]


class KeyContribution(Entry):
    """A key contribution in your own words, with the works that show it, for narrative CVs."""

    types = (cv.KeyContribution, cv.Section, schema.ItemList, schema.ListItem)
    of = (inverse(cv.section),)
    key = "contribution-{title}"
    from_loader = ("position",)

    position: Annotated[int, term(schema.position), POSITION_HELP]
    title: Annotated[
        Worded, "A summary in one line: Ice is brighter than models say.", term(schema.name)
    ]
    summary: Annotated[
        Prose | None, "What you did and why it matters.", term(schema.description)
    ] = None
    works: Annotated[
        list[WorkRef], Listed, "The works that show it.", term(schema.itemListElement)
    ] = EMPTY
    url: Annotated[WebAddress | None, term(schema.url)] = None


class Statement(Fact):
    """The statement of research, teaching or purpose, as a section."""

    types = (cv.Section, schema.ItemList)
    of = (inverse(cv.section),)
    fixed = {schema.name: "Statement"}
    key = "section-statement"

    text: Annotated[Prose, term(schema.description)]


class Layout(BaseModel):
    """The arrangement of a CV's page; it changes no facts."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    order: Annotated[
        list[Text], Listed, "The sections to show first: [summary, selected, work, education]."
    ] = EMPTY
    hide: Annotated[list[Text], Listed, "The sections to hide: [skills]."] = EMPTY

    @property
    def lines(self) -> str:
        return "\n".join([*self.order, *(f"{HIDES}{name}" for name in self.hide)])


class Sync(BaseModel):
    """What `kg sync` asks for a person; it changes no facts."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    sources: Annotated[
        list[Text], Listed, "The services to ask: [orcid, crossref, openalex, dblp, datacite]."
    ] = EMPTY
    orcid: Annotated[Orcid | None, "An ORCID iD that is not on your page."] = None
    dblp: Annotated[Text | None, "Your person at dblp: pid/k/DEKnuth."] = None
    openalex: Annotated[Text | None, "Your author at OpenAlex: A5023888391."] = None
