"""Maps fields of other formats to ours: by the table of the format, else by common field names.

Entries that cannot be mapped go into a free section.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from kg.advice import several_names
from kg.advice.date_guesses import FILLERS
from kg.advice.explain import field_names
from kg.advice.other_words import field_meant, value_meant
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.base import Dated
from kg.facts.values import dates
from kg.facts.values.regions import country_names
from kg.plugins.bibliography.venue_kinds import (
    NO_NAME,
    PUBLISHER_OF_EVENT,
    SERVERS,
    field_of_venue,
    thesis_in,
)
from kg.plugins.bibliography.venue_titles import kind_at
from kg.plugins.bibliography.work_records import status_in, venue_in
from kg.plugins.exchange.draft import (
    ONLY_YEAR,
    UNTITLED,
    Draft,
    SourceRecord,
    Value,
    join_values,
    parse_date,
    parse_period,
    without_empty,
)
from kg.plugins.exchange.line_entries import split_list
from kg.plugins.exchange.markup import link_in, plain, prose
from kg.text.transliterate import plain as plain_letters

DATES = ("date", "startDate", "endDate", "year", "modified", "birthDate")
PEOPLE = ("authors", "editors", "translators")
PERIOD = "dates"
PROSE = ("summary", "abstract", "statement", "text", "details")
LISTS = ("highlights", "keywords", "authors", "courses")  # lists even with a single value
EXPECTED = re.compile(
    r"[(\[]?\b(?:expected|anticipated|estimated|exp\.|voraussichtlich|erwartet|prévue?|attendue?"
    r"|previst[oa]|esperad[oa]|verwacht)(?!\w)[)\]]?",
    re.IGNORECASE,
)
UNCLEAR_DATE = "unclear date"
YEAR = re.compile(r"\d{4}")
COUNTRY = re.compile(r"country|nationality", re.IGNORECASE)  # in the path of a value
LAYOUT_REASONS = ("of the format", "how it looks")  # reasons in the tables for fields to ignore
MEETINGS = ("conference", "workshop", "poster", "abstract")  # kinds of works shown at a meeting
# A text that ends as a sentence does, or that is long.
SENTENCES = re.compile(r"(?=(?:\S+\s+){4}).*[^\W\d_]{2}[.!?…]\W*|(?:\S+\s+){14}.*", re.DOTALL)
NAMES = ("name", "title", "label", "position", "degree", "role", "award", "event")
FREE_FIELDS = ("date", "startDate", "endDate", "url", "location")  # of an entry without a section
ENTRY_METADATA = ("id", "visibility", "source", "note", "disputed", "accept", "was", "selected")


def skip_layout(record: SourceRecord, table: str) -> None:
    """Skips the fields that the table of the format marks as layout."""
    for path, reason in correspondence(table).not_taken.items():
        if reason.startswith(LAYOUT_REASONS):
            *above, last = path.replace("[]", "").split(".")
            found = [record]
            for name in above:
                found = [inner for each in found for inner in each.records(name)]
            for each in found:
                each.skip(last)


def models_of(section: str) -> list[type[BaseModel]]:
    """The model classes of a section or registry."""
    if section in REGISTRIES and section not in SECTIONS:
        return [*REGISTRIES[section].models]
    found = SECTIONS[section]
    return [model for model in (found.model, found.other) if model]


def entry_fields(section: str) -> list[str]:
    """The fields that an entry of a section may have."""
    own = [name for model in models_of(section) for name in field_names(model)]
    beside = SECTIONS[section].fields_of_thing if section in SECTIONS else ()
    return [name for name in dict.fromkeys([*own, *beside]) if name not in ENTRY_METADATA]


def is_list(section: str, name: str) -> bool:
    fields = (model.model_fields.get(name) for model in models_of(section))
    return any(get_origin(each.annotation) is list for each in fields if each)


def choices(section: str, name: str) -> tuple[str, ...]:
    """The allowed values of a field; empty if any value is allowed."""
    fields = (model.model_fields.get(name) for model in models_of(section))
    types = [each.annotation for each in fields if each]
    inner = [part for each in types if get_origin(each) is not dict for part in get_args(each)]
    literals = [each for each in (*types, *inner) if get_origin(each) is Literal]
    return tuple(dict.fromkeys(str(value) for each in literals for value in get_args(each)))


def fill(
    draft: Draft, record: SourceRecord, section: str, known: Mapping[str, str]
) -> dict[str, Any]:
    """Reads an entry of a section from a record; `known` maps field names of the format to ours.

    Other fields are mapped by the usual meaning of their names.
    """
    entry: dict[str, Any] = {}
    for theirs, ours in known.items():
        take(draft, record, section, theirs, ours, entry)
    names = entry_fields(section)
    for theirs in record:
        if theirs in known or record.is_taken(theirs):
            continue
        if ours := meant(theirs, names, entry, section):
            take(draft, record, section, theirs, ours, entry)
    return entry


def meant(theirs: str, names: Iterable[str], entry: Mapping[str, Any], section: str) -> str:
    """Finds the unused field of ours that a field name usually means."""
    free = [name for name in (*names, PERIOD) if name not in entry]
    return theirs if theirs in free else field_meant(theirs, free, section)


def take(
    draft: Draft, record: SourceRecord, section: str, theirs: str, ours: str, entry: dict[str, Any]
) -> None:
    """Converts one field of a record and adds it to the entry."""
    if ours in entry or not (written := record.texts(theirs)):
        return
    if ours == "location" and (address := link_in(written[0])):  # a link where programs print it
        label = plain(written[0])
        draft.leave([] if label.lower() in address.lower() else [label], "name of a link")
        take_link(draft, written[0], section, entry)
        return
    allowed = choices(section, ours)
    values = [
        value.with_text(value_meant(value, allowed) or value) if allowed else tidy(value, ours)
        for value in written
    ]
    if len(values) == 1 and (ours in PEOPLE or not isinstance(record.row[theirs], list)):
        values = apart(ours, values[0])
    if ours in DATES or ours == PERIOD:
        found = dated(ours, values[0], section)
        for name, value in found.items():
            entry.setdefault(name, value)
        linked = [value for value in written if link_in(value)]  # reported by take_link
        rest = values[1:] if found else values
        draft.leave([value for value in rest if value not in linked], UNCLEAR_DATE)
        if "status" not in found and is_only_year(values[0], found.get(ours)):
            draft.leave(values[:1], ONLY_YEAR)
    elif is_list(section, ours):
        entry[ours] = values if len(values) > 1 or ours in LISTS else values[0]
    elif len(values) == 1:
        entry[ours] = values[0]
    elif ours in PROSE:
        entry[ours] = join_values(values)
    else:
        entry[ours] = values[0]
        draft.leave(values[1:], f"'{ours}' takes only one value")
    if ours not in (*PROSE, "highlights", "courses", "url"):
        for value in written:
            take_link(draft, value, section, entry)


def apart(ours: str, value: Value) -> list[Value]:
    """The people or keywords that one text lists."""
    if ours in PEOPLE:
        names = several_names.names_in(value, lambda name: False)
        others = several_names.OTHERS.findall(value) if names else []
        return [value.with_text(name) for name in (*names, *others)] or [value]
    return split_list(value) if ours == "keywords" else [value]


def dated(ours: str, value: Value, section: str) -> dict[str, Any]:
    """A date or a period, and for a work the status written with it: `2025 - under review`."""
    if ours in (PERIOD, "endDate") and section in ("education", "work") and EXPECTED.search(value):
        found = dated(ours, value.with_text(EXPECTED.sub("", value).strip(" ,;:.")), section)
        end = found.get("endDate")
        return {**found, "endDate": end.with_text("present"), "expected": end} if end else {}
    if ours == PERIOD:
        found = parse_period(value)
        if section in ("education", "projects") and len({*found.values()}) == 1:
            found.pop("startDate")  # a single date is that of the degree or result
        return {**found}
    status = status_in(value) if section == "publications" else ""
    return without_empty(
        {ours: parse_date(value), "status": value.with_text(status) if status else None}
    )


def venue_fields(name: str, value: Value, work: dict[str, Any]) -> dict[str, Any]:
    """Splits the text of a venue field into venue, status and note."""
    venue = venue_in(value)
    if not venue.status:
        return {name: value}
    found = {name: value.with_text(venue.name)} if venue.name else {}
    found |= {} if "status" in work else {"status": value.with_text(venue.status)}
    if venue.note:
        notes = filter(None, (work.get("annotation"), venue.note))
        found["annotation"] = value.with_text("\n\n".join(notes))
    return found


def place_work(work: dict[str, Any], text: Value, otherwise: str) -> dict[str, Any]:
    """The fields of a work with the text that says where it appeared, whatever that names; in the
    field `otherwise` if the text alone does not say it.
    """
    if found := thesis_in(text):
        degree, school = map(text.with_text, found)
        stated = without_empty({"degree": degree, "institution": school})
        return {"kind": text.with_text("thesis"), **stated, **work}
    if SERVERS.search(text):
        return {"kind": text.with_text("preprint"), **work, "publisher": text}
    if named := NO_NAME.fullmatch(text):
        kind = "poster" if named["poster"] else "other"
        return {"kind": text.with_text(kind), **work, "annotation": text}
    if work.get("kind") in MEETINGS:
        otherwise = "conference" if work["kind"] in ("conference", "workshop") else "annotation"
    field = field_of_venue(text) or otherwise
    if field == "publisher" and (both := PUBLISHER_OF_EVENT.fullmatch(text)):
        publisher, event = map(text.with_text, both.groups())
        return place_work({**work, "publisher": publisher}, event, "annotation")
    if work.get("kind") == "thesis":
        field = "institution"
    kinds = {"conference": kind_at("conference", text), "journal": "journal"}
    return {"kind": text.with_text(kinds.get(field, "other")), **work, field: text}


def place_publisher(work: dict[str, Any]) -> dict[str, Any]:
    """A work with what its file calls the publisher, which can name anything about the place where
    the work appeared.
    """
    where = work.pop("publisher", None)
    work |= venue_fields("publisher", where, work) if where else {}
    if where := work.pop("publisher", None):
        about = work.pop("annotation", None)
        work = place_work(work, plain(where), "annotation")
        if about:
            work["annotation"] = join_values(filter(None, (about, work.get("annotation"))))
    return work


def settle_summary(work: dict[str, Any]) -> dict[str, Any]:
    """A work whose summary is its abstract only if it has sentences: not `SPIE; Vol. 12`."""
    summary = work.get("abstract")
    if not summary or SENTENCES.fullmatch(summary) or "annotation" in work:
        return work
    return {"annotation" if name == "abstract" else name: value for name, value in work.items()}


def is_only_year(written: Value, read: Value | None) -> bool:
    """Whether the text has more than the year that was read: `2025, online first`."""
    words = set(re.findall(r"[^\W\d_]+", plain_letters(written))) - FILLERS
    return read is not None and bool(YEAR.fullmatch(read)) and bool(words)


def tidy(value: Value, ours: str) -> Value:
    """Converts prose to Markdown, and names to plain text."""
    if ours in (*PROSE, "highlights", "courses"):
        return prose(value)
    is_plain = ours in DATES or value.startswith(("http://", "https://"))
    return value if is_plain else plain(value, is_title=ours == "title")


def take_link(draft: Draft, value: Value, section: str, entry: dict[str, Any]) -> None:
    """Uses a link in a name as the `url` of the entry, unless another entry has that URL."""
    address = link_in(value)
    if not address:
        return
    others = (each.get("url") for each in draft.cv.get(section, ()) if isinstance(each, dict))
    if "url" in entry_fields(section) and "url" not in entry and address not in others:
        entry["url"] = address
    elif address != entry.get("url"):
        draft.leave([address], "link removed from a name")


def add_free_record(
    draft: Draft,
    record: SourceRecord,
    title: str,
    names: Iterable[str] = NAMES,
    is_ongoing: bool = False,
) -> None:
    """Adds a record to a free section: name, place, dates and URL as fields, the rest as text.

    With `is_ongoing`, a missing end means the present.
    """
    if UNTITLED in record:
        for value in record.texts(UNTITLED):
            draft.put_free(title, value)
        return
    named = record.texts(*(each for name in names for each in record if each.lower() == name))
    known = {
        ours: record.text(theirs)
        for theirs in record
        if (ours := field_meant(theirs, FREE_FIELDS, "sections"))
    }
    where, links = known.get("location"), [link for each in named if (link := link_in(each))]
    linked = link_in(where) if where else None  # a link where programs print the place
    entry: dict[str, Any] = {
        "name": plain(named[0]) if named else None,
        "location": None if linked else where,
        "url": known.get("url") or next(iter(links), linked),
    }
    ends = {name: parse_date(known.get(name)) for name in ("startDate", "endDate")}
    span = without_empty(ends) or parse_period(known.get("date"))
    if span.get("startDate") == span.get("endDate"):
        span = without_empty({"date": span.get("startDate")})
    if is_ongoing and "endDate" not in known:
        mark_ongoing(span)
    dates = [known[name] for name in ("date", *ends) if known.get(name)]
    others = [
        each for each in dates if parse_date(each) not in span.values() and not parse_period(each)
    ]
    about = [where] if linked and linked != entry["url"] else []
    lines = [*about, join_values(map(plain, named[1:]), ", "), *others]
    lines += [join_values(map(plain, record.texts("authors")), ", ")]
    points = [value.with_text(f"- {prose(value)}") for value in record.texts("highlights")]
    text = join_values(prose(each) for each in [*lines, *record.left()] if each)
    text = join_values([*([text] if text else []), *points], "\n")
    record.skip(*record)
    if named or text:
        draft.put_free(title, {**entry, **span, "summary" if named else "text": text})


def whole_entry(record: SourceRecord, section: str, known: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a record as an entry of a section; empty if not all of its values fit."""
    same, trial = SourceRecord(record.row, record.path), Draft()
    same.taken |= record.taken
    entry = fill(trial, same, section, known)
    return entry if not same.left() and not trial.left else {}


