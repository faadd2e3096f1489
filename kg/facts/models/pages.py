"""Models that authors do not write: term sets, pages, lists and the site.

Term sets are facts; pages, lists and the site have their own graph.
"""

from typing import Annotated

from kg.facts.models.base import EMPTY
from kg.facts.values.dates import When
from kg.facts.values.references import SourceRef
from kg.facts.values.terms import Fact, inverse, term
from kg.facts.values.text import WebAddress
from kg.vocab import Iri, cv, dcterms, foaf, rdf, schema


class TermSet(Fact):
    """The set that all topics belong to."""

    types = (schema.DefinedTermSet, schema.CreativeWork)

    name: Annotated[str, term(schema.name)]


class Page(Fact):
    """A document as a web page. Its key is empty: the document is the node. `signer` is the person
    of the page, if they have signed works; `changed` is the last change of what it is about.
    """

    types = (schema.WebPage, schema.CreativeWork)
    key = ""

    kinds: Annotated[tuple[Iri, ...], term(rdf.type)]
    name: Annotated[str, term(schema.name)]
    url: Annotated[Iri, term(schema.url)]
    about: Annotated[Iri | None, term(schema.mainEntity), inverse(schema.mainEntityOfPage)] = None
    topic: Annotated[Iri | None, term(foaf.primaryTopic), inverse(foaf.isPrimaryTopicOf)] = (
        None  # None for a list
    )
    signer: Annotated[Iri | None, inverse(foaf.publications)] = None
    changed: Annotated[When | None, term(dcterms.modified)] = None
    modified: Annotated[When | None, term(schema.dateModified)] = None
    sources: Annotated[list[SourceRef], term(schema.isBasedOn)] = EMPTY
    layout: Annotated[str | None, term(cv.layout)] = None
    whole: Annotated[Iri | None, term(schema.isPartOf), inverse(schema.hasPart)] = None
    position: Annotated[int | None, term(schema.position)] = None


class Collection(Fact):
    """The list of all entries of one kind, or a later page of it. `size` counts the whole list on
    the first page, and the page on others.
    """

    types = (schema.ItemList,)

    # None for a set of terms, whose name is a fact
    name: Annotated[str | None, term(schema.name)] = None
    size: Annotated[int, term(schema.numberOfItems)]
    items: Annotated[list[Iri], term(schema.itemListElement)]


class Website(Fact):
    """The site. Its home page is the base address, or the page of the only CV."""

    types = (schema.WebSite, schema.CreativeWork, foaf.Document)
    key = ""

    name: Annotated[str, term(schema.name)]
    description: Annotated[str | None, term(schema.description)] = None
    url: Annotated[Iri, term(schema.url)]
    about: Annotated[Iri | None, term(schema.mainEntity), inverse(schema.mainEntityOfPage)] = None
    license: Annotated[WebAddress | None, term(schema.license)] = None
    modified: Annotated[When | None, term(schema.dateModified)] = None
    lists: Annotated[list[Iri], term(schema.hasPart)] = EMPTY
