"""What the author answered to proposals, and what was written, in `data/.sync/PERSON.yaml`:

    - {work: Ice, ids: ["doi:10.5555/ice.1"], field: year, answer: "no", values: ["2024"], …}

A proposal is not shown again while the sources say nothing new: neither one that was refused, nor
one that was written and that the author has changed or removed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kg.facts.yaml.rows import flow
from kg.plugins.exchange.edits.splice import CannotSplice, compose
from kg.plugins.sync import FOLDER
from kg.plugins.sync.found_works import are_one_work
from kg.plugins.sync.people import NotSynced
from kg.plugins.sync.proposals import (
    COMPARED,
    PDF,
    STATUS,
    VENUES,
    WORK,
    Proposal,
    comparable,
    raw_value,
)

HEAD = "# Your answers to kg sync, and what it wrote. Delete a line to be asked again.\n"
YES, NO = "yes", "no"
WRITTEN = (
    *COMPARED,
    *VENUES,
    "doi",
    "arxiv",
    "pmid",
    PDF,
    STATUS,
)  # fields of a new work to remember


class Decision(NamedTuple):
    """An answer about one field of one work, or about the whole work (`work`)."""

    work: str
    ids: tuple[str, ...]
    field: str
    answer: str
    values: tuple[str, ...]
    date: str
    wrote: Mapping[str, str]  # fields of a work that was added

    def covers(self, proposal: Proposal) -> bool:
        """Whether a proposal was answered: the values that it proposes are not new."""
        if not are_one_work(self.ids, proposal.ids):
            return False
        if self.field == WORK != proposal.field:
            known = self.wrote.get(proposal.field)
            return known is not None and known == comparable(proposal.field, proposal.value)
        if self.field != proposal.field:
            return False
        return self.field == WORK or proposal.said[0] in self.values

    @property
    def line(self) -> str:
        fields: dict[str, Any] = {
            "work": self.work,
            "ids": [*self.ids],
            "field": self.field,
            "answer": self.answer,
            "values": [*self.values],
            "date": self.date,
        }
        return f"- {flow({**fields, **({'wrote': dict(self.wrote)} if self.wrote else {})})}\n"


class Decisions:
    """The decisions about one person."""

    def __init__(self, site: Path, person: str) -> None:
        self.path = f"{FOLDER}/{person}.yaml"
        self.known: list[Decision] = read(site / self.path)
        self.index = dict[str, list[Decision]]()
        for each in self.known:
            self.enter(each)

    def enter(self, decision: Decision) -> None:
        for name in decision.ids:
            self.index.setdefault(name, []).append(decision)

    def has_settled(self, proposal: Proposal) -> bool:
        near = (each for name in proposal.ids for each in self.index.get(name, ()))
        return any(each.covers(proposal) for each in near)

    def is_refused(self, ids: Iterable[str]) -> bool:
        """Whether the author said that a work is not theirs."""
        wanted = [*ids]
        near = (each for name in wanted for each in self.index.get(name, ()))
        return any(
            each.field == WORK and each.answer == NO and are_one_work(each.ids, wanted)
            for each in near
        )

    def add(self, proposal: Proposal, answer: str, date: str) -> None:
        wrote = dict[str, str]()
        if proposal.field == WORK and answer == YES:
            pairs = ((name, raw_value(name, proposal.value)) for name in WRITTEN)
            wrote = {name: comparable(name, value) for name, value in pairs if value is not None}
        values = () if proposal.field == WORK else proposal.said
        title, ids = proposal.title, proposal.ids
        found = Decision(title, ids, proposal.field, answer, values, date, wrote)
        self.known.append(found)
        self.enter(found)

    def text(self) -> str:
        in_order = sorted(self.known, key=lambda each: (each.work, each.field, each.date))
        return HEAD + "".join(dict.fromkeys(each.line for each in in_order))


def read(path: Path) -> list[Decision]:
    """The decisions in a file. Raises NotSynced."""
    if not path.exists():
        return []
    try:
        return [
            Decision(
                str(each["work"]),
                tuple(map(str, each["ids"])),
                str(each["field"]),
                str(each["answer"]),
                tuple(map(str, each["values"])),
                str(each["date"]),
                dict(each.get("wrote", {})),
            )
            for each in compose(path.read_text(encoding="utf-8")).plain or ()
        ]
    except (CannotSplice, OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        message = f"{path} cannot be read. Fix it, or delete it to be asked everything again."
        raise NotSynced(message) from error
