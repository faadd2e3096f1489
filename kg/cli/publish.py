"""The commands that write output: `kg build` and `kg dump`."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.check.redirects import is_example
from kg.cli.command import command, is_verbose, on_interrupt
from kg.cli.messages import hint, inform, progress, report
from kg.cli.options import (
    AS_OF,
    CLUSTER,
    JOBS,
    PREVIOUS,
    SITE,
    TODAY,
    format_option,
    good_graph,
    run_for,
    site_as_of,
    was_given,
)
from kg.errors import counted
from kg.publish.formats.media import DUMP_SUFFIXES, HTML, PAGE_SUFFIXES

if TYPE_CHECKING:
    from kg.check.check import Checked
    from kg.errors import Problem
    from kg.graph.build import Graph
    from kg.publish.export.last_build import LastBuild

DATA_FORMATS = [suffix[1:] for suffix, media_type in PAGE_SUFFIXES.items() if media_type != HTML]
DUMP_FORMATS = {suffix[1:]: media_type for suffix, media_type in DUMP_SUFFIXES.items()}
SAMPLE = 200  # documents that --verify sample verifies
HOSTING_HELP = "docs/publish.md has the steps for GitHub Pages, GitLab Pages, Netlify and nginx"


def chosen_formats(
    context: click.Context, option: click.Parameter, value: str | None
) -> dict[str, str]:
    """Suffix -> media type of the formats given with --formats, and always of HTML."""
    names = DATA_FORMATS
    if value is not None:
        names = [name.strip().removeprefix(".") for name in value.split(",")]
    wanted = {name for name in names if name} | {"html"}
    if unknown := sorted(wanted - {"html", *DATA_FORMATS}):
        known = ", ".join(DATA_FORMATS)
        raise click.BadParameter(f"unknown format '{unknown[0]}'. Known: {known}.")
    return {suffix: kind for suffix, kind in PAGE_SUFFIXES.items() if suffix[1:] in wanted}


@command(example="kg build mysite -o public")
@SITE
@TODAY
@AS_OF
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    default="site",
    show_default=True,
    help="Folder to write.",
)
@PREVIOUS
@click.option(
    "--formats",
    callback=chosen_formats,
    metavar="FORMAT,…",
    help=f"Data formats of each page (default: {','.join(DATA_FORMATS)}).",
)
@click.option(
    "--editor",
    "has_editor",
    is_flag=True,
    help="Include the SPARQL editor and its engine (6 MB), which answers queries in the browser, "
    "and the reference of the YAML format.",
)
@click.option(
    "--verify",
    type=click.Choice(["all", "sample"]),
    default="all",
    show_default=True,
    help=f"Verify all documents before replacing the folder, or a sample of {SAMPLE}.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Build again after every save, until you press Ctrl-C.",
)
@JOBS
@CLUSTER
def build(
    site: Path,
    today: str,
    as_of: str | None,
    output: Path,
    previous: Path | None,
    formats: dict[str, str],
    has_editor: bool,
    verify: str,
    watch: bool,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Build the site as a folder for any web host: verify it, then replace the previous build.

    If the data has errors, or verification fails, the previous build does not change.
    """
    on_interrupt(f"{output}/ was not changed. The next build continues where this one stopped.")
    from kg.check.redirects import FILE
    from kg.publish.export import last_build

    site, today = site_as_of(site, as_of, today, watch)
    run = run_for(site, today, previous or output / FILE, jobs, cluster)
    options = (formats, has_editor, verify)
    # With --previous, the result also depends on an earlier build.
    is_cacheable = not (watch or previous or as_of)
    inputs = last_build.inputs_digest(site, run, options) if is_cacheable else ""
    if inputs and (last := last_build.find(site, run, output.resolve(), inputs)):
        report(last.problems, site)
        report_build(last, 0, output, formats, has_editor)
        return

    from kg.graph.build import identity
    from kg.publish.export.export import export
    from kg.publish.export.reuse import TraceCache
    from kg.publish.page_files import page_files
    from kg.publish.verify.trial import tried_documents

    traces = TraceCache(run.cache.folder)

    def waiting() -> None:
        inform(f"Another build is writing to {output}/. Waiting for it to end.")

    def write(graph: Graph, problems: list[Problem]) -> None:
        report(problems, site, shown=["address-withdrawn"] if previous else [])
        earlier = previous.parent if previous else None
        files = page_files(graph.site, is_built=True)
        documents = tried_documents(graph, formats, not has_editor, files, earlier, today)
        sample = SAMPLE if verify == "sample" else 0
        with progress("Building") as counting:
            workers = run.counted_by(counting).workers
            written = export(documents, output, workers, sample, traces, waiting)
        last = last_build.LastBuild(
            graph.counts,
            written.files,
            identity(graph.nquads),
            f"{written.proof}",
            str(graph.site.base),  # plain text, not the validated type
            problems,
        )
        report_build(last, written.changed, output, formats, has_editor, hints=not watch)
        # Not if redirects were derived from the previous folder: the new one may have others.
        is_repeatable = inputs and graph.site == graph.facts.site
        if is_repeatable and inputs == last_build.inputs_digest(site, run, options):
            last_build.save(site, run, output.resolve(), inputs, last)

    def show(checked: Checked) -> None:
        if checked.graph and checked.publishable:
            write(checked.graph, checked.problems)
        else:
            report(checked.problems, site)
            inform(f"{output}/ was not changed. Fix the errors above.")

    if watch:
        from kg.cli.check import follow

        # Both signals raise an exception, so that temporary files are removed.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        on_interrupt(f"{output}/ has the last build without errors.")
        follow(site, run, show, "each save is built")
    else:
        write(*good_graph(site, run))


