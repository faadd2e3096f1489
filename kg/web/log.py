"""A line for each request: when, who, what, the outcome, and how long it took. Of a query its hash,
for its text may be private.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, g, request

from kg.web.answers import Reply
from kg.web.client import client
from kg.web.metrics import Metrics
from kg.web.ready import REQUEST, Prepared, head
from kg.web.state import served

NOTED = ("REQUEST_METHOD", "PATH_INFO", "REMOTE_ADDR", "HTTP_X_FORWARDED_FOR")


class Log:
    """Notes every request, and writes a line of each where somebody reads them."""

    def __init__(self, metrics: Metrics, proxies: int, write: Callable[[str], None] | None) -> None:
        self.metrics, self.proxies, self.write = metrics, proxies, write

    def note(
        self,
        environ: Mapping[str, Any],
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
        method = quote(environ.get("REQUEST_METHOD", ""))
        path = quote(
            environ.get("PATH_INFO", "").encode("latin-1"), safe="/.,:~@!$&'()*+;=-"
        )  # whatever was sent stays on one line
        asked = f" query={fingerprint(query)} {outcome}" if outcome else ""
        who = client(environ, self.proxies) or "-"
        self.write(f"{when} {who} {method} {path} {status} {size} B {seconds * 1000:.0f} ms{asked}")

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
            self.note(request.environ, response.status_code, size or 0, seconds)
            if (asked := request.environ.get(REQUEST)) and g.get("lasts"):
                headers = response.get_wsgi_headers(request.environ).to_wsgi_list()
                reply = Reply(
                    response.status_code,
                    response.get_data() if request.method == "GET" else b"",
                    headers,
                )
                noted = {name: request.environ.get(name, "") for name in NOTED}
                served().ready.keep(
                    asked, Prepared(head(reply), reply.body, reply.status, noted, "", "")
                )
            return response

        app.before_request(begin)
        app.after_request(end)


def fingerprint(query: str) -> str:
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()[:12]
