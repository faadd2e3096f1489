"""Reads RDF files of any syntax as N-Quads, to serve them unchanged.

Files without named graphs fill the default graph; all others keep their graphs. A blank node
belongs to its file, so it gets a new label: the number of the file and its own number. Relative
IRIs are resolved against the base, never against the path of the file, which stays private.

Nothing is fetched. Limits are checked before a parser sees a text: XML entities that expand or are
external, and nesting that would exhaust the stack or the time of a parser.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from pyoxigraph import BlankNode, DefaultGraph, NamedNode, Quad, RdfFormat, parse, serialize

from kg.errors import KgError, Place, Problem, ProblemsFound, counted, tidy

SUFFIXES = {
    ".ttl": RdfFormat.TURTLE,
    ".n3": RdfFormat.TURTLE,  # the RDF subset of N3; rules and formulas are errors
    ".trig": RdfFormat.TRIG,
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".jsonld": RdfFormat.JSON_LD,
    ".json": RdfFormat.JSON_LD,
    ".rdf": RdfFormat.RDF_XML,
    ".owl": RdfFormat.RDF_XML,
    ".xml": RdfFormat.RDF_XML,
}
Name = NamedNode | BlankNode | DefaultGraph
PACKED = ".gz"
BIG = 10_000_000  # bytes; larger files are reported as progress
SYNTAX_RULE = "syntax"  # not a rule of kg check
REMOTE_CONTEXT_ERROR = "No LoadDocumentCallback"
CONTEXT = re.compile(rb'"@context"\s*:\s*[\["]')
REMOTE_CONTEXT = (
    "The @context is on another server and is not fetched. Copy the context into the file."
)
TERM = re.compile(rb"""(?:"(?:[^"\\]++|\\.)*+"|<[^<>\s]*+>|[^"<_]++|<|_(?!:))++|_:(\S+)""")


@dataclass(frozen=True)
class Read:
    """The content of the files: N-Quads, and the numbers of triples and named graphs."""

    nquads: bytes
    triples: int
    graphs: int

    @property
    def counts(self) -> str:
        """A summary such as `12 triples, 1 named graph`. A triple in two files counts twice."""
        return f"{counted(self.triples, 'triple')}, {counted(self.graphs, 'named graph')}"


def read(
    paths: Sequence[Path], base: str, progress: Callable[[str], None] = lambda _: None
) -> Read:
    """Reads all files. Raises ProblemsFound with the first error of each broken file. The same
    files give the same bytes.
    """
    syntaxes = [syntax(path) for path in paths]
    try:
        parse(b"", RdfFormat.TURTLE, base_iri=base)
    except ValueError as error:
        raise KgError(
            f"'{base}' is not a valid base: {error}. Use an absolute IRI, e.g. "
            "https://example.org/."
        ) from error
    parts: list[bytes] = []
    graphs = {str(DefaultGraph())}
    problems: list[Problem] = []
    for number, (path, format_) in enumerate(zip(paths, syntaxes, strict=True)):
        if (size := path.stat().st_size) > BIG:
            progress(f"Reading {path} ({size // 1_000_000} MB)")
        try:
            text = unpacked(path)
            here: set[Name] = set()
            parts.append(relabelled(lines(text, format_, base, here), number))
            graphs |= {
                f"{name} of file {number}" if isinstance(name, BlankNode) else str(name)
                for name in here
            }
        except SyntaxError as error:
            problems.append(problem(path, text, format_, base, error))
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            problems.append(
                Problem(
                    Place(str(path)), "error", f"This gzip file is damaged: {error}.", SYNTAX_RULE
                )
            )
    if problems:
        raise ProblemsFound(tidy(problems), Path())
    nquads = b"".join(parts)
    return Read(nquads, nquads.count(b"\n"), len(graphs) - 1)


def syntax(path: Path) -> RdfFormat:
    """The syntax of a file, by its suffix."""
    suffix = Path(path.stem if path.suffix == PACKED else path.name).suffix
    if suffix.lower() not in SUFFIXES:
        raise KgError(
            f"{path}: unknown suffix. Known: {', '.join(SUFFIXES)}, each also with {PACKED}."
        )
    return SUFFIXES[suffix.lower()]


def unpacked(path: Path) -> bytes:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == PACKED else raw).removeprefix(codecs.BOM_UTF8)


def lines(text: bytes, format_: RdfFormat, base: str, graphs: set[Name]) -> bytes:
    """The quads of a file as N-Quads; the names of their graphs are added to `graphs`."""

    def seen(quads: Iterable[Quad]) -> Iterator[Quad]:
        for quad in quads:
            graphs.add(quad.graph_name)
            yield quad

    if not text.strip():
        return b""
    refuse_unbounded(text, format_)
    return serialize(seen(parse(text, format_, base_iri=base)), format=RdfFormat.N_QUADS) or b""


def relabelled(nquads: bytes, file: int) -> bytes:
    """The quads with blank node labels that are unique among all files. Text in literals and IRIs
    is not changed.
    """
    labels: dict[bytes, bytes] = {}

    def renamed(found: re.Match[bytes]) -> bytes:
        return (
            labels.setdefault(found[1], b"_:f%db%d" % (file, len(labels))) if found[1] else found[0]
        )

    return TERM.sub(renamed, nquads) if b"_:" in nquads else nquads


def problem(path: Path, text: bytes, format_: RdfFormat, base: str, error: SyntaxError) -> Problem:
    if error.msg.startswith(REMOTE_CONTEXT_ERROR):
        found = CONTEXT.search(text)
        return Problem(
            Place(str(path), *byte_place(text, found.start() if found else 0)),
            "error",
            REMOTE_CONTEXT,
            SYNTAX_RULE,
        )
    line, column = (
        (error.lineno, error.offset or 1)
        if error.lineno
        else byte_place(text, error_offset(text, format_, base))
    )
    why = re.sub(r"^Parser error (?:at|between) [^:]*: ", "", error.msg).rstrip(".")
    return Problem(
        Place(str(path), line, column), "error", f"This is not {format_.name}: {why}.", SYNTAX_RULE
    )


class LineReader(io.BytesIO):
    """Returns one line per read, whatever size is requested."""

    def read(self, size: int | None = -1) -> bytes:
        return self.readline(size)


def error_offset(text: bytes, format_: RdfFormat, base: str) -> int:
    """The position of an error that the parser does not locate: the start of the last line it had
    read.
    """
    reader = LineReader(text)
    with suppress(SyntaxError):
        deque(parse(reader, format_, base_iri=base), maxlen=0)
    return text.rfind(b"\n", 0, max(reader.tell() - 1, 0)) + 1


DEEPEST = 200  # nesting of XML elements or of triple terms
MAX_ENTITY_LENGTH, CHUNK_SIZE = 500, 65_536  # characters, bytes
WITH_TERMS = (
    RdfFormat.TURTLE,
    RdfFormat.TRIG,
    RdfFormat.N_TRIPLES,
    RdfFormat.N_QUADS,
    RdfFormat.N3,
)
# Literals, IRIs and comments, in which << and >> have no meaning; and << and >> themselves.
PIECES = re.compile(
    rb'"""(?:[^"\\]++|\\.|"(?!""))*+"""|'
    rb"'''(?:[^'\\]++|\\.|'(?!''))*+'''|"
    rb'"(?:[^"\\\n]++|\\.)*+"|'
    rb"'(?:[^'\\\n]++|\\.)*+'|<[^<>\s]*+>|#[^\n]*+|(<<)|(>>)",
    re.DOTALL,
)


def refuse_unbounded(text: bytes, form: RdfFormat) -> None:
    """Raises SyntaxError with the place if a text exceeds the limits."""
    if form == RdfFormat.RDF_XML:
        refuse_xml(text)
    elif form in WITH_TERMS and text.count(b"<<") > DEEPEST:
        depth = 0
        for found in PIECES.finditer(text):
            depth += bool(found[1]) - bool(found[2])
            if depth > DEEPEST:
                raise too_deep(*byte_place(text, found.start()))


def refuse_xml(text: bytes) -> None:
    """Allows XML entities only as abbreviations of namespaces."""
    depth = 0

    def declared(entity: str, _: bool, value: str | None, *others: object) -> None:
        if value is None or "&" in value or len(value) > MAX_ENTITY_LENGTH:
            place = (None, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1, None)
            raise SyntaxError(f"the entity '{entity}' is not a namespace", place)

    def opened(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise too_deep(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def closed(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declared
    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    try:
        for start in range(0, len(text), CHUNK_SIZE):
            parser.Parse(text[start : start + CHUNK_SIZE], False)
    except (expat.ExpatError, LookupError):
        return  # the RDF parser reports invalid XML and unknown encodings (LookupError) better


def byte_place(text: bytes, at: int) -> tuple[int, int]:
    """The line and column of a byte."""
    return text.count(b"\n", 0, at) + 1, at - text.rfind(b"\n", 0, at)


def too_deep(line: int, column: int) -> SyntaxError:
    message = f"it is nested more than {DEEPEST} levels deep"
    return SyntaxError(message, (None, line, column, None))
