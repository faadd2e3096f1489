"""The DCAT 3 entry of a site, as data portals list it: a dataset with its files, and its endpoint.

It is in the graph `{base}void` beside VoID, and the dataset is the same thing there. No publisher
is named: no site states one.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import NamedNode, Quad

from kg.publish.formats.media import DUMP_SUFFIXES, GZIP, NAMES
from kg.publish.formats.rdf import statements
from kg.settings import Site
from kg.vocab import Iri, dcat, dcterms, rdf

MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
FILES = DUMP_SUFFIXES | {f"{suffix}.gz": media_type for suffix, media_type in DUMP_SUFFIXES.items()}
PROTOCOL = Iri("https://www.w3.org/TR/sparql11-protocol/")


def quads(site: Site, document: Iri, dataset: Iri, endpoint: Iri) -> Iterator[Quad]:
    """`document` is the graph, `dataset` the subject. Title, description, licence and date are in
    VoID already.
    """
    graph = NamedNode(document)
    licence = Iri(site.license) if site.license else None
    service = Iri(f"{document}#service")
    files = {suffix: Iri(f"{document}#file/{suffix[1:].replace('.', '-')}") for suffix in FILES}
    yield from statements(
        graph,
        dataset,
        (rdf.type, dcat.Dataset),
        (dcat.landingPage, Iri(site.base)),
        (dcat.distribution, list(files.values())),
    )
    for suffix, file in files.items():
        media_type, address = FILES[suffix], Iri(f"{site.base}dump{suffix}")
        is_packed = suffix.endswith(".gz")
        yield from statements(
            graph,
            file,
            (rdf.type, dcat.Distribution),
            (dcterms.title, f"All of it as {NAMES[media_type]}{', packed' if is_packed else ''}"),
            (dcat.accessURL, address),
            (dcat.downloadURL, address),
            (dcat.mediaType, Iri(MEDIA_TYPES + media_type)),
            (dcat.compressFormat, Iri(MEDIA_TYPES + GZIP) if is_packed else None),
            (dcterms.license, licence),
        )
    yield from statements(
        graph,
        service,
        (rdf.type, dcat.DataService),
        (dcterms.title, f"SPARQL endpoint of {site.title}"),
        (dcterms.conformsTo, PROTOCOL),
        (dcterms.license, licence),
        (dcat.endpointURL, endpoint),
        (dcat.endpointDescription, endpoint),  # without a query it describes itself
        (dcat.servesDataset, dataset),
    )
