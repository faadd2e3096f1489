"""Serves a folder written by `kg build`, without a graph.

`BuiltFolder` has the interface of `site.Documents`. All documents are files. Search results, errors
and the query form are rendered with the built-in templates, using `site.json`, `void.ttl` and the
search index. The links of a document come from its linkset. The build writes `site.json`, so that
nothing is parsed from pages.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from pyoxigraph import NamedNode, Quad, RdfFormat, parse, serialize

from kg.check.redirects import FILE as ADDRESSES
from kg.check.redirects import Redirects
from kg.errors import KgError, Place
from kg.graph.describe import Description
from kg.mapping import iris
from kg.publish.about import signposting
from kg.publish.document import ABOUT, ALL, FONT, MARKER, WELL_KNOWN, Document, facts_and_rest
from kg.publish.dumps.packing import Large
from kg.publish.formats.media import (
    ATOM,
    DUMP_SUFFIXES,
    GZIP,
    HTML,
    JSON,
    LINKSET,
    LINKSET_SUFFIX,
    LIST_SUFFIXES,
    OTHER_SUFFIXES,
    PAGE_SUFFIXES,
    PDF,
    TABLE_SUFFIXES,
    TEXT,
    TURTLE,
    VCARD,
)
from kg.publish.formats.suggestions import Suggestions
from kg.publish.formats.urls import TypedLink, file_of
from kg.publish.pages.frame import Frame
from kg.publish.pages.question_page import LIST, question_list
from kg.publish.pages.render import Renderer
from kg.publish.questions.editor import EDITOR
from kg.publish.search.index import path_of
from kg.publish.search.matching import KEY, MOST_SHOWN, MOST_WORDS, Hit, Index, SearchEntry
from kg.settings import Site, Withdrawn, query
from kg.sparql.answer_cache import CachedBody
from kg.sparql.reading.questions import Question, read_question
from kg.store.protocol import Store
from kg.text import normalize, sorting
from kg.text.wording import KINDS
from kg.vocab import sh

MAX_CACHED_FILES = 512  # files
BESIDE = (".pdf", ".png", ".vcf")  # files that plugins add beside a page
MISSING = (FileNotFoundError, IsADirectoryError, NotADirectoryError)
STREAMING_SIZE = 8 << 20  # bytes; larger dumps are streamed from disk
OCTETS = "application/octet-stream"
FORMS = {**PAGE_SUFFIXES, **LIST_SUFFIXES, ".pdf": PDF, ".vcf": VCARD}
# Longest first, since some are endings of others.
SUFFIXES = {
    signposting.FEED: ATOM,
    WELL_KNOWN: TURTLE,
    LINKSET_SUFFIX: LINKSET,
    **FORMS,
    **DUMP_SUFFIXES,
    **OTHER_SUFFIXES,
    ".json": JSON,
    ".gz": GZIP,
}
QUERY_FORMS = [sh[form] for form in ("select", "ask", "construct", "describe")]


def is_built(folder: Path) -> bool:
    """Whether `kg build` wrote this folder."""
    return all((folder / name).is_file() for name in (MARKER, ADDRESSES, ABOUT))


class BuiltFolder:
    """The files of a folder when it was opened. A file replaced since is read as it is now."""

    graph = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = dict.fromkeys(self.text(MARKER).splitlines())
        self.summary = SiteSummary.read(folder)
        self.base, self.former = self.summary.base, self.summary.redirects
        # Compressed copies sent in place of files. Compressed dumps are also documents.
        self.packed = {
            path for path in listed if path.endswith(".gz") and path.removesuffix(".gz") in listed
        }
        linksets = (path for path in listed if path.endswith(LINKSET_SUFFIX))
        self.addresses = set(map(address_of, linksets))
        origins = {
            file_of(address, suffix): address
            for address in self.addresses
            for suffix in (*FORMS, LINKSET_SUFFIX, *BESIDE)
        }
        origins |= {f"dump{suffix}": "dump" for suffix in DUMP_SUFFIXES}
        origins |= {f"dump{suffix}.gz": "packed" for suffix in DUMP_SUFFIXES}
        origins |= {ALL: "dump", f"{ALL}.gz": "packed"}
        origins |= dict.fromkeys((ABOUT, WELL_KNOWN), "void")
        # Path of each file -> its document or origin, and its media type.
        self.files = {
            path: (origins.get(path, "file"), media_type_of(path))
            for path in listed
            if path in origins or path not in self.packed
        }
        self.pages = FolderPages(self)
        found = json.loads(self.text("search.json"))
        self.finder = FolderFinder(
            self.base,
            PartsIndex(folder, found["parts"]) if "parts" in found else Index(list(entries(found))),
        )
        self.near = Suggestions(self.addresses).of
        self.large = {
            path: Large([mapped(folder / path)])
            for path, (origin, _) in self.files.items()
            if origin in ("dump", "packed") and (folder / path).stat().st_size > STREAMING_SIZE
        }
        # Of these, only results are remembered: a file can be missing for a moment.
        self.read = lru_cache(maxsize=MAX_CACHED_FILES)(self.document)
        self.header = lru_cache(maxsize=4 * MAX_CACHED_FILES)(
            lambda path: signposting.header(self.links(path))
        )

    @cached_property
    def questions(self) -> dict[str, Question]:
        return {each.name: each for each in self.pages.questions}

    def get(self, path: str) -> Document | None:
        with suppress(*MISSING):
            return self.read(path) if path in self.files else None
        return None

    def link_header(self, path: str) -> str:
        with suppress(*MISSING):
            return self.header(path)
        return ""

    def document(self, path: str) -> Document:
        if path == f"{LIST}index.html":  # a server answers more questions than a folder
            return Document(path, HTML, question_list(self.pages))
        body = CachedBody((self.folder / path).read_bytes())
        if f"{path}.gz" in self.packed:  # checked now, since the folder can be rebuilt
            body.packed = (self.folder / f"{path}.gz").read_bytes()
        return Document(path, self.files[path][1], body)

    def text(self, path: str) -> str:
        file = self.folder / path
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def links(self, path: str) -> list[TypedLink]:
        """The links of a file, relative to it."""
        origin, media_type = self.files.get(path, ("file", ""))
        site = self.pages.site
        if origin not in self.addresses or media_type == LINKSET:
            return signposting.of_file(site, path, origin)
        linkset = json.loads((self.folder / file_of(origin, LINKSET_SUFFIX)).read_bytes())
        return signposting.seen_from(site, path, signposting.in_linkset(linkset, self.base + path))

    def graph_lines(self) -> tuple[bytes, bytes]:
        """The facts and everything else, as in the endpoint."""
        return facts_and_rest(self.folder)


class FolderPages(Frame):
    """Pages that only a server makes, with the built-in templates."""

    has_pages = True
    own = None
    example = Renderer.example

    def __init__(self, folder: BuiltFolder) -> None:
        self.folder = folder
        base, dataset = folder.base, f"{folder.base}void#it"
        self.about = Description(
            dataset, list(parse(path=folder.folder / ABOUT, base_iri=base)), {}
        )
        known = folder.summary
        self.added = frozenset(folder.files)
        super().__init__(
            Site(folder.folder, base, known.title, license=known.license, contact=known.contact)
        )
        self.today = known.present

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(self.site.base + address for address in self.folder.addresses)

    @cached_property
    def is_of_one(self) -> bool:
        return sum(entry.is_owner for entry in self.folder.finder.index.entries) == 1

    @cached_property
    def questions(self) -> list[Question]:
        return questions_in(self.about, self.site.base)

    @cached_property
    def font(self) -> str:
        return FONT if FONT in self.folder.files else ""

    @cached_property
    def has_editor(self) -> bool:
        return all(f"static/{name}" in self.folder.files for name in EDITOR)

    def names_of(self, things: Sequence[str]) -> Mapping[str, str]:
        return self.known_names

    @cached_property
    def known_names(self) -> dict[str, str]:
        found = json.loads(self.folder.text("completions.json"))
        listed = (*found["classes"], *found["properties"], *found["things"])
        return {self.site.base: self.site.title, **{iri: name for iri, name, _ in listed if name}}

    def called(self, address: str) -> str:
        return self.folder.summary.titles.get(address, address)


def about_lines(quads: Iterable[Quad], base: str) -> bytes:
    """The site's description, in its graph of the endpoint."""
    graph = NamedNode(f"{base}void")
    named = (Quad(quad.subject, quad.predicate, quad.object, graph) for quad in quads)
    return serialize(named, format=RdfFormat.N_QUADS) or b""


