"""`kg check` reports the problems of a site in five formats; `kg shapes` prints SHACL shapes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg import doors
from kg.check.report import text
from kg.check.report.selection import ReportFormat, Selection, select
from kg.check.site_state import Fixer, Report, Request, SiteState
from kg.cli.command import SiteArgument, command, gc_paused
from kg.cli.messages import inform, progress, warn
from kg.cli.options import (
    AS_OF,
    CLUSTER,
    CV_SUFFIXES,
    JOBS,
    PREVIOUS,
    REPORT_FORMATS,
    SEVERITY,
    SITE,
    STRICT,
    TERMINAL,
    TODAY,
    absolute,
    clock,
    format_option,
    not_a_site,
    run_for,
    settings,
    site_as_of,
    site_of,
)
from kg.errors import KgError, ProblemsFound, Severity, tidy, why
from kg.settings import FOLDERS, NOWHERE, SITE_FILE, Site, resources, site_file

if TYPE_CHECKING:
    from kg.check.check import Checked
    from kg.graph.parallel.run import Run

SITE_FOLDERS = ", ".join(f"{name}/" for name in FOLDERS)
ALL_RULES = "all rules"  # value of --explain without a rule; no rule has this name


@command(example="kg check mysite --severity warning")
@click.argument(
    "paths",
    cls=SiteArgument,
    metavar="[SITE] [FILE]...",
    nargs=-1,
    type=click.Path(exists=True, path_type=Path),
)
@format_option(*REPORT_FORMATS, what="Format of the report.")
@SEVERITY
@STRICT
@click.option(
    "--explain",
    is_flag=False,
    flag_value=ALL_RULES,
    metavar="[RULE]",
    help="Explain a rule with examples; without RULE, list all rules.",
)
@TODAY
@AS_OF
@PREVIOUS
@JOBS
@CLUSTER
@click.option(
    "--fix", is_flag=True, help="Write every certain fix into the files, and check again."
)
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
@click.option("--unsafe", is_flag=True, help="With --fix, ask about fixes that are only likely.")
@click.option("--watch", is_flag=True, help="Check again after every save, until you press Ctrl-C.")
def check(
    paths: tuple[Path, ...],
    format: str,
    severity: Severity,
    strict: bool,
    explain: str | None,
    today: str,
    as_of: str | None,
    previous: Path | None,
    jobs: int | None,
    cluster: str | None,
    fix: bool,
    diff: bool,
    unsafe: bool,
    watch: bool,
) -> None:
    """Check the data of a site and report every problem with its line.

    SITE is a folder with data/site.yaml (default: the current folder). With FILE, only problems
    in these files are reported; the exit code still covers the whole site.

    Exit codes: 0 no errors, 1 errors, 2 invalid command.
    """
    site, files = site_and_files(paths)
    if explain:
        click.echo(explanation(explain, site), nl=False)
        return
    fixes = fix or diff or unsafe
    if fixes and (watch or as_of):
        raise click.UsageError("--fix excludes --watch and --as-of. Give one.")
    fixer = fixer_named("--diff" if diff else "--fix") if fixes else None
    site, today = site_as_of(site, as_of, today, watch)

    def show(report: Report) -> bool:
        """Prints the report. Returns whether the site passes."""
        shown = select(report.problems, site, report.publishable, severity, files)
        if print_report(shown, format):
            named = f"{report.inline} To list them: kg names" if report.inline else ""
            print_summary(shown, report.counts, named)
        return shown.publishable and not (strict and shown.counts["warning"])

    run = run_for(site, today, previous, jobs, cluster)
    if watch:
        what = "each save is checked"
        follow(site, run, lambda checked: show(report_of(checked)), what, clears=True)
        return

    def report() -> Report:
        with progress("Checking") as counting:
            state = SiteState(site, run.counted_by(counting))
            return next(state.cache.map(judge, [state]))

    found = fixer.run(Request(site, files, diff, unsafe), report) if fixer else report()
    sys.exit(0 if show(found) else 1)


def fixer_named(option: str) -> Fixer:
    fixers = doors.each("kg.fixers", Fixer)
    if not fixers:
        raise click.UsageError(f"{option} needs the plugin 'fix' of cv-kg, which is not installed.")
    return next(iter(fixers.values()))


def judge(state: SiteState) -> Report:
    with gc_paused():
        from kg.check.check import check

    return report_of(check(*state))


def report_of(checked: Checked) -> Report:
    from kg.check.own_files import has_own_pages
    from kg.facts.inline import entities

    found, graph = checked, checked.graph
    if graph and has_own_pages(graph.site):  # others need not load what makes pages
        from kg.publish.verify.trial import with_trial

        found = with_trial(checked)
    named = entities.summary(graph.facts.inline) if graph else ""
    return Report(found.problems, found.publishable, graph.counts if graph else "", named)


def follow(
    site: Path,
    run: Run,
    show: Callable[[Checked], object],
    what: str,
    clears: bool = False,
) -> None:
    """Shows the result of a check now and after each save, until Ctrl-C."""
    from kg.check.reloads import Reloads
    from kg.check.watch import checks

    site_file(site)  # raises SiteNotFound for a folder that is not a site, before watching it
    with closing(checks(site, run, clock(run.today), Reloads())) as states:
        for state in states:
            if clears and sys.stdout.isatty():
                click.clear()
            try:
                if isinstance(state, Exception):
                    raise state
                show(state)
            except (KgError, OSError) as error:
                warn(why(error))
            inform(f"Watching {site}; {what}. Press Ctrl-C to stop.")
            del state


def print_report(shown: Selection, format: str) -> bool:
    """Prints the report. Returns whether a summary follows."""
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"  # that of an editor
    at_terminal = format == "text" and is_terminal
    if format == "json":
        from kg.check.report import machine

        click.echo(machine.json_text(shown), nl=False)
        return False
    plugin = doors.each("kg.reports", ReportFormat).get(TERMINAL if at_terminal else format)
    for line in plugin.lines(shown) if plugin else text.lines(shown, at_terminal):
        click.echo(line)
    return plugin is None or plugin.is_for_people


def print_summary(shown: Selection, *counts: str) -> None:
    if sys.stdout.isatty() and shown.problems:
        inform("")
    for line in filter(None, (*counts, *text.closing(shown))):
        inform(line)


def site_and_files(paths: tuple[Path, ...]) -> tuple[Path, list[str]]:
    """The folder of the site and the files given. Without a folder, the site is the one that
    contains the files.
    """
    folder = paths[0] if paths and paths[0].is_dir() else None
    files = paths[1:] if folder else paths
    if other := next((path for path in files if path.is_dir()), None):
        raise click.UsageError(
            f"{other} is a folder. Give the folder of the site first, then files in it."
        )
    named: list[str] = []
    for path in files:
        found = site_of(path)
        if found is None and path.suffix.lower() in CV_SUFFIXES and folder is None:
            raise click.UsageError(not_a_site(path))
        if found is None or (folder and not found.samefile(folder)):
            where = f"the site {folder}" if folder else "a site"
            raise click.UsageError(
                f"{path} is not in {where}. Give files of one site, in its {SITE_FOLDERS}."
            )
        folder = folder or found
        named.append(absolute(path).relative_to(absolute(found)).as_posix())
    return folder or Path(), named


def explanation(rule: str, site: Path) -> str:
    """The explanation of a rule, or the message of its shape; for all rules, a line each."""
    from kg.check.report import explain as explanations
    from kg.check.shapes import read
    from kg.text.nearest import closest_are

    known, added = explanations.explanation_files(site), explanations.plugin_explanations()
    found = read(NOWHERE, resources(Site(site, "", ""), "shapes", "*.ttl")).texts
    shapes = {name: shape for name, shape in found.items() if shape.message}
    if rule in known:
        return explanations.text(rule, explanations.read(known[rule]))
    if rule in added:
        return explanations.text(rule, added[rule])
    if rule in shapes:
        lines = (f"{rule}: {shapes[rule].message}", shapes[rule].comment)
        return "".join(f"{line}\n" for line in lines if line)
    if rule != ALL_RULES:
        hint = closest_are(
            rule, sorted({*known, *added, *shapes}), "kg check --explain lists all rules."
        )
        own = "" if (site / SITE_FILE).exists() else " For a rule of a site, give its folder, too."
        raise click.UsageError(f"Unknown rule '{rule}'. {hint}{own}")
    purposes = {name: shape.comment or shape.message for name, shape in shapes.items()}
    purposes |= explanations.reasons(site)
    width = max(map(len, purposes))
    return "".join(
        f"{name:<{width}}  {explanations.first_sentence(purposes[name])}\n"
        for name in sorted(purposes)
    )


@command(example="kg shapes mysite > shapes.ttl")
@SITE
def shapes(site: Path) -> None:
    """Print the SHACL shapes of the site as Turtle, for any SHACL processor."""
    from kg.check.shapes import read

    found = settings(site)
    every = read(found.base, resources(found, "shapes", "*.ttl"), found.vocabularies)
    if every.problems:
        raise ProblemsFound(tidy(every.problems), site)
    sys.stdout.buffer.write(every.turtle())
