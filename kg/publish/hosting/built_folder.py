"""The documents of a folder that `kg build` wrote, for a server that holds no graph.

`BuiltFolder` offers to the web what `site.Documents` does. All documents are files. What only a
server makes, search results, errors and the form for queries, is rendered in the shipped templates,
with what the files say of the site: `void.ttl`, `llms.txt`, `_redirects` and the search index.
"""

from __future__ import annotations

import html
import json
import mmap
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from pyoxigraph import NamedNode, Quad, RdfFormat, parse, serialize

from kg.check.redirects import FILE as ADDRESSES
from kg.check.redirects import Redirects
from kg.errors import Place
from kg.publish.about.signposting import (
    FEED,
    header,
    links_from,
    of_description,
    of_dump,
)
from kg.publish.document import MARKER, Document
from kg.publish.dumps.spool import Large
from kg.publish.formats.media import (
    ATOM,
    CITATION_SUFFIXES,
    DUMP_SUFFIXES,
    GZIP,
    JSON,
    LINKSET,
    LINKSET_SUFFIX,
    OTHER_SUFFIXES,
    PAGE_SUFFIXES,
    TEXT,
    TURTLE,
)
from kg.publish.formats.urls import TypedLink, ascii_url, file_of
from kg.publish.hosting.suggestions import Suggestions
from kg.publish.pages.frame import Frame
from kg.publish.pages.render import Renderer
from kg.publish.queries.editor import EDITOR
from kg.publish.queries.examples import Example, example
from kg.publish.search.index import KINDS, path_of
from kg.publish.search.matching import KEY, MOST_SHOWN, MOST_WORDS, Hit, Index, SearchEntry
from kg.publish.text import folding, sorting
from kg.settings import Site, Withdrawn
from kg.sparql.cached_body import CachedBody
from kg.vocab import dcterms, sh

ABOUT = "void.ttl"
PACKED = ".gz"
STREAMED = 8 << 20  # bytes; a larger dump is sent from the disk
OCTETS = "application/octet-stream"
DOCUMENT_SUFFIXES = {**PAGE_SUFFIXES, **CITATION_SUFFIXES, LINKSET_SUFFIX: LINKSET}
SUFFIXES = {**OTHER_SUFFIXES, **DUMP_SUFFIXES, **PAGE_SUFFIXES, ".json": JSON, PACKED: GZIP}
NAMED = {FEED: ATOM, ".well-known/void": TURTLE}  # whose suffix does not say it
CORRECTIONS = re.compile(r"^Corrections: (.*)\.$", re.MULTILINE)
ESCAPED = re.compile(r"\\(.)")
HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>\s*(?:<p>(.*?)</p>)?", re.DOTALL)
WITHDRAWN = re.compile(
    r" was withdrawn(?: \((.*?)\))?, and is gone for good\.(?: (.*))?", re.DOTALL
)
QUERY_FORMS = {str(sh[form]) for form in ("select", "ask", "construct", "describe")}
TAG = re.compile(r"<[^>]*>")


def is_built(folder: Path) -> bool:
    """Whether `kg build` wrote this folder."""
    return all((folder / name).is_file() for name in (MARKER, ADDRESSES, ABOUT))