def profile(network: Value | None, username: Value | None, url: Value | None) -> dict[str, Any]:
    """An online profile; adds a missing scheme to its URL. A user name can be an address, too."""
    if username and not url and re.match(r"\S+\.\S+/\S", username):
        username, url = None, username
    return without_empty({"network": network, "username": username, "url": url})


def host_of(address: str) -> str:
    return re.sub(r"^https?://(www\.)?|[/?#].*$", "", address)


def place(parts: Iterable[Value]) -> Value | None:
    """Joins the parts of a place, with the name of the country: `Oslo`, `NO` -> `Oslo, Norway`.

    A code is a country only in a field for countries: the region `GA` is not Gabon.
    """
    named = (
        part.with_text(country_names().get(part.upper(), part))
        if COUNTRY.search(part.path)
        else part
        for part in parts
    )
    return join_values(dict.fromkeys(named), ", ")


def private(value: Value | None) -> Any:
    """A value that is not published unless the author changes its visibility."""
    return {"value": value, "visibility": "private"} if value else None


def public(value: Value | None) -> Any:
    """A value that the imported site shows to everyone."""
    return {"value": value, "visibility": "public"} if value else None


def home_address(street: Value | None, code: Value | None, city: Value | None = None) -> Any:
    """A home address, which is private."""
    known = without_empty({"street": street, "postalCode": code, "city": city})
    return {**known, "visibility": "private"} if known else None


def mark_ongoing(entry: dict[str, Any]) -> None:
    """Sets a missing end date to `present`, as programs for these formats show it."""
    if "startDate" in entry and "endDate" not in entry:
        entry["endDate"] = entry["startDate"].with_text("present")


def set_expected_ends(draft: Draft, today: str) -> None:
    """Turns end dates in the future into expected ones: `endDate: present`, `expected: 2028`.

    If the entry has not started yet, its end is listed instead. Grants keep their end date.
    """
    for section in draft.cv:
        if section not in SECTIONS or section == "grants" or not today:
            continue
        dated = any(issubclass(model, Dated) for model in models_of(section))
        for entry in draft.cv[section] if dated else ():
            if isinstance(entry, dict) and is_after(entry.get("endDate"), today):
                end = entry.pop("endDate")
                if is_after(entry.get("startDate"), today):
                    draft.leave([end], "end date skipped, because the entry has not started yet")
                else:
                    entry |= {"endDate": end.with_text("present"), "expected": end}


def is_after(date: Any, today: str) -> bool:
    """Compares at the precision of the date: 2026 is not after a day in 2026."""
    known = dates.read(str(date)) if date else None
    return bool(known and known.iso > today[: len(known.iso)])


def one_or_all(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else values
