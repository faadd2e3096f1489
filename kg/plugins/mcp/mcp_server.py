"""The MCP server, over standard input and output or over HTTP on this machine.

Standard output carries only the protocol. HTTP requests are stateless, without sessions. A request
with another host name or from a page of another site is refused.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from importlib.metadata import version
from threading import Thread
from typing import TYPE_CHECKING

import anyio
import mcp_types as mcp
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from kg.errors import KgError, QueryError
from kg.plugins.mcp.briefing import BRIEFS, Briefing
from kg.plugins.mcp.cited_answer import one_line
from kg.plugins.mcp.prompts import PROMPTS
from kg.plugins.mcp.toolbox import Toolbox
from kg.text.nearest import closest

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

HOST, PATH = "127.0.0.1", "/mcp"
DRAIN_TIMEOUT = 1  # seconds to finish sending answers at shutdown
ANSWER_TIMEOUT = 4  # seconds to finish answers after standard input is closed
POLL_INTERVAL = 0.01  # seconds between checks
CHUNK = 65_536  # bytes
READ_ONLY = mcp.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
INSTRUCTIONS = (
    "Facts about people, their works and their careers, with documents and sources: find an entity "
    "with search, read it with describe, or pick one of the questions and ask it; write SPARQL if "
    "no question fits. Cite the addresses of the documents and sources that come with an answer."
)
Context = ServerRequestContext[object]


def create_server(tools: Toolbox, briefing: Briefing) -> Server:
    """The MCP server of a site, for any transport."""
    site = briefing.documents.graph.site

    async def list_tools(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(
            tools=[
                mcp.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.input_schema,
                    output_schema=tool.output_schema,
                    annotations=READ_ONLY,
                )
                for tool in tools.tools.values()
            ]
        )

    async def call_tool(context: Context, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        tool = tools.tools.get(params.name)
        if tool is None:
            raise not_there("tool", params.name, tools.tools)
        try:
            found = await tool.call(params.arguments or {})
        except QueryError as error:
            return mcp.CallToolResult(content=[mcp.TextContent(text=str(error))], is_error=True)
        text = mcp.TextContent(text=found.text)
        return mcp.CallToolResult(content=[text], structured_content=found.data)

    async def list_resources(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListResourcesResult:
        return mcp.ListResourcesResult(
            resources=[
                mcp.Resource(
                    uri=each.uri,
                    name=each.name,
                    description=each.description,
                    mime_type=each.media_type,
                )
                for each in BRIEFS
            ]
        )

    async def list_templates(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListResourceTemplatesResult:
        template = mcp.ResourceTemplate(
            uri_template=f"{site.base}{{+path}}",
            name="Document",
            description="A document of the site by its address, as cited in answers. Returns the "
            "page as Markdown; with the suffix .ttl or .jsonld, the data.",
        )
        return mcp.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        context: Context, params: mcp.ReadResourceRequestParams
    ) -> mcp.ReadResourceResult:
        found = await asyncio.to_thread(briefing.read, params.uri)
        if found is None:
            raise not_there("resource", params.uri, [each.uri for each in BRIEFS])
        media_type, text = found
        contents = mcp.TextResourceContents(uri=params.uri, mime_type=media_type, text=text)
        return mcp.ReadResourceResult(contents=[contents])

    async def list_prompts(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListPromptsResult:
        return mcp.ListPromptsResult(
            prompts=[
                mcp.Prompt(
                    name=each.name,
                    title=each.title,
                    arguments=[
                        mcp.PromptArgument(name=name, required=True) for name in each.blanks
                    ],
                )
                for each in PROMPTS
            ]
        )

    async def get_prompt(
        context: Context, params: mcp.GetPromptRequestParams
    ) -> mcp.GetPromptResult:
        found = next((each for each in PROMPTS if each.name == params.name), None)
        if found is None:
            raise not_there("prompt", params.name, [each.name for each in PROMPTS])
        given = params.arguments or {}
        if missing := [name for name in found.blanks if not given.get(name)]:
            raise MCPError(mcp.INVALID_PARAMS, f"The argument '{missing[0]}' is missing.")
        text = mcp.TextContent(text=found.filled(given))
        return mcp.GetPromptResult(messages=[mcp.PromptMessage(role="user", content=text)])

    return Server(
        "cv-kg",
        version=version("cv-kg"),
        title=site.title,
        instructions=INSTRUCTIONS,
        website_url=site.base,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def not_there(what: str, name: str, known: Iterable[str]) -> MCPError:
    near = closest(name[:200], known)
    offer = f"Closest: {', '.join(near)}." if near else f"List the {what}s to see all of them."
    message = f"Unknown {what} '{one_line(name[:200])}'. {offer}"
    return MCPError(mcp.INVALID_PARAMS, message)


def run(main: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Runs a server until it ends or a signal arrives. Raises KeyboardInterrupt after Ctrl-C."""

    async def until_signal() -> signal.Signals | None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        signals: list[signal.Signals] = []

        def note(number: signal.Signals) -> None:
            signals.append(number)
            stop.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, note, number)
        await main(stop)
        return signals[0] if signals else None

    if asyncio.run(until_signal()) == signal.SIGINT:
        raise KeyboardInterrupt


