"""`kg embed`: the JSON-LD of a page for pages of other sites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.command import SiteArgument, command, on_interrupt
from kg.cli.messages import inform
from kg.cli.options import (
    FOLDER,
    SLUG,
    good_graph,
    page_address,
)

if TYPE_CHECKING:
    pass

PAGE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command(
    heading="Publishing",
    short_help="Print the JSON-LD of a page, or insert it into other pages.",
    example="kg embed ada-lindqvist --into public/*.html",
)
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
    help="Insert the script into these pages, or update it there.",
)
@click.option(
    "--jekyll",
    type=FOLDER,
    is_flag=False,
    flag_value=".",
    metavar="[FOLDER]",
    help="Write an include into the Jekyll site in FOLDER (default: the current folder).",
)
@click.option(
    "--hugo",
    type=FOLDER,
    is_flag=False,
    flag_value=".",
    metavar="[FOLDER]",
    help="Write a partial into the Hugo site in FOLDER (default: the current folder).",
)
@click.option(
    "--full", is_flag=True, help="Include all published data, not only what the page shows."
)
def embed(
    slug: str,
    paths: tuple[Path, ...],
    into: tuple[Path, ...],
    jekyll: Path | None,
    hugo: Path | None,
    full: bool,
) -> None:
    """Print the JSON-LD of a page as a script element, or insert it into pages of another site.

    SLUG is a person (ada-lindqvist) or any other address (orgs/osu). The data is what the page
    shows, at most 8 kB.

    --into inserts the script at the end of the head. Run the command again after a change: it
    replaces its own script and nothing else.
    """
    from kg.plugins.embed.inject import HUGO, JEKYLL, script_of, update_files
    from kg.publish.formats.urls import file_of
    from kg.publish.site import Documents

    # A shell expands `--into public/*.html` to several words: those after the first are files, too.
    folders = [path for path in paths if path.is_dir()]
    more = [path for path in paths if not path.is_dir()]
    if len(folders) > 1:
        raise click.UsageError(
            f"Two folders are given: {folders[0]} and {folders[1]}. Give one site; the rest are "
            "files."
        )
    if more and not into:
        raise click.UsageError(
            f"{more[0]} is a file, not a site. To insert the script, run: kg embed {slug} --into "
            f"{more[0]}"
        )
    documents = Documents(good_graph(folders[0] if folders else Path())[0])
    address = page_address(documents, slug)
    script = script_of(documents, address, full)
    if not (into or jekyll or hugo):
        click.echo(script)
        return
    on_interrupt("Some pages may have the new script; run the command again to update all.")
    chosen = {generator: folder for generator, folder in ((JEKYLL, jekyll), (HUGO, hugo)) if folder}
    name = file_of(address.removeprefix("people/") or address, ".html")
    partials = {generator: generator.file(folder, name) for generator, folder in chosen.items()}
    for file, is_changed in update_files(script, [*into, *more, *partials.values()]):
        inform(f"{file}: {'written' if is_changed else 'unchanged'}")
    for generator in chosen:
        inform(
            f"Add this line to the <head> of your layout ({generator.layout}):\n  "
            f"{generator.line(name)}"
        )
