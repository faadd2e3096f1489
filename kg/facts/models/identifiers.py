"""Identifiers given by others: DOI, arXiv, ORCID, patent numbers, each a node of its own."""

from __future__ import annotations

from typing import Annotated

from kg.facts.models.base import Fact
from kg.facts.values.terms import term, unmapped
from kg.facts.values.text import Text, WebAddress
from kg.vocab import schema


class Identifier(Fact):
    """A DOI, arXiv number or the like, as a node of its own."""

    types = (schema.PropertyValue,)
    key = "{scheme}"

    scheme: Annotated[Text, unmapped("part of the key")]
    propertyID: Annotated[Text, term(schema.propertyID)]
    value: Annotated[Text, term(schema.value)]
    url: Annotated[WebAddress | None, term(schema.url)] = None