class BuiltFolder:
    """The state of a folder when it was opened. A file that was replaced since is read as it is
    now.
    """

    graph = None

    def __init__(self, folder: Path, cache: int = 512) -> None:
        self.folder = folder
        listed = read_text(folder / MARKER).splitlines()
        self.base = read_text(folder / ADDRESSES).partition("\n")[0]
        self.packed = frozenset(packed_copies(listed))
        self.addresses = {address_of(path) for path in listed if path.endswith(LINKSET_SUFFIX)}
        self.files = dict(self.list_files(listed))
        self.pages = FolderPages(self)
        self.former = read_redirects(self)
        self.finder = FolderFinder(folder, self.base)
        self.suggestions = Suggestions(self.addresses)
        self.large = {
            path: Large([mapped(folder / path)])
            for path, (origin, _) in self.files.items()
            if origin in ("dump", "packed") and (folder / path).stat().st_size > STREAMED
        }
        self.get = lru_cache(maxsize=cache)(self.read)
        self.link_header = lru_cache(maxsize=4 * cache)(lambda path: header(self.links(path)))

    def list_files(self, listed: Iterable[str]) -> Iterator[tuple[str, tuple[str, str]]]:
        """Path of each file -> its document or what it is, and its media type."""
        dumps = {f"dump{suffix}": media_type for suffix, media_type in DUMP_SUFFIXES.items()}
        for path in listed:
            suffix = next((each for each in DOCUMENT_SUFFIXES if path.endswith(each)), "")
            address = address_of(path, suffix)
            if suffix and address in self.addresses:
                yield path, (address, DOCUMENT_SUFFIXES[suffix])
            elif path in dumps:
                yield path, ("dump", dumps[path])
            elif path.removesuffix(PACKED) in dumps:
                yield path, ("packed", GZIP)
            elif path not in self.packed:
                origin = "void" if path in (ABOUT, ".well-known/void") else "file"
                yield path, (origin, media_type_of(path))

    def read(self, path: str) -> Document | None:
        """The file at a path, or None."""
        if path not in self.files:
            return None
        try:
            body = CachedBody((self.folder / path).read_bytes())
            if f"{path}{PACKED}" in self.packed:  # now, for the folder may be built again
                body.packed = (self.folder / f"{path}{PACKED}").read_bytes()
        except FileNotFoundError:
            return None
        return Document(path, self.files[path][1], body)

    def near(self, path: str) -> list[str]:
        """The addresses that may have been meant by one that is not there."""
        return self.suggestions.of(path)

    def title(self, address: str) -> str:
        """The heading of a page."""
        page = HEADING.search(self.text(file_of(address, ".html")))
        return html.unescape(TAG.sub("", page[1])).strip() if page else address

    def text(self, path: str) -> str:
        file = self.folder / path
        return read_text(file) if file.is_file() else ""

    def links(self, path: str) -> list[TypedLink]:
        """The links of a file, relative to it."""
        origin, media_type = self.files.get(path, ("file", ""))
        found: list[TypedLink] = []
        if origin in self.addresses and media_type != LINKSET:
            linkset = self.text(file_of(origin, LINKSET_SUFFIX))
            found = links_in(linkset, ascii_url(self.base + path))
        elif origin == "dump":
            found = of_dump(self.pages.site)
        elif origin == "void":
            found = of_description(self.pages.site)
        return links_from(path, found, self.base)

    def nquads(self) -> tuple[bytes, bytes]:
        """The graph of all documents, and what the site says of itself, as the endpoint has it."""
        about = NamedNode(f"{self.base}void")
        quads = (
            Quad(quad.subject, quad.predicate, quad.object, about)
            for quad in parse(path=self.folder / ABOUT, base_iri=self.base)
        )
        described = serialize(quads, format=RdfFormat.N_QUADS) or b""
        return (self.folder / "dump.nq").read_bytes(), described

    def counts(self) -> str:
        """`37 documents`"""
        return f"{len(self.addresses)} documents"


class FolderPages(Frame):
    """The pages that only a server makes, in the shipped templates."""

    has_pages = True
    own = None
    example = Renderer.example

    def __init__(self, folder: BuiltFolder) -> None:
        self.folder = folder
        self.queries: dict[str, str] = {}
        title, licence = "", None
        dataset = f"{folder.base}void#it"
        for quad in parse(path=folder.folder / ABOUT, base_iri=folder.base):
            subject, predicate, value = quad.subject.value, quad.predicate.value, quad.object.value
            if predicate in QUERY_FORMS:
                self.queries[unquote(subject.rpartition("/")[2])] = value
            elif subject == dataset and predicate == dcterms.title:
                title = value
            elif subject == dataset and predicate == dcterms.license:
                licence = value
        contact = CORRECTIONS.search(folder.text("llms.txt"))
        super().__init__(
            Site(
                folder.folder,
                folder.base,
                title,
                license=licence,
                contact=ESCAPED.sub(r"\1", contact[1]) if contact else None,
            )
        )

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(self.site.base + address for address in self.folder.addresses)

    @cached_property
    def examples(self) -> list[Example]:
        base = self.site.base
        return [
            example(name, text.removeprefix(f"BASE <{base}>\n"), base)
            for name, text in sorted(self.queries.items(), key=lambda item: f"{item[0]}.rq")
        ]

    @cached_property
    def has_editor(self) -> bool:
        return all(f"static/{name}" in self.folder.files for name in EDITOR)

    def called(self, address: str) -> str:
        return self.folder.title(address)


class FolderFinder:
    """Finds things by the index that the build wrote for browsers."""

    def __init__(self, folder: Path, base: str) -> None:
        self.folder, self.base = folder, base

    @cached_property
    def index(self) -> Index:
        found = json.loads((self.folder / "search.json").read_bytes())
        return (
            PartsIndex(self.folder, found["parts"])
            if "parts" in found
            else Index(list(entries(found)))
        )


