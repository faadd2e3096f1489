"""Numbers about something, each an observation of its own: grades, attendance, acceptance
figures.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from kg.facts.models.base import Fact
from kg.facts.values.terms import term, unmapped
from kg.facts.values.text import Number, canonical, require
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
        parts = [part.strip() for part in value.split("/", 1)]
        message = f"{value!r} is not a score. Write it with its scale, e.g. 3.96/4.0."
        require(all(parts), "bad-score", message)
        return dict(zip(("value", "scale"), parts, strict=False))


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
        require(
            re.fullmatch(r"[1-9]\d{0,6}\+?", value),
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
    good = isinstance(text, str) and re.fullmatch(r"[1-9]\d{0,6}", text)
    require(good, "bad-number", f"{text!r} is not a count. Write digits, e.g. 320.")
    return Decimal(str(text))


PERCENT = r"(\d{1,3}(?:\.\d+)?)"


def is_percentage(pattern: str, text: str) -> bool:
    """Whether a text is of that form, with numbers up to 100, the larger one last."""
    found = re.fullmatch(pattern, text)
    return found is not None and Decimal(found[1]) <= Decimal(found[found.lastindex or 1]) <= 100


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
            "Give 'accepted' and 'submitted', a 'stated' percentage, or a 'range'.",
        )
        require(
            not (accepted and submitted) or accepted <= submitted,
            "bad-acceptance",
            f"{accepted} of {submitted} cannot be. Check the two numbers.",
            "accepted",
        )
        return self

    @property
    def rate(self) -> Decimal | None:
        """The computed ratio; the stated one only where there is nothing to compute it from."""
        if self.accepted and self.submitted:
            return canonical((self.accepted / self.submitted).quantize(Decimal("0.0001")))
        return canonical(Decimal(self.stated[:-1]) / 100) if self.stated else None

    def figures(self) -> list[Figure]:
        counts = (
            ("submissions", measures.submissions, self.submitted),
            ("accepted", measures.accepted_papers, self.accepted),
        )
        found = [
            Figure.unchecked(word=word, variable=variable, value=int(count))
            for word, variable, count in counts
            if count
        ]
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
