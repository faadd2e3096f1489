"""The JSON-LD of a document in pages that others made: put there once, and then kept up to date.

The script carries the address of its document in a mark of its own, so that several of them live in
one page and each is found again. Everything else in the page stays, byte for byte.
"""

from __future__ import annotations

import codecs
import html
import json
import re
from itertools import pairwise

from kg.errors import KgError
from kg.publish.embed.tags import Tag, tags
from kg.publish.formats.jsonld import Json

MARK = "data-cv-kg"
UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# Inside the texts of the JSON: what ends a script, and what templates (Liquid, Go, Jinja …) would
# run. Its own braces end their lines.
SPECIAL = re.compile(r"[<>&]|\{(?![\n}])")


def script(iri: str, value: Json) -> str:
    """The element for a page elsewhere. It is plain ASCII and holds nothing that a template would
    run, so it may stand anywhere.
    """
    body = SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, indent=1))
    mark = html.escape(iri).encode("ascii", "xmlcharrefreplace").decode()
    return f'<script type="application/ld+json" {MARK}="{mark}">\n{body}\n</script>'


def inject(page: bytes, script: str) -> bytes:
    """The page with the script in it: in the place of the one it has with the same mark, or else at
    the end of its head.
    """
    # Of other encodings every byte is one character to us. Ours are ASCII, which they all share.
    encoding = UTF_16.get(page[:2], "latin-1")
    try:
        text = page.decode(encoding, "surrogatepass")
    except UnicodeDecodeError as error:
        raise KgError(
            f"it begins as {encoding.upper()} does, and is not. Save it with the encoding UTF-8."
        ) from error
    if "\0" in text:
        raise KgError(
            "it is no HTML page, for it holds the character NUL. Save it as text, with the "
            "encoding UTF-8."
        )
    (mark,) = marks(script)
    line_end = next(iter(re.findall(r"\r\n|\n|\r", text)), "\n")
    made = put(text, mark, script.replace("\n", line_end), line_end)
    if mark not in marks(made):
        raise KgError(
            "a comment, script or text field in it is never closed, so nobody would see what "
            "is put there. Close it first."
        )
    return made.encode(encoding, "surrogatepass")


def marks(text: str) -> set[str | None]:
    return {tag.get(MARK) for tag in tags(text) if tag.name == "script"} - {None}


def put(text: str, mark: str | None, script: str, line_end: str) -> str:
    found = list(tags(text))
    made, place = "", 0
    for tag, closing in pairwise([*found, None]):
        if tag and tag.name == "script" and tag.get(MARK) == mark:
            if not closing or closing.start != tag.text_end:
                raise KgError(
                    "the script that was put there before is never closed. Close it, or remove it."
                )
            made += text[place : tag.start] + script
            place = closing.end
    if not place:
        place = room(text, found)
        stands_alone = text[place - 1 : place] in ("", "\r", "\n")
        made = text[:place] + script + (line_end if stands_alone else "")
    return made + text[place:]


def room(text: str, found: list[Tag]) -> int:
    """Where the script goes: before the end of the head, or before the body; where neither is told,
    before the end of the page. It does not part what stands there from its indentation.
    """
    wanted = next((tag for tag in found if tag.name in ("/head", "body", "frameset")), None)
    wanted = wanted or next((tag for tag in found if tag.name in ("/body", "/html")), None)
    place = wanted.start if wanted else len(text)
    line = len(text[:place].rstrip(" \t"))
    return line if text[line - 1 : line] in ("", "\r", "\n") else place
