"""A folder is replaced in one step or not at all, and what did not change is not touched."""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kg.errors import KgError, ProblemsFound
from kg.plugins.verify.published_site import verify_site
from kg.publish.export import folder
from kg.publish.export.export import export
from kg.publish.export.folder import MARKER, listed_files, renewed
from kg.publish.formats.media import HTML, JSONLD, TURTLE
from kg.publish.site import Documents
from kg.publish.verify.source import Directory
from tests.conftest import ROOT


def seen(top: Path) -> dict[str, tuple[int, int, bytes]]:
    """Each file with what must stay: its inode, its time, its bytes."""
    found = [path for path in top.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(top)): (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes())
        for path in found
    }


def write(target: Path, **bodies: bytes) -> None:
    with renewed(target) as new:
        for name, body in bodies.items():
            new.put(f"{name}.txt", body)
        new.put(MARKER, "".join(f"{name}.txt\n" for name in bodies).encode())
        new.finish([*map("{}.txt".format, bodies), MARKER])


@pytest.mark.proof
def test_unchanged_input_touches_no_file(built: Path, small: Documents, tmp_path: Path) -> None:
    target = Path(shutil.copytree(built, tmp_path / "site"))
    before, top = seen(target), target.stat()
    assert export(small, target).changed == 0
    assert seen(target) == before
    assert (target.stat().st_ino, target.stat().st_mtime_ns) == (top.st_ino, top.st_mtime_ns)


def test_what_changed_is_written_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "site", a=b"1", b=b"2", c=b"3")
    before = seen(tmp_path / "site")
    write(tmp_path / "site", a=b"1", b=b"20", d=b"4")
    after = seen(tmp_path / "site")
    assert after.keys() == {"a.txt", "b.txt", "d.txt", MARKER}
    assert after["a.txt"] == before["a.txt"]
    assert (after["b.txt"][2], after["d.txt"][2]) == (b"20", b"4")


def test_a_list_of_files_with_a_broken_letter_stops_no_build(tmp_path: Path) -> None:
    write(tmp_path / "site", a=b"1", b=b"2")
    (tmp_path / "site" / MARKER).write_bytes(b"a.txt\n\xff.txt\n")
    write(tmp_path / "site", a=b"3")
    assert (tmp_path / "site" / "a.txt").read_bytes() == b"3"


def test_without_hard_links_times_stay_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no links here")

    write(tmp_path / "site", a=b"1", b=b"2")
    before = seen(tmp_path / "site")
    monkeypatch.setattr(os, "link", refuse)
    write(tmp_path / "site", a=b"1", b=b"20")
    assert seen(tmp_path / "site")["a.txt"][1:] == before["a.txt"][1:]


def test_a_link_in_the_place_of_a_file_is_no_unchanged_file(tmp_path: Path) -> None:
    write(tmp_path / "site", a=b"1")
    (tmp_path / "elsewhere").write_bytes(b"1")
    (tmp_path / "site" / "a.txt").unlink()
    (tmp_path / "site" / "a.txt").symlink_to(tmp_path / "elsewhere")
    write(tmp_path / "site", a=b"1")
    assert not (tmp_path / "site" / "a.txt").is_symlink()


def test_a_linked_folder_is_renewed_where_it_lies(tmp_path: Path) -> None:
    write(tmp_path / "www" / "release", a=b"1")
    (tmp_path / "site").symlink_to(tmp_path / "www" / "release")
    write(tmp_path / "site", a=b"2")
    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "www" / "release" / "a.txt").read_bytes() == b"2"
    assert [path.name for path in (tmp_path / "www").iterdir()] == ["release"]


def test_what_a_killed_build_left_is_cleared_away_but_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "site", a=b"1")
    for name in (".site.kg-abc123", ".site-backup", ".site2.kg-abc123"):
        (tmp_path / name / "people").mkdir(parents=True)
    write(tmp_path / "site", a=b"2")
    assert {path.name for path in tmp_path.iterdir()} == {
        "site",
        ".site-backup",
        ".site2.kg-abc123",
    }


