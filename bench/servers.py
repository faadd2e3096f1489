"""The SPARQL servers of the comparison: each runs with the same N-Quads on a free local port, and
is stopped at the end.

Other servers are installed under bench/work/: Python ones in a virtual environment, Virtuoso from
its Debian package.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.start import KG
from bench.vitals import children

START_TIMEOUT = 240  # seconds for a server to start
OXIGRAPH, RDFLIB_ENDPOINT = "oxigraph==0.5.13", "rdflib-endpoint[cli]==0.6.3"
VIRTUOSO = "virtuoso-opensource-7-bin"
CONFIGURATION = """[Database]
DatabaseFile = v.db
ErrorLogFile = v.log
LockFile = v.lck
TransactionFile = v.trx
xa_persistent_file = v.pxa
[TempDatabase]
DatabaseFile = t.db
TransactionFile = t.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
CaseMode = 2
NumberOfBuffers = {buffers}
MaxDirtyBuffers = {dirty}
DirsAllowed = .
[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerRoot = vsp
ServerThreads = 80
MaxKeepAlives = 80
KeepAliveTimeout = 60
Charset = UTF-8
[SPARQL]
ResultSetMaxRows = {rows}
MaxQueryExecutionTime = 120
"""


class LeftOut(Exception):
    """The reason why a server is not measured."""


@dataclass(frozen=True)
class Server:
    name: str
    pid: int
    port: int
    path: str

    def cpu(self) -> float:
        """CPU seconds of the process and its descendants, with nanosecond precision (/proc has
        steps of 10 ms).
        """
        return sum(map(used, family(self.pid)))

    def web(self) -> float:
        """CPU seconds of the first process alone: the web process of `kg serve`, where others
        evaluate queries.
        """
        return used(self.pid)


def used(pid: int) -> float:
    return time.clock_gettime(
        (~pid << 3) | 2
    )  # Linux's number for the CPU clock of another process


def family(pid: int) -> list[int]:
    return [pid, *(each for child in children(pid) for each in family(child))]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def running(
    name: str, command: list[str | Path], port: int, path: str, folder: Path, **variables: str
) -> Iterator[Server]:
    """Runs a server process, and kills it at the end; none of them needs to save anything."""
    environment = {**os.environ, **variables}
    with (
        (folder / "said").open("w") as said,
        subprocess.Popen(command, cwd=folder, stdout=said, stderr=said, env=environment) as process,
    ):
        try:
            wait(process, port, folder)
            yield Server(name, process.pid, port, path)
        finally:
            for pid in reversed(family(process.pid)):
                os.kill(pid, 9)


def wait(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    """Waits until the server answers anything."""
    until = time.monotonic() + START_TIMEOUT
    while time.monotonic() < until:
        if process.poll() is not None:
            raise LeftOut("it exited: " + (folder / "said").read_text()[-200:])
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise LeftOut(f"it did not respond within {START_TIMEOUT} s")


def environment(work: Path, requirement: str) -> Path:
    """The programs folder of a virtual environment with one package."""
    home = work / re.split(r"[\[=]", requirement)[0]
    if not (home / "complete").exists():
        shutil.rmtree(home, ignore_errors=True)
        try:
            subprocess.run([sys.executable, "-m", "venv", home], check=True, capture_output=True)
            subprocess.run(
                [home / "bin" / "python", "-m", "pip", "install", "--quiet", requirement],
                check=True,
                capture_output=True,
            )
        except subprocess.CalledProcessError as error:
            raise LeftOut(f"cannot install {requirement}") from error
        (home / "complete").touch()
    return home / "bin"


@contextmanager
def ours(nquads: Path, folder: Path, **variables: str) -> Iterator[Server]:
    port = free_port()
    command: list[str | Path] = [KG, "serve", nquads, "--log", "none", "--port", str(port)]
    variables = {"KG_SERVE_UNION": "1", **variables}
    with running("kg", command, port, "/sparql", folder, **variables) as server:
        yield server


@contextmanager
def oxigraph(nquads: Path, folder: Path) -> Iterator[Server]:
    programs = environment(folder.parent / "environments", OXIGRAPH)
    port, place = free_port(), folder / "store"
    for command in (["load", "--lenient", "--file", str(nquads)], ["optimize"]):
        subprocess.run(
            [programs / "oxigraph", *command, "--location", place], check=True, capture_output=True
        )
    options = [
        "serve-read-only",
        "--location",
        place,
        "--union-default-graph",
        "--bind",
        f"127.0.0.1:{port}",
    ]
    with running("oxigraph", [programs / "oxigraph", *options], port, "/query", folder) as server:
        yield server


@contextmanager
def rdflib_endpoint(nquads: Path, folder: Path) -> Iterator[Server]:
    programs = environment(folder.parent / "environments", RDFLIB_ENDPOINT)
    port = free_port()
    command: list[str | Path] = [
        programs / "rdflib-endpoint",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        nquads,
    ]
    with running("rdflib-endpoint", command, port, "/", folder) as server:
        yield server


@contextmanager
def virtuoso(nquads: Path, folder: Path) -> Iterator[Server]:
    if not shutil.which("virtuoso-t"):
        install()
    (folder / nquads.name).symlink_to(nquads)
    with empty_virtuoso(folder) as (server, orders):
        orders(
            f"ld_dir('.', '{nquads.name}', 'http://127.0.0.1/none'); rdf_loader_run(); checkpoint;"
        )
        yield server


@contextmanager
def empty_virtuoso(
    folder: Path, rows: int = 1_000_000, buffers: int = 170_000
) -> Iterator[tuple[Server, Callable[[str], None]]]:
    """Runs an empty server in its own folder; yields it and a function that runs SQL. Answers are
    cut at `rows` rows.
    """
    port, sql = free_port(), free_port()
    (folder / "virtuoso.ini").write_text(
        CONFIGURATION.format(port=port, sql=sql, rows=rows, buffers=buffers, dirty=buffers * 3 // 4)
    )

    def orders(text: str) -> None:
        subprocess.run(
            ["isql-vt", f"127.0.0.1:{sql}", "dba", "dba", f"exec={text}"],
            check=True,
            capture_output=True,
            cwd=folder,
        )

    with running(
        "Virtuoso", ["virtuoso-t", "-f", "+configfile", "virtuoso.ini"], port, "/sparql", folder
    ) as server:
        yield server, orders


@contextmanager
def empty_oxigraph(
    program: Path, folder: Path, port: int = 0, lasts: bool = False
) -> Iterator[Server]:
    """Runs a writable server. If it `lasts`, it keeps the data of the previous one in the same
    folder.
    """
    port = port or free_port()
    place: list[str | Path] = ["--location", folder / "store"] if lasts else []
    command: list[str | Path] = [program, "serve", *place, "--bind", f"127.0.0.1:{port}"]
    with running("oxigraph", command, port, "/query", folder) as server:
        yield server


def install() -> None:
    if os.getuid() != 0 or not shutil.which("apt-get"):
        raise LeftOut(f"the Debian package {VIRTUOSO} is missing; install it as root")
    try:
        for words in (
            ["update", "-qq"],
            ["install", "-y", "-qq", "--no-install-recommends", VIRTUOSO],
        ):
            subprocess.run(
                ["apt-get", *words],
                check=True,
                capture_output=True,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )
    except subprocess.CalledProcessError as error:
        raise LeftOut(f"cannot install the Debian package {VIRTUOSO}") from error


PEERS: dict[str, Callable[[Path, Path], AbstractContextManager[Server]]] = {
    "oxigraph": oxigraph,
    "rdflib-endpoint": rdflib_endpoint,
    "Virtuoso": virtuoso,
}
