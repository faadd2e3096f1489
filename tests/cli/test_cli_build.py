"""What `kg build` may be told, and what it says."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.cli.publish import DATA_FORMATS
from tests.cli.test_cli import run
from tests.cli.test_cli_terminal import all_of
from tests.conftest import ROOT, skip

EXAMPLE = ROOT / "kg" / "example"


def build(site: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["build", str(site), *map(str, arguments)])


@pytest.mark.proof
def test_forms_may_be_left_out_and_that_is_reported(one_person: Path, tmp_path: Path) -> None:
    result = build(one_person, "-o", tmp_path / "out", "--formats", "ttl, .jsonld")
    assert (result.exit_code, result.stdout) == (0, "")
    files = filter(Path.is_file, (tmp_path / "out" / "people").iterdir())
    assert {path.suffix for path in files} == {".html", ".ttl", ".jsonld", ".json", ".vcf", ".png"}
    left = [name for name in DATA_FORMATS if name not in ("ttl", "jsonld")]
    assert f"Formats not written: {', '.join(left)}." in result.stderr
    assert "both formats agree" in result.stderr


def test_a_form_that_does_not_exist_is_wrong_use(tmp_path: Path) -> None:
    result = build(EXAMPLE, "-o", tmp_path / "out", "--formats", "ttl,pdf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"unknown format 'pdf'. Known: {', '.join(DATA_FORMATS)}." in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.proof
def test_a_sample_says_what_it_left_out(
    one_person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.cli.publish.SAMPLE", 3)
    result = build(one_person, "-o", tmp_path / "out", "--verify", "sample")
    assert result.exit_code == 0
    assert "Verified a sample of 3 of " in result.stderr
    assert "(dumps not compared)" in result.stderr


@pytest.mark.process
@pytest.mark.proof
def test_who_waits_at_a_terminal_sees_how_far_it_is(one_person: Path, tmp_path: Path) -> None:
    near, far = pty.openpty()
    command = [
        sys.executable,
        "-c",
        "import kg.cli.messages as m; m.PROGRESS_DELAY = 0.1; from kg.cli import main; main()",
        "build",
        one_person,
        "-o",
        tmp_path / "out",
    ]
    with subprocess.Popen(command, stderr=far, stdin=subprocess.DEVNULL) as process:
        os.close(far)
        shown = all_of(near)
    assert process.returncode == 0
    assert re.search(rb"\rBuilding: [\d,]+ of [\d,]+ files", shown)


@contextmanager
def small_disk(at: Path, size: str) -> Iterator[None]:
    at.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", at],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", at], check=True)


@pytest.mark.process
@pytest.mark.proof
def test_a_full_disk_loses_nothing_and_with_more_space_the_build_succeeds(
    example: Path, tmp_path: Path
) -> None:
    disk, target = tmp_path / "disk", tmp_path / "disk" / "site"
    command = [
        sys.executable,
        "-c",
        "from kg.cli import main; main()",
        "build",
        example,
        "-o",
        target,
        "--formats",
        "ttl",
    ]
    with small_disk(disk, "64m"):
        subprocess.run(command, check=True, capture_output=True)
        before = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}
        full = disk / "full"
        for size in (1 << 20, 1 << 12):
            with suppress(OSError), full.open("ab", buffering=0) as file:
                while file.write(b"x" * size):
                    pass
        site = example / "data" / "site.yaml"
        site.write_text(
            site.read_text(encoding="utf-8").replace("A small laboratory", "A crowded laboratory"),
            encoding="utf-8",
        )
        run = subprocess.run(command, check=False, capture_output=True, text=True)
        assert run.returncode == 2
        assert ": No space left on device" in run.stderr
        assert "The previous build is unchanged." in run.stderr
        assert "Traceback" not in run.stderr
        assert {path: path.read_bytes() for path in target.rglob("*") if path.is_file()} == before
        assert sorted(disk.iterdir()) == [full, target]
        full.unlink()
        subprocess.run(command, check=True, capture_output=True)
        assert b"A crowded laboratory" in (target / "index.html").read_bytes()


def test_a_small_site_is_a_small_folder(tmp_path: Path) -> None:
    site, out = str(tmp_path / "mine"), tmp_path / "out"
    assert run("new", site).exit_code == 0
    assert run("build", site, "-o", str(out)).exit_code == 0
    lean = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert len(lean) <= 120
    assert sum(path.stat().st_size for path in out.rglob("*")) < 1_500_000
    assert ">Format</a>" not in (out / "index.html").read_text(encoding="utf-8")
    assert [path for path in lean if path.startswith("queries/")] == ["queries/index.html"]
    assert run("verify", str(out)).exit_code == 0
    assert run("build", site, "--editor", "-o", str(out)).exit_code == 0
    whole = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    added = {"format.html", "queries/coauthors-of.html", "static/editor.js", "static/engine.js"}
    assert lean < whole and added <= whole - lean
