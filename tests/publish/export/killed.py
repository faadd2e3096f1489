"""Builds that are killed: `python -m tests.publish.export.killed FOLDER SEED ROUNDS`.

Two states of a site are written into a folder in turn, by processes that are killed at random
moments. After each the folder must hold one of the two, whole. Prints how often which.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from kg.check.check import good
from kg.publish.export.export import export
from kg.publish.formats.media import HTML, PAGE_SUFFIXES, TURTLE
from kg.publish.site import Documents

ROOT = Path(__file__).parents[3]


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def main(target: Path, seed: int, rounds: int) -> None:
    graph, chance = good(ROOT / "kg" / "example"), random.Random(seed)
    few = {
        suffix: media_type
        for suffix, media_type in PAGE_SUFFIXES.items()
        if media_type in (HTML, TURTLE)
    }
    states = [Documents(graph), Documents(graph, suffixes=few)]
    for state in states:
        state.make = state.get  # type: ignore[method-assign]  what was made once is kept, so that most of the time is spent writing
    for state in states:
        export(state, target)
        (target / "CNAME").write_text("cv.example.org")
    begun = time.monotonic()
    export(states[0], target)
    taken = time.monotonic() - begun
    export(states[1], target)
    second, _ = files(target), export(states[0], target)
    first = files(target)
    ends: Counter[str] = Counter()
    for number in range(rounds):
        child = os.fork()
        if not child:
            export(states[(number + 1) % 2], target)
            os._exit(0)
        time.sleep(chance.uniform(0, taken) if number % 2 else chance.uniform(0.9, 1.1) * taken)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        found = files(target)
        assert found in (first, second), sorted(set(found.items()) ^ set(first.items()))[:3]
        ends["killed" if os.WIFSIGNALED(status) else "finished"] += 1
    left = [path for path in target.parent.iterdir() if path != target]
    export(states[0], target)
    assert files(target) == first
    assert [path for path in target.parent.iterdir() if path != target] == []
    print(dict(ends), "left", len(left))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
