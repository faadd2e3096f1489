"""Normalises works of any format: status, names of authors and duplicates within one file.

What works say about an edition of a conference - place, dates, editors - goes to the registry of
venues, so that all its works share it.
"""

from __future__ import annotations

import re
from typing import Any

from kg.advice.several_names import NAME_SUFFIXES, ONLY_INITIALS, OTHERS, PARTICLES, is_inverted
from kg.facts.values.text import address_slug
from kg.plugins.bibliography.latex import Latex
from kg.plugins.bibliography.venue_kinds import (
    NO_PUBLISHER,
    REPOSITORY,
    SERVERS,
    arxiv_number,
    is_publisher,
    server_in,
)
from kg.plugins.bibliography.venue_titles import (
    GENERIC,
    JOURNAL_NUMBERS,
    PrintedTitle,
    read_title,
    without_distinction,
)
from kg.plugins.bibliography.work_records import (
    UNPUBLISHED,
    bare_doi,
    meaning,
    said_also,
    status_in,
    status_of_title,
    without_marks,
    year_of,
)
from kg.plugins.exchange.author_names import SIGNED
from kg.plugins.exchange.draft import MARK_REMOVED, Draft, Value, values_in, without_empty
from kg.plugins.exchange.edits.entry_matching import identifiers
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.exchange.fields import venue_fields
from kg.text.person_names import (
    ARTICLE,
    groups_in,
    in_order,
    is_group,
    on_behalf,
    unusual_family,
    without_titles,
)

NOTES = ("annotation", "summary", "abstract")
VENUE_FIELDS = ("journal", "conference", "venue", "publisher")
WHERE = (*VENUE_FIELDS[:3], "book")
LEGEND = re.compile(r"\b(?:equal|corresponding|joint|shared|co-)", re.IGNORECASE)
# In the path of a work: `sections.selected_publications[0].title`
SELECTED = re.compile(r"(?<![a-z])(?:selected|featured|representative)(?![a-z])", re.IGNORECASE)
# Fields that Zotero exports as a note, as it has no others for them.
OF_ZOTERO = re.compile(
    r"(?:(?:(?:Publisher|Place): \S[^.;:]*?|(?:Number|_eprint|ISBN|ISSN|Pages): \S+)(?:\s+|$))+"
)
# Formulas of LaTeX, but not prices.
MATHS = re.compile(
    r"\$(?=[^$]{0,80}[\\^_{]|[^\W\d_]\$|[A-Za-z]{1,2}(?:[-+/][A-Za-z]{1,2})?\$)"
    r"([^\s$](?:[^$]{0,80}[^\s$])?)\$"
)
DOI_NUMBER = re.compile(r"(?:doi:\s*)?10\.\d{4}", re.IGNORECASE)
SHOWN_NAMES = 3  # names with marks to show in the report
EDITION = "edition"  # of a work in a draft: the fields of its edition
VENUES = ("conference", "venue")
KINDS = ("conference", "workshop", "poster", "abstract")
TITLE_REMOVED = "title removed from the name of an author"
LEFT_OUT = "other authors are left out here, whose places are not known. Add their names"
OTHER_YEAR = "of another year than the work"


def tidy_works(draft: Draft, text: str) -> None:
    """Normalises the works of a draft. `text` is the file, which can explain marks of authors."""
    works = [each for each in draft.cv.get("publications", ()) if isinstance(each, dict)]
    noted = {work[name].place.line for work in works for name in NOTES if name in work}
    lines = enumerate(text.splitlines(), 1) if works else ()
    legend = " ".join(line for at, line in lines if LEGEND.search(line) and at not in noted)
    for work in works:
        settle_identifiers(draft, work)
        set_status(draft, work)
        settle_journal(work)
        if isinstance(title := work.get("title"), Value):
            work["title"] = title.with_text(MATHS.sub(decoded, title))
        numbers = f"{work.get('pages')} {work.get('doi')}"
        if isinstance(note := work.get("annotation"), Value) and (
            why := "fields of Zotero in a note"
            if OF_ZOTERO.fullmatch(note)
            else "repeats the pages or the DOI" * all(each in numbers for each in note.split())
        ):
            draft.leave([work.pop("annotation")], why)
        if isinstance(title := work.get("title"), Value) and SELECTED.search(title.path):
            work.setdefault("selected", title.with_text("true"))
    for work in (*works, *draft.entries.get("patents", {}).values()):
        notes = " ".join(str(work.get(name, "")) for name in NOTES)
        for part in SIGNED:
            if isinstance(work.get(part), list):
                tidy_names(draft, work, part, f"{notes} {legend}")
    basics = draft.cv.get("basics", {})
    if names := basics.get("alternateNames"):
        bare = (turned(name.with_text(without_marks(name)[0])) for name in names)
        basics["alternateNames"] = [*dict.fromkeys(name for name in bare if name != draft.name)]
    if isinstance(name := basics.get("name"), Value):
        basics |= {**named(name), **basics, "name": named(name)["name"]}
    join_duplicates(draft)
    list_marks_once(draft)