def test_a_build_waits_for_another_that_writes_into_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / ".site.kg-other").mkdir()
    handle = os.open(tmp_path / ".site.kg-other", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    seen_waiting = []

    def end_other() -> None:
        seen_waiting.append((tmp_path / ".site.kg-other").is_dir())
        os.close(handle)

    with renewed(tmp_path / "site", waiting=end_other) as new:
        assert seen_waiting == [True]
        assert list(tmp_path.iterdir()) == [new.beside]


def test_builds_at_once_follow_each_other(tmp_path: Path) -> None:
    """Each finds what the one before it wrote, whole, and all of it is in its own result."""
    names = [f"n{number}" for number in range(6)]

    def add(name: str) -> None:
        with renewed(tmp_path / "site") as new:
            there = listed_files(new.target) - {MARKER}
            files = {**dict.fromkeys(there, b"1"), f"{name}.txt": b"1"}
            for path, body in files.items():
                new.put(path, body)
            new.put(MARKER, "".join(f"{path}\n" for path in files).encode())
            new.finish([*files, MARKER])

    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(add, names))
    assert seen(tmp_path / "site").keys() == {*map("{}.txt".format, names), MARKER}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_where_folders_cannot_change_places_a_killed_build_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "exchange", lambda one, other: False)
    write(tmp_path / "site", a=b"1")
    write(tmp_path / "site", a=b"2")
    assert (tmp_path / "site" / "a.txt").read_bytes() == b"2"
    (tmp_path / "site").rename(tmp_path / ".site.kg-x-old")  # killed after the first of two steps
    (tmp_path / ".site.kg-x").mkdir()
    with renewed(tmp_path / "site") as new:
        assert (tmp_path / "site" / "a.txt").read_bytes() == b"2"
        assert [path for path in tmp_path.iterdir() if path != tmp_path / "site"] == [new.beside]


def assert_killed_builds_leave_the_old_site_whole(folder: Path, rounds: int) -> None:
    command = [sys.executable, "-m", "tests.publish.export.killed", folder, "7", str(rounds)]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert "'killed': " in run.stdout


@pytest.mark.process
@pytest.mark.proof
def test_builds_killed_at_some_moment_leave_the_old_site_whole(tmp_path: Path) -> None:
    assert_killed_builds_leave_the_old_site_whole(tmp_path / "www" / "site", 4)


@pytest.mark.process
@pytest.mark.proof
def test_builds_killed_at_any_moment_leave_the_old_site_whole(tmp_path: Path) -> None:
    assert_killed_builds_leave_the_old_site_whole(tmp_path / "www" / "site", 14)


def limited(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.process
@pytest.mark.proof
def test_a_disk_that_takes_no_more_leaves_the_old_site_whole(built: Path, tmp_path: Path) -> None:
    target = Path(shutil.copytree(built, tmp_path / "site"))
    (target / "dump.nt").write_bytes(b"old")
    before = seen(target)
    command = [Path(sys.executable).with_name("kg"), "build", ROOT / "kg" / "example", "-o", target]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, preexec_fn=limited(100_000)
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert ": File too large. The previous build is unchanged." in run.stderr
    assert "Traceback" not in run.stderr
    assert seen(target) == before
    assert list(tmp_path.iterdir()) == [target]


def test_where_nothing_may_be_written_that_is_said(small: Documents) -> None:
    with pytest.raises(
        KgError, match=r"cannot write /proc/kg/site: .* The previous build is unchanged"
    ):
        export(small, Path("/proc/kg/site"))


def test_packed_copies_are_the_same_each_time_and_only_where_it_pays(built: Path) -> None:
    packed = list(built.rglob("*.gz"))
    assert len(packed) > 50
    for path in packed:
        assert path.read_bytes()[4:8] == b"\0\0\0\0", "a time makes each build another"
        assert path.with_suffix("").stat().st_size >= 1024
        assert path.stat().st_size < path.with_suffix("").stat().st_size
    assert not (built / "static" / "icon.svg.gz").exists()


@pytest.mark.proof
def test_the_forms_may_be_fewer(small: Documents, tmp_path: Path) -> None:
    few = Documents(small.graph, suffixes={".html": HTML, ".ttl": TURTLE})
    written = export(few, tmp_path / "site")
    assert not list((tmp_path / "site" / "people").glob("*.jsonld"))
    assert written.proof.forms == ("ttl",)
    assert JSONLD.encode() + b'" title' not in (tmp_path / "site" / "index.html").read_bytes()
    assert verify_site(Directory(tmp_path / "site")).problems == ()
    (tmp_path / "site" / "people" / "ada-lindqvist.ttl").unlink()
    assert verify_site(Directory(tmp_path / "site")).problems != ()


@pytest.mark.proof
def test_a_build_that_cannot_be_proved_replaces_nothing(
    built: Path, small: Documents, tmp_path: Path
) -> None:
    class Wrong(Documents):
        def write(self, address: str, media_type: str) -> bytes:
            body = super().write(address, media_type)
            return body.replace(b"Ada Lindqvist", b"Ada") if media_type == TURTLE else body

    target = Path(shutil.copytree(built, tmp_path / "site"))
    before = seen(target)
    with pytest.raises(ProblemsFound, match=r"people/ada-lindqvist\.ttl"):
        export(Wrong(small.graph), target)
    assert seen(target) == before
    assert list(tmp_path.iterdir()) == [target]