def questions_in(about: Description, base: str) -> list[Question]:
    """The questions in the site's description."""
    queries = {
        unquote(subject.rpartition("/")[2]): text
        for subject in about.nodes
        for form in QUERY_FORMS
        for text in about.values(form, subject)
    }
    return [
        read_question(name, text.removeprefix(f"BASE <{base}>\n"))
        for name, text in sorted(queries.items(), key=lambda item: f"{item[0]}.rq")
    ]


@dataclass(frozen=True)
class FolderFinder:
    """Searches the index that the build wrote for browsers."""

    base: str
    index: Index


class PartsIndex(Index):
    """The index of a large site; reads only the parts that a query needs."""

    def __init__(self, folder: Path, keys: Iterable[str]) -> None:
        super().__init__([])
        self.folder, self.keys = folder, list(keys)

    def find(self, query: str, most: int = MOST_SHOWN) -> tuple[list[Hit], int]:
        """Every match contains all words of the query, so the parts of one word are enough."""
        wanted = [
            word
            for word in normalize.words(query)[:MOST_WORDS]
            if len(word) >= KEY or not word.isascii()
        ]
        named = [word for word in wanted if not word.isdecimal()] or wanted
        parts = [[key for key in self.keys if key.startswith(word[:KEY])] for word in named]
        found: dict[str, SearchEntry] = {}
        for key in min(parts, key=len, default=[]):
            part = json.loads((self.folder / path_of(key)).read_bytes())
            found.update((entry.address, entry) for entry in entries(part))
        return Index(sorted(found.values(), key=place)).find(query, most)


