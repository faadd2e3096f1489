"""`kg import` and `kg export`: conversion from and to other CV formats."""

from __future__ import annotations

import datetime
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg import doors
from kg.cli.command import SITE_FLAG, command, on_interrupt
from kg.cli.messages import inform, print_file, print_json, progress, show
from kg.cli.options import SITE, complete_slugs, good_graph, was_given
from kg.errors import counted

if TYPE_CHECKING:
    from click.parser import _OptionParser

    from kg.plugins.exchange.importing import Imported

SITE_FORMATS = "kg.site_exporters"


class SiteOption(click.Option):
    """A site with an option of its own (`--into`), for commands whose arguments are files; `--site`
    works too.
    """

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        parser.add_option(self, [SITE_FLAG], dest=self.name)


class FileOrIdentifier(click.Path):
    """A path, or an identifier such as `orcid:0000-0002-1825-0097` as `str`."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from kg.plugins.exchange.formats import identifier_in

        return identifier_in(value) or super().convert(value, param, ctx)


@command(
    "import",
    heading="Getting started",
    short_help="Import a CV or bibliography: a file, or an ORCID iD, DOI, …",
    example="kg import orcid:0000-0002-1825-0097 papers.bib --into mysite",
)
@click.argument("files", type=FileOrIdentifier(), nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--into",
    "site",
    cls=SiteOption,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="SITE",
    default=".",
    help="Folder of the site; created if it does not exist (default: the current folder).",
)
@click.option(
    "--from",
    "format_name",
    default="",
    metavar="FORMAT",
    help="Format of the files, such as rendercv; kg plugins lists all under kg.importers "
    "(default: detected).",
)
@click.option(
    "--person",
    default="",
    metavar="SLUG",
    help="Person whose CV it is (default: the person named in the files, or the only one of the "
    "site).",
)
@click.option("--dry-run", is_flag=True, help="Print the changes as a patch; write nothing.")
@click.option(
    "--apply",
    is_flag=True,
    help="If a file was imported before, write its changes (default: only print them).",
)
@click.option(
    "--offline", "is_offline", is_flag=True, help="For identifiers: use earlier answers only."
)
@click.option(
    "--record",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="For identifiers: also keep the answers in this folder.",
)
@click.option(
    "--github",
    "hosts",
    flag_value="github",
    multiple=True,
    help="Add the workflow of kg new --github.",
)
@click.option(
    "--gitlab",
    "hosts",
    flag_value="gitlab",
    multiple=True,
    help="Add the pipeline of kg new --gitlab.",
)
@click.option(
    "-f",
    "--report",
    "format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the list of skipped values.",
)
def import_(
    files: tuple[Path | str, ...],
    site: Path,
    format_name: str,
    person: str,
    dry_run: bool,
    apply: bool,
    is_offline: bool,
    record: Path | None,
    hosts: tuple[str, ...],
    format: str,
) -> None:
    """Import the CV and bibliographies of a person, in other formats, into a new or existing site.

    Values without a matching field go into a free section where possible. All others are skipped
    and listed with their line. Your own entries are never changed.

    Instead of a file, you can give an identifier, such as orcid:0000-0002-1825-0097, doi:10.5555/1,
    dblp:PID, openalex:A1, arxiv:2301.00001, ror:03yrm5c26, crossref:orcid:0000-… or
    zotero:groups/1. Its public data is requested from that service.

    Importing the same files again changes nothing. For newer versions of the files, the changes
    are printed as a patch; --apply writes them.
    """
    on_interrupt(f"{site}/ was not changed.")
    from kg.cli.new_site import add_workflows
    from kg.facts.schema import files as schema_files
    from kg.files.atomic import lock_site, replace_files
    from kg.plugins.exchange.draft import Request
    from kg.plugins.exchange.edits.into_site import patch
    from kg.plugins.exchange.importing import contact_of, import_files
    from kg.plugins.exchange.report import (
        as_record,
        report_file,
        screen_lines,
        summary,
    )
    from kg.settings import SITE_FILE

    with ExitStack() as alone:
        if not dry_run:
            alone.enter_context(lock_site(site, inform))
        with progress("Reading"):
            today = datetime.date.today().isoformat()
            request = Request(today, contact_of(site), is_offline, record)
            imported = import_files(files, site, format_name, person, today, request)
        is_written = apply or not imported.is_update
        as_patch = dry_run or (bool(imported.shown) and not is_written)
        if not as_patch:
            schemas = {} if (site / SITE_FILE).exists() else schema_files()
            replace_files(site, {**schemas, **imported.texts, **report_file(imported, site)})
            on_interrupt(f"The import into {site}/ is complete.")
    if format == "json":
        print_json([*map(as_record, imported.left)])
    else:
        for each in screen_lines(imported, site):
            show(each, err=as_patch)
    if as_patch and format != "json":
        print_file(patch(site, imported.shown).encode())
    report_reading(imported)
    for contact in imported.contacts:
        inform(contact.message(site))
    inform(summary(imported, site, as_patch))
    if hosts and not as_patch:
        inform(add_workflows(site, hosts))


def report_reading(imported: Imported) -> None:
    for name, title in imported.read:
        inform(f"{name}: {title}")
    for reason in imported.unread:
        inform(reason)


@command(
    heading="Questions and exports",
    short_help="Export a CV, or a whole site, to another format.",
    example="kg export ada-lindqvist mysite --to jsonresume -o resume.json",
)
@click.argument("slug", required=False, shell_complete=complete_slugs)
@SITE
@click.option(
    "--to",
    "format_name",
    type=click.Choice([*doors.installed("kg.exporters"), *doors.installed(SITE_FORMATS)]),
    required=True,
    help="Format to write.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write, or folder for csv (default: standard output).",
)
def export(slug: str | None, site: Path, format_name: str, output: Path | None) -> None:
    """Export the public part of a CV, or of a whole site, to another format.

    SLUG is the person: ada-lindqvist for data/cv/ada-lindqvist.yaml. bibtex and csl contain the
    publications, vcard the contact data, csv everything, with one file for each section.

    sqlite is a database of the whole site, for Datasette and other programs, and needs no SLUG:
    kg export mysite --to sqlite -o lab.db

    Values that the format cannot represent, and private fields of basics, are listed on stderr.
    """
    from kg.facts.load import load
    from kg.files.atomic import replace_files
    from kg.plugins.exchange.report import shortened
    from kg.plugins.exchange.writers.public_cv import export_cv, format_named

    if format_name not in doors.installed("kg.exporters"):
        export_site(site_and_file(slug, site, output), format_name)
        return
    if slug is None:
        raise click.UsageError(f"--to {format_name} exports a CV. Give a SLUG: ada-lindqvist")
    wanted = format_named(format_name)
    if wanted.is_folder and (output is None or output.is_file()):
        raise click.UsageError(f"--to {format_name} writes several files. Give a folder: -o FOLDER")
    if not wanted.is_folder and output and output.is_dir():
        raise click.UsageError(f"{output} is a folder. Give a file in it.")
    on_interrupt("No file was written.")
    graph, _ = good_graph(site)
    exported = export_cv(load(site), graph, slug, format_name)
    if output is None:
        print_file(exported.files[""])
    else:
        texts = {name: content.decode() for name, content in exported.files.items()}
        replace_files(output.parent, {str(Path(output.name, name)): texts[name] for name in texts})
    for each in exported.left:
        inform(f'{each.value.path}  "{shortened(each.value)}"  {each.why}')
    what = f"Exported {slug} as {wanted.title}" + (f" to {output}" if output else "")
    above = "field or section was", "fields and sections were"
    skipped = f"{counted(len(exported.left), *above)} skipped or shortened (listed above)"
    inform(f"{what}; {skipped}." if exported.left else f"{what}.")


def site_and_file(slug: str | None, site: Path, output: Path | None) -> tuple[Path, Path]:
    """The site to export and the file to write: `kg export mysite --to sqlite -o lab.db`, or in
    the folder of the site, `kg export --to sqlite lab.db`.
    """
    folder = Path(slug) if slug and not was_given("site") else site
    if slug and output is None and not folder.is_dir():
        folder, output = site, Path(slug)
    if output is None or output.is_dir():
        raise click.UsageError("This format is a file of the whole site. Give one: -o FILE")
    return folder, output


def export_site(target: tuple[Path, Path], format_name: str) -> None:
    from kg.files.atomic import replace_files
    from kg.opened_site import OpenSite, SiteFormat
    from kg.plugins.exchange.writers.public_cv import NotExported

    site, output = target
    wanted = doors.loaded(doors.installed(SITE_FORMATS)[format_name], SiteFormat)
    if wanted is None:
        raise NotExported(f"The format '{format_name}' is not available.")
    on_interrupt("No file was written.")
    graph, _ = good_graph(site)
    replace_files(output.parent, {output.name: wanted.write(OpenSite(graph))})
    inform(f"Exported {site} as {wanted.title} to {output}.")
