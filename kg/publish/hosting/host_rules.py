"""Configuration files for static hosts: redirects, headers, and pages for moved, withdrawn and
missing documents.

An unconfigured host has the page `people/ada.html`, but no file at the address of the document,
`people/ada`. So there is a folder of that name whose index redirects to the page. Hosts that
complete `.html` themselves serve the page directly.

`_redirects` and `_headers` are for Netlify and Cloudflare Pages (GitLab Pages reads the first),
`.htaccess` for Apache 2.4, `.nojekyll` for GitHub Pages. Their paths start with the path of the
base address. So do the links of `404.html`, which is shown at any depth: relative links would break
there, and the policy allows no <base>.

Cloudflare Pages always follows a redirect; Netlify and GitLab Pages only if there is no file, and
so show the redirecting page. Only Netlify supports 410, and the `!` that gives a rule precedence
over a file; the others skip such a line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from urllib.parse import urlsplit

from kg.check.redirects import FILE, Redirects, address_list
from kg.publish.about.notices import render
from kg.publish.formats.media import (
    HTML,
    OPEN,
    OWN_POLICIES,
    PAGE_POLICY,
    PAGE_SUFFIXES,
    POLICY_NAME,
    SAFE,
    TEXT,
    content_type,
)
from kg.publish.formats.urls import DATA_ONLY, file_of, is_folder, page_at
from kg.publish.pages.frame import Frame
from kg.text.wording import ERRORS, farewell

STATIC = "static/"
HOST = "host"  # the origin of all these files
TWIN_SUFFIXES = {suffix: form for suffix, form in PAGE_SUFFIXES.items() if form != HTML}
INDEX = "/index.html"  # of the folder named like a document
Files = Mapping[str, tuple[str, str]]  # path -> origin and media type


def files(former: Redirects, living: Set[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file -> its origin and media type."""
    for address in (*former.moved, *former.withdrawn):
        yield f"{address}.html", (HOST, HTML)
    for address in (*sorted(living), *former.moved, *former.withdrawn, *DATA_ONLY):
        if not is_folder(address):
            yield address + INDEX, (HOST, HTML)
    yield "404.html", (HOST, HTML)
    for path in (FILE, "_redirects", "_headers", ".htaccess", ".nojekyll"):
        yield path, (HOST, TEXT)


def body(path: str, pages: Frame, former: Redirects, living: Set[str], files: Files) -> bytes:
    """The file at a path; `living` are the addresses of all documents, `files` all files of the
    site.
    """
    if path.endswith(INDEX):
        address = path.removesuffix(INDEX)
        data = DATA_ONLY.get(address, "")
        return pages.lead(
            path, address + data if data else page_at(former.moved.get(address, address))
        )
    root = urlsplit(pages.site.base).path
    files = {name: origin for name, origin in files.items() if origin[0] != HOST}
    if gone := former.gone(path):
        return pages.error(path, ERRORS[410], farewell(gone))
    makers: dict[str, Callable[[], bytes]] = {
        "404.html": lambda: pages.error(
            path, ERRORS[404], "There is no page at this address.", root=root
        ),
        "_redirects": lambda: redirects(root, former, files),
        "_headers": lambda: headers(root, files),
        ".htaccess": lambda: htaccess(root, former, files),
        ".nojekyll": lambda: b"",
        FILE: lambda: address_list(pages.site.base, living, former),
    }
    if path in makers:
        return makers[path]()
    return pages.moved(path, former.moved[path.removesuffix(".html")])


def redirects(root: str, former: Redirects, files: Files) -> bytes:
    twins: dict[str, list[str]] = {new: [""] for new in former.moved.values()}
    for path, (address, _) in files.items():
        if address in twins:
            twins[address].append(path.removeprefix(file_of(address, "")))
    moved = [
        f"{root}{old}{suffix} {root}{former.target(old + suffix)} {former.status(old)}\n"
        for old, new in former.moved.items()
        for suffix in twins[new]
    ]
    gone = [
        f"{root}{address}{suffix} {root}{address}.html 410!\n"
        for address in former.withdrawn
        for suffix in ("", *TWIN_SUFFIXES)
    ]
    return "".join(moved + gone).encode()


def headers(root: str, files: Files) -> bytes:
    """A host merges the headers of all matching rules. Two policies would both apply, so no path
    matches two rules with a policy.
    """
    static = {path for path in files if path.startswith(STATIC)}
    pages = sorted({path for path, (_, media_type) in files.items() if media_type == HTML} - static)
    policies = {"": PAGE_POLICY}
    for page in (page for page in pages if "/" not in page):
        for name in (page.removesuffix(suffix_of(page)), page):  # hosts omit the suffix
            policies[name] = OWN_POLICIES.get(page, PAGE_POLICY)
    for folder in sorted({page.partition("/")[0] for page in pages if "/" in page}):
        policies[f"{folder}/*"] = PAGE_POLICY
    # By suffix, because the script of the engine has a policy of its own.
    for suffix in sorted({suffix_of(path) for path in static} - {"", ".js"}):
        policies[f"{STATIC}*{suffix}"] = PAGE_POLICY
    policies |= {path: policy for path, policy in OWN_POLICIES.items() if path in static}
    typed = {f"*{suffix}": media_type for suffix, media_type in types(files).items()}
    typed |= without_suffix(files)
    rules = [
        ("*", [OPEN, *SAFE]),
        *((path, [(POLICY_NAME, policy)]) for path, policy in policies.items()),
        *((path, [("Content-Type", content_type(form))]) for path, form in typed.items()),
    ]
    return "".join(
        f"{root}{path}\n" + "".join(f"  {name}: {value}\n" for name, value in wanted)
        for path, wanted in rules
    ).encode()


def htaccess(root: str, former: Redirects, files: Files) -> bytes:
    by_suffix = types(files)
    return render(
        "htaccess",
        root=root,
        former=former,
        types=by_suffix,
        texts=[suffix for suffix, form in by_suffix.items() if content_type(form) != form],
        without_suffix=without_suffix(files),
        headers=[(POLICY_NAME, PAGE_POLICY), OPEN, *SAFE],
        policies=OWN_POLICIES,
        forms={suffix: re.escape(form) for suffix, form in TWIN_SUFFIXES.items()},
        packed={
            suffix: content_type(form).replace(" ", "")
            for suffix, form in by_suffix.items()
            if suffix != ".gz"
        },
    )


def types(files: Files) -> dict[str, str]:
    """Media type by suffix, for suffixes with a single type."""
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
