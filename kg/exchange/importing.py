"""Files of other formats -> the files of a site, in four steps: read, join by person, take out what
the check refuses, write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.errors import Place
from kg.exchange.distinct import make_distinct
from kg.exchange.draft import OWNER, Draft, Left, filled
from kg.exchange.edits.entry_matching import KnownThings, identifiers
from kg.exchange.edits.into_site import RECORDS, changes
from kg.exchange.edits.merge import instead_of
from kg.exchange.formats import named, recognised, unknown
from kg.exchange.own_names import add_own_names
from kg.exchange.refusals import refuse, values_in
from kg.exchange.source_files import NotImported, sources
from kg.facts.load import load
from kg.facts.reading.rows import texts
from kg.facts.values.naming import names_of
from kg.facts.values.text import slugify
from kg.start.new_site import new_site, untouched

SITE, CVS = "data/site.yaml", "data/cv/"


@dataclass
class Imported:
    """The texts of files to write, by their path in the site; what was read, and what is left."""

    texts: dict[str, str] = field(default_factory=dict)
    read: list[tuple[str, str]] = field(default_factory=list)  # files, each with its format
    unread: list[str] = field(default_factory=list)  # why files of a folder were not read
    left: list[Left] = field(default_factory=list)
    placed: int = 0
    differences: list[tuple[Place, str]] = field(
        default_factory=list
    )  # what the author has instead
    is_update: bool = False  # of files that were imported before

    @property
    def shown(self) -> dict[str, str]:
        """The texts that an author looks at."""
        return {path: text for path, text in self.texts.items() if not path.startswith(RECORDS)}


def import_files(
    paths: Iterable[Path], site: Path, format_name: str = "", person: str = ""
) -> Imported:
    """What the files at some paths add to a site, which need not exist yet; nothing is written."""
    imported = Imported()
    files = list(paths)
    drafts = [draft for path in files for draft in read_path(path, format_name, imported)]
    source = "-".join(sorted({path.resolve().name for path in files}))
    name = next((draft.name for draft in drafts if draft.name), "")
    begun = untouched(site) if name else {}
    owners = {} if begun else owners_of(site)
    for key, draft in joined(drafts, owners, person).items():
        with knowing_whose(draft, owners.get(key, {})):
            add_own_names(draft)
            make_distinct(draft)
            refuse(draft)
        imported.placed += len([*values_in([draft.cv, draft.entries])])
        imported.left += draft.left
        change = changes(draft, key, site, source)
        imported.texts |= change.texts
        imported.differences += change.differences
        imported.is_update |= change.is_update
    if imported.texts and (begun or not (site / SITE).exists()):
        own = {path: text for path, text in new_site(name).items() if not path.startswith(CVS)}
        wanted = {path: text for path, text in own.items() if not (site / path).exists()}
        imported.texts = {**wanted, **renamed(begun, own), **imported.texts}
    imported.texts = dict(sorted(imported.texts.items(), key=place_in_order))
    return imported


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
    for source in found:
        try:
            known = named(format_name) if format_name else recognised(source)
            if known is None or (len(found) > 1 and not known.looks(source)):
                imported.unread.append(f"{source.name}: not read, for its format is not known.")
                continue
            drafts += known.read(source)
            imported.read.append((source.name, known.title))
        except NotImported as error:
            if len(found) == 1:
                raise
            imported.unread.append(str(error))
    if not drafts:
        raise NotImported(unknown(path, len(found)))
    return drafts


def renamed(begun: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """The files of a site that nobody has written in yet, for the person who has one now; the CV of
    nobody goes.
    """
    return {path: own.get(path, "") for path in begun}


@contextmanager
def knowing_whose(draft: Draft, basics: Mapping[str, Any]) -> Iterator[None]:
    """A draft that names nobody has the names of the CV that it belongs to for as long as the block
    lasts; of these, those that are new stay.
    """
    if draft.name or not basics:
        yield
        return
    known = texts(basics, "alternateNames")
    lent = filled({"name": basics.get("name"), "alternateNames": [*known]})
    own = draft.cv.pop("basics", {})
    draft.cv = {"basics": {**lent, **own}, **draft.cv}
    yield
    found = draft.cv.pop("basics", {})
    names = texts(found, "alternateNames")
    found["alternateNames"] = [name for name in names if name not in known]
    left = filled({name: value for name, value in found.items() if name != "name"})
    draft.cv = filled({"basics": left, **draft.cv})


def owners_of(site: Path) -> dict[str, Mapping[str, Any]]:
    """Those who have a CV in the site, by key, with what is known of them."""
    if not (site / SITE).exists():
        return {}
    facts = load(site)
    return {key: facts.names.people.get(key, {}) for key in sorted(facts.owners)}


def known_as(basics: Mapping[str, Any]) -> set[str]:
    """By what a person is known: an ORCID, and names."""
    profiles = basics.get("profiles")
    accounts = [
        {"orcid": each.get("username") or each.get("url")}
        for each in (profiles if isinstance(profiles, list) else ())
        if isinstance(each, Mapping) and str(each.get("network")).lower() == "orcid"
    ]
    found = (pair for each in (basics, *accounts) for pair in identifiers(each))
    return {*(value for scheme, value in found if scheme == "orcid"), *names_of(basics)}


def joined(
    drafts: list[Draft], owners: Mapping[str, Mapping[str, Any]], person: str
) -> dict[str, Draft]:
    """The drafts of each person as one, by the key of the CV. What names nobody belongs to the one
    whom the others name, or whose site it is.
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
    """Names the owner where a work is signed by whoever that is."""
    for work in draft.cv.get("publications", ()):
        authors = work.get("authors") if isinstance(work, dict) else None
        if isinstance(authors, list):
            work["authors"] = [each.became(name) if each == OWNER else each for each in authors]


def nobody(several: list[str]) -> str:
    if several:
        return f"Whose CV is it? Say --person {' or --person '.join(sorted(several))}."
    return (
        "The files tell no name. Import them together with a CV that does, or into a site that "
        'has one: kg new mysite --name "Your Name", then kg import … --into mysite.'
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
        mine = have.get(name)
        if isinstance(mine, dict) and isinstance(value, dict):
            join_fields(draft, mine, value)
        elif isinstance(mine, list) and isinstance(value, list):
            join_entries(draft, name, mine, value)
        elif mine is None and not instead_of(name, have):
            have[name] = value
        elif mine != value:
            draft.leave(values_in(value), "another file has another value")


def join_entries(draft: Draft, section: str, have: list[Any], more: list[Any]) -> None:
    """Adds entries that are not there, and to those that are there what they lack."""
    same = KnownThings().pairs(section, more, have)
    for number, item in enumerate(more):
        there = have[same[number]] if number in same else None
        if there is None:
            have.append(item)
        elif isinstance(there, dict) and isinstance(item, dict):
            join_fields(draft, there, item)
