"""Files for hosts of static sites: their redirects and headers, and pages for moved, withdrawn and
missing documents.

`_redirects` and `_headers` are for Netlify and Cloudflare Pages (GitLab Pages reads the first),
`.htaccess` for Apache 2.4, `.nojekyll` for GitHub Pages. Their paths begin with that of the base,
the only one we know. So do the links of `404.html`, which is shown at any depth: relative ones
would lead astray there, and the policy allows no <base>.

Cloudflare Pages always follows a redirect; Netlify and GitLab Pages only where there is no file,
and so show the page that leads on. Only Netlify knows 410, and the `!` that puts it before a file;
the others skip such a line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from kg.check.redirects import FILE, Redirects, address_list
from kg.publish.formats.headers import (
    OPEN,
    OWN_POLICIES,
    PAGE_POLICY,
    POLICY_NAME,
    SAFE,
    content_type,
)
from kg.publish.formats.media import HTML, PAGE_SUFFIXES, TEXT
from kg.publish.pages.frame import Frame
from kg.publish.text.wording import date
from kg.settings import Withdrawn

HOST = "host"  # what all these files are made from
ANY_SUFFIX = r"(\.[a-z.]+)?"
Files = Mapping[str, tuple[str, str]]  # path -> what the file is made from, and its media type


def files(former: Redirects) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file -> what it is made from, and its media type."""
    for address in (*former.moved, *former.withdrawn):
        yield f"{address}.html", (HOST, HTML)
    yield "404.html", (HOST, HTML)
    for path in (FILE, "_redirects", "_headers", ".htaccess", ".nojekyll"):
        yield path, (HOST, TEXT)


def body(path: str, pages: Frame, former: Redirects, living: Set[str], files: Files) -> bytes:
    """The file at a path; `living` are the addresses of all documents, `files` are all files of the
    site.
    """
    root = urlsplit(pages.site.base).path
    files = {name: origin for name, origin in files.items() if origin[0] != HOST}
    if gone := former.gone(path):
        return pages.error(path, "Gone", farewell(gone))
    makers: dict[str, Callable[[], bytes]] = {
        "404.html": lambda: pages.error(
            path, "Not here", "There is nothing at this address.", root=root
        ),
        "_redirects": lambda: as_text(redirects(root, former, files)),
        "_headers": lambda: as_text(headers(root, files)),
        ".htaccess": lambda: as_text(htaccess(root, former, files)),
        ".nojekyll": lambda: b"",
        FILE: lambda: address_list(pages.site.base, living, former),
    }
    if path in makers:
        return makers[path]()
    return pages.moved(path, former.moved[path.removesuffix(".html")])


def farewell(gone: Withdrawn) -> str:
    """The message in the place of a document that was withdrawn."""
    when = f" ({date(gone.date)})" if gone.date else ""
    return (
        f"{gone.address} was withdrawn{when}, and is gone for "
        f"good.{f' {gone.reason}' if gone.reason else ''}"
    )


