"""RDF serialization: readable Turtle, RDF/XML, sorted N-Triples, and a graph in any format.

All output is sorted, so the same triples give the same bytes. Turtle is written here for human
readers: a block per subject, starting with its name. The other formats come from pyoxigraph.

The tables define the order of subjects and properties.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Triple, serialize

from kg.errors import KgError
from kg.facts.values.text import NOT_IN_XML
from kg.mapping.iris import fits_rdfxml
from kg.mapping.ntriples import literal
from kg.publish.formats.media import JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.vocab import ALL_PREFIXES, PREFIXES, Iri, cut, cv, foaf, rdf, schema, xsd

# Names, texts, current facts, dates, identifiers and links, credentials, people, knowledge. Other
# schema.org properties follow by name, then other vocabularies, our own, and FOAF.
PREDICATES = """
    rdf:type
    schema:name schema:roleName schema:headline schema:honorificPrefix schema:givenName
    schema:additionalName schema:familyName schema:honorificSuffix schema:pronouns
    schema:alternateName cv:formerName rdfs:label dcterms:title
    schema:disambiguatingDescription schema:description rdfs:comment dcterms:description
    schema:position schema:jobTitle schema:worksFor schema:affiliation
    schema:startDate schema:endDate schema:datePublished schema:dateCreated schema:dateModified
    dcterms:date dcterms:modified
    schema:identifier schema:propertyID schema:value schema:contactType schema:email
    schema:telephone schema:contactPoint schema:address schema:workLocation schema:url
    schema:sameAs schema:image
    schema:hasCredential schema:award schema:alumniOf
    schema:author schema:editor schema:creator schema:contributor schema:performer
    schema:colleague schema:knows
    schema:knowsAbout schema:knowsLanguage schema:skills schema:about schema:keywords
    cv:employer cv:institution cv:earliest cv:latest cv:year cv:ongoing
    foaf:name foaf:title foaf:givenName foaf:familyName
"""

# Superclasses, from narrow to wide. Our own classes come first, then narrower ones; FOAF is
# last.
GENERAL = """
    cv:Study cv:Section
    schema:OrganizationRole schema:PublicationVolume schema:WebPage schema:DefinedTerm
    schema:Event schema:Grant schema:ItemList schema:Project schema:Organization
    schema:CreativeWork
    schema:ListItem schema:Role dcterms:Location
"""

# The sections of a CV, one per line, by the classes of their entries. A degree is a credential of
# that category; awards are of other categories.
SECTIONS = """
    cv:Employment cv:Postdoc cv:Assistantship cv:Internship cv:Founder cv:SelfEmployment
    cv:Visiting cv:Honorary
    cv:CareerBreak
    cv:Study
    degree
    cv:Advisor cv:CommitteeMember cv:Mentor
    cv:Funding
    cv:Teaching
    cv:Mentee
    cv:Membership
    cv:Service
    schema:Event
    cv:Volunteering
    cv:LanguageSkill cv:Skill
    schema:EducationalOccupationalCredential
    cv:Extracurricular
    foaf:Project
    cv:Contribution
    cv:Referee
    cv:MediaAppearance
    cv:KeyContribution
    cv:Section
    cv:Entry
    cv:Affiliation
    schema:ContactPoint
    foaf:OnlineAccount
