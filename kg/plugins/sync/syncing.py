"""Compares each person of a site with the sources, and writes what was chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kg.cli.messages import inform, progress
from kg.facts.files import read_files
from kg.facts.load import load
from kg.files.atomic import lock_site, replace_files
from kg.plugins.exchange.edits.entry_matching import KnownEntries
from kg.plugins.sources.client import Client
from kg.plugins.sync import PATH
from kg.plugins.sync.decisions import NO, YES, Decisions
from kg.plugins.sync.found_works import survey
from kg.plugins.sync.notes import WEB, notes_of, notes_text, open_notes
from kg.plugins.sync.own_works import own_works, paired
from kg.plugins.sync.people import NotSynced, Person, people_of
from kg.plugins.sync.proposals import Proposal, compare
from kg.plugins.sync.summary import PersonReport
from kg.plugins.sync.writing import written


class Choice:
    """Which proposals are accepted and refused."""

    def __init__(
        self,
        apply: bool,
        accepted: set[str],
        refused: set[str],
        ask: Callable[[Proposal], str] | None = None,
    ) -> None:
        self.apply, self.accepted, self.refused, self.ask = apply, accepted, refused, ask
        self.seen = set[str]()
        self.is_ended = False

    def answer(self, proposal: Proposal) -> str:
        """`yes`, `no`, or empty."""
        self.seen.add(proposal.key)
        if proposal.key in self.refused:
            return "no"
        if proposal.key in self.accepted or (self.apply and not proposal.needs_consent):
            return "yes"
        if self.ask is None or self.is_ended:
            return ""
        found = self.ask(proposal)
        self.is_ended = found == "quit"
        return found if found in ("yes", "no") else ""


def reports_of(
    site: Path,
    only: str,
    client: Client,
    today: str,
    choice: Choice,
    is_written: bool,
    has_links: bool = False,
) -> list[PersonReport]:
    """Compares each person, and writes what was chosen. One person is finished before the next, as
    both may have the same work. With `has_links` the links of works are requested, too.
    """
    found = list[PersonReport]()
    with progress("Asking") as stage:
        people = people_of(load(site), client.variables, only)
        if not people:
            raise NotSynced(
                "Nobody here has an identifier. Add your 'orcid' to 'basics', or "
                "'identifiers: {dblp: …}'."
            )
        for person in people:
            stage(person.slug)
            found.append(report_of(site, person, client, today, has_links))
            decide(site, found[-1], today, choice, is_written)
    return found


def report_of(
    site: Path, person: Person, client: Client, today: str, has_links: bool
) -> PersonReport:
    files, facts = read_files(site), load(site)
    if unread := [*files.unreadable, *sorted(files.unread)]:
        raise NotSynced(f"{unread[0]} cannot be read. Run kg check {site} to see why.")
    own = own_works(site, person.slug, files, facts)
    answers = survey(person, [work.doi for work in own if work.doi], client)
    if has_links:
        links = dict.fromkeys(link for work in own for link in work.links.values())
        answers.gone = [each for each in links if client.is_gone(each)]
    pairs = paired(own, answers.works)
    comparison, decisions = compare(person, own, answers.works, pairs), Decisions(site, person.slug)
    left = [each for each in comparison.proposals if not decisions.has_settled(each)]
    notes = notes_of(person.slug, answers, pairs, own, KnownEntries(files), today)
    answers.messages += client.notes
    client.notes.clear()
    return PersonReport(person, answers, comparison, own, left, decisions, notes)


def decide(site: Path, report: PersonReport, today: str, choice: Choice, is_written: bool) -> None:
    """Answers the proposals of a person, and writes the files if that is wanted."""
    answers = {id(each): choice.answer(each) for each in report.open} if is_written else {}
    wanted = [
        each
        for each in report.open
        if (answers[id(each)] == YES if is_written else not each.needs_consent)
    ]
    if not is_written:
        report.preview = written(site, report.person, wanted, today)
        return
    with lock_site(site, inform):
        report.written = written(site, report.person, wanted, today)
        for each in report.open:
            if answers[id(each)] == NO:
                report.decisions.add(each, NO, today)
                report.refused.append(each)
            elif each in report.written.proposals:
                report.decisions.add(each, YES, today)
        texts = dict(report.written.texts)
        if report.decisions.known:
            texts[report.decisions.path] = report.decisions.text()
        report.open = [each for each in report.open if not report.decisions.has_settled(each)]
        report.notes += open_notes(report.open, today)
        asked = [*report.survey.answered, *([] if report.survey.gone is None else [WEB])]
        if notes := notes_text(site, report.person.slug, report.notes, asked):
            texts[PATH] = notes
        replace_files(site, texts)
