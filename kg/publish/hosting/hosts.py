"""What a host of plain files needs beside the site itself: pages for what moved, is gone or never
was, and the files that it reads.

`_redirects` and `_headers` are for Netlify and Cloudflare Pages (GitLab Pages reads the first),
`.htaccess` for Apache, `.nojekyll` for GitHub Pages. Their paths begin with that of the base, the
only one we know. So do the links of `404.html`, which is shown at any depth: relative ones would
lead astray there, and the policy allows no <base>.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from urllib.parse import urlsplit

from kg.check.redirects import FILE, Former, listed
from kg.publish.formats.media import HTML
from kg.publish.hosting import apache, host_rules
from kg.publish.pages.frame import Frame
from kg.publish.text.wording import date
from kg.settings import Withdrawn

HOST = "host"  # what all these files are made from
TEXT = "text/plain"


def files(former: Former) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file -> what it is made from, and its media type."""
    for address in (*former.moved, *former.withdrawn):
        yield f"{address}.html", (HOST, HTML)
    yield "404.html", (HOST, HTML)
    for path in (FILE, "_redirects", "_headers", ".htaccess", ".nojekyll"):
        yield path, (HOST, TEXT)


def body(
    path: str, pages: Frame, former: Former, living: Set[str], files: host_rules.Files
) -> bytes:
    """One of them; `living` are the addresses of all documents, `files` are all files of the
    site.
    """
    root = urlsplit(pages.site.base).path
    files = {name: made for name, made in files.items() if made[0] != HOST}
    if gone := former.gone(path):
        return pages.error(path, "Gone", farewell(gone))
    match path:
        case "404.html":
            made = pages.error(path, "Not here", "There is nothing at this address.", root=root)
        case "_redirects":
            made = text(host_rules.redirects(root, former, files))
        case "_headers":
            made = text(host_rules.headers(root, files))
        case ".htaccess":
            made = text(apache.htaccess(root, former, files))
        case ".nojekyll":
            made = b""
        case "addresses.txt":
            made = listed(pages.site.base, living, former)
        case _:
            made = pages.moved(path, former.moved[path.removesuffix(".html")])
    return made


def farewell(gone: Withdrawn) -> str:
    """What is said in the place of a document that was withdrawn."""
    when = f" ({date(gone.date)})" if gone.date else ""
    return (
        f"{gone.address} was withdrawn{when}, and is gone for "
        f"good.{f' {gone.reason}' if gone.reason else ''}"
    )


def text(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
