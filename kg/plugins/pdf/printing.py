"""Prints a page to PDF with an installed browser: for `kg pdf`, and for builds if `files` in
`data/site.yaml` asks for it.

The page and its static files are written into a temporary folder. The browser runs without scripts
and without network access. A PDF has a title, an author and no dates, so that the same page gives
the same bytes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from html import escape, unescape
from pathlib import Path
from urllib.parse import urljoin

from kg.errors import KgError
from kg.files.atomic import scratch_folder
from kg.publish.document import STYLE
from kg.publish.formats.media import PDF
from kg.publish.formats.urls import file_of
from kg.publish.page_files import PageFile, SiteFiles, owners
from kg.store.protocol import Store

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
SWITCHES = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--disable-extensions",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--allow-file-access-from-files",  # fonts
    "--font-render-hinting=none",  # exact glyph positions
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
)
LINK = re.compile(rb'(<a\b[^>]*?\bhref=")([^"#][^"]*)"')  # except within the page
PRINT_TIMEOUT = 120  # seconds
PAPER = "A4"  # of the files of a build
DATE = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^)]*\)")
TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$", re.DOTALL)
INFO = re.compile(rb"/Info (\d+) 0 R")


def find_browser(named: str | None = None) -> str:
    """The path of the browser. Raises KgError if there is none."""
    found = next(filter(None, map(shutil.which, [named] if named else BROWSERS)), None)
    if found:
        return found
    if named:
        raise KgError(f"Browser not found: '{named}'. Give an installed Chromium or Chrome.")
    raise KgError(
        "Chromium or Chrome is missing. Install it (Debian: apt install chromium) or give its "
        "path with --browser. Or print the page from any browser."
    )


def print_page(documents: SiteFiles, address: str, paper: str, browser: str) -> bytes:
    """The PDF of a page: the same bytes for the same page and browser. Raises KgError if the
    browser fails.
    """
    with scratch_folder() as scratch:
        folder = scratch / "site"
        page = write_page(documents, address, paper, folder)
        result = scratch / "page.pdf"
        command = [
            browser,
            *SWITCHES,
            *(["--no-sandbox"] if os.geteuid() == 0 else []),  # root cannot use the sandbox
            f"--user-data-dir={scratch}/profile",
            f"--print-to-pdf={result}",
            page.as_uri(),
        ]
        try:
            done = subprocess.run(  # noqa: S603
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=PRINT_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise KgError(f"{browser} printed nothing within {PRINT_TIMEOUT} s.") from error
        if not result.is_file():
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise KgError(f"{browser} printed nothing: {reason}")
        shown = documents.page(address)
        author = str(shown.title) if shown.who else ""
        return with_metadata(result.read_bytes(), shown.head.title, author)


def write_page(documents: SiteFiles, address: str, paper: str, folder: Path) -> Path:
    """Writes a page with the static files of all pages; returns its path."""
    paths = [path for path, (origin, _) in documents.files.items() if origin == "static"]
    for path in (page := file_of(address, ".html"), *paths):
        document = documents.make(path)
        assert document is not None  # noqa: S101
        sheet = f"@page {{ size: {paper}; }}\n" if path.endswith(f"/{STYLE}") else ""
        body = (
            published_links(document.body, documents.base + page) if path == page else document.body
        )
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body + sheet.encode())
    return folder / page


def published_links(page: bytes, address: str) -> bytes:
    """The page with links to the published site instead of the temporary folder."""

    def absolute(link: re.Match[bytes]) -> bytes:
        return link[1] + escape(urljoin(address, unescape(link[2].decode()))).encode() + b'"'

    return LINK.sub(absolute, page)


def with_metadata(body: bytes, title: str, author: str = "") -> bytes:
    """A PDF of Chromium with this title and author, without dates. The entries are appended as an
    incremental update (ISO 32000, 7.5.6): a new information object with the number of the old one.
    """
    trailer = TRAILER.search(body)
    info = INFO.search(trailer[1]) if trailer else None
    if not trailer or not info:
        raise KgError("The browser wrote a PDF without information about itself. Use Chromium.")
    plain = DATE.sub(lambda date: b" " * len(date[0]), body)
    fields = {b"Title": title, b"Author": author, b"Producer": "Chromium, cv-kg"}
    entries = b" ".join(b"/%s <%s>" % (name, text(each)) for name, each in fields.items() if each)
    update = b"%s 0 obj\n<<%s>>\nendobj\n" % (info[1], entries)
    table = b"xref\n%s 1\n%010d 00000 n \n" % (info[1], len(plain))
    end = b"trailer\n<<%s\n/Prev %s>>\nstartxref\n%d\n%%%%EOF\n"
    return plain + update + table + end % (trailer[1].strip(), trailer[2], len(plain + update))


def text(value: str) -> bytes:
    """A text string in UTF-16, in hexadecimal."""
    return f"\ufeff{value}".encode("utf-16-be").hex().upper().encode()


def owner_pages(store: Store, base: str) -> Iterable[str]:
    """Raises KgError if there is no browser to print with."""
    try:
        find_browser()
    except KgError as error:
        raise KgError(
            "data/site.yaml asks for PDF files, but Chromium or Chrome is missing. Install it "
            "(Debian: apt install chromium), or remove 'pdf' from 'files'."
        ) from error
    return owners(store, base)


def page_pdf(documents: SiteFiles, address: str) -> bytes:
    return print_page(documents, address, PAPER, find_browser())


FILE = PageFile(".pdf", PDF, owner_pages, page_pdf, is_default=False, is_served=False)
