"""`kg pdf`: a CV on paper."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.manners import command, keep
from kg.cli.messages import progress, tell
from kg.cli.options import SITE, SLUG, good_graph, page_named


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
