"""Files of other formats -> the files of a site, in four steps: read, join by person, take out what
the check refuses, write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.cli.new_site import new_site
from kg.errors import Place, counted
from kg.facts.bibliography.work_records import SERVERS, meaning, status_in, without_marks
from kg.facts.load import load
from kg.facts.values.naming import names_of
from kg.facts.values.text import slugify
from kg.facts.yaml.rows import texts
from kg.plugins.exchange.draft import (
    MARKED,
    MOST_ENTRIES,
    OWNER,
    Draft,
    TooManyEntries,
    Unplaced,
    Value,
    filled,
)
from kg.plugins.exchange.edits.entry_matching import KnownThings, identifiers
from kg.plugins.exchange.edits.into_site import RECORDS, Change, changes
from kg.plugins.exchange.edits.joined_authors import join_authors, listed
from kg.plugins.exchange.edits.merge import instead_of, is_more_exact
from kg.plugins.exchange.fields import plan_ahead, venue_fields
from kg.plugins.exchange.formats import checkout_in, named, recognised, unknown
from kg.plugins.exchange.own_names import (
    SIGNED,
    add_own_names,
    is_same_person,
    leave_unsigned,
    own_names,
)
from kg.plugins.exchange.refusals import refuse, values_in
from kg.plugins.exchange.source_files import NotImported, sources
from kg.text.transliterate import plain

SITE, CVS = "data/site.yaml", "data/cv/"
DATES = ("date", "year")  # one of which says when a work appeared
VENUES = ("journal", "conference")
NUMBERING = re.compile(
    r"\W(?:(?:volume|vol|issue|number|no|nr|pp)\b|[A-Za-z]*+\d++|\W)+", re.IGNORECASE
)
OTHER_VALUE = "another file has a different value, which is kept"
NOTES = ("annotation", "summary", "abstract")
VENUE_FIELDS = ("journal", "conference", "venue", "publisher")


@dataclass
class Imported:
    """The texts of files to write, by their path in the site; what was read, and what is left."""

    texts: dict[str, str] = field(default_factory=dict)
    read: list[tuple[str, str]] = field(default_factory=list)  # files, each with its format
    unread: list[str] = field(default_factory=list)  # why files of a folder were not read
    left: list[Unplaced] = field(default_factory=list)
    placed: int = 0
    differences: list[tuple[Place, str]] = field(
        default_factory=list
    )  # what the author has instead
    is_update: bool = False  # of files that were imported before
    # e-mail addresses in a new CV that its page does not show, each with the path of the CV
    hidden_emails: list[tuple[str, str]] = field(default_factory=list)

    @property
    def shown(self) -> dict[str, str]:
        """The texts that an author looks at."""
        return {path: text for path, text in self.texts.items() if not path.startswith(RECORDS)}


def import_files(
    paths: Iterable[Path], site: Path, format_name: str = "", person: str = "", today: str = ""
) -> Imported:
    """What the files at some paths add to a site, which need not exist yet; nothing is written.
    Without `today` no date is in the future.
    """
    imported = Imported()
    files = list(paths)
    drafts = [draft for path in files for draft in read_path(path, format_name, imported)]
    source = "-".join(sorted({path.resolve().name for path in files}))
    name = next((draft.name for draft in drafts if draft.name), "")
    begun = untouched(site) if name else {}
    owners = {} if begun else owners_of(site)
    for key, read in joined(drafts, owners, person).items():
        basics = owners.get(key, {})
        draft, change = fitted(read, basics, key, site, source, today)
        imported.placed += len([*values_in([draft.cv, draft.entries])])
        imported.left += draft.left
        imported.texts |= change.texts
        imported.differences += change.differences
        imported.is_update |= change.is_update
        path = f"{CVS}{key}.yaml"
        if path in change.texts and not (site / path).exists():
            imported.hidden_emails += [(email, path) for email in hidden_emails(draft)]
    if imported.texts and (begun or not (site / SITE).exists()):
        own = {path: text for path, text in new_site(name).items() if not path.startswith(CVS)}
        wanted = {path: text for path, text in own.items() if not (site / path).exists()}
        imported.texts = {**wanted, **renamed(begun, own), **imported.texts}
    imported.texts = dict(sorted(imported.texts.items(), key=place_in_order))
    return imported


def fitted(
    read: Draft, basics: Mapping[str, Any], key: str, site: Path, source: str, today: str
) -> tuple[Draft, Change]:
    """A draft without what the check refuses, and what it changes in a site. Where there is a site,
    the whole is checked there; only if that finds an error, the draft is checked in full by itself,
    too, which tells the value that is wrong.
    """
    for is_checked in (False, True) if (site / SITE).exists() else (True,):
        draft = read if is_checked else read.copy()
        with knowing_whose(draft, basics):
            add_own_names(draft)
            plan_ahead(draft, today)
            refuse(draft, today, in_full=is_checked)
        change = changes(draft, key, site, source, is_checked)
        if not change.is_refused:
            break
    return draft, change


def hidden_emails(draft: Draft) -> list[str]:
    """The e-mail addresses that are not marked as public."""
    found = draft.cv.get("basics", {}).get("email", [])
    entries = found if isinstance(found, list) else [found]
    fields = [each if isinstance(each, dict) else {"value": each} for each in entries]
    return [str(each["value"]) for each in fields if each.get("visibility") != "public"]


def place_in_order(item: tuple[str, str]) -> tuple[bool, ...]:
    """Files are written in an order in which an import that was killed can be repeated: a CV after
    what it refers to, `site.yaml` after what else a new site has, a CV of nobody removed after it,
    and last the record of what was imported.
    """
    path, text = item
    return path.startswith(RECORDS), path.startswith(CVS), path == SITE, bool(text)


def read_path(path: Path, format_name: str, imported: Imported) -> list[Draft]:
    """The drafts in a file, or in all files of a folder that are of a known format."""
    drafts, found = list[Draft](), [*sources(path)]
    checkout = None if format_name else checkout_in(found)
    owner, cv = "", ""
    for source in checkout.files if checkout else found:
        try:
            known = named(format_name) if format_name else recognised(source)
            if known is None or (len(found) > 1 and not known.matches(source)):
                imported.unread.append(f"{source.name}: skipped, because its format is unknown.")
                continue
            read = [*known.read(source)]
            if checkout:
                name = next((draft.name for draft in read if draft.name), "")
                if owner and name and not is_same_person(owner, name):
                    imported.unread.append(
                        f"{source.name}: skipped, because it names {name}, not {owner}."
                    )
                    continue
                if source in checkout.cvs and cv:
                    imported.unread.append(f"{source.name}: skipped, because {cv} is the CV.")
                    continue
                cv = source.name if source in checkout.cvs else cv
                owner = owner or name
                name_alike(read, owner)
            for draft in read:
                tidy_works(draft)
            drafts += read
            if sum(draft.size for draft in drafts) > MOST_ENTRIES:
                raise TooManyEntries
            imported.read.append((source.name, known.title))
        except TooManyEntries as error:  # the rest alone would be less than the user wants
            raise TooManyEntries(source.name) from error
        except NotImported as error:
            if len(found) == 1:
                raise
            imported.unread.append(str(error))
    if checkout and (rest := len(found) - len(checkout.files)):
        others = counted(rest, "file that is", "files that are")
        imported.unread.append(f"{path}: {checkout.title} site. Skipped {others} not part of a CV.")
    if not drafts:
        raise NotImported(unknown(path, len(found)))
    return drafts


def name_alike(drafts: list[Draft], owner: str) -> None:
    """Makes another spelling of the owner's name one of the other names."""
    for draft in drafts:
        if draft.name and draft.name != owner:
            basics = draft.cv["basics"]
            basics["alternateNames"] = [basics.pop("name"), *basics.get("alternateNames", ())]


