"""The socket file by which `kg reload` reaches a server of the same user on the same machine: a
line of text goes in, a line of JSON comes out.

By itself it is in a folder that only this user can enter, named after the files that are served, so
that the server is found by them. Nobody but the user can connect, wherever it is.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import gettempdir

from kg.check.reloads import Outcome, Reloads
from kg.drafts import locked
from kg.errors import KgError

RELOAD = b"reload\n"
UNKNOWN = Outcome(False, "The server knows the word 'reload', and no other.")
TO_ARRIVE = 10.0  # seconds for the line
DESCRIPTORS = Path("/proc/self/fd")


class NoServer(KgError):
    """Nobody listens at a socket file."""


class SocketTaken(KgError):
    """Another server listens at it."""


def socket_path(paths: Sequence[Path]) -> Path:
    """Where the server of these files listens by itself."""
    names = "\0".join(str(path.resolve()) for path in paths)
    digest = hashlib.sha256(os.fsencode(names)).hexdigest()
    return own_folder() / f"{digest[:24]}.sock"


def own_folder() -> Path:
    """Raises KgError where it is another user's, who might answer in the place of a server."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or "/nowhere")
    folder = runtime / "kg" if is_private(runtime) else Path(gettempdir()) / f"kg-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if not is_private(folder):
        raise KgError(
            f"{folder} is not a folder that only you can enter. Remove it, or name another place "
            "with --socket FILE."
        )
    return folder


def is_private(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    is_closed = not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and is_closed


@contextmanager
def control_socket(path: Path) -> Iterator[socket.socket]:
    """A socket that listens at a path. One that a killed server left there is replaced. Raises
    SocketTaken where another server listens, KgError where there is something else, and OSError.
    """
    draft = path.with_name(f".kg-{os.getpid()}")
    with socket.socket(socket.AF_UNIX) as listening:
        with locked(path.parent):  # two servers that start at once do not take the same file
            if is_taken(path):
                raise SocketTaken(f"Another server listens at {path}. Choose another file.")
            draft.unlink(missing_ok=True)
            with short(path.parent) as folder, naming(path):
                listening.bind(f"{folder}/{draft.name}")
            draft.chmod(0o600)  # before anybody can connect
            listening.listen()
            own = draft.stat().st_ino
            draft.rename(path)
        try:
            yield listening
        finally:
            with suppress(OSError), locked(path.parent):
                if path.lstat().st_ino == own:
                    path.unlink()


def is_taken(path: Path) -> bool:
    try:
        connect(path).close()
    except NoServer:
        return False
    return True


@contextmanager
def short(path: Path) -> Iterator[str]:
    """Another name for a file, of few letters: the address of a socket has at most about a
    hundred.
    """
    if not DESCRIPTORS.is_dir():
        yield str(path)
        return
    descriptor = os.open(path, os.O_PATH)
    try:
        yield f"{DESCRIPTORS}/{descriptor}"
    finally:
        os.close(descriptor)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Sockets do not say in their errors which file it was."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def connect(path: Path) -> socket.socket:
    """Raises NoServer where nobody listens, and KgError where there is no socket."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise KgError(f"{path} is not a socket of a server. Name another file with --socket.")
        with short(path) as address, naming(path):
            connection.connect(address)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        connection.close()
        raise NoServer(f"Nobody listens at {path}.") from error
    except BaseException:
        connection.close()
        raise
    return connection


def request_reload(path: Path) -> Outcome:
    """Has the server at a path read its files anew, and waits for what becomes of it."""
    line = b""
    with connect(path) as connection, suppress(ConnectionError):
        connection.sendall(RELOAD)
        line = connection.makefile("rb").readline()
    if not line:
        raise KgError("The server ended before it answered. Start it again.")
    return Outcome(**json.loads(line))


async def answer(
    reloads: Reloads, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """The server's part."""
    try:
        async with asyncio.timeout(TO_ARRIVE):
            line = await reader.readline()
        if line:
            known = line == RELOAD
            outcome = await asyncio.wrap_future(reloads.request()) if known else UNKNOWN
            writer.write(json.dumps(asdict(outcome)).encode() + b"\n")
            await writer.drain()
    except (OSError, ValueError):  # who breaks off, or takes too long, gets no answer
        pass
    finally:
        writer.close()
