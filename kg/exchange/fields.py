"""Which field of ours takes a value of another format: by the table of the format, else by what its
name means in everyday use. What has no field goes into a section with a title of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from kg.exchange.draft import UNTITLED, Draft, SourceRecord, Value, as_one, filled, period, when
from kg.exchange.markup import link_in, plain, prose
from kg.facts.explain import field_names
from kg.facts.formats.correspondence import correspondence
from kg.facts.formats.other_words import field_meant, section_meant, value_meant
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.people import Cv
from kg.facts.values.advice import several_names
from kg.facts.values.regions import COUNTRY_TABLE, names_by_code

DATES = ("date", "startDate", "endDate", "year", "modified", "birthDate")
COUNTRY_NAMES = {code.upper(): names[0] for code, names in names_by_code(COUNTRY_TABLE).items()}
PEOPLE = ("authors", "editors", "translators")
PERIOD = "dates"
PROSE = ("summary", "abstract", "statement", "text", "details")
LISTS = ("highlights", "keywords", "authors", "courses")  # written as such even if they have one
# Sections that a word of a longer title tells for certain: `Selected Honors`.
BY_A_WORD = (
    "work",
    "education",
    "publications",
    "awards",
    "talks",
    "memberships",
    "volunteer",
    "skills",
    "interests",
    "certificates",
    "projects",
    "patents",
    "references",
)
NO_DATE = "it is not certain which date this is"
NOT_TOLD = ("of the format", "how it looks")  # what says nothing of a life
NAMES = ("name", "title", "label", "position", "degree", "role", "award", "event")
CARRIED = ("id", "visibility", "source", "note", "disputed", "accept", "was", "selected")


def skip_layout(record: SourceRecord, table: str) -> None:
    """Passes over what a table names as saying nothing of a life."""
    for path, reason in correspondence(table).not_taken.items():
        if reason.startswith(NOT_TOLD):
            *above, last = path.replace("[]", "").split(".")
            found = [record]
            for name in above:
                found = [inner for each in found for inner in each.records(name)]
            for each in found:
                each.skip(last)


def models_of(section: str) -> list[type[BaseModel]]:
    """The classes that read an entry of a section, or a work."""
    if section in REGISTRIES and section not in SECTIONS:
        return [*REGISTRIES[section].models]
    found = SECTIONS[section]
    return [model for model in (found.model, found.other) if model]


def entry_fields(section: str) -> list[str]:
    """The fields that an entry of a section may have."""
    own = [name for model in models_of(section) for name in field_names(model)]
    beside = SECTIONS[section].fields_of_thing if section in SECTIONS else ()
    return [name for name in dict.fromkeys([*own, *beside]) if name not in CARRIED]


def is_list(section: str, name: str) -> bool:
    fields = (model.model_fields.get(name) for model in models_of(section))
    return any(get_origin(each.annotation) is list for each in fields if each)


def choices(section: str, name: str) -> tuple[str, ...]:
    """The few values of which a field has one; none where it may have any."""
    fields = (model.model_fields.get(name) for model in models_of(section))
    types = [each.annotation for each in fields if each]
    inner = [part for each in types if get_origin(each) is not dict for part in get_args(each)]
    literals = [each for each in (*types, *inner) if get_origin(each) is Literal]
    return tuple(dict.fromkeys(str(value) for each in literals for value in get_args(each)))


def fill(
    draft: Draft, record: SourceRecord, section: str, known: Mapping[str, str]
) -> dict[str, Any]:
    """The entry of a section that a record tells: `known` says which of its fields are which of
    ours.
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
    """The field of ours that is still free and that a word means."""
    free = [name for name in (*names, PERIOD) if name not in entry]
    return theirs if theirs in free else field_meant(theirs, free, section)


def take(
    draft: Draft, record: SourceRecord, section: str, theirs: str, ours: str, entry: dict[str, Any]
) -> None:
    """Takes one field of a record into an entry, in the form that ours has."""
    if ours in entry or not (written := record.texts(theirs)):
        return
    allowed = choices(section, ours)
    values = [
        value.became(value_meant(value, allowed) or value) if allowed else tidy(value, ours)
        for value in written
    ]
    if ours in PEOPLE and len(values) == 1:
        listed = several_names.names_in(values[0], lambda name: False)
        values = [values[0].became(name) for name in listed] or values
    if ours in DATES or ours == PERIOD:
        found = period(values[0]) if ours == PERIOD else filled({ours: when(values[0])})
        for name, value in found.items():
            entry.setdefault(name, value)
        linked = [value for value in written if link_in(value)]  # an address where a date would be
        rest = values[1:] if found else values
        draft.leave([value for value in rest if value not in linked], NO_DATE)
    elif is_list(section, ours):
        entry[ours] = values if len(values) > 1 or ours in LISTS else values[0]
    elif len(values) == 1:
        entry[ours] = values[0]
    elif ours in PROSE:
        entry[ours] = as_one(values)
    else:
        entry[ours] = values[0]
        draft.leave(values[1:], f"'{ours}' has one value")
    if ours not in (*PROSE, "highlights", "courses", "url"):
        for value in written:
            take_link(draft, value, section, entry)


