"""Records of a .bib file: names, dates, numbers and texts of BibLaTeX in our words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.facts.bibliography.bibtex import NEAR, BibReader
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.bibliography.latex import Latex, unescaped
from kg.facts.bibliography.work_records import (
    GENRES,
    SERVERS,
    STATES,
    FieldValue,
    WorkRecord,
    arxiv_number,
    full_name,
    read_state,
    shaped,
    signature,
)
from kg.facts.models.publications import KINDS
from kg.facts.values import dates
from kg.facts.yaml.reader import UNPRINTABLE, problem
from kg.facts.yaml.rows import Rows, place_of
from kg.text import months
from kg.text.nearest import alike

PEOPLE = ("authors", "editors", "translators")
VERBATIM = ("doi", "url", "pdf", "code", "slides", "poster", "video", "pmid", "pmcid")
FILES = ("pdf", "slides", "poster")
TITLES = ("title", "subtitle")
DATED = ("year", "date")
VENUES = ("journal", "journaltitle", "booktitle", "publisher")
EMPHASIS = re.compile(r"</?(?:i|b|sub)>")
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
# what `entrysubtype` or a note may make of a kind
SUBTYPES = {
    "journal": ("magazine", "newspaper", "editorial", "review"),
    "conference": ("workshop", "poster", "abstract"),
    "book": ("translation",),
    "report": ("working-paper",),
    "artwork": ("map",),
    "website": ("blog", "preprint"),
    "other": KINDS,
}
WORDS = {"degree": DEGREES, "language": LANGUAGES}
SEASON_NAMES = {number: name for name, number in dates.SEASONS.items() if name != "fall"}


class BibFile:
    """One .bib file."""

    def __init__(self, file: str, text: str) -> None:
        self.table = correspondence("biblatex")
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        types = (*self.table.types, *self.table.types_not_taken, *DEGREES)
        self.file, self.reader = file, BibReader(file, UNPRINTABLE.sub(" ", lines), types)
        self.near: dict[str, str] = {}  # by a field, the one that is meant
        self.misspelt: dict[str, list[WorkRecord]] = {}  # the records that have a field
        self.problems = self.reader.problems
        if found := UNPRINTABLE.search(lines):
            message = f"The character U+{ord(found[0]):04X} can stand in no page. Remove it."
            spot = self.reader.spot(found.start())
            self.problems.append(problem(file, spot, message, "encoding"))

    def records(self) -> Iterator[WorkRecord]:
        for record in self.reader.entries():
            for name in record.fields:
                if self.field_meant(name):
                    self.misspelt.setdefault(name, []).append(record)
            fields, typed = record.fields, FieldValue(record.type, record.at, record.at)
            if record.type in DEGREES:
                fields.setdefault("type", typed)
            if "note" in fields:
                self.read_note(fields)
            read_state(fields, "pubstate", DATED, VENUES)
            yield record
        for name, records in self.misspelt.items():
            place = place_of(self.file, records[0].fields[name].name_at)
            more = f" {len(records)} entries have it." if len(records) > 1 else ""
            message = (
                f"{records[0].key}: there is no field '{name}'. Did you mean "
                f"'{self.field_meant(name)}'?{more}"
            )
            self.problems.append(Problem(place, "warning", message, "unknown-field"))

    def field_meant(self, name: str) -> str:
        """The field that an unknown one is near to; `url2` and the like are meant so."""
        if name not in self.near:
            is_known = name in self.table.fields or name in self.table.not_taken
            is_own = is_known or name[-1].isdigit()
            near = [] if is_own else alike(name, self.table.fields, most=1, cutoff=NEAR)
            self.near[name] = next(iter(near), "")
        return self.near[name]

    @staticmethod
    def read_note(fields: dict[str, FieldValue]) -> None:
        """A note often says no more than the kind or the state: `Workshop paper, to appear`."""
        note = fields["note"]
        parts = [part.strip().lower() for part in note.value.split(",")]
        if not all(part in GENRES or part in STATES for part in parts):
            return
        del fields["note"]
        for part in parts:
            name = "entrysubtype" if part in GENRES else "pubstate"
            fields.setdefault(name, note._replace(value=GENRES.get(part, part)))

    def kind(self, record: WorkRecord, kind: str) -> str:
        """Repositories of preprints are often written as journals; and some types say less than
        their fields do.
        """
        fields = record.fields
        journal = fields.get("journaltitle") or fields.get("journal")
        if journal and SERVERS.match(journal.value):
            said = ("eprint", "journaltitle", "journal", "volume", "pages")
            numbers = (arxiv_number(fields[name].value) for name in said if name in fields)
            number = next(filter(None, numbers), "")
            for name in ("journaltitle", "journal", "volume", "number", "pages"):
                fields.pop(name, None)
            if number:
                fields["arxiv"] = journal._replace(value=number)
            else:
                fields.setdefault("organization", journal)
            return "preprint"
        if kind in ("other", "website", "working-paper") and self.is_on_arxiv(record):
            return "preprint"
        subtype = fields["entrysubtype"].value.strip().lower() if "entrysubtype" in fields else ""
        if subtype in SUBTYPES.get(kind, ()):
            return subtype
        if kind == "book" and "author" not in fields and "editor" in fields:
            return "edited-book"
        return kind

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
            people = self.people(record, name)
            signed = (signature(each, written.at, self.file, record) for each in people)
            return Rows.at(written.at, signed)
        if last in ("date", "year"):
            return self.date(record, name)
        if last == "arxiv":
            taken = name == "arxiv" or (name == "eprint" and self.is_on_arxiv(record))
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
                f"{record.key}: the command \\{command} in '{name}' is not known here and is left "
                "out. Write the character itself."
            )
            place = place_of(self.file, written.at)
            self.problems.append(Problem(place, "warning", message, "bibliography"))
        return text

    def people(self, record: WorkRecord, name: str) -> Iterator[str]:
        for each in split(record.fields[name].value, r"\s+and\s+"):
            if each.strip().lower() not in ("", "others"):
                yield person(each)

    def date(self, record: WorkRecord, name: str) -> str | None:
        """`date` as far as it can be said, `year`, or that with `month` and `day`."""
        text = self.text(record, name)
        if name == "date":
            start = text.partition("/")[0].strip("~?% ")
            year, _, part = start.partition("-")
            return f"{SEASON_NAMES[part]} {year}" if part in SEASON_NAMES else start
        if name == "day":
            return None  # `month` has taken it
        year = self.text(record, "year") if "year" in record.fields else ""
        if name == "year":
            found = re.search(r"(?<!\d)[12]\d{3}(?!\d)", year)
            return found[0] if found else year
        month = int(text) if text.isdigit() else months.number_of(text)
        day = self.text(record, "day") if "day" in record.fields else ""
        whole = f"{year}-{month:02}" + (f"-{int(day):02}" if day.isdigit() else "")
        return whole if month and dates.read(whole) else None


def verbatim(name: str, written: str) -> str | None:
    """An address, a number or the name of a file; `howpublished` may be anything."""
    is_file = name in FILES and "://" not in written
    bare = unescaped(written, " " if is_file else "")
    if name == "howpublished" and not bare.startswith(("http://", "https://")):
        return None
    return re.sub(r"^doi:\s*", "", bare, flags=re.IGNORECASE) if name == "doi" else bare


def split(text: str, separator: str) -> list[str]:
    """The pieces of a text; what is in braces is not looked at."""
    pieces, depth, start = list[str](), 0, 0
    for found in re.finditer(rf"[{{}}]|{separator}", text, re.IGNORECASE):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth == 0:
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]


def person(written: str) -> str:
    """`von Last, Jr, First` and `First von Last` as `First von Last Jr`; what is raised stays in
    `<sup>`, as it is a mark.
    """
    parts = [" ".join(part.split()) for part in split(written, ",")]
    if all("=" in part for part in parts):
        named = dict(part.partition("=")[::2] for part in parts)
        ordered = (named.get(key, "") for key in ("given", "prefix", "family", "suffix"))
        return full_name(*(decoded_name(part.strip(' "')) for part in ordered))
    last, *rest = map(decoded_name, parts)
    suffix, given = (rest[0] if len(rest) > 1 else ""), (rest[-1] if rest else "")
    return full_name(given, "", last, suffix)


def decoded_name(text: str) -> str:
    return EMPHASIS.sub("", Latex(text, tags=True).decode())
