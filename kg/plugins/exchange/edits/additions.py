"""New entries for `kg add`: their file, their fields, and their errors. Nothing is written here.

A work can be looked up by DOI or arXiv number, in a local bibliography or at doi.org.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from kg.advice.other_words import field_meant, section_meant
from kg.errors import KgError, Problem, line_and_column
from kg.facts.bibliography.bibliographies import is_bibliography, read_bibliography
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.values.identifiers import check_arxiv, check_doi
from kg.facts.values.naming import TITLED, work_key
from kg.facts.values.text import address_slug
from kg.facts.yaml.reader import read_json
from kg.facts.yaml.rows import Row
from kg.plugins.exchange.draft import with_leaves
from kg.plugins.exchange.edits.entry_matching import WORKS, identifiers
from kg.plugins.exchange.edits.into_site import errors_with, open_merge
from kg.plugins.exchange.fields import choices, entry_fields, is_list
from kg.plugins.exchange.yaml_text import file_text
from kg.text.nearest import closest_are
from kg.web.http_client import Client

REGISTRY_ALIASES = {
    "person": "people",
    "journal": "venues",
    "conference": "venues",
    "organisation": "orgs",
}
# Optional fields to prompt for, by section or registry.
PROMPTS = {
    "work": ("startDate", "endDate", "location", "summary"),
    "education": ("area", "startDate", "endDate"),
    "publications": ("venue", "year", "doi", "url"),
    "talks": ("title", "at", "date", "url"),
    "awards": ("awarder", "date"),
    "grants": ("funder", "number", "amount", "role", "startDate", "endDate"),
    "service": ("venue", "organization", "role", "year"),
    "volunteer": ("organization", "position", "startDate", "endDate"),
    "teaching": ("organization", "startDate", "endDate"),
    "people": ("organization", "orcid", "url"),
    "orgs": ("location", "url", "ror"),
}
OTHER_PROMPTS = ("level", "date", "startDate", "endDate", "url", "summary")
RESOLVER = "https://doi.org/"
CSL = "application/vnd.citationstyles.csl+json"
# Registration agencies that doi.org may redirect to.
AGENCIES = ("crossref.org", "datacite.org", "medra.org", "jalc.japanlinkcenter.org")
REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 4
MOST_BYTES = 10_000_000
TIMEOUT = 30.0  # seconds


class NotAdded(KgError):
    """The entry cannot be added; nothing was written."""


@dataclass(frozen=True)
class Target:
    """Where a new entry goes: a section of a CV, or a registry."""

    kind: str
    cv: str = ""  # path of the CV; empty for a registry

    @property
    def path(self) -> str:
        return self.cv or REGISTRIES[self.kind].path

    @property
    def names(self) -> list[str]:
        """The allowed fields."""
        return entry_fields(self.kind)

    def required(self, entry: Mapping[str, Any]) -> list[str]:
        """The required fields that are still missing."""
        section = None if self.kind in WORKS or not self.cv else SECTIONS[self.kind]
        model = section.model_for(entry) if section else REGISTRIES[self.kind].model_for(entry)
        found = [name for name, field in model.model_fields.items() if field.is_required()]
        if section and section.thing in found and not section.beside:  # its fields are inline
            found[found.index(section.thing)] = TITLED.get(self.kind, "name")
        given = {*model.from_loader, *model.filled, *self.fixed, *entry}
        return [name for name in found if name not in given]

    @property
    def fixed(self) -> dict[str, str]:
        """Fields with only one possible value."""
        kinds = self.choices("kind") if "kind" in self.names else []
        return {"kind": kinds[0]} if len(kinds) == 1 else {}

    def prompted_fields(self) -> list[str]:
        return [name for name in PROMPTS.get(self.kind, OTHER_PROMPTS) if name in self.names]

    def field(self, word: str) -> str:
        """The field that a word means; raises NotAdded if there is none."""
        found = word if word in self.names else field_meant(word, self.names, self.kind)
        if not found:
            raise NotAdded(f"Unknown field '{word}'. {nearest(word, self.names)}")
        return found

    def value(self, name: str, text: str) -> Any:
        """Parses a value: JSON in brackets, or a semicolon-separated list for list fields."""
        if text.startswith(("[", "{")):
            found, wrong = read_json(name, text.encode())
            if not wrong and isinstance(found, list | dict):
                return with_leaves(found)
        if self.is_list(name):
            return [part for each in text.split(";") if (part := each.strip())]
        return text

    def is_list(self, name: str) -> bool:
        return is_list(self.kind, name)

    def choices(self, name: str) -> list[str]:
        """The allowed values of a field; empty if any value is allowed."""
        if name == "kind" and not (self.cv and self.kind not in WORKS):
            return REGISTRIES[self.kind].kinds
        return [*choices(self.kind, name)]


def nearest(word: str, words: list[str]) -> str:
    """A hint with the closest words, or else all words."""
    return closest_are(word, words, f"Known: {', '.join(words)}.")


def target(word: str, cvs: Mapping[str, Row], person: str = "") -> Target:
    """Finds the section or registry that a word means: `job`, `paper`, `person`."""
    forms = (word, f"{word}s", f"{word[:-1]}ies")
    lists = [*SECTIONS, *WORKS]
    section = next((found for form in forms if (found := section_meant(form, lists))), "")
    files = {each.file: kind for kind, each in REGISTRIES.items()}
    kind = REGISTRY_ALIASES.get(word.lower()) or next(
        (files[form] for form in forms if form in files), ""
    )
    kind = kind or next((form for form in forms if form in REGISTRIES), "")
    if not section or (kind and kind not in lists):
        if not kind:
            every = [*lists, *(file for file in files if file not in lists)]
            raise NotAdded(f"Unknown kind of entry '{word}'. {nearest(word, every)}")
        return Target(kind)
    known = sorted(cvs)
    if person and person not in known:
        raise NotAdded(f"Unknown person '{person}'. {nearest(person, known)}")
    if not person and len(known) != 1:
        several = " or ".join(f"--person {each}" for each in known)
        raise NotAdded(
            f"The site has several CVs. Use {several}."
            if known
            else "The site has no CV yet. To create a site with one, run kg new mysite."
        )
    return Target(section, cvs[person or known[0]].file)


@dataclass(frozen=True)
class Addition:
    """The text of a file with the new entry, and the entry's first and last line."""

    path: str
    text: str
    first: int
    last: int
    listed: tuple[str, str] | None = None  # path and text of a CV that lists the entry

    @property
    def texts(self) -> dict[str, str]:
        """The new texts of all changed files, by path."""
        return {self.path: self.text, **dict([self.listed] if self.listed else [])}

    @property
    def lines(self) -> list[str]:
        return self.text.replace("\r\n", "\n").split("\n")[self.first - 1 : self.last]