def place(entry: SearchEntry) -> tuple[object, ...]:
    """The position of an entry in the index, as far as the entry shows it."""
    named = sorting.key(entry.folder, entry.name, date=entry.note)
    return (not entry.is_owner, list(KINDS).index(entry.folder), *named, entry.address)


def entries(found: Mapping[str, Any]) -> Iterator[SearchEntry]:
    """The entries in a file of the search index (`search.index.listed`)."""
    for kind, folder, is_owner, rows in found["found"]:
        for slug, name, note, others, lines in rows:
            yield SearchEntry(
                f"{folder}/{slug}", kind, name, note, tuple(others), is_owner, tuple(lines)
            )


def address_of(linkset: str) -> str:
    """`people/ada.linkset.json` -> `people/ada`, `people/index.linkset.json` -> `people/`."""
    found = linkset.removesuffix(LINKSET_SUFFIX)
    return found.removesuffix("index") if f"/{found}".endswith("/index") else found


def media_type_of(path: str) -> str:
    last = PurePosixPath(path).suffix
    if path.startswith("static/"):
        return OTHER_SUFFIXES.get(last, OCTETS)
    if path.startswith("queries/") and last in TABLE_SUFFIXES:  # the answer to a question
        return TABLE_SUFFIXES[last]
    fallback = OCTETS if last else TEXT
    return next((SUFFIXES[suffix] for suffix in SUFFIXES if path.endswith(suffix)), fallback)


def mapped(file: Path) -> memoryview:
    with file.open("rb") as opened:
        return memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))


FILE = "site.json"


@dataclass(frozen=True)
class SiteSummary:
    """The settings that pages show, the date of the present in figures, the titles of documents by
    address, and redirects of former documents.
    """

    base: str
    title: str
    license: str | None = None
    contact: str | None = None
    has_own_templates: bool = False
    present: str = ""
    titles: dict[str, str] = field(default_factory=dict)
    redirects: Redirects = field(default_factory=Redirects)

    @classmethod
    def of(cls, site: Site, store: Store, redirects: Redirects, present: str) -> SiteSummary:
        titles = {
            iris.path_of(site.base, row["document"].value) or "": row["name"].value
            for row in store.select(query("site/titles"))
        }
        own = (site.folder / "templates").is_dir()
        settings = (site.base, site.title, site.license, site.contact)
        return cls(*settings, own, present, titles, redirects)

    @classmethod
    def read(cls, folder: Path) -> SiteSummary:
        try:
            found = json.loads((folder / FILE).read_bytes())
            redirects = Redirects(
                found["moved"],
                {
                    address: Withdrawn(address, gone["reason"], gone["date"], Place(FILE))
                    for address, gone in found["withdrawn"].items()
                },
            )
            names = ("base", "title", "license", "contact", "has_own_templates", "titles")
            settings = {name: found[name] for name in (*names, "present")}
            return cls(**settings, redirects=redirects)
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise KgError(
                f"{folder / FILE} is missing, damaged or from another version. Run kg build again."
            ) from error

    def text(self) -> bytes:
        value = {
            "base": self.base,
            "title": self.title,
            "license": self.license,
            "contact": self.contact,
            "has_own_templates": self.has_own_templates,
            "present": self.present,
            "moved": dict(self.redirects.moved),
            "withdrawn": {
                address: {"reason": gone.reason, "date": gone.date}
                for address, gone in self.redirects.withdrawn.items()
            },
            "titles": self.titles,
        }
        return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
