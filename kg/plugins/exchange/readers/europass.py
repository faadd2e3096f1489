"""Reads Europass: Candidate (XML, since 2020) and SkillsPassport (version 3, XML or JSON).

`europass.yaml` maps their paths to our fields. Addresses, telephone numbers, date of birth, gender
and nationality are private.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from kg.facts.values.social_networks import network_of
from kg.facts.yaml.rows import Row
from kg.plugins.exchange.draft import (
    UNTITLED,
    Draft,
    Format,
    SourceRecord,
    Value,
    join_values,
    parse_date,
    record_of,
    without_empty,
)
from kg.plugins.exchange.fields import (
    home_address,
    one_or_all,
    place,
    private,
)
from kg.plugins.exchange.line_entries import split_list
from kg.plugins.exchange.markup import list_items, plain, prose, summary_or_highlights, with_scheme
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.source_rows import TEXT, mapped, rows_of
from kg.plugins.exchange.titles import as_heading

ROOTS = ("SkillsPassport", "Candidate")
ROOT_TAG = re.compile(rb"<(?:\w+:)?(SkillsPassport|Candidate)[\s>]")
LISTS = "List"  # suffix of elements that only wrap a list
CONTROLS = ("skip", "section", "at", "each")  # keys of the table that are no fields
SPECIAL = (
    *("summary", "location", "street", "postalCode", "city", "email", "url", "birthDate"),
    *("gender", "nationality"),
)
DATE = "FormattedDateTime"
EQF = {"6": "bachelor", "7": "master", "8": "doctoral"}  # levels with a degree
JOINED = {"name": " ", "street": ", ", "speaking": " / ", "location": ", ", "nationality": ", "}
PARTS = ("listening", "reading", "writing", "speaking")  # in CEF-Understanding-Listening etc.
TITLES = ("Title", "CertificationName", "LicenseName", "FormattedPublicationDescription", "Name")
TEXTS = ("Description", "Abstract", "Comment", "Role")


def matches(source: SourceFile) -> bool:
    if is_xml(source):
        head = source.data[:5000]
        return bool(ROOT_TAG.search(head)) and b"europass" in head.lower()
    return isinstance(source.tree, Row) and isinstance(source.tree.get(ROOTS[0]), Row)


def is_xml(source: SourceFile) -> bool:
    return source.data[:5000].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")


def read(source: SourceFile) -> Iterator[Draft]:
    tree = mapped(rows_of(source) if is_xml(source) else source.root, simplified)
    draft, whole = Draft(), SourceRecord(tree)
    name = next((name for name in ROOTS if name in whole), None)
    if name is None:
        raise NotImported(f"{source.name}: not a Europass CV.")
    root = whole.record(name)
    table = yaml.load(Path(__file__).with_suffix(".yaml").read_bytes(), yaml.CSafeLoader)[name]
    skip(root, table["skip"])
    add_basics(draft, root, table["basics"])
    for fields in table["entries"]:
        for record in records_at(root, fields["at"]):
            parts = records_at(record, fields["each"]) if "each" in fields else [record]
            for part in parts:
                add_entry(draft, fields, record, part)
            skip(record, fields.get("skip", ()))
    for record in records_at(root, "CandidatePerson.Communication"):
        add_contact(draft, record)
    for record in records_at(root, "CandidateProfile.PersonQualifications.PersonCompetency"):
        add_ability(draft, record)
    for name in {"phone", "email", "url"} & draft.cv["basics"].keys():
        found = draft.cv["basics"][name]
        draft.cv["basics"][name] = one_or_all(found) if isinstance(found, list) else found
    for path, heading in table["free"].items():
        for record in records_at(root, path):
            add_free(draft, record, heading)
    draft.leave_rest(whole)
    yield draft


def simplified(value: Row) -> Any:
    """Unifies XML and JSON: lists without wrappers, labels and dates of version 3 as text."""
    low = {name.lower(): str(item) for name, item in value.items()}
    if low.keys() <= {"code", "label"} and low:
        return low.get("label") or low.get("code", "")
    if "year" in low and low.keys() <= {"year", "month", "day"}:
        parts = [re.sub(r"\D", "", low.get(name, "")) for name in ("year", "month", "day")]
        return "-".join(part.zfill(2) for part in parts if part)
    row = Row(value.file, value.spot)
    for name, inner in value.items():
        single = name.removesuffix(LISTS)
        if name.endswith(LISTS) and isinstance(inner, Row) and [*inner] == [single]:
            row.put(single, inner[single], value.keys_at[name], inner.values_at[single])
        else:
            row.copy_keys(value, [name])
    return row


def records_at(record: SourceRecord, path: str) -> list[SourceRecord]:
    """The records at a path; a text becomes a record with the one field UNTITLED."""
    found = [record]
    for name in filter(None, path.split(".")):
        found = [inner for each in found for inner in records_in(each, name)]
    return found


def records_in(record: SourceRecord, name: str) -> list[SourceRecord]:
    value = record.row.get(name)
    if isinstance(value, str):
        return [record_of(value, record.place(name), record.at(name), record.taken)]
    return record.records(name)


def texts_at(record: SourceRecord, *paths: str) -> list[Value]:
    found = [each for path in paths for each in records_at(record, path)]
    return [text for each in found for text in each.texts(UNTITLED, TEXT)]


def skip(record: SourceRecord, paths: Any) -> None:
    for each in (each for path in paths for each in records_at(record, path)):
        each.skip(*each)


def listed(paths: Any) -> list[str]:
    return [paths] if isinstance(paths, str) else paths


def add_basics(draft: Draft, root: SourceRecord, paths: dict[str, Any]) -> None:
    found = {name: texts_at(root, *listed(each)) for name, each in paths.items()}
    one = {name: join_values(values, JOINED.get(name, ", ")) for name, values in found.items()}
    draft.basics(
        **{name: value for name, value in one.items() if name not in SPECIAL},
        summary=prose(one.get("summary")),
        location=place(found.get("location", ())),
        address=home_address(one.get("street"), one.get("postalCode"), one.get("city")),
        email=one_or_all([*map(private, dict.fromkeys(found.get("email", ())))]),
        url=one_or_all([*map(with_scheme, dict.fromkeys(found.get("url", ())))]),
        birthDate=private(parse_date(one["birthDate"])),
        gender=private(one["gender"]),
        nationality=private(place(found["nationality"])),
    )


def add_entry(
    draft: Draft, fields: dict[str, Any], record: SourceRecord, part: SourceRecord
) -> None:
    section, entry = fields["section"], dict[str, Any]()
    for name in (each for each in fields if each not in CONTROLS):
        paths = listed(fields[name])
        values = [
            text
            for path in paths
            for text in texts_at(record if path.startswith("^") else part, path.lstrip("^."))
        ]
        if paths[0].startswith("=") and entry:
            entry[name] = next(iter(entry.values())).with_text(paths[0][1:])
        elif values:
            entry |= converted(name, values, entry)
    if section == "phone" and entry:
        draft.cv["basics"].setdefault("phone", []).append({**entry, "visibility": "private"})
    elif section == "skills" and "name" not in entry:
        for each in entry.get("keywords", ()):
            draft.put("skills", {"name": each})
    elif section == "languages" and "language" in entry:
        for each in split_list(entry["language"]):
            draft.put("languages", {**entry, "language": each})
    elif entry:
        draft.put(section, entry)


def converted(name: str, values: list[Value], entry: dict[str, Any]) -> dict[str, Any]:
    """The field of an entry for values of the file; it can be another field."""
    first, start, whole = values[0], entry.get("startDate"), join_values(values)
    level = EQF.get("".join(filter(str.isdigit, first)))
    pages = [with_scheme(each) for each in values if "." in each and "@" not in each]
    joined = plain(join_values(dict.fromkeys(values), JOINED.get(name, ", ")))
    dated, where = {name: parse_date(first)}, {"location": entry.get("location") or place(values)}
    special: dict[str, dict[str, Any]] = {
        **dict.fromkeys(("startDate", "endDate", "date"), dated),
        **dict.fromkeys(("location", "otherLocation"), where),
        "present": {"endDate": start.with_text("present")} if start and "true" in values else {},
        "summary": {**summary_or_highlights(whole)},
        "text": {"summary": prose(whole)},
        "url": {"url": next(iter(pages), None)},
        "level": {"level": first.with_text(level) if level else None},
        "unit": {"unit": first if first != entry.get("organization") else None},
        "keywords": {name: [*map(plain, values)]},
    }
    return without_empty(special.get(name, {name: joined}))


def add_contact(draft: Draft, record: SourceRecord) -> None:
    """Adds a channel of communication or an address of a Candidate."""
    basics = draft.cv.setdefault("basics", {})
    channel, use = record.text("ChannelCode"), record.text("OtherTitle", "UseCode")
    value, digits = record.text("URI"), record.text("DialNumber")
    if channel == "Email":
        basics.setdefault("email", []).append(private(value))
    elif channel == "Telephone" and digits:
        code = record.text("CountryDialing")
        whole = digits.with_text(f"+{code} {digits}") if code else digits
        basics.setdefault("phone", []).append(without_empty({**private(whole), "label": use}))
        record.skip("CountryCode", "AreaDialing")
    elif channel == "Web" and value:
        basics.setdefault("url", []).append(with_scheme(value))
    elif channel == "Social Media" and value:
        by = "network" if use and network_of(use) else "label"
        page = {by: use or channel, "url": with_scheme(value)}
        basics.setdefault("profiles", []).append(page)
    elif value:
        draft.leave([value])
    at = record.record("Address")
    at.skip("type")
    city = at.text("CityName")
    draft.basics(
        location=place(at.texts("CityName", "CountryCode")),
        address=home_address(at.text("AddressLine"), at.text("PostalCode"), city),
    )
    record.skip("OtherTitle", "UseCode")


def add_ability(draft: Draft, record: SourceRecord) -> None:
    """Adds a language with its levels, or a skill."""
    kind = record.text("TaxonomyID")
    name = next(iter(texts_at(record, "CompetencyID", "CompetencyName")), None)
    record.record("CompetencyID").skip("schemeName")
    levels: dict[str, list[Value]] = {}
    for each in record.records("CompetencyDimension"):
        code = str(each.text("CompetencyDimensionTypeCode") or "").lower()
        scores = texts_at(each, "Score.ScoreText")
        part = next((part for part in PARTS if part in code), "")
        levels.setdefault(part, []).extend(scores if part else [])
        draft.leave([] if part else scores)
    found = {part: join_values(dict.fromkeys(each), " / ") for part, each in levels.items()}
    if name and kind == "language":
        draft.put("languages", {"language": name, **found})
    elif name:
        draft.put("skills", {"name": plain(name)})


def add_free(draft: Draft, holder: SourceRecord, heading: str) -> None:
    """Adds a text, or entries with a title, dates and text, to a free section."""
    heading = str(holder.text("Title") or heading)
    for value in holder.texts(UNTITLED, "Description", "Licence"):
        for each in list_items(prose(value)) or [prose(value)]:
            draft.put_free(heading, each)
    for name in holder:
        for level in holder.texts(name) if not holder.is_taken(name) else ():
            draft.put_free(heading, {"label": level.with_text(as_heading(name)), "details": level})
        for record in holder.records(name):
            title, text = record.text(*TITLES), join_values(map(prose, record.texts(*TEXTS)))
            dates = {
                ours: texts_at(record, f"Date.{theirs}.{DATE}", f"Period.{theirs}.{DATE}")
                for ours, theirs in (("startDate", "StartDate"), ("endDate", "EndDate"))
            }
            present = texts_at(record, "Date.CurrentIndicator", "Date.Ongoing", "Period.Ongoing")
            entry = {ours: parse_date(each[0]) for ours, each in dates.items() if each}
            if "true" in present and "startDate" in entry and entry["startDate"]:
                entry["endDate"] = entry["startDate"].with_text("present")
            entry |= {"location": record.text("Location"), "url": record.text("Link")}
            if title or text:
                named = {"name": plain(title), "summary": text} if title else {"text": text}
                draft.put_free(heading, {**named, **entry})


FORMAT = Format("europass", "Europass", matches, read, priority=40)
