"""The command that takes the JSON-LD of a page to pages elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.messages import tell
from kg.cli.options import IN_SITE

if TYPE_CHECKING:
    from kg.publish.site import Documents

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(epilog="Example: kg embed ada-lindqvist --into public/*.html")
@click.argument("slug")
@click.argument("more", metavar="[FILE]...", type=FILE, nargs=-1)
@IN_SITE
@click.option(
    "--into",
    type=FILE,
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
def embed(
    slug: str,
    more: tuple[Path, ...],
    site: Path,
    into: tuple[Path, ...],
    jekyll: Path | None,
    hugo: Path | None,
) -> None:
    """Print the JSON-LD of a page as a script element, for pasting into another page; or put it
    there, and keep it up to date.

    SLUG is a person's, or an address such as orgs/osu. A page gets the script at the end of its
    head. Run it again when facts have changed: the script is found by its mark and replaced, and
    nothing else is touched.
    """
    from kg.check.check import good
    from kg.publish.embed.generators import HUGO, JEKYLL
    from kg.publish.embed.inject import update_files
    from kg.publish.formats.urls import file_of
    from kg.publish.site import Documents

    if more and not into:
        raise click.UsageError(
            f"To put it into files, say --into: kg embed {slug} --into {more[0]}"
        )
    documents = Documents(good(site, cached=True))
    address = found(documents, slug)
    script = documents.embed(address)
    if not (into or jekyll or hugo):
        click.echo(script)
        return
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


def found(documents: Documents, slug: str) -> str:
    from kg.facts.values.nearest import closest

    address = documents.address(slug)
    if address is None:
        near = closest(slug, [each.removeprefix("people/") for each in documents.addresses])
        raise click.UsageError(
            f"There is no page '{slug}'." + (f" Closest: {', '.join(near)}." if near else "")
        )
    return address
