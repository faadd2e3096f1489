"""The commands `kg import` and `kg export`."""

from __future__ import annotations

import datetime
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg import doors
from kg.cli.command import SiteOption, command, keep
from kg.cli.messages import progress, show, show_file, show_json, tell
from kg.cli.options import SITE, SLUG, formats, good_graph
from kg.errors import counted

if TYPE_CHECKING:
    from kg.plugins.exchange.draft import Unplaced
    from kg.plugins.exchange.importing import Imported

SHOWN = 60  # characters shown of a skipped value


@command(
    "import",
    heading="Start",
    short_help="Take over a CV or a bibliography of another format.",
)
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--into",
    "site",
    cls=SiteOption,
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The site's folder; it is made where there is none.",
)
@click.option("--from", "format_name", default="", metavar="FORMAT", help="The format, by name.")
@click.option("--person", default="", metavar="SLUG", help="Whose CV it is, where no file tells.")
@click.option("--dry-run", is_flag=True, help="Print what would change as a patch, no more.")
@click.option("--apply", is_flag=True, help="Write what is new in files that were imported before.")
@formats("text", "json", what="The form of the list of what has no place.")
def import_(
    files: tuple[Path, ...],
    site: Path,
    format_name: str,
    person: str,
    dry_run: bool,
    apply: bool,
    format: str,
) -> None:
    """Take over CVs and bibliographies of other formats, into a new site or one that is there.

    What has no field of ours goes into a free section, or is listed with its line. What you wrote
    yourself stays. The same files again change nothing; newer ones give a patch, which --apply
    writes.
    """
    keep(f"{site}/ is as it was.")
    from kg.facts.schema import files as schema_files
    from kg.files.atomic import lock_site, replace_files
    from kg.plugins.exchange.edits.into_site import patch
    from kg.plugins.exchange.importing import import_files
    from kg.settings import SITE_FILE

    with ExitStack() as alone:
        if not dry_run:
            alone.enter_context(lock_site(site, tell))
        with progress("Reading"):
            today = datetime.date.today().isoformat()
            imported = import_files(files, site, format_name, person, today)
        as_patch = dry_run or (imported.is_update and not apply and bool(imported.shown))
        if not as_patch:
            schemas = {} if (site / SITE_FILE).exists() else schema_files()
            replace_files(site, {**schemas, **imported.texts})
            keep(f"{site}/ has what was imported.")
    if format == "json":
        show_json([*map(as_record, imported.left)])
    else:
        for left in imported.left:
            show(line(left), err=as_patch)
    for place, message in imported.differences:
        show(f"{site / place.file}:{place.line}  {message}", err=as_patch)
    if as_patch and format != "json":
        show_file(patch(site, imported.shown).encode())
    report_reading(imported)
    for email, path in imported.hidden_emails:
        tell(
            f"{email} is not shown on the page. To show it, write in {site / path}: "
            f"email: {{value: {email}, visibility: public}}"
        )
    tell(summary(imported, site, as_patch))


def as_record(left: Unplaced) -> dict[str, object]:
    place = left.value.place
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "path": left.value.path,
        "value": str(left.value),
        "why": left.why,
        "section": left.section,
    }


def line(left: Unplaced) -> str:
    """`resume.json:12:5  work[0].team  "Ice"  no matching field`."""
    where = f"; it is in the section '{left.section}'" if left.section else ""
    return f'{left.value.place}  {left.value.path}  "{shortened(left.value)}"  {left.why}{where}'


def shortened(value: str) -> str:
    text = " ".join(value.split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def report_reading(imported: Imported) -> None:
    for name, title in imported.read:
        tell(f"{name}: {title}")
    for reason in imported.unread:
        tell(reason)


def summary(imported: Imported, site: Path, as_patch: bool) -> str:
    """The last line of the report: how many values were imported, and the next step."""
    if not imported.shown:
        return f"Nothing is new for {site}/."
    if as_patch:
        told = "Add --apply" if imported.is_update else "Leave out --dry-run"
        return f"Nothing is written yet. {told}, or pipe this into: patch -p1 -d {site}"
    left = counted(len(imported.left), "is", "are") + " listed above"
    if not imported.left:
        left = "none is left"
    if imported.differences:
        differ = counted(len(imported.differences), "differs", "differ")
        left += f"; {differ} from what you have, where yours stays"
    placed = counted(imported.placed, "value is", "values are")
    return f"{placed} in {site}/, {left}. Next: kg check {site}, then kg serve {site}."


@command(
    heading="Ask",
    short_help="Write a CV in another format.",
    epilog="Example: kg export ada-lindqvist --to jsonresume -o resume.json",
)
@SLUG
@SITE
@click.option(
    "--to",
    "format_name",
    type=click.Choice([*doors.installed("kg.exporters")]),
    required=True,
    help="The format to write.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file to write, instead of the terminal; for csv a folder.",
)
def export(slug: str, site: Path, format_name: str, output: Path | None) -> None:
    """Write the CV of a person, as far as it is public, in another format.

    What that format cannot carry, and what is private in 'basics', is listed on stderr. bibtex and
    csl hold the works alone, vcard how to reach the person, csv everything, in a file for each
    section.
    """
    from kg.facts.load import load
    from kg.files.atomic import replace_files
    from kg.plugins.exchange.exporting import export_cv, format_named

    wanted = format_named(format_name)
    if wanted.is_folder and (output is None or output.is_file()):
        raise click.UsageError(f"--to {format_name} writes several files. Name a folder: -o DIR.")
    if not wanted.is_folder and output and output.is_dir():
        raise click.UsageError(f"{output} is a folder. Name a file in it.")
    keep("No file was written.")
    graph, _ = good_graph(site)
    exported = export_cv(load(site), graph, slug, format_name)
    if output is None:
        show_file(exported.files[""])
    else:
        texts = {name: content.decode() for name, content in exported.files.items()}
        replace_files(output.parent, {str(Path(output.name, name)): texts[name] for name in texts})
    for each in exported.left:
        tell(f'{each.value.path}  "{shortened(each.value)}"  {each.why}')
    done = f"{output}: written" if output else f"{slug} as {wanted.title}"
    above = "field or section above is", "fields and sections above are"
    rest = f"{counted(len(exported.left), *above)} not, or not all, in it"
    tell(f"{done}; {rest if exported.left else 'nothing is left out'}.")
