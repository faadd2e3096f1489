"""`.htaccess`: what Apache 2.4 does with the folder. All of it needs `AllowOverride FileInfo` and
nothing more.

It gives the forms their types, chooses between them by Accept (a page for who names HTML, otherwise
the first form that is named, and else the page), redirects what moved, answers 410 for what is
gone, and sends the packed copy of a file where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from kg.check.redirects import Former
from kg.publish.formats.media import HTML, PAGE_SUFFIXES
from kg.publish.hosting import policy
from kg.publish.hosting.headers import OPEN, POLICY_NAME, SAFE, content_type
from kg.publish.hosting.host_rules import Files, types, without_suffix

ANY_SUFFIX = r"(\.[a-z.]+)?"


def htaccess(root: str, former: Former, files: Files) -> Iterator[str]:
    by_suffix = types(files)
    yield from typed(by_suffix, without_suffix(files))
    yield f"ErrorDocument 404 {root}404.html"
    yield 'ErrorDocument 410 "This was withdrawn, and is gone for good."'
    yield from within("mod_headers.c", headers())
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


def headers() -> Iterator[str]:
    for name, value in ((POLICY_NAME, policy.PAGE), OPEN, *SAFE):
        yield f'Header always set {name} "{value}"'
    for path, own in policy.OWN.items():
        yield from (
            f'<Files "{PurePosixPath(path).name}">',
            f'Header always set {POLICY_NAME} "{own}"',
            "</Files>",
        )
    yield 'Header merge Vary "Accept"'
    yield 'Header merge Vary "Accept-Encoding"'
    yield 'Header set Content-Encoding "gzip" env=packed'


def moves(root: str, former: Former) -> Iterator[str]:
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
    """The copy instead of the file, and then the file's type instead of the copy's. Who asks for
    the copy by its name gets it as it is.
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
