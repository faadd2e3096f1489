"""The tools `search` (by words of a name) and `describe` (by slug, address or exact name)."""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from kg.errors import BadQuery
from kg.mapping import iris
from kg.plugins.mcp.cited_answer import (
    BRIEFLY_CITED,
    CITED,
    NOT_IN_ADDRESSES,
    TEXT,
    AnswerWriter,
    CitedAnswer,
    cited_lines,
    one_line,
)
from kg.plugins.mcp.schema_overview import prefixes_text, schema_text
from kg.publish.formats.media import MARKDOWN
from kg.publish.formats.urls import ascii_url
from kg.publish.search.index import MOST_LETTERS
from kg.publish.site import Documents
from kg.sparql.reading.parameters import THINGS
from kg.text.wording import KINDS

# Folder -> type of its entities, named as in parameters of questions.
TYPES = {kind: name.lower() for kind, name in KINDS.items()} | {
    kind: type for type, kind in THINGS.items()
}
MAX_FOUND = 20
MAX_SUGGESTED = 5  # suggestions if nothing has the name
MAX_PAGE, BRIEF = 30_000, 5_000  # characters of a section, and of a whole page
OVERVIEWS: dict[str, Callable[[Documents], str]] = {
    "schema": schema_text,
    "prefixes": lambda documents: prefixes_text(documents.base),
}
LINK = re.compile(r"(?<!\\)\]\((?![a-z]+:)([^()\s]+)\)")

FOUND = {
    "type": "object",
    "properties": {
        "total": {
            "type": "integer",
            "description": "number of all matches, including those not returned",
        },
        "found": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": TEXT, "type": TEXT, "note": TEXT, "address": TEXT},
                "required": ["name", "type", "note", "address"],
            },
        },
        **CITED,
    },
    "required": ["total", "found", "documents", "sources"],
}
DESCRIBED = {
    "type": "object",
    "properties": {
        "name": TEXT,
        "address": TEXT,
        "types": {"type": "array", "items": TEXT},
        "text": {"type": "string", "description": "the page of the entity in Markdown"},
        **CITED,
    },
    "required": ["name", "address", "types", "text", "documents", "sources"],
}


def search(writer: AnswerWriter, words: str, type: str = "") -> CitedAnswer:
    """Entities whose names contain these words, or words that start with them, best matches first;
    then those with these words anywhere in their texts.
    """
    index = writer.documents.finder.index
    hits, _ = index.find(words[:MOST_LETTERS], len(index.entries))
    named = dict.fromkeys(hit.entry for hit in hits)
    every = named | dict.fromkeys(writer.texts.find(words[:MOST_LETTERS]))
    fitting = [entry for entry in every if not type or type_of(entry.address) == type]
    total = len(fitting)
    found = [
        {
            "name": entry.name,
            "type": type_of(entry.address),
            "note": entry.note,
            "address": writer.base + entry.address,
        }
        for entry in fitting[:MAX_FOUND]
    ]
    more = f"; the best {len(found)} are shown" if len(found) < total else ""
    lines = [f"{total} found{more}." if total else "Nothing found. Try fewer words or other words."]
    for each in found:
        note = f", {each['note']}" if each["note"] else ""
        lines.append(f"- {one_line(each)} ({each['type']}{note}) <{each['address']}>")
    cited = writer.cite((f"{each['address']}#it" for each in found), BRIEFLY_CITED)
    lines += cited_lines(cited | {"documents": []})
    return CitedAnswer("\n".join(lines), {"total": total, "found": found, **cited})


def type_of(address: str) -> str:
    return TYPES[address.partition("/")[0]]


def is_thing(address: str) -> bool:
    return not iris.is_list(address)


