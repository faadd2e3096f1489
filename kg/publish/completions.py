"""What an editor offers while a question is typed: prefixes, and the graph's own classes, properties and things."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from io import BytesIO

from pyoxigraph import NamedNode

from kg.graph.publishable import Publishable
from kg.mapping import iris
from kg.vocab import names, rdf, rdfs, schema

MOST_THINGS = 5_000
TYPE = f"<{rdf.type}>".encode()


def text(graph: Publishable) -> bytes:
    """One JSON object. A term has its `iri`, its `label` where it has one, and how often it is used: `[iri, label, count]`."""
    base = graph.site.base
    classes, properties, links = counted(graph.nquads, base)
    labels = labelled(graph, base)
    things = {iri: number for iri, number in links.items() if iri in labels and iri not in classes}
    found = {
        "base": base,
        "prefixes": names(base),
        "classes": listed(classes.items(), labels),
        "properties": listed(properties.items(), labels),
        "things": listed(things.items(), labels)[:MOST_THINGS],
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def counted(nquads: bytes, base: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How often each class and property is used, and how many links lead to each thing of the site."""
    classes: Counter[bytes] = Counter()
    properties: Counter[bytes] = Counter()
    links: Counter[bytes] = Counter()
    own = f"<{base}".encode()
    for line in BytesIO(nquads):
        _, predicate, rest = line.split(b" ", 2)
        properties[predicate] += 1
        if predicate == TYPE:
            classes[rest.split(b" ", 1)[0]] += 1
        elif rest.startswith(own):
            links[rest.split(b" ", 1)[0]] += 1
    return plain(classes), plain(properties), plain(links)


def plain(counts: Counter[bytes]) -> Counter[str]:
    return Counter({term[1:-1].decode(): number for term, number in counts.items()})


def labelled(graph: Publishable, base: str) -> dict[str, str]:
    """Thing -> its name. Parts of a document, such as a role, are named only where they are terms of ours."""
    found: dict[str, str] = {}
    for name in (schema.name, rdfs.label):
        for row in graph.memory.select(f"SELECT ?thing ?name {{ ?thing <{name}> ?name }} ORDER BY ?thing ?name"):
            thing = row["thing"]
            if isinstance(thing, NamedNode) and is_offered(thing.value, base):
                found.setdefault(thing.value, row["name"].value)
    return found


def is_offered(iri: str, base: str) -> bool:
    path = iris.path_of(base, iri)
    return path is not None and (iri.endswith("#it") or path.startswith("terms/"))


def listed(counts: Iterable[tuple[str, int]], labels: dict[str, str]) -> list[tuple[str, str, int]]:
    return [(iri, labels.get(iri, ""), number) for iri, number in sorted(counts, key=lambda pair: (-pair[1], pair[0]))]
