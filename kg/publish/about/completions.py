"""Completions for the query editor: prefixes, and classes, properties and things of the graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from kg.graph.build import Publishable
from kg.mapping import iris
from kg.publish.about.counts import Counts
from kg.settings import query
from kg.store.protocol import Store
from kg.vocab import names

MOST_THINGS = 5_000


def text(graph: Publishable, counts: Counts) -> bytes:
    """One JSON object. A term has its `iri`, its `label` where it has one, and how often it is
    used: `[iri, label, count]`. Counts are those of the graph.
    """
    base = graph.site.base
    labels = labels_in(graph.memory, base)
    things = {
        iri: number
        for iri, number in counts.linked.items()
        if iri in labels and iri not in counts.classes
    }
    found = {
        "base": base,
        "prefixes": names(base),
        "classes": listed(counts.classes.items(), labels),
        "properties": listed(
            [(iri, tally.triples) for iri, tally in counts.properties.items()], labels
        ),
        "things": listed(things.items(), labels)[:MOST_THINGS],
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def labels_in(store: Store, base: str) -> dict[str, str]:
    """Thing -> its name; of parts of a document, such as a role, only our own terms."""
    found: dict[str, str] = {}
    for row in store.select(query("site/labels")):
        iri = row["thing"].value
        path = iris.path_of(base, iri)
        if path is not None and (iri.endswith("#it") or path.startswith("terms/")):
            found.setdefault(iri, row["name"].value)
    return found


def listed(
    counts: Iterable[tuple[str, int]], labels: Mapping[str, str]
) -> list[tuple[str, str, int]]:
    return [
        (iri, labels.get(iri, ""), number)
        for iri, number in sorted(counts, key=lambda pair: (-pair[1], pair[0]))
    ]
