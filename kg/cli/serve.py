"""`kg serve`: a site, a folder that was built from one, or any RDF files; `kg reload`: what is
served, anew. `kg mcp`: a site, for agents.
"""

from __future__ import annotations

import shlex
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.manners import SiteArgument, command, keep
from kg.cli.messages import hint, progress, report, tell, warn
from kg.cli.options import (
    AS_OF,
    CLUSTER,
    ENDPOINT,
    JOBS,
    PROFILE,
    SITE,
    TODAY,
    USER,
    clock,
    connect,
    crew,
    given,
    good_graph,
    stood,
)
from kg.cli.parameters.server_options import ACCESS, LIMITS, limits, open_log, show_key
from kg.errors import KgError, Problem, SiteNotFound, why
from kg.settings import site_file

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as ProtocolServer

    from kg.check.watch import Seen
    from kg.web.app import Options
    from kg.web.operations.event_log import EventLog
    from kg.web.state import Stage, State

BASE = "http://127.0.0.1:8000/"  # not the place of the files, which is nobody's business
OPTIONS = ("host", "port", "proxies", "key", "open_console", "open_metrics")
PATHS = click.argument(
    "paths",
    cls=SiteArgument,
    type=click.Path(exists=True, path_type=Path),
    nargs=-1,
    metavar="[SITE | FOLDER | FILE...]",
)


