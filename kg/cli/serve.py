"""`kg serve`: a site, a folder that was built from one, or any RDF files."""

from __future__ import annotations

import os
import re
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.command import Command, SiteArgument, command, is_quiet, keep
from kg.cli.messages import hint, progress, report, tell, warn
from kg.cli.options import (
    AS_OF,
    CLUSTER,
    JOBS,
    TODAY,
    clock,
    given,
    run_over,
    stood,
)
from kg.errors import Problem, SiteNotFound
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
STDOUT, STDERR = 1, 2  # past their buffers, which nobody could write when the reader has gone
Function = Callable[..., None]


class Variable(click.Option):
    """A setting for operators that is an environment variable only: KG_SERVE_ANSWER_SIZE=64."""

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        """Adds nothing: on the command line, the name is unknown."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        names = [self.envvar] if isinstance(self.envvar, str) else self.envvar or ()
        return next((name for name in names if name in os.environ), "")


def variable(name: str, *others: str, **settings: Any) -> Callable[[Function], Function]:
    """`variable("ANSWER_SIZE")` is KG_SERVE_ANSWER_SIZE; `others` are its earlier names."""
    names = [f"KG_SERVE_{each}" for each in (name, *others)]
    return click.option(f"--{name.lower()}", cls=Variable, envvar=names, hidden=True, **settings)


def together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one."""
    return lambda function: reduce(lambda made, option: option(made), reversed(options), function)


def checked_key(context: click.Context, option: click.Parameter, key: str | None) -> str:
    """The key that is given, or a new one."""
    if key is None:
        return secrets.token_urlsafe(24)
    if KEY.fullmatch(key):
        return key
    raise click.BadParameter(
        "a key has 16 letters and digits or more (- and _ too), so that nobody guesses it. "
        "This makes one: openssl rand -hex 16"
    )


ACCESS = together(
    click.option(
        "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
    ),
    click.option(
        "--port",
        default=8000,
        show_default=True,
        type=click.IntRange(0, 65535),
        help="The port; 0 takes a free one.",
    ),
    click.option(
        "--key",
        callback=checked_key,
        show_envvar=True,
        help="Opens /console and /metrics (?key=… or Authorization: Bearer …). By itself a new one "
        "at each start, shown at the terminal.",
    ),
    variable("OPEN_CONSOLE", type=bool, default=False),
    variable("OPEN_METRICS", type=bool, default=False),
    click.option(
        "--proxies",
        default=0,
        show_default=True,
        type=click.IntRange(0, 9),
        help="How many proxies in front tell who asks.",
    ),
    click.option(
        "--log",
        type=click.Choice(["text", "json", "none"]),
        default="text",
        show_default=True,
        help="A line for each request on stderr; or, for programs, each event as JSON on stdout.",
    ),
    variable("LOG_CLIENTS", type=bool, default=False),
)
LIMITS = together(
    click.option(
        "--deadline",
        type=click.FloatRange(0.1, 3600),
        metavar="SECONDS",
        help="The time a query may take: 10.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Queries at once: the number of cores and one more.",
    ),
    click.option(
        "--memory", type=click.IntRange(16), metavar="MB", help="The memory a query may take: 512."
    ),
    variable("ANSWER_SIZE", type=click.IntRange(1, 1024)),
    variable("CACHE_SIZE", "KEPT", type=click.IntRange(0)),
    variable("UNION", type=bool),
)


def show_key(address: str, kind: str, options: Options) -> None:
    """Says at a terminal what the key opens; a file of messages is no place for it."""
    from kg.web.request import is_loopback

    if given("key"):
        return
    if kind != "SITE":
        hint(f"Figures: {address}metrics?key={options.key}")
        return
    is_local = is_loopback(options.host) and not options.proxies
    more = "" if is_local else ", and pages that follow each save with --watch"
    hint(f"Problems{more}: {address}console?key={options.key}")


def open_log(stack: ExitStack, log: str, log_clients: bool) -> EventLog:
    """The log of a server, which ends with the stack."""
    from kg.web.log import EventLog, LineWriter

    is_json, is_wanted = log == "json", log != "none"
    lines = LineWriter(STDOUT if is_json else STDERR)
    stack.callback(lines.close)
    is_told = is_wanted and (is_json or not is_quiet())
    return EventLog(lines.write, is_json, is_told, log_clients, lambda: lines.dropped)


def limits(**chosen: Any) -> Limits:
    sizes = {
        "memory": chosen["memory"],
        "answer": chosen["answer_size"],
        "cache": chosen["cache_size"],
    }
    found = {"deadline": chosen["deadline"], "workers": chosen["workers"]}
    found |= {name: size and size * MEGABYTE for name, size in sizes.items()}
    return Limits(**{name: number for name, number in found.items() if number is not None})


BASE = "http://127.0.0.1:8000/"  # not the place of the files, which is nobody's business
OPTIONS = ("host", "port", "proxies", "key", "open_console", "open_metrics")


