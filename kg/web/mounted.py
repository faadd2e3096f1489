"""A site as a blueprint for any Flask application."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock

import flask

from kg.check.check import check
from kg.files.cache import Cache
from kg.graph.parallel.run import Run
from kg.publish.verify.trial import tried_documents
from kg.sparql.endpoint import Endpoint
from kg.sparql.limits import Limits
from kg.store.protocol import Answer, Health, Query
from kg.vocab import apart
from kg.web.app import create_blueprint
from kg.web.state import CurrentSite, State, build_endpoint


class OnDemand(Endpoint):
    """Starts an endpoint at the first query in each process. A web server may fork after it created
    the application, and processes must not share workers.
    """

    union = True

    def __init__(self, base: str, limits: Limits, start: Callable[[], Endpoint]) -> None:
        self.limits, self.apart, self.start = limits, apart(base), start
        self.lock = Lock()
        self.started: Endpoint | None = None
        self.process = 0

    def endpoint(self) -> Endpoint:
        with self.lock:
            if self.started is None or self.process != os.getpid():
                self.started, self.process = self.start(), os.getpid()
            return self.started

    async def ask(self, query: Query) -> Answer:
        return await self.endpoint().ask(query)

    def health(self) -> Health:
        return self.endpoint().health()

    def close(self) -> None:
        with self.lock:
            if self.started and self.process == os.getpid():
                self.started.close()


def site_blueprint(folder: Path, endpoint: bool, limits: Limits | None) -> flask.Blueprint:
    """Raises ProblemsFound if the site has errors."""
    run, limits = Run(cache=Cache(folder)), limits or Limits()
    graph = check(folder, run).good_graph(folder)
    documents = tried_documents(graph)
    documents.shapes()  # read now, because the files may change while this graph is served
    start = partial(build_endpoint, documents, graph, limits)
    state = State(documents, OnDemand(graph.site.base, limits, start))
    return create_blueprint(CurrentSite(state), endpoint)
