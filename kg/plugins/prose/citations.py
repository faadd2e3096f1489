"""Parses printed references into fields of a publication, if the title is clear.

The title is in quotation marks, is a link, follows `(2019).`, is the sentence after authors that
end in a full stop, or is between the authors and `, In`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, NamedTuple

from kg.facts.bibliography.work_records import status_in
from kg.plugins.prose.author_lists import SIGNS, authors_in, is_name
from kg.plugins.prose.date_spans import date_spans
from kg.plugins.prose.pieces import is_place
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
LABEL = re.compile(
    r"((?:[A-Z][\w&'’/-]*\s+){1,4}?)((?:19|20)\d\d)(?:\s+(?:Companion|Workshops?))?\s+(?=[A-Z])"
)
SHORT_LABEL = re.compile(r"(\*\*|__)([A-Z][A-Z0-9-]{2,10})\1\s+")
IN = re.compile(r",\s+[Ii]n\s+(?=(?:the |[A-Z\d]))")
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
# `in *Hot Rivers 2022*`, `In *Advances in Rivers (AiR)*`
EDITION_OF = re.compile(
    r"\W*in:?\s+[*_](?:(?:19|20)\d\d|\d+(?:st|nd|rd|th)"
    r"|[^*_]*(?:(?:19|20)\d\d|['’]\d\d|\([A-Z]\w*[A-Z][^()]*\)))",
    re.IGNORECASE,
)
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
    label: str = ""
    year: str = ""


def paper(text: str, kind: str) -> Fields | None:
    """The fields of a publication; None if its title, authors or kind are unclear."""
    found = citation(text)
    if found is None:
        return None
    authors, title = authors_in(unmarked(found.authors)), unmarked(found.title).strip(" ,.")
    kind = kind or kind_of(found.rest) or kind_of(found.label)
    if not authors or not kind or len(title.split()) < 2 or not IS_TITLE.match(title):
        return None
    marked = [unmarked(found.authors)] if SIGNS.search(unmarked(found.authors)) else []
    status = status_in(unmarked(found.rest).strip()) or status_in(found.label)
    return {
        "title": title + ("?" if found.title.rstrip(' ”"').endswith("?") else ""),
        "kind": kind,
        "authors": authors,
        **date_fields(found),
        **venue(found, kind),
        **identifiers(text),
        **({"status": status} if status else {}),
        "rest": [*remainder(found), *marked],
    }


def citation(text: str) -> Citation | None:
    text, label, year = without_label(text)
    if quoted := QUOTED.search(text):
        title = quoted[1] or quoted[2] or quoted[3]
        before, after = text[: quoted.start()], text[quoted.end() :]
        is_whole = re.match(r"\W*(?:[,.;:(\[*_]|[Ii]n\b|[A-Z\d]|$)", after) and not DASHED.match(
            after
        )
        return (
            Citation(before, title, after, label, year)
            if before.strip(" *_") and is_whole
            else None
        )
    for link in LINK.finditer(text):
        if len(link[1].split()) > 3:
            before = text[: link.start()]
            if authors_in(unmarked(before)):
                return Citation(before, link[1], text[link.end() :], label, year)
    if found := APA.fullmatch(text):
        return Citation(found["authors"], found["title"], found["rest"], label, found["year"])
    for stop in islice(FULL_STOP.finditer(text[:5000]), MOST_STOPS):
        found, authors = SENTENCE.match(text, stop.end()), text[: stop.start()]
        if found and authors_in(unmarked(authors)):
            return Citation(authors, found["title"], found["rest"], label, year)
    return between_commas(text, label, year)


def without_label(text: str) -> tuple[str, str, str]:
    """Splits off a venue before the authors: `NSDI 2022 John Thorpe, …`."""
    if found := SHORT_LABEL.match(text):
        return text[found.end() :], found[2], ""
    bare = text.lstrip("*_ ")
    if found := LABEL.match(re.sub(r"^([^*]{0,40})\*\*\s*", r"\1 ", bare)):
        plain = unmarked(text)
        again = LABEL.match(plain)
        if again:
            return plain[again.end() :], again[1].strip(), again[2]
    return text, "", ""


def between_commas(text: str, label: str, year: str) -> Citation | None:
    """Parses `Ada Lindqvist, Mira Sand, How Sand Moves, In Rivers, May 2019`."""
    plain = unmarked(text)
    parted = IN.split(plain, maxsplit=1)
    if len(parted) != 2:
        return None
    before, rest = parted
    parts = re.split(r",\s+", before)
    count = next((at for at, part in enumerate(parts) if not starts_name(part)), len(parts))
    last = parts[count - 1] if count else ""
    is_last = " and " in last or last.startswith("and ")
    title = ", ".join(parts[count:])
    if (
        not count
        or not title
        or (not is_last and len(parts[count].split()) < 4 and ":" not in parts[count])
    ):
        return None
    return Citation(", ".join(parts[:count]), title, f"In {rest}", label, year)


def starts_name(part: str) -> bool:
    return all(map(is_name, re.split(r"\s+and\s+", part.removeprefix("and ").strip(" *†"))))


def kind_of(text: str) -> str:
    """The kind of a work, from the words after its title."""
    for kind, words in WORDS.items():
        if re.search(rf"(?<!\w)(?:{words})(?!\w)", text, re.IGNORECASE):
            return kind
    if VOLUME.search(text) and not re.match(r"\W*in\b", text, re.IGNORECASE):
        return "journal"
    return "conference" if EDITION_OF.match(text) else ""


def date_fields(found: Citation) -> Fields:
    spans = [span for span in date_spans(unmarked(found.rest)) if not span.end and not span.others]
    years = {span.year for span in spans} | ({found.year} if found.year else set())
    if len(years) > 1:  # ambiguous
        return {}
    dated = [span.start for span in spans if len(span.start) > 4 and span.start[0].isdigit()]
    if dated:
        return {"date": dated[-1]}
    return {"year": years.pop()} if years else {}


def venue(found: Citation, kind: str) -> Fields:
    """The journal or conference, if its name is clear, with volume, issue and pages."""
    rest, more = found.rest, Fields()
    if pages := PAGES.search(unmarked(rest)):
        groups = [each for each in pages.groups() if each]
        more["pages"] = f"{groups[0]}-{groups[1]}"
    if (volume := VOLUME.search(unmarked(rest))) and kind == "journal":
        more["volume"], more["issue"] = volume[1] or volume[3], volume[2] or volume[4]
    field = CONTAINER.get(kind)
    name = venue_name(rest) or found.label
    if field and name:
        more[field] = name
    return {key: value for key, value in more.items() if value}


def venue_name(rest: str) -> str:
    if italic := ITALIC.search(rest):
        return tidy(italic[1])
    text = ADDRESS.sub("", DOI.sub("", BRACKETS.sub("", unmarked(rest)))).strip(" ,.;")
    text = PAGES.sub("", text)
    for span in reversed(date_spans(text)):
        text = text[: span.at[0]].rstrip(" ,.;") + "," + text[span.at[1] :]
    parts = [
        part.strip(" .") for part in re.split(r",\s*", VOLUME.sub("", text)) if part.strip(" .")
    ]
    while len(parts) > 1 and (is_place(", ".join(parts[-2:])) or is_place(parts[-1])):
        parts = parts[:-2] if is_place(", ".join(parts[-2:])) else parts[:-1]
    name = parts[0] if len(parts) == 1 else ""
    return tidy(name) if "." not in name.strip(".") and len(name) < 160 else ""


def remainder(found: Citation) -> list[str]:
    """The texts in brackets after the title, except short names of the venue and dates."""
    texts = [each.strip(" ()[]") for each in BRACKETS.findall(unmarked(found.rest))]
    return [each for each in texts if " " in each and not date_spans(each) and each[0] != "/"]


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