def settle_identifiers(draft: Draft, work: dict[str, Any]) -> None:
    """Reads the DOI from its address, and the number of a preprint from the name of its server."""
    if isinstance(url := work.get("url"), Value) and len(several := url.split()) > 1:
        first, *others = sorted(
            map(url.with_text, several), key=lambda each: bare_doi(each) == each
        )
        if bare_doi(first) != first:
            work |= {"doi": work.get("doi", first), "url": others[0]}
            draft.leave(others[1:], "'url' takes only one value")
    for name in ("doi", "url"):
        value = work.get(name)
        if isinstance(value, Value) and (doi := bare_doi(value)) != value:
            del work[name]
            written = work.get("doi")
            if isinstance(written, Value) and not DOI_NUMBER.match(written):
                draft.leave([work.pop("doi")], "not a DOI")
            if str(work.setdefault("doi", value.with_text(doi))).lower() != doi.lower():
                draft.leave([value], "the work has another DOI")
    if str(work.get("publisher", "")).strip(" .()").lower() == "preprint":
        work |= {"kind": work.pop("publisher").with_text("preprint")}
    for name in (*VENUE_FIELDS, "institution"):
        value = work.get(name)
        if not isinstance(value, Value) or not SERVERS.match(value):
            continue
        del work[name]
        server, number = server_in(value), arxiv_number(value)
        if number:
            work.setdefault("arxiv", value.with_text(number))
        if not any(each in work for each in WHERE):
            work |= {"kind": value.with_text("preprint")}
            work |= {"publisher": value.with_text(server)} if server else {}
        if not (server or "arxiv" in work or "arxiv." in str(work.get("doi")).lower()):
            draft.leave([value], "add the number of the preprint: arxiv: NUMBER")


def named(written: Value) -> dict[str, Value]:
    """A name with titles as fields: `Dr. Ada Berg, PhD`"""
    bare = without_titles(written)
    before, _, after = written.partition(bare)
    found = {"name": bare, "honorific": before.strip(" ,"), "honorificSuffix": after.strip(" ,")}
    return {name: written.with_text(text) for name, text in found.items() if text}


def settle_journal(work: dict[str, Any]) -> None:
    """Divides `Journal of Stones, 3(2)` into journal, volume and issue."""
    value = work.get("journal")
    numbers = JOURNAL_NUMBERS.fullmatch(value) if isinstance(value, Value) else None
    if isinstance(value, Value) and numbers:
        fields = {name: text for name, text in numbers.groupdict().items() if text}
        fields["issue"] = fields.pop("issue2", fields.get("issue", ""))
        stated = {name: value.with_text(text) for name, text in fields.items()}
        work |= {**stated, **work, "journal": stated["journal"]}


def decoded(formula: re.Match[str]) -> str:
    """A formula as text, or as it was written if a command is not known."""
    latex = Latex(formula[0], tags=True)
    text = latex.decode()
    return formula[0] if latex.unknown else text


