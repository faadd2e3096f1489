"""Sections with a title of their own, for what no kind of entry says, and contributions told in
words. They keep their order. `Layout` arranges the page of a CV.
"""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kg.facts.models.base import EMPTY, Entry, Short
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, period, span
from kg.facts.values.languages import Worded
from kg.facts.values.prose import Prose
from kg.facts.values.references import OrganizationRef, PlaceRef, WorkRef
from kg.facts.values.terms import Fact, computed, inverse, ordered, term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress, require
from kg.text.markdown import plain_prose
from kg.vocab import cv, dcterms, schema

MOST_WORDS = 6  # of a line that becomes an address
HIDES = "-"  # before the name of a section that the page hides
PLACE = "its place among the others; put there by the loader"


class FreeEntry(Short, Entry):
    """An entry of a section of your own: a line of Markdown, a label with details, or fields."""

    types = (cv.Entry, schema.ListItem)
    key = "{within}-{called}-{began}"
    may_repeat = True
    short = "text"

    text: Annotated[
        Prose | None,
        "All in one line, instead of the other fields.",
        term(schema.description),
    ] = None
    label: Annotated[Text | None, "A word before the details.", term(schema.name)] = None
    details: Annotated[Prose | None, "What is said under the label.", term(schema.description)] = (
        None
    )
    name: Annotated[Text | None, "What it was.", term(schema.name)] = None
    organization: Annotated[OrganizationRef | None, "With whom or where.", term(schema.item)] = None
    location: Annotated[PlaceRef | None, term(dcterms.spatial)] = None
    date: Annotated[Date | None, "When, if on one day or in one year.", unmapped("the period")] = (
        None
    )
    startDate: Annotated[Date | None, unmapped("the period")] = None
    endDate: Annotated[When | None, unmapped("the period")] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @model_validator(mode="after")
    def is_of_one_form(self) -> Self:
        forms = [name for name in ("text", "label", "name") if getattr(self, name)]
        hint = "Write a line of text, 'label' and 'details', or 'name' and what belongs to it."
        require(forms, "missing-field", f"this has no name. {hint}")
        message = f"'{forms[0]}' and '{forms[-1]}' both say what it is. {hint}"
        require(len(forms) == 1, "bad-value", message, forms[-1])
        texts = [name for name in ("text", "details", "summary") if getattr(self, name)]
        message = f"'{texts[0]}' and '{texts[-1]}' are the same here. Keep one." if texts else ""
        require(len(texts) < 2, "bad-value", message, texts[-1] if texts else "")
        message = "'date' is the whole period. Remove it, or 'startDate' and 'endDate'."
        ends = self.startDate or self.endDate
        require(not (self.date and ends), "bad-value", message, "date")
        return self

    @property
    def called(self) -> str:
        words = (self.name or self.label or plain_prose(self.text or "")).split()
        return " ".join(words[:MOST_WORDS])

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
    """A section with a title of your own, for whatever has no section here."""

    types = (cv.Section, schema.ItemList, schema.ListItem)
    of = (inverse(cv.section),)
    key = "section-{title}"
    from_loader = ("position",)

    position: Annotated[int, term(schema.position), PLACE]
    title: Annotated[Worded, "Its title: Exhibitions.", term(schema.name)]
    entries: Annotated[
        list[FreeEntry],
        Field(min_length=1),
        "Lines of Markdown, or entries with fields.",
        ordered(schema.itemListElement),
    ]


class KeyContribution(Entry):
    """What you brought about, in your own words, and the works that show it: for a narrative CV."""

    types = (cv.KeyContribution, cv.Section, schema.ItemList, schema.ListItem)
    of = (inverse(cv.section),)
    key = "contribution-{title}"
    from_loader = ("position",)

    position: Annotated[int, term(schema.position), PLACE]
    title: Annotated[Worded, "It in a line: Ice is brighter than models say.", term(schema.name)]
    summary: Annotated[
        Prose | None, "What you did and why it counts.", term(schema.description)
    ] = None
    works: Annotated[
        list[WorkRef], Listed, "The works that show it.", term(schema.itemListElement)
    ] = EMPTY
    url: Annotated[WebAddress | None, term(schema.url)] = None


class Statement(Fact):
    """A statement of research, teaching or purpose: a section of that title."""

    types = (cv.Section, schema.ItemList)
    of = (inverse(cv.section),)
    fixed = {schema.name: "Statement"}
    key = "section-statement"

    text: Annotated[Prose, term(schema.description)]


class Layout(BaseModel):
    """How the page of a CV is arranged. It changes no fact."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    order: Annotated[
        list[Text], Listed, "The sections that come first: [summary, selected, work, education]."
    ] = EMPTY
    hide: Annotated[list[Text], Listed, "Sections that the page does not show: [skills]."] = EMPTY

    @property
    def lines(self) -> str:
        return "\n".join([*self.order, *(f"{HIDES}{name}" for name in self.hide)])
