"""The proof: whatever of a published site can be checked from its files alone, in a folder or on a
server.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from kg.errors import Problem
from kg.publish.formats.media import DUMP_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.proof import dumps, manners, markup
from kg.publish.proof.faults import fault, ill_formed, short, told
from kg.publish.proof.graphs import Triples, counted, document_of, subject
from kg.publish.proof.links import Links
from kg.publish.proof.listing import Listing
from kg.publish.proof.markup import Markup
from kg.publish.proof.page import Judge, Page
from kg.publish.proof.server import CONNECTIONS, Server
from kg.publish.proof.source import Source

SEED = 7
OTHERS = ("format.html", "sparql.html", "404.html")  # where there is no list of files
PORTION = 64  # documents that are read ahead of those that are judged
Counted = Callable[[int, int], None]
Besides = Callable[[Source], Iterable[Problem]]


@dataclass(frozen=True)
class Proof:
    """What was proved: of so many documents so many were read, in these forms, with so many triples
    and links; and the problems.
    """

    documents: int
    read: int
    forms: tuple[str, ...]
    triples: int
    links: int
    manners: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def good(self) -> bool:
        return not any(problem.severity == "error" for problem in self.problems)

    def __str__(self) -> str:
        """`1900 documents, each the same graph in 5 forms; 29421 triples …`."""
        is_whole = self.read == self.documents
        said = [
            ("" if is_whole else f"a sample of {self.read} of ")
            + counted(self.documents, "document"),
            f"each the same graph in {counted(len(self.forms), 'form')} ({', '.join(self.forms)})",
            f"{counted(self.triples, 'triple')}, and the dumps are their sum"
            if is_whole
            else counted(self.triples, "triple"),
            counted(self.links, "link"),
            *self.manners,
        ]
        return ", ".join(said) + (
            "" if is_whole else "; left out: whether the dumps are the sum of all documents"
        )


read_again = lru_cache(maxsize=16)(markup.read)  # for most of these are the same in each build


def prove(
    source: Source,
    sample: int = 0,
    progress: Counted = lambda done, total: None,
    besides: Besides = lambda source: (),
) -> Proof:
    """`sample`: so many documents instead of all, always the same ones; 0 is all. `besides` is
    asked in the end what else is wrong.
    """
    listing = Listing(source)
    chosen = choose(listing.addresses, sample)
    is_whole = len(chosen) == len(listing.addresses)
    problems = list(listing.faults())
    judge, pages = Judge(listing), []
    for page in judged(judge, listing, source, chosen):
        problems += page.faults
        pages.append(page)
        progress(len(pages), len(chosen))
    whole: Triples = frozenset().union(*(page.own for page in pages))
    problems += unlabelled(listing, pages, whole, is_whole)
    if is_whole:
        problems += dumps.compared(source, whole)
    copies = [path for path in listing.files if path.endswith(dumps.PACKED)]
    if is_whole and not copies:
        copies = [f"dump{suffix}{dumps.PACKED}" for suffix in DUMP_SUFFIXES]
    problems += dumps.packed(source, copies)
    markups = {file_of(page.address, ".html"): page.markup for page in pages if page.markup}
    more, found = other_pages(listing)
    links = Links(listing, markups | more, frozenset(map(subject, whole)))
    problems += [*found, *links.faults()]
    ways: tuple[str, ...] = ()
    if isinstance(source, Server):
        ways, found = manners.checked(source, listing, choose(chosen, manners.TRIED))
        problems += found
    problems += besides(source)
    forms = tuple(suffix.removeprefix(".") for suffix in listing.suffixes)
    return Proof(
        len(listing.addresses),
        len(pages),
        forms,
        len(whole),
        len(links),
        ways,
        tuple(told(problems)),
    )


def choose(addresses: list[str], number: int) -> list[str]:
    """A sample that is the same each time, the first page always in it."""
    if not number or number >= len(addresses):
        return addresses
    others = [address for address in addresses if address]
    return sorted(
        [
            *(address for address in addresses if not address),
            *random.Random(SEED).sample(others, number - 1),  # noqa: S311
        ]
    )


def judged(judge: Judge, listing: Listing, source: Source, addresses: list[str]) -> Iterator[Page]:
    """Reads ahead with a few threads, and judges in this one."""

    def files(address: str) -> dict[str, bytes | None]:
        return {suffix: source.get(file_of(address, suffix)) for suffix in listing.suffixes}

    waiting = iter(addresses)
    with ThreadPoolExecutor(CONNECTIONS if not listing.files else 1) as pool:
        while portion := list(islice(waiting, PORTION)):
            for address, bodies in zip(portion, pool.map(files, portion), strict=True):
                yield judge.page(address, bodies)


def other_pages(listing: Listing) -> tuple[dict[str, Markup], list[Problem]]:
    """Pages that are no documents, as the form for questions."""
    pages: dict[str, Markup] = {}
    problems = []
    documents = {file_of(address, ".html") for address in listing.addresses}
    for file in [path for path in listing.files or OTHERS if path.endswith(".html")]:
        body = listing.source.get(file) if file not in documents else None
        if body is not None:
            pages[file] = read_again(body)
            problems += [
                ill_formed(listing.source.name(file), *each) for each in pages[file].faults
            ]
    return pages, problems


def unlabelled(
    listing: Listing, pages: list[Page], whole: Triples, is_whole: bool
) -> Iterator[Problem]:
    """What pages say of other documents must be said by those."""
    known: dict[str, Triples] = {}
    for page in pages:
        for file, labels in page.labels.items():
            for triple in sorted(labels - whole, key=str):
                document = document_of(triple)
                if not is_whole and listing.dump and document not in known:
                    known[document] = listing.dump.of(document)
                if triple not in known.get(document, ()):
                    yield fault(
                        "label",
                        listing.source.name(file),
                        f"No document says what is said here: {short(triple)}.",
                    )