def tidy(value: Value, ours: str) -> Value:
    """Prose as Markdown, and names without marks."""
    if ours in (*PROSE, "highlights", "courses"):
        return prose(value)
    is_plain = ours in DATES or value.startswith(("http://", "https://"))
    return value if is_plain else plain(value, is_title=ours == "title")


def take_link(draft: Draft, value: Value, section: str, entry: dict[str, Any]) -> None:
    """What a name links to is the address of its entry, unless that of another one."""
    address = link_in(value)
    others = {str(each.get("url")) for each in draft.cv.get(section, ()) if isinstance(each, dict)}
    if address and "url" in entry_fields(section) and "url" not in entry and address not in others:
        entry["url"] = address
    elif address and address != entry.get("url"):
        draft.leave([address], "a link in a name")


def section_for(name: str) -> str:
    """The section that a heading or a name means; empty where none does. A word of a longer one
    will do, where the others mean nothing else: experience may be of anything.
    """
    known = [*SECTIONS, *Cv.model_fields, "basics"]
    if whole := section_meant(name, known):
        return whole
    words = re.findall(r"[^\W\d_]+", titled(name))
    found = {section_meant(word, BY_A_WORD) for word in words} - {""}
    if len(found) > 1:
        found -= {"work"}
    return found.pop() if len(found) == 1 else ""


def titled(name: str) -> str:
    """`speakingEngagements` as a heading: `Speaking engagements`."""
    spaced = "".join(f" {each}" if each.isupper() else each for each in name)
    words = spaced.replace("_", " ").replace("-", " ").split()
    apart = name if " " in name.strip() else " ".join(words).lower()
    return apart[:1].upper() + apart[1:]


def free(draft: Draft, record: SourceRecord, title: str) -> None:
    """A record as an entry of a section with a title of its own: its name, its dates and address,
    and the rest as text.
    """
    if UNTITLED in record:
        for value in record.texts(UNTITLED):
            draft.put_free(title, value)
        return
    entry: dict[str, Any] = {}
    named = next((each for word in NAMES for each in record if each.lower() == word), "")
    entry["name"] = record.text(named) if named else None
    for theirs in record:
        ours = field_meant(theirs, ("date", "startDate", "endDate", "url", "location"), "sections")
        values = record.texts(theirs) if ours else []
        found = when(values[0]) if values and ours not in ("url", "location") else None
        if found and (ours != "date" or not {"startDate", "endDate"} & {*entry}):
            entry[ours] = found
        elif values and ours in ("url", "location"):
            entry[ours] = values[0]
        elif values:
            draft.leave(values, NO_DATE)
    rest = as_one(record.left())
    record.skip(*record)
    entry["summary" if entry["name"] else "text"] = rest
    if entry["name"] or rest:
        draft.put_free(title, entry)


def profile(network: Value | None, username: Value | None, url: Value | None) -> dict[str, Any]:
    """An account elsewhere."""
    if url and not str(url).startswith(("http://", "https://")):
        url = url.became(f"https://{str(url).lstrip('/')}") if "." in url else None
    return filled({"network": network, "username": username, "url": url})


def place(parts: Iterable[Value]) -> Value | None:
    """`Oslo`, `NO` as `Oslo, Norway`: a place is one text, and a country has its name."""
    named = [part.became(COUNTRY_NAMES.get(part.upper(), part)) for part in parts]
    return as_one(dict.fromkeys(named), ", ")


def private(value: Value | None) -> Any:
    """What is nobody's business unless the author says so."""
    return {"value": value, "visibility": "private"} if value else None


def home(street: Value | None, code: Value | None, city: Value | None = None) -> Any:
    """Where somebody lives, which is private, too."""
    known = filled({"street": street, "postalCode": code, "city": city})
    return {**known, "visibility": "private"} if known else None


def go_on(entry: dict[str, Any]) -> None:
    """A post that began and has no end is still held: so other programs show it."""
    if "startDate" in entry and "endDate" not in entry:
        entry["endDate"] = entry["startDate"].became("present")


def web(value: Value | None) -> Value | None:
    """An address that lacks only its scheme is one."""
    if value is None or value.startswith(("http://", "https://")):
        return value
    return value.became(f"https://{value}")


def one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values
