"""Arguments and options that several commands have."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from kg.publish.formats.media import DUMP_SUFFIXES

if TYPE_CHECKING:
    from kg.graph.parallel.executor import Crew

SITE = click.argument(
    "site", type=click.Path(exists=True, file_okay=False, path_type=Path), default="."
)
IN_SITE = click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="The site's folder.",
)
TODAY = click.option(
    "--today",
    type=click.DateTime(["%Y-%m-%d"]),
    default=lambda: datetime.date.today().isoformat(),
    callback=lambda context, option, day: day.date().isoformat(),
    metavar="YYYY-MM-DD",
    help="The day for rules about the present; by itself the real one.",
)


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
FORMATS = {suffix[1:]: media_type for suffix, media_type in DUMP_SUFFIXES.items()}


def given(option: str) -> bool:
    """Whether somebody chose the value of an option."""
    return click.get_current_context().get_parameter_source(option) is not ParameterSource.DEFAULT


def crew(jobs: int | None, cluster: str | None) -> Crew:
    """The processes that map and judge a large site."""
    from kg.cli.messages import counting
    from kg.graph.parallel.executor import Crew

    if jobs and cluster:
        raise click.UsageError(
            "--jobs is for processes of this machine, --cluster for those of others. Give "
            "one of the two."
        )
    return Crew(jobs or 0, cluster or "", counting)


def clock(today: str) -> Callable[[], str]:
    """The day, whenever it is asked for: the one that was given, or the real one."""
    chosen = given("today")
    return lambda: today if chosen else datetime.date.today().isoformat()
