"""Reads the answers of another server and writes them as the embedded endpoint would.

Large answers are read by a process of their own, `python -m kg.plugins.remote.reading`, which is
killed at the deadline and has a memory limit, so that they never delay other requests.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from traceback import clear_frames
from typing import Any

from pyoxigraph import QueryResultsFormat, RdfFormat, parse, parse_query_results, serialize

from kg.errors import BadQuery, QueryCrashed
from kg.sparql.evaluate import BoundedBuffer
from kg.vocab import PREFIXES, xsd

TRUTHS = {"1": "true", "0": "false"}
MAX_HERE = 512 * 1024  # bytes of an answer that is read in this process
UNREADABLE = "The server behind this endpoint sent an invalid answer."
TOO_MUCH = "The answer takes too much memory. Add a LIMIT, or download a dump of the whole graph."
# What odd answers raise: wrong types and names, texts that are no terms, and deep nesting.
FAULTS = (SyntaxError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError)
REFUSED, UNREAD = 3, 4  # exit codes


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read an answer: the media type to write, at most so many bytes; for a graph, the media
    type that was sent; for `SELECT *`, the variables in the order of the query. Without a media
    type, only the rows are counted.
    """

    media_type: str = ""
    most: int = 1 << 20
    graph: str = ""
    variables: Sequence[str] = ()

    def of(self, parts: Sequence[bytes]) -> bytes:
        """The answer from the pages of a table, or from a graph. Raises BadQuery if it is too
        large, and QueryCrashed if it cannot be read.
        """
        buffer = BoundedBuffer(self.most)
        try:
            self.write(parts, buffer)
        except FAULTS as error:
            clear_frames(error.__traceback__)  # results must be freed by their own thread
            raise QueryCrashed(UNREADABLE) from error
        return buffer.getvalue()

    def write(self, parts: Sequence[bytes], buffer: BoundedBuffer) -> None:
        if self.graph:
            form = RdfFormat.from_media_type(self.graph) or RdfFormat.TURTLE
            triples = [quad.triple for quad in parse(b"".join(parts), form, lenient=True)]
            form = RdfFormat.from_media_type(self.media_type) or RdfFormat.TURTLE
            serialize(triples, buffer, format=form, prefixes=PREFIXES)
        elif self.media_type:
            result = parse_query_results(self.table(parts), format=QueryResultsFormat.JSON)
            table = QueryResultsFormat.from_media_type(self.media_type)
            result.serialize(buffer, format=table or QueryResultsFormat.JSON)
        else:
            buffer.write(b"%d" % sum(len(rows_of(json.loads(part))) for part in parts))

    def table(self, parts: Sequence[bytes]) -> bytes:
        """One table of all pages, with terms as the embedded endpoint writes them."""
        (first, *more), is_large = parts, len(parts[0]) > MAX_HERE
        if is_large and not (more or self.variables or b"boolean" in first):
            return first  # nothing to change, which takes most of the time
        found, *others = map(json.loads, parts)
        if "boolean" in found:
            verdict = bool((False, True).index(found["boolean"]))  # refuses other values
            return json.dumps({"head": {}, "boolean": verdict}).encode()
        rows = [row for page in (found, *others) for row in rows_of(page)]
        variables = [f"{name}" for name in found["head"]["vars"]]
        if self.variables:
            variables.sort(key=[*self.variables, *variables].index)
        plain = [{name: plain_term(term) for name, term in row.items()} for row in rows]
        return json.dumps({"head": {"vars": variables}, "results": {"bindings": plain}}).encode()

    def apart(self, parts: Sequence[bytes], seconds: float, memory: int) -> bytes:
        """The same, in a process of its own if the answer is large. Raises TimeoutError, too."""
        if sum(map(len, parts)) <= MAX_HERE:
            return self.of(parts)
        command = [sys.executable, "-P", "-m", __name__, json.dumps(asdict(self)), str(memory)]
        sizes = json.dumps([len(part) for part in parts]).encode()
        with subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            try:
                body, _ = process.communicate(b"\n".join([sizes, b"".join(parts)]), max(seconds, 0))
            except subprocess.TimeoutExpired as error:
                raise TimeoutError from error
            finally:
                process.kill()
        if process.returncode == REFUSED:
            raise BadQuery(body.decode())
        if process.returncode == UNREAD:
            raise QueryCrashed(UNREADABLE)
        if process.returncode:
            raise BadQuery(TOO_MUCH)
        return body


def rows_of(page: Any) -> list[Mapping[str, Any]]:
    return list(page["results"]["bindings"]) if "boolean" not in page else []


def plain_term(term: Mapping[str, str]) -> Mapping[str, str]:
    """A term as the embedded store would return it: some servers write 1 for true."""
    if term.get("datatype") != xsd.boolean:
        return term
    return {**term, "value": TRUTHS.get(term["value"], term["value"])}


def main(reading: Reading, memory: int) -> int:
    """Reads pages from standard input: a line with their sizes, then their bytes."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sizes = json.loads(sys.stdin.buffer.readline())
    parts = [sys.stdin.buffer.read(size) for size in sizes]
    try:
        sys.stdout.buffer.write(reading.of(parts))
    except BadQuery as error:
        sys.stdout.buffer.write(str(error).encode())
        return REFUSED
    except QueryCrashed:
        return UNREAD
    return 0


if __name__ == "__main__":
    sys.exit(main(Reading(**json.loads(sys.argv[1])), int(sys.argv[2])))
