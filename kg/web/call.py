"""A request as WSGI gives it, read no further than is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from werkzeug.http import parse_options_header

from kg.web.refusal import Refusal

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

MOST_SENT = 1024 * 1024  # bytes of a body


class Call:
    __slots__ = ("charset", "environ", "method", "mimetype")

    def __init__(self, environ: WSGIEnvironment) -> None:
        self.environ = environ
        self.method: str = environ["REQUEST_METHOD"]
        self.mimetype, self.charset = "", "utf-8"
        if self.method == "POST":
            self.mimetype, parameters = parse_options_header(environ.get("CONTENT_TYPE", ""))
            self.mimetype = self.mimetype.lower()
            self.charset = parameters.get("charset", "utf-8")

    @property
    def query_string(self) -> bytes:
        return str(self.environ.get("QUERY_STRING", "")).encode("latin-1")

    def field(self, name: str) -> str:
        """A parameter of the address, if it is there and can be read."""
        return dict(parse_qsl(str(self.environ.get("QUERY_STRING", "")), errors="replace")).get(
            name, ""
        )

    def header(self, name: str) -> str | None:
        """By its name in WSGI: `ACCEPT`, `IF_NONE_MATCH`."""
        found: str | None = self.environ.get(f"HTTP_{name}")
        return found

    def body(self) -> bytes:
        length = self.environ.get("CONTENT_LENGTH") or "0"
        size = int(length) if length.isdecimal() else 0
        if size > MOST_SENT:
            raise Refusal(413, f"The request has more than {MOST_SENT} bytes.")
        found: bytes = self.environ["wsgi.input"].read(size)
        return found
