"""Damaged caches: `python -m tests.crashes.damage ROUNDS SEED` flips a byte in every file of
the cache and in the list of files of a built folder, as many times, and builds: the verdict and
every byte are those of a build without a cache.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

from kg.files.cache import cache_folder
from kg.publish.document import MARKER
from tests.crashes.__main__ import LOADED
from tests.crashes.scenes import Rebuild


def flip(path: Path, dice: random.Random) -> None:
    """Another byte in the place of one, or one more, or one less."""
    body = bytearray(path.read_bytes())
    at = dice.randrange(len(body))
    match dice.randrange(8):
        case 0:
            del body[at:]
        case 1:
            body.insert(at, dice.randrange(256))
        case _:
            body[at] ^= 1 << dice.randrange(8)
    path.write_bytes(bytes(body))


def cached(site: Path) -> Iterator[Path]:
    """All files that have something in them."""
    paths = sorted(cache_folder(site).rglob("*"))
    return (path for path in paths if path.is_file() and path.stat().st_size)


def damage(rounds: int, seed: int, folder: Path) -> int:
    """The number of bytes that were flipped. Raises AssertionError where that changes anything."""
    dice, flips = random.Random(seed), 0
    with ExitStack() as opened:
        scene = Rebuild(folder, opened)
        scene.words.append("-v")  # with all that the check says
        expected, said = [], []
        for state in (0, 1):
            shutil.rmtree(cache_folder(scene.site), ignore_errors=True)
            scene.begin(state)
            end = scene.run()
            assert end.is_good, end
            expected.append(scene.outcome())
            said.append(verdict(end.said))
        for turn in range(rounds):
            for path in [*cached(scene.site), folder / "out" / MARKER]:
                flip(path, dice)
                flips += 1
            state = turn // 2 % 2  # the same graph, and another
            scene.begin(state)
            end = scene.run()
            assert end.is_good, end
            assert verdict(end.said) == said[state]
            assert scene.outcome() == expected[state]
    return flips


def verdict(said: str) -> list[str]:
    return [line for line in said.splitlines() if "  [" in line or line.startswith("Verified")]


if __name__ == "__main__":
    for module in LOADED.split():
        import_module(module)
    with tempfile.TemporaryDirectory() as temporary:
        number = damage(int(sys.argv[1]), int(sys.argv[2]), Path(temporary))
    print(f"{number} bytes flipped in {sys.argv[1]} rounds, and nothing else")  # noqa: T201
