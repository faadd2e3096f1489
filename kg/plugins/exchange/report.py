"""The report of an import, which fits on one screen.

It lists the values that were not imported as they are, and the differences from values of the site.
A long list is folded by reason; the whole list is then written to a file of the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kg.errors import counted
from kg.plugins.exchange.draft import Unplaced
from kg.plugins.exchange.edits.into_site import RECORDS
from kg.plugins.exchange.importing import Imported

REPORT_FILE = f"{RECORDS}/report.txt"
MAX_LINES = 15  # a longer list is folded
MAX_FOLDED = 10  # reasons shown of a folded list
MAX_QUOTED = 60  # characters quoted from a value
# Not telephone numbers: keys of BibTeX, DOIs, arXiv, ORCID, ISBN, ISSN, OCLC, PII and SSRN, dates,
# spans of years.
NUMBER = (
    r"@[a-z]+\{[^{}\s@]*\}|\b10\.\d{4,9}/\S+"
    r"|\b(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?\b"
    r"|\b(?:\d{4}-){3}\d{3}[\dX]\b|\b97[89](?:-?\d){10}\b|\b(?:ISBN|ISSN|OCLC)\W+[\dX-]+"
    r"|\bpii/[SB]?[\dX()-]+|\b(?:ssrn\.|abstract(?:_id)?=)\d+"
    r"|\b(?:19|20)\d\d(?:-\d\d){0,2}(?:\s*[-–/]\s*(?:19|20)\d\d(?:-\d\d){0,2})?\b(?!-\d)"
)
# Email addresses and telephone numbers, but no other numbers.
CONTACT = re.compile(
    rf"(?P<number>{NUMBER})|\S@\S|(?<![^\W_])\d(?:[\s().-]*(?!{NUMBER})\d){{6,}}", re.IGNORECASE
)


def as_record(left: Unplaced) -> dict[str, object]:
    place = left.value.place
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "path": left.value.path,
        "value": str(left.value),
        "why": left.why,
        "section": left.section,
    }


def line(left: Unplaced) -> str:
    """A line of the report: `resume.json:12:5  work[0].team  "Ice"  no matching field`."""
    return f'{left.value.place}  {left.value.path}  "{shortened(left.value)}"  {reason(left)}'


def reason(left: Unplaced) -> str:
    if left.section:
        return f"{left.why.rstrip('.')}. Added to the section '{left.section}'."
    return left.why


def shortened(value: str) -> str:
    text = " ".join(value.split())
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"


def full_lines(imported: Imported, site: Path) -> list[str]:
    """All values that were not imported as they are, and all differences."""
    differences = [
        f"{site / place.file}:{place.line}  {message}" for place, message in imported.differences
    ]
    return [*map(line, imported.left), *differences]


def is_long(imported: Imported) -> bool:
    return len(imported.left) + len(imported.differences) > MAX_LINES


def screen_lines(imported: Imported, site: Path) -> Iterator[str]:
    """The lines for a screen: one for each value, or for each reason if there are many."""
    if not is_long(imported):
        yield from full_lines(imported, site)
        return
    first: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for left in imported.left:
        why = f"{left.why}{left.section}"
        first.setdefault(why, line(left))
        numbers[why] = numbers.get(why, 0) + 1
    for place, message in imported.differences:
        first.setdefault("differences", f"{site / place.file}:{place.line}  {message}")
        numbers["differences"] = numbers.get("differences", 0) + 1
    shown = sorted(first, key=lambda why: -numbers[why])[:MAX_FOLDED]
    for why in shown:
        more = numbers[why] - 1
        yield first[why] + (f" (and {more} more like this)" if more else "")
    if rest := sum(numbers[why] for why in first if why not in shown):
        yield f"And {counted(rest, 'other value')}."


def report_file(imported: Imported, site: Path) -> dict[str, str]:
    """The file with the whole list, if the screen does not show it.

    Contact details are masked, because a site is often kept in a public repository.
    """
    lines = full_lines(imported, site) if is_long(imported) else []
    kept = (CONTACT.sub(lambda found: found["number"] or "…", each) for each in lines)
    return {REPORT_FILE: "".join(f"{each}\n" for each in kept)} if lines else {}


def sections_added(imported: Imported) -> str:
    """The numbers of entries: `: work 3, education 2`."""
    found = ", ".join(
        f"{name} {number}{' (private)' * (name == 'references')}"
        for name, number in imported.entries.items()
    )
    return f": {found}" if found else ""


def summary(imported: Imported, site: Path, as_patch: bool) -> str:
    """How many values were imported and skipped, and what to do next."""
    if not imported.shown:
        return f"Nothing new for {site}/."
    if as_patch:
        how = "add --apply" if imported.is_update else "leave out --dry-run"
        return (
            f"Nothing was written. To apply the patch, {how}, or pipe it into: patch -p1 -d {site}"
        )
    where = f"listed in {site / REPORT_FILE}" if is_long(imported) else "listed above"
    parts = [f"Imported {counted(imported.placed, 'value')} into {site}/{sections_added(imported)}"]
    noted = sum(each.why.startswith("imported as ") for each in imported.left)
    skipped = sum(not each.section for each in imported.left) - noted
    if skipped:
        parts.append(counted(skipped, "was", "were") + f" skipped ({where})")
    if moved := sum(bool(each.section) for each in imported.left):
        parts.append(counted(moved, "is in another section", "are in other sections"))
    if imported.differences:
        differ = counted(len(imported.differences), "differs", "differ")
        parts.append(f"{differ} from your values, which were kept ({where})")
    steps = f"kg check {site}, kg serve --watch {site}, and kg build {site} -o public"
    return f"{'; '.join(parts)}. Next: {steps}."
