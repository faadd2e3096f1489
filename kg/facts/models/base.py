"""What every kind of fact has in common.

A class states its node (types, constants, the pattern of its fragment) and its joins to the two
ends no author writes: `of`, the thing the document is about, and `within`, the fact that encloses
it. Its fields state the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from kg.facts.values.dates import Date, When, interval
from kg.facts.values.references import Former, SourceRef
from kg.facts.values.terms import Join, computed, term, withheld
from kg.facts.values.text import Listed, Slug, Text
from kg.vocab import Iri, dcterms, rdf, schema

Visibility = Literal["public", "private"]


# An empty list for each fact; the plain `[]` would be copied at length for every one.
EMPTY: Any = Field(default_factory=list)
NOTHING: Any = Field(default_factory=dict)


def check_id(text: str) -> str:
    if text.startswith(("crumb", "breadcrumb")):
        raise PydanticCustomError(
            "bad-id", f"{text!r} is the address of a part of the page itself. Choose another."
        )
    return text


class Edtf(str):
    """Text of the datatype EDTF."""

    __slots__ = ()


class Fact(BaseModel):  # noqa: PLW1641 (nobody needs its hash)
    """A node of the graph. `key` is the pattern of its fragment: pieces joined by '-', one that is
    empty left out.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    types: ClassVar[tuple[Iri, ...]] = ()
    fixed: ClassVar[Mapping[Iri, Iri | str]] = {}
    key: ClassVar[str] = "it"
    of: ClassVar[tuple[Join, ...]] = ()
    within: ClassVar[Join | None] = None
    accepts_text: ClassVar[bool] = False  # whether a plain text may stand for the whole
    filled: ClassVar[
        tuple[str, ...]
    ] = ()  # required fields that are filled in where the author leaves them out
    from_loader: ClassVar[
        tuple[str, ...]
    ] = ()  # fields the loader fills, from the key or from `basics`; no author writes them
    spread: ClassVar[
        tuple[str, ...]
    ] = ()  # fields whose items each make a row: positions, dates, years

    @classmethod
    def unchecked(cls, **values: Any) -> Self:
        """A fact of values that were checked already."""
        return revived(cls, {**defaults(cls), **values})

    def __reduce__(self) -> tuple[Any, ...]:
        """A fact travels as its values: those made by us have nothing else of a pydantic model."""
        return revived, (type(self), self.__dict__)

    def __eq__(self, other: object) -> bool:
        """Its values are all there is to a fact; those made by us lack what pydantic would
        compare.
        """
        return type(self) is type(other) and self.__dict__ == other.__dict__


F = TypeVar("F", bound=Fact)


def revived(model: type[F], values: dict[str, Any]) -> F:
    fact = model.__new__(model)
    object.__setattr__(fact, "__dict__", values)
    return fact


@cache
def defaults(model: type[Fact]) -> dict[str, Any]:
    return {
        name: field.get_default(call_default_factory=True, validated_data={})
        for name, field in model.model_fields.items()
        if not field.is_required()
    }


class Short(BaseModel):
    """What may be written as one text, which stands for the field `short`: `email: a@b.org` for
    `email: {value: a@b.org}`.
    """

    model_config = ConfigDict(extra="forbid")

    accepts_text: ClassVar[bool] = True
    short: ClassVar[str] = "value"

    @model_validator(mode="before")
    @classmethod
    def from_short_form(cls, value: Any) -> Any:
        return {cls.short: value} if isinstance(value, str) else value


class Entry(Fact):
    """A fact an author writes; any entry may carry these."""

    id: Annotated[Slug, AfterValidator(check_id)] | None = None
    visibility: Visibility | None = None
    source: Annotated[list[SourceRef], Listed, term(dcterms.source)] = EMPTY
    note: Text | None = None
    disputed: dict[str, Any] = NOTHING
    accept: dict[str, Text] = NOTHING


class Main(Entry):
    """An entry that a document is about: an item of a registry, or the basics of a CV. Its key is
    the end of an address.
    """

    was: Annotated[list[Former], Listed, term(schema.sameAs)] = EMPTY


class Sourced(Fact):
    """A fact made from an entry, which says where the entry was taken from."""

    source: Annotated[list[SourceRef], term(dcterms.source)] = EMPTY


class Statement(Sourced):
    """A triple that an entry makes without a node of its own, named so that it can be said where it
    was taken from.
    """

    types = (rdf.Statement,)


class Dated(Entry):
    """A fact with a period. `dates:` in the file is spread into these before checking."""

    spread: ClassVar[tuple[str, ...]] = ("dates",)

    startDate: Annotated[Date | None, term(schema.startDate)] = None
    endDate: Annotated[When | None, term(schema.endDate)] = None
    expected: Annotated[
        Date | None, withheld("an end that lies ahead is not published; `endDate` says present")
    ] = None

    @computed(term(dcterms.date), field="endDate")
    def edtf(self) -> Edtf | None:
        text = interval(self.startDate, self.endDate)
        return Edtf(text) if text else None
