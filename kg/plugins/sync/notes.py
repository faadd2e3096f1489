"""Notes for `kg check` about works: retractions, corrections, papers of preprints, and others.

`kg sync` writes them to `data/.sync/notes.json`, with source and date. The rule `watch` reports
them at the work, until the CV says so or the note is accepted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kg.errors import Problem, Severity
from kg.facts.load import Facts
from kg.facts.models.publications import Publication
from kg.plugins.exchange.author_names import is_same_person, name_of
from kg.plugins.exchange.edits.entry_matching import KnownEntries, is_version
from kg.plugins.sources.found import Record
from kg.plugins.sync import PATH
from kg.plugins.sync.found_works import FoundWork, Survey, are_one_work, ids_of
from kg.plugins.sync.own_works import OwnWork, is_doubtful
from kg.plugins.sync.proposals import (
    PAPER,
    PDF,
    RETRACTED,
    RETRACTIONS,
    STATUS,
    TITLES,
    Proposal,
    is_open,
)

DEAD_LINK = "dead-link"
WARNINGS = ("expression_of_concern", "unknown-doi", DEAD_LINK, *RETRACTIONS)
WEB = "web"  # source of notes about links
CO_AUTHOR = "co-author"
SAYS_SO = ("crossref", "orcid", "datacite")  # where ORCID iDs come from the authors themselves


class Note(NamedTuple):
    """A note about one work. `asked` is the date of the answer, `field` what would settle it."""

    person: str
    ids: tuple[str, ...]
    kind: str
    source: str
    asked: str
    message: str
    field: str = ""

    @property
    def severity(self) -> Severity:
        return "warning" if self.kind in WARNINGS else "info"


def notes_of(
    person: str,
    survey: Survey,
    pairs: Mapping[FoundWork, OwnWork],
    own: Sequence[OwnWork],
    known: KnownEntries,
    today: str,
) -> list[Note]:
    """The notes about the works of a person."""
    found = list[Note]()
    for work, mine in pairs.items():
        one, other = mine.fields, work.first
        if is_doubtful(one, other) or is_version(one, other) or is_version(other, one):
            continue
        found += notices(person, work, mine)
        found += co_authors(person, work, mine, known)
    for mine in own:
        if mine.doi in survey.unknown:
            message = f"doi.org does not know the DOI {mine.doi}. Correct it."
            found.append(Note(person, mine.ids, "unknown-doi", "doi", today, message, "doi"))
        for name, address in mine.links.items():
            if address in (survey.gone or ()):
                message = f"{address} does not exist any more (HTTP 404 or 410). Correct it."
                found.append(Note(person, mine.ids, DEAD_LINK, WEB, today, message, name))
    return found


def open_notes(proposals: Iterable[Proposal], today: str) -> list[Note]:
    """Notes about preprints that became papers, as long as the author has not answered."""
    return [
        Note(each.person, each.ids, PAPER, "", today, each.reason, "kind")
        for each in proposals
        if each.field == PAPER
    ]


def notices(person: str, work: FoundWork, mine: OwnWork) -> Iterator[Note]:
    """Retractions, corrections and others, and free copies without a known licence. OpenAlex names
    no notice, so it counts only if no other source has one.
    """
    every = [(record, each) for record in work.records for each in record.updates]
    named = {each.kind for _, each in every if each.doi}
    found = {(each.kind, each.doi): (record, each) for record, each in every}
    for record, each in found.values():
        if not each.doi and each.kind in named:
            continue
        kind = each.kind.replace("_", " ")
        details = ", ".join(filter(None, [each.date, each.doi and f"https://doi.org/{each.doi}"]))
        by = TITLES[record.origin.source]
        by += f" ({each.by})" if each.by not in ("", record.origin.source) else ""
        message = f"{kind}{f' of {details}' if details else ''}, according to {by}."
        if each.kind in RETRACTIONS:
            message += f" Write 'status: {RETRACTED}'."
        asked = record.origin.asked
        yield Note(person, mine.ids, each.kind, record.origin.source, asked, message, STATUS)
    for record in work.records:
        if record.published_as and record.published_as not in "".join(work.ids):
            paper = f"https://doi.org/{record.published_as}"
            message = f"its paper is {paper}, according to {TITLES[record.origin.source]}."
            yield Note(
                person, mine.ids, PAPER, record.origin.source, record.origin.asked, message, "kind"
            )
    known = work.by_source().get("openalex")
    copy = known.free_copy if known else None
    if known and copy and not is_open(copy) and PDF not in mine.fields:
        message = f"OpenAlex knows a free copy: {copy.url} (licence: {copy.licence or 'unknown'})."
        yield Note(person, mine.ids, PDF, "openalex", known.origin.asked, message, PDF)


def co_authors(person: str, work: FoundWork, mine: OwnWork, known: KnownEntries) -> Iterator[Note]:
    """ORCID iDs of co-authors that the site does not have. Authors are compared by position."""
    written = mine.fields.get("authors")
    for number, author in enumerate(written if isinstance(written, list) else ()):
        fields = author if isinstance(author, Mapping) else {}
        name = name_of(author)
        key = str(fields.get("person") or known.person(name) or name)
        row: Mapping[str, Any] = known.rows.get("people", {}).get(key, {})
        printed, found = str(row.get("name") or name), dict[str, Record]()
        for record in reversed(work.records):
            others = record.entry.get("authors", ())
            other = others[number] if len(others) == len(written or ()) else {}
            is_own = isinstance(other, Mapping) and is_same_person(printed, name_of(other) or "-")
            if is_own and "orcid" in other and record.origin.source in SAYS_SO:
                found[str(other["orcid"])] = record
        if len(found) == 1 and "orcid" not in fields and "orcid" not in row:
            ((orcid, record),) = found.items()
            source, asked = record.origin.source, record.origin.asked
            message = f"{printed} has the ORCID iD {orcid}, according to {TITLES[source]}."
            kind = f"{CO_AUTHOR} {printed}"
            yield Note(person, mine.ids, kind, source, asked, message, "authors")


def read_notes(site: Path) -> list[Note]:
    """The notes in the file; none if it is damaged, because the next sync writes it again."""
    try:
        found = json.loads((site / PATH).read_bytes())
        return [
            Note(str(each[0]), tuple(map(str, each[1])), *map(str, each[2:]))
            for each in found
            if len(each) == 7
        ]
    except (OSError, ValueError, TypeError, LookupError):
        return []


def notes_text(site: Path, person: str, found: Iterable[Note], answered: Sequence[str]) -> str:
    """The text of the file with new notes. Notes of sources that did not answer stay, and so does
    the date of a note that is known.
    """
    before, asked = read_notes(site), (*answered, "", "doi")
    kept = [each for each in before if each.person != person or each.source not in asked]
    dates = {each._replace(asked=""): each.asked for each in before}
    new = (each._replace(asked=dates.get(each._replace(asked=""), each.asked)) for each in found)
    every = sorted({*kept, *new})
    if not (every or before):
        return ""
    lines = [json.dumps([each[0], [*each[1]], *each[2:]], ensure_ascii=False) for each in every]
    return f"[{','.join(f'{chr(10)}{line}' for line in lines)}\n]\n"


def watched(facts: Facts) -> Iterator[Problem]:
    """Reports the notes at their works; those that the CV agrees with are left out."""
    notes = read_notes(facts.folder)
    index = dict[str, list[Note]]()
    for note in notes:
        for name in note.ids:
            index.setdefault(name, []).append(note)
    for loaded, work in facts.of(Publication) if notes else ():
        ids, seen = ids_of(loaded.row), set[tuple[str, str]]()
        near = {note for name in ids for note in index.get(name, ())}
        for note in sorted(near):
            if (note.kind, note.message) in seen or not are_one_work(note.ids, ids):
                continue
            seen.add((note.kind, note.message))
            if not is_settled(note, work, loaded.row):
                field = note.field if note.field in loaded.row else "title"
                message = f"{loaded.row.path}: {note.message} (asked on {note.asked})"
                yield Problem(loaded.row.at(field), note.severity, message, "")


def is_settled(note: Note, work: Publication, row: Mapping[str, Any]) -> bool:
    """Whether the CV says what a note says."""
    if note.kind in RETRACTIONS:
        return row.get(STATUS) == RETRACTED
    if note.kind == DEAD_LINK:
        return str(row.get(note.field)) not in note.message
    if note.kind == PDF:
        return PDF in row
    if note.kind == PAPER:
        return row.get("kind") != "preprint"
    return note.kind.startswith(CO_AUTHOR) and any(
        each.orcid for each in work.authors if note.kind.endswith(f" {each.printed}")
    )
