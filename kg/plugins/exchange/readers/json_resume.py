"""Reads JSON Resume, tolerating common deviations from the schema, Reactive Resume and YAMLResume.

The fields of the latter two are renamed to those of JSON Resume. Their hidden entries are listed,
not imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.advice.other_words import field_meant
from kg.errors import Place
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.models import SECTIONS
from kg.facts.values.text import is_web_address
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import (
    Draft,
    Format,
    SourceRecord,
    Value,
    parse_date,
    without_empty,
)
from kg.plugins.exchange.fields import (
    add_free_record,
    entry_fields,
    fill,
    home_address,
    is_after,
    mark_ongoing,
    meant,
    place,
    place_publisher,
    private,
    profile,
    settle_summary,
    skip_layout,
)
from kg.plugins.exchange.line_entries import add_line, entries_of
from kg.plugins.exchange.markup import TAG, list_items, plain, prose
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.source_rows import mapped
from kg.plugins.exchange.titles import as_heading, section_for

TABLE = "json-resume"
PARTS = ("basics", "work", "education", "skills", "volunteer", "awards", "publications", "projects")
PLACE = ("city", "region", "country", "countryCode")
NUMBER = re.compile(r"[\d.,/ ]+%?")
NO_AUTHORS = (
    "the file lists no authors, so the person was entered as one. Add the others, or delete the "
    "work if it is not theirs"
)
OUR_NAMES = {"experience": "work", "certifications": "certificates", "profiles": "profiles"}
WITH_HIGHLIGHTS = ("work", "education", "projects", "volunteer")
JOB = ("position",)
PERIODS = (*WITH_HIGHLIGHTS, "custom")
ADDRESS = ("href", "url", "label", "inlineLink")
LAYOUT = ("id", "visible", "hidden", "icon", "iconColor", "levelNum", "options", "showLinkInTitle")
PROSE = ("summary", "description", "content", "reference")
PARAGRAPH = re.compile(r"(?<=<li>)\s*<p>|</p>\s*(?=</li>|<[uo]l>)")  # inside an item of a list
HIDDEN = "hidden in the source. Add it if visitors may see it"
OWN_CV = (
    "{file}: this is a CV in the format of cv-kg already, so it needs no import. Copy it to "
    "data/cv/ in the folder of your site. To create a site, run: kg new FOLDER"
)
# Fields that only one of the two formats has, by section.
OURS = {"work": {"organization", "positions"}, "publications": {"title", "authors", "kind"}}
THEIRS = {"work": {"name", "company"}, "publications": {"name", "publisher", "releaseDate"}}


def matches(source: SourceFile) -> bool:
    tree = source.tree
    if not isinstance(tree, Row):
        return False
    lists = [name for name in PARTS if isinstance(tree.get(name), Rows)]
    return isinstance(tree.get("basics"), Row) or len(lists) > 1


def read(source: SourceFile) -> Iterator[Draft]:
    if is_own_cv(source):
        raise NotImported(OWN_CV.format(file=source.name))
    yield draft_of(source.root)


def is_own_cv(source: SourceFile) -> bool:
    """Whether a file is a CV in our own format, by its comment or its fields."""
    if re.search(r"^# yaml-language-server: \$schema=\S*cv\.json", source.text, re.MULTILINE):
        return True
    root = source.root
    names = [(section, name) for section in OURS for row in root.rows(section) for name in row]
    ours = sum(name in OURS[section] for section, name in names)
    basics = root.row("basics").values()
    ours += sum(isinstance(value, Row) and "visibility" in value for value in basics)
    ours += sum("entries" in row for row in root.rows("sections"))
    ours += "order" in root.row("layout")
    ours += isinstance(root.get("publications"), str) and "." in root["publications"]
    return ours > sum(name in THEIRS[section] for section, name in names)


def draft_of(resume: Row) -> Draft:
    root, draft = SourceRecord(resume), Draft()
    skip_layout(root, TABLE)
    read_basics(draft, root.record("basics"))
    for name in root:
        if name in ("basics", "meta"):
            continue
        read_section(draft, root, name)
    about_file = root.record("meta")
    language = about_file.text("language", "lang", "locale")
    draft.cv.update(without_empty({"language": language}))
    modified = parse_date(about_file.text("lastModified"))
    dated = (each.get(name) for each in entries_of(draft) for name in ("startDate", "date"))
    if modified and any(is_after(date, modified) for date in dated):
        draft.leave([modified], "older than an entry")
    else:
        draft.cv.update(without_empty({"modified": modified}))
    about_file.skip("canonical", "version", "lastModified", "theme", "labels")
    draft.keep_order()
    draft.leave_rest(root)
    return draft


def read_basics(draft: Draft, basics: SourceRecord) -> None:
    draft.basics(**{name: plain(basics.text(name)) for name in ("name", "label", "image")})
    draft.basics(summary=prose(basics.text("summary")))
    draft.basics(image=basics.text("picture"))
    if "label" not in basics:
        draft.basics(label=basics.text("headline"))
    draft.basics(
        email=basics.text("email"),
        phone=private(basics.text("phone")),
        url=basics.text("url", "website"),
    )
    where = basics.record("location")
    draft.basics(location=place(where.texts(*PLACE)) or basics.text("location"))
    draft.basics(address=home_address(where.text("address"), where.text("postalCode")))
    profiles = [
        profile(each.text("network"), each.text("username"), each.text("url"))
        for each in basics.records("profiles")
    ]
    draft.basics(profiles=[each for each in profiles if {"username", "url"} & {*each}])
    for theirs in basics:
        ours = field_meant(theirs, ("pronouns", "honorific", "orcid", "birthDate"), "basics")
        if ours:
            draft.basics(**{ours: basics.text(theirs)})


def read_section(draft: Draft, root: SourceRecord, name: str) -> None:
    section = section_for(name)
    of_format = field_mapping(name)
    is_field = section not in SECTIONS and not isinstance(root.row[name], Row | Rows)
    for record in () if is_field else root.records(name):
        if section == "publications":
            read_work(draft, record, of_format)
        elif (
            section in SECTIONS and section != "sections" and (of_format or is_of(section, record))
        ):
            known = of_format or {each: each for each in entry_fields(section) if each in record}
            entry = fill(draft, as_named_record(record, section), section, known)
            if "location" in entry_fields(section):
                where = place(record.record("location").texts(*PLACE))
                entry |= {"location": where} if where else {}
            if section in WITH_HIGHLIGHTS and "endDate" not in record:
                mark_ongoing(entry)
            place_score(draft, entry)
            if section == "interests" and "name" not in entry:
                for each in entry.get("keywords", ()):
                    draft.add(section, each)
            else:
                draft.put(section, entry, name)
        elif line := record.line():
            add_line(draft, line, as_heading(name), "")
        else:
            heading = as_heading(name)
            add_free_record(draft, record, heading)


def is_of(section: str, record: SourceRecord) -> bool:
    """Whether an entry below a title of the file's own is one of the section that the title means:
    a job has a position.
    """
    return section != "work" or any(meant(each, JOB, {}, section) in JOB for each in record)


def place_score(draft: Draft, entry: dict[str, Any]) -> None:
    """Takes the first of several scores, and lists them; a text is an honour."""
    score = entry.get("score")
    if score is None or NUMBER.fullmatch(score):
        return
    scores = re.split(r"\s*[;|]\s*", entry.pop("score"))
    if all(map(NUMBER.fullmatch, scores)):
        entry["score"] = score.with_text(scores[0])
        draft.leave([score], "'score' takes only one value")
    else:
        entry.setdefault("honors", score)


def field_mapping(section: str) -> dict[str, str]:
    """The mapping from fields of a section of the format to ours, from the table."""
    return {
        path.partition("[].")[2].removesuffix("[]"): next(iter(ours)).partition(".")[2]
        for path, ours in correspondence(TABLE).fields.items()
        if path.startswith(f"{section}[].")
    }


def as_named_record(record: SourceRecord, section: str) -> SourceRecord:
    """Turns a plain text in the list of a section into an entry with that name."""
    text = record.row.get("")
    if text is None:
        return record
    row = record.row.without("") if isinstance(record.row, Row) else Row("")
    key = {"languages": "language"}.get(section, "name")
    record.taken.add(record.path)
    return SourceRecord(row.fill(key, text), record.path, record.taken)


def read_work(draft: Draft, record: SourceRecord, known: dict[str, str]) -> None:
    entry = fill(draft, record, "publications", known)
    if "title" not in entry:
        return
    authors = entry.get("authors")
    if not authors and draft.name:
        draft.leave([entry["title"]], NO_AUTHORS)
        authors = [draft.cv["basics"]["name"]]
        entry["moreAuthors"] = entry["title"].with_text("unknown")
    entry = place_publisher(settle_summary(entry))
    draft.put("publications", {"kind": "other", **entry, "authors": authors})


FIELDS: dict[str, dict[str, str]] = {
    "work": {"company": "name", "description": "summary"},
    "education": {"school": "institution", "degree": "studyType", "grade": "score"},
    "skills": {"description": "level", "proficiency": "level"},
    "languages": {"name": "language", "description": "fluency", "level": "fluency"},
    "certificates": {"title": "name", "description": "summary"},
    "publications": {"title": "name", "date": "releaseDate", "description": "summary"},
    "awards": {"description": "summary"},
    "volunteer": {"description": "summary"},
    "references": {"summary": "reference", "relationship": "position"},
    "projects": {"summary": "description"},
}


def is_reactive(source: SourceFile) -> bool:
    tree = source.tree
    needed = ("basics", "sections", "metadata")
    return isinstance(tree, Row) and all(isinstance(tree.get(name), Row) for name in needed)


def read_reactive(source: SourceFile) -> Iterator[Draft]:
    top = mapped(source.root, flat)
    root, hidden = Row(source.name), list[Any]()
    basics = converted_basics(top)
    root.fill("basics", basics)
    sections = [(name, each) for name, each in top.row("sections").items() if name != "custom"]
    customs = [*top.row("sections").row("custom").values(), *top.rows("customSections")]
    for name, section in [*sections, *(("custom", each) for each in customs)]:
        if not isinstance(section, Row):
            continue
        ours = OUR_NAMES.get(name, name)
        is_custom = name == "custom" or section.get("type") == "custom"
        title = str(section.get("title") or section.get("name") or name)
        if section.get("content"):
            basics.fill("summary", section["content"])
        for item in section.rows("items"):
            if is_hidden(section) or is_hidden(item):
                hidden.append(converted_item(item, ours))
            elif isinstance(item, Row):
                holder = basics if ours == "profiles" else root
                key, kind = (title, "custom") if is_custom else (ours, ours)
                entry = converted_item(item, kind)
                holder.fill(key, Rows.at(holder.spot, [*holder.rows(key), entry]))
    draft, rest = draft_of(root), Row(source.name).fill("hidden", Rows.at((0, 0), hidden))
    draft.leave(SourceRecord(rest).left(), HIDDEN)
    yield draft


def is_hidden(row: Any) -> bool:
    return isinstance(row, Row) and (row.get("visible") == "false" or row.get("hidden") == "true")


def converted_basics(top: Row) -> Row:
    basics, row = top.row("basics"), Row(top.file, top.row("basics").spot)
    row.copy_keys(
        basics, [name for name in basics if name not in ("picture", "photo", "customFields")]
    )
    for holder in (top.row("picture"), basics.row("picture"), basics.row("photo")):
        if (
            not is_hidden(holder)
            and not is_hidden(holder.row("effects"))
            and is_web_address(str(holder.get("url")))
        ):
            row.fill("image", holder["url"])
    extra = [each for each in basics.rows("customFields") if isinstance(each, Row)]
    for each in extra:
        if is_web_address(str(each.get("value"))):
            page = (
                Row(top.file, each.spot)
                .fill("network", each.get("name"))
                .fill("url", each["value"])
            )
            row.fill("profiles", Rows.at(row.spot, [*row.rows("profiles"), page]))
        elif each.get("value"):
            row.put(str(each.get("name") or "customField"), each["value"], each.spot, each.spot)
    if top.row("summary").get("content") and not is_hidden(top.row("summary")):
        row.fill("summary", top.row("summary")["content"])
    return row


def converted_item(item: Row, section: str) -> Row:
    row, names = Row(item.file, item.spot), FIELDS.get(section, {})
    for theirs, written in item.items():
        name, value = converted_field(theirs, written, section)
        name, at = names.get(name, name), item.values_at[theirs]
        points = highlights(value) if name in PROSE and section in WITH_HIGHLIGHTS else []
        if points:
            row.put("highlights", Rows.at(at, points), at, at)
        elif name not in LAYOUT and value not in ("", None):
            before = row.get(name)
            row.put(name, f"{before}\n\n{value}" if isinstance(before, str) else value, at, at)
    return row


def converted_field(name: str, value: Any, section: str) -> tuple[str, Any]:
    if name in ("date", "period") and section in PERIODS:
        return "dates", value
    if name == "level" and str(value).isdigit():
        return "rating", "" if value == "0" else value
    if isinstance(value, str):
        value = PARAGRAPH.sub("", value) if TAG.sub("", value).strip() else ""
    return "url" if name == "website" else name, value


def highlights(text: Any) -> list[str]:
    """The items of a text that is a list, in Markdown."""
    written = Value.of(text, Place(""), "") if isinstance(text, str) else Value()
    return [*map(str, list_items(prose(written)))]


def flat(row: Row) -> Any:
    """An address, or a period such as `{start: 2019-01-01, end: ""}`, as text; else the mapping."""
    if row and row.keys() <= {*ADDRESS}:
        return str(row.get("href") or row.get("url") or "")
    if row and row.keys() <= {"start", "end"}:
        parts = [str(row.get(name) or "")[:10] for name in ("start", "end")]
        return " – ".join(part or "present" for part in parts) if any(parts) else ""
    return row


def is_yaml_resume(source: SourceFile) -> bool:
    content = source.tree.get("content") if isinstance(source.tree, Row) else None
    return isinstance(content, Row) and isinstance(content.get("basics"), Row)


def read_yaml_resume(source: SourceFile) -> Iterator[Draft]:
    content = mapped(source.root, flat).row("content")
    root = Row(source.name, content.spot)
    basics = content.row("basics").without()
    for name in ("location", "profiles"):
        if name in content:
            basics.put(name, content[name], content.keys_at[name], content.values_at[name])
    for name, value in content.items():
        if isinstance(value, Rows) and name != "profiles":
            rows = Rows()
            for item, spot in zip(value, value.spots, strict=True):
                rows.add(converted_item(item, name) if isinstance(item, Row) else item, spot)
            root.put(name, rows, content.keys_at[name], content.values_at[name])
    root.fill("basics", basics)
    yield draft_of(root)


FORMAT = Format("jsonresume", "JSON Resume", matches, read, priority=60)
REACTIVE_RESUME = Format(
    "reactive-resume", "Reactive Resume", is_reactive, read_reactive, priority=55
)
YAML_RESUME = Format("yamlresume", "YAMLResume", is_yaml_resume, read_yaml_resume, priority=56)