def place(site: Path, where: Target, entry: Mapping[str, Any]) -> Addition:
    """Inserts an entry into its file; a patent goes into its registry, and its key into the CV."""
    if where.cv and where.kind == "patents":
        found = place(site, Target(where.kind), entry)
        merge = open_merge(site / where.cv)
        merge.insert(where.kind, key_for(where.kind, {**entry, **where.fixed}))
        return replace(found, listed=(where.cv, merge.result()[0]))
    path, entry = site / where.path, {**entry, **where.fixed}
    key = "" if where.cv else key_for(where.kind, entry)
    if not path.exists():
        text = file_text(REGISTRIES[where.kind].file, {key: dict(entry)})
        return Addition(where.path, text, 2, text.count("\n"))
    merge = open_merge(path)
    there = merge.edits.root.fields
    if key in there:
        line, _ = line_and_column(merge.edits.text, there[key].start)
        raise NotAdded(f"'{key}' already exists in {where.path}:{line}. Edit it there.")
    if where.cv:
        merge.insert(where.kind, dict(entry))
    else:
        merge.edits.put(merge.edits.root, key, dict(entry))
    text, lines = merge.result()
    first, last = lines[-1][1:]
    full = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    inside = [number for number in full if first <= number <= last]
    return Addition(where.path, text, inside[0], inside[-1])


