"""The pages of a large site on which much hangs, made before anybody asks for them.

Most pages take the same whatever the size of a site. The start, the terms, and what thousands name,
a source or a topic, take longer the larger it is, the first time.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # plain files are served without these
    from kg.graph.build import Graph
    from kg.publish.site import Documents
    from kg.web.state import Stage

LARGE = 64 * 1024 * 1024  # bytes of N-Quads; with less, no page takes long
FEW = 50  # documents of a kind: then many others hang on each


def begin_ahead(stage: Stage) -> None:
    """Begins to make them beside all else, so that no save waits for it."""
    if stage.served.ahead:
        Thread(target=make_ahead, args=(stage,), daemon=True).start()


def make_ahead(stage: Stage) -> None:
    """Makes what is to be made ahead for what stands on the stage, as long as it does."""
    served = stage.take()
    try:
        for path in served.ahead:
            if stage.closed or stage.served is not served:
                return
            with suppress(Exception):  # whatever it is: who asks for the page is told
                served.documents.get(path)
    finally:
        stage.leave(served)


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
