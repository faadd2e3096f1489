"""`kg mcp`: runs the MCP server of a site."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.command import command, keep
from kg.cli.messages import report, tell
from kg.cli.options import SITE, given, good_graph
from kg.errors import KgError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server as ProtocolServer


@command(
    heading="Look",
    short_help="Answer agents by the Model Context Protocol; they only read.",
    epilog="Example: kg mcp data-folder --http --port 8001",
)
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
        from kg.cli.packages import install_advice

        raise KgError(f"kg mcp needs the MCP SDK. {install_advice('mcp')}")
    if given("port") and not http:
        raise click.UsageError("--port needs --http. Add --http.")
    graph, problems = good_graph(site)
    report(problems, site)
    keep("")  # only a server runs from here on

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
            tools = Toolbox(documents, endpoint, Things.of(graph.memory))
            return create_server(tools, Briefing(documents, tools))

        where = f"{graph.counts}. Answering agents {{}} (press Ctrl-C to stop)"
        if http:
            serve_http(
                open_server, port, lambda address: tell(where.format(f"at {address}"), "green")
            )
        else:
            tell(where.format("on standard input and output"), "green")
            serve_stdio(open_server)
    tell("Stopped.")