def key_for(kind: str, entry: Mapping[str, Any]) -> str:
    if kind in WORKS:
        return work_key(entry)
    name = entry.get("name") or entry.get("title") or ""
    key = address_slug(str(name)) if isinstance(name, str) else ""
    if not key:
        raise NotAdded(f"Cannot make a key from {name!r}. Add a name in Latin letters.")
    return key


def entry_errors(site: Path, found: Addition, in_full: bool = True) -> list[Problem]:
    """The errors on the lines of a new entry; unless `in_full`, only those of fields."""
    errors = errors_with(site, found.texts, in_full)
    return [
        each
        for each in errors
        if any(
            place.file == found.path and found.first <= place.line <= found.last
            for place in (each.place, *each.others)
        )
    ]


def field_error(site: Path, where: Target, entry: Mapping[str, Any], name: str, value: Any) -> str:
    """The error message that a further field would cause; empty if it is valid."""
    found = entry_errors(site, place(site, where, {**entry, name: value}), in_full=False)
    wrong = [each.message for each in found if " is missing. Add it" not in each.message]
    if wrong and entry:
        before = entry_errors(site, place(site, where, entry), in_full=False)
        wrong = [each for each in wrong if each not in [known.message for known in before]]
    return next(iter(wrong), "")


class NoRecord(KgError):
    """The record does not exist or cannot be read."""


def from_file(path: Path, wanted: Mapping[str, str]) -> dict[str, Any]:
    """The work with one of these identifiers in a .bib or CSL-JSON file.

    Without identifiers, the file must contain exactly one work.
    """
    if not is_bibliography(path.name):
        raise NoRecord(f"{path} is not a .bib or CSL-JSON (.json) file.")
    works, _ = read_bibliography(path.name, path.read_bytes())
    rows = [row for _, row, _ in works or ()]
    ids = set(identifiers(wanted))
    found = [row for row in rows if ids & set(identifiers(row))] if ids else rows
    if len(found) != 1:
        what = " and ".join(f"{scheme} {value}" for scheme, value in wanted.items())
        if not ids:
            raise NoRecord(f"{path} has {len(found)} works. Choose one with --doi or --arxiv.")
        raise NoRecord(f"{path} has {len(found) or 'no'} works with {what}.")
    return dict(with_leaves(found[0]))


def from_resolver(wanted: Mapping[str, str], resolver: str = RESOLVER) -> dict[str, Any]:
    """The record of a work at its DOI; arXiv registers a DOI for each of its numbers."""
    try:
        doi = (
            check_doi(wanted["doi"])
            if "doi" in wanted
            else f"10.48550/arXiv.{check_arxiv(wanted['arxiv'])}"
        )
    except KeyError as error:
        raise NoRecord("Choose a work with --doi or --arxiv.") from error
    except ValueError as error:
        raise NoRecord(str(error)) from error
    body = fetch_csl(f"{resolver}{quote(doi, safe='/:;()')}", resolver)
    works, _ = read_bibliography("doi.json", b"[" + body + b"]")
    if not works:
        raise NoRecord(f"Cannot read the record of {doi} from {resolver}.")
    return dict(with_leaves(works[0][1]))


def fetch_csl(address: str, resolver: str) -> bytes:
    """Requests CSL-JSON, following redirects to the resolver and registration agencies only."""
    for _ in range(MOST_REDIRECTS):
        client = Client(address, uses_proxies=True)
        try:
            answer = client.exchange("GET", address, b"", {"Accept": CSL}, TIMEOUT, MOST_BYTES)
        except (TimeoutError, ConnectionError) as error:
            raise KgError(f"Cannot reach {urlsplit(address).netloc}: {error}.") from error
        finally:
            client.close()
        if answer.status == 200:
            return answer.body
        address = answer.headers.get("location", "")
        host = urlsplit(address).hostname or ""
        is_agency = address.startswith("https://") and any(
            host == each or host.endswith(f".{each}") for each in AGENCIES
        )
        if answer.status not in REDIRECTS or not (is_agency or address.startswith(resolver)):
            break
    raise NoRecord(f"{resolver} has no record of this work. Check the DOI or arXiv number.")
