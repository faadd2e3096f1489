"""What sources return: works and profiles in the fields of our YAML, and where each was found.

Texts are `str`, as the import's readers make them (`kg.plugins.exchange.draft.Value`): the file of
their place is the address of the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kg.plugins.exchange.draft import Draft
from kg.plugins.exchange.source_files import NotImported

Identifiers = Mapping[str, str]  # of a person by scheme: {"orcid": "0000-…", "dblp": "pid/…"}


class NotFetched(NotImported):
    """A source gave no usable answer. The message is one sentence that names the source."""


class NotFound(NotFetched):
    """The source does not know the identifier."""


@dataclass(frozen=True)
class Origin:
    """Where an answer came from. `address` has no key in it."""

    source: str  # name of the source: crossref
    address: str  # https://api.crossref.org/works/10.5555/ice.1
    asked: str  # date of the answer: 2026-11-19
    digest: str  # of its bytes, SHA-256


@dataclass(frozen=True)
class Update:
    """A notice about a published work."""

    kind: str  # retraction, correction, expression_of_concern, … as Crossref calls it
    doi: str  # of the notice; empty if the source names none
    date: str  # of the notice, as far as known; or empty
    by: str  # who says so: publisher, retraction-watch, openalex


@dataclass(frozen=True)
class FreeCopy:
    """A copy that anybody can read."""

    url: str
    licence: str  # cc-by; empty if the source names none
    version: str  # publishedVersion, acceptedVersion, submittedVersion; or empty
    is_pdf: bool


@dataclass(frozen=True)
class Record:
    """A work as one source describes it. `entry` is as in `publications:`."""

    origin: Origin
    entry: Mapping[str, Any]
    also_as: tuple[tuple[str, str], ...] = ()  # all its identifiers: ("doi", "10.…"), …
    updates: tuple[Update, ...] = ()
    free_copy: FreeCopy | None = None
    published_as: str = ""  # DOI of the paper, if this is its preprint
    preprint: str = ""  # DOI of the preprint, if this is the paper
    organizations: tuple[tuple[str, str], ...] = ()  # of its authors: name and ROR
    groups: tuple[str, ...] = ()  # authors that are no people; `moreAuthors` stands for them


@dataclass(frozen=True)
class Profile:
    """A person as one source describes them: a CV without publications, and registry entries."""

    origin: Origin
    draft: Draft
    also_as: tuple[tuple[str, str], ...] = ()  # identifiers of the person in other schemes


class Source(Protocol):
    """A service that knows people or works. All methods raise NotFetched.

    A source that cannot answer a question (a person without its identifier, a DOI of somebody
    else) returns nothing.
    """

    name: str
    title: str  # for messages
    hosts: tuple[str, ...]  # the only hosts that it contacts

    def person(self, known: Identifiers) -> Profile | None: ...

    def works_of(self, known: Identifiers) -> Iterator[Record]: ...

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        """The works with these DOIs that the source knows, in batches."""
