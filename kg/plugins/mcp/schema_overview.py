"""What an agent needs to know to write a query: classes, their properties, prefixes."""

from __future__ import annotations

from collections import Counter, defaultdict

from kg.publish.questions.results import CellMaker
from kg.publish.site import Documents
from kg.vocab import ALL_PREFIXES, cv, dcterms, rdf, schema

MAX_CLASSES = 11  # of other vocabularies
MAX_OWN = 4  # properties of a class of our own, without those of most
MAX_PROPERTIES = 8  # per class
ORDINARY = (rdf.type, dcterms.source, schema.additionalType, schema.sameAs)
MAX_TARGETS = 2  # per property
INTRODUCTION = """# The graph of {base}

{triples:,} triples. The IRI of an entity is <{base}people/SLUG#it>; <{base}people/SLUG> is its \
document. In queries, you can write <people/SLUG#it>, and \
all prefixes that appear here are declared. GRAPH <provenance> {{ ?fact dcterms:source ?source }} \
has the documents that facts were taken from, GRAPH <terms/cv> the meaning of cv: terms. \
Each class and property is listed with its number of uses and its target types.

```sparql
SELECT ?person ?name (COUNT(?work) AS ?works) WHERE {{
  ?work schema:author ?person .
  ?person schema:name ?name .
}} GROUP BY ?person ?name ORDER BY DESC(?works) LIMIT 10
```"""


def schema_text(documents: Documents) -> str:
    """Our own classes, then the most frequent others, each with its most frequent properties."""
    counts, base = documents.counts(), documents.base
    short = CellMaker(base, lambda iri: "").short
    leads: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (kind, property, target), _ in (counts.links + counts.datatypes).most_common():
        leads[kind, property].append(short(target))
    properties: dict[str, Counter[str]] = defaultdict(Counter)
    for (kind, property), tally in counts.uses.items():
        if property not in ORDINARY:
            properties[kind][property] = tally.triples
    usual = counts.classes.most_common()
    own = [each for each in usual if each[0].startswith(str(cv))]
    classes = [each for each in usual if each not in own]
    lines = [INTRODUCTION.format(base=base, triples=counts.totals["triples"])]
    lines += ["", "## Classes of this site", ""]
    for kind, number in own:
        main = ", ".join(short(each) for each, _ in properties[kind].most_common(MAX_OWN))
        lines.append(f"- {short(kind)} {number:,}: {main}")
    for kind, number in classes[:MAX_CLASSES]:
        lines += ["", f"## {short(kind)}: {number:,} entities"]
        for property, uses in properties[kind].most_common(MAX_PROPERTIES):
            targets = " or ".join(leads[kind, property][:MAX_TARGETS])
            lines.append(f"- {short(property)} {uses:,}" + (f" -> {targets}" if targets else ""))
    others = ", ".join(f"{short(kind)} {number:,}" for kind, number in classes[MAX_CLASSES:])
    return "\n".join([*lines, *(["", f"Other classes: {others}."] if others else []), ""])


def prefixes_text(base: str) -> str:
    return "".join(
        f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in sorted(ALL_PREFIXES.items())
    )
