"""Files that plugins add beside pages (`kg.page_files`), such as a PDF, a vCard or a preview image.

They are files of the document: rendered, searched for private values, cached and linked with the
formats of its page. Site owners choose them by name in `files` of `data/site.yaml`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from kg import doors
from kg.graph.build import Publishable
from kg.graph.describe import Description
from kg.publish.document import Document
from kg.publish.formats.media import PDF
from kg.publish.pages.page import Page
from kg.settings import Site, query
from kg.store.protocol import Store

GROUP = "kg.page_files"


class SiteFiles(Protocol):
    """What files are made from: `kg.publish.site.Documents`."""

    base: str
    graph: Publishable
    store: Store
    describe: Callable[[str], Description]
    page: Callable[[str], Page]

    @property
    def files(self) -> Mapping[str, tuple[str, str]]: ...

    def make(self, path: str) -> Document | None: ...


@dataclass(frozen=True)
class PageFile:
    """A file beside pages: `people/ada.vcf`. `pages` selects their addresses; `make` gets the
    documents and an address. An image is the preview of its page; other files are its formats.
    """

    suffix: str
    media_type: str
    pages: Callable[[Store, str], Iterable[str]]  # of a store with a base IRI
    make: Callable[[SiteFiles, str], bytes]
    is_default: bool = True  # without a setting
    is_served: bool = True  # false if it takes too long for a server: only `kg build` makes it

    @property
    def is_preview(self) -> bool:
        return self.media_type.startswith("image/")

    @property
    def is_encoding(self) -> bool:
        """Whether it is the page itself in another form, according to its JSON-LD."""
        return self.media_type == PDF


def page_files(site: Site, is_built: bool = False) -> tuple[PageFile, ...]:
    """The files that a site has, on a server or in a build."""
    return tuple(
        file
        for name, file in doors.each(GROUP, PageFile).items()
        if site.files.get(name, file.is_default) and (file.is_served or is_built)
    )


def by_address(
    files: Iterable[PageFile], store: Store, base: str
) -> Mapping[str, Mapping[str, PageFile]]:
    """The files of each page by suffix."""
    found: dict[str, dict[str, PageFile]] = defaultdict(dict)
    for file in files:
        for address in file.pages(store, base):
            found[address][file.suffix] = file
    return dict(found)


def owners(store: Store, base: str) -> Iterable[str]:
    """The pages of people with a CV."""
    return [
        row["item"].value[len(base) :].removesuffix("#it")
        for row in store.select(query("site/owners"))
    ]
