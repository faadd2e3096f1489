"""A line for each request: when, from where, what, the outcome, and how long it took. Of a query
its hash, for its text may be private.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import quote

from flask import Flask, Response, g, request

from kg.web.metrics import Metrics
from kg.web.request import client_of

LONGEST_METHOD = 20


class Log:
    """Counts every request, and writes a line for it where lines are wanted."""

    def __init__(self, metrics: Metrics, proxies: int, write: Callable[[str], None] | None) -> None:
        self.metrics, self.proxies, self.write = metrics, proxies, write

    def note(
        self,
        client: str,
        method: str,
        path: str,
        status: int,
        size: int,
        seconds: float,
        query: str = "",
        outcome: str = "",
    ) -> None:
        self.metrics.note(status, size, seconds, outcome)
        if not self.write:
            return
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        method = quote(method[:LONGEST_METHOD])
        path = quote(path, safe="/.,:~@!$&'()*+;=-")  # whatever was sent stays on one line
        tail = f" query={fingerprint(query)} {outcome}" if outcome else ""
        self.write(
            f"{when} {client or '-'} {method} {path} {status} {size} B "
            f"{seconds * 1000:.0f} ms{tail}"
        )

    def install(self, app: Flask) -> None:
        """For the pages of an application."""

        def begin() -> None:
            g.began = time.perf_counter()

        def end(response: Response) -> Response:
            seconds = time.perf_counter() - g.pop("began", time.perf_counter())
            size = (
                response.content_length
                if response.is_streamed
                else response.calculate_content_length()
            )
            forwarded = request.headers.get("X-Forwarded-For", "")
            client = client_of(request.remote_addr or "", forwarded, self.proxies)
            status = response.status_code
            self.note(client, request.method, request.path, status, size or 0, seconds)
            return response

        app.before_request(begin)
        app.after_request(end)


def fingerprint(query: str) -> str:
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()[:12]
