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
from kg.plugins.bibliography.venue_titles import PrintedTitle, read_title, without_distinction
from kg.plugins.bibliography.work_records import (
    SERVERS,
    UNPUBLISHED,
    meaning,
    status_in,
    without_marks,
)
from kg.plugins.exchange.author_names import SIGNED
from kg.plugins.exchange.draft import MARK_REMOVED, Draft, Value, values_in, without_empty
from kg.plugins.exchange.edits.entry_matching import identifiers
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.exchange.fields import venue_fields
from kg.text.person_names import ARTICLE, is_group, on_behalf

NOTES = ("annotation", "summary", "abstract")
REPOSITORY = re.compile(r"zenodo|figshare|dryad|datacite|osf(?:\.io)?|hal|researchgate", re.I)
VENUE_FIELDS = ("journal", "conference", "venue", "publisher")
LEGEND = re.compile(r"\b(?:equal|corresponding|joint|shared|co-)", re.IGNORECASE)
# In the path of a work: `sections.selected_publications[0].title`
SELECTED = re.compile(r"(?<![a-z])(?:selected|featured|representative)(?![a-z])", re.IGNORECASE)
OF_PUBLISHER = re.compile(r"Publisher: \S[^.;]*")  # as Zotero exports it
# Formulas of LaTeX, but not prices.
MATHS = re.compile(
    r"\$(?=[^$]{0,80}[\\^_{]|[A-Za-z]{1,2}(?:[-+/][A-Za-z]{1,2})?\$)([^\s$](?:[^$]{0,80}[^\s$])?)\$"
)
SHOWN_NAMES = 3  # names with marks to show in the report
EDITION = "edition"  # of a work in a draft: the fields of its edition
VENUES = {"conference": "conference", "venue": "workshop"}  # field -> kind of its series
KINDS = ("conference", "workshop", "poster", "abstract")
OTHER_YEAR = "of another year than the work"


def tidy_works(draft: Draft, text: str) -> None:
    """Normalises the works of a draft. `text` is the file, which can explain marks of authors."""
    works = [each for each in draft.cv.get("publications", ()) if isinstance(each, dict)]
    noted = {work[name].place.line for work in works for name in NOTES if name in work}
    lines = enumerate(text.splitlines(), 1) if works else ()
    legend = " ".join(line for at, line in lines if LEGEND.search(line) and at not in noted)
    for work in works:
        set_status(draft, work)
        if isinstance(title := work.get("title"), Value):
            work["title"] = title.with_text(MATHS.sub(decoded, title))
        numbers = f"{work.get('pages')} {work.get('doi')}"
        if isinstance(note := work.get("annotation"), Value) and (
            why := "publisher in a note"
            if OF_PUBLISHER.fullmatch(note)
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
    join_duplicates(draft)
    list_marks_once(draft)


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
        meant = {mark: meaning(mark, legend) for mark in marks}
        if not all(meant.values()):
            draft.leave([name], MARK_REMOVED)
        bare, *groups = on_behalf(bare) or [""]
        if is_group(bare):
            groups, bare = [bare], ""
        fields["as"] = turned(name.with_text(bare))
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
    """`Lind, Hana` -> `Hana Lind`, unless it may be two people, or a title follows the comma."""
    family, _, given = (each.strip() for each in name.partition(","))
    words = [
        [each for each in part.split() if each.lower() not in PARTICLES] for part in (family, given)
    ]
    is_title = given.rstrip(".").lower() in NAME_SUFFIXES
    is_short = len(words[0]) == 1 or len(words[1]) == 1 or bool(ONLY_INITIALS.fullmatch(given))
    if not is_inverted(name) or "," in given or is_title or not is_short:
        return name
    return name.with_text(f"{given} {family}")


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
        elif isinstance(value, Value) and not SERVERS.match(value):
            found = venue_fields(name, value, work)
            if name not in found:
                del work[name]
            work |= found
            if name in found:
                read_venue(work, name, found[name])
    title = str(work.get("title", ""))
    ending = title[title.rfind("(") :] if title.endswith(")") else ""
    for text in (ending, *(work.get(name) for name in NOTES)):
        if "status" not in work and text and (status := status_in(str(text))):
            work["status"] = work["title"].with_text(status)
    if work.get("status") == "accepted" and {"volume", "pages"} <= work.keys():
        del work["status"]  # it has appeared since
    for name in VENUE_FIELDS:
        value = work.get(name)
        if not isinstance(value, Value):
            continue
        if value.strip(".").upper() in ("TBD", "TBA"):
            draft.leave([work.pop(name)], "no name of a venue")
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
            "date": date,
            "endDate": end,
            "location": value.with_text(title.location) if title.location else None,
            "host": host if title.host and year else None,
        }
    )


def read_venue(work: dict[str, Any], name: str, value: Value) -> None:
    """Divides a printed title in a work of any format into series, edition and award."""
    _, award, remark = without_distinction(value)
    title = read_title(value)
    if work.get("kind") not in KINDS or title == PrintedTitle(value):
        return
    work[name] = value.with_text(title.name)
    if award:
        work.setdefault("awards", []).append(value.with_text(award))
    elif remark and "annotation" not in work:
        work["annotation"] = value.with_text(remark)
    if fields := edition_fields(title, value, year_of(work)):
        work[EDITION] = {**fields, **work.get(EDITION, {})}


def year_of(work: dict[str, Any]) -> str:
    return str(work.get("year") or work.get("date") or "")[:4]


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
            "kind": printed.with_text(VENUES[name]),
            "editions": {year: fields},
        }
        key = address_slug(printed)
        venues[key] = joining.fields(venues[key], entry) if key in venues else entry
    draft.left += joining.unplaced()
    if not venues:
        del draft.entries["venues"]
