"""What sources return: works in the fields of our YAML, and where each was found.

Texts are `str`, as the import's readers make them (`kg.plugins.exchange.draft.Value`): the file of
their place is the address of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
    amends: tuple[Update, ...] = ()  # if it is a notice itself: what, with the DOI of that work
    free_copy: FreeCopy | None = None
    published_as: str = ""  # DOI of the paper, if this is its preprint
    preprint: str = ""  # DOI of the preprint, if this is the paper
    years: tuple[str, ...] = ()  # in print and online, which can differ
