"""The pages of a large site to which many things lead, rendered before they are requested.

Most pages take the same whatever the size of a site. The start, the terms, and what thousands name,
a source or a topic, take longer the larger it is, the first time.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # RDF files are served without these
    from kg.graph.build import Graph
    from kg.publish.site import Documents
    from kg.web.state import Stage

LARGE = 64 * 1024 * 1024  # bytes of N-Quads; with less, no page takes long
FEW = 50  # documents of a kind: then many others lead to each


def begin_prerender(stage: Stage) -> None:
    """Renders them in a thread of its own, so that no save waits for it."""
    if stage.state.ahead:
        Thread(target=prerender, args=(stage,), daemon=True).start()


def prerender(stage: Stage) -> None:
    """Renders the pages of the state that is served, for as long as it is."""
    state = stage.acquire()
    try:
        for path in state.ahead:
            if stage.closed or stage.state is not state:
                return
            with suppress(Exception):  # it is shown to the reader who requests the page
                state.documents.get(path)
    finally:
        stage.release(state)


def hubs(graph: Graph, documents: Documents) -> list[str]:
    """The start, and all pages of the kinds of which there are few."""
    if len(graph.nquads) < LARGE:
        return []
    kinds = Counter(address.partition("/")[0] for address in documents.addresses)
    few = {address for address in documents.addresses if kinds[address.partition("/")[0]] <= FEW}
    pages = [
        path
        for path, (address, _) in documents.files.items()
        if path.endswith(".html") and address in few
    ]
    return list(dict.fromkeys(["index.html", *pages]))
