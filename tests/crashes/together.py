"""Several at once, and clocks that jump: `python -m tests.crashes.together`.

Entries that are added to a site at once are all there.
Builds of a site into one folder and into another while a server watches it give what one build
alone gives; so does one whose files are from the future, or from long ago.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

from tests.crashes.__main__ import LOADED
from tests.crashes.kills import Runner
from tests.crashes.reloading import Reload
from tests.crashes.scenes import Rebuild, Register, files

ADDING = 3
YEARS = 30 * 365 * 86400  # in seconds


def at_once(scene: Rebuild) -> None:
    scene.begin(0)
    assert scene.run().is_good
    first = scene.outcome()
    scene.begin(1)
    other = [*scene.words[:3], str(scene.folder / "other"), *scene.words[4:]]
    runners = [Runner(folder) for folder in map(made, (scene.folder / name for name in "abc"))]
    begun = time.monotonic()
    pids = [
        runner.start(words)
        for runner, words in zip(runners, (scene.words, scene.words, other), strict=True)
    ]
    ends = [runner.ended(pid, begun) for runner, pid in zip(runners, pids, strict=True)]
    assert all(end.is_good for end in ends), ends
    assert "Another build is writing to" in ends[0].said + ends[1].said
    assert scene.outcome() == files(scene.folder / "other") != first
    assert scene.rests() == []


def adding(scene: Register) -> None:
    scene.begin(0)
    kinds = ["add", "award", str(scene.site)]
    words = [[*kinds, f"title=Medal {number}", "date=2020"] for number in range(ADDING)]
    words += [["register", name, str(scene.site)] for name in ("Ice Works", "Sand Works")]
    runners = [Runner(made(scene.folder / str(number))) for number, _ in enumerate(words)]
    begun = time.monotonic()
    pids = [
        runner.start([*each, "--person", "ada-berg"] if "add" in each else each)
        for runner, each in zip(runners, words, strict=True)
    ]
    ends = [runner.ended(pid, begun) for runner, pid in zip(runners, pids, strict=True)]
    assert all(end.is_good for end in ends), ends
    assert any("Waiting for another command" in end.said for end in ends), ends
    assert scene.check().is_good
    text = b"".join(scene.outcome().values()).decode()  # type: ignore[arg-type]
    assert [text.count(f"Medal {number}") for number in range(ADDING)] == [1] * ADDING
    assert [text.count("kind: company")] == [2]
    assert scene.rests() == []


def in_other_times(scene: Rebuild) -> None:
    expected = scene.outcome()
    for seconds in (YEARS, -YEARS):
        for path in [*scene.site.rglob("*"), *(scene.folder / "out").rglob("*")]:
            when = path.stat().st_mtime + seconds
            os.utime(path, (when, when))
        end = scene.run()
        assert end.is_good, end
        assert scene.outcome() == expected


def beside_a_server(folder: Path, opened: ExitStack) -> None:
    """The server reads a save while a build of the same site writes its cache."""
    server, build = Reload(made(folder / "served"), opened), Runner(made(folder / "build"))
    pid = server.runner.start([*server.words, "--watch"])
    server.address()
    server.name(1)
    words = ["build", str(server.site), "-o", str(folder / "beside"), "-j", "1"]
    built = build.ended(build.start(words), time.monotonic())
    os.kill(pid, signal.SIGINT)
    served = server.runner.ended(pid, time.monotonic())
    assert built.is_good, built
    assert served.is_good, served
    server.begin(1)
    assert server.run().is_good
    assert server.outcome() == {"served": "Ada Lund"}
    assert server.rests() == [], server.rests()


def made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


if __name__ == "__main__":
    for module in LOADED.split():
        import_module(module)
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
        rebuilt = Rebuild(made(Path(temporary) / "one"), stack)
        at_once(rebuilt)
        in_other_times(rebuilt)
        adding(Register(made(Path(temporary) / "added"), stack))
        beside_a_server(Path(temporary), stack)
