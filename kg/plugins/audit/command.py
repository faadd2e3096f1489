"""`kg audit`: checks the structured data of any web page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import click

from kg.cli.command import command
from kg.cli.messages import inform, progress
from kg.cli.options import REPORT_FORMATS, SEVERITY, STRICT, format_option
from kg.errors import KgError, Problem, Severity, counted, errors_in, summary, tidy

LOOPBACK = ("127.0.0.1", "::1", "localhost")
TIMEOUT = 10.0  # seconds
MAX_REDIRECTS = 3
SUFFIXES = (".html", ".htm", ".xhtml")


@command(
    heading="Publishing",
    short_help="Check the structured data of any web page.",
    example="kg audit public/ --severity warning",
)
@click.argument("places", metavar="FILE|FOLDER|URL...", nargs=-1, required=True)
@format_option(*REPORT_FORMATS, what="Format of the report.")
@SEVERITY
@STRICT
def audit(places: tuple[str, ...], format: str, severity: Severity, strict: bool) -> None:
    """Check the JSON-LD, microdata and RDFa of any web page.

    The data is checked against schema.org and the requirements of search engines. The page can be
    a file, all pages of a folder, or a URL on this machine, such as http://127.0.0.1:8000/.
    """
    from kg.check.report.selection import select
    from kg.cli.check import print_report
    from kg.plugins.audit.audit import audit as audit_page

    found: list[Problem] = []
    count = 0
    with progress("Auditing"):
        for place in places:
            for name, body in pages(place):
                count += 1
                found += audit_page(body, name)
    shown = select(tidy(found), Path(), not errors_in(found), severity)
    has_summary = print_report(shown, format)
    if has_summary:
        read = f"Checked {counted(count, 'page')}: {summary(shown.problems)}"
        inform(f"{read}; hidden: {summary(shown.milder)}." if shown.milder else f"{read}.")
        if shown.problems:
            target = "FILE" if "://" in places[0] or Path(places[0]).is_dir() else places[0]
            inform(
                "To insert correct data about a person from your own site, run: kg embed SLUG "
                f"--into {target}"
            )
    is_good = shown.publishable and not (strict and shown.counts["warning"])
    sys.exit(0 if is_good else 1)


def pages(place: str) -> Iterator[tuple[str, bytes]]:
    """Yields the name and the content of each page of a file, folder or URL."""
    from kg.plugins.audit.audit import MAX_BYTES

    if "://" in place:
        yield place, fetched(place)
        return
    path = Path(place)
    if not path.exists():
        raise KgError(f"{place} does not exist. Give an HTML file, a folder or a URL.")
    found = (
        sorted(each for each in path.rglob("*") if is_page(each, path)) if path.is_dir() else [path]
    )
    if not found:
        raise KgError(f"{place} has no HTML pages. Give the folder that you publish.")
    for file in found:
        with file.open("rb") as opened:
            yield str(file), opened.read(MAX_BYTES + 1)


def is_page(file: Path, folder: Path) -> bool:
    below = file.relative_to(folder).parts
    is_hidden = any(part.startswith(".") or part == "node_modules" for part in below)
    return file.suffix.lower() in SUFFIXES and file.is_file() and not is_hidden


def fetched(address: str) -> bytes:
    """The page at a URL on this machine. Redirects to other servers are not followed."""
    from kg.plugins.audit.audit import MAX_BYTES
    from kg.web.http_client import Client, TooLarge

    origin = checked(address)
    with closing(Client(address, agent="kg-audit")) as client:
        for _ in range(MAX_REDIRECTS):
            try:
                answer = client.exchange("GET", address, b"", {}, TIMEOUT, MAX_BYTES)
            except TooLarge as error:
                raise KgError(f"{address} is larger than {MAX_BYTES // 1_000_000} MB.") from error
            except (TimeoutError, ConnectionError) as error:
                raise KgError(f"cannot reach {address}: {error}.") from error
            if 300 <= answer.status < 400 and "location" in answer.headers:
                address = urljoin(address, answer.headers["location"])
                if checked(address) != origin:
                    raise KgError(f"{address} is another server. Redirects to it are not followed.")
                continue
            if answer.status != 200:
                raise KgError(f"{address} returned HTTP {answer.status}. Check the address.")
            return answer.body
    raise KgError(f"{address} redirects more than {MAX_REDIRECTS} times.")


def checked(address: str) -> tuple[str, str | None, int | None]:
    try:
        parts = urlsplit(address)
        origin = parts.scheme, parts.hostname, parts.port
    except ValueError as error:
        raise KgError(f"{address!a} is not a valid URL.") from error
    if parts.scheme not in ("http", "https") or parts.hostname not in LOOPBACK:
        raise KgError(
            f"{address!a} is not on this machine. Save the page (curl -o page.html URL) and give "
            "the file."
        )
    return origin
