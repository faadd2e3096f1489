"""`kg query`: asks a question or runs SPARQL, on a site or on any SPARQL endpoint."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from kg.cli.messages import hint, inform, interruptible, print_file, progress, warn
from kg.cli.options import (
    AS_OF_FILES,
    CV_SUFFIXES,
    SITE,
    good_graph,
    not_a_site,
    settings,
    site_at,
    was_given,
)
from kg.cli.question_options import (
    VALUES,
    QuestionCommand,
    complete_queries,
    is_file,
    is_site,
    queries_in,
)
from kg.errors import BadQuery, KgError, WrongForm
from kg.publish.formats.media import GRAPHS, SHORT_NAMES, TABLES
from kg.publish.questions import results
from kg.publish.questions.answer_words import in_words
from kg.publish.questions.results import CellMaker, numeric_columns, things_in
from kg.settings import SITE_FILE
from kg.store.protocol import Answer, Wanted
from kg.text.columns import clean, pointed, table
from kg.web.extensions import backends

if TYPE_CHECKING:
    from kg.opened_site import OpenSite
    from kg.sparql.reading.parameters import Parameter
    from kg.sparql.reading.questions import Question

TABLE = "table"
RESULT_FORMATS = (TABLE, "csv", "tsv", "json", "xml", "ttl", "nt", "nq", "trig", "jsonld", "rdf")
SPARQL_TEXT = re.compile(r"\{|^\s*describe\s", re.IGNORECASE)  # not a question or a file
PLACE = re.compile(r"\bline (\d+), column (\d+)")


@click.command(cls=QuestionCommand, example="kg query coauthors-of --person ada-lindqvist mysite")
@click.argument("query", required=False, shell_complete=complete_queries)
@SITE
@AS_OF_FILES
@click.option(
    "-f",
    "--format",
    type=click.Choice(RESULT_FORMATS),
    help="Format of the answer (default: table on a terminal, otherwise csv or ttl).",
)
@click.option(
    "-p",
    "--param",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a parameter of the question. You can also write --NAME VALUE.",
)
@click.option(
    "--addresses",
    is_flag=True,
    help="Add columns with the addresses of people, works and other entries. JSON always has them.",
)
@click.option("--endpoint", metavar="URL", help="SPARQL endpoint to query instead of a site.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    default=60.0,
    help="Time limit for --endpoint (default: 60 s).",
)
def query(
    query: str | None,
    site: Path,
    as_of: str | None,
    format: str | None,
    param: Sequence[str],
    addresses: bool,
    endpoint: str | None,
    timeout: float,
) -> None:
    """Ask a ready-made question, or run a SPARQL query.

    QUERY is the name of a question, a SPARQL query, a file with one, or - for standard input.
    Without QUERY, all questions are listed. kg query NAME --help describes one question.
    """
    from kg.publish.questions.values import bind

    if query is None or is_site(query):
        list_questions(Path(query or site))
        return
    question = question_of(query, site)
    values = dict(map(parameter, param)) | click.get_current_context().meta[VALUES]
    is_graph = not question.is_table
    as_table = format == TABLE or (format is None and not is_graph and sys.stdout.isatty())
    media_type = media_type_of(TABLE if as_table else format, is_graph)
    if endpoint and as_of:
        raise click.UsageError(
            "--as-of needs a site in git; it does not work with --endpoint. Give one."
        )
    opened = None if endpoint else open_site(site_at(site, as_of))
    require_values(question, values, opened)
    has_addresses = addresses or as_table or media_type == TABLES[0]
    asked = question.linked if has_addresses else question
    text = asked.text
    try:
        text = bind(asked, values, opened.things if opened else None)
        answer = (
            local_answer(opened, text, media_type)
            if opened
            else remote_answer(endpoint or "", text, media_type, base_of(site), timeout)
        )
    except BadQuery as error:
        fail(str(error), text)
    if as_table:
        print_table(answer.body, question, addresses, opened)
    else:
        body = answer.body
        print_file(body if body.endswith(b"\n") else body + b"\n")
    for each in answer.hints:
        inform(f"Hint: {each}")


def list_questions(folder: Path) -> None:
    from kg.sparql.reading.questions import read_question

    files = queries_in(folder)
    width = max(map(len, files))
    for name, path in sorted(files.items()):
        summary = read_question(name, decoded(str(path), path.read_bytes())).summary
        click.echo(f"{name:<{width}}  {clean(summary)}")
    hint("Ask one: kg query NAME. Show its parameters: kg query NAME --help")


def question_of(query: str, folder: Path) -> Question:
    """The question with this name, in this file, in this SPARQL text or on standard input (`-`)."""
    from kg.sparql.reading.questions import read_question
    from kg.text.nearest import closest_are

    if query == "-":
        what, found = "Standard input", sys.stdin.buffer.read()
    elif SPARQL_TEXT.search(query):
        what, found = "The query", query.encode("utf-8", "surrogateescape")
    else:
        named = queries_in(folder)
        path = Path(query) if is_file(Path(query)) else named.get(query)
        if path and path.suffix.lower() in CV_SUFFIXES:
            raise click.UsageError(not_a_site(path))
        if path is None:
            near = f" {closest_are(query, sorted(named))}".rstrip()
            raise click.UsageError(
                f"Unknown question '{query}'.{near} kg query lists all questions."
            )
        query, what, found = path.stem, str(path), path.read_bytes()
    return read_question(query, decoded(what, found))


def decoded(what: str, found: bytes) -> str:
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
            f"'{param}' is not a parameter. Write NAME=VALUE: --param person=ada-lindqvist"
        )
    return name, value


def require_values(question: Question, values: Mapping[str, str], site: OpenSite | None) -> None:
    """Raises UsageError if a required value is missing, with a complete command as an example."""
    missing = [each for each in question.needed if each.name not in values]
    if missing and all(map(question.parameter, values)):
        typed = click.get_current_context().find_root().obj
        more = [word for each in missing for word in (f"--{each.name}", example_of(each, site))]
        raise click.UsageError(
            f"--{missing[0].name} is missing: {missing[0].meaning}. Example: "
            f"kg {shlex.join([*typed, *more])}"
        )


def example_of(parameter: Parameter, site: OpenSite | None) -> str:
    """The example of a parameter, or another one if this site does not have it."""
    from kg.sparql.reading.parameters import THINGS

    known = site.things.names[THINGS[parameter.type]] if site and parameter.is_thing else {}
    return parameter.example if parameter.example in known or not known else min(known)


def media_type_of(format: str | None, is_graph: bool) -> str:
    """The media type to request. A table for the terminal is made from JSON or N-Triples."""
    kinds = GRAPHS if is_graph else TABLES
    fitting = {
        name: media_type
        for name in RESULT_FORMATS[1:]
        for media_type in SHORT_NAMES[name]
        if media_type in kinds
    }
    if format == TABLE:
        return fitting["nt" if is_graph else "json"]
    if format is not None and format not in fitting:
        raise WrongForm(
            f"This query returns a {'graph' if is_graph else TABLE}, which has no format "
            f"'{format}'. Known: {', '.join([TABLE, *fitting])}."
        )
    return fitting[format or ("ttl" if is_graph else "csv")]


def open_site(folder: Path) -> OpenSite:
    from kg.opened_site import OpenSite

    return OpenSite(good_graph(folder)[0])


def local_answer(site: OpenSite, text: str, media_type: str) -> Answer:
    with progress("Asking"):
        return interruptible(lambda: site.answer(text, Wanted(media_type, media_type)))


def base_of(site: Path) -> str:
    """The base for relative addresses, if a site is given along with an endpoint."""
    is_given = was_given("site") and (site / SITE_FILE).is_file()
    return settings(site).base if is_given else ""


def remote_answer(endpoint: str, text: str, media_type: str, base: str, seconds: float) -> Answer:
    """The answer of another server, from the first plugin that asks servers."""
    ask = next((each.ask for each in backends() if each.ask), None)
    if ask is None:
        raise KgError("--endpoint needs the plugin 'remote' of cv-kg, which is not installed.")
    return ask(endpoint, text, media_type, base, seconds)


def print_table(body: bytes, question: Question, addresses: bool, site: OpenSite | None) -> None:
    """Prints an answer as a table, with names instead of addresses of the site."""
    try:
        result = results.table(body) if question.is_table else results.triples(body)
    except (SyntaxError, ValueError) as error:
        raise KgError(f"cannot read the answer: {error}") from error
    if result.verdict is not None:
        click.echo("Yes." if result.verdict else "No.")
        return
    base = site.url if site else ""
    names = site.names(things_in(result.rows, base)) if site else {}
    cells = CellMaker(base, lambda iri: "", names)
    shown = question if not addresses else replace(question, columns=())
    result, rows = in_words(shown, result, cells, lambda iri: "")
    heads = [question.column(name).head or name for name in result.columns]
    if result.columns:
        texts = [[f"{cell.text} {cell.note}".strip() for cell in row] for row in rows]
        columns = shutil.get_terminal_size().columns
        lines = table(heads, texts, numeric_columns(rows), columns)
        sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        sys.stdout.flush()
    (inform if len(result.rows) < result.total else hint)(result.summary)


def fail(message: str, text: str, quoted: str = "") -> NoReturn:
    """Prints an error, with the line of the query that it names, and exits."""
    warn(message)
    if place := PLACE.search(quoted or message):
        width = shutil.get_terminal_size().columns - 2
        for line in pointed(text, int(place[1]), int(place[2]), width):
            warn(f"  {line}", None)
    sys.exit(2)
