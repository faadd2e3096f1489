"""A line for each request: when, who, what, the outcome, and how long it took. Of a query its hash, for its text may be private."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import quote

from flask import Flask, Response, current_app, g, request

from kg.web.client import client
from kg.web.metrics import metrics


def install(app: Flask, write: Callable[[str], None] | None) -> None:
    """Notes every request of an application, and writes a line of each where somebody reads them."""

    def begin() -> None:
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.pop("began", time.perf_counter())
        size = response.calculate_content_length() or 0
        metrics().note(response.status_code, size, seconds, g.get("outcome", ""))
        if write:
            write(line(response.status_code, size, seconds))
        return response

    app.before_request(begin)
    app.after_request(end)


def line(status: int, size: int, seconds: float) -> str:
    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    path = quote(request.path, safe="/.,:~@!$&'()*+;=-")  # whatever was sent stays on one line
    asked = f" query={g.query} {g.outcome}" if "outcome" in g else ""
    who = client(request, current_app.config["KG_PROXIES"]) or "-"
    return f"{when} {who} {quote(request.method)} {path} {status} {size} B {seconds * 1000:.0f} ms{asked}"


def note(query: str, outcome: str) -> None:
    """What became of the query of this request."""
    g.query, g.outcome = hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()[:12], outcome