def as_text(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def redirects(root: str, former: Redirects, files: Files) -> Iterator[str]:
    twins: dict[str, list[str]] = {new: [] for new in former.moved.values()}
    for path, (address, _) in files.items():
        if address in twins:
            twins[address].append(path.removeprefix(address))
    for old, new in former.moved.items():
        for suffix in ("", *twins[new]):
            yield f"{root}{old}{suffix} {root}{new}{suffix} 301"
    for address in former.withdrawn:
        for suffix in (
            "",
            *(suffix for suffix, media_type in PAGE_SUFFIXES.items() if media_type != HTML),
        ):
            yield f"{root}{address}{suffix} {root}{address}.html 410!"


def headers(root: str, files: Files) -> Iterator[str]:
    """A host joins the headers of all rules that fit. Two policies would both hold, so no path fits
    two rules with one.
    """
    yield from rule(f"{root}*", OPEN, *SAFE)
    pages = sorted(path for path, (_, media_type) in files.items() if media_type == HTML)
    yield from rule(root, (POLICY_NAME, PAGE_POLICY))
    for page in (page for page in pages if "/" not in page):
        for name in (page.removesuffix(suffix_of(page)), page):  # hosts leave the suffix out
            yield from rule(f"{root}{name}", (POLICY_NAME, OWN_POLICIES.get(page, PAGE_POLICY)))
    for folder in sorted({page.partition("/")[0] for page in pages if "/" in page}):
        yield from rule(f"{root}{folder}/*", (POLICY_NAME, PAGE_POLICY))
    for suffix, media_type in types(files).items():
        yield from rule(f"{root}*{suffix}", ("Content-Type", content_type(media_type)))
    for path, media_type in without_suffix(files).items():
        yield from rule(f"{root}{path}", ("Content-Type", content_type(media_type)))


def types(files: Files) -> dict[str, str]:
    """Media type by suffix, where the suffix says it alone."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, (_, media_type) in files.items():
        found[suffix_of(path)].add(media_type)
    return {
        suffix: media_type
        for suffix, (media_type, *more) in sorted(found.items())
        if suffix and not more
    }


def without_suffix(files: Files) -> dict[str, str]:
    return {path: media_type for path, (_, media_type) in files.items() if not suffix_of(path)}


def suffix_of(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[dot:] if (dot := name.rfind(".")) > 0 else ""


def rule(path: str, *headers: tuple[str, str]) -> Iterator[str]:
    yield path
    for name, value in headers:
        yield f"  {name}: {value}"


def htaccess(root: str, former: Redirects, files: Files) -> Iterator[str]:
    """Rules for Apache, which need `AllowOverride FileInfo` and nothing more.

    They give the forms their types, choose between them by Accept (a page for clients that name
    HTML, otherwise the first form that is named, and else the page), redirect what moved, answer
    410 for what is gone, and send the packed copy of a file where there is one.
    """
    by_suffix = types(files)
    yield from typed(by_suffix, without_suffix(files))
    yield f"ErrorDocument 404 {root}404.html"
    yield 'ErrorDocument 410 "This was withdrawn, and is gone for good."'
    yield from within("mod_headers.c", apache_headers())
    yield from within(
        "mod_rewrite.c",
        [
            "RewriteEngine On",
            f"RewriteBase {root}",
            *moves(root, former),
            *choices(),
            *packed(by_suffix),
        ],
    )


def within(module: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"<IfModule {module}>"
    yield from lines
    yield "</IfModule>"


def typed(by_suffix: dict[str, str], by_path: dict[str, str]) -> Iterator[str]:
    for suffix, media_type in by_suffix.items():
        yield f"AddType {media_type} {suffix}"
    texts = [suffix for suffix, form in by_suffix.items() if content_type(form) != form]
    yield f"AddCharset utf-8 {' '.join(texts)}"
    for path, media_type in by_path.items():
        yield from (f'<Files "{PurePosixPath(path).name}">', f"ForceType {media_type}", "</Files>")


def apache_headers() -> Iterator[str]:
    for name, value in ((POLICY_NAME, PAGE_POLICY), OPEN, *SAFE):
        yield f'Header always set {name} "{value}"'
    for path, own in OWN_POLICIES.items():
        yield from (
            f'<Files "{PurePosixPath(path).name}">',
            f'Header always set {POLICY_NAME} "{own}"',
            "</Files>",
        )
    yield 'Header merge Vary "Accept"'
    yield 'Header merge Vary "Accept-Encoding"'
    yield 'Header set Content-Encoding "gzip" env=packed'


def moves(root: str, former: Redirects) -> Iterator[str]:
    for old, new in former.moved.items():
        yield f"RewriteRule ^{old}{ANY_SUFFIX}$ {root}{new}$1 [R=301,L]"
    for address in former.withdrawn:
        yield f"RewriteRule ^{address}{ANY_SUFFIX}$ - [G]"


def choices() -> Iterator[str]:
    """A document in the form that the client names: at an address without a suffix, or that of a
    list.
    """
    for suffix, media_type in PAGE_SUFFIXES.items():
        if media_type != HTML:
            wanted = (
                f"RewriteCond %{{HTTP_ACCEPT}} !{HTML} [NC]",
                f"RewriteCond %{{HTTP_ACCEPT}} {re.escape(media_type)} [NC]",
            )
            yield from (
                *wanted,
                f"RewriteCond %{{REQUEST_FILENAME}}{suffix} -f",
                f"RewriteRule ^(.+)$ $1{suffix} [L]",
            )
            yield from (
                *wanted,
                f"RewriteCond %{{REQUEST_FILENAME}}index{suffix} -f",
                f"RewriteRule ^(.*/)?$ $1index{suffix} [L]",
            )
    yield from ("RewriteCond %{REQUEST_FILENAME}.html -f", "RewriteRule ^(.+)$ $1.html [L]")


def packed(by_suffix: dict[str, str]) -> Iterator[str]:
    """The packed copy instead of the file, with the file's type; a request for the copy by its name
    gets it as it is.
    """
    suffixes = [suffix for suffix in by_suffix if suffix != ".gz"]
    yield from ("RewriteCond %{HTTP:Accept-Encoding} gzip", "RewriteCond %{REQUEST_FILENAME}.gz -f")
    yield (
        f"RewriteRule ^(.+\\.({'|'.join(suffix[1:] for suffix in suffixes)}))$ $1.gz [E=packed:1,L]"
    )
    for suffix in suffixes:
        yield "RewriteCond %{ENV:REDIRECT_packed} =1"
        yield (
            f"RewriteRule \\{suffix}\\.gz$ - "
            f"[T={content_type(by_suffix[suffix]).replace(' ', '')},E=packed:1,E=no-gzip:1,L]"
        )
