"""A request that is plain enough to be read in one piece: a GET with ordinary headers, all there.
Any other is waitress's to read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

MOST = 8192  # bytes; a longer one may take longer
LINE = re.compile(rb"GET (/[!-~]*) HTTP/1\.1\r\n")
HEADER = re.compile(rb"([A-Za-z][A-Za-z-]*): ?([!-~](?:[ -~]*[!-~])?)?\r\n")
# Those that change how a connection is used, or that there is a body; and what would be written in
# two ways in WSGI.
SPECIAL = {
    b"connection",
    b"content-length",
    b"content-type",
    b"expect",
    b"keep-alive",
    b"proxy-connection",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
}


def environ_of(request: bytes, peer: str) -> dict[str, Any] | None:
    """As much of WSGI's variables as is needed to answer a plain request; None where it is not
    plain.
    """
    line = LINE.match(request)
    if line is None or len(request) > MOST:
        return None
    address = line[1].decode("ascii")
    path, _, query = address.partition("?")
    if "%" in path or "//" in path or "#" in address:
        return None
    headers = headers_of(request[line.end() :])
    if headers is None:
        return None
    return {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REMOTE_ADDR": peer,
        "SCRIPT_NAME": "",
        **headers,
    }


@lru_cache(maxsize=256)  # a client says the same each time
def headers_of(lines: bytes) -> dict[str, str] | None:
    found: dict[str, str] = {}
    place = 0
    while header := HEADER.match(lines, place):
        name, place = header[1].lower(), header.end()
        key = f"HTTP_{name.decode('ascii').upper().replace('-', '_')}"
        if (
            name in SPECIAL and not (name == b"connection" and header[2].lower() == b"keep-alive")
        ) or key in found:
            return None
        found[key] = (header[2] or b"").decode("ascii")
    return found if lines[place:] == b"\r\n" else None
