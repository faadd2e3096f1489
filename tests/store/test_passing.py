"""A graph on disk that is gone in the end: asked, it says what one in memory says; ended in any
way, it leaves nothing for long.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.sparql import disk
from kg.store import passing
from kg.store.memory import Memory
from kg.store.passing import Passing
from kg.store.room import Room

BASE = "https://lab.example.org/"
LINES = [
    f'<{BASE}a#n{number}> <http://schema.org/name> "{number}" <{BASE}a> .\n'.encode()
    for number in range(300)
]
QUERY = "SELECT ?s ?o { ?s <http://schema.org/name> ?o } ORDER BY ?o ?s"
HOLD = """
import sys, time
from pathlib import Path
from kg.engine.passing import Passing
memory = Passing(sys.argv[1], Path(sys.argv[2]))
memory.load_all([b'<http://a/a> <http://a/b> "c" .'])
print("ready", flush=True)
time.sleep(60)
"""


def loaded(folder: Path) -> Passing:
    memory = Passing(BASE, folder)
    memory.load_all(LINES)
    return memory


def test_it_answers_as_memory_does_to_several_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passing, "AT_ONCE", 1 << 12)
    memory, other = loaded(tmp_path), Memory(BASE, b"".join(LINES))
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: memory.select(QUERY), range(8)))
    assert answers == [other.select(QUERY)] * 8
    assert set(memory.all()) == set(other.all())
    memory.load(
        b'<%sb#it> <http://schema.org/name> "more" <%sb> .\n' % (BASE.encode(), BASE.encode())
    )
    assert memory.documents() == [f"{BASE}a", f"{BASE}b"]


def test_a_forked_process_asks_it_too_and_does_not_take_it_away(tmp_path: Path) -> None:
    memory = loaded(tmp_path)
    pid = os.fork()
    if pid == 0:
        is_same = len(memory.select(QUERY)) == len(LINES)
        memory.end()
        os._exit(0 if is_same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert len(memory.select(QUERY)) == len(LINES)


def test_it_goes_with_who_uses_it(tmp_path: Path) -> None:
    memory = loaded(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [memory.folder.name]
    del memory
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    memory = Passing(BASE, tmp_path)
    shutil.rmtree(memory.folder)
    with pytest.raises(KgError, match=r"cannot be written into .*Make room"):
        memory.load_all(LINES)
    del memory
    gc.collect()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_what_a_killed_program_left_is_cleared_by_the_next(
    tmp_path: Path, number: signal.Signals
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, BASE, tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    held = list(tmp_path.iterdir())
    beside = Passing(BASE, tmp_path)
    assert set(tmp_path.iterdir()) == {*held, beside.folder}, "it is still used"
    process.send_signal(number)
    process.wait()
    process.stdout.close()
    assert held[0].exists() == (number == signal.SIGKILL)
    last = Passing(BASE, tmp_path)
    assert set(tmp_path.iterdir()) == {beside.folder, last.folder}


def test_where_the_folder_cannot_be_written_another_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").write_bytes(b"in the way")
    assert loaded(tmp_path / "file").folder.parent == tmp_path


def test_only_a_graph_larger_than_its_share_goes_to_disk_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "memory", lambda: 8_000_000_000)
    told: list[str] = []
    room = Room(0.25, told.append)
    assert not isinstance(room.memory(BASE, 999_000_000, tmp_path), Passing)
    assert told == []
    assert isinstance(room.memory(BASE, 1_200_000_000, tmp_path), Passing)
    assert told == [
        "The graph would take 2.4 GB of memory, more than 25% of this machine's: it lives on "
        "disk, where questions take some "
        "three to five times as long (--share)."
    ]
