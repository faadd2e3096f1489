"""Registry and detection of import formats (entry points `kg.importers`).

From a checkout of an al-folio or Hugo Blox site, only the files are read in which the theme keeps a
CV. Other files, and the sample people of the theme, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote

import yaml

from kg import doors
from kg.facts.yaml.rows import Row
from kg.plugins.exchange.draft import Format
from kg.plugins.exchange.readers import al_folio, hugo_blox, rendercv
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.source_rows import page_of

GROUP, SCHEME = "kg.importers", "scheme-"
IDENTIFIER = re.compile("[a-z][a-z-]+:", re.IGNORECASE)
# Identifiers that are clear without their scheme, and their web addresses.
BARE = {
    "orcid": re.compile(r"(?:https?://orcid\.org/)?((?:\d{4}-){3}\d{3}[\dX])/?", re.IGNORECASE),
    "doi": re.compile(r"(?:https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", re.IGNORECASE),
}
CV_PATHS = {"rendercv": "_data/cv.yml", "jsonresume": "assets/json/resume.json"}
CONFIG, SOCIALS, CV_PAGE = "_config.yml", "_data/socials.yml", "_pages/cv.md"
ABOUT, NEWS = "_pages/about.md", re.compile(r"_news/[^/]+\.md")
BIBLIOGRAPHY = re.compile(r"_bibliography/.+\.bib")
FILES = ("assets/pdf/", "assets/img/", "")  # folders in which the theme looks for files
LANGUAGE = r"(?:[a-z]{2}(?:-[a-z]{2,4})?/)?"
AUTHORS = re.compile(
    rf"(?:.*/)?(?:content/{LANGUAGE}authors?/[^/]+/_?index\.md|data/authors/[^/]+\.ya?ml)", re.I
)
WORKS = re.compile(rf"(?:.*/)?content/{LANGUAGE}publications?/.+(?<!/_index)\.(?:md|bib)", re.I)


def formats() -> dict[str, Format]:
    """All formats by name, in the order of detection."""
    found = doors.each(GROUP, Format).items()
    of_files = [each for each in found if each[1].fetch is None]
    return dict(sorted(of_files, key=lambda each: (each[1].priority, each[0])))


def identifier_in(text: str) -> str:
    """What an argument names to fetch, as `orcid:0000-0002-1825-0097`; empty if it is a file."""
    if Path(text).exists():
        return ""
    found = [(scheme, BARE[scheme].fullmatch(text)) for scheme in BARE]
    bare = next((f"{scheme}:{each[1]}" for scheme, each in found if each), "")
    scheme, _, rest = text.partition(":")
    return bare or (f"{scheme.lower()}:{rest}" if IDENTIFIER.match(text) else "")


def scheme_named(name: str, identifier: str) -> Format:
    """The format that fetches identifiers of a scheme. Raises NotImported."""
    schemes = [each for each in doors.installed(GROUP) if each.startswith(SCHEME)]
    if f"{SCHEME}{name}" in schemes:
        return format_named(f"{SCHEME}{name}")
    known = ", ".join(each.removeprefix(SCHEME) for each in schemes)
    is_address = identifier.startswith(("http:", "https:"))
    what = "is a web address, not an identifier" if is_address else "is not a file"
    raise NotImported(
        f"'{identifier}' {what}. To fetch public data, write a scheme and an identifier, such as "
        f"orcid:0000-0002-1825-0097. Schemes: {known}."
    )


def format_named(name: str) -> Format:
    entry = doors.installed(GROUP).get(name)
    if found := entry and doors.loaded(entry, Format):
        return found
    raise NotImported(f"Unknown format '{name}'. Known: {', '.join(formats())}.")


def detect_format(source: SourceFile) -> Format | None:
    """Detects the format of a file; None if it is unknown."""
    return next(matching(source), None)


def matching(source: SourceFile) -> Iterator[Format]:
    return (each for each in formats().values() if each.matches(source))


def unknown_format(path: Path, files: int) -> str:
    """The error message for a file or folder without any recognised format."""
    advice = yaml.load(
        Path(__file__).with_name("unread-formats.yaml").read_bytes(), yaml.CSafeLoader
    )
    for each in advice:
        if path.suffix.lower() in each["suffixes"]:
            return f"{path}: {each['advice'].format(file=path.name)}"
    is_folder = files != 1 or path.is_dir()
    what = "no file has a known format" if is_folder else "unknown format"
    return (
        f"{path}: {what}. Known: {', '.join(formats())}. To choose one, use --from FORMAT. "
        "Publications can be exported as BibTeX from Google Scholar and dblp."
    )


class Checkout(NamedTuple):
    """The files of a theme to read, in this order; of those in `cvs`, only one is used.

    `addresses` are those of other files on the published site, by the names that pages use.
    """

    title: str
    files: list[SourceFile]
    cvs: list[SourceFile]
    addresses: Mapping[str, str] = MappingProxyType({})
    has_sample_cv: bool = False  # whether the theme comes with a CV


def checkout_in(found: list[SourceFile]) -> Checkout | None:
    return al_folio_checkout(found) or hugo_blox_checkout(found)


def al_folio_checkout(found: list[SourceFile]) -> Checkout | None:
    """An al-folio checkout: configuration, about page, CV, accounts, news and bibliography."""
    configs = [each for each in found if each.path.rpartition("/")[2] == CONFIG]
    config = next((each for each in by_depth(configs) if al_folio.is_config(tree_of(each))), None)
    if config is None:
        return None
    root = config.path.removesuffix(CONFIG)
    inside = {each.path.removeprefix(root): each for each in found if each.path.startswith(root)}
    cvs = [inside[path] for path in cvs_of(inside) if path in inside]
    named = f"_bibliography/{al_folio.bibliography(tree_of(config))}"
    works = [each for path, each in inside.items() if BIBLIOGRAPHY.fullmatch(path)]
    works = [inside[named]] if named in inside else works
    pages = [inside[path] for path in (ABOUT, SOCIALS) if path in inside]
    news = [inside[path] for path in sorted(inside, reverse=True) if NEWS.fullmatch(path)]
    url = al_folio.site_address(tree_of(config))
    addresses = {
        path.removeprefix(folder): f"{url}/{quote(path)}"
        for folder in FILES
        for path in (inside if url else ())
        if path.startswith(folder)
    }
    files = [config, *pages, *cvs, *news, *works]
    return Checkout("al-folio", files, cvs, addresses, has_sample_cv=True)


def cvs_of(inside: dict[str, SourceFile]) -> list[str]:
    """The paths of the CVs, first the one that the site shows.

    The CV page names its format. In older versions, the site showed the JSON Resume file that its
    configuration loads.
    """
    page = page_of(inside[CV_PAGE]) if CV_PAGE in inside else None
    named = str(page.fields.get("cv_format")) if page else ""
    is_rendercv = CV_PATHS["rendercv"] in inside and has_cv(inside[CV_PATHS["rendercv"]])
    if named not in CV_PATHS:
        loads_resume = "jekyll_get_json" in tree_of(inside[CONFIG]) and not is_rendercv
        named = "jsonresume" if loads_resume else "rendercv"
    return sorted(CV_PATHS.values(), key=lambda path: path != CV_PATHS[named])


def hugo_blox_checkout(found: list[SourceFile]) -> Checkout | None:
    """A Hugo Blox checkout: author pages or files, one of them the owner's, and publications."""
    authors = [
        each
        for each in by_depth(found)
        if AUTHORS.fullmatch(each.path) and hugo_blox.matches(each) and not is_sample(each)
    ]
    owners = [each for each in authors if hugo_blox.is_owner_file(each)]
    if not owners:
        return None
    works = [each for each in found if WORKS.fullmatch(each.path)]
    works.sort(key=lambda each: each.suffix == ".bib")  # citation files after the pages
    others = [each for each in authors if each not in owners]
    return Checkout("Hugo Blox", [*owners, *others, *works], owners)


def is_sample(source: SourceFile) -> bool:
    return hugo_blox.author_name(source) in hugo_blox.SAMPLES


def by_depth(found: Iterable[SourceFile]) -> list[SourceFile]:
    return sorted(found, key=lambda each: (each.path.count("/"), each.path))


def has_cv(source: SourceFile) -> bool:
    try:
        return rendercv.matches(source)
    except NotImported:
        return False


def tree_of(source: SourceFile) -> Any:
    try:
        return source.tree if isinstance(source.tree, Row) else {}
    except NotImported:
        return {}
