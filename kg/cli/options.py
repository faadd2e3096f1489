"""Arguments and options that several commands have, and what they stand for."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from kg.cli.command import SiteArgument
from kg.cli.messages import progress
from kg.errors import SEVERITIES

if TYPE_CHECKING:
    from kg.errors import Problem
    from kg.graph.build import Graph
    from kg.graph.parallel.run import Run
    from kg.publish.site import Documents
    from kg.settings import Site


def complete_slugs(
    context: click.Context, argument: click.Parameter, begun: str
) -> Iterable[CompletionItem]:
    """The people of the site in whose folder one is, with their names by the files they are in."""
    folder = Path(context.params.get("site") or ".")
    slugs = sorted(path.stem for path in folder.glob("data/cv/*.yaml"))
    return [CompletionItem(slug) for slug in slugs if slug.startswith(begun)]


FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
SITE = click.argument("site", cls=SiteArgument, type=FOLDER, default=".")
SLUG = click.argument("slug", shell_complete=complete_slugs)
TODAY = click.option(
    "--today",
    type=click.DateTime(["%Y-%m-%d"]),
    default=lambda: datetime.date.today().isoformat(),
    callback=lambda context, option, day: day.date().isoformat(),
    metavar="YYYY-MM-DD",
    help="The day for rules about the present; by itself the real one.",
)
AS_OF = click.option(
    "--as-of",
    type=click.DateTime(["%Y-%m-%d"]),
    callback=lambda context, option, day: day and day.date().isoformat(),
    metavar="YYYY-MM-DD",
    help="The files as they stood in git at the end of that day, which is --today, too.",
)

FORMS = ("text", "json", "sarif", "github", "gitlab")  # of a report of problems
FOR_PEOPLE = ("text", "github")  # with a summary
SEVERITY = click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="The mildest problems to show.",
)
STRICT = click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")


def addresses_in(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    found = path / "addresses.txt" if path and path.is_dir() else path
    if found and not found.is_file():
        raise click.BadParameter(
            f"there is no {found}. Give a folder that kg build wrote, or the addresses.txt "
            "of the published site."
        )
    return found


PREVIOUS = click.option(
    "--previous",
    type=click.Path(path_type=Path),
    callback=addresses_in,
    metavar="DIR|FILE",
    help=(
        "What was published before: a built folder, or its addresses.txt. No address of it may "
        "be missing."
    ),
)
JOBS = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Processes for a large site: one for each core.",
)
CLUSTER = click.option(
    "--cluster", metavar="ADDRESS", help="A Dask cluster instead of them, e.g. tcp://10.0.0.5:8786."
)


def formats(
    *names: str, what: str, default: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """`-f`, `--format`, and with it `--json`. By itself it is the default, or the first."""
    return click.option(
        "-f",
        "--format",
        type=click.Choice(names),
        default=default or names[0],
        show_default=True,
        help=what,
    )


def given(option: str) -> bool:
    """Whether the value of an option is not its default."""
    return click.get_current_context().get_parameter_source(option) is not ParameterSource.DEFAULT


def clock(today: str) -> Callable[[], str]:
    """The day at each call: the one that was given, or the real one."""
    chosen = given("today")
    return lambda: today if chosen else datetime.date.today().isoformat()


def site_at(site: Path, revision: str | None) -> Path:
    """The site as it stood in git at a revision or at the end of a day, in a folder that lasts as
    long as the command; without one, as it is.
    """
    if revision is None:
        return site
    from kg.files.atomic import scratch_folder
    from kg.files.git import restore
    from kg.settings import FOLDERS

    above = click.get_current_context().with_resource(scratch_folder())
    name = re.sub(r"[^\w.~-]", "-", f"{site.resolve().name}@{revision}")
    folder = above / name  # which messages name
    restore(site, revision, FOLDERS, folder)
    return folder


def stood(site: Path, as_of: str | None, today: str, watch: bool = False) -> tuple[Path, str]:
    """The site, and the day for rules about the present, as --as-of has them."""
    if as_of and watch:
        raise click.UsageError("What stood in git does not change: give --as-of or --watch.")
    return site_at(site, as_of), today if given("today") or not as_of else as_of


def run_over(
    site: Path,
    today: str = "",
    previous: Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Run:
    """A run with the site's cache, as the options of a command want it."""
    from kg.files.cache import Cache
    from kg.graph.parallel.executor import WorkerConfig
    from kg.graph.parallel.run import Run

    if jobs and cluster:
        raise click.UsageError(
            "--jobs is for processes of this machine, --cluster for those of others. Give "
            "one of the two."
        )
    return Run(today, previous, WorkerConfig(jobs or 0, cluster or ""), Cache(site))


def good_graph(site: Path, run: Run | None = None) -> tuple[Graph, list[Problem]]:
    """The graph of a site without errors, and its warnings; how far the check is, is shown."""
    from kg.check.check import check_cached

    with progress("Checking") as counting:
        found = check_cached(site, (run or run_over(site)).counted_by(counting))
        return found.good_graph(site), found.problems


def page_named(documents: Documents, slug: str) -> str:
    """The address of a page."""
    from kg.text.nearest import closest_are

    address = documents.address(slug)
    if address is None:
        near = closest_are(slug, [each.removeprefix("people/") for each in documents.addresses])
        raise click.UsageError(f"There is no page '{slug}'. {near}".rstrip())
    return address


def settings(folder: Path) -> Site:
    """What data/site.yaml says; nothing else is read."""
    from kg.errors import ProblemsFound
    from kg.facts.site_file import read_site

    site, problems = read_site(folder)
    if site is None:
        raise ProblemsFound(problems, folder)
    return site