def renamed(begun: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """The files of a site that nobody has written in yet, for the person who has one now; the CV of
    nobody goes.
    """
    return {path: own.get(path, "") for path in begun}


@contextmanager
def knowing_whose(draft: Draft, basics: Mapping[str, Any]) -> Iterator[None]:
    """A draft that names nobody has the names of the CV that it belongs to for as long as the block
    lasts. Of these, those stay by which the owner signs works of the draft: also if the CV has them
    already, so that a second import of a file gives the same draft.
    """
    if draft.name or not basics:
        yield
        return
    known = texts(basics, "alternateNames")
    lent = filled({"name": basics.get("name"), "alternateNames": [*known]})
    own = draft.cv.pop("basics", {})
    draft.cv = {"basics": {**lent, **own}, **draft.cv}
    yield
    signed = own_names(draft)
    found = draft.cv.pop("basics", {})
    names = texts(found, "alternateNames")
    others = [name for name in names if name not in (*known, *signed)]
    found["alternateNames"] = [*others, *(name for name in signed if name in names)]
    left = filled({name: value for name, value in found.items() if name != "name"})
    draft.cv = filled({"basics": left, **draft.cv})


def owners_of(site: Path) -> dict[str, Mapping[str, Any]]:
    """Those who have a CV in the site, by key, with what is known of them."""
    if not (site / SITE).exists():
        return {}
    facts = load(site)
    return {key: facts.names.people.get(key, {}) for key in sorted(facts.owners)}


def known_as(basics: Mapping[str, Any]) -> set[str]:
    """By what a person is known: an ORCID, and names in any case of letters."""
    profiles = basics.get("profiles")
    accounts = [
        {"orcid": each.get("username") or each.get("url")}
        for each in (profiles if isinstance(profiles, list) else ())
        if isinstance(each, Mapping) and str(each.get("network")).lower() == "orcid"
    ]
    found = (pair for each in (basics, *accounts) for pair in identifiers(each))
    ids = (value for scheme, value in found if scheme == "orcid")
    return {*ids, *map(plain, names_of(basics))}


def joined(
    drafts: list[Draft], owners: Mapping[str, Mapping[str, Any]], person: str
) -> dict[str, Draft]:
    """The drafts of each person as one, by the key of the CV. What names nobody belongs to the one
    whom the others name, or whose site it is, as far as that person signed it.
    """
    found: dict[str, Draft] = {}
    people = {key: known_as(basics) for key, basics in owners.items()}
    for draft in sorted(drafts, key=lambda each: not each.name):
        known = known_as(draft.cv.get("basics", {}))
        same = [key for key, names in people.items() if known & names]
        key = person or (same[0] if len(same) == 1 else slugify(draft.name))
        if not draft.name and not person and not same:
            several = list(found) or list(owners)
            if len(several) != 1:
                raise NotImported(nobody(several))
            key = several[0]
        people.setdefault(key, set()).update(known)
        if not draft.name:
            first = found[key].cv if key in found else {}
            basics = {**owners.get(key, {}), **first.get("basics", {})}
            leave_unsigned(draft, basics, first.get("publications", ()))
        if key in found:
            join(found[key], draft)
        else:
            found[key] = draft
    for key, draft in found.items():
        if not draft.name and key not in owners:
            raise NotImported(nobody([*owners]))
        sign(draft, draft.name or key)
    return found


def sign(draft: Draft, name: str) -> None:
    """Names the owner where a work is signed by whoever that is, or by the key of the name."""
    own = (OWNER, slugify(name))
    for work in draft.cv.get("publications", ()):
        written = work.get("authors") if isinstance(work, dict) else None
        authors: list[Any] = written if isinstance(written, list) else []
        for number, each in enumerate(authors):
            if each in own:
                authors[number] = each.with_text(name)
            elif isinstance(each, dict) and each.get("as") in own:
                each["as"] = each["as"].with_text(name)


def nobody(several: list[str]) -> str:
    if several:
        return (
            f"Cannot tell whose CV this is. Use --person {' or --person '.join(sorted(several))}."
        )
    return (
        "The files do not say whose CV this is. Import them together with a CV, or into a site "
        'that has one: kg new mysite --name "Your Name", then kg import … --into mysite.'
    )


def join(draft: Draft, other: Draft) -> None:
    """Adds what another file says; where both have a value, the first one stays."""
    draft.left += other.left
    join_fields(draft, draft.cv, other.cv)
    for kind, entries in other.entries.items():
        for key, entry in entries.items():
            draft.entries.setdefault(kind, {}).setdefault(key, entry)


def join_fields(draft: Draft, have: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Adds fields that are not there, and lists values that are there otherwise."""
    for name, value in more.items():
        mine, other = have.get(name), instead_of(name, have)
        if isinstance(mine, dict) and isinstance(value, dict):
            join_fields(draft, mine, value)
        elif name in SIGNED and isinstance(mine, list) and isinstance(value, list):
            join_signed(draft, have, name, value)
        elif isinstance(mine, list) and isinstance(value, list):
            join_entries(draft, name, mine, value)
        elif mine is None and not other:
            have[name] = value
        elif name in DATES and (other or name) in DATES:
            join_dates(draft, have, other or name, name, value)
        elif name in VENUES and is_numbered(mine, value):
            have[name] = value
        elif mine != value:
            draft.leave(values_in(value), OTHER_VALUE)


def is_numbered(printed: Any, name: Any) -> bool:
    """Whether a venue is printed with its volume or pages: `Ice, vol. 12` for `Ice`."""
    if not isinstance(printed, str) or not isinstance(name, str) or not printed.startswith(name):
        return False
    rest = printed.removeprefix(name)
    return any(map(str.isdigit, rest)) and bool(NUMBERING.fullmatch(rest))


def join_signed(draft: Draft, have: dict[str, Any], name: str, more: list[Any]) -> None:
    """Makes one list of two that name the same people; of others the first list stays."""
    joined = join_authors(have[name], more)
    if joined is not None:
        have[name] = joined
    elif first := next(values_in(more), None):
        draft.leave(
            [first.with_text(listed(more))], f"another file has different {name}, which are kept"
        )


def join_dates(draft: Draft, have: dict[str, Any], there: str, name: str, value: Any) -> None:
    """The more exact of two dates stays, in its own field; of two that contradict, the first."""
    if is_more_exact(value, have[there]):
        dated = {(name if each == there else each): have[each] for each in have}
        have.clear()
        have.update({**dated, name: value})
    elif value != have[there] and not is_more_exact(have[there], value):
        draft.leave(values_in(value), OTHER_VALUE)


def join_entries(draft: Draft, section: str, have: list[Any], more: list[Any]) -> None:
    """Adds entries that are not there, and to those that are there what they lack."""
    same = KnownThings().pairs(section, more, have)
    for number, item in enumerate(more):
        there = have[same[number]] if number in same else None
        if there is None:
            have.append(item)
        elif isinstance(there, dict) and isinstance(item, dict):
            join_fields(draft, there, item)


def tidy_works(draft: Draft) -> None:
    """Tidies works of whatever format: names of authors get no marks, and a work that is under
    review gets that status.
    """
    works = [each for each in draft.cv.get("publications", ()) if isinstance(each, dict)]
    for work in works:
        state_work(work)
    for work in (*works, *draft.entries.get("patents", {}).values()):
        legend = " ".join(str(work.get(name, "")) for name in NOTES)
        for part in SIGNED:
            if isinstance(work.get(part), list):
                names = (unmarked(draft, each, legend) for each in work[part])
                work[part] = [name for name in names if name]
    basics = draft.cv.get("basics", {})
    if names := basics.get("alternateNames"):
        bare = (name.with_text(without_marks(name)[0]) for name in names)
        basics["alternateNames"] = [*dict.fromkeys(name for name in bare if name != draft.name)]


def unmarked(draft: Draft, item: Any, legend: str) -> Any:
    """An author without marks, of which those are listed that no legend explains."""
    fields = {**item} if isinstance(item, dict) else {"as": item}
    name = fields.get("as")
    bare, marks = without_marks(name) if isinstance(name, Value) else ("", [])
    if not marks or not isinstance(name, Value):
        return item
    meant = {mark: meaning(mark, legend) for mark in marks}
    if not all(meant.values()):
        draft.leave([name], MARKED)
    told = {field: name.with_text("true") for field in meant.values() if field}
    fields = {**fields, "as": name.with_text(bare), **told}
    return fields if len(fields) > 1 else fields["as"] if bare else None


def state_work(work: dict[str, Any]) -> None:
    """Fills in the status from the title in brackets, a short note, or where the venue is."""
    for name in VENUE_FIELDS:
        if isinstance(value := work.get(name), Value) and not SERVERS.match(value):
            work |= venue_fields(name, work.pop(name), work)
    title = str(work.get("title", ""))
    ending = title[title.rfind("(") :] if title.endswith(")") else ""
    for text in (ending, *(work.get(name) for name in NOTES)):
        if "status" not in work and text and (status := status_in(str(text))):
            work["status"] = work["title"].with_text(status)


def untouched(folder: Path) -> dict[str, str]:
    """The files of a new site that are still as `kg new` wrote them, if its CV is."""
    files = new_site()
    cv = next(path for path in files if path.startswith("data/cv/"))
    found = {
        path: text
        for path, text in files.items()
        if (folder / path).is_file() and (folder / path).read_bytes() == text.encode()
    }
    others = [*(folder / "data/cv").glob("[!.]*")]  # not what a killed import left
    return found if cv in found and len(others) == 1 else {}
