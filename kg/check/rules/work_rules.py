"""Rules about works: pages, years, venues, versions and duplicate titles; theses, awards and lists
of works in CVs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from kg.errors import Place, Problem, Severity, fix
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
MAX_YEARS_TO_PRINT = 2  # years after the end of a study in which its thesis may be published


def untidy_pages(facts: Facts) -> Iterator[Problem]:
    """Incomplete page ranges, and pages with a prefix such as 'pp.', which citation styles add."""
    for each, work in facts.of(Published):
        pages = work.pages
        if not pages:
            continue
        if found := PP.match(pages):
            word, rest = found[0].strip(), pages[found.end() :]
            remedy = fix(pages, rest)
            message = f"'{word}' does not belong in 'pages'. Write '{rest}'."
        elif found := HALF.fullmatch(pages):
            lacking = "first" if found[1] else "last"
            remedy = None
            message = f"the {lacking} page of '{pages}' is missing. Write the range, e.g. 101-119."
        else:
            continue
        text = f"{each.row.path}: {message}"
        yield Problem(each.row.at("pages"), "warning", text, "pages-form", fix=remedy)


def years_and_dates(facts: Facts) -> Iterator[Problem]:
    """Dates that are not in the year beside them. A publication may be dated a year earlier or
    later, unless it was presented at an event.
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
    """Journal articles at conferences, and conference papers in journals (a hint, because journals
    can print proceedings).
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
            advice = f"{advice} add the journal."
        elif venue == "journal" and work.kind in AT_AN_EVENT:
            kind, severity = AT_AN_EVENT[work.kind], "info"
            advice = "Write 'kind: journal', unless the journal prints the proceedings."
        else:
            continue
        message = f"{each.row.path}: this is {kind}, but '{where.name}' is a {venue}. {advice}"
        yield Problem(each.row.at("kind"), severity, message, "venue-kind")


def editions_out_of_their_year(facts: Facts) -> Iterator[Problem]:
    """Editions held in another year than their key. One year off is a hint, because a postponed
    edition keeps its name.
    """
    for each, series in facts.of(Series):
        for year, edition in series.editions.items():
            field = "date" if edition.date else "endDate"
            held = edition.date or edition.endDate
            if held is None or int(year) in (year_of(held), year_of(edition.endDate)):
                continue
            apart = int(held.iso[:4]) - int(year)
            if field == "endDate" and apart < 0:  # ends before it starts: another rule
                continue
            message = (
                f"{each.slug} {year}: the edition {year} was held in {held.iso[:4]}. "
                f"Correct the date, or change the key to {held.iso[:4]}."
            )
            severity: Severity = "info" if abs(apart) == 1 else "warning"
            place = each.row.at("editions", year, field)
            yield Problem(place, severity, message, "edition-year")


def based_on_themselves(facts: Facts) -> Iterator[Problem]:
    """Works that are based on, or versions of, themselves, directly or through other works."""
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
        by_way = f" ({way})" if len(circle) > 1 else ""
        what = "based on" if field == "basedOn" else "a version of"
        message = f"{key[1]}: a work cannot be {what} itself{by_way}. Correct '{field}'."
        yield Problem(place, "error", message, "based-on-itself")


def circles(earlier: Mapping[Key, Mapping[Key, object]]) -> Iterator[list[Key]]:
    """Cycles of works, in which each has the next one as an earlier version."""
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
    """Works based on later ones, except preprints, which may be posted after the paper."""
    works = facts.notes.works
    for key, work in works.items():
        for other, place in work.based_on.items():
            base = works.get(other)
            if not (base and base.year and work.year) or base.kind == "preprint":
                continue
            if base.year > work.year:
                message = (
                    f"{key[1]}: this work ({work.year}) is based on a later one, '{other[1]}' "
                    f"({base.year}). Swap them, or correct a year."
                )
                yield Problem(place, "warning", message, "based-on-later")


def theses(facts: Facts) -> Iterator[Problem]:
    """Theses with other authors, or outside the time of the study. A book made from a thesis may
    appear much later.
    """
    for thesis in facts.notes.theses:
        work = facts.notes.works.get(thesis.work)
        if work is None:
            continue
        slug = thesis.work[1]
        if thesis.author not in work.authors:
            who = "you are" if thesis.author == thesis.owner else f"'{thesis.author}' is"
            message = f"{who} not an author of the thesis '{slug}'. Correct the key, or the authors"
            message = f"{thesis.label}: {message} of that work."
            yield Problem(thesis.place, "warning", message, "thesis-of-others")
        elif work.kind == "thesis" and work.year:
            first, last = thesis.start or work.year, thesis.end or work.year
            if first <= work.year <= last + MAX_YEARS_TO_PRINT:
                continue
            then = f"started in {first}" if work.year < first else f"ended in {last}"
            message = f"the thesis '{slug}' is from {work.year}, but the study {then}. Correct a"
            message = f"{thesis.label}: {message} year, or the key."
            yield Problem(thesis.place, "warning", message, "thesis-year")


def awards_for_works(facts: Facts) -> Iterator[Problem]:
    """Awards for works of others, or given before the work was published. One year earlier is
    accepted, unless the award was given at the event where the work was presented.
    """
    for award in facts.notes.awards:
        work = facts.notes.works.get(award.work)
        if work is None:
            continue
        slug = award.work[1]
        if award.owner not in work.authors:
            message = (
                f"{award.label}: the award is for '{slug}', but you are not one of its authors. "
                "Correct the key, or the authors of that work."
            )
            yield Problem(award.place, "warning", message, "award-of-others")
        elif award.year and work.first_year:
            is_there = bool(work.venue) and award.venue == work.venue
            if award.year < work.first_year - (not is_there):
                message = (
                    f"{award.label}: the award ({award.year}) is older than '{slug}' "
                    f"({work.first_year}). Correct a year, or the key."
                )
                yield Problem(award.place, "warning", message, "award-before-work")


def same_titles(facts: Facts) -> Iterator[Problem]:
    """Works with the same title. Each is reported once per title, with the first earlier work that
    is not known to be different.
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
    """The works that are known to be different: those in `distinctFrom`, and earlier versions,
    directly or through other works.
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
    remedy = "write 'basedOn' if one is a version of the other, or 'distinctFrom' if they differ"
    if work[0] == other[0] == "patents":  # 'distinctFrom' cannot refer to patents
        remedy = "accept this with a reason if they are different"
    message = f"{work[1]}: '{other[1]}' ({there}) has the same title. Merge them, or {remedy}."
    return Problem(here, "warning", message, "same-title", (there,))


def distinct_works(facts: Facts) -> Iterator[Problem]:
    """Useless values of `distinctFrom`: the work itself, or works with another title."""
    works = facts.notes.works
    for key, work in works.items():
        for other, place in work.distinct:
            if other == key:
                message = f"{key[1]}: 'distinctFrom' names the work itself. Correct it."
                yield Problem(place, "error", message, "distinct-from-itself")
            elif other in works and not work.titles.keys() & works[other].titles.keys():
                yield Problem(
                    place,
                    "warning",
                    f"{key[1]}: '{other[1]}' has another title, so 'distinctFrom' has no effect. "
                    "Remove it.",
                    "distinct-needlessly",
                )


def listed_works(facts: Facts) -> Iterator[Problem]:
    """Works that a CV lists twice, or without its person among the authors."""
    for owner, listed in facts.notes.listed.items():
        seen: dict[Key, Place] = {}
        numbers: Counter[str] = Counter()
        for key, place in listed:
            kind, slug = key
            label = f"{kind}[{numbers[kind]}]"
            numbers[kind] += 1
            if seen.get(key, place) != place:  # the entries of one bibliography are another rule
                message = f"{label}: '{slug}' is listed twice. Remove one."
                yield Problem(place, "error", message, "listed-twice")
            seen[key] = place
            work = facts.notes.works.get(key)
            if work and owner not in work.authors:
                yield Problem(
                    place,
                    "error",
                    f"{label}: you are not among the authors of '{slug}' ({work.signed_at}). "
                    "Check the spelling there, or add the printed name to your alternateNames.",
                    "owner-not-author",
                    (work.signed_at,),
                )


def unlisted_works(facts: Facts) -> Iterator[Problem]:
    """Works by a person with a CV that the CV does not list; a thesis may be listed with its
    study.
    """
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
                    f"basics: you are an author of '{key[1]}' ({work.place}), but your CV does not "
                    f"list it. Add it to '{key[0]}'.",
                    "not-listed",
                    (work.place,),
                )
