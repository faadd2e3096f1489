"""Parses printed references into fields of a publication, if the title is clear.

The title is in quotation marks, is a link, follows `(2019).`, or is the sentence after authors that
end in a full stop.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, NamedTuple

from kg.plugins.bibliography.work_records import status_in
from kg.plugins.prose.author_lists import authors_in, with_signs
from kg.plugins.prose.date_spans import date_spans, without_dates
from kg.plugins.prose.plain_markdown import LINK, unmarked

Fields = dict[str, Any]
IS_TITLE = re.compile(r"(?!and\b)(?!.*\([^()]*\b(?:award|acceptance|nomin))", re.IGNORECASE)
QUOTED = re.compile(r"[“«„]([^”»“]{8,400})[”»“]|\"([^\"]{8,400})\"|``(.{8,400}?)''")
APA = re.compile(
    r"(?P<authors>.{4,4000}?)\s*\((?P<year>(?:19|20)\d\d)[a-z]?\)[.,:]?\s+"
    r"(?P<title>[^.?!]{8,400}(?:\.\d[^.?!]{0,200})?[.?!])\s*(?P<rest>.*)"
)
FULL_STOP = re.compile(r"(?<=[^\W\d_]{2})[*†∗]{0,2}\.\s+")  # not after an initial
SENTENCE = re.compile(r"(?P<title>[^.?!]{8,400}[.?!])\s+(?P<rest>[^a-z].*)")
DOI = re.compile(
    r"(?:doi\.org/|doi:?\s*)(10\.\d{4,9}/[^\s,;)\]>\"]+)|\b(10\.\d{4,9}/[^\s,;)\]>\"]+)",
    re.IGNORECASE,
)
ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|[:\s]+(?:preprint\s+)?(?:arxiv:)?)(\d{4}\.\d{4,5})", re.IGNORECASE
)
ADDRESS = re.compile(r"https?://[^\s,;)\]>\"]+")
PAGES = re.compile(
    r"\b(?:pp?\.|pages?|S\.)\s*(\d{1,6})\s*[-–—]+\s*(\d{1,6})"
    r"|(?<=[:,] )(\d{1,6})[-–](\d{1,6})(?=[.,]?$)"
)
VOLUME = re.compile(
    r"\b(\d{1,4})\s*\((\d{1,3})\)"
    r"|\bvol(?:ume)?\.?\s*(\d{1,4})(?:,?\s*(?:no|issue|iss)\.?\s*(\d{1,3}))?",
    re.IGNORECASE,
)
ITALIC = re.compile(r"(?<![*\w])(?:\*(?!\*)|_(?!_))([^*_]{3,300})(?:\*|_)(?![*\w])")
BRACKETS = re.compile(r"\s*[(\[][^()\[\]]{0,200}[)\]]")
PROCEEDINGS = re.compile(
    r"^(?:in:?\s+)?(?:the\s+)?(?:(?:proceedings|proc\.?|companion)\s+(?:of\s+)?)?(?:the\s+)?",
    re.IGNORECASE,
)
EDITION = re.compile(
    r"^(?:(?:19|20)\d\d\s+)?(?:(?:\d{1,3}(?:st|nd|rd|th)"
    r"|(?:twenty|thirty|forty|fifty|sixty)?-?(?:first|second|third|fourth|fifth|sixth"
    r"|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth))\s+)?"
    r"|\s*['’]\d\d$|\s+(?:19|20)\d\d$",
    re.IGNORECASE,
)
DASHED = re.compile(r"\s*[-–—]\s*[a-z]")
WORDS = {
    "preprint": r"arxiv|biorxiv|medrxiv|preprint",
    "thesis": r"(?:ph\.?d\.?|doctoral|master'?s?)\W+thesis|dissertation",
    "report": r"technical report|tech\. rep",
    "workshop": r"workshops?",
    "conference": r"conference|symposium|proceedings|proc\.|conf\.|congress|meeting",
    "journal": r"journal|transactions|letters|annals|bulletin|archives|j\.|trans\.",
}
MOST_STOPS = 40  # full stops to try as the end of the authors
CONTAINER = {"journal": "journal", "conference": "conference", "workshop": "venue"}


class Citation(NamedTuple):
    """The parts of a reference, as printed."""

    authors: str
    title: str
    rest: str
    year: str = ""


def paper(text: str, kind: str) -> Fields | None:
    """The fields of a publication; None if its title, authors or kind are unclear."""
    found = citation(text)
    if found is None:
        return None
    authors, title = authors_in(unmarked(found.authors)), unmarked(found.title).strip(" ,.")
    kind = kind or kind_of(found.rest)
    if not authors or not kind or len(title.split()) < 2 or not IS_TITLE.match(title):
        return None
    return {
        "title": title + ("?" if found.title.rstrip(' ”"').endswith("?") else ""),
        "kind": kind,
        "authors": with_signs(authors, unmarked(found.authors)),
        **date_fields(found),
        **venue(found, kind),
        **identifiers(text),
        "status": status_in(unmarked(found.rest).strip()),
    }


def citation(text: str) -> Citation | None:
    if quoted := QUOTED.search(text):
        title = quoted[1] or quoted[2] or quoted[3]
        before, after = text[: quoted.start()], text[quoted.end() :]
        is_whole = re.match(r"\W*(?:[,.;:(\[*_]|[Ii]n\b|[A-Z\d]|$)", after)
        is_clear = is_whole and before.strip(" *_") and not DASHED.match(after)
        return Citation(before, title, after) if is_clear else None
    for link in LINK.finditer(text):
        if len(link[1].split()) > 3 and authors_in(unmarked(text[: link.start()])):
            return Citation(text[: link.start()], link[1], text[link.end() :])
    if found := APA.fullmatch(text):
        return Citation(found["authors"], found["title"], found["rest"], found["year"])
    for stop in islice(FULL_STOP.finditer(text[:5000]), MOST_STOPS):
        found, authors = SENTENCE.match(text, stop.end()), text[: stop.start()]
        if found and authors_in(unmarked(authors)):
            return Citation(authors, found["title"], found["rest"])
    return None


def kind_of(text: str) -> str:
    """The kind of a work, from the words after its title."""
    for kind, words in WORDS.items():
        if re.search(rf"(?<!\w)(?:{words})(?!\w)", text, re.IGNORECASE):
            return kind
    is_volume = VOLUME.search(text) and not re.match(r"\W*in\b", text, re.IGNORECASE)
    return "journal" if is_volume else ""


def date_fields(found: Citation) -> Fields:
    """The year, if there is only one."""
    spans = [span for span in date_spans(unmarked(found.rest)) if not span.end]
    years = {span.year for span in spans} | ({found.year} if found.year else set())
    return {"year": years.pop()} if len(years) == 1 else {}


def venue(found: Citation, kind: str) -> Fields:
    """The journal or conference, if its name is clear, with volume, issue and pages."""
    rest, more = found.rest, Fields()
    if pages := PAGES.search(unmarked(rest)):
        groups = [each for each in pages.groups() if each]
        more["pages"] = f"{groups[0]}-{groups[1]}"
    if (volume := VOLUME.search(unmarked(rest))) and kind == "journal":
        more["volume"], more["issue"] = volume[1] or volume[3], volume[2] or volume[4]
    field = CONTAINER.get(kind)
    name = venue_name(rest)
    if field and name:
        more[field] = name
    return {key: value for key, value in more.items() if value}


def venue_name(rest: str) -> str:
    """The part in italics, or the only part without dates and numbers."""
    if italic := ITALIC.search(rest):
        return tidy(italic[1])
    text = PAGES.sub("", ADDRESS.sub("", DOI.sub("", BRACKETS.sub("", unmarked(rest)))))
    parts = re.split(r",\s*", VOLUME.sub("", without_dates(text)))
    names = [name for part in parts if (name := part.strip(" .,;"))]
    return tidy(names[0]) if len(names) == 1 and "." not in names[0] and len(rest) < 160 else ""


def tidy(name: str) -> str:
    """Removes the edition from a venue: `Proc. 35th Rivers Conference (RC'21)`."""
    name = PROCEEDINGS.sub("", BRACKETS.sub("", name).strip(" ,.;:"))
    return EDITION.sub("", EDITION.sub("", name)).strip(" ,.;:")


def identifiers(text: str) -> Fields:
    found: Fields = {}
    if doi := DOI.search(text):
        found["doi"] = (doi[1] or doi[2]).rstrip(".,;*_")
    if arxiv := ARXIV.search(text):
        found["arxiv"] = arxiv[1]
    addresses = [each.rstrip(".,;*_") for each in ADDRESS.findall(text)]
    others = [each for each in addresses if "doi.org/" not in each and "arxiv.org/" not in each]
    if len(others) == 1:
        found["url"] = others[0]
    return found
