"""The recorded run; see the package."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from importlib import import_module
from itertools import count
from pathlib import Path

from tests.crashes import reloading, scenes
from tests.crashes.kills import End
from tests.crashes.scenes import Outcome, Scene

KINDS = {**scenes.KINDS, **reloading.KINDS}
# What the commands load: here, so that it is there in each.
LOADED = (
    "kg.cli.publish kg.cli.serve kg.cli.start kg.web.app kg.web.serve "
    "kg.plugins.exchange.commands kg.plugins.exchange.entry_commands kg.plugins.remote.push "
    "kg.plugins.remote.command "
    "kg.plugins.exchange.importing kg.plugins.exchange.edits.additions kg.check.check "
    "kg.publish.export.export kg.publish.verify.trial kg.graph.build"
)

LAST = 8  # changes, by which things come into their places: half of those killed before one


def kill_some(kind: str, number: int, seed: int, folder: Path) -> Counter[str]:
    """Kills so many commands. Raises AssertionError where something is not as it should be."""
    dice, ends = random.Random(f"{kind} {seed}"), Counter[str]()
    with ExitStack() as opened:
        scene = KINDS[kind](folder, opened)
        expected, usual = undisturbed(scene)
        for turn in count():
            if ends["killed"] == number or ends["finished first"] > 3 * number:
                return ends
            state = turn % 2
            scene.begin(state)
            old = scene.outcome()
            if turn % 4 < 2 and scene.by_change:  # just before a file is changed
                least = max(usual.changes - LAST, 0) if turn % 4 else 0
                end = scene.run(at_change=dice.randrange(least, usual.changes))
            else:
                end = scene.run(seconds=dice.uniform(0, usual.seconds))
            ends["killed" if end.is_killed else "finished first"] += 1
            assert end.is_killed or end.is_good, end
            assert not end.left, f"processes outlive one that was killed: {end}"
            judge(old, expected[state], found := scene.outcome(), scene.whole)
            is_part = found not in (old, expected[state])
            if scene.read:
                assert scene.is_sound(checked := scene.check(), is_part), checked
            ends["in part"] += is_part
            ends["left something"] += bool(scene.rests())
            if is_part and not scene.repeats:
                continue
            end = scene.run()  # which may be refused where all was done already
            assert end.is_good or (found == expected[state] and end.is_clean), end
            assert scene.outcome() == expected[state], "another result after a kill"
            assert scene.rests() == [], (
                f"{scene.rests()}: what a kill left is still there after the next run"
            )
    return ends


def undisturbed(scene: Scene) -> tuple[list[Outcome], End]:
    """What comes of each state, and how long it usually takes."""
    expected = []
    for state in (0, 1, 0, 1):
        scene.begin(state)
        end = scene.run()
        assert end.is_good, end
        assert scene.rests() == [], scene.rests()
        expected.append(scene.outcome())
    assert expected[:2] == expected[2:]
    assert any(expected)
    return expected[:2], end


def judge(old: Outcome, new: Outcome, found: Outcome, whole: bool) -> None:
    if whole:
        assert found in (old, new), "neither the old nor the new, but part of each"
    for name in {*old, *new, *found}:
        assert found.get(name) in (old.get(name), new.get(name)), f"{name} is neither old nor new"


def main(kinds: list[str], number: int, seed: int) -> None:
    for module in LOADED.split():
        import_module(module)
    for kind in kinds:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"crashes-{kind}-") as folder:
            found = dict(kill_some(kind, number, seed, Path(folder)))
        print(f"{kind}: {found}, {time.monotonic() - begun:.0f} s", flush=True)  # noqa: T201


if __name__ == "__main__":
    _, chosen, times, start = sys.argv
    main(list(KINDS) if chosen == "all" else chosen.split(","), int(times), int(start))
