"""`kg mcp`: serves a site to agents by the Model Context Protocol."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.command import command, on_interrupt
from kg.cli.messages import inform, report
from kg.cli.options import SITE, good_graph, was_given
from kg.errors import KgError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as ProtocolServer


@command(
    heading="Servers",
    short_help="Serve a site to AI agents over the Model Context Protocol (MCP).",
    example="kg mcp mysite --http --port 8001",
)
@SITE
@click.option(
    "--http",
    is_flag=True,
    help="Serve HTTP at http://127.0.0.1:PORT/mcp instead of standard input and output.",
)
@click.option(
    "--port",
    default=8001,
    show_default=True,
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Port for --http; 0 for any free port.",
)
@click.option(
    "--tools",
    type=click.Choice(["few", "all"]),
    default="few",
    show_default=True,
    help="Tools to offer: few general ones, or all, with one more for each question.",
)
def mcp(site: Path, http: bool, port: int, tools: str) -> None:
    """Serve a site to AI agents over the Model Context Protocol (MCP).

    Agents get tools to search, to describe an entry, to list and ask the questions, and to run
    SPARQL. All tools are read-only.
    """
    if not find_spec("mcp"):
        from kg.plugins.doctor.packages import install_advice

        raise KgError(f"kg mcp needs the MCP SDK. {install_advice('mcp')}")
    if was_given("port") and not http:
        raise click.UsageError("--port needs --http. Add --http, or leave out --port.")
    graph, problems = good_graph(site)
    report(problems, site)
    on_interrupt("")  # a server writes no files

    from kg.plugins.mcp.briefing import Briefing
    from kg.plugins.mcp.mcp_server import create_server, serve_http, serve_stdio
    from kg.plugins.mcp.toolbox import Toolbox
    from kg.publish.questions.values import Things
    from kg.publish.site import Documents
    from kg.web.state import build_endpoint

    documents = Documents(graph)
    with ExitStack() as stack:

        def open_server() -> ProtocolServer:
            endpoint = build_endpoint(documents, graph)
            stack.callback(endpoint.close)
            box = Toolbox(documents, endpoint, Things.of(graph.memory), tools == "all")
            return create_server(box, Briefing(documents, box))

        where = f"{graph.counts}. Serving agents {{}} (Ctrl-C to stop)"
        if http:
            serve_http(
                open_server, port, lambda address: inform(where.format(f"at {address}"), "green")
            )
        else:
            inform(where.format("on standard input and output"), "green")
            serve_stdio(open_server)
    inform("Stopped.")
