"""Writes a site as files for a server's bulk loader: N-Quads shards, including the push record, and
instructions.

The files are written into a folder beside the target, which it then replaces.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from kg.errors import KgError
from kg.plugins.remote.profiles import Profile
from kg.plugins.remote.push import DIGEST, fingerprint, graph_of, record_lines, state_of
from kg.publish.export.folder import replace

SIZE = 64 * 1024 * 1024  # approximate bytes per shard; some loaders read one file per core
TEXT = "LOAD.txt"


def write(documents: Mapping[str, bytes], base: str, profile: Profile, folder: Path) -> list[Path]:
    """Returns the paths of the shards. A folder written by an earlier run is replaced."""
    check(folder)
    beside = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    names = []
    for number, shard in enumerate(shards(documents, base), 1):
        names.append(f"part-{number:05}.nq")
        (beside / names[-1]).write_bytes(shard)
    (beside / TEXT).write_text(instructions(profile, folder, base), encoding="utf-8")
    replace(beside, folder)
    shutil.rmtree(beside, ignore_errors=True)
    return [folder / name for name in names]


def check(folder: Path) -> None:
    """Raises KgError if the folder contains other files."""
    if folder.exists() and not (folder / TEXT).is_file() and any(folder.iterdir()):
        raise KgError(
            f"{folder} contains other files. Choose another folder for the shards, or empty it."
        )


def shards(documents: Mapping[str, bytes], base: str) -> Iterator[bytes]:
    shard = bytearray()
    for graph, lines in [*documents.items(), (graph_of(base), record(documents, base))]:
        end = f"<{graph}> .\n".encode()
        for line in lines.splitlines(keepends=True):
            shard += line.removesuffix(b".\n") + end
        if len(shard) > SIZE:
            yield bytes(shard)
            shard.clear()
    if shard:
        yield bytes(shard)


def record(documents: Mapping[str, bytes], base: str) -> bytes:
    """The record that kg push would write, so that the next push continues from these files."""
    known = {document: fingerprint(lines) for document, lines in documents.items()}
    state = f'<{graph_of(base)}> <{DIGEST}> "{state_of(base, known)}" .\n'
    return "".join([state, *record_lines(base, known)]).encode()


def instructions(profile: Profile, folder: Path, base: str) -> str:
    tested = (
        f"tested with {profile.tested}" if profile.tested else "from its documentation, untested"
    )
    commands = profile.loader.replace("{folder}", str(folder.resolve())).replace("{base}", base)
    return (
        f"For {profile.name} "
        f"({tested}):\n\n{commands or 'No bulk loader is known. Use kg push --endpoint instead.'}"
    )
