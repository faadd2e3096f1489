"""Every Document of the site, made in one place: the server sends it, the export writes it. So live and static cannot differ."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from pyoxigraph import RdfFormat, parse, serialize

from kg.graph import resolved
from kg.graph.build import Graph
from kg.graph.describe import describe
from kg.mapping import iris
from kg.publish import bibtex, completions, csl, jsonld, search_page, void
from kg.publish.citations import Citations
from kg.publish.document import STATIC, Document, file_of, static_files
from kg.publish.dump import dump
from kg.publish.finding import Finder
from kg.publish.formats import BIBTEX, CITATION_SUFFIXES, CSL, DUMP_SUFFIXES, HTML, JSON, JSONLD, PAGE_SUFFIXES, TURTLE
from kg.publish.pages import Renderer
from kg.publish.turtle import turtle
from kg.settings import resources, shipped
from kg.vocab import names


class Documents:
    """The files of one graph, made when they are asked for and then kept."""

    def __init__(self, graph: Graph, keep: int = 2048) -> None:
        self.graph = graph
        self.base = graph.site.base
        self.pages = Renderer(graph.site, graph.memory)
        self.addresses = {iris.path_of(self.base, document) or "" for document in graph.memory.documents()}
        self.citations = Citations(graph.memory, self.base)
        self.finder = Finder(graph.memory, self.base, len(self.addresses))
        self.files = dict(self.list_files())
        self.get = lru_cache(maxsize=keep)(self.make)
        self.shapes = lru_cache(maxsize=2)(self.judged_by)
        self.void = lru_cache(maxsize=1)(lambda: void.nquads(graph))
        self.describe = lru_cache(maxsize=8)(lambda address: describe(graph.memory, self.base + address))  # for the twins of a page

    def list_files(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Path of each file -> what it is made from, and its media type."""
        for address in sorted(self.addresses):
            for suffix, media_type in PAGE_SUFFIXES.items():
                yield file_of(address, suffix), (address, media_type)
            for suffix, media_type in CITATION_SUFFIXES.items() if address in self.pages.cited else ():
                yield file_of(address, suffix), (address, media_type)
        for suffix, media_type in DUMP_SUFFIXES.items():
            yield f"dump{suffix}", ("dump", media_type)
        yield "shapes.ttl", ("shapes", TURTLE)
        yield "void.ttl", ("void", TURTLE)
        yield ".well-known/void", ("void", TURTLE)
        yield "sparql.html", ("sparql", HTML)
        yield "completions.json", ("completions", JSON)
        yield "format.html", ("format", HTML)
        yield "search.html", ("search-page", HTML)
        yield from ((path, ("search", JSON)) for path in self.finder.paths)
        yield from static_files()

    def make(self, path: str) -> Document | None:
        """The file at a path, or None."""
        if path not in self.files:
            return None
        origin, media_type = self.files[path]
        match origin:
            case "static":
                body = (STATIC / Path(path).name).read_bytes()
            case "format":
                body = self.pages.format()
            case "sparql":
                body = self.pages.sparql(is_served=False)
            case "completions":
                body = completions.text(self.graph)
            case "search-page":
                body = search_page.html(self.pages, self.finder, is_served=False)
            case "search":
                body = self.finder.text(path)
            case "shapes":
                body = self.shapes()
            case "void":
                body = turtle(self.base, parse(self.void(), format=RdfFormat.N_QUADS), names(self.base))
            case "dump":
                body = dump(self.graph, media_type)
            case _:
                body = self.write(origin, media_type)
        return Document(path, media_type, body)

    def published(self) -> bytes:
        """What the endpoint is asked about: all documents, and what the site says of itself."""
        return self.graph.nquads + self.void()

    def judged_by(self, own: bool = False) -> bytes:
        """What the graph is judged by; or only the part of it that the site brought."""
        files = resources(self.graph.site, "shapes", "*.ttl")
        return resolved.turtle(self.base, [path for path in files if not own or path.parent != shipped("shapes").resolve()])

    def write(self, address: str, media_type: str) -> bytes:
        if media_type in (BIBTEX, CSL):
            works = self.citations.of(address)
            return bibtex.text(works) if media_type == BIBTEX else csl.text(works)
        description = self.describe(address)
        if media_type == HTML:
            return self.pages.html(description)
        if media_type == JSONLD:
            return jsonld.text(jsonld.document(self.base, description))
        if media_type == TURTLE:
            return turtle(self.base, description.quads)
        lines = (serialize((quad.triple for quad in description.quads), format=RdfFormat.N_TRIPLES) or b"").splitlines(keepends=True)
        return b"".join(sorted(lines))

    def embed(self, slug: str) -> str | None:
        """The JSON-LD script of a document, by its address (`orgs/osu`) or its slug; people come first, others must be the only one."""
        found = [address for address in sorted(self.addresses) if address == slug or address.partition("/")[2] == slug]
        people = [address for address in found if address == slug or address.startswith("people/")]
        if not found or (len(found) > 1 and not people):
            return None
        address = (people or found)[0]
        return jsonld.script(jsonld.document(self.base, self.describe(address)))
