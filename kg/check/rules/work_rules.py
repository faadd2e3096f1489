"""Checks of works: their pages and years, where they appeared, what they are based on, titles that
two share; and of what CVs say of them, theses and awards, and which they list.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from kg.errors import Place, Problem, Severity
from kg.facts.load import Facts
from kg.facts.loaded import Key, Loaded
from kg.facts.models.activities import Award
from kg.facts.models.publications import Publication, Published
from kg.facts.models.talks import Talk
from kg.facts.models.venues import Series
from kg.facts.models.works import Contained
from kg.facts.notes import Work, year_of

DASHES = r"[-\u2010-\u2015]+"
HALF = re.compile(rf"({DASHES})\s*\w+|\w+\s*({DASHES})")
PP = re.compile(r"(?:pages?|pp?)\b\s*[.:]?\s*(?=\w*\d)", re.IGNORECASE)
IN_A_JOURNAL = {
    "journal": "a journal article",
    "magazine": "a magazine article",
    "newspaper": "a newspaper article",
}
AT_AN_EVENT = {"conference": "a conference paper", "workshop": "a workshop paper"}
LONGEST_PRINT = 2  # years from the end of a study until its thesis is out


def untidy_pages(facts: Facts) -> Iterator[Problem]:
    """Half a range, or a word before the pages, which is printed once more."""
    for each, work in facts.of(Published):
        pages = work.pages
        if not pages:
            continue
        if found := PP.match(pages):
            word, rest = found[0].strip(), pages[found.end() :]
            message = f"pages are written without '{word}'. Write '{rest}'."
        elif found := HALF.fullmatch(pages):
            lacking = "first" if found[1] else "last"
            message = f"the {lacking} page of '{pages}' is missing. Write both, e.g. 101-119."
        else:
            continue
        text = f"{each.row.path}: {message}"
        yield Problem(each.row.at("pages"), "warning", text, "pages-form")


def years_and_dates(facts: Facts) -> Iterator[Problem]:
    """A date in another year than the year beside it. What is printed may be out a year before or
    after the year it bears, but nothing is shown at an event of another year.
    """
    dated: list[tuple[Loaded, Publication | Talk | Award]] = [
        *facts.of(Publication),
        *facts.of(Talk),
        *facts.of(Award),
    ]
    for each, entry in dated:
        if not (entry.year and entry.date):
            continue
        apart = abs(int(entry.year.iso) - int(entry.date.iso[:4]))
        if apart > (isinstance(entry, Publication) and not is_at_an_event(entry)):
            message = (
                f"{each.row.path}: the date {entry.date.text} is not in the year "
                f"{entry.year.text}. Correct one of the two."
            )
            yield Problem(each.row.at("date"), "warning", message, "year-date")


def is_at_an_event(work: Publication) -> bool:
    where = work.where if isinstance(work, Contained) else None
    return where is not None and where.row.get("kind", "journal") != "journal"


def kinds_and_venues(facts: Facts) -> Iterator[Problem]:
    """Articles of journals at conferences, and papers of conferences in journals, which may print
    proceedings.
    """
    for each, work in facts.of(Contained):
        where = work.where
        venue = where.row.get("kind") if where else None
        if where is None or venue is None:
            continue
        severity: Severity
        if venue != "journal" and work.kind in IN_A_JOURNAL:
            kind, severity = IN_A_JOURNAL[work.kind], "warning"
            advice = f"Write 'kind: {'workshop' if venue == 'workshop' else 'conference'}', or"
            advice = f"{advice} name the journal."
        elif venue == "journal" and work.kind in AT_AN_EVENT:
            kind, severity = AT_AN_EVENT[work.kind], "info"
            advice = "Write 'kind: journal', or leave it if the journal prints the proceedings."
        else:
            continue
        message = f"{each.row.path}: this is {kind}, but '{where.name}' is a {venue}. {advice}"
        yield Problem(each.row.at("kind"), severity, message, "venue-kind")


def editions_out_of_their_year(facts: Facts) -> Iterator[Problem]:
    """An edition is called by its year. One that was put off by a year keeps its name."""
    for each, series in facts.of(Series):
        for year, edition in series.editions.items():
            field = "date" if edition.date else "endDate"
            held = edition.date or edition.endDate
            if held is None or int(year) in (year_of(held), year_of(edition.endDate)):
                continue
            apart = int(held.iso[:4]) - int(year)
            if field == "endDate" and apart < 0:  # it ends before it starts, which is told
                continue
            message = (
                f"{each.slug} {year}: this edition is of {year}, but was held in {held.iso[:4]}. "
                f"Correct the date, or write it as the edition of {held.iso[:4]}."
            )
            severity: Severity = "info" if abs(apart) == 1 else "warning"
            place = each.row.at("editions", year, field)
            yield Problem(place, severity, message, "edition-year")


def based_on_themselves(facts: Facts) -> Iterator[Problem]:
    """Works that are based on themselves, or versions of themselves, be it by way of others."""
    earlier: dict[Key, dict[Key, tuple[Key, str, Place]]] = defaultdict(dict)
    for key, work in facts.notes.works.items():
        for other, place in work.version_of.items():
            earlier[other][key] = (key, "versionOf", place)
        for other, place in work.based_on.items():
            earlier[key][other] = (key, "basedOn", place)
    for circle in circles(earlier):
        first, then = circle[0], circle[1 % len(circle)]
        key, field, place = earlier[first][then]
        way = " → ".join(slug for _, slug in (*circle, first))
        by_way = f", not even by way of others ({way})" if len(circle) > 1 else ""
        what = "not based on" if field == "basedOn" else "no version of"
        message = f"{key[1]}: a work is {what} itself{by_way}. Correct '{field}'."
        yield Problem(place, "error", message, "based-on-itself")


def circles(earlier: Mapping[Key, Mapping[Key, object]]) -> Iterator[list[Key]]:
    """Works of which each has the next as an earlier one, and the last has the first."""
    done: set[Key] = set()
    for start in earlier:
        path: list[Key] = []
        branches = [iter([start])]
        while branches:
            key = next(branches[-1], None)
            if key is None:
                branches.pop()
                done.update(path[-1:])
                del path[-1:]
            elif key in path:
                yield path[path.index(key) :]
            elif key in earlier and key not in done:
                path.append(key)
                branches.append(iter([*earlier[key]]))


def based_on_later_works(facts: Facts) -> Iterator[Problem]:
    """Preprints may be posted later than the paper appeared."""
    works = facts.notes.works
    for key, work in works.items():
        for other, place in work.based_on.items():
            base = works.get(other)
            if not (base and base.year and work.year) or base.kind == "preprint":
                continue
            if base.year > work.year:
                message = (
                    f"{key[1]}: this is of {work.year}, and '{other[1]}', which it is based on, of "
                    f"{base.year}. Swap the two, or correct a year."
                )
                yield Problem(place, "warning", message, "based-on-later")


def theses(facts: Facts) -> Iterator[Problem]:
    """The thesis of a study is by who studied, and of its time; a book made of it may come out much
    later.
    """
    for thesis in facts.notes.theses:
        work = facts.notes.works.get(thesis.work)
        if work is None:
            continue
        slug = thesis.work[1]
        if thesis.author not in work.authors:
            who = "you are" if thesis.author == thesis.owner else f"'{thesis.author}' is"
            message = f"the thesis '{slug}' has other authors, and {who} not among them. Is it the"
            message = f"{thesis.label}: {message} right key?"
            yield Problem(thesis.place, "warning", message, "thesis-of-others")
        elif work.kind == "thesis" and work.year:
            first, last = thesis.start or work.year, thesis.end or work.year
            if first <= work.year <= last + LONGEST_PRINT:
                continue
            then = f"began {first}" if work.year < first else f"ended {last}"
            message = f"the thesis '{slug}' is of {work.year}, but the study {then}. Correct a year"
            message = f"{thesis.label}: {message}, or the key."
            yield Problem(thesis.place, "warning", message, "thesis-year")


def awards_for_works(facts: Facts) -> Iterator[Problem]:
    """An award for a work is for one's own, and comes when it is out. Some come a year sooner, but
    not at the event at which it was shown.
    """
    for award in facts.notes.awards:
        work = facts.notes.works.get(award.work)
        if work is None:
            continue
        slug = award.work[1]
        if award.owner not in work.authors:
            message = (
                f"{award.label}: the award is for '{slug}', of which you are no author. "
                "Is it the right key?"
            )
            yield Problem(award.place, "warning", message, "award-of-others")
        elif award.year and work.first_year:
            is_there = bool(work.venue) and award.venue == work.venue
            if award.year < work.first_year - (not is_there):
                message = (
                    f"{award.label}: the award is of {award.year}, but '{slug}' of "
                    f"{work.first_year}. Correct a year, or the key."
                )
                yield Problem(award.place, "warning", message, "award-before-work")


def same_titles(facts: Facts) -> Iterator[Problem]:
    """Each work is reported once for each title, with the first of the works before it that it is
    not known to differ from.
    """
    works = facts.notes.works
    sharing: dict[str, list[Key]] = defaultdict(list)
    for key, work in works.items():
        for title in work.titles:
            sharing[title].append(key)
    for title, group in sharing.items():
        settled = {key: differing(key, works) for key in group} if len(group) > 1 else {}
        for number, key in enumerate(settled):
            for other in group[:number]:
                if other not in settled[key] and key not in settled[other]:
                    here, there = works[key].titles[title], works[other].titles[title]
                    yield same_title(key, other, here, there)
                    break


def differing(key: Key, works: Mapping[Key, Work]) -> set[Key]:
    """Which works one is known to differ from: those it names, and those it is based on, be it by
    way of others.
    """
    found = {other for other, _ in works[key].distinct}
    waiting = [key]
    while waiting:
        work = works.get(waiting.pop())
        more = {*work.based_on, *work.version_of} - found if work else set[Key]()
        waiting += more
        found |= more
    return found


def same_title(work: Key, other: Key, here: Place, there: Place) -> Problem:
    remedy = "write 'basedOn' if one became the other, 'distinctFrom' if they are two"
    if work[0] == other[0] == "patents":  # which 'distinctFrom' cannot name
        remedy = "accept this with the reason why they are two"
    message = f"{work[1]}: '{other[1]}' ({there}) has the same title. Merge the two, or {remedy}."
    return Problem(here, "warning", message, "same-title", (there,))


def distinct_works(facts: Facts) -> Iterator[Problem]:
    """`distinctFrom` speaks of another work, of a like title."""
    works = facts.notes.works
    for key, work in works.items():
        for other, place in work.distinct:
            if other == key:
                message = f"{key[1]}: no work is distinct from itself. Correct 'distinctFrom'."
                yield Problem(place, "error", message, "distinct-from-itself")
            elif other in works and not work.titles.keys() & works[other].titles.keys():
                yield Problem(
                    place,
                    "warning",
                    f"{key[1]}: '{other[1]}' has another title, so nobody takes the two for one. "
                    "Remove it from 'distinctFrom'.",
                    "distinct-needlessly",
                )


def listed_works(facts: Facts) -> Iterator[Problem]:
    """An owner signs what the CV lists, and lists it once."""
    for owner, listed in facts.notes.listed.items():
        seen: set[Key] = set()
        numbers: Counter[str] = Counter()
        for key, place in listed:
            kind, slug = key
            label = f"{kind}[{numbers[kind]}]"
            numbers[kind] += 1
            if key in seen:
                message = f"{label}: '{slug}' is listed twice. Remove one."
                yield Problem(place, "error", message, "listed-twice")
            seen.add(key)
            work = facts.notes.works.get(key)
            if work and owner not in work.authors:
                yield Problem(
                    place,
                    "error",
                    f"{label}: you list '{slug}' but are not among its authors ({work.signed_at}). "
                    "Check the spelling there, or add the printed form to your alternateNames.",
                    "owner-not-author",
                    (work.signed_at,),
                )


def unlisted_works(facts: Facts) -> Iterator[Problem]:
    """Works of an owner that the CV leaves out; a thesis may stand with the study it ended."""
    notes = facts.notes
    listed = {
        owner: {work for work, _ in works}
        for owner, works in notes.listed.items()
        if owner in notes.owners
    }
    for thesis in notes.theses:
        if thesis.author in listed:
            listed[thesis.author].add(thesis.work)
    for key, work in notes.works.items():
        for author in sorted(work.authors & listed.keys()):
            if key not in listed[author]:
                yield Problem(
                    notes.owners[author],
                    "info",
                    f"basics: '{key[1]}' ({work.place}) is signed by you, but your CV does not "
                    f"list it. Add it to '{key[0]}'.",
                    "not-listed",
                    (work.place,),
                )
