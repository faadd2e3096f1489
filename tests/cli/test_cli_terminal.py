"""What a person sees at a real terminal: progress that goes away, and colours where they are
wanted.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.settings import shipped
from tests.cli.test_cli import run

pytestmark = pytest.mark.process

SLOWLY = "import kg.cli.messages as m; m.PROGRESS_DELAY = {patience}; m.PROGRESS_INTERVAL = 0.01; "
IN_SHARDS = (
    "import kg.graph.parallel.shards as s; s.MIN_SHARDED_SIZE = 0; "  # as a large site is checked
)
START = "from kg.cli import main; main()"
ESCAPE = b"\x1b"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    shutil.copytree(shipped("example"), folder, ignore=shutil.ignore_patterns(".*"))
    cv = folder / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(cv.read_text(encoding="utf-8").replace("  accept:", "  accpt:"), encoding="utf-8")
    return folder


def at_terminal(
    *words: object,
    patience: float = 0.01,
    is_piped: bool = False,
    before: str = "",
    **variables: str,
) -> tuple[bytes, int]:
    """All that a command writes to a terminal, or with `is_piped` to stdout there, and its exit
    code. It has `patience` before it shows progress, and runs the code of `before` first.
    """
    near, far = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(
        [sys.executable, "-c", SLOWLY.format(patience=patience) + before + START, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=far,
        stderr=subprocess.DEVNULL if is_piped else far,
        env={**kept, "TERM": "xterm", "COLUMNS": "100", **variables},
    ) as process:
        os.close(far)
        shown = all_of(near)
    return shown, process.returncode


def all_of(terminal: int) -> bytes:
    """All that is written to a terminal until its other end is closed."""
    shown = b""
    try:
        while portion := os.read(terminal, 4096):
            shown += portion
    except OSError:  # it is closed
        pass
    os.close(terminal)
    return shown


def as_seen(shown: bytes) -> list[str]:
    """The lines of the screen in the end, after all that was written over."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode())
    screen = []
    for line in plain.replace("\r\n", "\n").split("\n"):
        seen = ""
        for part in line.split("\r"):
            seen = part + seen[len(part) :]
        screen.append(seen.rstrip())
    return screen


def test_a_long_check_says_what_it_does_and_leaves_no_trace_of_that(site: Path) -> None:
    shown, code = at_terminal("check", site, before=IN_SHARDS)
    assert code == 1
    assert re.search(rb"\rChecking: \d+ of \d+ files mapped", shown)
    assert re.search(rb"\rChecking: \d+ of \d+ rules checked", shown)
    assert "Checking" not in "".join(as_seen(shown))
    assert ESCAPE in shown


def test_a_short_one_shows_nothing(site: Path) -> None:
    assert b"Checking" not in at_terminal("check", site, patience=100)[0]


@pytest.mark.proof
@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_escape_sequences_where_they_are_not_wanted(
    site: Path, variables: dict[str, str]
) -> None:
    shown, code = at_terminal("check", site, **variables)
    assert (code, bool(shown), ESCAPE in shown) == (1, True, False)
    assert (b"Checking" in shown) == ("TERM" not in variables), "a dumb one shows no progress"
    for words in (["check", site / "none"], ["dump", site], ["check", "--explain"]):
        result = CliRunner().invoke(main, [str(word) for word in words], env=variables, color=True)
        assert result.output
        assert "\x1b" not in result.output


@pytest.mark.proof
def test_an_empty_no_color_is_none(site: Path) -> None:
    assert ESCAPE in at_terminal("check", site, NO_COLOR="")[0]


def test_a_quiet_check_shows_the_problems_and_nothing_else(site: Path) -> None:
    shown, code = at_terminal("check", "-q", site)
    assert code == 1
    text = "\n".join(as_seen(shown))
    assert "error[unknown-field]: basics: unknown field 'accpt'." in text
    assert "^^^^^ fix: accept" in text
    assert "before publishing" not in text
    assert b"Checking" not in shown


def test_quiet_says_nothing_on_stderr_and_the_same_on_stdout(site: Path) -> None:
    loud, quiet = run("check", site), run("check", site, "--quiet")
    assert (quiet.stdout, quiet.exit_code) == (loud.stdout, loud.exit_code)
    assert loud.stderr
    assert not quiet.stderr


def test_progress_is_not_for_pipes(site: Path) -> None:
    assert "Checking" not in run("check", site).output
    assert b"Checking" not in at_terminal("check", site, is_piped=True)[0]
