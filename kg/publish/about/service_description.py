"""The SPARQL service description: languages, formats, graphs and query limits of the endpoint.

A limit is a feature of the service with a maximum value. The vocabulary of service descriptions
allows custom features but has no term for limits; schema.org has terms for a value with a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from urllib.parse import quote

from pyoxigraph import DefaultGraph, Quad

from kg.publish.formats.media import GRAPHS, JSONLD, NQUADS, NTRIPLES, RDFXML, TABLES, TRIG, TURTLE
from kg.publish.formats.rdf import Value, statements
from kg.vocab import Iri, rdf, rdfs, schema, sd, void

FORMATS = "http://www.w3.org/ns/formats/"
NAMES = {
    **dict(
        zip(
            TABLES,
            (
                "SPARQL_Results_JSON",
                "SPARQL_Results_XML",
                "SPARQL_Results_CSV",
                "SPARQL_Results_TSV",
            ),
            strict=True,
        )
    ),
    TURTLE: "Turtle",
    NTRIPLES: "N-Triples",
    NQUADS: "N-Quads",
    JSONLD: "JSON-LD",
    RDFXML: "RDF_XML",
    TRIG: "TriG",
}
WITHOUT = "The union of all named graphs except {}, which a query must name."
UNIT = Iri(f"{schema}unitText")  # not in the profile, since no fact uses it


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of a query: `Limit("deadline", "The time a query may take", 10, "seconds")`."""

    name: str
    label: str
    most: float
    unit: str


def describe_service(
    base: str,
    limits: Iterable[Limit],
    graphs: Iterable[str],
    apart: Iterable[str],
    union: bool,
    counts: Mapping[str, int],
) -> list[Quad]:
    """The description, in the default graph.

    `graphs` and `apart` are the names of the named graphs. With `union`, the default graph is the
    union of all except those `apart`. `counts` are of the default graph, under their VoID names:
    `{"triples": 29421}`.
    """
    it, site, apart = Iri(f"{base}sparql"), f"{base}void", sorted(apart)
    dataset, default = Iri(f"{it}#dataset"), Iri(f"{it}#default-graph")
    features = {limit: Iri(f"{it}#{limit.name}") for limit in limits}
    named = {
        name: Iri(f"{it}#graph/{quote(name.removeprefix(base), safe='/:')}")
        for name in (*sorted(graphs), *apart)
    }
    found = [
        about(
            it,
            (rdf.type, sd.Service),
            (sd.endpoint, it),
            (sd.supportedLanguage, [sd.SPARQL10Query, sd.SPARQL11Query]),
            (sd.resultFormat, [Iri(FORMATS + NAMES[form]) for form in (*TABLES, *GRAPHS)]),
            (sd.feature, sd.UnionDefaultGraph if union and not apart else None),
            (sd.feature, list(features.values())),
            (sd.defaultDataset, dataset),
        ),
        about(
            dataset,
            (rdf.type, sd.Dataset),
            (sd.defaultGraph, default),
            (sd.namedGraph, list(named.values())),
        ),
        about(
            default,
            (rdf.type, [sd.Graph, void.Dataset]),
            (void.sparqlEndpoint, it),
            (rdfs.comment, WITHOUT.format(", ".join(apart)) if union and apart else None),
            (void.subset, Iri(f"{site}#it") if union and site in named else None),
            *((void[name], number) for name, number in counts.items()),
        ),
        *(
            about(node, (rdf.type, sd.NamedGraph), (sd.name, Iri(name)))
            for name, node in named.items()
        ),
        *(
            about(
                feature,
                (rdf.type, [sd.Feature, schema.PropertyValue]),
                (rdfs.label, limit.label),
                (schema.propertyID, limit.name),
                (schema.maxValue, int(limit.most) if limit.most == int(limit.most) else limit.most),
                (UNIT, limit.unit),
            )
            for limit, feature in features.items()
        ),
    ]
    return list(chain.from_iterable(found))


def about(subject: str, *pairs: tuple[str, Value | list[Iri]]) -> Iterator[Quad]:
    return statements(DefaultGraph(), subject, *pairs)
