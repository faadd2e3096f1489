"""The two ways to ask: pyoxigraph in this process, and `kg serve` over HTTP."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pyoxigraph as ox
from pyoxigraph import NamedNode, Quad, QueryResultsFormat, RdfFormat

from tests.w3c.manifest import Data, Suite

KG = Path(sys.executable).with_name("kg")
# in process only: pyoxigraph reads the query, but will not evaluate it, as with a function that it
# does not know
NOT_SUPPORTED = 501
NO_ANSWER = 0  # over HTTP only: the connection broke, or the patience ended
PATIENCE = 30  # seconds; the server's own deadline is shorter


class NotServed(Exception):
    """The server did not start over this data."""


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes


# The text of a query, the IRI of its file, and the media type wanted.
Ask = Callable[[str, str, str], Reply]
Way = Callable[[Suite, Data], AbstractContextManager[Ask]]


def nquads(suite: Suite, data: Data) -> bytes:
    """The files of a data set as one, each in its graph, with blank nodes of its own."""
    quads = []
    for iris, keep in ((data.default, False), (data.named, True)):
        for iri in iris:
            for quad in ox.parse(path=suite.path(iri), base_iri=iri, rename_blank_nodes=True):
                graph = NamedNode(iri) if keep else quad.graph_name
                quads.append(Quad(quad.subject, quad.predicate, quad.object, graph))
    return ox.serialize(quads, format=RdfFormat.N_QUADS) or b""


@contextmanager
def in_process(suite: Suite, data: Data) -> Iterator[Ask]:
    store = ox.Store()
    store.load(nquads(suite, data), RdfFormat.N_QUADS)

    def ask(query: str, base: str, media_type: str) -> Reply:
        try:
            found = store.query(query, base_iri=base)
            if isinstance(found, ox.QueryTriples):
                return Reply(
                    200,
                    found.serialize(
                        format=RdfFormat.from_media_type(media_type) or RdfFormat.TURTLE
                    )
                    or b"",
                )
            return Reply(
                200,
                found.serialize(
                    format=QueryResultsFormat.from_media_type(media_type) or QueryResultsFormat.JSON
                )
                or b"",
            )
        except SyntaxError as error:
            return Reply(400, str(error).encode())
        except RuntimeError as error:
            return Reply(NOT_SUPPORTED, str(error).encode())

    yield ask


@contextmanager
def over_http(suite: Suite, data: Data) -> Iterator[Ask]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "data.nq")
        path.write_bytes(nquads(suite, data))
        with serving(path) as address:

            def ask(query: str, base: str, media_type: str) -> Reply:
                headers = {"Content-Type": "application/sparql-query", "Accept": media_type}
                request = Request(address + "sparql", f"BASE <{base}>\n{query}".encode(), headers)
                try:
                    with urlopen(request, timeout=PATIENCE) as response:
                        return Reply(response.status, response.read())
                except HTTPError as error:
                    with error:
                        return Reply(error.code, error.read())
                except (OSError, HTTPException) as error:
                    return Reply(NO_ANSWER, repr(error).encode())

            yield ask


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """The address of a server of one file."""
    command: list[str | Path] = [KG, "serve", path, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = []
            for line in process.stderr:
                said.append(line)
                if found := re.search(r"Serving (http://\S+/)", line):
                    break
            else:
                raise NotServed(f"kg serve ended: {' '.join(''.join(said).split())}")
            # What it says from here on is read away, or the pipe would fill and stop it.
            threading.Thread(target=process.stderr.read, daemon=True).start()
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
