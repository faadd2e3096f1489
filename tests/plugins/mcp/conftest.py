"""A server, asked by the SDK's own client: in this process, and as the real command on standard
input and output and over HTTP.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from kg.publish.questions.values import Things
from kg.publish.site import Documents
from kg.web.state import build_endpoint
from tests.conftest import LARGE_SITE
from tests.kinds import starts

if TYPE_CHECKING:  # the SDK takes a second, which not every worker should spend
    from mcp import Client
    from mcp.types import CallToolResult

# The SDK imports jsonschema, which would compile a grammar of IRIs for seconds; no schema needs it
sys.modules.setdefault("rfc3987_syntax", None)

TRANSPORTS = (
    "memory",
    *(pytest.param(each, marks=pytest.mark.proof) for each in ("stdio", "http")),
)


@dataclass(frozen=True)
class Agent:
    """A client with its connection, for tests without an event loop."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """The result of a tool; its data were judged by the output schema, for the SDK does so."""
        return self.portal.call(self.client.call_tool, tool, arguments)

    def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        found = self.call(tool, **arguments)
        assert not found.is_error, found.content
        data: dict[str, Any] = found.structured_content
        return data

    def refused(self, tool: str, **arguments: Any) -> str:
        """Why a tool gave no answer."""
        found = self.call(tool, **arguments)
        assert found.is_error
        assert found.structured_content is None
        return text_of(found)

    def read(self, uri: str) -> tuple[str, str]:
        [content] = self.portal.call(self.client.read_resource, uri).contents
        return content.mime_type, content.text


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert content.type == "text"
    return content.text


def message(method: str, number: int | None = None, **params: object) -> dict[str, object]:
    found: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
    return found if number is None else found | {"id": number}


@contextmanager
def listening() -> Iterator[str]:
    """The command over HTTP, by the address that it says."""
    command = [sys.executable, "-m", "kg", "mcp", str(LARGE_SITE), "--http", "--port", "0"]
    command += ["--tools", "all"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = next(filter(None, map(re.compile(r"http://\S+").search, process.stderr)))
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=20)[1]
    assert process.returncode == 130
    assert "Traceback" not in said


@pytest.fixture(scope="module")
@starts("server")
def address() -> Iterator[str]:
    with listening() as address:
        yield address


@contextmanager
def connected(connection: Any, **options: Any) -> Iterator[Agent]:
    from mcp import Client

    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(connection, **options)) as client,
    ):
        yield Agent(portal, client)


@contextmanager
@starts("process")
def in_this_process(documents: Documents, has_all_tools: bool = True) -> Iterator[Agent]:
    from kg.plugins.mcp.briefing import Briefing
    from kg.plugins.mcp.mcp_server import create_server
    from kg.plugins.mcp.toolbox import Toolbox

    graph = documents.graph
    with closing(build_endpoint(documents, graph)) as endpoint:
        box = Toolbox(documents, endpoint, Things.of(graph.memory), has_all_tools)
        with connected(create_server(box, Briefing(documents, box))) as agent:
            yield agent


@contextmanager
def on_standard_input(*arguments: str) -> Iterator[Agent]:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command = ["-m", "kg", "-q", "mcp", *arguments]
    inherited = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    parameters = StdioServerParameters(command=sys.executable, args=command, env=inherited)
    with connected(stdio_client(parameters)) as agent:
        yield agent


@pytest.fixture(scope="module", params=TRANSPORTS)
@starts("process")
def agent(request: pytest.FixtureRequest) -> Iterator[Agent]:
    if request.param == "memory":
        connection = in_this_process(request.getfixturevalue("documents"))
    elif request.param == "stdio":
        connection = on_standard_input(str(LARGE_SITE), "--tools", "all")
    else:
        connection = connected(request.getfixturevalue("address"))
    with connection as agent:
        yield agent
