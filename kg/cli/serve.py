"""`kg serve`: serves a site, a built folder or RDF files over HTTP."""

from __future__ import annotations

import os
import re
import secrets
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.command import Command, SiteArgument, command, is_quiet, on_interrupt
from kg.cli.messages import hint, inform, progress, report, warn
from kg.cli.options import (
    AS_OF,
    CLUSTER,
    CV_SUFFIXES,
    JOBS,
    TODAY,
    clock,
    not_a_site,
    run_for,
    site_as_of,
    was_given,
)
from kg.errors import KgError, Problem, SiteNotFound, why
from kg.settings import site_file
from kg.sparql.limits import Limits
from kg.web.extensions import backends

if TYPE_CHECKING:
    from click.parser import _OptionParser

    from kg.check.watch import Seen
    from kg.web.app import Options
    from kg.web.log import EventLog
    from kg.web.state import CurrentSite, State

KEY = re.compile(r"[A-Za-z0-9_-]{16,200}")
MEGABYTE = 1024 * 1024
STDOUT, STDERR = 1, 2  # unbuffered: a buffer could not be flushed after the reader has gone
Function = Callable[..., None]


class Variable(click.Option):
    """A setting for operators that is only an environment variable: KG_SERVE_ANSWER_SIZE=64."""

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        """Adds nothing: the command line has no such option."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        names = [self.envvar] if isinstance(self.envvar, str) else self.envvar or ()
        return next((name for name in names if name in os.environ), "")


def variable(name: str, **settings: Any) -> Callable[[Function], Function]:
    """`variable("ANSWER_SIZE")` is KG_SERVE_ANSWER_SIZE."""
    names = [f"KG_SERVE_{name}"]
    return click.option(f"--{name.lower()}", cls=Variable, envvar=names, hidden=True, **settings)


def combined(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Combines several decorators into one."""
    return lambda function: reduce(lambda inner, option: option(inner), reversed(options), function)


def checked_key(context: click.Context, option: click.Parameter, key: str | None) -> str:
    """The key given, or a new random one."""
    if key is None:
        return secrets.token_urlsafe(24)
    if KEY.fullmatch(key):
        return key
    raise click.BadParameter(
        "the key is too easy to guess. Use at least 16 letters, digits, - or _, such as the "
        "output of: openssl rand -hex 16"
    )


ACCESS = combined(
    click.option(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        show_default=True,
        help="Address to listen on; 0.0.0.0 for all interfaces.",
    ),
    click.option(
        "--port",
        default=8000,
        show_default=True,
        type=click.IntRange(0, 65535),
        metavar="PORT",
        help="Port to listen on; 0 for any free port.",
    ),
    click.option(
        "--key",
        metavar="KEY",
        callback=checked_key,
        help="Key for /console and /metrics (default: a new key at each start, shown on the "
        "terminal). Clients send ?key=KEY or Authorization: Bearer KEY. To hide the key from other "
        "users of the machine, set KG_SERVE_KEY instead.",
    ),
    variable("OPEN_CONSOLE", type=bool, default=False),
    variable("OPEN_METRICS", type=bool, default=False),
    click.option(
        "--proxies",
        default=0,
        show_default=True,
        type=click.IntRange(0, 9),
        metavar="N",
        help="Number of trusted reverse proxies in front of the server.",
    ),
    click.option(
        "--log",
        type=click.Choice(["text", "json", "none"]),
        default="text",
        show_default=True,
        help="Log requests as text on stderr, as JSON on stdout, or not at all.",
    ),
    variable("LOG_CLIENTS", type=bool, default=False),
)
LIMITS = combined(
    click.option(
        "--deadline",
        type=click.FloatRange(0.1, 3600),
        metavar="SECONDS",
        help="Time limit of a query (default: 10).",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Number of queries answered at the same time (default: CPU cores + 1).",
    ),
    click.option(
        "--memory",
        type=click.IntRange(16),
        metavar="MB",
        help="Memory limit of a query (default: 512).",
    ),
    variable("ANSWER_SIZE", type=click.IntRange(1, 1024)),
    variable("CACHE_SIZE", type=click.IntRange(0)),
    variable("UNION", type=bool),
)


def show_key(address: str, kind: str, options: Options) -> None:
    """Prints the address with the key, but only on a terminal: a log file must not contain it."""
    from kg.web.request import is_loopback

    if was_given("key"):
        return
    if kind != "SITE":
        hint(f"Metrics: {address}metrics?key={options.key}")
        return
    is_local = is_loopback(options.host) and not options.proxies
    more = "" if is_local else ", and live preview with --watch"
    hint(f"Problems{more}: {address}console?key={options.key}")


