"""`kg build`, `kg dump`, `kg embed` and `kg pdf`: the graph as a folder for a web host, as a file,
in the pages of another site, or a CV on paper.
"""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from kg.cli.command import SiteArgument, command, is_verbose, keep
from kg.cli.messages import hint, progress, report, tell
from kg.cli.options import (
    AS_OF,
    CLUSTER,
    FOLDER,
    JOBS,
    PREVIOUS,
    SITE,
    SLUG,
    TODAY,
    formats,
    given,
    good_graph,
    page_named,
    run_over,
    stood,
)
from kg.errors import counted
from kg.publish.formats.media import DUMP_SUFFIXES, HTML, PAGE_SUFFIXES

if TYPE_CHECKING:
    from kg.check.check import Checked
    from kg.errors import Problem
    from kg.graph.build import Graph
    from kg.publish.export.last_build import LastBuild

TWINS = [suffix[1:] for suffix, media_type in PAGE_SUFFIXES.items() if media_type != HTML]
FORMATS = {suffix[1:]: media_type for suffix, media_type in DUMP_SUFFIXES.items()}
SAMPLE = 200
INVENTED = (".example", "example.org", "example.com", "example.net")
OTHERS = "GitHub Pages, GitLab Pages, Netlify, nginx and others: docs/publish.md"
PAGE = click.Path(exists=True, dir_okay=False, path_type=Path)


def chosen(context: click.Context, option: click.Parameter, value: str | None) -> dict[str, str]:
    """The suffixes of the forms that are wanted, pages always among them."""
    names = (
        TWINS if value is None else [name.strip().removeprefix(".") for name in value.split(",")]
    )
    wanted = {name for name in names if name} | {"html"}
    if unknown := sorted(wanted - {"html", *TWINS}):
        raise click.BadParameter(f"There is no form '{unknown[0]}'. There are {', '.join(TWINS)}.")
    return {suffix: kind for suffix, kind in PAGE_SUFFIXES.items() if suffix[1:] in wanted}


