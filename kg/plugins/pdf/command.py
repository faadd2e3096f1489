"""`kg pdf`: the page of a person as PDF."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.command import command, on_interrupt
from kg.cli.messages import inform, progress
from kg.cli.options import SITE, SLUG, good_graph, page_address


@command(
    heading="Questions and exports",
    short_help="Save the page of a person as PDF.",
    example="kg pdf ada-lindqvist mysite -o cv.pdf",
)
@SLUG
@SITE
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="File to write (default: SLUG.pdf).",
)
@click.option(
    "--paper",
    type=click.Choice(["A4", "Letter"], case_sensitive=False),
    default="A4",
    show_default=True,
    help="Paper size.",
)
@click.option(
    "--browser",
    metavar="PROGRAM",
    help="Chromium or Chrome to print with (default: the first one found).",
)
def pdf(slug: str, site: Path, output: Path | None, paper: str, browser: str | None) -> None:
    """Save the page of a person as PDF, with the name and page numbers.

    SLUG is a person (ada-lindqvist) or any other address (orgs/osu). Needs an installed Chromium
    or Chrome; does not use the network.
    """
    from kg.files.atomic import replace_files
    from kg.plugins.pdf.printing import find_browser, print_page
    from kg.publish.site import Documents

    program = find_browser(browser)
    on_interrupt("No file was written.")
    documents = Documents(good_graph(site)[0])
    address = page_address(documents, slug)
    with progress("Printing"):
        body = print_page(documents, address, paper, program)
    file = output or Path(f"{address.rpartition('/')[2] or 'index'}.pdf")
    replace_files(file.parent, {file.name: body})
    inform(f"{file}: written")
