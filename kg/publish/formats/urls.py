"""The only maker of links and addresses within a site.

Links between pages are relative, so that a page works at any address, live or from a folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from kg.store.protocol import Graphs

DATA_ONLY = {"shapes": ".ttl", "void": ".ttl"}  # what has an address and no page, and its file


@dataclass(frozen=True)
class Link:
    """A text that leads somewhere. Where it would lead to the page it is on, `href` is empty."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class TypedLink:
    """A link of a document as RFC 8288 has them. `rel` may hold several relations; the target is
    absolute, until it is printed for a file.
    """

    rel: str
    target: str
    type: str = ""
    title: str = ""


Cell = str | Link


def cell_text(cell: Cell) -> str:
    return cell.text if isinstance(cell, Link) else cell


def root_of(path: str) -> str:
    """The relative link from the page at a path to the top of the site."""
    return "../" * path.count("/") or "./"


def is_folder(address: str) -> bool:
    """Whether an address is that of a list, or of the first page."""
    return not address or address.endswith("/")


def page_at(address: str) -> str:
    """The page of an address: `people/ada.html`; a list is its folder."""
    return address if is_folder(address) else f"{address}.html"


def file_of(address: str, suffix: str) -> str:
    """`people/ada` -> `people/ada.ttl`; a list is the index of its folder."""
    return f"{address}index{suffix}" if is_folder(address) else f"{address}{suffix}"


def href(base: str, iri: str, path: str, shown: str | None = None) -> str:
    """The relative link from the page at a path to a thing or a file; an IRI outside the site
    stays. `shown` is the address of the document that the page shows, if not that of the path.
    """
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


def written_link(base: str, address: str, path: str) -> str:
    """The link from the page at a path to an address that an author wrote: of another site, or of
    this one, from its top.
    """
    is_whole = ":" in address.partition("/")[0]
    page, mark, fragment = (address if is_whole else base + address).partition("#")
    return relative(base, page, path) + mark + fragment


def relative(base: str, url: str, path: str) -> str:
    """The relative link from the file at a path to a document's page or to another file."""
    if not url.startswith(base):
        return url
    target = url[len(base) :]
    return root_of(path) + (target if is_file(target) else page_at(target))


def is_file(path: str) -> bool:
    """Whether a path is that of a file, such as `static/slides.pdf`, and not of a document."""
    return "." in path.rpartition("/")[2]


@lru_cache(maxsize=1 << 14)
def ascii_url(iri: str) -> str:
    """An address in ASCII; escapes that it has already stay."""
    return quote(iri, safe="!#$%&'()*+,/:;=?@[]~")


def query_page(query: str) -> str:
    """The page with the query form and a query in it, from the top of the site; where the site is
    served, it shows the answer.
    """
    return "sparql.html?" + urlencode(
        {"query": query, "format": "html"}, quote_via=quote, safe="/:?"
    )


def query_answer(query: str, form: str, graphs: Graphs = Graphs()) -> str:
    """The endpoint's answer to a query in a form, from the page with the query form."""
    chosen = [
        *(("default-graph-uri", iri) for iri in graphs.default),
        *(("named-graph-uri", iri) for iri in graphs.named),
    ]
    return "./sparql?" + urlencode(
        [("query", query), *chosen, ("format", form)], quote_via=quote, safe=""
    )


def contact(text: str | None) -> Cell | None:
    """A site's contact: a link, where it is a web or mail address."""
    if not text or " " in text:
        return text
    if text.startswith(("https://", "http://", "mailto:")):
        return Link(text.removeprefix("mailto:"), text)
    from kg.facts.values.text import mail_link  # noqa: PLC0415  RDF files are served without facts

    return Link(text, mail_link(text)) if "@" in text else text


def web_address(text: str) -> SplitResult | None:
    """The parts of an address that a client may ask; None where it is none."""
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
