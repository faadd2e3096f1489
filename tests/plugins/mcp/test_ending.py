"""`kg mcp` ends as it should, leaves no process behind, and says on stdout only what the protocol
says.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.plugins.doctor.packages import install_advice
from tests.conftest import ROOT
from tests.plugins.mcp.conftest import message

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def children(process: int) -> set[int]:
    """The loader of a command, and its workers."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    parents = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found = {pid for pid, parent in parents if parent == process}
    return found | {pid for pid, parent in parents if parent in found}


def close_stdin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    process.stdin = None


@pytest.mark.process
@pytest.mark.proof
@pytest.mark.parametrize(
    ("end", "code"),
    [
        (close_stdin, 0),
        (lambda process: process.send_signal(signal.SIGINT), 130),
        (lambda process: process.send_signal(signal.SIGTERM), 0),
        (lambda process: process.kill(), -signal.SIGKILL),
    ],
    ids=["closed", "interrupted", "terminated", "killed"],
)
def test_it_ends_with_all_its_processes_while_a_query_runs(
    one_person: Path, end: Callable[[subprocess.Popen[str]], None], code: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "mcp", one_person],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        running = message("tools/call", 2, name="sparql", arguments={"query": ENDLESS})
        for each in (HELLO, message("notifications/initialized"), running, message("ping", 3)):
            process.stdin.write(json.dumps(each) + "\n")
            process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert [each["id"] for each in answers] == [1, 3]
        before = children(process.pid)
        assert len(before) >= 3
        begun = time.monotonic()
        end(process)
        rest, said = process.communicate(timeout=20)
        assert time.monotonic() - begun < 10
    assert process.returncode == code
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert "Traceback" not in said
    until = time.monotonic() + 5
    while alive := [pid for pid in before if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < until, alive
        time.sleep(0.05)


@pytest.mark.process
@pytest.mark.proof
def test_what_is_no_message_is_answered_and_harms_nobody(one_person: Path) -> None:
    lines = ["nonsense", "[]", "{}", '{"jsonrpc": "2.0", "id": 9, "method": "no/such"}', "\x00"]
    messages = [json.dumps(HELLO), *lines, json.dumps(message("ping", 3))]
    found = subprocess.run(
        [sys.executable, "-m", "kg", "mcp", one_person],
        input="\n".join(messages) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    answers = [json.loads(line) for line in found.stdout.splitlines()]
    assert {1, 3, 9} <= {each.get("id") for each in answers}


@pytest.mark.process
@pytest.mark.proof
def test_who_sends_all_at_once_and_closes_gets_every_answer(one_person: Path) -> None:
    words = {"name": "search", "arguments": {"words": "you"}}
    asked = [message("tools/call", number, **words) for number in range(2, 12)]
    found = subprocess.run(
        [sys.executable, "-m", "kg", "mcp", one_person],
        input="".join(f"{json.dumps(each)}\n" for each in (HELLO, *asked)),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    answers = {(each := json.loads(line))["id"]: each for line in found.stdout.splitlines()}
    assert sorted(answers) == list(range(1, 12))
    assert all("result" in each for each in answers.values())


def test_wrong_use_is_told_in_a_sentence(one_person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = CliRunner().invoke(main, ["mcp", str(one_person), "--port", "9"])
    assert (found.exit_code, "--port needs --http." in found.stderr) == (2, True)
    monkeypatch.setattr("kg.plugins.mcp.command.find_spec", lambda name: None)
    found = CliRunner().invoke(main, ["mcp", str(one_person)])
    assert found.exit_code == 2
    assert found.stdout == ""
    assert found.stderr == f"kg mcp needs the MCP SDK. {install_advice('mcp')}\n"


def test_only_the_server_needs_the_sdk() -> None:
    needing = re.compile(r"^(?:import|from) (?:mcp|mcp_types|uvicorn|anyio|starlette)\b", re.M)
    files = (ROOT / "kg").rglob("*.py")
    assert [path.name for path in files if needing.search(path.read_text(encoding="utf-8"))] == [
        "mcp_server.py"
    ]
