"""Requests to read files anew: each waits for a state that was read after it, and none for ever."""

from __future__ import annotations

from threading import Thread

from kg.check.reloads import ENDED, Outcome, Reloads
from kg.check.watch import changes

GOOD, BAD = Outcome(True, "served"), Outcome(False, "refused")


def test_a_request_waits_for_a_state_that_was_read_after_it() -> None:
    reloads = Reloads()
    first = reloads.request()
    assert reloads.wait()
    second = reloads.request()  # while the files are read, so it may be about later ones
    reloads.settle(BAD)
    assert (first.result(0), second.done()) == (BAD, False)
    assert reloads.wait()
    reloads.settle(GOOD)
    assert second.result(0) == GOOD
    assert not reloads.wait(0)


def test_the_end_answers_all_and_those_who_come_later() -> None:
    reloads = Reloads()
    begun = reloads.request()
    reloads.wait()
    waiting = reloads.request()
    reloads.end(BAD)
    reloads.end()
    assert [begun.result(0), waiting.result(0), reloads.request().result(0)] == [BAD] * 3
    assert not reloads.wait()


def test_nobody_can_cancel_what_others_will_answer() -> None:
    reloads = Reloads()
    assert not reloads.request().cancel()
    reloads.end()


def test_without_watching_only_requests_are_answered_and_each_is() -> None:
    """The letters are what is in the files; the last change is never requested."""
    reloads, files, read = Reloads(), ["A"], list[str]()

    def follow() -> None:
        for found in changes(lambda: files[0], str, reloads, watched=False):
            read.append(found)
            reloads.settle(Outcome(True, found))

    reader = Thread(target=follow)
    reader.start()
    answers = []
    for letter in "AABCC":
        files[0] = letter
        answers.append(reloads.request().result(30).message)
    files[0] = "D"
    reloads.end()
    reader.join(30)
    assert (answers, read) == ([*"AABCC"], [*"AABCC"])
    assert reloads.request().result(0) == ENDED
