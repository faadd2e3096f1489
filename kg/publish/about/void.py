"""The VoID description of a site, the graph `{base}void`, and the service description of its
endpoint.

VoID counts classes and properties, DCAT lists the downloads, SHACL holds the prefixes and the named
queries. Public SPARQL editors and agents query an endpoint for exactly these shapes to configure
themselves. As everywhere, there are no blank nodes, and a triple belongs to the document of its
subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from urllib.parse import quote

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, serialize

from kg.facts.values.dates import read
from kg.graph.build import Publishable, identity
from kg.publish.about.counts import Counts, count
from kg.publish.document import ALL
from kg.publish.formats.media import (
    DUMP_SUFFIXES,
    GRAPHS,
    GZIP,
    JSONLD,
    NAMES,
    NQUADS,
    NTRIPLES,
    RDFXML,
    TABLES,
    TRIG,
    TURTLE,
)
from kg.publish.formats.rdf import Value, statements
from kg.publish.questions.questions import complete, questions
from kg.settings import query
from kg.sparql.reading.questions import Question
from kg.vocab import (
    ALL_PREFIXES,
    Iri,
    apart,
    cut,
    dcat,
    dcterms,
    foaf,
    owl,
    rdf,
    rdfs,
    schema,
    sd,
    sh,
    void,
    void_ext,
    xsd,
)

DOCUMENT = "void"
MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
FILES = DUMP_SUFFIXES | {f"{suffix}.gz": media_type for suffix, media_type in DUMP_SUFFIXES.items()}
PROTOCOL = Iri("https://www.w3.org/TR/sparql11-protocol/")
TARGET = Iri(f"{schema}target")  # not in the profile, since no fact uses it


def nquads(graph: Publishable, counts: Counts | None = None) -> bytes:
    """The lines of the graph, in order. `counts` are those of the graph, if already known."""
    lines = serialize(quads(graph, counts), format=RdfFormat.N_QUADS) or b""
    return b"".join(sorted(lines.splitlines(keepends=True)))


def quads(graph: Publishable, counts: Counts | None = None) -> Iterator[Quad]:
    site = DatasetDescription(graph)
    counts = counts or count(graph.nquads)
    return chain(
        site.dataset(counts),
        site.others(),
        site.downloads(),
        site.partitions(counts),
        site.prefixes(),
        site.queries(questions(graph.site)),
    )


class DatasetDescription:
    """Describes the facts of a site, which are its dataset, and the graphs of everything else."""

    def __init__(self, graph: Publishable) -> None:
        self.site, self.memory, self.rest = graph.site, graph.memory, graph.rest
        self.version = identity(graph.nquads)
        self.base = graph.site.base
        self.document = Iri(f"{self.base}{DOCUMENT}")
        self.it = Iri(f"{self.document}#it")
        self.endpoint = Iri(f"{self.base}sparql")
        self.prefixes_of = {namespace: prefix for prefix, namespace in ALL_PREFIXES.items()}
        self.short = cache(self.shorten)

    def about(self, subject: str, *pairs: tuple[str, Value | list[Value]]) -> Iterator[Quad]:
        return statements(NamedNode(self.document), subject, *pairs)

    def part(self, *path: str) -> Iri:
        """The IRI of a part, from words and terms: `void#class/schema:Person/schema:name`."""
        return Iri(f"{self.document}#{'/'.join(map(self.short, path))}")

    def shorten(self, iri: str) -> str:
        """A term with its prefix; a term of an unknown vocabulary in full, without slashes."""
        namespace, local = cut(iri)
        return (
            f"{self.prefixes_of[namespace]}:{local}"
            if local and namespace in self.prefixes_of
            else quote(iri, safe="")
        )

    def dataset(self, counts: Counts) -> Iterator[Quad]:
        modified = read(self.site.modified) if self.site.modified else None
        terms = {*counts.properties, *counts.classes}
        yield from self.about(
            self.it,
            (rdf.type, [void.Dataset, sd.Graph]),
            (dcterms.title, self.site.title),
            (dcterms.description, self.site.description or None),
            (dcterms.license, Iri(self.site.license) if self.site.license else None),
            (
                dcterms.modified,
                Literal(modified.iso, datatype=NamedNode(modified.datatype)) if modified else None,
            ),
            (owl.versionInfo, self.version),
            (foaf.homepage, Iri(self.base)),
            (void.sparqlEndpoint, self.endpoint),
            (void.dataDump, [Iri(f"{self.base}dump{suffix}") for suffix in DUMP_SUFFIXES]),
            (void.uriSpace, self.base),
            (
                void.vocabulary,
                [
                    Iri(namespace)
                    for namespace in sorted({cut(term)[0] for term in terms if cut(term)[1]})
                ],
            ),
            (void.rootResource, Iri(self.base)),
            (void.exampleResource, self.owners()),
            *((void[name], number) for name, number in counts.totals.items()),
        )
        yield from self.about(
            self.document, (rdf.type, void.DatasetDescription), (foaf.primaryTopic, self.it)
        )
        # Some clients look for partitions only via sd:graph and use the label of its subject as
        # the name of the dataset.
        yield from self.about(
            self.part("everything"), (rdfs.label, self.site.title), (sd.graph, self.it)
        )

    def others(self) -> Iterator[Quad]:
        """The graphs that are not part of the dataset, and the file with everything."""
        whole = self.part("all")
        yield from self.about(
            whole,
            (rdf.type, void.Dataset),
            (dcterms.title, f"Everything about {self.site.title}: facts and all other graphs"),
            (void.dataDump, Iri(f"{self.base}{ALL}")),
        )
        titles = (
            f"Pages and lists of {self.site.title}",
            f"Sources of the facts of {self.site.title}",
            "The vocabulary of cv-kg",
            f"Description of {self.site.title}",
        )
        for name, title in zip(apart(self.base), titles, strict=True):
            part = self.part(name.removeprefix(self.base).replace("/", "-"))
            yield from self.about(whole, (void.subset, part))
            yield from self.about(
                part,
                (rdf.type, [void.Dataset, sd.NamedGraph]),
                (dcterms.title, title),
                (sd.name, Iri(name)),
                (void.triples, self.rest.count(f" <{name}> .\n".encode()) or None),
            )
        yield from self.about(whole, (void.subset, self.it))

    def owners(self) -> list[Value]:
        """The first people with a CV here."""
        return [Iri(row["item"].value) for row in self.memory.select(query("site/first"))]

    def partitions(self, counts: Counts) -> Iterator[Quad]:
        """Partitions of the dataset by class and property, of a class by property, and of those by
        class or datatype of the values.
        """
        for name, tally in counts.properties.items():
            part = self.part("property", name)
            yield from self.about(self.it, (void.propertyPartition, part))
            yield from self.about(part, (void.property, Iri(name)), (void.triples, tally.triples))
            yield from self.about(
                part, (void.distinctSubjects, tally.subjects), (void.distinctObjects, tally.values)
            )
        for name, entities in counts.classes.items():
            part = self.part("class", name)
            yield from self.about(self.it, (void.classPartition, part))
            yield from self.about(part, (void["class"], Iri(name)), (void.entities, entities))
        for (kind, name), tally in counts.uses.items():
            part = self.part("class", kind, name)
            yield from self.about(self.part("class", kind), (void.propertyPartition, part))
            yield from self.about(
                part,
                (void.property, Iri(name)),
                (void.triples, tally.triples),
                (void.distinctSubjects, tally.subjects),
            )
        for (kind, name, other), triples in counts.links.items():
            part = self.part("class", kind, name, other)
            yield from self.about(self.part("class", kind, name), (void.classPartition, part))
            yield from self.about(part, (void["class"], Iri(other)), (void.triples, triples))
        for (kind, name, datatype), triples in counts.datatypes.items():
            part = self.part("class", kind, name, "datatype", datatype)
            within = self.part("class", kind, name)
            yield from self.about(within, (void_ext.datatypePartition, part))
            yield from self.about(part, (void_ext.datatype, Iri(datatype)), (void.triples, triples))

    def prefixes(self) -> Iterator[Quad]:
        all_of_them = self.part("prefixes")
        yield from self.about(all_of_them, (rdf.type, owl.Ontology))
        for namespace, prefix in self.prefixes_of.items():
            part = self.part("prefix", prefix)
            yield from self.about(all_of_them, (sh.declare, part))
            address = Literal(namespace, datatype=NamedNode(xsd.anyURI))
            yield from self.about(
                part, (rdf.type, sh.PrefixDeclaration), (sh.prefix, prefix), (sh.namespace, address)
            )

    def queries(self, questions: Iterator[Question]) -> Iterator[Quad]:
        """Without labels: clients that query for label or comment would find each query twice."""
        for each in questions:
            yield from self.about(
                self.part("query", each.name),
                (rdf.type, [sh.SPARQLExecutable, sh[f"SPARQL{each.form.title()}Executable"]]),
                (rdfs.comment, each.summary),
                (sh[each.form], complete(each.text, self.base)),
                (sh.prefixes, self.part("prefixes")),
                (TARGET, self.endpoint),
            )

    def downloads(self) -> Iterator[Quad]:
        """The DCAT 3 entry of a site for data portals: a dataset with its files and its endpoint.
        VoID has its title, description, licence and date. There is no publisher, since sites do not
        state one.
        """
        licence = Iri(self.site.license) if self.site.license else None
        files = {suffix: self.part("file", suffix[1:].replace(".", "-")) for suffix in FILES}
        yield from self.about(
            self.it,
            (rdf.type, dcat.Dataset),
            (dcat.landingPage, Iri(self.base)),
            (dcat.distribution, list(files.values())),
        )
        for suffix, file in files.items():
            media_type, address = FILES[suffix], Iri(f"{self.base}dump{suffix}")
            is_packed = suffix.endswith(".gz")
            title = f"All facts as {NAMES[media_type]}{', compressed' if is_packed else ''}"
            yield from self.about(
                file,
                (rdf.type, dcat.Distribution),
                (dcterms.title, title),
                (dcat.accessURL, address),
                (dcat.downloadURL, address),
                (dcat.mediaType, Iri(MEDIA_TYPES + media_type)),
                (dcat.compressFormat, Iri(MEDIA_TYPES + GZIP) if is_packed else None),
                (dcterms.license, licence),
            )
        yield from self.about(
            self.part("service"),
            (rdf.type, dcat.DataService),
            (dcterms.title, f"SPARQL endpoint of {self.site.title}"),
            (dcterms.conformsTo, PROTOCOL),
            (dcterms.license, licence),
            (dcat.endpointURL, self.endpoint),
            (
                dcat.endpointDescription,
                self.endpoint,
            ),  # a request without a query returns its description
            (dcat.servesDataset, self.it),
        )


FORMATS = "http://www.w3.org/ns/formats/"
FORMAT_NAMES = {
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
# A limit is a feature with a maximum value: the vocabulary of service descriptions has no term for
# limits; schema.org has terms for a value with a unit.
WITHOUT = "The facts: the union of all named graphs except {}, which a query must name."
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
            (sd.resultFormat, [Iri(FORMATS + FORMAT_NAMES[form]) for form in (*TABLES, *GRAPHS)]),
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
