"""Kinds of tests, as markers, and seeded samples of large families.

A fixture that starts a browser, a server or a process marks every test that uses it; any other test
carries its marker itself, or its module does (`pytestmark`). CONTRIBUTING.md says which command
runs which kind.

`@pytest.mark.sample(test=0.1)` runs a tenth of the cases in `make test` and `make quick`, and all
of them in `make proof`; `quick=0.1` leaves the others to `make test`, `proof=0.5` to
`make exhaustive`. Of every function with many cases `make quick` runs a quarter. The digest of a
test's name alone decides, so a new case takes part by chance, whatever it is called. It decides
when the cases of a function are made, so that no worker makes those that it will not run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import blake2b
from typing import TypeVar

import pytest
from _pytest.mark import MarkMatcher
from _pytest.mark.expression import Expression

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


def draw(name: str) -> float:
    """A number from 0 to 1 for a name, always the same."""
    return int.from_bytes(blake2b(name.encode(), key=SEED, digest_size=7).digest()) / (1 << 56)


def kinds_of(test: pytest.Function, cases: Iterable[str]) -> Iterator[list[str]]:
    """The kinds of each case of a test: those of its fixtures, and a marker for each sample that
    leaves it out. A test's own sample, unlike that of its module, has one case at least.
    """
    fixtures = test._fixtureinfo.name2fixturedefs
    kinds = {getattr(found[-1].func, "starts", "") for found in fixtures.values()} - {""}
    samples = [
        (OUTSIDE[command], share, node is test)
        for node, mark in test.iter_markers_with_node("sample")
        for command, share in mark.kwargs.items()
    ]
    if FILE_FIXTURES & {*fixtures}:
        samples.append((OUTSIDE["quick"], QUICK_WITH_FILES, False))
    drawn = [draw(case) for case in cases]
    if len(drawn) > FEW_CASES:
        samples.append((OUTSIDE["quick"], QUICK_OF_MANY, True))
    least = min(drawn, default=0)
    for number in drawn:
        first = number == least
        outside = {kind for kind, share, own in samples if number >= share and not (own and first)}
        yield sorted(kinds | outside)


def choose_cases(metafunc: pytest.Metafunc) -> None:
    """Marks the cases of a test. What `-m` deselects is not even made: it is thousands of cases,
    and every worker would make them.
    """
    test, cases = metafunc.definition, metafunc._calls
    for case, kinds in zip(
        cases, kinds_of(test, [f"{test.nodeid}[{case.id}]" for case in cases]), strict=True
    ):
        case.marks.extend(getattr(pytest.mark, kind).mark for kind in kinds)
    if selection := metafunc.config.option.markexpr:
        wanted = compiled(selection)
        chosen = [
            case
            for case in cases
            if wanted.evaluate(MarkMatcher.from_markers([*test.iter_markers(), *case.marks]))
        ]
        # one stays to be deselected: without any, pytest would take the test for one without cases
        metafunc._calls = chosen or cases[:1]


@cache
def compiled(selection: str) -> Expression:
    """The expression of `-m`, which is the same for thousands of tests."""
    return Expression.compile(selection)


def mark(items: Iterable[pytest.Item]) -> None:
    """Marks the tests that have no cases."""
    for item in items:
        if isinstance(item, pytest.Function) and not hasattr(item, "callspec"):
            for kind in next(kinds_of(item, [item.nodeid])):
                item.add_marker(kind)


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


sys.addaudithook(refuse_process)
