"""`kg query`: a SPARQL query, of a site's graph or of any other server, and its answer in the
columns of a terminal.

Whoever wrote a text may have put characters into it that command a terminal; none of those is
printed.
"""

from __future__ import annotations

import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from http.client import responses
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import unquote, urlencode

import click

from kg.cli.messages import hint, tell
from kg.cli.options import IN_SITE
from kg.errors import BadQuery, KgError, WrongForm
from kg.publish.formats.media import ALIASES, GRAPHS, SHORT_NAMES, TABLES
from kg.publish.queries import results
from kg.publish.queries.results import CellMaker, numeric_columns
from kg.settings import Site, resources
from kg.store.protocol import Wanted

if TYPE_CHECKING:
    from kg.elsewhere.http import RemoteResponse

TABLE = "table"
MAX_BYTES = 1 << 28
MAX_QUOTED = 1_000  # characters quoted of what a server says about an error
FORMS = (TABLE, "csv", "tsv", "json", "xml", "ttl", "nt", "nq", "trig", "jsonld", "rdf")
BETWEEN = "  "
NARROWEST = 6  # a column is not cut below this
PLACE = re.compile(r"\bline (\d+), column (\d+)")


@click.command()
@click.argument("query")
@IN_SITE
@click.option(
    "-f",
    "--format",
    type=click.Choice(FORMS),
    help="The form of the answer; by itself a table on a terminal, else csv or ttl.",
)
@click.option(
    "-p",
    "--param",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another value for a parameter of the query.",
)
@click.option("--endpoint", metavar="URL", help="Ask this SPARQL server instead of a site.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds to wait for --endpoint.",
)
def query(
    query: str,
    site: Path,
    format: str | None,
    param: Sequence[str],
    endpoint: str | None,
    timeout: float,
) -> None:
    """Ask a SPARQL question: a file, the name of one in queries/, or - for standard input."""
    from kg.sparql.reading.outline import outline
    from kg.sparql.reading.parameters import fill

    text = question(query, site)
    try:
        text = fill(text, dict(parameter(each) for each in param))
        is_graph = outline(text).form.word in ("CONSTRUCT", "DESCRIBE")
        is_drawn = format == TABLE or (format is None and not is_graph and sys.stdout.isatty())
        media_type = media_type_of(TABLE if is_drawn else format, is_graph)
        body, hints, base = (
            remote_answer(endpoint, text, media_type, timeout)
            if endpoint
            else local_answer(site, text, media_type)
        )
        if is_drawn:
            draw(body, is_graph, base)
        else:
            sys.stdout.buffer.write(body if body.endswith(b"\n") else body + b"\n")
            sys.stdout.flush()
    except BadQuery as error:
        fail(str(error), text)
    for each in hints:
        tell(f"Hint: {each}")


def question(query: str, folder: Path) -> str:
    """The text of a query given as file, name or '-'."""
    if query == "-":
        what, found = "What was read from standard input", sys.stdin.buffer.read()
    else:
        named = {path.stem: path for path in resources(Site(folder, "", ""), "queries", "*.rq")}
        path = Path(query) if Path(query).is_file() else named.get(query)
        if path is None:
            raise click.UsageError(
                f"There is no query '{query}'. Give a file, '-' for standard input, or one of: "
                f"{', '.join(sorted(named))}."
            )
        what, found = str(path), path.read_bytes()
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(
            f"{what} is not UTF-8: {error.reason} at byte {error.start}."
        ) from error


def parameter(param: str) -> tuple[str, str]:
    name, sign, value = param.partition("=")
    if not sign:
        raise click.UsageError(
            f"'{param}' is no parameter. Give its name and its value: --param person=ada-lindqvist."
        )
    return name, value


def media_type_of(format: str | None, is_graph: bool) -> str:
    """What to ask for; N-Triples or JSON where it is to be drawn."""
    kinds = GRAPHS if is_graph else TABLES
    fitting = {
        name: media_type
        for name in FORMS[1:]
        for media_type in SHORT_NAMES[name]
        if media_type in kinds
    }
    if format == TABLE:
        return fitting["nt" if is_graph else "json"]
    if format is not None and format not in fitting:
        raise WrongForm(
            f"This query gives a {'graph' if is_graph else TABLE}, and {format} cannot hold "
            f"it. Choose {', '.join([TABLE, *fitting])}."
        )
    return fitting[format or ("ttl" if is_graph else "csv")]


def local_answer(folder: Path, text: str, media_type: str) -> tuple[bytes, Sequence[str], str]:
    """The answer of a site's graph, hints, and the base of its addresses."""
    from kg.check.check import good
    from kg.publish.about import void
    from kg.sparql.evaluate import answer
    from kg.sparql.reading import guard
    from kg.store.memory import Memory

    graph = good(folder, cached=True)
    guard.check(text)
    # as the endpoint has it
    memory = Memory(graph.site.base, graph.nquads, pages=graph.pages)
    memory.load(void.nquads(graph))
    found = answer(memory, text, Wanted(media_type, media_type))
    return found.body, found.hints, graph.site.base


