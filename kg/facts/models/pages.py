"""The pages themselves: what a document says of itself, the lists, the site. No author writes
these.
"""

from __future__ import annotations

from typing import Annotated

from kg.facts.models.base import EMPTY, Fact
from kg.facts.values.dates import When
from kg.facts.values.references import SourceRef
from kg.facts.values.terms import inverse, term
from kg.facts.values.text import WebAddress
from kg.vocab import Iri, cv, foaf, rdf, schema


class Page(Fact):
    """A document, as distinct from what it is about. Its key is empty: the document itself is the
    node.
    """

    types = (schema.CreativeWork, foaf.Document)
    key = ""

    kinds: Annotated[tuple[Iri, ...], term(rdf.type)]
    name: Annotated[str, term(schema.name)]
    url: Annotated[Iri, term(schema.url)]
    about: Annotated[Iri | None, term(schema.mainEntity), inverse(schema.mainEntityOfPage)] = None
    topic: Annotated[  # what facts are about; a list has none
        Iri | None, term(foaf.primaryTopic), inverse(foaf.isPrimaryTopicOf)
    ] = None
    modified: Annotated[When | None, term(schema.dateModified)] = None
    sources: Annotated[list[SourceRef], term(schema.isBasedOn)] = EMPTY
    layout: Annotated[str | None, term(cv.layout)] = None
    whole: Annotated[Iri | None, term(schema.isPartOf), inverse(schema.hasPart)] = None
    position: Annotated[int | None, term(schema.position)] = None


class Collection(Fact):
    """The list of all things of one kind, or a later part of it. `size` is that of the whole in the
    first part, and its own in others.
    """

    types = (schema.ItemList,)

    kinds: Annotated[tuple[Iri, ...], term(rdf.type)] = ()
    name: Annotated[str, term(schema.name)]
    size: Annotated[int, term(schema.numberOfItems)]
    items: Annotated[list[Iri], term(schema.itemListElement)]


class Website(Fact):
    """The site as a whole; its home page is the base."""

    types = (schema.WebSite, schema.CreativeWork, foaf.Document)
    key = ""

    name: Annotated[str, term(schema.name)]
    description: Annotated[str | None, term(schema.description)] = None
    url: Annotated[Iri, term(schema.url)]
    license: Annotated[WebAddress | None, term(schema.license)] = None
    modified: Annotated[When | None, term(schema.dateModified)] = None
    lists: Annotated[list[Iri], term(schema.hasPart)] = EMPTY
