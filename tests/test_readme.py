"""The README's commands are run, and say what the README says."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}


def test_the_commands_say_what_the_readme_shows(tmp_path: Path) -> None:
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    steps = [
        step
        for block in blocks
        for step in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]
    assert len(steps) >= 12
    for command, shown in steps:
        if command.startswith("kg serve"):
            assert started(command, tmp_path) == shown
            continue
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert run.stdout == shown, command


def started(command: str, folder: Path) -> str:
    """What a server says when it is ready, as if its port were the usual one; then it is ended."""
    environment = {**ENVIRONMENT, "KG_SERVE_PORT": "0"}
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        server.send_signal(signal.SIGINT)
        assert server.stderr.read() == "Stopped.\n"
    assert server.returncode == 0
    return re.sub(r"(http://127.0.0.1:)[1-9]\d+/", r"\g<1>8000/", said)


def test_the_python_example_runs() -> None:
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    code = f"{example}\nassert len(list(people)) > 30"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_make_serve_serves_and_ctrl_c_ends_it() -> None:
    environment = {**os.environ, "KG_SERVE_PORT": "0"}
    server = subprocess.Popen(
        ["make", "serve"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert server.stderr is not None
    said = []
    for line in server.stderr:
        said.append(line)
        if found := re.search(
            r"(\d+) people, (\d+) works, .*?(\d+) triples. Serving (http://127.0.0.1:\d+/)", line
        ):
            break
    else:
        raise AssertionError("".join(said))
    with urllib.request.urlopen(f"{found[4]}people/arpan-jain") as answer:
        assert b"Arpan Jain" in answer.read()
    os.killpg(server.pid, signal.SIGINT)
    assert server.wait(20) in (
        0,
        -signal.SIGINT,
    )  # make itself dies of the signal, once its command has ended
    assert "Stopped." in server.stderr.read()
    server.stderr.close()


def test_make_help_lists_the_commands() -> None:
    shown = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.findall(r"^make ([\w-]+)", shown, re.MULTILINE) == [
        "help",
        "setup",
        "serve",
        "build",
        "test",
        "proof",
        "w3c",
        "check",
        "bench",
        "bench-large",
        "clean",
    ]
