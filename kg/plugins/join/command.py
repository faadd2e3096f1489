"""`kg join`: adds the published facts of other sites to a site."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.command import command
from kg.cli.messages import inform, progress, warn
from kg.cli.options import TODAY, run_for
from kg.errors import KgError, counted, errors_in
from kg.files.atomic import replace_files
from kg.settings import SITE_FILE

if TYPE_CHECKING:
    from kg.plugins.join.joining import Report

MIN_INTERVAL = 10
MAX_LINES = 5  # of each list; the report has all


@command(
    heading="Publishing",
    short_help="Add the published facts of other sites to a site.",
    example="kg join https://lab.example.org/ --into union",
)
@click.argument("sites", nargs=-1, metavar="[URL|FOLDER|DUMP]...")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="FOLDER",
    help="The site that joins them; a new one if the folder is empty.",
)
@click.option("--base", metavar="URL", help="The address of a new site.")
@click.option("--title", metavar="TEXT", help="The title of a new site.")
@click.option(
    "--watch",
    type=click.IntRange(MIN_INTERVAL),
    metavar="SECONDS",
    help="Join again after this time, until Ctrl-C.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1, 3600),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one site.",
)
@TODAY
def join(
    sites: tuple[str, ...],
    into: Path,
    base: str | None,
    title: str | None,
    watch: int | None,
    timeout: float,
    today: str,
) -> None:
    """Add the published facts of other sites to a site.

    The sites are listed as 'joined' in data/site.yaml, the most trusted first; new ones are added
    to the list. Only changed sites are read again. Facts that fail a check are left out and
    reported in joined/report.md.
    """
    from kg.plugins.join import joining, members

    if not (into / SITE_FILE).exists():
        create(into, base, title, sites)
    members.add(into, members.open_site(into), sites)
    if not members.open_site(into).joined:
        raise click.UsageError(
            "No sites to join. Give their addresses, e.g. kg join https://lab.example.org/, or "
            "list them as 'joined' in data/site.yaml."
        )

    def once(day: str) -> Report:
        with progress("Joining") as counting:
            found = joining.join(into, run_for(into, day), counting, timeout)
        tell(found, into)
        return found

    report = once(today)
    while watch:
        time.sleep(watch)
        try:
            report = once(datetime.date.today().isoformat())
        except (KgError, OSError) as error:
            warn(str(error))
    raise SystemExit(1 if errors_in(report.problems) or report.of("not read") else 0)


def create(folder: Path, base: str | None, title: str | None, sites: tuple[str, ...]) -> None:
    """Writes the settings of a new site."""
    from kg.facts.yaml.rows import flow

    if not base:
        raise click.UsageError(
            f"{folder} is not a site. To create one, add --base with its address, e.g. "
            f"--base https://union.example.org/."
        )
    if not sites:
        raise click.UsageError("No sites to join. Give their addresses.")
    text = f"base: {flow(base)}\ntitle: {flow(title or base)}\n"
    replace_files(folder, {str(SITE_FILE): text})


def tell(report: Report, folder: Path) -> None:
    """Prints what a run found."""
    for status, say in MESSAGES.items():
        for each in report.of(status):
            say(f"{each.site} {each.message}" if each.message else each.site)
    for each in report.outcomes:
        if each.left_out and each.status in ("new", "changed"):
            cut(f"{each.site}: left out", [*each.left_out])
    cut("Contradictions", report.contradictions)
    cut("Not joined, although they share an identifier", report.not_joined)
    if report.same_names:
        number = counted(len(report.same_names), "name")
        inform(f"{number} of several entries; the report says how to join some.")
    for problem in errors_in(report.problems):
        warn(str(problem))
    statuses = ("new", "changed", "unchanged", "not read", "withdrawn", "removed")
    states = ", ".join(f"{len(found)} {each}" for each in statuses if (found := report.of(each)))
    inform(
        f"Joined {report.counts}. Sites: {states}; {counted(report.requests, 'request')}. "
        f"{counted(report.files, 'file')} changed; details: {folder}/joined/report.md.",
        "green",
    )


def cut(title: str, lines: list[str]) -> None:
    for line in lines[:MAX_LINES]:
        inform(f"{title}: {line}")
    if len(lines) > MAX_LINES:
        inform(f"{title}: {len(lines) - MAX_LINES} more in the report")


MESSAGES: dict[str, Callable[[str], None]] = {
    "not read": warn,
    "withdrawn": inform,
    "removed": inform,
}