@command()
@PATHS
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
@click.option(
    "--socket",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where kg reload reaches this server; by itself a file in a folder of yours.",
)
@LIMITS
@click.option(
    "--union/--no-union",
    default=None,
    help="Whether queries see the triples of all graphs at once, or without GRAPH only those "
    "outside named ones. By itself so for a SITE, "
    "not for FILEs.",
)
@ENDPOINT
@PROFILE
@USER
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
    endpoint: str | None,
    profile: str | None,
    user: str | None,
    socket: Path | None,
    **others: Any,
) -> None:
    """Check, build and serve the SITE; the problems are at /console. Or serve a FOLDER that kg
    build wrote, or RDF FILEs at /sparql.

    kg reload, or the signal HUP, has it read the files anew; what has errors is not served.

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
            from kg.web.sources.file_source import FileSource

            source = FileSource(paths, base, bounds, union, hint)
            stage, what = source.open()
        elif kind == "FOLDER":
            from kg.web.sources.folder_source import FolderSource

            server = connect(endpoint, profile, user) if endpoint else None
            if server:
                stack.callback(server.close)
            source = FolderSource(folders[0], bounds, union, server)
            with progress("Loading"):
                stage, what = source.open()
        else:
            from kg.web.sources.site_source import CheckedSource

            with progress("Checking") as counting:
                who = crew(others["jobs"], others["cluster"], counting)
                day = (lambda: today) if as_of else clock(today)
                source = CheckedSource(folders[0], day, bounds, union, who, watch)
                stage, what = source.open()
            report(problems_of(stage), folders[0])
        place, context = folders[0] if folders else Path(), click.get_current_context()
        log = open_log(stack, *(others[name] for name in ("log", "no_log", "log_clients")))
        later = reporting(source.follow(stage, reloads), stage, place, context, log)
        how = Options(**{name: others[name] for name in OPTIONS}, log=log)
        where = "{}, watching the files" if watch else "{}"
        ready = partial(announce, f"{what}. Serving {where} (Ctrl-C ends it)", kind, how)
        gate = open_control(paths, socket, stack)
        stack.callback(log.note, "stop")
        serve(stage, how, ready, later, reloads, gate)
    tell("Stopped.")


def announce(words: str, kind: str, options: Options, address: str) -> None:
    tell(words.format(address), "green")
    show_key(address, kind, options.key)
    options.log.note("start", address=address)


@command(name="reload", epilog="Example: kg reload mysite")
@PATHS
@click.option(
    "--socket",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Of a server that was started with this option.",
)
def reload(paths: tuple[Path, ...], socket: Path | None) -> None:
    """Have the server of a SITE, a FOLDER or FILEs read them anew, and wait until they are served.

    Where they have errors, the last good state is served as before, and the exit code is 1.
    """
    from kg.web.control_socket import NoServer, request_reload, socket_path

    keep("The server goes on.")
    served = paths or (Path(),)
    try:
        outcome = request_reload(socket or socket_path(served))
    except NoServer as error:
        what = shlex.join(map(str, served))
        raise KgError(
            f"No server of {what} was found. Start one: kg serve {what}. If it belongs to another "
            "user, or has another folder for temporary files: give --socket FILE to both, or send "
            "it the signal HUP."
        ) from error
    if outcome.served:
        tell(outcome.message, "green")
    else:
        warn(outcome.message)
        sys.exit(1)


@command(epilog="Example: kg mcp data-folder --http --port 8001")
@SITE
@click.option("--http", is_flag=True, help="Answer over HTTP on this machine, at /mcp.")
@click.option(
    "--port",
    default=8001,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port for --http; 0 takes a free one.",
)
def mcp(site: Path, http: bool, port: int) -> None:
    """Answer agents by the Model Context Protocol, on standard input and output: search, describe,
    a tool for each question, SPARQL. All of them only read.
    """
    if not find_spec("mcp"):
        from kg.start.packages import installing

        raise KgError(f"Agents need the SDK of their protocol. Type: {installing('cv-kg[mcp]')}")
    if given("port") and not http:
        raise click.UsageError("--port is for --http.")
    graph, problems = good_graph(site)
    report(problems, site)
    keep("")  # nothing but a server

    from kg.agents.briefing import Briefing
    from kg.agents.mcp_server import create_server, serve_http, serve_stdio
    from kg.agents.toolbox import Toolbox
    from kg.publish.queries.values import Things
    from kg.publish.site import Documents
    from kg.web.serve import build_endpoint

    documents = Documents(graph)
    with ExitStack() as stack:

        def open_server() -> ProtocolServer:
            endpoint = build_endpoint(documents, graph)
            stack.callback(endpoint.close)
            tools = Toolbox(documents, endpoint, Things.of(graph.memory))
            return create_server(tools, Briefing(documents, tools))

        where = f"{graph.counts}. Answering agents {{}} (Ctrl-C ends it)"
        if http:
            serve_http(
                open_server, port, lambda address: tell(where.format(f"at {address}"), "green")
            )
        else:
            tell(where.format("on standard input and output"), "green")
            serve_stdio(open_server)
    tell("Stopped.")


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
    if kind != "FOLDER" and given("endpoint"):
        raise click.UsageError(
            "--endpoint is for a folder that kg build wrote. Build one first: kg build SITE -o "
            "FOLDER."
        )
    for option in ("watch", "open_console", "today", "as_of", "jobs", "cluster"):
        if kind != "SITE" and given(option):
            why = (
                "FILEs are served as they are; kg reload has them read anew."
                if kind == "FILEs"
                else "A FOLDER is served as it was built; each new build is served."
            )
            raise click.UsageError(f"--{option.replace('_', '-')} is for a SITE. {why}")
    if given("endpoint") and union is False:
        raise click.UsageError("With --endpoint the default graph is always the union.")


def open_control(
    paths: Sequence[Path], chosen: Path | None, stack: ExitStack
) -> socket.socket | None:
    """The socket for kg reload. Without a chosen one, the server runs also where there is none."""
    from kg.web.control_socket import SocketTaken, control_socket, socket_path

    try:
        return stack.enter_context(control_socket(chosen or socket_path(paths or (Path(),))))
    except SocketTaken:
        if chosen:
            raise
        tell("kg reload goes to another server of the same files; --socket FILE is for this one.")
    except (KgError, OSError) as error:
        if chosen:
            raise
        warn(f"kg reload will not find this server. {why(error)}", "yellow")
    return None


def reporting(
    states: Iterator[Seen | State],
    stage: Stage,
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
            report(problems_of(stage), site)
            outcome = stage.outcome()
            log.note("reload", served=outcome.served, message=outcome.message)
            if outcome.served:
                tell(outcome.message, "green")
            else:
                warn(outcome.message)


def problems_of(stage: Stage) -> list[Problem]:
    return list(getattr(stage.newest, "problems", []))
