"""Requests that are not what they should be: updates, bytes, headers, paths, methods."""

from __future__ import annotations

from tests.web.hostile.case import CLOSED, asks, gets, posts, raw, request

FORM, DIRECT, UPDATE = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
ASK, READ_ONLY = "/sparql?query=ASK%7B%7D", "read-only"
INSERT = "INSERT DATA { <a> <b> <c> }"
HEADERS = "".join(f"X-{number}: {'x' * 990}\r\n" for number in range(100))
HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(range(180))  # how TLS begins

UPDATES = [
    asks("an update as a query", INSERT, 400, says=READ_ONLY),
    asks(
        "an update in lower case behind a comment",
        "# ASK {}\nprefix x: <http://x/> insert data { x:a x:b x:c }",
        400,
        says=READ_ONLY,
    ),
    asks("a query and an update in one", "ASK {} ; DROP ALL", 400),
    asks(
        "an update that holds a query",
        "WITH <g> DELETE { ?s ?p ?o } WHERE { SELECT * { ?s ?p ?o } }",
        400,
        says=READ_ONLY,
    ),
    gets("an update in the address", "CLEAR ALL", 400, says=READ_ONLY),
    posts("an update by its media type", UPDATE, INSERT.encode(), 403, says=READ_ONLY),
    posts(
        "an update by its media type, with a charset",
        f"{UPDATE}; charset=utf-8",
        INSERT.encode(),
        403,
        says=READ_ONLY,
    ),
    posts("a form with an update", FORM, b"update=DROP+ALL", 403, says=READ_ONLY),
    posts("a form with both", FORM, b"query=ASK%7B%7D&update=DROP+ALL", 403, says=READ_ONLY),
    posts(
        "a form with an update's graphs",
        FORM,
        b"query=ASK%7B%7D&using-graph-uri=http://a/",
        403,
        says=READ_ONLY,
    ),
    raw("update= in the address", request("GET /sparql?update=DROP%20ALL"), 403, says=READ_ONLY),
    raw("both in the address", request(f"GET {ASK}&update=DROP%20ALL"), 403, says=READ_ONLY),
    posts("an update as plain text", "text/plain", INSERT.encode(), 415),
    posts(
        "an update by another method's name",
        FORM,
        b"update=DROP+ALL",
        403,
        headers="X-HTTP-Method-Override: PUT\r\n",
    ),
    raw("PUT", request("PUT /sparql", f"Content-Type: {UPDATE}\r\n", INSERT.encode()), 405),
    raw("DELETE", request("DELETE /sparql"), 405),
    raw("PATCH of a page", request("PATCH /", f"Content-Type: {UPDATE}\r\n", INSERT.encode()), 405),
]
ENCODINGS = [
    raw(
        "broken UTF-8 in the address",
        request("GET /sparql?query=ASK%7B%ff%fe%7D"),
        400,
        says="UTF-8",
    ),
    raw(
        "overlong UTF-8 in the address",
        request("GET /sparql?query=ASK%7B%c0%af%7D"),
        400,
        says="UTF-8",
    ),
    raw("a surrogate in UTF-8", request("GET /sparql?query=ASK%7B%ed%a0%80%7D"), 400, says="UTF-8"),
    raw(
        "raw bytes in the address",
        b"GET /sparql?query=ASK\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        400,
    ),
    posts(
        "latin-1 that says it is UTF-8",
        DIRECT,
        "ASK { FILTER('é' = 'é') }".encode("latin-1"),
        400,
        says="utf-8",
    ),
    posts("UTF-16 that says nothing", DIRECT, "ASK {}".encode("utf-16"), 400),
    posts("half a UTF-16", f"{DIRECT}; charset=utf-16", b"\xff\xfeA\x00S", 415),
    posts(
        "a charset that takes minutes",
        f"{DIRECT}; charset=punycode",
        b"a" * 400_000 + b"-" + b"b" * 400_000,
        415,
    ),
    posts("a charset that nobody knows", f"{DIRECT}; charset={'x' * 15_000}", b"ASK {}", 415),
    posts("a charset without end", f"{DIRECT}; charset={'x' * 50_000}", b"ASK {}", 431),
    posts("a form that is no UTF-8", FORM, b"query=ASK%7B%ff%7D", 400, says="UTF-8"),
    asks("NUL in a query", "ASK { ?s ?p 'a\0b' } \0", 400),
    raw("NUL in the address", request("GET /sparql?query=ASK%7B%7D%00"), 400),
    raw("NUL in a path", request("GET /people/%00"), 404),
    raw("NUL in a header", request("GET /", "Accept: \0\r\n"), 400),
    posts(
        "a thousand fields and one", FORM, b"query=ASK%7B%7D" + b"&a=b" * 1000, 400, says="fields"
    ),
    raw(
        "a thousand fields of the address", request(f"GET {ASK}{'&a=b' * 1000}"), 400, says="fields"
    ),
    raw(
        "queries by the hundred",
        request(f"GET /sparql?{'&'.join(['query=ASK%7B%7D'] * 300)}"),
        400,
        says="exactly one",
    ),
]
FORMS = [
    raw("nothing but commas", request(f"GET {ASK}", f"Accept: {',' * 5000}\r\n"), 200, 406),
    raw(
        "a quality that is no number",
        request(f"GET {ASK}", "Accept: text/csv;q=NaN, image/png;q=-1, */*;q=1e999\r\n"),
        200,
    ),
    raw(
        "two thousand media types",
        request(f"GET {ASK}", f"Accept: {','.join(f'a/{n}' for n in range(2000))}\r\n"),
        406,
    ),
    raw(
        "ten thousand media types",
        request(f"GET {ASK}", f"Accept: {','.join(f'a/{n}' for n in range(9000))}\r\n"),
        431,
    ),
    raw("a long media type", request(f"GET {ASK}", f"Accept: {'a' * 15_000}\r\n"), 406),
    raw("a media type without end", request(f"GET {ASK}", f"Accept: {'a' * 50_000}\r\n"), 431),
    raw("a wildcard of a wildcard", request(f"GET {ASK}", "Accept: */text, /*, */, *\r\n"), 406),
    raw("a header in the format", request(f"GET {ASK}&format=csv%0d%0aSet-Cookie:%20a=b"), 400),
    raw(
        "a header in the media type",
        request(f"GET {ASK}&format=text/csv%0d%0aSet-Cookie:%20a=b"),
        406,
    ),
    raw("a header in the path", request("GET /people%0d%0aSet-Cookie:%20a=b"), 404),
    raw("a header in a folder's name", request("GET /people/%0d%0aSet-Cookie:%20a=b/"), 404),
    raw(
        "a header in a graph's name",
        request(f"GET {ASK}&default-graph-uri=http://a/%0d%0aSet-Cookie:%20a=b"),
        400,
    ),
    raw(
        "a page in the path",
        request("GET /%3Cscript%3Ealert(1)%3C/script%3E", "Accept: text/html\r\n"),
        404,
    ),
    raw(
        "rubbish about who asks",
        request(f"GET {ASK}", "X-Forwarded-For: ::1%25, , [fe80::1%eth0]:9, \xff\r\n" * 50),
        200,
    ),
    raw(
        "a host that is none",
        request(f"GET {ASK}", "Host: [::1\r\nX-Forwarded-Host: a b\r\n"),
        200,
        400,
    ),
    raw("a time limit that is none", request(f"GET {ASK}&timeout=-inf"), 400),
    raw(
        "a coding that is none",
        request(f"GET {ASK}", f"Accept-Encoding: {'gzip;q=x,' * 1700}\r\n"),
        200,
    ),
    raw(
        "a validator that is none",
        request(
            "GET /",
            'If-None-Match: "\xff, W/"\r\nIf-Modified-Since: yesterday\r\nRange: bytes=9-1,x\r\n',
        ),
        200,
        416,
    ),
]
PATHS = [
    raw(f"the path {path}", request(f"GET {path}"), 404, 308)
    for path in (
        "/../../../../etc/passwd",
        "/people/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%252e%252e%252fetc%252fpasswd",
        "/..%5c..%5cetc%5cpasswd",
        "//etc/passwd",
        "/people//ada",
        "/file:///etc/passwd",
        "/data/site.yaml",
        "/.git/config",
        f"/{'a/' * 20_000}",
    )
]
METHODS = [
    raw(
        "CONNECT",
        b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\nConnection: close\r\n\r\n",
        404,
        405,
    ),
    raw("TRACE", request("TRACE /", "X-Secret: yes\r\n"), 405),
    raw("PROPFIND", request("PROPFIND /", "Depth: infinity\r\n"), 405),
    raw("a method of its own", request("QWERTY /sparql"), 405),
    raw("a method without end", request(f"{'A' * 50_000} /"), 405),
    raw("a method in lower case", request("get /"), 400),
    raw("OPTIONS of all", request("OPTIONS *"), 200, 404),
    raw("the address of another server", request("GET http://example.org/healthz"), 200, 404),
    raw("an address that is none", request("GET http://[::1/"), 400),
    raw("HTTP/0.9", b"GET /healthz\r\n\r\n", 400),
    raw(
        "HTTP/9.9", b"GET /healthz HTTP/9.9\r\nHost: x\r\nConnection: close\r\n\r\n", 200, 400, 505
    ),
    raw("bytes at random", bytes(range(256)) * 4 + b"\r\n\r\n", 400),
    raw("the beginning of TLS", HELLO + b"\r\n\r\n", 400),
    raw("the beginning of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", CLOSED),
    raw("no host", b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, says="Host"),
    raw("two hosts", request("GET /", "Host: y\r\n"), 400, says="Host"),
    raw("headers by the hundred", request("GET /", "X: x\r\n" * 100), 431),
    raw("headers without end", b"GET / HTTP/1.1\r\n" + HEADERS.encode() + b"\r\n", 431),
    raw("an address without end", request(f"GET /{'a' * 120_000}"), 431),
    raw("a header without a name", b"GET / HTTP/1.1\r\n: x\r\n\r\n", 400),
    raw("a header on two lines", b"GET / HTTP/1.1\r\nHost: x\r\nA: b\n c\r\n\r\n", 400),
    raw("a length that is none", b"POST /sparql HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400),
    raw(
        "two lengths",
        b"POST /sparql HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nASK{}",
        400,
    ),
    raw(
        "a length beyond all",
        request("POST /sparql").replace(b"Content-Length: 0", b"Content-Length: 99999999999"),
        413,
    ),
    raw(
        "a length of five thousand digits",
        request("POST /sparql").replace(b"Content-Length: 0", b"Content-Length: " + b"9" * 5000),
        400,
    ),
    posts("a body that is too large", DIRECT, b" " * (1024 * 1024 + 1), 413),
    raw(
        "a coding of the transfer", b"POST /sparql HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400
    ),
    raw(
        "a chunk that is none",
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        400,
        says="broken",
    ),
    raw(
        "a chunk and then none",
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\nASK{}\r\nxyz\r\n",
        400,
        says="broken",
    ),
    raw(
        "chunks that are too many",
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + (b"ffff\r\n" + b" " * 0xFFFF + b"\r\n") * 17,
        413,
    ),
    raw(
        "pipelined by the hundred",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 300 + request("GET /healthz"),
        200,
    ),
]
CASES = [*UPDATES, *ENCODINGS, *FORMS, *PATHS, *METHODS]
