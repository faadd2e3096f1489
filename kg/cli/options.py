"""Arguments and options shared by several commands, and the values they stand for."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from kg import doors
from kg.cli.command import SiteArgument
from kg.cli.messages import progress
from kg.errors import SEVERITIES
from kg.settings import FOLDERS, SITE_FILE

if TYPE_CHECKING:
    from kg.errors import Problem
    from kg.facts.load import Facts
    from kg.graph.build import Graph
    from kg.graph.parallel.run import Run
    from kg.publish.site import Documents
    from kg.settings import Site


def complete_slugs(
    context: click.Context, argument: click.Parameter, prefix: str
) -> Iterable[CompletionItem]:
    """Completes the keys of people with a CV, by the names of their files."""
    folder = Path(context.params.get("site") or ".")
    slugs = sorted(path.stem for path in folder.glob("data/cv/*.yaml"))
    return [CompletionItem(slug) for slug in slugs if slug.startswith(prefix)]


CV_SUFFIXES = (".json", ".yaml", ".yml", ".bib")


class SiteFolder(click.Path):
    """A folder; the message about a file says how to make a site from it."""

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        if not path.is_dir():
            raise click.UsageError(not_a_site(path), ctx)
        return path


def not_a_site(file: Path) -> str:
    """What to do with a file that is given instead of the folder of a site."""
    name = click.get_current_context().info_name
    if folder := site_of(file):
        return f"{file} is a file of a site. Give the folder: kg {name} {folder}"
    return (
        f"{file} is not a site, but a file. To make a site of a CV, run: kg import {file} --into "
        f"mysite. Then: kg {name} mysite"
    )


def site_of(file: Path) -> Path | None:
    """The folder of the site that contains a file; relative if the path of the file is."""
    for above in absolute(file).parents:
        if above.name in FOLDERS and (above.parent / SITE_FILE).is_file():
            return above.parent if file.is_absolute() else Path(os.path.relpath(above.parent))
    return None


def absolute(path: Path) -> Path:
    # Not resolved: a symbolic link in data/ is a file of the site, wherever it leads.
    return Path(os.path.abspath(path))  # noqa: PTH100


FOLDER = SiteFolder()
SITE = click.argument("site", cls=SiteArgument, type=FOLDER, default=".")
SLUG = click.argument("slug", shell_complete=complete_slugs)
TODAY = click.option(
    "--today",
    type=click.DateTime(["%Y-%m-%d"]),
    default=lambda: datetime.date.today().isoformat(),
    callback=lambda context, option, day: day.date().isoformat(),
    metavar="YYYY-MM-DD",
    help="Date to check against, instead of the current date (default: today).",
)

AS_OF_HELP = "Use the files as they were in git at the end of this day."
AS_OF_FILES, AS_OF = (
    click.option(
        "--as-of",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda context, option, day: day and day.date().isoformat(),
        metavar="YYYY-MM-DD",
        help=text,
    )
    for text in (AS_OF_HELP, f"{AS_OF_HELP} Also sets --today.")
)

TERMINAL = "terminal"  # the report format that replaces text on a terminal
REPORT_FORMATS = (
    "text",
    "json",
    *(each for each in doors.installed("kg.reports") if each != TERMINAL),
)
SEVERITY = click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="Lowest severity to report.",
)
STRICT = click.option("--strict", is_flag=True, help="Treat warnings as errors: exit with 1.")


def addresses_in(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    found = path / "addresses.txt" if path and path.is_dir() else path
    if found and not found.is_file():
        raise click.BadParameter(
            f"{found} does not exist. Give a folder written by kg build, or the addresses.txt of "
            "the published site."
        )
    return found


PREVIOUS = click.option(
    "--previous",
    type=click.Path(path_type=Path),
    callback=addresses_in,
    metavar="FOLDER|FILE",
    help="Previous build, or its addresses.txt: report its addresses that no longer work.",
)
JOBS = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Worker processes for large sites (default: one per core).",
)
CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Dask cluster to use instead of local processes, such as tcp://10.0.0.5:8786.",
)


def format_option(
    *names: str, what: str, default: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `-f`, `--format`; the default is the first name. `Command` adds `--json`."""
    return click.option(
        "-f",
        "--format",
        type=click.Choice(names),
        default=default or names[0],
        show_default=True,
        help=what,
    )


def was_given(option: str) -> bool:
    """Whether the value of an option is not its default."""
    return click.get_current_context().get_parameter_source(option) is not ParameterSource.DEFAULT


def clock(today: str) -> Callable[[], str]:
    """Returns today's date at each call, or always the date given with --today."""
    chosen = was_given("today")
    return lambda: today if chosen else datetime.date.today().isoformat()


def site_at(site: Path, revision: str | None) -> Path:
    """The folder of the site; with a revision or a day, the files as they were in git then, in a
    temporary folder that lasts as long as the command.
    """
    if revision is None:
        return site
    from kg.files.atomic import scratch_folder
    from kg.files.git import restore
    from kg.settings import FOLDERS

    above = click.get_current_context().with_resource(scratch_folder())
    name = re.sub(r"[^\w.~-]", "-", f"{site.resolve().name}@{revision}")
    folder = above / name  # this path is in messages
    restore(site, revision, FOLDERS, folder)
    return folder


def site_as_of(site: Path, as_of: str | None, today: str, watch: bool = False) -> tuple[Path, str]:
    """The folder of the site and the date to check against, by --as-of and --today."""
    if as_of and watch:
        raise click.UsageError("--as-of and --watch exclude each other. Give one.")
    return site_at(site, as_of), today if was_given("today") or not as_of else as_of


def run_for(
    site: Path,
    today: str = "",
    previous: Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Run:
    """The `Run` of a command, by its options, with the cache of the site."""
    from kg.files.cache import Cache
    from kg.graph.parallel.executor import WorkerConfig
    from kg.graph.parallel.run import Run

    if jobs and cluster:
        raise click.UsageError(
            "--jobs and --cluster exclude each other: worker processes run here or on the "
            "cluster. Give one."
        )
    return Run(today, previous, WorkerConfig(jobs or 0, cluster or ""), Cache(site))


def facts_of(site: Path) -> Facts:
    from kg.facts.load import load

    with progress("Reading"):
        return load(site)


def good_graph(site: Path, run: Run | None = None) -> tuple[Graph, list[Problem]]:
    """Checks a site, showing progress. Returns its graph and its warnings; raises ProblemsFound if
    there are errors.
    """
    from kg.check.check import check

    with progress("Checking") as counting:
        found = check(site, (run or run_for(site)).counted_by(counting))
        return found.good_graph(site), found.problems


def page_address(documents: Documents, slug: str) -> str:
    """The address of the page with this slug or address; raises UsageError if there is none."""
    from kg.text.nearest import closest_are

    address = documents.address(slug)
    if address is None:
        near = closest_are(slug, [each.removeprefix("people/") for each in documents.addresses])
        raise click.UsageError(f"Unknown page '{slug}'. {near}".rstrip())
    return address


def settings(folder: Path) -> Site:
    """The settings in data/site.yaml; no other file is read."""
    from kg.errors import ProblemsFound
    from kg.facts.site_file import read_site

    site, problems = read_site(folder)
    if site is None:
        raise ProblemsFound(problems, folder)
    return site
