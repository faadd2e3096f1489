"""The route `/console/edit`: where the entries of a page are written, for the author.

Only a browser on the author's machine gets it. The live-reload script adds the links to the page.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kg.publish.formats.media import JSON
from kg.web.answers import Reply, build_reply
from kg.web.extensions import Route
from kg.web.request import Refusal, Request, is_loopback

if TYPE_CHECKING:
    from kg.graph.build import Graph
    from kg.sparql.workers.fair_queue import FairThreads
    from kg.web.state import State

PATH = "/console/edit"


async def respond(request: Request, state: State, client: str, threads: FairThreads) -> Reply:
    from kg.graph.build import Graph

    graph = state.documents.graph
    if not isinstance(graph, Graph) or not is_loopback(request.host):
        raise Refusal(404, f"{request.path} does not exist.")
    found = dict(links(graph, request.field("page")))
    return build_reply(request, json.dumps(found).encode(), JSON, cache="no-store")


def links(graph: Graph, page: str) -> Iterator[tuple[str, dict[str, str]]]:
    """For each entry that the page at an address shows, its file, line and link: entries of the
    page by their fragment, and those with their own page by its address.
    """
    from kg.graph.describe import describe
    from kg.mapping.iris import document_of
    from kg.mapping.origins import locate
    from kg.plugins.edit.editors import address, editor
    from kg.publish.citations.citation import Citations
    from kg.vocab import schema

    base, template = graph.site.base, editor(os.environ)
    if not page:  # the home page of a site with one CV shows that CV
        main = describe(graph.memory, base).value(schema.mainEntity, base)
        page = document_of(main).removeprefix(base) if main else ""
    description = describe(graph.memory, f"{base}{page}")
    works = (f"{base}{work.address}#it" for work in Citations(graph.memory, base).of(page))
    for node in dict.fromkeys([*description.nodes, *description.labels, *works]):
        if found := locate(graph.origins, base, node):
            place, _ = found
            document, _, fragment = node.partition("#")
            own = document == description.document
            name = fragment if own else document.removeprefix(base)
            file = (graph.site.folder / place.file).resolve()
            yield (
                name,
                {
                    "place": f"{place.file}:{place.line}",
                    "href": address(template, file, place.line, place.column),
                },
            )


ROUTE = Route(frozenset({PATH}), respond, is_private=True)
