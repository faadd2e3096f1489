"""What `kg build` may be told, and what it says."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.cli.publish import TWINS
from tests.conftest import ROOT

EXAMPLE = ROOT / "kg" / "example"


def build(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["build", str(EXAMPLE), *map(str, arguments)])


def test_forms_may_be_left_out_and_that_is_said(tmp_path: Path) -> None:
    result = build("-o", tmp_path / "out", "--twins", "ttl, .jsonld")
    assert (result.exit_code, result.stdout) == (0, "")
    assert {path.suffix for path in (tmp_path / "out" / "people").iterdir()} == {".html", ".ttl", ".jsonld", ".gz", ".json", ".bib"}
    left = [name for name in TWINS if name not in ("ttl", "jsonld")]
    assert f"Left out: the forms {', '.join(left)}." in result.stderr
    assert "in 3 forms (html, ttl, jsonld)" in result.stderr


def test_a_form_that_does_not_exist_is_wrong_use(tmp_path: Path) -> None:
    result = build("-o", tmp_path / "out", "--twins", "ttl,pdf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"There is no form 'pdf'. There are {', '.join(TWINS)}." in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_sample_says_what_it_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.cli.publish.SAMPLE", 7)
    result = build("-o", tmp_path / "out", "--verify", "sample")
    assert result.exit_code == 0
    assert "Proved: a sample of 7 of " in result.stderr
    assert "left out: whether the dumps are the sum of all documents" in result.stderr


def test_who_waits_at_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    near, far = pty.openpty()
    command = [sys.executable, "-c", "from kg.cli import main; main()", "build", EXAMPLE, "-o", tmp_path / "out"]
    with subprocess.Popen(command, stderr=far, stdin=subprocess.DEVNULL) as process:
        os.close(far)
        said = b""
        try:
            while portion := os.read(near, 4096):
                said += portion
        except OSError:  # the terminal's other end was closed
            pass
        os.close(near)
    assert process.returncode == 0
    assert b" files, " in said
    assert b" a second" in said
    assert b"\r50 of " in said
    assert b" documents proved, " in said