def serve_stdio(open_server: Callable[[], Server]) -> None:
    """Answers requests on standard input until it is closed. The server is opened after standard
    output is reserved for the protocol: anything else printed goes to stderr.
    """

    async def main(stop: asyncio.Event) -> None:
        ours, theirs = socket.socketpair()
        # A thread that waits for input cannot be stopped, so a daemon thread only forwards it.
        Thread(target=pass_on, args=(theirs,), name="stdin", daemon=True).start()
        with ours, ours.makefile(encoding="utf-8", errors="replace") as lines:
            async with stdio_server(stdin=anyio.wrap_file(lines)) as (incoming, outgoing):
                server = await asyncio.to_thread(open_server)
                ending = asyncio.create_task(hang_up(stop, theirs))
                await converse(server, incoming, outgoing, stop)
                ending.cancel()

    run(main)


async def converse(
    server: Server,
    incoming: ReadStream[SessionMessage | Exception],
    outgoing: WriteStream[SessionMessage],
    stop: asyncio.Event,
) -> None:
    """Runs the server, which drops unfinished requests when its input ends. Clients that send
    everything and close still want the answers, so the end is passed on when they are sent, or
    PATIENCE later.
    """
    unanswered = set[object]()
    to_server, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    answers, from_server = anyio.create_memory_object_stream[SessionMessage](0)

    async def pass_in() -> None:
        async with to_server:
            async for each in incoming:
                if isinstance(each, SessionMessage) and isinstance(
                    each.message, mcp.JSONRPCRequest
                ):
                    unanswered.add(each.message.id)
                await to_server.send(each)
            with anyio.move_on_after(ANSWER_TIMEOUT):
                while unanswered and not stop.is_set():
                    await anyio.sleep(POLL_INTERVAL)

    async def pass_out() -> None:
        async with outgoing, from_server:
            async for each in from_server:
                await outgoing.send(each)
                unanswered.discard(getattr(each.message, "id", None))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_in)
        tasks.start_soon(pass_out)
        await server.run(messages, answers, server.create_initialization_options())


async def hang_up(stop: asyncio.Event, line: socket.socket) -> None:
    await stop.wait()
    line.shutdown(socket.SHUT_RDWR)


def pass_on(line: socket.socket) -> None:
    with suppress(OSError), line:
        while text := os.read(sys.stdin.fileno(), CHUNK):
            line.sendall(text)


def serve_http(open_server: Callable[[], Server], port: int, ready: Callable[[str], None]) -> None:
    """Answers at /mcp on a port of this machine; calls `ready` with the address."""

    async def main(stop: asyncio.Event) -> None:
        with reserve(port) as listening:
            server = await asyncio.to_thread(open_server)
            app = server.streamable_http_app(
                streamable_http_path=PATH, stateless_http=True, json_response=True, host=HOST
            )
            settings = uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=DRAIN_TIMEOUT,
            )
            ready(f"http://{HOST}:{listening.getsockname()[1]}{PATH}")
            await uvicorn.Server(settings).serve(sockets=[listening])

    run(main)


def reserve(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        why = f"Cannot listen on {HOST}:{port}: {error.strerror}. Choose another port with --port."
        raise KgError(why) from error
    return listening
