"""Media types, suffixes, content negotiation, and the headers of published files, for our server
and for other hosts.

The Content-Security-Policy restricts what a page can load and run. In a folder, only the page
itself can state it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

HTML = "text/html"
JSON = "application/json"
TURTLE = "text/turtle"
NTRIPLES = "application/n-triples"
NQUADS = "application/n-quads"
JSONLD = "application/ld+json"
RDFXML = "application/rdf+xml"
TRIG = "application/trig"
GZIP = "application/gzip"
ATOM = "application/atom+xml"
LINKSET = "application/linkset+json"
XML = "application/xml"
TEXT = "text/plain"
MARKDOWN = "text/markdown"

BIBTEX = "application/x-bibtex"
CSV = "text/csv"
CSL = "application/vnd.citationstyles.csl+json"

PDF = "application/pdf"
VCARD = "text/vcard"
MANIFEST = "application/manifest+json"

DATA_SUFFIXES = {".ttl": TURTLE, ".jsonld": JSONLD, ".nt": NTRIPLES, ".rdf": RDFXML}
PAGE_SUFFIXES = {".html": HTML, **DATA_SUFFIXES, ".md": MARKDOWN}
CITATION_SUFFIXES = {".bib": BIBTEX, ".csl.json": CSL}  # of works and of their authors
LIST_SUFFIXES = {**CITATION_SUFFIXES, ".csv": CSV}  # of lists of works
DUMP_SUFFIXES = {
    ".ttl": TURTLE,
    ".nt": NTRIPLES,
    ".nq": NQUADS,
    ".trig": TRIG,
    ".jsonld": JSONLD,
    ".rdf": RDFXML,
}
LINKSET_SUFFIX = ".linkset.json"
OTHER_SUFFIXES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".ico": "image/vnd.microsoft.icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".pdf": PDF,
    ".png": "image/png",
    ".txt": TEXT,
    ".vcf": VCARD,
    ".webmanifest": MANIFEST,
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": XML,
}
NAMES = {
    TURTLE: "Turtle",
    JSONLD: "JSON-LD",
    NTRIPLES: "N-Triples",
    NQUADS: "N-Quads",
    RDFXML: "RDF/XML",
    TRIG: "TriG",
    MARKDOWN: "Markdown",
    BIBTEX: "BibTeX",
    CSL: "CSL-JSON",
    CSV: "CSV",
    PDF: "PDF",
    VCARD: "vCard",
}


def name_of(media_type: str, suffix: str) -> str:
    return NAMES.get(media_type, suffix.removeprefix(".").upper())


# Result formats of SPARQL: tables for SELECT and ASK, graphs for CONSTRUCT and DESCRIBE; the first
# is the default.
TABLE_SUFFIXES = {
    ".json": "application/sparql-results+json",
    ".xml": "application/sparql-results+xml",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
}
TABLES = tuple(TABLE_SUFFIXES.values())
GRAPHS = (TURTLE, NTRIPLES, NQUADS, JSONLD, RDFXML, TRIG)
SHORT_NAMES: dict[str, tuple[str, ...]] = {  # values of `format=`, including those of SPARQLWrapper
    "json": (TABLES[0], JSONLD),
    "xml": (TABLES[1], RDFXML),
    "csv": (TABLES[2],),
    "tsv": (TABLES[3],),
    **dict.fromkeys(("turtle", "ttl", "n3"), (TURTLE,)),
    **dict.fromkeys(("n-triples", "nt"), (NTRIPLES,)),
    **dict.fromkeys(("json-ld", "jsonld"), (JSONLD,)),
    **dict.fromkeys(("rdf+xml", "rdf"), (RDFXML,)),
    **dict.fromkeys(("n-quads", "nq"), (NQUADS,)),
    "trig": (TRIG,),
    "html": (HTML,),
}
WEIGHT = re.compile(r"q\s*=\s*(\d+(?:\.\d*)?)")  # of an Accept header
LONGEST_CACHED = 200  # characters of an Accept header
ALIASES = {
    "application/json": TABLES[0],
    "application/xml": TABLES[1],
    "text/xml": TABLES[1],
    "text/plain": NTRIPLES,
}

POLICY_NAME = "Content-Security-Policy"
SAFE = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),  # for browsers without frame-ancestors
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
OPEN = ("Access-Control-Allow-Origin", "*")  # other sites may read public data

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; "
    "font-src 'self'; manifest-src 'self'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
# The editor adds inline styles.
EDITOR_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
# A folder runs queries in the browser, with a WebAssembly engine in a web worker.
WASM = "script-src 'self' 'wasm-unsafe-eval'"
FOLDER_POLICY = EDITOR_POLICY.replace("script-src 'self'", f"{WASM}; worker-src 'self'")
FOLDER_META = FOLDER_POLICY.replace("; frame-ancestors 'none'", "")  # not allowed in a <meta>
WORKER_POLICY = f"default-src 'none'; {WASM}; connect-src 'self'"
OWN_POLICIES = {"sparql.html": FOLDER_POLICY, "static/engine.js": WORKER_POLICY}  # by path


def quality(media_type: str, ranges: Mapping[str, float]) -> float:
    """How much a client prefers a media type: the most specific range decides."""
    family = media_type.partition("/")[0]
    return next(
        (ranges[wanted] for wanted in (media_type, f"{family}/*", "*/*") if wanted in ranges), 0.0
    )


def ranges_of(accept: str) -> list[tuple[str, float]]:
    """`text/html, */*;q=0.1` as pairs; parameters other than q are ignored, an invalid q counts as
    1.
    """
    found = []
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weights = [weight[1] for each in parameters if (weight := WEIGHT.fullmatch(each))]
        if name:
            found.append((name, min(float(weights[-1]), 1.0) if weights else 1.0))
    return found


def negotiate(accept: str | None, offered: Sequence[str]) -> str | None:
    """The offered media type that a client prefers, the first of equals; None if none is
    acceptable.
    """
    if not accept or not accept.strip():
        return offered[0]
    choose = cached_best if len(accept) <= LONGEST_CACHED else best_of
    return choose(accept, tuple(offered))


def best_of(accept: str, offered: tuple[str, ...]) -> str | None:
    ranges = dict(reversed(ranges_of(accept)))  # the first of equals wins
    ranges = {ALIASES[name]: q for name, q in ranges.items() if name in ALIASES} | ranges
    best = max(offered, key=lambda media_type: quality(media_type, ranges))
    return best if quality(best, ranges) > 0 else None


cached_best = lru_cache(maxsize=512)(best_of)  # most clients send the same header


def content_type(media_type: str) -> str:
    """The media type with its charset, unless it implies one."""
    is_text = media_type.startswith(("text/", "application/xml", "image/svg"))
    return media_type + ("; charset=utf-8" if is_text else "")