class ServeCommand(Command):
    """Has the options of other servers that plugins know, before those of all commands."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        found = super().get_params(ctx)
        at = next(number for number, each in enumerate(found) if each.name == "quiet")
        added = [option for backend in backends() for option in backend.options]
        return [*found[:at], *added, *found[at:]]


@command(cls=ServeCommand)
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
    help="After every save, serve the files if they are good, and renew open pages.",
)
@LIMITS
@click.option(
    "--base",
    metavar="IRI",
    default=BASE,
    show_default=True,
    help="For FILEs: where their relative IRIs, and a query's, begin.",
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
    """Check, build and serve the SITE; the problems are at /console. Or serve a FOLDER that kg
    build wrote, or RDF FILEs at /sparql.

    The signal HUP makes it reload the files: kill -HUP PID. Files with errors are not served.

    Of a FOLDER no graph is held: with --endpoint its queries go to another server, which kg push
    has filled; without, its dump is loaded for them. A FILE is Turtle, TriG, N-Triples, N-Quads,
    JSON-LD or RDF/XML, by its suffix, and may be packed (.gz).
    """
    folders = [path for path in paths or (Path(),) if path.is_dir()]
    if folders and len(paths) > 1:
        raise click.UsageError(
            "Give one SITE, which is a folder, or any number of FILEs; not several folders, "
            "nor both."
        )
    if folders and given("base"):
        raise click.UsageError("--base is for FILEs. A folder has its own, in what it holds.")
    kind = kind_of(folders[0]) if folders else "FILEs"
    check_options(kind, union)
    keep("")  # nothing but a server
    if kind == "SITE":
        folders[0], today = stood(folders[0], as_of, today, watch)
    bounds, union = limits(**others), kind != "FILEs" if union is None else union

    from kg.check.reloads import Reloads
    from kg.web.app import Options
    from kg.web.serve import ends_with_terminal, serve

    reloads = Reloads()
    if not ends_with_terminal():  # the server is not ended by a request that comes too early
        signal.signal(signal.SIGHUP, lambda *_: reloads.request())
    with ExitStack() as stack:
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
                run = run_over(folders[0], today, **options).counted_by(counting)
                day = (lambda: today) if as_of else clock(today)
                source = CheckedSource(folders[0], run, day, bounds, union, watch)
                current, what = source.open()
            report(problems_of(current), folders[0])
        place, context = folders[0] if folders else Path(), click.get_current_context()
        log = open_log(stack, *(others[name] for name in ("log", "log_clients")))
        later = reporting(source.follow(current, reloads), current, place, context, log)
        how = Options(**{name: others[name] for name in OPTIONS}, log=log)
        where = "{}, watching the files" if watch else "{}"
        ready = partial(announce, f"{what}. Serving {where} (Ctrl-C ends it)", kind, how)
        stack.callback(log.note, "stop")
        serve(current, how, ready, later, reloads)
    tell("Stopped.")


def announce(words: str, kind: str, options: Options, address: str) -> None:
    tell(words.format(address), "green")
    show_key(address, kind, options)
    options.log.note("start", address=address)


def kind_of(folder: Path) -> str:
    """Whether a folder is a SITE or a FOLDER that kg build wrote. Raises KgError for any other."""
    from kg.publish.hosting.built_folder import is_built

    try:
        site_file(folder)
    except SiteNotFound as error:
        if is_built(folder):
            return "FOLDER"
        message = f"{error} Nor was this folder written by kg build."
        raise SiteNotFound(message, folder, error.meant) from error
    return "SITE"


def check_options(kind: str, union: bool | None) -> None:
    """Refuses options that are for something else."""
    for backend in backends():
        for name in (str(option.name) for option in backend.options if given(str(option.name))):
            if kind != "FOLDER":
                raise click.UsageError(
                    f"--{name} is for a folder that kg build wrote. Build one first: kg build SITE "
                    "-o FOLDER."
                )
            if union is False:
                raise click.UsageError(
                    f"With --{name} the default graph is always the union. Unset KG_SERVE_UNION."
                )
    for option in ("watch", "today", "as_of", "jobs", "cluster"):
        if kind != "SITE" and given(option):
            why = (
                "FILEs are served as they are; the signal HUP reloads them."
                if kind == "FILEs"
                else "A FOLDER is served as it was built; each new build is served."
            )
            raise click.UsageError(f"--{option.replace('_', '-')} is for a SITE. {why}")


def reporting(
    states: Iterator[Seen | State],
    current: CurrentSite,
    site: Path,
    context: click.Context,
    log: EventLog,
) -> Iterator[Seen | State]:
    """The states that follow, each reported at the terminal when it is served, or refused. They
    are made in a thread, which has the manners of the command by its context.
    """
    with context.scope(cleanup=False):
        for state in states:
            yield state  # when the next is asked for, this one is on the stage
            del state
            report(problems_of(current), site)
            outcome = current.outcome()
            log.note("reload", served=outcome.served, message=outcome.message)
            if outcome.served:
                tell(outcome.message, "green")
            else:
                warn(outcome.message)


def problems_of(current: CurrentSite) -> list[Problem]:
    return list(getattr(current.newest, "problems", []))