def tidy_names(draft: Draft, work: dict[str, Any], part: str, legend: str) -> None:
    """Removes marks and `et al.` from names, turns `Lind, Hana`, and finds organisations."""
    found = []
    for item in work[part]:
        fields = {**item} if isinstance(item, dict) else {"as": item}
        name = fields.get("as")
        if not isinstance(name, Value):
            found.append(without_article(fields))
            continue
        bare, marks = without_marks(name)
        bare, others = OTHERS.subn("", bare)
        if others and part == "authors":
            work["moreAuthors"] = name.with_text("true")
            if item is not work[part][-1]:
                draft.leave([name], LEFT_OUT)
        meant = {mark: meaning(mark, legend) for mark in marks}
        if not all(meant.values()):
            draft.leave([name], MARK_REMOVED)
        bare, *groups = on_behalf(bare) or [""]
        if is_group(bare) or groups_in(bare)[1:]:
            groups, bare = groups_in(bare), ""
        fields["as"] = turned(name.with_text(bare))
        family = bare.partition(",")[0].strip() if fields["as"] != bare else ""
        if family := unusual_family(fields["as"], family):
            fields.setdefault("familyName", name.with_text(family))
        if without_titles(bare) != bare and not name.path.endswith("basics.name"):
            draft.leave([name], TITLE_REMOVED)
        fields |= {field: name.with_text("true") for field in meant.values() if field}
        if bare:
            found.append(fields if len(fields) > 1 else fields["as"])
        found += [without_article({"organization": name.with_text(each)}) for each in groups]
    work[part] = found


def without_article(author: dict[str, Any]) -> dict[str, Any]:
    """`The ATLAS Collaboration` is printed so, and is the ATLAS Collaboration."""
    name = author.get("organization")
    if not isinstance(name, Value) or not (article := ARTICLE.match(name)):
        return author
    return {"as": name, "organization": name.with_text(name[article.end() :])}


def turned(name: Value) -> Value:
    """`Lind, Hana` -> `Hana Lind`, unless it may be two people; without titles."""
    parts = [each for part in name.split(",") if (each := part.strip())] or [""]
    printed, bare = in_order(parts), [each for each in parts if not is_title(each)]
    words = [[each for each in part.split() if each.lower() not in PARTICLES] for part in bare]
    is_short = any(len(part) == 1 for part in words) or bool(
        ONLY_INITIALS.fullmatch("".join(bare[-1:]))
    )
    is_clear = len(bare) < 2 or (len(bare) == 2 and is_inverted(name) and is_short)
    return name.with_text(printed) if is_clear else name


def is_title(part: str) -> bool:
    return part.rstrip(".").replace(".", "").lower() in NAME_SUFFIXES


def join_duplicates(draft: Draft) -> None:
    """Joins works that a file contains twice, and lists them."""
    works, joining = draft.cv.get("publications", []), Joining()
    found, twice = joining.unique(works)
    if twice:
        draft.cv["publications"] = found
    for work, first in twice:
        there = next(iter(values_in(first.get("title"))))
        same = [f"{scheme} {name}" for scheme, name in {*identifiers(work)} & {*identifiers(first)}]
        by = f", which has the same {same[0]}" if same else ""
        draft.leave(
            [*values_in(work["title"])][:1], f"joined with the same work at {there.place}{by}"
        )
    draft.left += joining.unplaced()
    named: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for work in found:
        for pair in dict.fromkeys(identifiers(work)) if isinstance(work, dict) else ():
            named.setdefault(pair, []).append(work)
    for (scheme, _), several in named.items():
        if len(several) > 1:  # it is unknown which of the works it belongs to
            values = [work.pop(scheme) for work in several if scheme in work]
            draft.leave(values, f"{len(values)} different works have it")


def list_marks_once(draft: Draft) -> None:
    """Lists all names with unexplained marks in one line."""
    marked = [each.value for each in draft.left if each.why == MARK_REMOVED]
    if len(marked) < 2:
        return
    names = [*dict.fromkeys(map(str, marked))]
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    text = ", ".join(names[:SHOWN_NAMES]) + more
    draft.left = [each for each in draft.left if each.why != MARK_REMOVED]
    draft.leave([marked[0].with_text(text)], MARK_REMOVED)


