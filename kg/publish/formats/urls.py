"""Builds all links and addresses within a site.

Links between pages are relative, so that pages work at any address, on a server or from a folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from kg.store.protocol import Graphs
from kg.vocab import VOCABULARY, cv

DATA_ONLY = {"shapes": ".ttl", "void": ".ttl"}  # documents without a page, and their files


@dataclass(frozen=True)
class Link:
    """A text with a target. `href` is empty for a link to the page itself."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class TypedLink:
    """A link with a relation (RFC 8288). `rel` can have several relations; the target is absolute
    until it is written to a file.
    """

    rel: str
    target: str
    type: str = ""
    title: str = ""


Cell = str | Link


def cell_text(cell: Cell) -> str:
    return cell.text if isinstance(cell, Link) else cell


def root_of(path: str) -> str:
    """The relative link from the page at a path to the root of the site."""
    return "../" * path.count("/") or "./"


def is_folder(address: str) -> bool:
    """Whether an address is that of a list or of the home page."""
    return not address or address.endswith("/")


def page_at(address: str) -> str:
    """The page of an address: `people/ada.html`; a list is its folder."""
    return address if is_folder(address) else f"{address}.html"


def file_of(address: str, suffix: str) -> str:
    """`people/ada` -> `people/ada.ttl`; a list is the index of its folder."""
    return f"{address}index{suffix}" if is_folder(address) else f"{address}{suffix}"


def href(base: str, iri: str, path: str, shown: str | None = None) -> str:
    """The relative link from the page at a path to a resource or a file; an IRI outside the site
    stays absolute. `shown` is the address of the document on the page, if it differs from the path.
    """
    if iri.startswith(str(cv)):
        iri = base + VOCABULARY + iri[len(str(cv)) - 1 :]
    document, _, fragment = iri.partition("#")
    if not iri.startswith(base):
        return iri
    target = document[len(base) :]
    anchor = f"#{fragment}" if fragment not in ("", "it") else ""
    if target == (path if shown is None else shown):
        return anchor
    page = target if is_file(target) else page_at(target)
    folder, _, name = page.rpartition("/")
    is_near = bool(name) and path.count("/") == 1 and folder == path.partition("/")[0]
    return (name if is_near else root_of(path) + page) + anchor


def slug_of(href: str) -> str:
    """`../venues/sc.html#2024` -> `sc`"""
    return href.partition("#")[0].rpartition("/")[2].removesuffix(".html")


def written_link(base: str, address: str, path: str) -> str:
    """The link from the page at a path to an address written by an author: absolute, or relative to
    the root of the site.
    """
    is_whole = ":" in address.partition("/")[0]
    page, mark, fragment = (address if is_whole else base + address).partition("#")
    return relative(base, page, path) + mark + fragment


def relative(base: str, url: str, path: str) -> str:
    """The relative link from the file at a path to the page of a document or to another file."""
    if not url.startswith(base):
        return url
    target = url[len(base) :]
    return root_of(path) + (target if is_file(target) else page_at(target))


def is_file(path: str) -> bool:
    """Whether a path is that of a file, such as `static/slides.pdf`, rather than a document."""
    return "." in path.rpartition("/")[2]


@lru_cache(maxsize=1 << 14)
def ascii_url(iri: str) -> str:
    """An address in ASCII; existing escapes stay."""
    return quote(iri, safe="!#$%&'()*+,/:;=?@[]~")


def query_page(query: str) -> str:
    """The link to the query form with a query, from the root of the site; a server also shows the
    answer.
    """
    return "sparql.html?" + urlencode(
        {"query": query, "format": "html"}, quote_via=quote, safe="/:?"
    )


def query_answer(query: str, form: str, graphs: Graphs = Graphs()) -> str:
    """The link to the endpoint's answer in a format, from the query form."""
    chosen = [
        *(("default-graph-uri", iri) for iri in graphs.default),
        *(("named-graph-uri", iri) for iri in graphs.named),
    ]
    return "./sparql?" + urlencode(
        [("query", query), *chosen, ("format", form)], quote_via=quote, safe=""
    )


def contact(text: str | None) -> Cell | None:
    """The contact of a site; a link if it is a web or mail address."""
    if not text or " " in text:
        return text
    if text.startswith(("https://", "http://", "mailto:")):
        return Link(text.removeprefix("mailto:"), text)
    from kg.facts.values.text import mail_link  # noqa: PLC0415  RDF files are served without facts

    return Link(text, mail_link(text)) if "@" in text else text


def web_address(text: str) -> SplitResult | None:
    """The parts of an address that a client can request; None for others."""
    try:
        parts = urlsplit(text)
        fits = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not parts.username
            and parts.port != 0
        )
    except ValueError:
        return None
    return parts if fits and text.isascii() and text.isprintable() and " " not in text else None
