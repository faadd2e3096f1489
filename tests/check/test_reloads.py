"""Requests to read files again: each gets a reading that begins after it."""

from __future__ import annotations

from queue import Queue
from threading import Thread

from kg.check.reloads import Reloads
from kg.check.watch import changes


def test_a_request_while_files_are_read_needs_another_reading() -> None:
    reloads = Reloads()
    reloads.request()
    reloads.request()
    assert reloads.wait()
    assert not reloads.wait(0), "one reading is enough for both"
    reloads.request()  # while the files are read, so it may be about later ones
    assert reloads.wait()


def test_the_end_wakes_the_thread_that_waits() -> None:
    reloads = Reloads()
    reader = Thread(target=reloads.wait, daemon=True)
    reader.start()
    reloads.end()
    reader.join(30)
    assert not reader.is_alive()
    assert reloads.is_ended


def test_without_watching_files_are_read_for_requests_only() -> None:
    """The letters are what is in the files; the last change is never requested."""
    reloads, files, read = Reloads(), ["A"], Queue[str]()

    def follow() -> None:
        for found in changes(lambda: files[0], str, reloads, watched=False):
            read.put(found)

    reader = Thread(target=follow, daemon=True)
    reader.start()
    answers = []
    for letter in "AABCC":
        files[0] = letter
        reloads.request()
        answers.append(read.get(timeout=30))
    files[0] = "D"
    reloads.end()
    reader.join(30)
    assert answers == [*"AABCC"]
    assert read.empty()