class PartsIndex(Index):
    """The index of a large site, of which only the parts are read that a query needs."""

    def __init__(self, folder: Path, keys: Iterable[str]) -> None:
        super().__init__([])
        self.folder, self.keys = folder, list(keys)
        self.part = lru_cache(maxsize=64)(self.read_part)

    def find(self, query: str, most: int = MOST_SHOWN) -> tuple[list[Hit], int]:
        """All that fits has every word of the query, so the parts of one word are enough."""
        wanted = [word for word in folding.words(query)[:MOST_WORDS] if is_telling(word)]
        named = [word for word in wanted if not word.isdecimal()] or wanted
        parts = [[key for key in self.keys if key.startswith(word[:KEY])] for word in named]
        found: dict[str, SearchEntry] = {}
        for key in min(parts, key=len, default=[]):
            found.update((entry.address, entry) for entry in self.part(key))
        return Index(sorted(found.values(), key=place)).find(query, most)

    def read_part(self, key: str) -> list[SearchEntry]:
        return list(entries(json.loads((self.folder / path_of(key)).read_bytes())))


def is_telling(word: str) -> bool:
    return len(word) >= KEY or not word.isascii()


def place(entry: SearchEntry) -> tuple[object, ...]:
    """Where an entry is in the index of the site, as far as the entry tells."""
    kind = entry.address.partition("/")[0]
    order = list(KINDS).index(kind) if kind in KINDS else len(KINDS)
    named = sorting.key(kind, entry.name, date=entry.note)
    return (not entry.is_owner, order, *named, entry.address)


def entries(found: Mapping[str, Any]) -> Iterator[SearchEntry]:
    """What a file of the search index lists (`search.index.listed`)."""
    for kind, folder, is_owner, rows in found["found"]:
        for slug, name, note, *others in rows:
            yield SearchEntry(f"{folder}/{slug}", kind, name, note, tuple(others), is_owner)


def read_redirects(folder: BuiltFolder) -> Redirects:
    """Where documents went, from the file for hosts."""
    root = urlsplit(folder.base).path
    moved: dict[str, str] = {}
    withdrawn: dict[str, Withdrawn] = {}
    for line in folder.text("_redirects").splitlines():
        old, new, status = line.split()
        address = old.removeprefix(root)
        if "." in address:  # a twin, which goes the same way
            continue
        if status == "301":
            moved[address] = new.removeprefix(root)
            continue
        page = HEADING.search(folder.text(f"{address}.html"))
        told = WITHDRAWN.search(html.unescape(page[2] or "")) if page else None
        date, reason = told.groups() if told else (None, None)
        withdrawn[address] = Withdrawn(address, reason, date, Place("_redirects"))
    return Redirects(moved, withdrawn)


def links_in(linkset: str, anchor: str) -> list[TypedLink]:
    """The links of a context, in the order in which `signposting` makes them."""
    contexts = json.loads(linkset)["linkset"] if linkset else []
    groups = next((dict(each) for each in contexts if each["anchor"] == anchor), {})
    twins = {
        target["href"]: rel
        for rel in ("describes", "describedby")
        for target in groups.pop(rel, ())
    }
    forms: list[TypedLink] = []
    others: list[TypedLink] = []
    for target in groups.pop("alternate", ()):
        rel = f"alternate {twins.pop(target['href'], '')}".strip()
        link = TypedLink(rel, target["href"], target.get("type", ""))
        (others if link.type == ATOM else forms).append(link)
    others = [TypedLink(rel, target, TURTLE) for target, rel in twins.items()] + others
    found: list[TypedLink] = []
    for rel, targets in groups.items():
        if rel != "anchor":
            found += [TypedLink(rel, target["href"], target.get("type", "")) for target in targets]
        found += {"canonical": forms, "type": others}.get(rel, [])
    return found


def packed_copies(listed: Iterable[str]) -> Iterator[str]:
    """Files that a host sends in place of others. Packed dumps are documents too."""
    known = set(listed)
    for path in known:
        if path.endswith(PACKED) and path.removesuffix(PACKED) in known:
            yield path


def address_of(path: str, suffix: str = LINKSET_SUFFIX) -> str:
    """`people/ada.ttl` -> `people/ada`, `people/index.ttl` -> `people/`."""
    found = path.removesuffix(suffix)
    return found.removesuffix("index") if f"/{found}".endswith("/index") else found


def media_type_of(path: str) -> str:
    """By the suffix, of a file that is no document."""
    if path in NAMED:
        return NAMED[path]
    suffix = PurePosixPath(path).suffix
    if path.startswith("static/"):
        return OTHER_SUFFIXES.get(suffix, OCTETS)
    return SUFFIXES.get(suffix, OCTETS) if suffix else TEXT


def mapped(file: Path) -> memoryview:
    with file.open("rb") as opened:
        return memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))


def read_text(file: Path) -> str:
    return file.read_text(encoding="utf-8")