def report_build(
    build: LastBuild,
    changed: int,
    output: Path,
    formats: dict[str, str],
    has_editor: bool,
    hints: bool = True,
) -> None:
    from kg.publish.questions import editor

    files = counted(build.files, "file")
    inform(f"{build.counts}; {files} in {output}/, {changed or 'none'} new or changed.")
    if is_verbose():
        inform(f"Identity (SHA-256 of dump.nq): {build.identity}")
    inform(f"Verified {build.proof}, no private data.")
    if skipped := [name for name in DATA_FORMATS if f".{name}" not in formats]:
        inform(f"Formats not written: {', '.join(skipped)}.")
    if has_editor and (lacking := editor.lacking()):
        inform(lacking)
    if is_example(build.base):
        inform(
            f"{build.base} is an example address. Before you publish, set 'base' in "
            "data/site.yaml to the address of your site, and build again."
        )
    for step in next_steps(f"{output}", build.base) if hints else ():
        hint(step)


def next_steps(folder: str, base: str) -> Iterator[str]:
    yield f"Preview: kg serve {shlex.quote(folder)}"
    if not is_example(base):
        yield f"Publish: copy {folder}/ to {base}. {HOSTING_HELP}."


@command(example="kg dump mysite --format nt > mysite.nt")
@SITE
@format_option(*DUMP_FORMATS, default="ttl", what="Format to write.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder to write; with --shards only.",
)
@click.option(
    "--shards",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Write N files of N-Quads, for servers that load several files at once.",
)
@click.option(
    "--all",
    "is_all",
    is_flag=True,
    help="Include what is not a fact: pages, sources, the vocabulary, and the description.",
)
@JOBS
@CLUSTER
def dump(
    site: Path,
    format: str,
    output: Path | None,
    shards: int | None,
    is_all: bool,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Print all facts.

    With --shards N --output FOLDER, write it to N files instead; a document is always in the same
    file.
    """
    from kg.publish.about import void
    from kg.publish.dumps.dump import dump, write_shards

    if bool(output) != bool(shards):
        raise click.UsageError("--shards N and --output FOLDER need each other. Give both.")
    if shards and was_given("format") and format != "nq":
        raise click.UsageError("--shards writes N-Quads. Leave out --format.")
    graph, _ = good_graph(site, run_for(site, jobs=jobs, cluster=cluster))
    rest = graph.rest + void.nquads(graph) if is_all else b""
    if output and shards:
        paths = write_shards(dump(graph, DUMP_FORMATS["nq"], rest), output, shards)
        inform(f"{graph.counts}; written to {paths[0]} … {paths[-1].name}.")
    else:
        sys.stdout.buffer.write(dump(graph, DUMP_FORMATS[format], rest))
