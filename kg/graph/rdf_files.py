"""RDF files of any syntax, read together as N-Quads, to be served as they are.

Files without named graphs fill the default graph; the others keep their graphs. A blank node
belongs to its file, so each gets a new label: the number of the file, and its own in the order of
appearance. Relative IRIs are resolved against the base, never against the place of the file, which
stays private. Nothing is fetched, and bounds are kept before a parser reads a text: entities of XML
that grow or lie elsewhere, and nesting that exhausts the stack of a parser, or its time.
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
    ".n3": RdfFormat.TURTLE,  # the part of N3 that is RDF; rules and formulas are mistakes
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
BIG = 10_000_000  # bytes that take long enough to say so
BROKEN = "syntax"  # not a rule of the check
REMOTE = "No LoadDocumentCallback"
CONTEXT = re.compile(rb'"@context"\s*:\s*[\["]')
INLINE = "Its @context is elsewhere, and nothing is fetched. Put the context itself into the file."
TERM = re.compile(rb"""(?:"(?:[^"\\]++|\\.)*+"|<[^<>\s]*+>|[^"<_]++|<|_(?!:))++|_:(\S+)""")


@dataclass(frozen=True)
class Read:
    """What the files say: lines of N-Quads, how many, and in how many named graphs."""

    nquads: bytes
    triples: int
    graphs: int

    @property
    def counts(self) -> str:
        """`12 triples, 1 named graph`, as they were read: what two files say counts twice."""
        return f"{counted(self.triples, 'triple')}, {counted(self.graphs, 'named graph')}"


def read(
    paths: Sequence[Path], base: str, progress: Callable[[str], None] = lambda _: None
) -> Read:
    """All files together. Raises ProblemsFound with the first mistake of every broken one; the same
    files give the same bytes.
    """
    syntaxes = [syntax(path) for path in paths]
    try:
        parse(b"", RdfFormat.TURTLE, base_iri=base)
    except ValueError as error:
        raise KgError(
            f"'{base}' cannot be the base: {error}. Give an absolute IRI, e.g. "
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
                Problem(Place(str(path)), "error", f"This is no whole gzip file: {error}.", BROKEN)
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
            f"{path}: the suffix does not say which RDF this is. Known: "
            f"{', '.join(SUFFIXES)}, each also with {PACKED}."
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
    """The same with new labels for blank nodes, which no other file has. Labels inside literals and
    IRIs are none.
    """
    labels: dict[bytes, bytes] = {}

    def renamed(found: re.Match[bytes]) -> bytes:
        return (
            labels.setdefault(found[1], b"_:f%db%d" % (file, len(labels))) if found[1] else found[0]
        )

    return TERM.sub(renamed, nquads) if b"_:" in nquads else nquads


def problem(path: Path, text: bytes, format_: RdfFormat, base: str, error: SyntaxError) -> Problem:
    if error.msg.startswith(REMOTE):
        found = CONTEXT.search(text)
        return Problem(
            Place(str(path), *byte_place(text, found.start() if found else 0)),
            "error",
            INLINE,
            BROKEN,
        )
    line, column = (
        (error.lineno, error.offset or 1)
        if error.lineno
        else byte_place(text, far(text, format_, base))
    )
    why = re.sub(r"^Parser error (?:at|between) [^:]*: ", "", error.msg).rstrip(".")
    return Problem(
        Place(str(path), line, column), "error", f"This is not {format_.name}: {why}.", BROKEN
    )


class Slowly(io.BytesIO):
    """Gives one line at a time, however large the read."""

    def read(self, size: int | None = -1) -> bytes:
        return self.readline(size)


def far(text: bytes, format_: RdfFormat, base: str) -> int:
    """Where a mistake is whose place the parser does not give: the start of the last line it had
    read when it complained.
    """
    reader = Slowly(text)
    with suppress(SyntaxError):
        deque(parse(reader, format_, base_iri=base), maxlen=0)
    return text.rfind(b"\n", 0, max(reader.tell() - 1, 0)) + 1


DEEPEST = 200  # elements of XML, or triples as terms of triples: one in the other
LONGEST_ENTITY, AT_ONCE = 500, 65_536  # characters, bytes
WITH_TERMS = (
    RdfFormat.TURTLE,
    RdfFormat.TRIG,
    RdfFormat.N_TRIPLES,
    RdfFormat.N_QUADS,
    RdfFormat.N3,
)
# Texts, addresses and comments, in which the signs of a triple mean nothing; and these signs.
PIECES = re.compile(
    rb'"""(?:[^"\\]++|\\.|"(?!""))*+"""|'
    rb"'''(?:[^'\\]++|\\.|'(?!''))*+'''|"
    rb'"(?:[^"\\\n]++|\\.)*+"|'
    rb"'(?:[^'\\\n]++|\\.)*+'|<[^<>\s]*+>|#[^\n]*+|(<<)|(>>)",
    re.DOTALL,
)


def refuse_unbounded(text: bytes, form: RdfFormat) -> None:
    """Raises SyntaxError, with the place."""
    if form == RdfFormat.RDF_XML:
        refuse_xml(text)
    elif form in WITH_TERMS and text.count(b"<<") > DEEPEST:
        depth = 0
        for found in PIECES.finditer(text):
            depth += bool(found[1]) - bool(found[2])
            if depth > DEEPEST:
                raise too_deep(*byte_place(text, found.start()))


def refuse_xml(text: bytes) -> None:
    """RDF/XML has entities for short names of vocabularies, and no others."""
    depth = 0

    def declared(entity: str, _: bool, value: str | None, *others: object) -> None:
        if value is None or "&" in value or len(value) > LONGEST_ENTITY:
            place = (None, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1, None)
            raise SyntaxError(f"the entity '{entity}' is no name of a vocabulary", place)

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
        for start in range(0, len(text), AT_ONCE):
            parser.Parse(text[start : start + AT_ONCE], False)
    except (
        expat.ExpatError,
        LookupError,
    ):  # an unknown encoding is the latter; what is no XML the parser of RDF tells better
        return


def byte_place(text: bytes, at: int) -> tuple[int, int]:
    """Line and column of a byte."""
    return text.count(b"\n", 0, at) + 1, at - text.rfind(b"\n", 0, at)


def too_deep(line: int, column: int) -> SyntaxError:
    message = f"it is nested more than {DEEPEST} levels deep"
    return SyntaxError(message, (None, line, column, None))