def describe(writer: AnswerWriter, thing: str, section: str = "") -> CitedAnswer:
    """The page of an entity, or a section of it, with the documents it links to."""
    documents = writer.documents
    if thing in OVERVIEWS:
        text = OVERVIEWS[thing](documents)
        named = {"name": thing, "address": writer.base, "text": text}
        return CitedAnswer(text, {**named, "types": [], "documents": [], "sources": []})
    address = find_document(writer, thing)
    description = documents.describe(address)
    text, leads = page_text(documents, address)
    text = one_section(text, section) if section else brief(text)
    if len(text) > MAX_PAGE:
        text = f"{text[:MAX_PAGE]}…\n\nRead the resource {description.document} for the rest.\n"
    leads = [each for each in leads if f"({each}" in text][:MAX_FOUND]
    short = writer.cells([]).short
    sources = writer.sources_of([f"{description.document}#it", *description.nodes])
    data = {
        "name": description.title,
        "address": description.document,
        "types": [short(kind) for kind in description.kinds],
        "text": text,
        "documents": writer.documents_of([description.document, *leads]),
        "sources": sources,
    }
    cited = cited_lines({"documents": [], "sources": sources})
    return CitedAnswer("\n".join([text.rstrip(), *cited]), data)


def brief(page: str) -> str:
    """A page with those sections that fit, and a list of the others."""
    head, *parts = re.split(r"(?m)^(?=## )", page)
    shown, others = head[:BRIEF], list[str]()
    for part in parts:
        if len(shown) + len(part) > BRIEF:
            others.append(f"{part[3:].partition(chr(10))[0]} ({len(part):,} characters)")
        else:
            shown += part
    more = f"\nOther sections, to read with section: {', '.join(others)}.\n" if others else ""
    return shown + more


def one_section(page: str, section: str) -> str:
    """A section by its heading. Raises BadQuery with the headings."""
    parts = {part[3:].partition("\n")[0]: part for part in re.split(r"(?m)^(?=## )", page)[1:]}
    wanted = section.strip().lower()
    found = [part for heading, part in parts.items() if heading.lower().startswith(wanted)]
    if not found:
        known = f"Sections: {', '.join(parts)}." if parts else "This page has no sections."
        raise BadQuery(f"'{one_line(section[:MOST_LETTERS])}' is not a section. {known}")
    return found[0]


def page_text(documents: Documents, address: str) -> tuple[str, list[str]]:
    """A page in Markdown with absolute links to documents of the site, and those addresses."""
    leads: list[str] = []

    def whole(link: re.Match[str]) -> str:
        path, _, part = link[1].partition("#")
        file = normpath(join(dirname(address), unquote(path)))
        origin, form = documents.files.get(file, ("", ""))
        if origin not in documents.addresses:
            return link[0]
        leads.append(documents.base + origin)
        target = leads[-1] if form == MARKDOWN else documents.base + file
        return f"]({ascii_url(target)}{f'#{part}' if part else ''})"

    return LINK.sub(whole, documents.write(address, MARKDOWN).decode()), leads


def find_document(writer: AnswerWriter, thing: str) -> str:
    """The path of a document: `people/ada`. Raises BadQuery with suggestions."""
    documents, given = writer.documents, thing.strip()
    named = iris.path_of(documents.base, writer.by_name.get(given, ""))
    found = address_of(documents, given) or named
    if found:
        return found
    hits, _ = documents.finder.index.find(thing[:MOST_LETTERS], MAX_SUGGESTED)
    alike = (near for kind in TYPES for near in documents.near(f"{kind}/{given}"))
    near = list(dict.fromkeys([*(hit.entry.address for hit in hits), *filter(is_thing, alike)]))
    what = one_line(thing[:MOST_LETTERS])
    offer = f"Closest: {', '.join(near[:MAX_SUGGESTED])}." if near else "Use search to find it."
    raise BadQuery(f"'{what}' does not exist. {offer}")


def address_of(documents: Documents, given: str) -> str | None:
    """Finds a document by its address, that of a format (`people/ada.ttl`) or part, or by its
    slug.
    """
    path = given.removeprefix(documents.base).partition("#")[0]
    if not path or NOT_IN_ADDRESSES.search(given):
        return None
    origin, _ = documents.files.get(path, (path, ""))
    return documents.address(origin)