def remote_answer(
    endpoint: str, text: str, media_type: str, seconds: float
) -> tuple[bytes, Sequence[str], str]:
    """The same from another server, whose base is unknown: relative addresses are left to it."""
    from kg.elsewhere.http import Client, TooLarge, check_address

    address = check_address(endpoint)
    body = urlencode({"query": text}).encode("utf-8", "replace")
    headers = {"Accept": media_type, "Content-Type": "application/x-www-form-urlencoded"}
    with closing(Client(address, agent="kg-query", uses_proxies=True)) as client:
        try:
            found = client.exchange("POST", address, body, headers, seconds, MAX_BYTES)
        except TimeoutError:
            fail(f"{address} gave no answer within {seconds:g} seconds.", text)
        except ConnectionError as error:
            fail(f"{address} cannot be asked: {clean(str(error))}.", text)
        except TooLarge:
            fail(f"{address} gave more than {MAX_BYTES >> 20} MiB. Ask for less, with LIMIT.", text)
    if problem := problem_of(found, address, media_type):
        quoted = excerpt(found)
        fail(f"{problem}\n{quoted}".strip(), text, quoted)
    hints = unquote(found.headers.get("kg-hint", "")).split("\n")
    return found.body, [clean(each)[:MAX_QUOTED] for each in hints[:3] if each], ""


def problem_of(response: RemoteResponse, address: str, media_type: str) -> str:
    """Why a response is no answer; nothing if it is."""
    status, moved = response.status, response.headers.get("location", "")
    if 300 <= status < 400 and moved:
        return f"{address} has moved: {clean(moved)[:MAX_QUOTED]}. Ask there."
    if not 200 <= status < 300:
        return f"{address} answered {status} {responses.get(status, '')}".strip() + "."
    if media_type not in (response.media_type, ALIASES.get(response.media_type)):
        given = clean(response.media_type)
        return f"{address} was asked for {media_type} and gave {given}. Is it a SPARQL endpoint?"
    return ""


def excerpt(response: RemoteResponse) -> str:
    """What a server says, line by line; an HTML page is not quoted."""
    if response.media_type == "text/html":
        return ""
    text = response.body[: MAX_QUOTED * 4].decode("utf-8", "replace")
    lines = [clean(line).rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line)[:MAX_QUOTED]


def draw(body: bytes, is_graph: bool, base: str) -> None:
    """Prints an answer for people."""
    try:
        result = results.triples(body) if is_graph else results.table(body)
    except (SyntaxError, ValueError) as error:
        raise KgError(f"The answer cannot be read: {error}") from error
    if result.verdict is not None:
        click.echo("Yes." if result.verdict else "No.")
        return
    cells = CellMaker(base, lambda iri: "")
    rows = [[cells.of(term) for term in row] for row in result.rows]
    if result.columns:
        texts = [[f"{cell.text} {cell.note}".strip() for cell in row] for row in rows]
        columns = shutil.get_terminal_size().columns
        lines = table(result.columns, texts, numeric_columns(rows), columns)
        sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        sys.stdout.flush()
    (tell if len(result.rows) < result.total else hint)(result.summary)


def fail(message: str, text: str, quoted: str = "") -> NoReturn:
    """Reports what is wrong with a query, with the place if the message names one."""
    tell(message, "red")
    if place := PLACE.search(quoted or message):
        width = shutil.get_terminal_size().columns - 2
        for line in pointed(text, int(place[1]), int(place[2]), width):
            tell(f"  {line}")
    sys.exit(2)


def clean(text: str) -> str:
    """On one line, and without what commands a terminal or turns the direction of the text."""
    return "".join(
        character if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else " "
        for character in text
    )


def width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(cells, text))


def cells(character: str) -> int:
    """The cells that a character takes: none for an accent of its own, two for most of East
    Asia.
    """
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def cut(text: str, most: int) -> str:
    if width(text) <= most:
        return text
    fitting = sum(reached < most for reached in accumulate(map(cells, text)))
    return f"{text[:fitting]}…"


def fitted(widths: Sequence[int], available: int) -> list[int]:
    """The widths of columns in the space there is: the widest give way first."""
    available -= len(BETWEEN) * (len(widths) - 1)
    most = max(widths, default=0)
    while most > NARROWEST and sum(min(width, most) for width in widths) > available:
        most -= 1
    return [min(width, most) for width in widths]


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numeric: frozenset[int], available: int
) -> Iterator[str]:
    """The lines of a table: the columns' names, a rule, the rows. Columns of numbers are set to the
    right.
    """
    texts = [[clean(text) for text in row] for row in (head, *rows)]
    widths = fitted([max(1, *map(width, column)) for column in zip(*texts, strict=True)], available)

    def line(row: Sequence[str]) -> str:
        shown = [cut(text, most) for text, most in zip(row, widths, strict=True)]
        spaces = [" " * (most - width(text)) for text, most in zip(shown, widths, strict=True)]
        return BETWEEN.join(
            space + text if place in numeric else text + space
            for place, (text, space) in enumerate(zip(shown, spaces, strict=True))
        ).rstrip()

    yield line(texts[0])
    yield BETWEEN.join("-" * most for most in widths)
    yield from map(line, texts[1:])


def pointed(text: str, row: int, column: int, available: int) -> list[str]:
    """A line of a text, cut to the space there is, and a caret under a place in it; both count from
    1. None where there is no such line.
    """
    lines = text.split("\n")
    if not 1 <= row <= len(lines) or not clean(lines[row - 1]).strip():
        return []
    line, at = clean(lines[row - 1]).rstrip(), column - 1
    start = max(0, at - available * 2 // 3) if width(line) >= available else 0
    before = ("…" if start else "") + line[start:at]
    return [cut(("…" if start else "") + line[start:], available), f"{' ' * width(before)}^"]
