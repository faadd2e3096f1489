"""All documents of a site. The server sends them and the export writes them, so that both are
identical.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, lru_cache, partial
from pathlib import Path

from pyoxigraph import RdfFormat, parse

from kg.check import addresses, shapes
from kg.check.images import is_image, named_images
from kg.graph.build import Publishable, is_large
from kg.graph.describe import Description, describe
from kg.mapping import iris
from kg.publish.about import notices, void
from kg.publish.about import signposting as links
from kg.publish.about.counts import completions, count
from kg.publish.added_files import adders
from kg.publish.citations.citation import FOLDERS, Citations, CitedWork
from kg.publish.citations.writers import bibtex, csl, csv
from kg.publish.document import ABOUT, ALL, DUMP, WELL_KNOWN, Document, static_body, static_files
from kg.publish.dumps.dump import Dump, everything, in_parts
from kg.publish.dumps.packing import Large, LargeFiles, Part, packed, spooled
from kg.publish.formats import jsonld
from kg.publish.formats.media import (
    BIBTEX,
    CSL,
    CSV,
    DUMP_SUFFIXES,
    GZIP,
    HTML,
    JSON,
    JSONLD,
    LINKSET,
    LINKSET_SUFFIX,
    MARKDOWN,
    NQUADS,
    NTRIPLES,
    PAGE_SUFFIXES,
    RDFXML,
    TURTLE,
)
from kg.publish.formats.rdf import ntriples, rdfxml, turtle
from kg.publish.formats.suggestions import Suggestions
from kg.publish.formats.urls import TypedLink, file_of, slug_of
from kg.publish.hosting import built_folder, host_rules
from kg.publish.hosting.built_folder import SiteSummary
from kg.publish.page_files import PageFile, page_files
from kg.publish.pages.list_filter import slugs
from kg.publish.pages.page import Page
from kg.publish.pages.question_page import (
    ANSWER_SUFFIXES,
    LIST,
    question_list,
    question_page,
    suffixes,
)
from kg.publish.pages.render import Renderer
from kg.publish.questions import editor
from kg.publish.questions.questions import (
    SiteAnswers,
    answer_file,
    cited,
    own_queries,
    result_of,
)
from kg.publish.search.index import Finder, results_page
from kg.settings import resources
from kg.sparql.reading.questions import Question
from kg.vocab import ALL_PREFIXES

LOADS = {"engine": "static/oxigraph.wasm", "dump": DUMP, "all": ALL}

MAX_CACHED_FILES = 2048  # files
CitationWriter = Callable[[Iterable[CitedWork]], bytes]

# Single files of every site: origin and media type.
SINGLE_FILES = {
    "shapes.ttl": ("shapes", TURTLE),
    ABOUT: ("void", TURTLE),
    WELL_KNOWN: ("void", TURTLE),
    "sparql.html": ("sparql", HTML),
    ALL: ("dump", NQUADS),
    f"{ALL}.gz": ("packed", GZIP),
    "completions.json": ("completions", JSON),
    "search.html": ("search-page", HTML),
    built_folder.FILE: ("site", JSON),
}


class Documents:
    """The files of one graph, created on request and cached."""

    def __init__(
        self,
        graph: Publishable,
        suffixes: Mapping[str, str] = PAGE_SUFFIXES,
        is_lean: bool = False,
        files: Sequence[PageFile] | None = None,
        previous: Path | None = None,
        today: str = "",
    ) -> None:
        """`suffixes` are the formats of each page, with their media types. `is_lean` leaves out the
        SPARQL editor and its engine, the reference of the YAML format, and questions without an
        answer on the site. `files` are beside pages (default: those of a server). `previous` is the
        folder of the build to replace `today`, if known.
        """
        self.suffixes, self.base = suffixes, graph.site.base
        self.previous, self.today = previous, today
        beside = page_files(graph.site) if files is None else files
        self.pages = Renderer(graph.site, graph.memory, suffixes, beside)
        self.pages.today = today
        self.is_lean = is_lean
        self.addresses = {
            iris.path_of(self.base, document) or "" for document in graph.memory.documents()
        }
        self.former = addresses.find_redirects(graph.site, graph.memory, self.addresses)
        self.read_from(graph)
        self.counts = lru_cache(maxsize=1)(lambda: count(graph.nquads))
        self.void = lru_cache(maxsize=1)(lambda: void.nquads(graph, self.counts()))
        answers = SiteAnswers(self.base, lambda: (graph.nquads, self.rest()))
        self.ask: Callable[[str], bytes] = answers.ask
        if is_lean:
            self.pages.is_asked = self.has_answer
        self.get = lru_cache(maxsize=MAX_CACHED_FILES)(self.make)
        self.shapes = lru_cache(maxsize=2)(self.shapes_turtle)
        self.described = lru_cache(maxsize=1)(
            lambda: turtle(self.base, parse(self.void(), format=RdfFormat.N_QUADS), ALL_PREFIXES)
        )
        self.link_header = lru_cache(maxsize=MAX_CACHED_FILES)(
            lambda path: links.header(self.links(path))
        )
        large = is_large(graph)
        self.dump = lru_cache(maxsize=None if large else 1)(
            lambda media_type: in_parts(graph, media_type)
        )  # its compressed copy comes next
        dumps = [ALL, f"{ALL}.gz"]
        dumps += [f"dump{suffix}{end}" for suffix in DUMP_SUFFIXES for end in ("", ".gz")]
        self.large = LargeFiles(self.make_large, dumps if large else [])
        found = {name: each.files_of(self) for name, each in adders().items()}
        self.added = {name: files for name, files in found.items() if files}
        self.pages.added = frozenset(path for files in self.added.values() for path in files.types)

    @cached_property
    def files(self) -> dict[str, tuple[str, str]]:
        """Path of each file -> its origin and media type."""
        return dict(self.list_files())

    @cached_property
    def near(self) -> Callable[[str], list[str]]:
        """Suggests addresses similar to another one."""
        named = (LIST + name for name in self.questions)
        return Suggestions([*self.addresses, LIST, *named]).of

    @cached_property
    def questions(self) -> dict[str, Question]:
        return {each.name: each for each in self.pages.questions}

    @cached_property
    def own_queries(self) -> bytes:
        return own_queries(self.graph.site)

    def read_from(self, graph: Publishable) -> None:
        """Resets everything that depends on the store of a graph."""
        self.graph, self.store = graph, graph.memory
        self.citations = self.pages.citations = Citations(self.store, self.base)
        self.finder = Finder(self.store, self.base, len(self.addresses))
        self.describe: Callable[[str], Description] = lru_cache(maxsize=8)(
            lambda address: describe(graph.memory, self.base + address)
        )  # for the other formats of a page
        self.page: Callable[[str], Page] = lru_cache(maxsize=8)(
            lambda address: self.pages.page(
                self.describe(address), self.links(file_of(address, ".html"))
            )
        )

    def traced(self, graph: Publishable) -> Documents:
        """The same documents from the same graph in another store, which records its queries."""
        other = copy(self)
        other.pages = copy(self.pages)
        other.pages.store = graph.memory
        other.read_from(graph)
        return other

    def list_files(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Path of each file -> its origin and media type."""
        for address in sorted(self.addresses):
            for suffix, media_type in self.pages.forms(address).items():
                yield file_of(address, suffix), (address, media_type)
            for suffix, file in self.pages.beside.get(address, {}).items():
                yield file_of(address, suffix), (address, file.media_type)
            yield file_of(address, LINKSET_SUFFIX), (address, LINKSET)
        for suffix, media_type in DUMP_SUFFIXES.items():
            yield f"dump{suffix}", ("dump", media_type)
            yield f"dump{suffix}.gz", ("packed", GZIP)
        yield from SINGLE_FILES.items()
        yield from ((path, ("search", JSON)) for path in self.finder.paths)
        yield from self.list_questions()
        yield from notices.files(len(self.addresses))
        for name, added in self.added.items():
            yield from ((path, (name, media_type)) for path, media_type in added.types.items())
        static = static_files(self.graph.site.folder / "static")
        if self.is_lean:
            yield from (item for item in static if item[0] not in editor.SCRIPTS)
        else:
            yield from (*static, *editor.listed())
        yield from host_rules.files(self.former, self.addresses)

    def list_questions(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """The files of questions: the list, a page for each, and the answers that need no value."""
        yield f"{LIST}index.html", ("questions", HTML)
        for name, question in self.questions.items():
            yield f"{LIST}{name}.html", (LIST + name, HTML)
            for suffix in suffixes(question, is_served=False) if self.is_answered(question) else ():
                yield f"{LIST}{name}{suffix}", (LIST + name, ANSWER_SUFFIXES[suffix])

    def is_answered(self, question: Question) -> bool:
        """Whether the answer is written to files. For a large graph this would take too long."""
        return not question.needed and not is_large(self.graph)

    def has_answer(self, question: Question) -> bool:
        """Whether the answer is written to files and not empty."""
        return self.is_answered(question) and bool(
            result_of(question, self.ask(question.text)).rows
        )

    def make_question(self, name: str, media_type: str) -> bytes:
        question = self.questions[name]
        if media_type != HTML:
            return answer_file(self.ask, question, media_type, self.base, len(self.addresses))
        if not self.is_answered(question):
            return question_page(self.pages, question, {}, loads=self.loads())
        body = self.ask(question.linked.text)
        result, found = (
            result_of(question, body),
            cited(self.ask, question, body, len(self.addresses)),
        )
        return question_page(
            self.pages, question, {}, result=result, sources=found, loads=self.loads()
        )

    def make(self, path: str) -> Document | None:
        """The file at a path, or None."""
        if path not in self.files:
            return None
        origin, media_type = self.files[path]
        if origin == "package":
            return editor.document(path)
        if origin.startswith(LIST):
            body = self.make_question(origin.removeprefix(LIST), media_type)
            return Document(path, media_type, body)
        if file := self.pages.beside.get(origin, {}).get(path.removeprefix(file_of(origin, ""))):
            return Document(path, media_type, file.make(self, origin))
        maker = self.makers().get(origin)
        return Document(path, media_type, maker(path) if maker else self.write(origin, media_type))

    def dump_pieces(self, path: str) -> Iterator[Part]:
        """The parts of a dump or of its compressed copy."""
        parts = self.dump_at(path.removesuffix(".gz")).pieces()
        return packed(parts) if path.endswith(".gz") else parts

    def dump_at(self, path: str) -> Dump:
        if path == ALL:
            return everything(self.graph, self.void())
        return self.dump(self.files[path][1])

    def make_large(self, path: str) -> Large:
        """A dump of a large graph, kept out of memory."""
        parts = self.dump_pieces(path)
        found = spooled(parts) if path.endswith(".gz") else parts
        return Large([part.body for part in found])

    def makers(self) -> dict[str, Callable[[str], bytes]]:
        """The makers of files that are not formats of a document, by origin."""
        return {
            "static": self.make_static,
            "questions": lambda _: question_list(self.pages),
            "sparql": lambda _: self.pages.sparql(is_served=False, loads=self.loads()),
            "completions": lambda _: completions(self.graph, self.counts()),
            "search-page": lambda _: results_page(self.pages, self.finder, is_served=False),
            "search": self.finder.text,
            "shapes": lambda _: self.shapes(),
            "site": lambda _: SiteSummary.of(
                self.graph.site, self.store, self.former, self.pages.now
            ).text(),
            "void": lambda _: self.described(),
            **dict.fromkeys(
                ("dump", "packed"),
                lambda path: b"".join(part.body for part in self.dump_pieces(path)),
            ),
            notices.ORIGIN: lambda path: notices.text(
                self.graph, sorted(self.addresses), self.suffixes, path
            ),
            **{name: partial(added.make, self) for name, added in self.added.items()},
            host_rules.HOST: lambda path: host_rules.body(
                path, self.pages, self.former, self.addresses, self.files
            ),
        }

    def make_static(self, path: str) -> bytes:
        named = named_images(self.store, self.base) if is_image(Path(path)) else {}
        return static_body(path, self.graph.site.folder / "static", named.keys())

    def loads(self) -> dict[str, str]:
        """The files that the query page loads to answer in the browser; compressed copies if they
        exist. Empty without the engine.
        """
        packed = {name: f"{path}.gz" for name, path in LOADS.items() if f"{path}.gz" in self.files}
        return LOADS | packed if LOADS["engine"] in self.files else {}

    def rest(self) -> bytes:
        """What is not a fact: pages, sources, the vocabulary, and the description of the site."""
        return self.graph.rest + self.void()

    def shapes_turtle(self, own: bool = False) -> bytes:
        """The SHACL shapes for the graph; with `own`, only those of the site."""
        files = resources(self.graph.site, "shapes", "*.ttl")
        found = [path for path in files if not (own and shapes.is_shipped(path))]
        return shapes.read(self.base, found, self.graph.site.vocabularies).turtle()

    def write(self, address: str, media_type: str) -> bytes:
        """A document in one format."""
        writers: dict[str, Callable[[Description], bytes]] = {
            HTML: lambda _: self.pages.html(self.page(address)),
            MARKDOWN: lambda _: self.pages.markdown(self.page(address), self.addresses),
            LINKSET: lambda description: self.linkset(address, description),
            JSONLD: lambda description: jsonld.text(jsonld.document(self.base, description)),
            TURTLE: lambda description: turtle(self.base, description.quads),
            RDFXML: lambda description: rdfxml(self.base, description.quads),
            NTRIPLES: lambda description: ntriples(description.quads),
            BIBTEX: lambda _: bibtex(self.citations.of(address)),
            CSL: lambda _: csl(self.citations.of(address)),
            CSV: lambda _: csv(self.citations.of(address), self.base),
        }
        return writers[media_type](self.describe(address))

    def filtered(self, path: str, given: Mapping[str, Sequence[str]]) -> Document | None:
        """A list of works with the filter in the query of its address; None for other files."""
        address, media_type = self.files.get(path, ("", ""))
        table = partial(csv, base=self.base)
        writers: dict[str, CitationWriter] = {BIBTEX: bibtex, CSL: csl, CSV: table}
        if address not in FOLDERS or media_type not in (HTML, *writers):
            return None
        page = self.pages.page(self.describe(address), self.links(path), given)
        if media_type == HTML or not page.filter:
            return Document(path, media_type, self.pages.html(page))
        shown = slugs(page.filter.shown)
        works = [work for work in self.citations.of(address) if slug_of(work.address) in shown]
        return Document(path, media_type, writers[media_type](works))

    def address(self, name: str) -> str | None:
        """A document by its address (`orgs/osu`) or its slug. People take precedence; a slug of
        another kind must be unique.
        """
        found = [
            address
            for address in sorted(self.addresses)
            if address == name or address.partition("/")[2] == name
        ]
        people = [address for address in found if address == name or address.startswith("people/")]
        return (people or found)[0] if people or len(found) == 1 else None

    def links(self, path: str) -> list[TypedLink]:
        """The typed links of a file, relative to it."""
        # the files of the editor are not part of the site
        origin, media_type = self.files.get(path, ("static", ""))
        forms = self.pages.forms(origin)
        is_form = origin in self.addresses and media_type in forms.values()
        description = self.describe(origin) if is_form else None
        added = self.pages.added
        return links.of_file(self.graph.site, path, origin, media_type, description, forms, added)

    def linkset(self, address: str, description: Description) -> bytes:
        suffixes = self.pages.forms(address)
        forms = {address: HTML} | {
            file_of(address, suffix): media_type for suffix, media_type in suffixes.items()
        }
        found = {
            path: links.of_form(self.graph.site, description, form, suffixes, self.pages.added)
            for path, form in forms.items()
        }
        return links.linkset(self.base, found)
