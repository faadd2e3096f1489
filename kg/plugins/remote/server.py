"""A SPARQL server with its profile: queries, updates, and the Graph Store Protocol."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote, urlencode

from pyoxigraph import QueryResultsFormat, QuerySolution, QuerySolutions, parse_query_results

from kg.errors import KgError
from kg.plugins.remote.profiles import Profile, SparqlAddress
from kg.plugins.remote.retrying import Retry, RetryingClient
from kg.store.protocol import Graphs
from kg.web.http_client import MAX_BYTES, RemoteResponse

FORM = "application/x-www-form-urlencoded"
TABLE, TRIPLES = "application/sparql-results+json", "application/n-triples"
BODIES = {"query": "application/sparql-query", "update": "application/sparql-update"}
QUICK = Retry(seconds=60, tries=2, pause=0.2)


@dataclass(frozen=True, slots=True)
class Server:
    """`retry` applies to our own queries and updates."""

    profile: Profile
    client: RetryingClient
    retry: Retry = QUICK

    def select(self, query: str, limit: int = MAX_BYTES) -> list[QuerySolution]:
        """The rows of a SELECT over the union of all graphs, up to the server's row limit."""
        body = self.query(query, TABLE, limit=limit).body
        try:
            return list(
                cast(QuerySolutions, parse_query_results(body, format=QueryResultsFormat.JSON))
            )
        except (SyntaxError, TypeError) as error:
            raise KgError(
                "The server's answer is not SPARQL JSON. Check that the address is a SPARQL "
                "endpoint."
            ) from error

    def query(
        self,
        query: str,
        accept: str,
        graphs: Graphs = Graphs(),
        retry: Retry | None = None,
        limit: int = MAX_BYTES,
        hidden: Iterable[str] = (),
        union: bool = True,
    ) -> RemoteResponse:
        """The raw answer. `hidden` is graphs to exclude, if the server supports that; `union` is
        for queries that name no graphs.
        """
        chosen: list[tuple[str, str]] = list(self.profile.query.parameters.items()) if union else []
        if graphs:
            chosen = [("default-graph-uri", iri) for iri in graphs.default] + [
                ("named-graph-uri", iri) for iri in graphs.named
            ]
        text = "".join(self.profile.excluding.replace("{graph}", graph) for graph in hidden) + query
        signed = self.profile.signs_queries
        return self.send(
            "query",
            self.profile.query,
            text,
            chosen,
            accept,
            retry or self.retry,
            signed,
            limit,
        )

    def update(self, update: str) -> None:
        self.send(
            "update",
            self.profile.update,
            update,
            list(self.profile.update.parameters.items()),
            "*/*",
            self.retry,
            True,
        )

    def send(
        self,
        what: str,
        address: SparqlAddress,
        text: str,
        parameters: list[tuple[str, str]],
        accept: str,
        retry: Retry,
        signed: bool,
        limit: int = MAX_BYTES,
    ) -> RemoteResponse:
        place, headers, body = self.at(address.path), {"Accept": accept}, b""
        form = [*parameters, (what, text)]
        if address.send == "get":
            target = with_query(place, form)
        elif address.send == "direct":
            headers["Content-Type"] = f"{BODIES[what]}; charset=utf-8"
            target, body = with_query(place, parameters), text.encode()
        else:
            headers["Content-Type"] = FORM
            target, body = place, urlencode(form).encode()
        method = "GET" if address.send == "get" else "POST"
        response = self.client.call(method, target, body, headers, retry, signed, limit)
        if response.status == 404:
            raise KgError(
                f"{place} does not exist. Check that the address is the root of a "
                f"'{self.profile.name}' server, or choose another --profile."
            )
        return response

    def put(self, graph: str, ntriples: bytes) -> None:
        """Replaces a graph."""
        headers = {"Content-Type": self.profile.store.takes}
        response = self.client.call(
            "PUT", self.graph_at(graph), ntriples, headers, self.retry, signed=True
        )
        if response.status == 404:
            raise KgError(
                f"{self.at(self.profile.store.path)} does not exist, so graphs cannot be uploaded. "
                "Choose another --profile."
            )

    def delete(self, graph: str) -> None:
        """Deletes a graph, if it exists."""
        self.client.call("DELETE", self.graph_at(graph), b"", {}, self.retry, signed=True)

    def insert(self, graph: str, lines: Iterable[str]) -> None:
        """Adds N-Triples lines to a graph."""
        found = list(lines)
        for start in range(0, len(found), self.profile.batch):
            self.update(
                f"INSERT DATA {{ GRAPH <{graph}> "
                f"{{\n{''.join(found[start : start + self.profile.batch])}}} }}"
            )

    def at(self, path: str) -> str:
        root = self.client.root
        return f"{root.rstrip('/')}/{path}" if path else root

    def graph_at(self, graph: str) -> str:
        store = self.profile.store
        return f"{self.at(store.path)}?{store.parameter}={quote(graph, safe='')}"

    def close(self) -> None:
        self.client.close()


def with_query(place: str, parameters: list[tuple[str, str]]) -> str:
    return f"{place}?{urlencode(parameters)}" if parameters else place
