"""`kg check`: everything that is wrong, in the form that was asked for; and `kg shapes`, by which
the graph is judged.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.messages import tell
from kg.cli.options import CLUSTER, JOBS, PREVIOUS, SITE, TODAY, clock, crew

if TYPE_CHECKING:
    from collections.abc import Callable

    from kg.check.check import Checked
    from kg.check.report.selection import Selection
    from kg.errors import Severity
    from kg.graph.parallel.executor import Crew

SEVERITIES = (
    "error",
    "warning",
    "info",
)  # those of kg.errors, whose import would make `kg --help` slower
FORMS = ("text", "json", "sarif", "github")
ALL = "all rules"  # no rule is called so


@click.command()
@click.argument(
    "paths", metavar="[SITE] [FILE]...", nargs=-1, type=click.Path(exists=True, path_type=Path)
)
@click.option(
    "-f",
    "--format",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="The form of the report.",
)
@click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="The mildest problems to show.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")
@click.option(
    "--explain",
    is_flag=False,
    flag_value=ALL,
    metavar="[RULE]",
    help="Tell what a rule is for, with examples; or list all rules.",
)
@TODAY
@PREVIOUS
@JOBS
@CLUSTER
@click.option("--watch", is_flag=True, help="Check again after every save, until Ctrl-C.")
@click.option(
    "--reference",
    is_flag=True,
    help="Judge by plain pyshacl alone: the same findings, and a long wait.",
)
def check(
    paths: tuple[Path, ...],
    format: str,
    severity: Severity,
    strict: bool,
    explain: str | None,
    today: str,
    previous: Path | None,
    jobs: int | None,
    cluster: str | None,
    watch: bool,
    reference: bool,
) -> None:
    """Check the facts; every problem with its line.

    FILEs of the site's data limit the report to them. All is checked, and the exit code is that of
    the whole site.
    """
    site, files = site_and_files(paths)
    if explain:
        click.echo(explanation(explain, site), nl=False)
        return

    from kg.check.check import check, check_cached
    from kg.check.report.selection import select

    def report_problems(checked: Checked) -> bool:
        """Reports, and says whether all is well."""
        shown = select(checked.problems, site, checked.publishable, severity, files)
        click.echo(written(shown, format), nl=False)
        if format in ("text", "github"):  # a person reads those
            say_the_rest(shown, checked.graph.counts if checked.graph else "")
        return shown.publishable and not (strict and shown.counts["warning"])

    if watch and reference:
        raise click.UsageError("--reference takes long, and does not go with --watch.")
    who = crew(jobs, cluster)
    if watch:
        keep_checking(site, clock(today), report_problems, previous, who)
        return
    found = (
        check(site, today, plain=True, previous=previous, crew=who)
        if reference
        else check_cached(site, today, previous, who)
    )
    sys.exit(0 if report_problems(found) else 1)


def keep_checking(
    site: Path,
    today: Callable[[], str],
    report_problems: Callable[[Checked], bool],
    previous: Path | None,
    crew: Crew,
) -> None:
    """Tells of the site as it is, and after each save; until it is interrupted."""
    from threading import Event

    from kg.check.check import Checked
    from kg.check.verdict import load_verdict, save_verdict
    from kg.check.watch import checks
    from kg.errors import why
    from kg.settings import site_file

    site_file(site)  # a folder that is no site is wrong use, whatever comes later
    last = None
    try:
        for state in checks(site, today, Event(), load_verdict(site), previous, crew):
            if sys.stdout.isatty():
                click.clear()
            if isinstance(state, Checked):
                report_problems(state)
                last = state.verdict or last
            else:
                tell(why(state), "red")
            tell(f"Watching {site}; a save is answered here. Ctrl-C ends it.")
            del state
    except KeyboardInterrupt:
        tell("")
    finally:
        if last:
            save_verdict(site, last)


def written(shown: Selection, form: str) -> str:
    from kg.check.report import explain, machine, text

    if form == "json":
        return machine.json_text(shown)
    if form == "sarif":
        return machine.sarif_text(shown, explain.reasons(shown.folder))
    lines = (
        machine.github_lines(shown) if form == "github" else text.lines(shown, sys.stdout.isatty())
    )
    return "".join(f"{line}\n" for line in lines)


def say_the_rest(shown: Selection, counts: str) -> None:
    from kg.check.report.text import closing

    if sys.stdout.isatty() and shown.problems:
        tell("")
    for line in filter(None, (counts, *closing(shown))):
        tell(line)


def site_and_files(paths: tuple[Path, ...]) -> tuple[Path, list[str]]:
    """The site's folder, and the files of it that were named. A file finds its site by looking
    upwards.
    """
    folder = paths[0] if paths and paths[0].is_dir() else None
    files = paths[1:] if folder else paths
    if other := next((path for path in files if path.is_dir()), None):
        raise click.UsageError(
            f"{other} is a folder. Name the site's folder first, and then files of it."
        )
    named: list[str] = []
    for path in files:
        found = site_of(path)
        if found is None or (folder and not same(found, folder)):
            where = folder / "data" if folder else "the data/ of any site"
            raise click.UsageError(
                f"{path} is not in {where}. Name files of one site, below its data/."
            )
        folder = folder or found
        named.append(whole(path).relative_to(whole(found)).as_posix())
    return folder or Path(), named


def site_of(file: Path) -> Path | None:
    """The folder of the site in whose data/ a file lies, as it is named from here."""
    for above in whole(file).parents:
        if above.name == "data" and (above / "site.yaml").is_file():
            return above.parent if file.is_absolute() else Path(os.path.relpath(above.parent))
    return None


def whole(path: Path) -> Path:
    # A link in data/ is a file of the site, wherever it leads.
    return Path(os.path.abspath(path))  # noqa: PTH100


def same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def explanation(rule: str, site: Path) -> str:
    """What a rule is for; where nobody wrote that, what its shape says. Of all rules, the first
    sentence.
    """
    from kg.check.report.explain import explanation_files, first_sentence, read, reasons, text
    from kg.check.shape_files import shape_texts
    from kg.facts.values.nearest import closest
    from kg.settings import Site, resources

    known = explanation_files(site)
    shapes = shape_texts(resources(Site(site, "", ""), "shapes", "*.ttl"))
    if rule in known:
        return text(rule, read(known[rule]))
    if rule in shapes:
        return "".join(
            f"{line}\n"
            for line in (f"{rule}: {shapes[rule].message}", shapes[rule].comment)
            if line
        )
    if rule != ALL:
        near = closest(rule, sorted({*known, *shapes}))
        hint = f"Closest: {', '.join(near)}." if near else "`kg check --explain` lists all."
        raise click.UsageError(f"There is no rule '{rule}'. {hint}")
    purposes = {
        **{name: shape.comment or shape.message for name, shape in shapes.items()},
        **reasons(site),
    }
    width = max(map(len, purposes))
    return "".join(
        f"{name:<{width}}  {first_sentence(purposes[name])}\n" for name in sorted(purposes)
    )


@click.command()
@SITE
def shapes(site: Path) -> None:
    """Print the shapes the graph is judged by, as Turtle for any SHACL processor."""
    from kg.check.shape_files import turtle
    from kg.errors import ProblemsFound
    from kg.facts.files import read_site
    from kg.settings import resources

    found, problems = read_site(site)
    if found is None:
        raise ProblemsFound(problems, site)
    sys.stdout.buffer.write(turtle(found.base, resources(found, "shapes", "*.ttl")))
