"""The pages of a large site on which much hangs, made before anybody asks for them.

Most pages take the same whatever the size of a site. The start, the terms, and what thousands name, a source or a topic, take longer the
larger it is, the first time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from kg.errors import KgError

if TYPE_CHECKING:  # plain files are served without these
    from kg.publish.site import Documents
    from kg.web.served import Stage

LARGE = 64 * 1024 * 1024  # bytes of N-Quads; with less, no page takes long
FEW = 50  # documents of a kind: then many others hang on each


def make_ahead(stage: Stage) -> None:
    """Makes them for what stands on the stage, as long as it does."""
    from kg.graph.build import Graph  # noqa: PLC0415
    from kg.graph.check import give_back  # noqa: PLC0415
    from kg.publish.site import Documents  # noqa: PLC0415

    served = stage.take()
    documents = served.documents
    try:
        if not isinstance(documents, Documents) or not isinstance(documents.graph, Graph) or len(documents.graph.nquads) < LARGE:
            return
        for path in hubs(documents):
            if stage.closed or stage.served is not served:
                return
            with suppress(KgError, OSError):  # who asks for the page is told
                documents.get(path)
        give_back()  # what was only needed on the way
    finally:
        stage.leave(served)


def hubs(documents: Documents) -> Iterator[str]:
    """The start, and all of the kinds of which there are few."""
    yield "index.html"
    kinds = Counter(address.partition("/")[0] for address in documents.addresses)
    yield from (
        path
        for path, (address, _) in documents.files.items()
        if path.endswith(".html") and address in documents.addresses and kinds[address.partition("/")[0]] <= FEW
    )
