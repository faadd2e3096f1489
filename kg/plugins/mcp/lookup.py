"""The tools `search` (by words of a name) and `describe` (by slug, address or exact name)."""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from kg.errors import BadQuery
from kg.mapping import iris
from kg.plugins.mcp.cited_answer import (
    CITED,
    NOT_IN_ADDRESSES,
    TEXT,
    AnswerWriter,
    CitedAnswer,
    cited_lines,
    one_line,
)
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
MAX_PAGE = 30_000  # characters
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
    """Entities whose names contain these words, or words that start with them; best matches
    first.
    """
    index = writer.documents.finder.index
    hits, total = index.find(words[:MOST_LETTERS], len(index.entries) if type else MAX_FOUND)
    if type:
        hits = [hit for hit in hits if type_of(hit.entry.address) == type]
        total = len(hits)
    found = [
        {
            "name": hit.entry.name,
            "type": type_of(hit.entry.address),
            "note": hit.entry.note,
            "address": writer.base + hit.entry.address,
        }
        for hit in hits[:MAX_FOUND]
    ]
    more = f"; the best {len(found)} are shown" if len(found) < total else ""
    lines = [f"{total} found{more}." if total else "Nothing found. Try fewer words or other words."]
    for each in found:
        note = f", {each['note']}" if each["note"] else ""
        lines.append(f"- {one_line(each)} ({each['type']}{note}) <{each['address']}>")
    cited = writer.cite(f"{each['address']}#it" for each in found)
    lines += cited_lines(cited | {"documents": []})
    return CitedAnswer("\n".join(lines), {"total": total, "found": found, **cited})


def type_of(address: str) -> str:
    return TYPES[address.partition("/")[0]]


def is_thing(address: str) -> bool:
    return not iris.is_list(address)


def describe(writer: AnswerWriter, thing: str) -> CitedAnswer:
    """The page of an entity, with the documents it links to."""
    documents, address = writer.documents, find_document(writer, thing)
    description = documents.describe(address)
    text, leads = page_text(documents, address)
    if len(text) > MAX_PAGE:
        text = f"{text[:MAX_PAGE]}…\n\nRead the resource {description.document} for the rest.\n"
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