"""

TYPE = rdf.type
CLASSES = (TYPE, schema.additionalType, schema.credentialCategory)
DIGITS = re.compile(r"\d+", re.ASCII)
LAST = 1000  # the position of unlisted terms
Key = tuple[object, ...]


def reading_order(base: str, quads: Iterable[Quad]) -> Sequence[Quad]:
    """Each quad once, by subject and then by property."""
    return order_of(base, frozenset(quads))


@lru_cache(maxsize=1)  # Turtle and RDF/XML of a document are written in sequence
def order_of(base: str, quads: frozenset[Quad]) -> Sequence[Quad]:
    rows = [(str(quad.subject), quad.predicate.value, str(quad.object), quad) for quad in quads]
    orders = Orders(base)
    subjects = orders.of_subjects(rows)
    predicates = numbered({row[1] for row in rows}, orders.of_predicate)
    classes = numbered({row[2] for row in rows if row[1] == TYPE}, orders.of_class)
    last = len(rows)

    def place(row: tuple[str, str, str, Quad]) -> Key:
        """Objects: parts in their own order; texts without a language tag first."""
        subject, predicate, value, _ = row
        order = classes if predicate == TYPE else subjects
        is_other = value[-1] != '"'
        return subjects[subject], predicates[predicate], order.get(value, last), is_other, value

    return [row[3] for row in sorted(rows, key=place)]


def numbered(names: Iterable[str], key: Callable[[str], Key]) -> dict[str, int]:
    return {name: number for number, name in enumerate(sorted(names, key=key))}


@cache
def ranks(base: str, table: str, separator: str | None = None) -> Mapping[str, int]:
    """The IRI of each term of a table -> its position. Terms without a separator between them share
    one.
    """
    spaces = ALL_PREFIXES
    found = {}
    for place, together in enumerate(table.split(separator)):
        for term in together.split():
            prefix, _, local = term.partition(":")
            found[spaces.get(prefix, prefix) + local] = place
    return found


class Orders:
    """The order defined by the tables, for the addresses of one site."""

    def __init__(self, base: str) -> None:
        self.own = ALL_PREFIXES["cv"]
        self.earliest = cv.earliest
        self.predicates = ranks(base, PREDICATES)
        self.general = ranks(base, GENERAL)
        self.sections = ranks(base, SECTIONS, "\n")

    def of_predicate(self, predicate: str) -> Key:
        space, _ = cut(predicate)
        rank = self.predicates.get(predicate, LAST)
        other = 0 if space == str(schema) or rank < LAST else 1
        return {self.own: 2, str(foaf): 3}.get(space, other), rank, predicate

    def of_class(self, term: str) -> Key:
        name = term[1:-1]
        space, _ = cut(name)
        group = 2 if space == str(foaf) else 0 if space == self.own else 1
        return group, self.general.get(name, -1), name

    def of_subjects(self, rows: Iterable[tuple[str, str, str, Quad]]) -> dict[str, int]:
        """Document by document: the subject, its parts, the document itself."""
        section: dict[str, int] = {}
        begins: dict[str, str] = {}
        for subject, predicate, value, _ in rows:
            rank = section.setdefault(subject, LAST)
            if predicate in CLASSES:
                section[subject] = min(rank, self.sections.get(value[1:-1], rank))
            elif predicate == self.earliest:
                begins[subject] = max(begins.get(subject, ""), value)

        def of_part(subject: str) -> Key:
            """The section, the latest first, the name. What is in no section follows the part that
            its own address begins with.
            """
            latest_first = [-ord(letter) for letter in begins.get(subject, "")] or [0]
            name = DIGITS.sub(lambda digits: digits[0].zfill(12), subject)
            own = (section[subject], latest_first, name, subject)
            enclosing = subject[:-1]
            while section[subject] == LAST and "-" in enclosing.partition("#")[2]:
                enclosing = enclosing.rpartition("-")[0]
                if f"{enclosing}>" in section:
                    return *of_part(f"{enclosing}>"), *own
            return own

        def of_subject(subject: str) -> Key:
            document, _, fragment = subject.strip("<>").partition("#")
            rank = 0 if fragment == "it" else 1 if fragment else 2
            return document, rank, of_part(subject)

        return numbered(section, of_subject)


# Safe relative IRIs: no scheme, no dot segments.
RELATIVE = re.compile(r"([\w-]+/)*[\w-]*(#[\w/:%-]*)?", re.ASCII)
# Values written without quotes and datatype.
BARE = {
    str(xsd.integer): re.compile(r"-?\d+", re.ASCII),
    str(xsd.decimal): re.compile(r"-?\d+\.\d+", re.ASCII),
    str(xsd.boolean): re.compile("true|false"),
}
LONE_MARK = re.compile(r'\\"(?!\\"|\Z)')  # needs no escape within long quotes
TYPE, STRING = rdf.type, xsd.string
SHORT = 72  # characters: two objects up to this length share a line
XML_END = b"</rdf:RDF>"
Value = Iri | str | int | float | Literal | None


class TurtleWriter:
    """Writes terms with the prefixes of the site, or with others if given; declares only prefixes
    in use.
    """

    def __init__(self, base: str, names: Mapping[str, str] | None = None) -> None:
        self.base = base
        self.prefixes = names or PREFIXES
        self.names = {namespace: prefix for prefix, namespace in self.prefixes.items()}
        self.used: set[str] = set()
        self.written: dict[str, str] = {}

    def iri(self, iri: str) -> str:
        if iri not in self.written:
            self.written[iri] = self.shortened(iri)
        return self.written[iri]

    def shortened(self, iri: str) -> str:
        namespace, local = cut(iri)
        if local and namespace in self.names:
            self.used.add(self.names[namespace])
            return f"{self.names[namespace]}:{local}"
        relative = iri.removeprefix(self.base)
        return f"<{relative if RELATIVE.fullmatch(relative) else iri}>"

    def head(self) -> str:
        return f"@base <{self.base}> .\n" + "".join(
            f"@prefix {prefix}: <{self.prefixes[prefix]}> .\n" for prefix in sorted(self.used)
        )

    def object(self, term: object) -> str:
        if isinstance(term, NamedNode):
            return self.iri(term.value)
        if not isinstance(term, Literal):
            return str(term)
        if term.language:
            return f"{quoted(term.value)}@{term.language}"
        datatype = term.datatype.value
        if datatype in BARE and BARE[datatype].fullmatch(term.value):
            return term.value
        if datatype == STRING:
            return quoted(term.value)
        return f"{literal(term.value)}^^{self.iri(datatype)}"

    def blocks(self, quads: Iterable[Quad]) -> Iterator[str]:
        """The text about each subject, in reading order."""
        ordered = reading_order(self.base, quads)
        for subject, about in groupby(ordered, key=lambda quad: quad.subject):
            lines = [
                self.line(predicate.value, [self.object(quad.object) for quad in same])
                for predicate, same in groupby(about, key=lambda quad: quad.predicate)
            ]
            yield f"{self.object(subject)} " + " ;\n  ".join(lines) + " .\n"

    def line(self, predicate: str, objects: Sequence[str]) -> str:
        """Classes share a line, as do two short objects; otherwise each object has its own."""
        if predicate == TYPE:
            return f"a {', '.join(objects)}"
        verb, width = self.iri(predicate), sum(map(len, objects))
        if len(objects) == 1 or (len(objects) == 2 and width <= SHORT and "\n" not in objects[0]):
            return f"{verb} {', '.join(objects)}"
        return f"{verb}\n    " + ",\n    ".join(objects)


def quoted(text: str) -> str:
    """A Turtle string; multi-line text keeps its line breaks and single quotation marks."""
    if "\n" not in text:
        return literal(text)
    lines = "\n".join(literal(line)[1:-1] for line in text.split("\n"))
    return f'"""{LONE_MARK.sub(chr(34), lines)}"""'


def turtle(base: str, quads: Iterable[Quad], names: Mapping[str, str] | None = None) -> bytes:
    """The triples of the quads, whatever their graphs."""
    writer = TurtleWriter(base, names)
    blocks = list(writer.blocks(quads))  # determines the prefixes in the head
    return "\n".join([writer.head(), *blocks]).encode()


def rdfxml(base: str, quads: Iterable[Quad], names: Mapping[str, str] | None = None) -> bytes:
    """The triples of the quads, in the order of our Turtle.

    RDF/XML uses predicates as element names: one that does not end in a valid name cannot be
    written, nor can text with control characters. `kg check` reports both.
    """
    triples = [quad.triple for quad in reading_order(base, quads)]
    for predicate in dict.fromkeys(triple.predicate.value for triple in triples):
        if not fits_rdfxml(predicate):
            raise KgError(
                f"{predicate} cannot be written as RDF/XML. Use a property whose IRI ends in "
                "a valid XML name."
            )
    body = serialized(triples, RdfFormat.RDF_XML, names or PREFIXES, base)
    if found := NOT_IN_XML.search(body.decode()):
        raise KgError(
            f"The character U+{ord(found[0]):04X} cannot be written as RDF/XML. Remove it "
            "from the facts."
        )
    return body.replace(b"\r", b"&#13;") + b"\n"  # parsers turn a bare one into a newline


def serialized(
    triples: Iterable[Triple],
    form: RdfFormat,
    names: Mapping[str, str] | None = None,
    base: str | None = None,
) -> bytes:
    prefixes = dict(names) if names else None
    return serialize(triples, format=form, prefixes=prefixes, base_iri=base) or b""


def rdfxml_frame(base: str) -> tuple[bytes, bytes]:
    """The bytes before and after the elements of any RDF/XML with this base and our prefixes."""
    head, end, tail = rdfxml(base, []).partition(XML_END)
    return head, end + tail


def ntriples(quads: Iterable[Quad]) -> bytes:
    """The triples of the quads, one per line, sorted."""
    lines = serialized((quad.triple for quad in quads), RdfFormat.N_TRIPLES)
    return b"".join(sorted(lines.splitlines(keepends=True)))


def graph_as(media_type: str, quads: Sequence[Quad], base: str) -> bytes:
    """The triples of an unnamed graph in one of the six formats, sorted. Without a name, TriG is
    Turtle, and N-Quads are N-Triples.
    """
    if media_type in (TURTLE, TRIG):
        return turtle(base, quads, ALL_PREFIXES)
    if media_type == RDFXML:
        return rdfxml(base, quads, ALL_PREFIXES)
    if media_type in (NTRIPLES, NQUADS):
        return ntriples(quads)
    if media_type == JSONLD:
        triples = sorted((quad.triple for quad in quads), key=str)
        return serialized(triples, RdfFormat.JSON_LD, ALL_PREFIXES)
    raise ValueError(f"unknown graph format '{media_type}'")


def statements(
    graph: NamedNode | DefaultGraph, subject: str, *pairs: tuple[str, Value | Sequence[Value]]
) -> Iterator[Quad]:
    """The quads about one subject: each pair is a property and its value or values; None is left
    out. An Iri becomes a node, other text a literal.
    """
    for predicate, values in pairs:
        for value in (
            [values] if isinstance(values, str) or not isinstance(values, Sequence) else values
        ):
            if value is not None:
                yield Quad(NamedNode(subject), NamedNode(predicate), as_term(value), graph)


def as_term(value: Iri | str | float | Literal) -> NamedNode | Literal:
    if isinstance(value, Literal):
        return value
    return NamedNode(value) if isinstance(value, Iri) else Literal(value)