@command()
@SITE
@TODAY
@AS_OF
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default="site",
    show_default=True,
    help="The folder to write.",
)
@PREVIOUS
@click.option(
    "--twins",
    callback=chosen,
    metavar="FORM,…",
    help=f"The data forms of each page, instead of all: {','.join(TWINS)}.",
)
@click.option(
    "--editor",
    "has_editor",
    is_flag=True,
    help="Include the SPARQL editor and its engine (6 MB), with which the pages answer any query "
    "in the browser, and the reference of the YAML format.",
)
@click.option(
    "--verify",
    type=click.Choice(["all", "sample"]),
    default="all",
    show_default=True,
    help=f"Prove each page, or {SAMPLE} of them, before the folder is replaced.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Build again what changes, after each save, until it is interrupted.",
)
@JOBS
@CLUSTER
def build(
    site: Path,
    today: str,
    as_of: str | None,
    output: Path,
    previous: Path | None,
    twins: dict[str, str],
    has_editor: bool,
    verify: str,
    watch: bool,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Write the whole site into a folder, for any web host; prove it, and put it in the place of
    the one before.
    """
    keep(f"{output}/ is as it was. What was made is kept, and the next build goes on from there.")
    from kg.check.redirects import FILE
    from kg.publish.export import last_build

    site, today = stood(site, as_of, today, watch)
    run = run_over(site, today, previous or output / FILE, jobs, cluster)
    options = (twins, has_editor, verify)
    # Earlier builds are an input, too, where they are named.
    is_alone = not (watch or previous or as_of)
    inputs = last_build.inputs_digest(site, run, options) if is_alone else ""
    if inputs and (last := last_build.find(site, run, output.resolve(), inputs)):
        report(last.problems, site)
        report_build(last, 0, output, twins, has_editor)
        return

    from kg.graph.build import identity
    from kg.publish.about.change_log import continue_log
    from kg.publish.export.export import export
    from kg.publish.export.reuse import TraceCache
    from kg.publish.verify.trial import tried_documents

    traces = TraceCache(run.cache.folder)

    def waiting() -> None:
        tell(f"Another build writes into {output}/. This one goes on when that has ended.")

    def write(graph: Graph, problems: list[Problem]) -> None:
        report(problems, site)
        log = continue_log(previous.parent, graph.nquads, today) if previous else ()
        documents = tried_documents(graph, twins, log, is_lean=not has_editor)
        sample = SAMPLE if verify == "sample" else 0
        with progress("Building") as counting:
            workers = run.counted_by(counting).workers
            written = export(documents, output, workers, sample, traces, waiting)
        last = last_build.LastBuild(
            graph.counts,
            written.files,
            identity(graph.nquads),
            f"{written.proof}",
            str(graph.site.base),  # without the class that checked it
            problems,
        )
        report_build(last, written.changed, output, twins, has_editor, hints=not watch)
        # What follows from the folder as it was before may not follow from the new one.
        is_repeatable = inputs and graph.site == graph.facts.site
        if is_repeatable and inputs == last_build.inputs_digest(site, run, options):
            last_build.save(site, run, output.resolve(), inputs, last)

    def show(checked: Checked) -> None:
        if checked.graph and checked.publishable:
            write(checked.graph, checked.problems)
        else:
            report(checked.problems, site)
            tell(f"There are errors, so {output}/ stays as it is.")

    if watch:
        from kg.cli.check import follow

        # However it is ended, nothing is left behind.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        keep(f"{output}/ is as the last good save made it.")
        follow(site, run, show, "what a save changes is built")
    else:
        write(*good_graph(site, run))


def report_build(
    build: LastBuild,
    changed: int,
    output: Path,
    twins: dict[str, str],
    has_editor: bool,
    hints: bool = True,
) -> None:
    from kg.publish.questions import editor

    files = counted(build.files, "file")
    tell(f"{build.counts}; {files} in {output}/, {changed or 'none'} of them new or changed.")
    if is_verbose():
        tell(f"Identity: {build.identity}, the digest of dump.nq.")
    tell(f"Proved: {build.proof}; nothing private.")
    if left_out := [name for name in TWINS if f".{name}" not in twins]:
        tell(f"Left out: the forms {', '.join(left_out)}.")
    if has_editor and (lacking := editor.lacking()):
        tell(lacking)
    for step in next_steps(f"{output}", build.base) if hints else ():
        hint(step)


def next_steps(folder: str, base: str) -> Iterator[str]:
    yield f"Look at it: kg serve {shlex.quote(folder)}"
    if (urlsplit(base).hostname or "").endswith(INVENTED):
        yield (
            f"{base} is an example. Write the address that the site will have as 'base' in "
            f"data/site.yaml, and build again. {OTHERS}."
        )
    else:
        yield f"Put it at {base}: any web host will do. {OTHERS}."


@command()
@SITE
@formats(*FORMATS, default="ttl", what="The form to write.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="With --shards: the folder to write.",
)
@click.option(
    "--shards",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Write so many files of N-Quads, for engines that load many at once.",
)
@click.option("--pages", is_flag=True, help="With the graph of pages and lists.")
@JOBS
@CLUSTER
def dump(
    site: Path,
    format: str,
    output: Path | None,
    shards: int | None,
    pages: bool,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Print all facts; or write them into several files, a document always into the same."""
    from kg.publish.dumps.dump import dump, write_shards

    if bool(output) != bool(shards) or (shards and given("format") and format != "nq"):
        raise click.UsageError("--shards N and --output DIR go together, and give N-Quads.")
    graph, _ = good_graph(site, run_over(site, jobs=jobs, cluster=cluster))
    if output and shards:
        paths = write_shards(dump(graph, FORMATS["nq"], pages), output, shards)
        tell(f"{graph.counts}; {paths[0]} to {paths[-1].name}.")
    else:
        sys.stdout.buffer.write(dump(graph, FORMATS[format], pages))


@command(epilog="Example: kg embed ada-lindqvist --into public/*.html")
@SLUG
@click.argument(
    "paths",
    cls=SiteArgument,
    metavar="[SITE]",
    nargs=-1,
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "--into",
    type=PAGE,
    multiple=True,
    metavar="FILE...",
    help="Put it into these pages, or renew it there.",
)
@click.option(
    "--jekyll",
    type=FOLDER,
    is_flag=False,
    flag_value=".",
    metavar="[DIR]",
    help="Write it as an include of a Jekyll site.",
)
@click.option(
    "--hugo",
    type=FOLDER,
    is_flag=False,
    flag_value=".",
    metavar="[DIR]",
    help="Write it as a partial of a Hugo site.",
)
@click.option("--full", is_flag=True, help="All that is known, instead of what the page shows.")
def embed(
    slug: str,
    paths: tuple[Path, ...],
    into: tuple[Path, ...],
    jekyll: Path | None,
    hugo: Path | None,
    full: bool,
) -> None:
    """Print the JSON-LD of a page as a script element, for pasting into another page; or put it
    there, and keep it up to date.

    SLUG is a person's, or an address such as orgs/osu. It is what our page embeds: what that shows,
    in at most 8 kB. A page gets the script at the end of its head. Run it again when facts have
    changed: the script is found by its mark and replaced, and nothing else is touched.
    """
    from kg.publish.embed.inject import HUGO, JEKYLL, update_files
    from kg.publish.formats.urls import file_of
    from kg.publish.site import Documents

    # A shell writes `--into public/*.html` as many words; those behind the first are files, too.
    folders = [path for path in paths if path.is_dir()]
    more = [path for path in paths if not path.is_dir()]
    if len(folders) > 1:
        raise click.UsageError(
            f"{folders[1]} is a folder, and the site is {folders[0]}. Name one site, and files."
        )
    if more and not into:
        raise click.UsageError(
            f"To put it into files, say --into: kg embed {slug} --into {more[0]}"
        )
    documents = Documents(good_graph(folders[0] if folders else Path())[0])
    address = page_named(documents, slug)
    script = documents.embed(address, full)
    if not (into or jekyll or hugo):
        click.echo(script)
        return
    keep("Each page is as it was, or has the new script.")
    chosen = {generator: folder for generator, folder in ((JEKYLL, jekyll), (HUGO, hugo)) if folder}
    piece = file_of(address.removeprefix("people/") or address, ".html")
    pieces = {generator: generator.file(folder, piece) for generator, folder in chosen.items()}
    for file, is_changed in update_files(script, [*into, *more, *pieces.values()]):
        tell(f"{file}: {'written' if is_changed else 'unchanged'}")
    for generator in chosen:
        tell(
            f"Have this line in the <head> of your layout ({generator.layout}):\n  "
            f"{generator.line(piece)}"
        )


@command(epilog="Example: kg pdf ada-lindqvist -o cv.pdf")
@SLUG
@SITE
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="The file to write: SLUG.pdf.",
)
@click.option(
    "--paper",
    type=click.Choice(["A4", "Letter"], case_sensitive=False),
    default="A4",
    show_default=True,
    help="The size of a page.",
)
@click.option(
    "--browser", metavar="PROGRAM", help="A Chromium or Chrome; by itself one that is installed."
)
def pdf(slug: str, site: Path, output: Path | None, paper: str, browser: str | None) -> None:
    """Print the page of a person as PDF, with page numbers and the name on each page.

    SLUG is a person's, or an address such as orgs/osu. An installed Chromium or Chrome prints it,
    without the network; what comes out is what the page prints from a browser.
    """
    from kg.files.atomic import replace_files
    from kg.publish.export.printing import find_browser, print_page
    from kg.publish.site import Documents

    program = find_browser(browser)
    keep("No file was written.")
    documents = Documents(good_graph(site)[0])
    address = page_named(documents, slug)
    with progress("Printing"):
        body = print_page(documents, address, paper, program)
    file = output or Path(f"{address.rpartition('/')[2] or 'index'}.pdf")
    replace_files(file.parent, {file.name: body})
    tell(f"{file}: written")
