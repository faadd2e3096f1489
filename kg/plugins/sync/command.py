"""`kg sync`: brings what services on the web know about the people of a site."""

from __future__ import annotations

import datetime
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.command import command, on_interrupt
from kg.cli.messages import inform, print_file, print_json, show, warn
from kg.cli.options import SITE, complete_slugs

if TYPE_CHECKING:
    from kg.plugins.sources.client import Client
    from kg.plugins.sync.proposals import Proposal
    from kg.plugins.sync.summary import PersonReport

NEW = 1  # exit code if there is something new that was not written
ANSWERS = {"y": "yes", "n": "no", "s": "skip", "q": "quit"}


@command(
    heading="Editing",
    short_help="Compare your works with ORCID, Crossref, dblp and OpenAlex.",
    example="kg sync mysite --apply",
)
@SITE
@click.option(
    "--person",
    default="",
    metavar="SLUG",
    shell_complete=complete_slugs,
    help="Only this person (default: everyone with a CV and an identifier).",
)
@click.option("--apply", is_flag=True, help="Write what is new and certain.")
@click.option("--interactive", is_flag=True, help="Ask about each line, and write the answers.")
@click.option(
    "--accept", multiple=True, metavar="KEY", help="Write this line, even over your own value."
)
@click.option(
    "--refuse", multiple=True, metavar="KEY", help="Not mine, or mine is right: never ask again."
)
@click.option(
    "--links",
    is_flag=True,
    help="Also request the links of your works, and note those that are dead.",
)
@click.option(
    "--offline", "is_offline", is_flag=True, help="Use earlier answers of the sources only."
)
@click.option(
    "--record",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also keep the answers of the sources in this folder.",
)
@click.option(
    "--summary",
    "summary_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write a summary in Markdown, such as the text of a pull request.",
)
@click.option(
    "-f",
    "--format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the list.",
)
def sync(
    site: Path,
    person: str,
    apply: bool,
    interactive: bool,
    accept: tuple[str, ...],
    refuse: tuple[str, ...],
    links: bool,
    is_offline: bool,
    record: Path | None,
    summary_file: Path | None,
    format: str,
) -> None:
    """Compare the works of your CVs with what ORCID, Crossref and other sources say.

    Without options, lists what is new, each line with its reason and a key, and prints what --apply
    would write as a patch. --apply adds works and fields that you do not have and that no source
    contradicts. Your own values are changed only by --accept KEY or --interactive.

    Answers are remembered in data/.sync/, so that nothing is asked twice. kg check reports
    retractions and other notes that the sources gave.

    Exits with 1 if there is something new that was not written.
    """
    on_interrupt(f"{site}/ was not changed.")
    from kg.plugins.sync.people import NotSynced
    from kg.plugins.sync.summary import markdown
    from kg.plugins.sync.syncing import Choice, reports_of

    if links and is_offline:
        raise click.UsageError("--links needs the network. Use it without --offline.")
    if interactive and not sys.stdin.isatty():
        raise click.UsageError("--interactive needs a terminal. Use --accept and --refuse.")
    is_written = bool(apply or interactive or accept or refuse)
    choice = Choice(apply, {*accept}, {*refuse}, asked if interactive else None)
    with closing(client_of(site, is_offline, record)) as client:
        reports = reports_of(site, person, client, client.today, choice, is_written, links)
    if unknown := {*accept, *refuse} - choice.seen:
        raise NotSynced(f"No line has the key {min(unknown)}. Run kg sync to see the keys.")
    if summary_file:
        summary_file.write_text(markdown(reports), encoding="utf-8")
    for report in reports:
        if format == "text":
            print_report(report, site, is_written)
    if format == "json":
        print_json([as_record(each) for report in reports for each in report.open])
    sys.exit(NEW if not is_written and any(each.open for each in reports) else 0)


def client_of(site: Path, is_offline: bool, record: Path | None) -> Client:
    from kg.plugins.exchange.importing import contact_of
    from kg.plugins.sources.client import Client

    today = datetime.date.today().isoformat()
    return Client(today, contact_of(site), is_offline=is_offline, record=record)


def asked(proposal: Proposal) -> str:
    """Asks about a line on the terminal, one key."""
    where = f"{proposal.place}  " if proposal.place else ""
    inform(f"\n{where}{proposal.title}\n  {proposal.change}\n  {proposal.reason}")
    inform("  y  write it    n  no, never ask again    s  skip    q  quit")
    while (key := click.getchar().lower()) not in ANSWERS:
        pass
    return ANSWERS[key]


def print_report(report: PersonReport, site: Path, is_written: bool) -> None:
    from kg.errors import counted
    from kg.plugins.sync.notes import DEAD_LINK
    from kg.plugins.sync.summary import agreement, commands, headline, screen_lines

    for line in report.survey.messages:
        warn(line)
    for line in screen_lines(report):
        show(line, err=True)
    for message in (*report.written.messages, *report.preview.messages):
        inform(message)
    if is_written:
        count = len(report.written.proposals)
        refused = counted(len(report.refused), "line")
        inform(f"{report.person.slug}: wrote {counted(count, 'line')}, refused {refused}.")
    else:
        print_file(report.preview.patch(site).encode())
    places = {each.ids: each.place for each in report.own}
    for note in (each for each in report.notes if each.kind == DEAD_LINK):
        inform(f"{places[note.ids]}: {note.message}")
    inform(headline(report))
    if (text := agreement(report.comparison)) and not is_written:
        inform(text)
    if report.questions:
        inform(f"Answer with {' or '.join(commands(report, site))}, or use --interactive.")


def as_record(proposal: Proposal) -> dict[str, object]:
    return {
        "key": proposal.key,
        "person": proposal.person,
        "place": proposal.place,
        "title": proposal.title,
        "field": proposal.field,
        "mine": proposal.mine,
        "value": proposal.value,
        "change": proposal.change,
        "reason": proposal.reason,
        "needs_consent": proposal.needs_consent,
    }
