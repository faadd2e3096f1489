"""Queries to other SPARQL servers: `kg query --endpoint URL`."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from http.client import responses
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlencode

from pyoxigraph import Store

from kg.cli.messages import progress
from kg.cli.query import fail
from kg.publish.formats.media import ALIASES, TABLES
from kg.publish.questions import results
from kg.sparql.reading.outline import with_prefixes
from kg.store.protocol import Answer
from kg.text.columns import clean
from kg.vocab import ALL_PREFIXES
from kg.web.http_client import Client, TooLarge, check_address

if TYPE_CHECKING:
    from kg.web.http_client import RemoteResponse

MAX_BYTES = 1 << 28
PROBLEM = "application/problem+json"
MAX_QUOTED = 1_000  # characters quoted from the error message of a server
IS_SPLIT = "ASK { GRAPH ?g { ?a ?b ?c } FILTER NOT EXISTS { ?s ?p ?o } }"
SPLIT = (
    "All triples of this server are in named graphs, and its default graph is empty. Configure it "
    "so that the default graph is the union of all graphs, or load a dump without graphs: dump.ttl"
)


def ask(endpoint: str, text: str, media_type: str, base: str, seconds: float) -> Answer:
    """The answer of another server. Without a `base`, relative addresses are not resolved."""
    address, text = check_address(endpoint), portable(text, base)
    body = urlencode({"query": text}).encode("utf-8", "replace")
    headers = {"Accept": media_type, "Content-Type": "application/x-www-form-urlencoded"}
    with closing(Client(address, agent="kg-query", uses_proxies=True)) as client:
        try:
            with progress(f"Asking {address}"):
                found = client.exchange("POST", address, body, headers, seconds, MAX_BYTES)
        except TimeoutError:
            wait = "Allow more time with --timeout SECONDS."
            fail(f"{address} did not answer within {seconds:g} s. {wait}", text)
        except ConnectionError as error:
            fail(f"cannot reach {address}: {clean(str(error))}.", text)
        except TooLarge:
            size = f"more than {MAX_BYTES >> 20} MiB"
            fail(f"{address} returned {size}. Add a LIMIT to the query.", text)
    if problem := problem_of(found, address, media_type):
        quoted = excerpt(found)
        fail(f"{problem}\n{quoted}".strip(), text, quoted)
    hints = unquote(found.headers.get("kg-hint", "")).split("\n")
    shown = tuple(clean(each)[:MAX_QUOTED] for each in hints[:3] if each)
    why = why_empty(address, found.body, media_type, seconds)
    return Answer(media_type, found.body, hints=(*shown, *why))


def portable(text: str, base: str) -> str:
    """The query for another server: with the usual prefixes, and with the base, if it is known, for
    relative addresses. A query with a mistake stays as it is, for the places in messages.
    """
    text = with_prefixes(text, ALL_PREFIXES)
    with suppress(SyntaxError):
        Store().query(text, base_iri=base or None)
        return f"BASE <{base}> {text}" if base else text
    return text


def why_empty(address: str, body: bytes, media_type: str, seconds: float) -> list[str]:
    """Why a table is empty: the default graph of some servers does not contain named graphs."""
    headers = {"Accept": TABLES[0], "Content-Type": "application/x-www-form-urlencoded"}
    client = Client(address, agent="kg-query", uses_proxies=True)
    with closing(client), suppress(OSError, TooLarge, SyntaxError, ValueError):
        found = results.table(body) if media_type == TABLES[0] else None
        verdict = found.verdict if found else None
        has_rows = found.total if found else body.count(b"\n") > 1
        if has_rows or verdict is not None or media_type not in TABLES:
            return []
        sent = urlencode({"query": IS_SPLIT}).encode()
        answer = client.exchange("POST", address, sent, headers, seconds, MAX_BYTES)
        if not problem_of(answer, address, TABLES[0]) and results.table(answer.body).verdict:
            return [SPLIT]
    return []


def problem_of(response: RemoteResponse, address: str, media_type: str) -> str:
    """What is wrong with a response; empty if nothing is."""
    status, moved = response.status, response.headers.get("location", "")
    if 300 <= status < 400 and moved:
        return f"{address} redirects. Use --endpoint {clean(moved)[:MAX_QUOTED]}"
    if not 200 <= status < 300:
        return f"{address} returned HTTP {status} {responses.get(status, '')}".strip() + "."
    if media_type not in (response.media_type, ALIASES.get(response.media_type)):
        given = clean(response.media_type)
        return f"{address} returned {given} instead of {media_type}. Is it a SPARQL endpoint?"
    return ""


def excerpt(response: RemoteResponse) -> str:
    """The error message of a server, without empty lines; empty for an HTML page."""
    if response.media_type == "text/html":
        return ""
    text = response.body[: MAX_QUOTED * 4].decode("utf-8", "replace")
    if response.media_type == PROBLEM:
        with suppress(ValueError):
            text = str(json.loads(text).get("detail", text))
    lines = [clean(line).rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line)[:MAX_QUOTED]
