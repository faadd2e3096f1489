"""Kinds of tests and samples of large families, tried with a small suite of its own."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.conftest import ROOT
from tests.kinds import OUTSIDE, draw

pytest_plugins = ["pytester"]
HOOK = """
import pytest
from tests import kinds

def pytest_configure(config):
    for name in ("sample", *kinds.SLOW_KINDS):
        config.addinivalue_line("markers", name)

@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc):
    yield
    kinds.choose_cases(metafunc)

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    kinds.mark(items)
"""
SUITE = """
import pytest
from tests.kinds import starts

@pytest.fixture
@starts("browser")
def window(): ...

@pytest.fixture
def page(window): ...

def test_page(page): ...

def test_plain(): ...

@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize("number", range(200))
def test_numbers(number): ...

@pytest.mark.sample(test=0.0001, proof=0.0002, quick=0.0001)
@pytest.mark.parametrize("letter", "abc")
def test_letters(letter): ...

@pytest.mark.parametrize("number", range(100))
def test_many(number): ...

@pytest.mark.parametrize("number", range(9))
def test_few(number): ...
"""
MODULE = """
import pytest

pytestmark = pytest.mark.sample(test=0.5)

def test_one(): ...

def test_two(): ...

def test_three(): ...

def test_four(): ...
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer than the suite
    pytester.makeconftest(HOOK)
    pytester.makepyfile(test_suite=SUITE, test_module=MODULE)
    return pytester


def names(suite: pytest.Pytester, expression: str) -> list[str]:
    found = suite.runpytest_inprocess("--collect-only", "-q", "-m", expression).outlines
    return [line.partition("::")[2] for line in found if "::" in line]


def test_a_fixture_gives_its_kind_to_every_test_that_uses_it(suite: pytest.Pytester) -> None:
    assert names(suite, "browser") == ["test_page"]
    assert "test_plain" in names(suite, "not (browser or proof)")


def test_of_a_family_a_share_is_taken_and_one_at_least(suite: pytest.Pytester) -> None:
    chosen = names(suite, "not proof")
    assert 10 <= sum(name.startswith("test_numbers") for name in chosen) <= 30
    assert sum(name.startswith("test_letters") for name in chosen) == 1
    assert 1 <= sum(name in MODULE for name in chosen) < 4
    letters = [name for name in names(suite, "not exhaustive") if name.startswith("test_letters")]
    assert letters == [name for name in names(suite, "not slow") if name in letters]
    assert len(letters) == 1
    assert len(names(suite, "proof or not proof")) == 318


def test_of_many_cases_quick_runs_a_part(suite: pytest.Pytester) -> None:
    chosen = names(suite, "not slow")
    assert 12 <= sum(name.startswith("test_many") for name in chosen) <= 38
    assert sum(name.startswith("test_few") for name in chosen) == 9


def test_the_sample_does_not_depend_on_the_other_cases(suite: pytest.Pytester) -> None:
    before = {name for name in names(suite, "not proof") if name.startswith("test_numbers")}
    suite.makepyfile(test_suite=SUITE.replace("range(200)", "range(400)"))
    after = {name for name in names(suite, "not proof") if name.startswith("test_numbers")}
    assert before == {name for name in after if int(name[13:-1]) < 200} < after


def test_the_sample_has_cases_with_any_name() -> None:
    letters = [f"{first}-{number}" for first in "aw" for number in range(99)]
    assert {name[0] for name in letters if draw(name) < 0.1} == {"a", "w"}
    assert draw("[1]") != draw("[2]")


def test_what_is_not_selected_is_not_made(suite: pytest.Pytester) -> None:
    """But for one case of a function that has none: pytest deselects it."""
    found = suite.runpytest_inprocess("--collect-only", "-q", "-m", "browser").outlines[-1]
    assert found.startswith("1/10 tests collected (9 deselected)")


def test_a_quick_test_starts_no_process() -> None:
    with pytest.raises(RuntimeError, match="test_a_quick_test_starts_no_process starts a process"):
        subprocess.run(["true"], check=True)


def test_every_share_is_a_fraction() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        for shares in re.findall(r"mark\.sample\(([^)]*)\)", path.read_text(encoding="utf-8")):
            for share in shares.split(","):
                command, _, number = share.strip().partition("=")
                assert command in OUTSIDE, path
                assert 0 < float(number) < 1, path