def open_log(stack: ExitStack, log: str, log_clients: bool) -> EventLog:
    """Opens the log of a server; the stack closes it."""
    from kg.web.log import EventLog, LineWriter

    is_json, is_wanted = log == "json", log != "none"
    lines = LineWriter(STDOUT if is_json else STDERR)
    stack.callback(lines.close)
    is_enabled = is_wanted and (is_json or not is_quiet())
    return EventLog(lines.write, is_json, is_enabled, log_clients, lambda: lines.dropped)


def limits(**chosen: Any) -> Limits:
    sizes = {
        "memory": chosen["memory"],
        "answer": chosen["answer_size"],
        "cache": chosen["cache_size"],
    }
    found = {"deadline": chosen["deadline"], "workers": chosen["workers"]}
    found |= {name: size and size * MEGABYTE for name, size in sizes.items()}
    return Limits(**{name: number for name, number in found.items() if number is not None})


BASE = "http://127.0.0.1:8000/"  # not the path of the files, which must not be published
OPTIONS = ("host", "port", "proxies", "key", "open_console", "open_metrics")


class ServeCommand(Command):
    """Adds the options of plugins that query other servers, before those that all commands have."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        found = super().get_params(ctx)
        at = next(number for number, each in enumerate(found) if each.name == "quiet")
        added = [option for backend in backends() for option in backend.options]
        return [*found[:at], *added, *found[at:]]


@command(cls=ServeCommand, example="kg serve --watch mysite")
@click.argument(
    "paths",
    cls=SiteArgument,
    type=click.Path(exists=True, path_type=Path),
    nargs=-1,
    metavar="[SITE | FOLDER | FILE...]",
)
@TODAY
@AS_OF
@JOBS
@CLUSTER
@ACCESS
@click.option(
    "--watch",
    is_flag=True,
    help="After every save, check the files, serve them if there are no errors, and reload open "
    "pages.",
)
@LIMITS
@click.option(
    "--base",
    metavar="IRI",
    default=BASE,
    show_default=True,
    help="Base IRI of relative IRIs in FILEs and queries.",
)
def serve(
    paths: tuple[Path, ...],
    today: str,
    as_of: str | None,
    watch: bool,
    union: bool | None,
    base: str,
    **others: Any,
) -> None:
    """Serve a site, a built folder or RDF files over HTTP.

    SITE: a folder with data/site.yaml (default: the current folder). It is checked first; /console
    shows the problems.

    FOLDER: a folder written by kg build. Queries use its dump; with --endpoint, they go to a
    SPARQL server that kg push has filled.

    FILE: RDF, served at /sparql. Turtle, TriG, N-Triples, N-Quads, JSON-LD or RDF/XML, by suffix,
    also compressed (.gz).

    To reload the files without a restart, send the signal HUP: kill -HUP PID. Files with errors
    are not served.
    """
    folders = [path for path in paths or (Path(),) if path.is_dir()]
    if folders and len(paths) > 1:
        raise click.UsageError(
            "Too many arguments. Give one folder (SITE or FOLDER), or any number of FILEs."
        )
    if folders and was_given("base"):
        raise click.UsageError("--base works only with FILEs. A folder has its own base.")
    with ExitStack() as stack:
        stack.push(partial(note_failure, others["log"]))
        kind = kind_of(folders[0]) if folders else "FILEs"
        check_options(kind, union, paths)
        on_interrupt("")  # a server writes no files
        if kind == "SITE":
            folders[0], today = site_as_of(folders[0], as_of, today, watch)
        bounds, union = limits(**others), kind != "FILEs" if union is None else union

        from kg.check.reloads import Reloads
        from kg.web.app import Options
        from kg.web.serve import ends_with_terminal, serve

        reloads = Reloads()
        if not ends_with_terminal():  # a HUP that comes before the server is ready must not end it
            signal.signal(signal.SIGHUP, lambda *_: reloads.request())
        source: FileSource | FolderSource | CheckedSource
        if kind == "FILEs":
            from kg.web.sources import FileSource

            source = FileSource(paths, base, bounds, union, hint)
            current, what = source.open()
        elif kind == "FOLDER":
            from kg.web.sources import FolderSource

            server = next(filter(None, (each.connect(others) for each in backends())), None)
            if server:
                stack.callback(server.close)
            source = FolderSource(folders[0], bounds, union, server)
            with progress("Loading"):
                current, what = source.open()
        else:
            from kg.web.sources import CheckedSource

            with progress("Checking") as counting:
                options = {name: others[name] for name in ("jobs", "cluster")}
                run = run_for(folders[0], today, **options).counted_by(counting)
                day = (lambda: today) if as_of else clock(today)
                source = CheckedSource(folders[0], run, day, bounds, union, watch)
                current, what = source.open()
            report(problems_of(current), folders[0])
        place, context = folders[0] if folders else Path(), click.get_current_context()
        log = open_log(stack, *(others[name] for name in ("log", "log_clients")))
        later = report_states(source.follow(current, reloads), current, place, context, log)
        how = Options(**{name: others[name] for name in OPTIONS}, log=log)
        what += ". Serving {}, watching the files" if watch else ". Serving {}"
        serve(
            current, how, partial(announce, f"{what} (Ctrl-C to stop)", kind, how), later, reloads
        )
        log.note("stop")
    inform("Stopped.")


def note_failure(log: str, _: object, error: BaseException | None, __: object) -> None:
    """Adds to a log in JSON why the server could not start; as text, it is printed."""
    if isinstance(error, (KgError, OSError, click.ClickException)):
        with ExitStack() as stack:
            message = why(error) if isinstance(error, OSError) else str(error)
            open_log(stack, log, log_clients=False).note("failed", message=message)


def announce(message: str, kind: str, options: Options, address: str) -> None:
    inform(message.format(address), "green")
    show_key(address, kind, options)
    options.log.note("start", address=address)


def kind_of(folder: Path) -> str:
    """SITE, or FOLDER if kg build wrote it. Raises SiteNotFound for any other folder."""
    from kg.publish.hosting.built_folder import is_built

    try:
        site_file(folder)
    except SiteNotFound as error:
        if is_built(folder):
            return "FOLDER"
        message = f"{error} Nor was the folder written by kg build."
        raise SiteNotFound(message, folder, error.meant) from error
    return "SITE"


def require_rdf(paths: Iterable[Path]) -> None:
    """Raises UsageError for a CV in another format, such as a JSON Resume."""
    for path in paths:
        is_json_ld = path.suffix.lower() == ".json" and b'"@' in path.read_bytes()
        if path.suffix.lower() in CV_SUFFIXES and not is_json_ld:
            raise click.UsageError(not_a_site(path))


def check_options(kind: str, union: bool | None, paths: Iterable[Path]) -> None:
    """Raises UsageError for options that do not apply to a SITE, FOLDER or FILEs, and for FILEs
    that are no RDF.
    """
    if kind == "FILEs":
        require_rdf(paths)
    for backend in backends():
        for name in (str(option.name) for option in backend.options if was_given(str(option.name))):
            if kind != "FOLDER":
                raise click.UsageError(
                    f"--{name} works only with a built folder. Run first: kg build SITE -o FOLDER"
                )
            if union is False:
                raise click.UsageError(
                    f"With --{name} the default graph is always the union of all graphs. Unset "
                    "KG_SERVE_UNION."
                )
    for option in ("watch", "today", "as_of", "jobs", "cluster"):
        if kind != "SITE" and was_given(option):
            why = (
                "To reload FILEs, send the signal HUP."
                if kind == "FILEs"
                else "For a built folder, use it with kg build."
            )
            raise click.UsageError(f"--{option.replace('_', '-')} works only with a SITE. {why}")


def report_states(
    states: Iterator[Seen | State],
    current: CurrentSite,
    site: Path,
    context: click.Context,
    log: EventLog,
) -> Iterator[Seen | State]:
    """Yields the states that follow, and reports each on the terminal after it was served or
    refused. Runs in a thread, which gets -q and -v of the command by its context.
    """
    log_problems(log, problems_of(current))
    with context.scope(cleanup=False):
        for state in states:
            yield state  # when the next one is requested, this one is being served
            del state
            report(problems_of(current), site)
            log_problems(log, problems_of(current))
            outcome = current.outcome()
            log.note("reload", served=outcome.served, message=outcome.message)
            if outcome.served:
                inform(outcome.message, "green")
            else:
                warn(outcome.message)


def log_problems(log: EventLog, problems: list[Problem]) -> None:
    """Adds errors and warnings to a log in JSON; as text, they were already printed."""
    for each in problems:
        if each.severity != "info":
            log.note(
                "problem",
                severity=each.severity,
                place=str(each.place),
                rule=each.rule,
                message=each.message,
            )


def problems_of(current: CurrentSite) -> list[Problem]:
    return list(getattr(current.newest, "problems", []))
