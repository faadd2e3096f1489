"""The result of verifying a site, and what is verified between its files."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kg.errors import Problem
from kg.publish.formats.media import (
    DATA_SUFFIXES,
    NTRIPLES,
)
from kg.publish.verify import graphs
from kg.publish.verify.embedded import is_known
from kg.publish.verify.graphs import (
    Triples,
    fault,
    limited,
    short,
)
from kg.publish.verify.judge import Judge
from kg.publish.verify.listing import SiteListing
from kg.publish.verify.source import Evidence
from kg.vocab import home

SEED = 7


@dataclass(frozen=True)
class Verification:
    """The result: the number of documents, how many were read, in which formats, with how many
    triples and links; and the problems.
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
        """`24 documents: all 4 formats agree, …, 2,665 links work`, to be read after "Verified"."""
        documents = f"{self.documents:,} document{'' if self.documents == 1 else 's'}"
        triples, links = f"{self.triples:,} triples", f"{self.links:,} links work"
        if self.read == self.documents:
            dumps = f"dumps are complete ({triples})"
        else:
            documents = f"a sample of {self.read:,} of {documents}"
            dumps = f"{triples} (dumps not compared)"
        number = "both" if len(self.forms) == 2 else f"all {len(self.forms)}"
        same = [f"{number} formats agree"] if len(self.forms) > 1 else []
        http = [f"HTTP behaviour is correct ({', '.join(self.manners)})"] if self.manners else []
        parts = [*same, "embedded JSON-LD matches", dumps, links, *http]
        return f"{documents}: {', '.join(parts)}"


def wrong_between(
    judge: Judge, evidence: Mapping[str, Evidence], graph: Triples = frozenset()
) -> list[Problem]:
    """Problems between files that were verified separately. `graph` is that of the documents, in
    case the dump differs.
    """
    listing = judge.listing
    broken = judge.links.broken(evidence, graph)
    return [*listing.faults(), *unsupported_labels(listing, evidence, graph), *broken]


def conclude(
    listing: SiteListing,
    read: int,
    evidence: Mapping[str, Evidence],
    problems: Iterable[Problem],
    manners: tuple[str, ...] = (),
) -> Verification:
    return Verification(
        len(listing.addresses),
        read,
        tuple(suffix.removeprefix(".") for suffix in listing.suffixes if suffix in DATA_SUFFIXES),
        sum(each.triples for each in evidence.values()),
        sum(each.count for each in evidence.values()),
        manners,
        tuple(limited(problems)),
    )


def choose(addresses: list[str], number: int) -> list[str]:
    """A reproducible sample that always includes the home page."""
    if not number or number >= len(addresses):
        return addresses
    first, others = [each for each in addresses if not each], [*filter(None, addresses)]
    return sorted([*first, *random.Random(SEED).sample(others, number - 1)])  # noqa: S311


def equivalent_claims(claims: set[str], said: frozenset[bytes]) -> set[str]:
    """Claims from embedded JSON-LD, which has neither datatypes nor the narrowest classes."""
    if not claims or not said:
        return set()
    known = graphs.untyped(graphs.triples(b"\n".join(said), NTRIPLES))
    return {
        claim
        for claim in claims
        for triple in graphs.triples(claim, NTRIPLES)
        if is_known(triple, known)
    }


def unsupported_labels(
    listing: SiteListing, evidence: Mapping[str, Evidence], graph: Triples
) -> Iterator[Problem]:
    """Statements of files about other documents that those do not contain. Each is looked up once:
    in the dump, and in the graph of the documents that were read.
    """
    by_document: dict[str, set[str]] = defaultdict(set)
    for claim in frozenset[str]().union(*(each.labels for each in evidence.values())):
        by_document[home(listing.base, claim[1 : claim.index(">")])].add(claim)
    wrong = set()
    for document, claims in by_document.items():
        if unsaid := listing.dump.unsaid(document, claims):
            wrong |= unsaid - equivalent_claims(unsaid, listing.dump.claims(document))
    wrong -= {f"{triple} ." for triple in graph} if wrong else set()
    for file, each in evidence.items() if wrong else ():
        for claim in sorted(wrong.intersection(each.labels)):
            message = f"No document contains this statement: {short(claim.removesuffix(' .'))}."
            yield fault("label", listing.source.name(file), message)
