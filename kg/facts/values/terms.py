"""How a model says what its fields mean: three joins, and a few concepts beside them.

    name: Annotated[Text, term(schema.name), term(foaf.name)]     this fact -name-> value
    parent: Annotated[OrganizationRef, inverse(schema.subOrganization)]
                                                      value -subOrganization-> this fact
    authors: Annotated[list[Signature], ordered(schema.creator)]  like term, and numbered

A value may itself be a fact (a *part*) and is then walked too. `computed` marks a computed value.
`unmapped` says that a field is deliberately no triple of this fact. A text among the marks of a
field tells who writes a CV what to write there. A `Mention` names a fact of another document in
passing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict

from kg.vocab import Iri

Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Join:
    """One way from a fact to a value. `as_` converts the value first; None means no triple."""

    way: Literal["term", "inverse", "ordered"]
    predicate: Iri
    as_: Convert | None = None


term = partial(Join, "term")
# The triple runs from the value to this fact, so the value must be a reference, mention or part.
inverse = partial(Join, "inverse")
ordered = partial(Join, "ordered")


@dataclass(frozen=True, slots=True)
class Unmapped:
    """The field is no triple of this fact, and why: another value says it, or nothing published."""

    why: str
    is_withheld: bool = False


# A computed value, another fact or the page says it; `why` tells which.
unmapped = Unmapped
# Nothing that is published says it; the format page names the field and tells why.
withheld = partial(Unmapped, is_withheld=True)


class Computed(property):
    """A computed value with its joins. `field` is the field to show when something is wrong with
    it, or the first written of several.
    """

    joins: tuple[Join, ...] = ()
    field: str = ""


def computed(*joins: Join, field: str = "") -> Callable[[Callable[[Any], Any]], Computed]:
    """Marks a method as a value of the fact: it returns values or parts, never triples."""

    def mark(method: Callable[[Any], Any]) -> Computed:
        value = Computed(method)
        value.joins, value.field = joins, field
        return value

    return mark


# What each model has beside its values; pydantic's own way to set it takes longer.
set_given, set_extra, set_private = (
    vars(BaseModel)[f"__pydantic_{name}__"].__set__ for name in ("fields_set", "extra", "private")
)


class Fact(BaseModel):
    """A node of the graph. `key` is the pattern of its fragment: pieces joined by '-', one that is
    empty left out.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    types: ClassVar[tuple[Iri, ...]] = ()
    fixed: ClassVar[Mapping[Iri, Iri | str]] = {}
    key: ClassVar[str] = "it"
    of: ClassVar[tuple[Join, ...]] = ()
    within: ClassVar[Join | None] = None
    # whether a plain text may stand for the whole, or a date and a text: `2026-03: It is out.`
    accepts_text: ClassVar[bool] = False
    accepts_date: ClassVar[bool] = False
    # required fields that are filled in where the author leaves them out
    filled: ClassVar[tuple[str, ...]] = ()
    # fields of which one is required: where it points to something private, so is the fact
    essential: ClassVar[tuple[str, ...]] = ()
    # fields the loader fills, from the key or from `basics`; no author writes them
    from_loader: ClassVar[tuple[str, ...]] = ()
    # what else to do where a required field is missing
    remedies: ClassVar[Mapping[str, str]] = {}
    # whether the same may be written twice: lines of a section of one's own
    may_repeat: ClassVar[bool] = False
    # fields whose items each make a row: positions, dates, years
    spread: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def unchecked(cls, **values: Any) -> Self:
        """A fact of values that were checked already; `model_construct` takes a millisecond."""
        fact = cls.__new__(cls)
        fact.__dict__.update(defaults(cls), **values)
        set_given(fact, {*values})
        set_extra(fact, None)
        set_private(fact, None)
        return fact


# pydantic knows them now, and would evaluate them again for each class below: a tenth of a check.
Fact.__annotations__ = {}


@cache
def defaults(model: type[Fact]) -> dict[str, Any]:
    return {
        name: field.get_default(call_default_factory=True, validated_data={})
        for name, field in model.model_fields.items()
        if not field.is_required()
    }


@cache
def computed_values(model: type[Fact]) -> Mapping[str, Computed]:
    """The computed values of a class, its own and inherited."""
    return {
        name: value
        for ancestor in reversed(model.__mro__)
        for name, value in vars(ancestor).items()
        if isinstance(value, Computed)
    }


class Mention(NamedTuple):
    """A fact of another document, named in passing. The link is written at once, the node only if
    nobody describes it.

    `within` is the mentioned fact that encloses it, as an edition encloses its proceedings.
    """

    kind: str
    slug: str
    fact: Fact
    within: "Mention | None" = None
