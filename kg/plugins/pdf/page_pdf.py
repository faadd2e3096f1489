"""The PDF of each CV as a file of a build, if `files` in `data/site.yaml` asks for it."""

from __future__ import annotations

from collections.abc import Iterable

from kg.errors import KgError
from kg.publish.formats.media import PDF
from kg.publish.page_files import PageFile, SiteFiles, owners
from kg.store.protocol import Store

PAPER = "A4"


def pages(store: Store, base: str) -> Iterable[str]:
    """Raises KgError if there is no browser to print with."""
    from kg.plugins.pdf.printing import find_browser

    try:
        find_browser()
    except KgError as error:
        raise KgError(
            "data/site.yaml asks for PDF files, but Chromium or Chrome is missing. Install it "
            "(Debian: apt install chromium), or remove 'pdf' from 'files'."
        ) from error
    return owners(store, base)


def make(documents: SiteFiles, address: str) -> bytes:
    from kg.plugins.pdf.printing import find_browser, print_page

    return print_page(documents, address, PAPER, find_browser())


FILE = PageFile(".pdf", PDF, pages, make, is_default=False, is_served=False)
