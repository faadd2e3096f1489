"""A client of the application without a server: each request runs on an event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from http import HTTPStatus
from wsgiref.types import StartResponse, WSGIEnvironment

from werkzeug.test import Client

from kg.web.answers import all_headers
from kg.web.app import App, Options
from kg.web.request import MAX_BODY, Request, too_long
from kg.web.state import CurrentSite, State


def client_of(site: State | CurrentSite, options: Options | None = None) -> Client:
    app = App(site if isinstance(site, CurrentSite) else CurrentSite(site), options)

    def respond(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        reply = asyncio.run(app.respond(read_request(environ)))
        start(
            f"{reply.status_code} {HTTPStatus(reply.status_code).phrase}",
            list(all_headers(reply).items()),
        )
        if environ["REQUEST_METHOD"] == "HEAD":
            return []
        return [reply.body] if isinstance(reply.body, bytes) else reply.body

    return Client(respond)


def read_request(environ: WSGIEnvironment) -> Request:
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_") or name == "CONTENT_TYPE"
    }

    async def read_body() -> bytes:
        size = int(environ.get("CONTENT_LENGTH") or 0)
        if size > MAX_BODY:
            raise too_long()
        found: bytes = environ["wsgi.input"].read(size)
        return found

    path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
    peer = environ.get("REMOTE_ADDR", "127.0.0.1")
    query_string = environ.get("QUERY_STRING", "")
    return Request(environ["REQUEST_METHOD"], path, query_string, headers, peer, read_body)
