"""The rules of common hosts of plain files: `_redirects` says what leads where, `_headers` what is
sent along.

Cloudflare Pages always follows a redirect; Netlify and GitLab Pages only where there is no file,
and so show the page that leads on. Only Netlify knows 410, and the `!` that puts it before a file;
the others skip such a line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from kg.check.redirects import Former
from kg.publish.formats.media import HTML, PAGE_SUFFIXES
from kg.publish.hosting import policy
from kg.publish.hosting.headers import OPEN, POLICY_NAME, SAFE, content_type

Files = Mapping[
    str, tuple[str, str]
]  # path of each file -> what it is made from, and its media type


def redirects(root: str, former: Former, files: Files) -> Iterator[str]:
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
    yield from rule(root, (POLICY_NAME, policy.PAGE))
    for page in (page for page in pages if "/" not in page):
        for name in (page.removesuffix(suffix_of(page)), page):  # hosts leave the suffix out
            yield from rule(f"{root}{name}", (POLICY_NAME, policy.OWN.get(page, policy.PAGE)))
    for folder in sorted({page.partition("/")[0] for page in pages if "/" in page}):
        yield from rule(f"{root}{folder}/*", (POLICY_NAME, policy.PAGE))
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
