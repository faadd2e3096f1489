"""Numbers about something, each an observation of its own: grades, attendance, acceptance
figures.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from kg.facts.models.base import Fact
from kg.facts.values.terms import term, unmapped
from kg.facts.values.text import Number, canonical
from kg.vocab import Iri, measures, schema


class Observation(Fact):
    """A number measured on the fact around it."""

    types = (schema.Observation,)
    within = term(schema.observationAbout)


class GradePointAverage(Observation):
    """`3.96/4.0`: the grade and its scale, measured on the study."""

    fixed = {schema.variableMeasured: measures.gpa}
    key = "{within}-gpa"
    accepts_text = True

    value: Annotated[Number, term(schema.value)]
    scale: Annotated[Number | None, term(schema.maxValue)] = None

    @model_validator(mode="before")
    @classmethod
    def split(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        grade, slash, scale = value.partition("/")
        if not grade.strip() or (slash and not scale.strip()):
            raise PydanticCustomError(
                "bad-score", f"{value!r} is not a score. Write it with its scale, e.g. 3.96/4.0."
            )
        return {"value": grade.strip(), **({"scale": scale.strip()} if slash else {})}


class Attendance(Observation):
    """How many came: `85`, or `100+` where only a lower bound is known."""

    fixed = {schema.variableMeasured: measures.attendance}
    key = "{within}-attendance"
    accepts_text = True

    value: Annotated[int | None, term(schema.value)] = None
    least: Annotated[int | None, term(schema.minValue)] = None

    @model_validator(mode="before")
    @classmethod
    def count(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if not re.fullmatch(r"[1-9]\d{0,6}\+?", value):
            raise PydanticCustomError(
                "bad-attendance",
                f"{value!r} is not an attendance. Write 85, or 100+ where it is a lower bound.",
            )
        return {"least": int(value[:-1])} if value.endswith("+") else {"value": int(value)}


class Figure(Observation):
    """One acceptance figure of an edition."""

    key = "{within}-{word}"

    word: Annotated[str, unmapped("part of the key")]
    variable: Annotated[Iri, term(schema.variableMeasured)]
    value: Annotated[int | Decimal | None, term(schema.value)] = None
    least: Annotated[Decimal | None, term(schema.minValue)] = None
    most: Annotated[Decimal | None, term(schema.maxValue)] = None
    denominator: Annotated[Iri | None, term(schema.measurementDenominator)] = None


def check_count(text: object) -> Decimal:
    if not isinstance(text, str) or not re.fullmatch(r"[1-9]\d{0,6}", text):
        raise PydanticCustomError("bad-number", f"{text!r} is not a count. Write digits, e.g. 320.")
    return Decimal(text)


def ordered(range_: str) -> bool:
    least, most = map(Decimal, range_[:-1].split("-"))
    return least <= most <= 100


Count = Annotated[Decimal, BeforeValidator(check_count)]


FIGURE = "a figure of its own, and with the other the rate"
STATED = "the rate, where there are no counts to compute it from; else only compared with them"


class Acceptance(BaseModel):
    """How many papers an edition took: counts, the percentage as it is printed, or a range where no
    more is known.
    """

    model_config = ConfigDict(extra="forbid")

    accepted: Annotated[Count | None, unmapped(FIGURE)] = None
    submitted: Annotated[Count | None, unmapped(FIGURE)] = None
    stated: Annotated[str | None, unmapped(STATED)] = None
    range: Annotated[str | None, unmapped("the bounds of the rate")] = None

    @model_validator(mode="after")
    def makes_sense(self) -> Acceptance:
        if self.stated is not None and not (
            re.fullmatch(r"\d{1,3}(\.\d+)?%", self.stated) and Decimal(self.stated[:-1]) <= 100
        ):
            raise PydanticCustomError(
                "bad-acceptance",
                f"{self.stated!r} is not a percentage. Write it as 25.3%.",
                {"field": "stated"},
            )
        if self.range is not None and not (
            re.fullmatch(r"\d{1,3}(\.\d+)?-\d{1,3}(\.\d+)?%", self.range) and ordered(self.range)
        ):
            raise PydanticCustomError(
                "bad-acceptance",
                f"{self.range!r} is not a range. Write it as 20-25%.",
                {"field": "range"},
            )
        if not self.range and not self.stated and (self.accepted is None or self.submitted is None):
            raise PydanticCustomError(
                "bad-acceptance",
                "Give 'accepted' and 'submitted', a 'stated' percentage, or a 'range'.",
            )
        if (
            self.accepted is not None
            and self.submitted is not None
            and not 0 < self.accepted <= self.submitted
        ):
            raise PydanticCustomError(
                "bad-acceptance",
                f"{self.accepted} of {self.submitted} cannot be. Check the two numbers.",
                {"field": "accepted"},
            )
        return self

    @property
    def rate(self) -> Decimal | None:
        """The computed ratio; the stated one only where there is nothing to compute it from."""
        if self.accepted is not None and self.submitted:
            return canonical((self.accepted / self.submitted).quantize(Decimal("0.0001")))
        return canonical(Decimal(self.stated[:-1]) / 100) if self.stated else None

    def figures(self) -> list[Figure]:
        found = []
        if self.submitted is not None:
            found.append(
                Figure.unchecked(
                    word="submissions", variable=measures.submissions, value=int(self.submitted)
                )
            )
        if self.accepted is not None:
            found.append(
                Figure.unchecked(
                    word="accepted", variable=measures.accepted_papers, value=int(self.accepted)
                )
            )
        rate = {
            "word": "acceptance-rate",
            "variable": measures.acceptance_rate,
            "denominator": measures.submissions,
        }
        if self.range:
            least, most = (canonical(Decimal(bound) / 100) for bound in self.range[:-1].split("-"))
            found.append(Figure.unchecked(**rate, least=least, most=most))
        elif self.rate is not None:
            found.append(Figure.unchecked(**rate, value=self.rate))
        return found
