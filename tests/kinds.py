"""Kinds of tests, as markers, and seeded samples of large families.

A fixture that starts a browser, a server or a process marks every test that uses it; any other test
carries its marker itself, or its module does (`pytestmark`). CONTRIBUTING.md says which command
runs which kind.

`@pytest.mark.sample(test=0.1)` runs a tenth of the cases in `make test` and `make quick`, and all
of them in `make proof`; `quick=0.1` leaves the others to `make test`, `proof=0.5` to
`make exhaustive`. Of every function with many cases `make quick` runs a quarter. The digest of a
test's name alone decides, so a new case takes part by chance, whatever it is called.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from typing import TypeVar

import pytest

SEED = b"33"
# What needs none of these is quick, and may start no process.
SLOW_KINDS = ("browser", "server", "process", "corpus", "fuzz", "slow", "proof", "exhaustive")
# The command that a sample is for, and the marker of the tests outside it.
OUTSIDE = {"quick": "slow", "test": "proof", "proof": "exhaustive"}

# Tests that write files mostly check or build a whole site: of these `make quick` runs a few.
FILE_FIXTURES = {"tmp_path", "tmp_path_factory"}
QUICK_WITH_FILES = 0.04
# Of a function with more cases than this, `make quick` runs a part.
FEW_CASES = 24
QUICK_OF_MANY = 0.25
PROCESS_EVENTS = {"subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec", "pty.spawn"}
QUICK_TEST: ContextVar[str] = ContextVar("QUICK_TEST", default="")

Function = TypeVar("Function", bound=Callable[..., object])


def starts(name: str) -> Callable[[Function], Function]:
    """Marks every test that uses this fixture. Goes below `@pytest.fixture`."""

    def decorate(function: Function) -> Function:
        function.__dict__["starts"] = name
        return function

    return decorate


def kinds_of_fixtures(item: pytest.Item) -> set[str]:
    """The kinds of all fixtures that a test uses, directly or not."""
    if not isinstance(item, pytest.Function):
        return set()
    definitions = item._fixtureinfo.name2fixturedefs
    found = (getattr(each[-1].func, "starts", None) for each in definitions.values())
    return {name for name in found if name}


def draw(name: str) -> float:
    """A number from 0 to 1 for a name, always the same."""
    return int.from_bytes(blake2b(name.encode(), key=SEED, digest_size=7).digest()) / (1 << 56)


def sampled(names: Iterable[str], share: float) -> set[str]:
    """The names in the sample: about that share of them, and one at least."""
    drawn = {name: draw(name) for name in names}
    return {name for name in drawn if drawn[name] < share} | {min(drawn, key=drawn.__getitem__)}


def outside_samples(items: Iterable[pytest.Item]) -> Iterator[tuple[pytest.Item, str]]:
    """The tests that a command leaves out of its sample, each with the marker that says so. The
    family of a `sample` is what it was written at: the cases of a function, or a module's tests.
    """
    families: dict[tuple[str, str, float], list[pytest.Item]] = defaultdict(list)
    functions = defaultdict(list)
    for item in items:
        functions[item.nodeid.partition("[")[0]].append(item)
        for node, marker in item.iter_markers_with_node("sample"):
            family = item.nodeid.partition("[")[0] if node is item else node.nodeid
            for command, share in marker.kwargs.items():
                families[family, OUTSIDE[command], share].append(item)
        if FILE_FIXTURES & {*getattr(item, "fixturenames", ())}:
            families["", OUTSIDE["quick"], QUICK_WITH_FILES].append(item)
    for name, cases in functions.items():
        if len(cases) > FEW_CASES:
            families[name, OUTSIDE["quick"], QUICK_OF_MANY] = cases
    for (_, outside, share), members in families.items():
        chosen = sampled((item.nodeid for item in members), share)
        yield from ((item, outside) for item in members if item.nodeid not in chosen)


@contextmanager
def refuse_processes(item: pytest.Item) -> Iterator[None]:
    """While a test without a kind runs, starting a process is an error, so that quick tests stay
    quick and need no other program.
    """
    quick = not any(item.get_closest_marker(name) for name in SLOW_KINDS)
    token = QUICK_TEST.set(item.nodeid if quick else "")
    try:
        yield
    finally:
        QUICK_TEST.reset(token)


def refuse_process(event: str, _arguments: tuple[object, ...]) -> None:
    if event in PROCESS_EVENTS and (test := QUICK_TEST.get()):
        raise RuntimeError(f"{test} starts a process. Mark it as `process`, `server` or `browser`.")


def mark(items: list[pytest.Item]) -> None:
    """Adds the markers of fixtures and of samples."""
    for item in items:
        for name in kinds_of_fixtures(item):
            item.add_marker(name)
    for item, marker in outside_samples(items):
        item.add_marker(marker)


sys.addaudithook(refuse_process)
