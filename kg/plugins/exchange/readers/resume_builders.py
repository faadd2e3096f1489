"""Reads files of résumé builders: Reactive Resume (versions 3 to 5) and YAMLResume.

Their fields are renamed to those of JSON Resume, and read by its reader. Hidden entries are listed,
not imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kg.errors import Place
from kg.facts.values.text import is_web_address
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import Draft, Format, SourceRecord, Value
from kg.plugins.exchange.markup import TAG, list_items, prose
from kg.plugins.exchange.readers import json_resume
from kg.plugins.exchange.source_files import SourceFile

SECTIONS = {"experience": "work", "certifications": "certificates", "profiles": "profiles"}
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
WITH_HIGHLIGHTS = ("work", "education", "projects", "volunteer")
PERIODS = (*WITH_HIGHLIGHTS, "custom")
LAYOUT = ("id", "visible", "hidden", "icon", "iconColor", "levelNum", "options", "showLinkInTitle")
PROSE = ("summary", "description", "content", "reference")
PARAGRAPH = re.compile(r"(?<=<li>)\s*<p>|</p>\s*(?=</li>|<[uo]l>)")  # inside an item of a list
HIDDEN = "hidden in the source. Add it if visitors may see it"


@dataclass(frozen=True)
class ConvertedFile(SourceFile):
    """A file whose content was converted to another format."""

    converted: Row = field(default_factory=lambda: Row(""))

    @property
    def root(self) -> Row:
        return self.converted


def read_converted(source: SourceFile, root: Row) -> Iterator[Draft]:
    yield from json_resume.read(
        ConvertedFile(source.name, source.path, source.data, converted=root)
    )


def is_reactive(source: SourceFile) -> bool:
    tree = source.tree
    needed = ("basics", "sections", "metadata")
    return isinstance(tree, Row) and all(isinstance(tree.get(name), Row) for name in needed)


def read_reactive(source: SourceFile) -> Iterator[Draft]:
    top = source.root
    root, hidden = Row(source.name), list[Any]()
    basics = converted_basics(top)
    root.fill("basics", basics)
    sections = [(name, each) for name, each in top.row("sections").items() if name != "custom"]
    customs = [*top.row("sections").row("custom").values(), *top.rows("customSections")]
    for name, section in [*sections, *(("custom", each) for each in customs)]:
        if not isinstance(section, Row):
            continue
        ours = SECTIONS.get(name, name)
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
    for draft in read_converted(source, root):
        draft.leave(
            SourceRecord(Row(source.name).fill("hidden", Rows.at((0, 0), hidden))).left(), HIDDEN
        )
        yield draft


def is_hidden(row: Any) -> bool:
    return isinstance(row, Row) and (row.get("visible") == "false" or row.get("hidden") == "true")


def converted_basics(top: Row) -> Row:
    basics, row = top.row("basics"), Row(top.file, top.row("basics").spot)
    row.copy_keys(
        basics, [name for name in basics if name not in ("picture", "photo", "customFields")]
    )
    for name in ("url", "website"):
        if isinstance(basics.get(name), Row):
            row.fill(name, address_in(basics.row(name)))
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
    if name in ("url", "website") and isinstance(value, Row):
        return "url", address_in(value)
    if name in ("date", "period") and section in PERIODS:
        return "dates", value if isinstance(value, str) else period_in(value)
    if name == "level" and str(value).isdigit():
        return "rating", "" if value == "0" else value
    if isinstance(value, str):
        return name, PARAGRAPH.sub("", value) if TAG.sub("", value).strip() else ""
    return name, value


def highlights(text: Any) -> list[str]:
    """The items of a text that is a list, in Markdown."""
    return (
        [*map(str, list_items(prose(Value.of(text, Place(""), ""))))]
        if isinstance(text, str)
        else []
    )


def address_in(row: Row) -> str:
    return str(row.get("href") or row.get("url") or "")


def period_in(row: Any) -> str:
    """`{start: 2019-01-01, end: ""}` of version 3 as a period."""
    parts = (
        [str(row.get(name) or "")[:10] for name in ("start", "end")] if isinstance(row, Row) else []
    )
    return " – ".join(part or "present" for part in parts) if any(parts) else ""


def is_yaml_resume(source: SourceFile) -> bool:
    content = source.tree.get("content") if isinstance(source.tree, Row) else None
    return isinstance(content, Row) and isinstance(content.get("basics"), Row)


def read_yaml_resume(source: SourceFile) -> Iterator[Draft]:
    content = source.root.row("content")
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
    yield from read_converted(source, root)


REACTIVE_RESUME = Format(
    "reactive-resume", "Reactive Resume", is_reactive, read_reactive, priority=55
)
YAML_RESUME = Format("yamlresume", "YAMLResume", is_yaml_resume, read_yaml_resume, priority=56)
