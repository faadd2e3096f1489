"""Converts entries of bibliographies to rows as in `data/publications/`, with line numbers.

The tables define the field mapping; fields that our kind does not have are skipped. Works count as
published by default, so a status in a year, a note or a journal name (`2025 - under review`) is
recognized. Marks beside names (`Wei Yuan*`, `Ek¹`) are removed; a legend in a note gives their
meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from kg.advice.explain import field_names
from kg.advice.several_names import (
    INITIALS_FIRST,
    is_et_al,
    is_inverted,
    names_in,
)
from kg.advice.several_names import is_group as has_group_word
from kg.errors import Problem
from kg.facts.bibliography.bibliographies import WorkRow
from kg.facts.bibliography.correspondence import Correspondence
from kg.facts.models import REGISTRIES
from kg.facts.models.publications import KINDS
from kg.facts.values.text import address_slug
from kg.facts.yaml.rows import Row, Rows, Spot, place_of
from kg.plugins.bibliography.latex import Latex
from kg.plugins.bibliography.venue_kinds import (
    NO_DEGREE,
    SERVERS,
    arxiv_number,
    is_publisher,
    server_in,
    thesis_in,
)
from kg.plugins.bibliography.venue_titles import (
    ACRONYM_AND_YEAR,
    GENERIC,
    read_title,
    without_distinction,
    without_tags,
)
from kg.text.person_names import is_group, is_latin, unusual_family

KIND = "publications"
DOI_ADDRESS = re.compile(
    r"(?:doi:?\s*)?(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/)?(?:doi:\s*)?(10\.\d{4,9}/[^\s%?#]+?)"
    r"[.,;]?",
    re.IGNORECASE,
)
NOTE_FIELDS = ("note", "addendum", "howpublished")  # can contain the status of a work
PEOPLE = ("authors", "editors", "translators")
LEGEND_FIELDS = ("note", "addendum", "annotation", "annote")  # can explain marks of authors
NO_VALUE = re.compile(r"(?=.)[\s{}–—-]*(?:n/a[\s{}–—-]*)*", re.IGNORECASE)
BOOKS = ("book", "edited-book", "proceedings")
ORGANIZATIONS = ("publisher", "institution", "organization")
# Kinds that a work can have that is called a thesis elsewhere.
NO_THESIS = ("journal", "other", "report", "working-paper", "website", "book", "preprint")
GENRES = {words.lower(): kind for kind, (words, _) in KINDS.items() if words}


class FieldValue(NamedTuple):
    """A value with the positions of its name and of itself."""

    value: Any
    name_at: Spot
    at: Spot


@dataclass
class WorkRecord:
    """An entry of a bibliography as written."""

    key: str
    type: str
    at: Spot
    fields: dict[str, FieldValue] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)  # fields that were converted or reported
    marked: list[str] = field(default_factory=list)  # names with unexplained marks
    replaced: dict[str, FieldValue] = field(default_factory=dict)  # of a preprint
    legend: str = ""  # text of the file that can explain marks


class Bibliography(Protocol):
    """A file of records, and the conversion of their fields."""

    file: str
    table: Correspondence
    problems: list[Problem]

    def records(self) -> Iterator[WorkRecord]: ...

    def kind(self, record: WorkRecord, kind: str) -> str:
        """The kind of a record; `kind` is that of its type."""

    def value(self, path: str, record: WorkRecord, name: str) -> Any:
        """The value of a field for our field at `path`; None if there is none."""


def works_in(source: Bibliography) -> list[WorkRow]:
    """The works of a file: key, row and place."""
    works = [work for work, _ in read_works(source, source.records())]
    source.problems += describe_books_once(works)
    return works


def read_works(
    source: Bibliography, records: Iterable[WorkRecord]
) -> Iterator[tuple[WorkRow, WorkRecord]]:
    for record in records:
        place = place_of(source.file, record.at)
        refused = source.table.types_not_taken.get(record.type)
        if refused:
            message = f"{record.key}: {record.type} entries are skipped; {refused}."
            source.problems.append(Problem(place, "info", message, "bibliography"))
            continue
        for name in [name for name, each in record.fields.items() if is_no_value(each)]:
            del record.fields[name]
        kind = source.kind(record, source.table.types.get(record.type, "other"))
        row = row_of(source, record, kind)
        row.path = record.key
        yield (address_slug(record.key) or record.key, row, place), record


def is_no_value(written: FieldValue) -> bool:
    return bool(isinstance(written.value, str) and NO_VALUE.fullmatch(written.value))


def row_of(source: Bibliography, record: WorkRecord, kind: str, registry: str = KIND) -> Row:
    row = Row(source.file, record.at).fill("kind", kind)
    known = field_names(REGISTRIES[registry].model_for(row))
    for name in source.table.fields:
        written = record.fields.get(name)
        path = source.table.path(name, kind) if written else ""
        first, _, inner = path.partition(".")
        if written is None or first not in known or (first in row and not inner):
            continue
        value = source.value(path, record, name)
        if not value:
            continue
        record.taken.add(name)
        if inner:
            if first not in row:
                row.put(first, Row(source.file, written.at), written.name_at, written.at)
            row[first].put(inner, value, written.name_at, written.at)
        else:
            row.put(first, value, written.name_at, written.at)
    settle_doi(row)
    settle_edition(row)
    for name in PEOPLE:
        people = row[name] if isinstance(row.get(name), Rows) else Rows()
        for number in [at for at, each in enumerate(people) if is_et_al(each)][::-1]:
            del people[number], people.spots[number]
            if name == "authors":
                row.fill("moreAuthors", "true")
    book = row.get("book")
    if isinstance(book, Row) and "title" not in book:
        record.taken -= {
            name for name in record.taken if source.table.path(name, kind).startswith("book.")
        }
        return row.without("book")
    return row


def settle_doi(row: Row) -> None:
    """Moves a DOI from `url`, and another address from `doi`; removes the address of the DOI."""
    url, doi = str(row.get("url", "")), bare_doi(str(row.get("doi", "")))
    if doi:
        row["doi"] = doi
    if doi.startswith("http") and "/10." not in doi and not url:
        row.put("url", doi, row.keys_at["doi"], row.values_at["doi"])
        row.drop("doi")
    elif not doi and (found := DOI_ADDRESS.fullmatch(url)):
        row.put("doi", found[1], row.keys_at["url"], row.values_at["url"])
        row.drop("url")
    elif url.lower().endswith(f"doi.org/{doi or ' '}".lower()):
        row.drop("url")


def settle_server(
    record: WorkRecord, places: tuple[str, ...], numbered: tuple[str, ...], number: str
) -> bool:
    """Whether a work appeared on a preprint server and nowhere else. Its number goes into the field
    `number`; the server is kept if it is an organisation.
    """
    fields = record.fields
    said = [each for each in places if each in fields and SERVERS.match(str(fields[each].value))]
    if not said:
        return False
    written = fields[said[0]]
    venues = [each for each in fields if each in places and each not in ORGANIZATIONS]
    is_preprint = {*venues} <= {*said}
    found = (arxiv_number(str(fields[each].value)) for each in numbered if each in fields)
    known = next(filter(None, found), "")
    for each in said:
        fields.pop(each, None)
    for each in ("volume", "number", "pages", "page", "eid") if is_preprint else ():
        unused = fields.pop(each, None)
        if unused and not (known and known == arxiv_number(str(unused.value))):
            record.replaced[each] = unused
    if known:
        fields[number] = written._replace(value=known)
        record.taken.add("eprint")
    if server := server_in(str(written.value)) if is_preprint else "":
        if "publisher" in fields:
            record.replaced["publisher"] = fields["publisher"]
        fields["publisher"] = written._replace(value=server)
    return is_preprint


def settle_thesis(
    fields: dict[str, FieldValue], venues: tuple[str, ...], degree: str, school: str
) -> bool:
    """Whether a text calls a work without another venue a thesis: its fields then say the degree
    and the school.
    """
    for name in (*venues, "type", "genre", "publisher", *NOTE_FIELDS):
        text = str(fields[name].value) if name in fields else ""
        found = thesis_in(Latex(without_tags(text)).decode())
        if found and not (fields.keys() & {*venues} - {name}):
            written = fields.pop(name)
            for ours, value in ((degree, found.degree), (school, found.school)):
                if value:
                    fields.setdefault(ours, written._replace(value=value))
            return True
    return False


def bare_doi(text: str) -> str:
    """`doi.org/10.5555/ice` -> `10.5555/ice`; other texts are kept."""
    found = DOI_ADDRESS.fullmatch(text.strip())
    return found[1] if found else text


def settle_edition(row: Row) -> None:
    """Reduces the printed title of proceedings to the name of the conference. The year in the title
    is that of the edition, and goes into `year`; the work can appear in another one.
    """
    for name in ("conference", "venue"):
        if isinstance(written := row.get(name), str):
            at = row.values_at[name]
            if GENERIC.fullmatch(written):
                row.put("annotation", said_also(row, written), row.keys_at[name], at)
                row.drop(name)
                continue
            title = read_title(written, year_of(row))
            row[name] = title.name
            if title.year and title.year != year_of(row):
                if "year" in row and "date" not in row:
                    row.put("date", row["year"], row.keys_at["year"], row.values_at["year"])
                row.put("year", title.year, at, at)


def said_also(work: Mapping[str, Any], text: str) -> str:
    """The annotation of a work with another text."""
    return "\n\n".join(filter(None, (str(work.get("annotation") or ""), text)))


def year_of(work: Mapping[str, Any]) -> str:
    """The year of the edition of a work; empty if it is not known."""
    found = YEAR.match(str(work.get("year") or work.get("date") or ""))
    return found[0] if found else ""


def describe_books_once(works: list[WorkRow]) -> Iterator[Problem]:
    """Chapters of one book repeat its fields: keeps all of them in the first chapter, and the title
    in the others. A book that is an entry itself is referred to by key. The year of a book is that
    of all its chapters. Yields the fields that another entry has with another value.
    """
    yield from leave_out_editions(works)
    entries = {str(row.get("title")): (key, row) for key, row, _ in works if row["kind"] in BOOKS}
    described: dict[str, Row] = {}
    years: dict[str, dict[str, Spot]] = {}
    for key, row, place in works:
        book = row.get("book")
        if not isinstance(book, Row):
            continue
        title = str(book["title"])
        years.setdefault(title, {})[year_of(row)] = row.values_at.get("year", row.spot)
        name, first = entries.get(title, (title, described.setdefault(title, book)))
        if first is book:
            continue
        row["book"] = name
        first.copy_keys(book, (name for name in book if name not in first))
        for field_name in (each for each in book if book[each] != first[each]):
            at, there = (place_of(place.file, each.values_at[field_name]) for each in (book, first))
            message = (
                f"{key}: the book '{title}' is described with another value of '{field_name}' "
                f"at {there}, which is kept."
            )
            yield Problem(at, "info", message, "bibliography")
    for title, book in described.items():
        (year, spot), *others = years[title].items()
        if year and not others:
            book.put("year", year, spot, spot)


def leave_out_editions(works: list[WorkRow]) -> Iterator[Problem]:
    """Chapters of several years whose books have one title, but other editors, are in several
    books. These have one entry, by their title: leaves out what is not true of all of them.
    """
    chapters: dict[str, list[tuple[WorkRow, Row]]] = {}
    for work in works:
        if isinstance(book := work[1].get("book"), Row):
            chapters.setdefault(str(book["title"]), []).append((work, book))
    for title, found in chapters.items():
        stated = [(name, str(book[name])) for _, book in found for name in book]
        values = {*stated}
        if len({year_of(row) for (_, row, _), _ in found}) == 1 or len(values) == len(dict(stated)):
            continue
        for (key, _, place), book in found:
            for name in [
                each for each in book if stated.count((each, str(book[each]))) < len(found)
            ]:
                message = (
                    f"{key}: '{name}' is left out, because several books are called '{title}', "
                    "which have one entry."
                )
                at = place_of(place.file, book.values_at[name])
                yield Problem(at, "info", message, "bibliography")
                book.drop(name)


def shaped(name: str, text: str, at: Spot) -> Any:
    """Converts text to the format of our field; None if it cannot be converted."""
    if name == "keywords":
        return Rows.at(at, filter(None, map(str.strip, re.split("[,;]", text))))
    return SHAPES[name](text) if name in SHAPES else text


def read_status(
    fields: dict[str, FieldValue], status: str, dates: tuple[str, ...], venues: tuple[str, ...]
) -> None:
    """Fills the field `status` from dates, venues and notes, and removes it from them. A journal
    that a work was submitted to becomes a note.
    """
    for name in (*dates, *NOTE_FIELDS):
        written = fields.get(name)
        found = status_in(str(written.value)) if written else ""
        if written is None or not found:
            continue
        fields.setdefault(status, written._replace(value=found))
        if name in dates:
            year = YEAR.search(str(written.value))
            fields.pop(name)
            fields |= {name: written._replace(value=year[0])} if year else {}
    if "title" in fields and (found := status_of_title(str(fields["title"].value))):
        fields.setdefault(status, fields["title"]._replace(value=found))
    for name in venues:
        written = fields.get(name)
        if written is None or not isinstance(written.value, str):
            continue
        title, award, remark = without_distinction(written.value.strip("{} "))
        free = [each for each in ("award", *NOTE_FIELDS)[not award :] if each not in fields]
        if (said := award or remark) and free:
            fields[free[0]] = written._replace(value=said.replace("\\", ""))
            written = fields[name] = written._replace(value=title)
        venue = venue_in(title)
        if venue.status:
            fields.setdefault(status, written._replace(value=venue.status))
        if venue.status and not SERVERS.match(written.value):
            fields.pop(name)
            told = name if venue.name else "addendum" if "note" in fields else "note"
            fields[told] = written._replace(value=venue.name or venue.note)


def signature(
    printed: str,
    at: Spot,
    file: str,
    record: WorkRecord,
    family: str = "",
    is_whole: bool = False,
) -> Any:
    """A name without DBLP number and marks. Marks that a note explains (`* equal contribution`)
    become fields, and so does the stated family name, unless it is usual. A name that the source
    keeps whole is that of an organisation.
    """
    name, marks = without_marks(re.sub(r"\s+\d{4}$", "", printed))
    if name and is_whole and is_organization(name):
        return Row(file, at).fill("organization", name)
    family = unusual_family(name, family)
    if not marks and not family:  # the usual case
        return name
    notes = (record.fields.get(each) for each in LEGEND_FIELDS)
    own = " ".join(Latex(without_tags(str(note.value))).decode() for note in notes if note)
    legend = f"{own} {record.legend}"
    meant = {mark: meaning(mark, legend) for mark in marks}
    if not all(meant.values()):
        record.marked.append(printed)
    row = Row(file, at).fill("as", name)
    if family:
        row.fill("familyName", family)
    for told in dict.fromkeys(filter(None, meant.values())):
        row.fill(told, "true")
    return row if len(row) > 1 else name


def is_organization(name: str) -> bool:
    """Whether a name in braces or in `literal` is not written like that of a person: neither in
    another script, which has no parts, nor with a comma or initials.
    """
    is_person = is_inverted(name) or INITIALS_FIRST.fullmatch(name) or names_in(name, bool)
    return is_group(name) or (is_latin(name) and not is_et_al(name) and not is_person)


def full_name(given: str, particle: str, family: str, suffix: str) -> str:
    """A name as printed."""
    return " ".join(filter(None, (given, particle, family, suffix)))


def page_range(text: str) -> str | None:
    """`1135--43` -> `1135-1143`. Some programs write `n/a`, or an empty `EP`."""
    pages = re.sub(r"\s*[–—-]+\s*", "-", re.sub(r"\s+EP\s*-*$", "", text))
    if short := re.fullmatch(r"(\d{3,})-(\d+)", pages):
        first, last = short.groups()
        whole = first[: -len(last)] + last
        return f"{first}-{whole}" if len(last) < len(first) and whole > first else pages
    return pages if "n/a" not in text else None


SHAPES: dict[str, Callable[[str], str | None]] = {
    "abstract": without_tags,
    "annotation": without_tags,
    # Some programs write `n/a`, or an empty `EP`.
    "pages": page_range,
    "series": lambda text: None if ACRONYM_AND_YEAR.fullmatch(text) else text,
    "publisher": lambda text: text if is_publisher(text) else None,
    "status": lambda text: status_in(text) or None,
    "isbn": lambda text: re.split(r"[,;]\s*|\s+(?=97[89])", text)[0],
    "degree": lambda text: NO_DEGREE.sub("", text) or None,
    "numberOfPages": lambda text: text if text.isdigit() else None,
}


SIGNS = "*∗⁎⋆★†‡§¶#✉"
MARK = re.compile(
    rf"\\?[{SIGNS}]+|[⁰¹²³⁴-⁹]+(?:,[⁰¹²³⁴-⁹]+)*|<sup>[^<>]{{0,40}}</sup>"
    rf"|\^(?:\{{[^{{}}]{{0,20}}\}}|[\d,{SIGNS}]+|[a-z]\b)?"
    r"|[(\[](?:dual |both )?(?:co-)?(?:corresponding|equal|first|joint|shared)[^()\[\]]{0,40}[)\]]",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"(?<=[^\W\d_A-Z])\d{1,2}(?:,\d{1,2})*(?![\w-])"
)  # of an affiliation: `Dahl1,2`


def without_marks(name: str) -> tuple[str, list[str]]:
    """Separates a name from its marks."""
    patterns = [MARK] if has_group_word(name) else [MARK, NUMBER]
    marks = [found[0] for pattern in patterns for found in pattern.finditer(name)]
    for pattern in patterns if marks else ():
        name = pattern.sub("", name)
    return " ".join(name.split()).strip(" ,;") if marks else name, marks


def meaning(mark: str, legend: str) -> str:
    """The field that a mark stands for, according to the legend: `equal`, `corresponding` or
    empty.
    """
    sign = re.sub(r"</?sup>|[\\^{}]", "", mark)
    if sign.startswith(("(", "[")):
        return next((field for field in ("equal", "corresponding") if field in sign.lower()), "")
    found = re.search(
        rf"{re.escape(sign)}[^{SIGNS};.\d]{{0,40}}?\b(equal|corresponding)", legend, re.IGNORECASE
    )
    return found[1].lower() if found and sign else ""


STATUSES = {
    "inpress": "to-appear",
    "in press": "to-appear",
    "forthcoming": "to-appear",
    "to appear": "to-appear",
    "to-appear": "to-appear",
    "accepted": "accepted",
    "submitted": "submitted",
    "under review": "submitted",
    "inpreparation": "in-preparation",
    "in preparation": "in-preparation",
    "in-preparation": "in-preparation",
    "draft": "in-preparation",
    "wip": "in-preparation",
    "work in progress": "in-preparation",
    "revised": "revised",
    "prepublished": "preprint",
    "preprint": "preprint",
    "published": "published",
    "advance online publication": "published",
}
ENDS = r"(?=\W*$|\s*[^\w\s]|\s+(?:in|at|to|by|for|with|on)\b|\s+\d)"
SHOWN = "(?:an? )?(?:oral|poster|spotlight|presentation|talk)"
PHRASES = {
    "submitted": (
        r"(?:under|in) (?:[\w-]+ )?review|under (?:revision|submission|consideration)"
        r"|in (?:submission|revision)|submitted|revise (?:and|&) resubmit|r&r"
        r"|(?:major|minor) revisions?"
    ),
    "in_preparation": rf"in prep(?:aration)?\b\.?{ENDS}|in progress(?=\W*$)",
    "to_appear": rf"(?:in press|to appear|forthcoming){ENDS}",
    "accepted": rf"accepted(?: for publication)?(?! for {SHOWN}){ENDS}",
}
BEFORE = r"\b(?:currently|now|still|manuscript|paper|article|preprint|work)\s+"
# At the start, after a number or punctuation, or after a word for the work itself.
STATE = re.compile(
    rf"(?:^|[^\w\s]\s*|\d\s*|{BEFORE})"
    rf"(?:{'|'.join(f'(?P<{name}>{words})' for name, words in PHRASES.items())})(?!\w)",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
LABEL = re.compile(r"[\W_]*[\[(]([^\[\]()]{3,40})[\])]")
LABEL_AT_END = re.compile(r"[\[(]([^\[\]()]{3,40})[\])]\W*$")
UNPUBLISHED = ("submitted", "in-preparation")  # not published anywhere
AROUND = " ()[],;:.-–—"
PREPOSITION = re.compile(r"^(?:in|at|by|to|for|with)\b:?\s*(?:the\s+)?", re.IGNORECASE)
MAX_NOTE_LENGTH = 100  # characters of a text with a status


class StatedVenue(NamedTuple):
    """A text in a venue field: the venue's name and a status. `note` is the whole text if it names
    no venue where the work appeared.
    """

    name: str
    status: str = ""
    note: str = ""


def status_in(text: str) -> str:
    """The status in a short text; empty if there is none."""
    if known := STATUSES.get(text.strip().lower()):
        return known
    found = STATE.search(text) if len(text) <= MAX_NOTE_LENGTH else None
    return str(found.lastgroup).replace("_", "-") if found else ""


def status_of_title(title: str) -> str:
    """The status in brackets at the start of a title, or in parentheses at its end."""
    found = LABEL.match(title) or LABEL_AT_END.search(title)
    return status_in(found[1]) if found else ""


def venue_in(text: str) -> StatedVenue:
    """`Journal of Ice (in press)` -> journal and status; `Submitted to Ice` -> a note."""
    status, found = status_in(text), STATE.search(text)
    if text.strip(AROUND).lower() == "preprint":
        return StatedVenue("", status)
    if not status or status in ("preprint", "published"):
        return StatedVenue(text)
    name = ""
    if found and status not in UNPUBLISHED:
        parts = (text[: found.start(str(found.lastgroup))], text[found.end() :])
        before, after = (re.sub(f"{BEFORE}$", "", part, flags=re.I).strip(AROUND) for part in parts)
        named = before or PREPOSITION.sub("", after)
        name = named if re.search(r"[^\W\d_]", named) else ""
    return StatedVenue(name, status, "" if name else text)
