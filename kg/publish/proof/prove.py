"""The proof: whatever of a published site can be checked from its files alone, in a folder, on a
server, or in a folder that is being written.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from kg.errors import Problem
from kg.publish.formats.media import DUMP_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.proof import dumps, manners
from kg.publish.proof.faults import fault, limited, short
from kg.publish.proof.graphs import Triples, counted
from kg.publish.proof.links import FOR_PROGRAMS, LINKSET
from kg.publish.proof.listing import Listing
from kg.publish.proof.page import Judge, Page
from kg.publish.proof.server import CONNECTIONS, Server
from kg.publish.proof.source import Evidence, Source

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
        is_complete = self.read == self.documents
        said = [
            ("" if is_complete else f"a sample of {self.read} of ")
            + counted(self.documents, "document"),
            f"each the same graph in {counted(len(self.forms), 'form')} ({', '.join(self.forms)})",
            f"{counted(self.triples, 'triple')}, and the dumps are their sum"
            if is_complete
            else counted(self.triples, "triple"),
            counted(self.links, "link"),
            *self.manners,
        ]
        return ", ".join(said) + (
            "" if is_complete else "; left out: whether the dumps are the sum of all documents"
        )


def prove(
    source: Source,
    sample: int = 0,
    progress: Counted = lambda done, total: None,
    besides: Besides = lambda source: (),
    listing: Listing | None = None,
) -> Proof:
    """`sample`: so many documents instead of all, always the same ones; 0 is all. `besides` adds
    problems in the end. `listing` is that of the source, where it was read before.
    """
    listing = listing or Listing(source)
    chosen = choose(listing.addresses, sample)
    is_complete = len(chosen) == len(listing.addresses)
    problems = list(listing.faults())
    judge = Judge(listing)
    evidence = known_evidence(listing, chosen)
    pages = []
    for page in judged(judge, [each for each in chosen if page_of(each) not in evidence]):
        problems += page.faults
        evidence |= page.evidence
        pages.append(page)
        progress(len(pages), len(chosen))
    graph: Triples = frozenset().union(*(page.own for page in pages))
    problems += unlabelled(listing, evidence, graph)
    if is_complete:
        problems += dumps.compared(source, graph)
    problems += dumps.packed(source, packed_copies(listing, is_complete))
    for file in other_files(listing):
        if file not in evidence and (body := source.get(file)) is not None:
            evidence[file], faults = judge.file(file, body)
            problems += faults
    problems += judge.links.broken(evidence, graph)
    seen: tuple[str, ...] = ()
    if isinstance(source, Server):
        seen, found = manners.checked(source, listing, choose(chosen, manners.TRIED))
        problems += found
    problems += besides(source)
    return Proof(
        len(listing.addresses),
        len(chosen),
        tuple(suffix.removeprefix(".") for suffix in listing.suffixes),
        sum(each.triples for each in evidence.values()),
        sum(each.count for each in evidence.values()),
        seen,
        tuple(limited(problems)),
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


def page_of(address: str) -> str:
    return file_of(address, ".html")


def known_evidence(listing: Listing, addresses: list[str]) -> dict[str, Evidence]:
    """What the source knows of the files of these documents, and of others."""
    wanted = {file_of(address, suffix) for address in addresses for suffix in listing.suffixes}
    wanted |= {file_of(address, LINKSET) for address in addresses} | {*other_files(listing)}
    found = {file: listing.source.evidence(file) for file in wanted}
    return {file: known for file, known in found.items() if known}


def judged(judge: Judge, addresses: list[str]) -> Iterator[Page]:
    """Reads ahead with a few threads, and judges in this one."""
    listing, source = judge.listing, judge.source
    listed = frozenset(listing.files)

    def files(address: str) -> dict[str, bytes | None]:
        suffixes = [*listing.suffixes, *([LINKSET] if file_of(address, LINKSET) in listed else [])]
        return {suffix: source.get(file_of(address, suffix)) for suffix in suffixes}

    waiting = iter(addresses)
    with ThreadPoolExecutor(CONNECTIONS if not listing.files else 1) as pool:
        while portion := list(islice(waiting, PORTION)):
            for address, bodies in zip(portion, pool.map(files, portion), strict=True):
                yield judge.page(address, bodies)


def other_files(listing: Listing) -> list[str]:
    """Pages that are no documents, as the form for queries, and what tells programs where documents
    are.
    """
    documents = {page_of(address) for address in listing.addresses}
    pages = [path for path in listing.files or OTHERS if path.endswith(".html")]
    return [*(path for path in pages if path not in documents), *FOR_PROGRAMS]


def packed_copies(listing: Listing, is_complete: bool) -> list[str]:
    copies = [path for path in listing.files if path.endswith(dumps.PACKED)]
    if is_complete and not copies:
        copies = [f"dump{suffix}{dumps.PACKED}" for suffix in DUMP_SUFFIXES]
    return copies


def unlabelled(
    listing: Listing, evidence: Mapping[str, Evidence], graph: Triples
) -> Iterator[Problem]:
    """What files say of other documents, and those do not say. Each is looked up once: in the dump,
    and in the graph that the documents hold, where they were read.
    """
    claims = frozenset[str]().union(*(each.labels for each in evidence.values()))
    by_document: dict[str, set[str]] = defaultdict(set)
    for claim in claims:
        by_document[claim[1 : claim.index(">")].partition("#")[0]].add(claim)
    wrong = set()
    for document, said in by_document.items():
        lines = frozenset(listing.dump.text(document).splitlines() if listing.dump else ())
        end = f" <{document}> ."
        wrong |= {each for each in said if (each.removesuffix(" .") + end).encode() not in lines}
    wrong -= {f"{triple} ." for triple in graph} if wrong else set()
    for file, each in evidence.items() if wrong else ():
        for claim in sorted(wrong.intersection(each.labels)):
            message = f"No document says what is said here: {short(claim.removesuffix(' .'))}."
            yield fault("label", listing.source.name(file), message)
