"""Statistics of a graph: classes, properties, and the properties of each class.

Resources with the same set of classes are counted together and split by class at the end. So one
pass over the lines is enough, however many classes a resource has.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO

from kg.graph.build import Publishable
from kg.mapping import iris
from kg.settings import query
from kg.store.protocol import Store
from kg.vocab import ALL_PREFIXES, cv, rdf, xsd

TYPE = f"<{rdf.type}>".encode()
OWN = f"<{cv}".encode()
Classes = tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """How often a property is used, by how many subjects, with how many distinct values."""

    triples: int = 0
    subjects: int = 0
    values: int = 0


@dataclass(slots=True)
class PropertyUse:
    """The use of a property by resources with the same classes: the number of subjects, and the
    number of values by their classes or, for literals, by their ending, which has the datatype.
    """

    subjects: int = 0
    behind: Counter[Classes | bytes] = field(default_factory=Counter)


@dataclass(slots=True)
class Counts:
    """`totals` are the overall numbers, under their VoID names. `uses`, `links` and `datatypes` are
    about a property of a class: the number of uses, and the number of values by class or datatype.
    `linked` counts links to subjects of documents and to terms.
    """

    totals: dict[str, int] = field(default_factory=dict)
    classes: Counter[str] = field(default_factory=Counter)  # class -> its instances
    properties: dict[str, Tally] = field(default_factory=dict)
    uses: dict[tuple[str, str], Tally] = field(default_factory=dict)
    links: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    datatypes: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    linked: Counter[str] = field(default_factory=Counter)


def count(nquads: bytes) -> Counts:
    """Counts sorted lines, which are grouped by subject and property."""
    classes = classes_of(nquads)
    uses: dict[tuple[Classes, bytes], PropertyUse] = defaultdict(PropertyUse)
    values: dict[bytes, set[bytes]] = defaultdict(set)
    linked: Counter[bytes] = Counter()
    documents, subjects = set(), 0
    last, last_property = b"", b""
    kinds: Classes = ()
    for line in BytesIO(nquads):
        subject, predicate, rest = line.split(b" ", 2)
        value, _, document = rest.rpartition(b" <")
        if subject != last:
            subjects += 1
            documents.add(document)
            last, last_property, kinds = subject, b"", classes.get(subject, ())
        if predicate != last_property:
            last_property, known, use = predicate, values[predicate], uses[kinds, predicate]
            use.subjects += 1
            behind = use.behind
        known.add(value)
        if value.startswith(b"<"):
            behind[classes.get(value, ())] += 1
            if (value.endswith(b"#it>") or value.startswith(OWN)) and predicate != TYPE:
                linked[value] += 1
        else:
            behind[value[value.rindex(b'"') :]] += 1
    counts = split_by_class(uses)
    for kinds, things in Counter(classes.values()).items():
        counts.classes.update(dict.fromkeys(kinds, things))
    for predicate, different in values.items():
        counts.properties[iri(predicate)].values = len(different)
    counts.linked = Counter({iri(thing): number for thing, number in linked.items()})
    counts.totals = {
        "triples": sum(tally.triples for tally in counts.properties.values()),
        "entities": subjects,
        "distinctSubjects": subjects,
        "distinctObjects": len(set().union(*values.values())),
        "classes": len(counts.classes),
        "properties": len(values),
        "documents": len(documents),
    }
    return counts


def split_by_class(uses: Mapping[tuple[Classes, bytes], PropertyUse]) -> Counts:
    """Splits counts by set of classes into counts by class."""
    counts = Counts()
    for (kinds, predicate), use in uses.items():
        name = iri(predicate)
        whole = counts.properties.setdefault(name, Tally())
        for tally in (whole, *(counts.uses.setdefault((kind, name), Tally()) for kind in kinds)):
            tally.triples += use.behind.total()
            tally.subjects += use.subjects
        for behind, number in use.behind.items():
            for kind in kinds:
                if isinstance(behind, bytes):
                    counts.datatypes[kind, name, datatype_of(behind)] += number
                else:
                    for other in behind:
                        counts.links[kind, name, other] += number
    return counts


def classes_of(nquads: bytes) -> dict[bytes, Classes]:
    """Resource -> its classes. Equal tuples are shared, since there are few. (Splitting the text at
    the property takes a third of the time of a regular expression per line.)
    """
    found: dict[bytes, Classes] = {}
    known: dict[Classes, Classes] = {}
    before, *after = (b"\n" + nquads).split(b" %s " % TYPE)
    for text in after:
        thing = before[before.rfind(b"\n") + 1 :]
        # otherwise the match is inside a literal
        if b"\n" in before and b" " not in thing and text.startswith(b"<"):
            kinds = (*found.get(thing, ()), iri(text[: text.index(b">") + 1]))
            found[thing] = known.setdefault(kinds, kinds)
        before = text
    return found


def datatype_of(end: bytes) -> str:
    """The datatype from the end of a literal, after its last quote."""
    if end == b'"':
        return xsd.string
    return end[len(b'"^^<') : -1].decode() if end.endswith(b">") else rdf.langString


def iri(text: bytes) -> str:
    return text[1:-1].decode()


MOST_THINGS = 5_000


def completions(graph: Publishable, counts: Counts) -> bytes:
    """The terms for the SPARQL editor as one JSON object. Each term is `[iri, label, count]`, with
    its uses in the graph.
    """
    base = graph.site.base
    labels = labels_in(graph.memory, base)
    things = {
        iri: counts.linked[iri]
        for iri in labels
        if iri not in counts.classes and (iri in counts.linked or is_entry(iri))
    }
    found = {
        "base": base,
        "prefixes": ALL_PREFIXES,
        "classes": listed(counts.classes.items(), labels),
        "properties": listed(
            [(iri, tally.triples) for iri, tally in counts.properties.items()], labels
        ),
        "things": listed(things.items(), labels)[:MOST_THINGS],
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def is_entry(iri: str) -> bool:
    """Whether this is the subject of a document that is no list."""
    return iri.endswith("#it") and not iri.endswith("/#it")


def labels_in(store: Store, base: str) -> dict[str, str]:
    """Resource -> its name; of parts of a document, such as Roles, only our own terms."""
    found: dict[str, str] = {}
    for row in store.select(query("site/labels")):
        iri = row["thing"].value
        path = iris.path_of(base, iri)
        if iri.startswith(str(cv)) or (path is not None and iri.endswith("#it")):
            found.setdefault(iri, row["name"].value)
    return found


def listed(
    counts: Iterable[tuple[str, int]], labels: Mapping[str, str]
) -> list[tuple[str, str, int]]:
    return [
        (iri, labels.get(iri, ""), number)
        for iri, number in sorted(counts, key=lambda pair: (-pair[1], pair[0]))
    ]
