"""Reads a published site as it is, without a check: its address, a built folder, or a dump.

A site is described by its `void.ttl`, which has its base, its title and its questions; a dump alone
has the built-in questions. Queries are read-only, and checked like all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urljoin

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.errors import KgError, SiteNotFound, counted
from kg.facts.secrets import PublicTexts, Secrets
from kg.graph import rdf_files
from kg.graph.describe import Description
from kg.graph.sorted_lines import divided
from kg.mapping.iris import bases_of
from kg.opened_site import Opener, OpenSite
from kg.publish.document import ABOUT, ALL, DUMP
from kg.publish.hosting.built_folder import is_built, questions_in
from kg.publish.questions.questions import questions
from kg.settings import NOWHERE, Site
from kg.sparql.reading.questions import Question
from kg.store.memory import Memory
from kg.vocab import dcterms, void
from kg.web.http_client import Client, check_address

MAX_BYTES = 1 << 29
TIMEOUT = 120.0  # seconds for a file
ENTRY = re.compile(rb"^<([a-z]+://[^<>\s#]*)#it> ", re.MULTILINE)
NO_FOLDER = Path(__file__).with_name("none")  # without queries of its own


@dataclass(frozen=True)
class PublishedGraph:
    """The graph of a published site: its facts and the rest. It has no private values."""

    site: Site
    nquads: bytes
    rest: bytes = b""

    @property
    def secrets(self) -> Secrets:
        return Secrets((), PublicTexts())

    @cached_property
    def memory(self) -> Memory:
        return Memory(self.site.base, self.nquads + self.rest)

    @property
    def counts(self) -> str:
        return counted(self.nquads.count(b"\n"), "triple")


class PublishedSite(OpenSite):
    """A site with the description and the questions that it publishes; a dump has neither."""

    def __init__(self, graph: PublishedGraph, described: Sequence[Quad] = ()) -> None:
        super().__init__(graph)
        self._described = described

    def _rest(self) -> bytes:
        return self._built.rest

    @cached_property
    def _questions(self) -> Mapping[str, Question]:
        about = Description(f"{self.url}void#it", [*self._described], {})
        found = questions_in(about, self.url) or questions(self._built.site)
        return {each.name: each for each in found}


def published(where: str, read: Callable[[str], bytes]) -> OpenSite:
    """The site whose files `read` returns. A site of an earlier version has no file of the rest."""
    try:
        described = list(parse(read(ABOUT), RdfFormat.TURTLE, base_iri=NOWHERE))
        base = stated(described, void.uriSpace)
        NamedNode(base)
    except (SyntaxError, ValueError) as error:
        raise KgError(f"Cannot read {where}{ABOUT}: {error}.") from error
    if not base.endswith("/"):
        raise SiteNotFound(f"{where}{ABOUT} does not describe a site of cv-kg.", Path(where))
    site = Site(NO_FOLDER, base, stated(described, dcterms.title))
    facts, rest = read(DUMP), b""
    if whole := read(ALL):
        facts, rest = divided(whole, base)
    return PublishedSite(PublishedGraph(site, facts, rest), described)


def stated(described: list[Quad], property: str) -> str:
    """The first text of a property of the dataset."""
    found = (
        each.object.value
        for each in described
        if each.predicate.value == property
        and isinstance(each.object, Literal)
        and str(each.subject).endswith("void#it>")
    )
    return next(found, "")


def open_folder(source: str) -> OpenSite:
    def read(name: str) -> bytes:
        file = Path(source, name)
        return file.read_bytes() if file.is_file() else b""

    return published(f"{source}/", read)


def open_address(source: str) -> OpenSite:
    root = check_address(source if source.endswith("/") else f"{source}/")

    def read(name: str) -> bytes:
        address = urljoin(root, name)
        try:
            found = client.exchange("GET", address, b"", {}, TIMEOUT, MAX_BYTES)
        except TimeoutError as error:
            raise KgError(f"{address} did not answer within {TIMEOUT:g} s.") from error
        except ConnectionError as error:
            raise KgError(f"Cannot reach {address}: {error}.") from error
        if found.status == 404 and name == ALL:
            return b""
        if found.status != 200:
            moved = found.headers.get("location", "")
            to = f" and redirects to {moved}. Open that address" if moved else ""
            message = f"{address} returned HTTP {found.status}{to}."
            raise SiteNotFound(message, Path(source))
        return found.body

    with closing(Client(root, uses_proxies=True)) as client:
        return published(root, read)


def open_dump(source: str) -> OpenSite:
    file = Path(source)
    found = rdf_files.read([file], NOWHERE).nquads
    bases = bases_of({each.decode() for each in ENTRY.findall(found)})
    if len(bases) != 1:
        raise SiteNotFound(
            f"{source} is not a dump of one site: it has entries of {counted(len(bases), 'site')}. "
            "To query other RDF files, use kg serve.",
            file,
        )
    [base] = bases
    return PublishedSite(PublishedGraph(Site(NO_FOLDER, base, base), *divided(found, base)))


def is_dump(source: str) -> bool:
    """Whether this is an RDF file."""
    file = Path(source)
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() != rdf_files.PACKED]
    return file.is_file() and bool(suffixes) and suffixes[-1] in rdf_files.SUFFIXES


ADDRESS = Opener(lambda source: source.startswith(("http://", "https://")), open_address)
DUMP_FILE = Opener(is_dump, open_dump)
FOLDER = Opener(lambda source: is_built(Path(source)), open_folder)
