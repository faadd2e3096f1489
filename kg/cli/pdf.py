"""`kg pdf`: a CV on paper."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.messages import tell
from kg.cli.options import SITE, page_named


@click.command(epilog="Example: kg pdf ada-lindqvist -o cv.pdf")
@click.argument("slug")
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
    from kg.check.check import good
    from kg.publish.export.printing import find_browser, print_page
    from kg.publish.site import Documents

    program = find_browser(browser)
    documents = Documents(good(site, cached=True))
    address = page_named(documents, slug)
    body = print_page(documents, address, paper, program)
    file = output or Path(f"{address.rpartition('/')[2] or 'index'}.pdf")
    file.write_bytes(body)
    tell(f"{file}: written")
