"""Converts entries of a .bib file: names, dates, numbers and text of BibLaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from kg.advice.several_names import INITIALS_FIRST, PARTICLES, is_full
from kg.errors import Problem, fix
from kg.facts.bibliography.bibliographies import BibliographyFormat, WorkRow
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.models.publications import KINDS
from kg.facts.values import dates
from kg.facts.yaml.reader import UNPRINTABLE, Unreadable, decode, problem
from kg.facts.yaml.rows import Rows, place_of
from kg.plugins.bibliography.bibtex import MIN_SIMILARITY, RULE, BibReader
from kg.plugins.bibliography.latex import Latex, unescaped
from kg.plugins.bibliography.venue_kinds import REPOSITORY, arxiv_number
from kg.plugins.bibliography.venue_titles import kind_at
from kg.plugins.bibliography.work_records import (
    GENRES,
    NO_THESIS,
    STATUSES,
    FieldValue,
    WorkRecord,
    full_name,
    read_status,
    settle_server,
    settle_thesis,
    shaped,
    signature,
    works_in,
)
from kg.text import months
from kg.text.nearest import alike, differing_letters
from kg.text.person_names import ARTICLE, BEHALF, groups_in, in_order, is_group, on_behalf

PEOPLE = ("authors", "editors", "translators")
VERBATIM = ("doi", "url", "pdf", "code", "slides", "poster", "video", "pmid", "pmcid")
FILES = ("pdf", "slides", "poster")
TITLES = ("title", "subtitle")
DATED = ("year", "date")
VENUES = ("journal", "journaltitle", "booktitle", "publisher")
COMMENT = re.compile(r"^\s*(?:%|@comment\s*\{)(.*)", re.IGNORECASE | re.MULTILINE)
# A conference as the journal of an article.
YEARLY = re.compile(
    r"\bworkshop\b|\b(?:conference|symposium) on\b"
    r"|proc(?:eedings|\.)?\s.*(?:\b(?:19|20)\d\d|\d(?:st|nd|rd|th))\b",
    re.I,
)
TITLES_OF_PLACES = ("journaltitle", "journal", "booktitle")
PLACES = (*TITLES_OF_PLACES, "publisher", "institution", "organization")
NUMBERED = ("eprint", "arxiv", *PLACES, "volume", "pages", "eid", "number")
OF_ISSUE = {  # fields of a periodical, whose title is that of the journal
    "title": "journaltitle",
    "subtitle": "journalsubtitle",
    "issuetitle": "title",
    "issuesubtitle": "subtitle",
}
OF_ARTICLE = {"volume", "number", "issn", "doi"}  # fields of an article without its journal
ARXIV_MONTH = re.compile(r"\d{4}\.")
UNUSED = ("opt", "alt")  # what editors put before fields that are left empty
OTHERS = re.compile(r"\s+and\s+(?:others|et\.? al\.?)\s*$", re.IGNORECASE)
INITIALS = re.compile(r"\s*(?:[^\W\d_][.]?[\s-]*){1,3}")
KEPT_TOGETHER = re.compile(r"[^{}]\s+\{(\w[^{}\\]*\s[^{}]*)\}\s*$")  # Juan {Calderon Lopez}
EMPHASIS = re.compile(r"</?(?:[bi]|sub)>")
UNDERLINED = re.compile(r"</?(?:[ubi]|em|strong)>")  # a name on pages
DEGREES = {
    "phdthesis": "Ph.D.",
    "mastersthesis": "Master's",
    "mathesis": "Master's",
    "bathesis": "Bachelor's",
}
LANGUAGES = {
    **dict.fromkeys(("american", "usenglish", "british", "ukenglish", "canadian"), "English"),
    **dict.fromkeys(("ngerman", "austrian", "naustrian", "nswissgerman"), "German"),
    **dict.fromkeys(("nynorsk", "bokmal", "norsk"), "Norwegian"),
    **dict.fromkeys(("brazilian", "portuges", "brazil"), "Portuguese"),
    **dict.fromkeys(("francais", "acadian", "canadien"), "French"),
}
# kind -> more specific kinds that `entrysubtype` or a note can give
SUBTYPES = {
    "journal": ("magazine", "newspaper", "editorial", "review"),
    "conference": ("workshop", "poster", "abstract"),
    "book": ("translation",),
    "report": ("working-paper",),
    "artwork": ("map",),
    "website": ("blog", "preprint"),
    "other": KINDS,
}
SHOWN = re.compile(r"(?P<poster>poster)|talk|presentation|lecture|seminar|keynote|vortrag")
WORDS = {"degree": DEGREES, "language": LANGUAGES}
SEASON_NAMES = {number: name for name, number in dates.SEASONS.items() if name != "fall"}


class BibFile:
    """One .bib file."""

    def __init__(self, file: str, text: str) -> None:
        self.table = correspondence("biblatex")
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        types = (*self.table.types, *self.table.types_not_taken, *DEGREES)
        self.file, self.reader = file, BibReader(file, UNPRINTABLE.sub(" ", lines), types)
        self.near: dict[str, str] = {}  # unknown field -> the field that is meant
        self.misspelt: dict[str, list[WorkRecord]] = {}  # unknown field -> records that have it
        self.problems = self.reader.problems
        self.report_missing_entries(lines, types)
        self.legend = " ".join(COMMENT.findall(lines))  # can explain marks of authors
        if found := UNPRINTABLE.search(lines):
            message = f"The character U+{ord(found[0]):04X} is not allowed in web pages. Remove it."
            spot = self.reader.spot(found.start())
            self.problems.append(problem(file, spot, message, "encoding"))

    def report_missing_entries(self, text: str, types: Iterable[str]) -> None:
        """Reports a file without entries, and entries without '@', which are comments in BibTeX."""
        start = "An entry starts with '@', its type and its key"
        if not text.strip():
            message = "This file is empty. Add entries, or delete it."
            self.problems.append(problem(self.file, (0, 0), message, "empty-file"))
        elif "@" not in text:
            message = f"There are no entries in this file. {start}: @article{{ek2020, …}}."
            self.problems.append(Problem(place_of(self.file, (0, 0)), "warning", message, RULE))
        else:
            for found in re.finditer(rf"(?im)^[ \t]*({'|'.join(types)})\s*\{{\s*[^\s,=]+,$", text):
                place = place_of(self.file, self.reader.spot(found.start(1)))
                message = f"{start}. Write '@{found[1]}'."
                self.problems.append(Problem(place, "warning", message, RULE))

    def warn(self, record: WorkRecord, name: str, message: str) -> None:
        place = place_of(self.file, record.fields[name].at)
        self.problems.append(Problem(place, "warning", f"{record.key}: {message}", RULE))

    def records(self) -> Iterator[WorkRecord]:
        for record in self.reader.entries():
            for name, written in [*record.fields.items()]:
                if meant := self.field_meant(name):
                    self.misspelt.setdefault(name, []).append(record)
                    record.fields.setdefault(meant, written)
            fields, typed = record.fields, FieldValue(record.type, record.at, record.at)
            if record.type in DEGREES:
                fields.setdefault("type", typed)
            if "note" in fields:
                self.read_note(fields)
            if self.table.types.get(record.type, "other") == "other":
                settle_shown(record)
            if "collaboration" in fields:
                add_collaborations(record)
            read_status(fields, "pubstate", DATED, VENUES)
            record.legend = self.legend
            yield record
        for name, records in self.misspelt.items():
            place = place_of(self.file, records[0].fields[name].name_at)
            more = f" {len(records)} entries have it." if len(records) > 1 else ""
            message = (
                f"{records[0].key}: unknown field '{name}'. Did you mean "
                f"'{self.field_meant(name)}'? It is read as that.{more}"
            )
            remedy = fix(name, self.field_meant(name)) if len(records) == 1 else None
            self.problems.append(Problem(place, "warning", message, "unknown-field", fix=remedy))

    def field_meant(self, name: str) -> str:
        """The known field that a misspelt one is close to; names such as `url2` are not
        misspelt.
        """
        if name not in self.near:
            is_known = name in self.table.fields or name in self.table.not_taken
            is_own = is_known or name[-1].isdigit() or name.startswith(UNUSED)
            known = [] if is_own else [*self.table.fields]
            near = alike(name, known, most=1, cutoff=MIN_SIMILARITY)
            near += (each for each in known if are_swapped(name, each))
            self.near[name] = next(iter(near), "")
        return self.near[name]

    @staticmethod
    def read_note(fields: dict[str, FieldValue]) -> None:
        """Splits a note that only states the kind or status: `Workshop paper, to appear`."""
        note = fields["note"]
        parts = [part.strip().lower().replace("-", " ") for part in note.value.split(",")]
        if not all(part in GENRES or part in STATUSES for part in parts):
            return
        del fields["note"]
        for part in parts:
            name = "entrysubtype" if part in GENRES else "pubstate"
            fields.setdefault(name, note._replace(value=GENRES.get(part, part)))

    def kind(self, record: WorkRecord, kind: str) -> str:
        """The kind of a record: recognizes preprint servers written as journals, and fields that
        are more specific than the type.
        """
        fields = record.fields
        if settle_server(record, PLACES, NUMBERED, "arxiv"):
            return "preprint"
        if kind in NO_THESIS and settle_thesis(fields, TITLES_OF_PLACES, "type", "school"):
            return "thesis"
        journal = fields.get("journaltitle") or fields.get("journal")
        container = journal or fields.get("booktitle")
        if kind == "journal" and container and YEARLY.search(container.value):
            fields["booktitle"] = fields.pop("journal", container)
            kind = "conference"
        elif kind == "journal" and container and not journal:
            fields["journal"] = fields.pop("booktitle")
        if kind == "journal" and not container and not (fields.keys() & OF_ARTICLE):
            kind = "other"
        if kind == "journal" and container and REPOSITORY.fullmatch(container.value.strip("{} ")):
            kind = "other"
            fields.setdefault("publisher", fields.pop("journal", container))
        if kind == "special-issue" and "issuetitle" in fields and not journal:
            for theirs, ours in OF_ISSUE.items():
                fields |= {ours: fields.pop(theirs)} if theirs in fields else {}
        if kind in ("other", "website", "working-paper") and self.is_on_arxiv(record):
            return "journal" if journal and "volume" in fields else "preprint"
        subtype = fields["entrysubtype"].value.strip().lower() if "entrysubtype" in fields else ""
        if subtype in SUBTYPES.get(kind, ()):
            record.taken.add("entrysubtype")
            if kind == "other" and subtype in ("conference", "book-chapter") and journal:
                fields.setdefault("booktitle", fields.pop("journal", journal))
            return subtype
        if kind == "book" and "author" not in fields and "editor" in fields:
            return "edited-book"
        booktitle = fields.get("booktitle")
        return kind_at(kind, booktitle.value if booktitle else "")

    def is_on_arxiv(self, record: WorkRecord) -> bool:
        fields = record.fields
        stated = [fields[name].value for name in ("eprinttype", "archiveprefix") if name in fields]
        eprint = fields["eprint"].value if "eprint" in fields else ""
        if stated:
            return stated[0].strip().lower() == "arxiv" and bool(eprint)
        return bool(re.fullmatch(r"\s*(arxiv:)?\d{4}\.\d{4,5}(v\d+)?\s*", eprint, re.IGNORECASE))

    def value(self, path: str, record: WorkRecord, name: str) -> Any:
        written, last = record.fields[name], path.rpartition(".")[2]
        if last in PEOPLE:
            people = [*self.people(record, name)]
            named = [person(each) for each in people]
            # Some programs put every name, or one that is underlined, in braces.
            is_habit = len(people) > 1 and all(map(is_braced, people)) and all(map(is_full, named))
            is_habit = is_habit or bool(UNDERLINED.search(written.value))
            signed = [
                signature(
                    *(each, written.at, self.file, record, family_of(raw)),
                    is_whole=is_braced(raw) and not is_habit,
                )
                for raw, each in zip(people, named, strict=True)
            ]
            return Rows.at(written.at, filter(None, signed))
        if last in ("date", "year"):
            return self.date(record, name)
        if last == "arxiv":
            taken = name in ("arxiv", "arxivid") or (name == "eprint" and self.is_on_arxiv(record))
            return arxiv_number(written.value) if taken else None
        if last in VERBATIM:
            return verbatim(name, written.value)
        text = self.text(record, name, tags=last in TITLES)
        if last in WORDS:
            text = WORDS[last].get(text.lower(), text)
        return shaped(last, text, written.at)

    def text(self, record: WorkRecord, name: str, tags: bool = False) -> str:
        written = record.fields[name]
        latex = Latex(written.value, tags)
        text = latex.decode()
        for command in dict.fromkeys(latex.unknown):
            message = (
                f"{record.key}: unknown command \\{command} in '{name}'; it is left out. Write "
                "the character instead."
            )
            place = place_of(self.file, written.at)
            self.problems.append(Problem(place, "warning", message, "bibliography"))
        return text

    def people(self, record: WorkRecord, name: str) -> Iterator[str]:
        people = split(UNDERLINED.sub("", record.fields[name].value), r"\s+and\s+")
        parts = split(people[0], ",")
        named = [one for each in people for one in several(each, people)]
        if len(named) > len([*filter(str.strip, people)]):
            people = named
            names = " and ".join(" ".join(each.split()) for each in named)
            self.warn(record, name, f"names are joined by ' and '. Write '{names}'.")
        elif any(may_be_several(each, people) for each in people):
            advice = "Write ' and ' between two names, or all names as 'Last, First'."
            self.warn(record, name, f"it is unclear whether a comma divides two names. {advice}")
        elif len(parts) > 3 and len(parts) % 2 == 0 and all(map(INITIALS.fullmatch, parts[1::2])):
            pairs = zip(parts[::2], parts[1::2], strict=True)
            people = [*(f"{last.strip()}, {first.strip()}" for last, first in pairs), *people[1:]]
            message = f"names are joined by ' and '. Write '{' and '.join(people)}'."
            self.warn(record, name, message)
        for each in filter(str.strip, people):
            if is_braced(each):
                bare = each.strip("{} \n")
                groups = groups_in(bare)
                yield from [each] if groups == [bare] else (f"{{{group}}}" for group in groups)
            else:
                one, *groups = on_behalf(each)
                yield from (one, *(f"{{{group}}}" for group in groups))

    def date(self, record: WorkRecord, name: str) -> str | None:
        """Converts `date`, `year`, or `year` with `month` and `day`."""
        text = self.text(record, name)
        if name == "date":
            start = text.partition("/")[0].strip("~?% ")
            year, _, part = start.partition("-")
            return f"{SEASON_NAMES[part]} {year}" if part in SEASON_NAMES else start
        if name == "day":
            return None  # `month` includes it
        year = self.text(record, "year") if "year" in record.fields else ""
        if name == "year":
            found = re.search(r"(?<!\d)[12]\d{3}(?!\d)", year)
            return found[0] if found else year
        number = arxiv_number(self.text(record, "eprint")) if self.is_on_arxiv(record) else ""
        year = year or (f"20{number[:2]}" if ARXIV_MONTH.match(number) else "")
        month = int(text) if text.isdigit() else months.number_of(text)
        if text.isdigit() and not 1 <= month <= 12:
            self.warn(record, name, f"{text} is no month. Write 1 to 12, or a name such as mar.")
        elif text.isalpha() and (near := misspelt_month(text)):
            self.warn(record, name, f"{text} is no month. Did you mean {near}?")
        day = self.text(record, "day") if "day" in record.fields else ""
        whole = f"{year}-{month:02}" + (f"-{int(day):02}" if day.isdigit() else "")
        return whole if month and dates.read(whole) else None


def settle_shown(record: WorkRecord) -> None:
    """Reads that a work was a poster or a talk, whose host is no publisher."""
    fields = record.fields
    written = fields.get("entrysubtype")
    found = SHOWN.search(str(written.value).lower()) if written else None
    if written is None or not found:
        return
    if host := fields.pop("organization", None):
        fields.setdefault("addendum", host)
    if found["poster"]:
        fields["entrysubtype"] = written._replace(value="poster")
    else:
        fields["type"] = written._replace(value="Talk")
        record.taken.add("entrysubtype")


def several(text: str, people: list[str]) -> list[str]:
    """The names in a part of a list, whose commas divide whole names: `P. Alder, Q. Birch`.

    `Calderon Lopez, Juan Carlos` is one, unless the list is `Ada Berg, Bo Ek and Ida Lind`, or a
    comma is before its ' and '.
    """
    parts = split(text, ",")
    names = [each for part in parts if (each := part.strip())]
    if len(people) == 1 and len(names) > 2 and all(len(each.split()) > 1 for each in names):
        return names  # in `Last, Jr, First` a part is one word
    is_list = len(people) == 2 and all(map(is_two_words, (*people[1:], *names)))
    is_list = is_list or len(names) > 2 or not parts[-1].strip()
    is_list = is_list or bool(INITIALS_FIRST.fullmatch(decoded_name(names[0] if names else "")))
    return names if is_list and all(map(is_whole, names)) else [text] if names else []


def may_be_several(text: str, people: list[str]) -> bool:
    """Whether a comma is between what may be two names, in a list with a name without a comma."""
    names = split(text, ",")
    return len(names) == 2 and all(map(is_whole, names)) and any(map(is_whole, people))


def is_whole(name: str) -> bool:
    """`Ada Berg`, `A. Berg`; `van Berg` is a family name, `A. B.` and `Ada B.` are given ones."""
    words = decoded_name(name).split()
    is_part = "," in name or {*words[:1]} & PARTICLES or name.strip().endswith(".")
    return not is_part and is_full(" ".join(words))


def is_two_words(name: str) -> bool:
    return len(name.split()) == 2 and is_whole(name)


def add_collaborations(record: WorkRecord) -> None:
    """Adds the organisations of `collaboration = {ATLAS}` to the authors, before `others`."""
    fields = record.fields
    text = BEHALF.sub("", fields["collaboration"].value).strip()
    names = split(text[1:-1] if is_braced(text) else text, r",|\s+and\s+")
    groups = (each for name in names if (each := bare_group(name)))
    named = (each if is_group(each) else f"{each} Collaboration" for each in groups)
    signed = fields.get("author", fields["collaboration"]._replace(value=""))
    first, others = OTHERS.subn("", signed.value)
    people = [each for each in split(first, r"\s+and\s+") if each.strip()]
    known = {
        bare_group(group).lower()
        for each in people
        for name in on_behalf(re.sub("[{}]", "", each))
        for group in groups_in(name)
    }
    new = [f"{{{each}}}" for each in dict.fromkeys(named) if each.lower() not in known]
    value = " and ".join([*people, *new, *["others"] * others])
    fields["author"] = signed._replace(value=value)
    record.taken.add("collaboration")


def bare_group(name: str) -> str:
    """`the {CMS} Collaborations` -> `CMS Collaboration`"""
    bare = ARTICLE.sub("", " ".join(re.sub("[{}]", "", name).split()))
    return bare.removesuffix("s") if is_group(bare) else bare


def are_swapped(one: str, other: str) -> bool:
    """Whether two words differ in the order of two neighbouring letters."""
    return sorted(one) == sorted(other) and differing_letters(one, other) == 1


def misspelt_month(text: str) -> str:
    """The month that a misspelt name is close to; empty if it is a name or abbreviation of one."""
    known = [name for line in months.names() for name in line]
    if any(name.lower().startswith(text.lower()) for name in known):
        return ""
    return next(iter(alike(text.capitalize(), known, most=1, cutoff=MIN_SIMILARITY)), "")


def verbatim(name: str, written: str) -> str | None:
    """An address, identifier or file name; None if `howpublished` is something else. Blanks inside
    an address are removed, and between two addresses stay.
    """
    between = " " if name in FILES and "://" not in written else ""
    several = re.split(r"\s+(?=https?://)", written.strip())
    bare = " ".join(unescaped(each, between) for each in several)
    if name == "howpublished" and not bare.startswith(("http://", "https://")):
        return None
    return re.sub(r"^doi:\s*", "", bare, flags=re.IGNORECASE) if name == "doi" else bare


def is_braced(name: str) -> bool:
    """Whether braces keep a name whole: `{World Health Organization}`."""
    bare = name.strip()
    return bare[:1] == "{" and split(bare, r"(?<=\})")[0] == bare and bare[-1:] == "}"


def split(text: str, separator: str) -> list[str]:
    """Splits text outside braces."""
    pieces, depth, start = list[str](), 0, 0
    for found in re.finditer(rf"[{{}}]|{separator}", text, re.IGNORECASE):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth == 0:
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]


def person(written: str) -> str:
    """`von Last, Jr, First` and `First von Last` -> `First von Last Jr`; superscripts stay as
    `<sup>` marks.
    """
    parts = [part for each in split(written, ",") if (part := " ".join(each.split()))]
    if all("=" in part for part in parts):
        named = dict(part.partition("=")[::2] for part in parts)
        ordered = (named.get(key, "") for key in ("given", "prefix", "family", "suffix"))
        return full_name(*(decoded_name(part.strip(' "')) for part in ordered))
    return in_order([*map(decoded_name, parts)])


def family_of(written: str) -> str:
    """The family name before a comma, or the words that braces keep together at the end."""
    parts = split(written, ",")
    last = parts[0] if len(parts) > 1 else "".join(KEPT_TOGETHER.findall(written))
    return " ".join(decoded_name(last).split())


def decoded_name(text: str) -> str:
    return EMPHASIS.sub("", Latex(text, tags=True).decode())


def read(file: str, data: bytes) -> tuple[list[WorkRow] | None, list[Problem]]:
    try:
        source = BibFile(file, decode(data))
    except Unreadable as error:
        return None, [problem(file, error.spot, error.message, error.rule)]
    return works_in(source), source.problems


FORMAT = BibliographyFormat(read)