def set_status(draft: Draft, work: dict[str, Any]) -> None:
    """Fills in the status from the venue, the end of the title in brackets, or a note.

    A work that is only submitted has no venue yet.
    """
    for name in VENUE_FIELDS:
        value = work.get(name)
        if name != "publisher" and isinstance(value, Value) and REPOSITORY.fullmatch(value):
            work.setdefault("publisher", work.pop(name))
            work |= {"kind": value.with_text("other")} if work.get("kind") == "journal" else {}
        elif isinstance(value, Value):
            found = venue_fields(name, value, work)
            if name not in found:
                del work[name]
            work |= found
            if name in found:
                read_venue(work, name, found[name])
    said = (status_in(str(work[name])) for name in NOTES if name in work)
    status = next(filter(None, (status_of_title(str(work.get("title", ""))), *said)), "")
    if status and "status" not in work:
        work["status"] = work["title"].with_text(status)
    if work.get("status") == "accepted" and {"volume", "pages"} <= work.keys():
        del work["status"]  # it has appeared since
    leave_no_venues(draft, work)


def leave_no_venues(draft: Draft, work: dict[str, Any]) -> None:
    """Removes venues that are none, or where the work has not appeared yet."""
    for name in VENUE_FIELDS:
        value = work.get(name)
        if not isinstance(value, Value):
            continue
        if NO_PUBLISHER.fullmatch(value) or (name == "publisher" and not is_publisher(value)):
            draft.leave(
                [work.pop(name)], f"no name of a {'publisher' if name == 'publisher' else 'venue'}"
            )
        elif name in VENUES and GENERIC.fullmatch(value):
            work["annotation"] = value.with_text(said_also(work, work.pop(name)))
        elif name != "publisher" and work.get("status") in UNPUBLISHED:
            draft.leave([work.pop(name)], f"not published there; the work is {work['status']}")


def edition_fields(title: PrintedTitle, value: Value, year: str) -> dict[str, Any]:
    """The fields of an edition from its printed title."""
    days = (title.date, title.end)
    date, end = (
        value.with_text(each if each[:4].isdigit() else f"{year}-{each}") if each and year else None
        for each in days
    )
    host = {"venue": value.with_text(title.host), "year": value.with_text(year)}
    return without_empty(
        {
            "name": value.with_text(f"{title.edition} {year}") if title.edition and year else None,
            "date": date,
            "endDate": end,
            "location": value.with_text(title.location) if title.location else None,
            "host": host if title.host and year else None,
        }
    )


def read_venue(work: dict[str, Any], name: str, value: Value) -> None:
    """Divides a printed title in a work of any format into series, edition and award."""
    _, award, remark = without_distinction(value)
    title = read_title(value, year_of(work))
    is_meeting = work.get("kind") in KINDS or (name == "venue" and title.year)
    if not is_meeting or title == PrintedTitle(value):
        return
    work[name] = value.with_text(title.name)
    if award:
        work.setdefault("awards", []).append(value.with_text(award))
    elif remark and "annotation" not in work:
        work["annotation"] = value.with_text(remark)
    if title.year:
        date_edition(work, value.with_text(title.year))
    if fields := edition_fields(title, value, year_of(work)):
        work[EDITION] = {**fields, **work.get(EDITION, {})}


def date_edition(work: dict[str, Any], year: Value) -> None:
    """Sets the year of the edition; another year or day is that of the publication."""
    if year_of(work) != year:
        work |= {"date": work["year"]} if "year" in work and "date" not in work else {}
        work["year"] = year


def place_editions(draft: Draft) -> None:
    """Moves the editions of all works to the registry; lists those of another or no year."""
    joining = Joining()
    venues = draft.entries.setdefault("venues", {})
    for work in draft.cv.get("publications", ()):
        fields = work.pop(EDITION, None) if isinstance(work, dict) else None
        if not fields:
            continue
        name = next((each for each in VENUES if isinstance(work.get(each), Value)), "")
        year = year_of(work)
        if not (name and year and str(fields.get("date", year)).startswith(year)):
            draft.leave(values_in(fields), OTHER_YEAR if name and year else "no known edition")
            continue
        printed = work[name]
        entry = {
            "name": printed,
            "kind": printed.with_text(
                "workshop" if work.get("kind") == "workshop" else "conference"
            ),
            "editions": {year: fields},
        }
        key = address_slug(printed)
        venues[key] = joining.fields(venues[key], entry) if key in venues else entry
    draft.left += joining.unplaced()
    if not venues:
        del draft.entries["venues"]
