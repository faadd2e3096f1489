"""The whole graph as several files of N-Quads, for engines that load many at once.

A document, and so every subject in it, is always in the same of so many files. Each line is there
once; together they are the dump.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path

AT_ONCE = 1 << 22  # bytes


def write(nquads: bytes, folder: Path, number: int) -> list[Path]:
    """Writes so many files, each under another name until all are whole; files of an earlier
    splitting are removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"part-{each:04}-of-{number:04}.nq" for each in range(1, number + 1)]
    drafts = [path.with_suffix(".draft") for path in paths]
    with ExitStack() as opened:
        files = [opened.enter_context(draft.open("wb")) for draft in drafts]
        for lines in iter(partial(BytesIO(nquads).readlines, AT_ONCE), []):
            sorted_out: list[list[bytes]] = [[] for _ in files]
            for line in lines:
                sorted_out[shard_of(line[1 : line.index(b">")].partition(b"#")[0], number)].append(
                    line
                )
            for file, mine in zip(files, sorted_out, strict=True):
                file.write(b"".join(mine))
    for draft, path in zip(drafts, paths, strict=True):
        draft.replace(path)
    for old in (*folder.glob("part-*-of-*.nq"), *folder.glob("part-*-of-*.draft")):
        if old not in paths:
            old.unlink()
    return paths


@lru_cache(maxsize=64)
def shard_of(document: bytes, number: int) -> int:
    """By a digest, so that the documents of a kind are spread evenly, and the same on every
    machine.
    """
    return int.from_bytes(hashlib.blake2b(document, digest_size=8).digest(), "big") % number
