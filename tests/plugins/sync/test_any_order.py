"""Edits, syncs, answers and newer values of sources, in any order: what the author wrote stays, and
nothing is asked twice.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kg.plugins.exchange.edits.splice import compose
from kg.plugins.sync.proposals import WORK, Proposal, comparable
from tests.plugins.sync.services import Session, Work, session

TITLES = ("Loud ice", "Rivers that listen", "Snow maps")
YEARS, VOLUMES = st.integers(2019, 2022), st.sampled_from(["3", "4", "12"])
NUMBERS = st.integers(0, 2)
SOURCES = ("crossref", "orcid", "openalex")
EDITED = ("year", "volume")


class AnyOrder(RuleBasedStateMachine):
    """A CV, three works of three sources, and what the author wrote and answered."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        works = [
            Work(f"10.5555/w.{number}", title, 2020, "3", sources=SOURCES)
            for number, title in enumerate(TITLES)
        ]
        self.context = session(Path(self.folder.name) / "site", works)
        self.session: Session = self.context.__enter__()
        self.typed = dict[tuple[str, str], str]()  # what the author wrote: (title, field) -> value
        self.removed = set[str]()
        self.answered = set[tuple[str, str, str]]()

    def teardown(self) -> None:
        self.context.__exit__(None, None, None)
        self.folder.cleanup()

    def entries(self) -> dict[str, dict[str, Any]]:
        root = compose(self.session.text).plain
        return {each["title"]: each for each in root.get("publications") or ()}

    def identity(self, proposal: Proposal) -> tuple[str, str, str]:
        value = "" if proposal.field == WORK else proposal.said[0]
        return proposal.title, proposal.field, value

    @rule(number=NUMBERS, source=st.sampled_from(SOURCES), year=YEARS, volume=VOLUMES)
    def source_says_something_else(self, number: int, source: str, year: int, volume: str) -> None:
        works = self.session.services.works
        old = works[number]
        instead = {**old.instead, source: {"year": year, "volume": volume}}
        works[number] = Work(old.doi, old.title, 2020, "3", sources=SOURCES, instead=instead)

    @rule()
    def sync(self) -> None:
        before, lines = self.entries(), self.session.text.splitlines()
        shown = self.session.sync().open
        written = [each for each in shown if not each.needs_consent]
        self.session.sync(write=True)
        self.answered |= {self.identity(each) for each in written}
        for title, fields in before.items():
            after = self.entries()[title]
            assert fields.items() <= after.items()
        now = iter(self.session.text.splitlines())
        assert all(line in now for line in lines), "new lines follow the author's, which stay"

    @rule(at=st.integers(0, 9))
    def refuse(self, at: int) -> None:
        if shown := self.session.sync().open:
            proposal = shown[at % len(shown)]
            text = self.session.text
            self.session.sync(refuse={proposal.key})
            self.answered.add(self.identity(proposal))
            assert self.session.text == text

    @rule(at=st.integers(0, 9))
    def accept(self, at: int) -> None:
        if shown := self.session.sync().open:
            proposal = shown[at % len(shown)]
            self.session.sync(accept={proposal.key})
            self.answered.add(self.identity(proposal))
            self.typed.pop((proposal.title, proposal.field), None)

    @precondition(lambda self: self.entries())
    @rule(at=NUMBERS, field=st.sampled_from(EDITED), year=YEARS, volume=VOLUMES)
    def edit(self, at: int, field: str, year: int, volume: str) -> None:
        entries = self.entries()
        title = [*entries][at % len(entries)]
        there = "date" if field == "year" and "date" in entries[title] else field
        value = str(year) if field == "year" else volume
        root = compose(self.session.text).fields["publications"]
        (item,) = [each for each in root.items if each.fields["title"].plain == title]
        text = self.session.text
        if there in item.fields:
            node = item.fields[there]
            text = text[: node.start] + value + text[node.end :]
        else:
            end = item.fields["title"].end
            text = f"{text[:end]}\n    {there}: {value}{text[end:]}"
        self.session.cv.write_text(text)
        self.typed[title, field] = value

    @precondition(lambda self: self.entries())
    @rule(at=NUMBERS)
    def remove(self, at: int) -> None:
        entries = self.entries()
        title = [*entries][at % len(entries)]
        root = compose(self.session.text).fields["publications"]
        number = [each.fields["title"].plain for each in root.items].index(title)
        lines = self.session.text.splitlines(keepends=True)
        starts = [self.session.text.count("\n", 0, each.start) for each in root.items] + [
            len(lines)
        ]
        del lines[starts[number] : starts[number + 1]]
        left = "".join(lines).removesuffix("publications:\n")
        self.session.cv.write_text(left)
        self.removed.add(title)
        self.typed = {key: value for key, value in self.typed.items() if key[0] != title}

    @invariant()
    def what_the_author_wrote_stays(self) -> None:
        entries = self.entries()
        for (title, field), value in self.typed.items():
            fields = entries[title]
            there = fields.get("date") or fields.get("year") if field == "year" else fields[field]
            assert comparable(field, there) == comparable(field, value)

    @invariant()
    def what_was_removed_stays_away(self) -> None:
        assert not self.removed & self.entries().keys()

    @invariant()
    def nothing_is_asked_twice(self) -> None:
        if self.answered:
            shown = {self.identity(each) for each in self.session.sync().open}
            assert not shown & self.answered


def sampled(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


@pytest.mark.fuzz
class TestAnyOrder(AnyOrder.TestCase):  # type: ignore[misc, name-defined]
    settings = sampled(2, 6)


@pytest.mark.proof
class TestMoreOrders(AnyOrder.TestCase):  # type: ignore[misc, name-defined]
    settings = sampled(60, 12)
