"""Declarations that map the fields of a model to RDF.

    name: Annotated[Text, term(schema.name), term(foaf.name)]     this fact -name-> value
    parent: Annotated[OrganizationRef, inverse(schema.subOrganization)]
                                                      value -subOrganization-> this fact
    authors: Annotated[list[Signature], ordered(schema.creator)]  like term, and numbered

A value that is itself a fact (a *part*) is mapped recursively. `computed` marks a computed value,
`unmapped` a field that makes no triple of this fact. A plain string in `Annotated` is the field's
description for authors. A `Mention` refers to a fact of another document.
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
    """A triple between a fact and a value. `as_` converts the value; None means no triple."""

    way: Literal["term", "inverse", "ordered"]
    predicate: Iri
    as_: Convert | None = None


term = partial(Join, "term")
# The triple points from the value to this fact, so the value must be a reference, mention or part.
inverse = partial(Join, "inverse")
ordered = partial(Join, "ordered")


@dataclass(frozen=True, slots=True)
class Unmapped:
    """Marks a field that makes no triple of this fact, and says why."""

    why: str
    is_withheld: bool = False


# The value is published in another way: by a computed value, another fact or the page.
unmapped = Unmapped
# The value is not published; the format page says why.
withheld = partial(Unmapped, is_withheld=True)


class Computed(property):
    """A computed value with its joins. `field` is the field that problems are reported at, or the
    first of several.
    """

    joins: tuple[Join, ...] = ()
    field: str = ""


def computed(*joins: Join, field: str = "") -> Callable[[Callable[[Any], Any]], Computed]:
    """Marks a method as a computed value. It returns values or parts, never triples."""

    def mark(method: Callable[[Any], Any]) -> Computed:
        value = Computed(method)
        value.joins, value.field = joins, field
        return value

    return mark


# Attributes that pydantic keeps beside the values; setting them directly is faster.
set_given, set_extra, set_private = (
    vars(BaseModel)[f"__pydantic_{name}__"].__set__ for name in ("fields_set", "extra", "private")
)


class Fact(BaseModel):
    """A node of the graph. `key` is the pattern of its IRI fragment: pieces joined by '-'; empty
    ones are left out.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    types: ClassVar[tuple[Iri, ...]] = ()
    fixed: ClassVar[Mapping[Iri, Iri | str]] = {}
    key: ClassVar[str] = "it"
    of: ClassVar[tuple[Join, ...]] = ()
    within: ClassVar[Join | None] = None
    # Whether the entry can be plain text, or a date and a text: `2026-03: It is out.`
    accepts_text: ClassVar[bool] = False
    accepts_date: ClassVar[bool] = False
    # Required fields that are filled in if the author omits them.
    filled: ClassVar[tuple[str, ...]] = ()
    # Fields of which one is required; if it refers to something private, so is the fact.
    essential: ClassVar[tuple[str, ...]] = ()
    # Fields that the loader fills from the key or `basics`; authors do not write them.
    from_loader: ClassVar[tuple[str, ...]] = ()
    # field -> alternative advice if this required field is missing
    remedies: ClassVar[Mapping[str, str]] = {}
    # Whether identical entries are allowed, as in custom sections.
    may_repeat: ClassVar[bool] = False
    # Fields whose items each become a row: positions, dates, years.
    spread: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def unchecked(cls, **values: Any) -> Self:
        """Makes a fact of validated values; faster than `model_construct`, which takes 1 ms."""
        fact = cls.__new__(cls)
        fact.__dict__.update(defaults(cls), **values)
        set_given(fact, {*values})
        set_extra(fact, None)
        set_private(fact, None)
        return fact


# pydantic has read the annotations and would evaluate them again for each subclass, which takes a
# tenth of a check.
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
    """A reference to a fact of another document. Its link is always written; its node only if no
    document describes it.

    `within` is the mention that contains it, as an edition contains its proceedings.
    """

    kind: str
    slug: str
    fact: Fact
    within: "Mention | None" = None
