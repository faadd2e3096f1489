"""What no author writes: a document and what it is about, which are facts; and the pages, the
lists and the site, which have a graph of their own.
"""

from typing import Annotated

from kg.facts.models.base import EMPTY
from kg.facts.values.dates import When
from kg.facts.values.references import SourceRef
from kg.facts.values.terms import Fact, inverse, term
from kg.facts.values.text import WebAddress
from kg.vocab import Iri, cv, dcterms, foaf, rdf, schema


class AboutDocument(Fact):
    """A document, as distinct from what it is about. Its key is empty: the document itself is the
    node.
    """

    types = (foaf.Document,)
    key = ""

    topic: Annotated[Iri, term(foaf.primaryTopic)]
    modified: Annotated[When | None, term(dcterms.modified)] = None


class TermSet(Fact):
    """All topics together, which each of them is a part of."""

    types = (schema.DefinedTermSet, schema.CreativeWork)

    name: Annotated[str, term(schema.name)]


class Page(Fact):
    """A document as a web page. `signer` is the person of the page, if they signed works."""

    types = (schema.WebPage, schema.CreativeWork)
    key = ""

    kinds: Annotated[tuple[Iri, ...], term(rdf.type)]
    name: Annotated[str, term(schema.name)]
    url: Annotated[Iri, term(schema.url)]
    about: Annotated[Iri | None, term(schema.mainEntity), inverse(schema.mainEntityOfPage)] = None
    topic: Annotated[Iri | None, inverse(foaf.isPrimaryTopicOf)] = None  # a list has none
    signer: Annotated[Iri | None, inverse(foaf.publications)] = None
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

    name: Annotated[str | None, term(schema.name)] = None  # that of a set of terms is a fact
    size: Annotated[int, term(schema.numberOfItems)]
    items: Annotated[list[Iri], term(schema.itemListElement)]


class Website(Fact):
    """The site as a whole; its home page is the base, and is that of the only CV."""

    types = (schema.WebSite, schema.CreativeWork, foaf.Document)
    key = ""

    name: Annotated[str, term(schema.name)]
    description: Annotated[str | None, term(schema.description)] = None
    url: Annotated[Iri, term(schema.url)]
    about: Annotated[Iri | None, term(schema.mainEntity), inverse(schema.mainEntityOfPage)] = None
    license: Annotated[WebAddress | None, term(schema.license)] = None
    modified: Annotated[When | None, term(schema.dateModified)] = None
    lists: Annotated[list[Iri], term(schema.hasPart)] = EMPTY
