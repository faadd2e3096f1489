"""The report of `kg sync`: lines for a terminal, and Markdown for a pull request."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kg.errors import counted
from kg.plugins.sync.decisions import Decisions
from kg.plugins.sync.found_works import Survey
from kg.plugins.sync.notes import Note
from kg.plugins.sync.own_works import OwnWork
from kg.plugins.sync.people import Person
from kg.plugins.sync.proposals import TITLES, WORK, Comparison, Proposal
from kg.plugins.sync.writing import Written
from kg.text.normalize import squeeze

NOTHING_NEW = "nothing new"


@dataclass
class PersonReport:
    """What was found about a person, and what was written."""

    person: Person
    survey: Survey
    comparison: Comparison
    own: list[OwnWork]
    open: list[Proposal]  # without an answer
    decisions: Decisions
    notes: list[Note] = field(default_factory=list)
    refused: list[Proposal] = field(default_factory=list)
    written: Written = field(default_factory=Written)
    preview: Written = field(default_factory=Written)  # what `--apply` would write

    @property
    def questions(self) -> list[Proposal]:
        """Proposals that still need the author's consent."""
        return [each for each in self.open if each.needs_consent]

    @property
    def certain(self) -> list[Proposal]:
        """Proposals that `--apply` writes."""
        return [each for each in self.open if not each.needs_consent]


def by_work(proposals: Iterable[Proposal]) -> dict[str, list[Proposal]]:
    found = dict[str, list[Proposal]]()
    for each in proposals:
        above = each.place if each.field != WORK else ""
        found.setdefault(f"{above}  {each.title}" if above else "New works", []).append(each)
    return found


def screen_lines(report: PersonReport) -> list[str]:
    """The proposals by work, each with its key and reason."""
    lines = list[str]()
    for title, proposals in by_work(report.open).items():
        lines.append(title)
        for each in proposals:
            mark = "?" if each.needs_consent else " "
            lines.append(f"  {each.key} {mark} {each.change}")
            lines.append(f"           {each.reason}")
    return lines


def headline(report: PersonReport) -> str:
    """`ada-berg: 2 works and 3 fields to add, 1 question.`"""
    sure = report.certain
    works = sum(each.field == WORK for each in sure)
    parts = [
        counted(works, "work to add", "works to add") if works else "",
        counted(len(sure) - works, "field to add", "fields to add") if len(sure) > works else "",
        counted(len(report.questions), "question") if report.questions else "",
    ]
    asked = ", ".join(TITLES[name] for name in report.survey.answered)
    what = ", ".join(filter(None, parts)) or NOTHING_NEW
    return f"{report.person.slug}: {what} ({asked})."


def agreement(comparison: Comparison) -> str:
    """How often each source agrees: `Crossref agrees with 38 of 40, dblp agrees with 12 of 13`"""
    sources = sorted({*comparison.agreed, *comparison.differed})
    parts = [
        f"{TITLES[name]} agrees with {comparison.agreed[name]} of "
        f"{comparison.agreed[name] + comparison.differed[name]}"
        for name in sources
    ]
    return f"Years, volumes, issues and pages: {', '.join(parts)}." if parts else ""


def commands(report: PersonReport, site: Path) -> list[str]:
    """How to answer the questions without a terminal."""
    first = report.questions[0].key if report.questions else "KEY"
    where = [] if site == Path() else [str(site)]
    return [shlex.join(["kg", "sync", *where, flag, first]) for flag in ("--accept", "--refuse")]


def code(text: object) -> str:
    """A text of strangers as Markdown code: no links, mentions or HTML."""
    return f"`{squeeze(str(text)).replace('`', chr(39))}`"


def markdown(reports: Sequence[PersonReport]) -> str:
    """The summary for a pull request."""
    lines = ["# What is new according to ORCID, Crossref and other sources", ""]
    for report in reports:
        lines += [f"## {code(report.person.slug)}", ""]
        lines += section("Written", report.written.proposals)
        lines += section("To be written by --apply", report.certain)
        lines += section("Not written, because it needs your answer", report.questions)
        if report.questions:
            yes, no = commands(report, Path())
            lines += [f"To accept a line, run `{yes}`; to refuse it for good, `{no}`.", ""]
        lines += ["### Notes", "", *(note_line(each) for each in report.notes), ""] * bool(
            report.notes
        )
        if report.survey.messages:
            lines += ["### Sources that did not answer", ""]
            lines += [*(f"- {code(each)}" for each in report.survey.messages), ""]
        if not (report.open or report.written.proposals):
            lines += [f"{NOTHING_NEW.capitalize()}.", ""]
        lines += [each for each in (agreement(report.comparison), "") if each or lines[-1]]
    return "\n".join(lines).rstrip() + "\n"


def section(title: str, proposals: Sequence[Proposal]) -> list[str]:
    if not proposals:
        return []
    lines = [f"### {title}", "", "| Work | Change | Reason | Key |", "|---|---|---|---|"]
    for each in proposals:
        cells = (code(each.title), code(each.change), code(each.reason), f"`{each.key}`")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return [*lines, ""]


def note_line(note: Note) -> str:
    return f"- {code(note.ids[0])}: {code(note.message)}"
