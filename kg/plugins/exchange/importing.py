"""Imports files of other formats into a site: read, find the person, remove invalid values, merge.

Nothing is written here; the result holds the new texts of the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import unquote

from kg.cli.new_site import new_site
from kg.errors import Place, counted
from kg.facts.load import load
from kg.facts.site_file import read_site
from kg.facts.values.languages import ENGLISH
from kg.facts.values.naming import names_of
from kg.facts.values.text import is_web_address, slugify
from kg.facts.yaml.rows import texts
from kg.plugins.exchange.author_names import (
    add_own_names,
    drop_unsigned,
    is_same_person,
    own_names,
    signatures,
    words,
    works_in,
)
from kg.plugins.exchange.cv_language import add_language
from kg.plugins.exchange.draft import (
    MOST_ENTRIES,
    OWNER,
    Draft,
    Request,
    TooManyEntries,
    Unplaced,
    Value,
    values_in,
    with_leaves,
    without_empty,
    without_first_day,
)
from kg.plugins.exchange.edits.entry_matching import identifiers
from kg.plugins.exchange.edits.into_site import RECORDS, Change, Edit, changes
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.exchange.fields import one_or_all, set_expected_ends
from kg.plugins.exchange.formats import (
    Checkout,
    checkout_in,
    detect_format,
    format_named,
    scheme_named,
    unknown_format,
)
from kg.plugins.exchange.line_entries import tidy_notation
from kg.plugins.exchange.markup import plain as plain_text
from kg.plugins.exchange.organizations import known_organizations, tidy_organizations
from kg.plugins.exchange.readers import hugo_blox
from kg.plugins.exchange.samples import is_sample_person, leave_samples
from kg.plugins.exchange.source_files import NotImported, SourceFile, sources
from kg.plugins.exchange.studies import place_studies
from kg.plugins.exchange.tidy_works import place_editions, tidy_works
from kg.plugins.exchange.unsaved import drop_invalid
from kg.plugins.prose.notices import is_language_switch, is_notice
from kg.text.person_names import guessed
from kg.text.transliterate import plain

SITE, CVS = "data/site.yaml", "data/cv/"
FIRST_DAYS = ("hugo-blox", "al-folio")  # formats whose dates need a day
MOST_NAMED = 5  # skipped files that are named one by one
IN_FOLDER = "//"  # between a folder and the path of a file in it, in the record of imports
# Files of themes in which people also keep parts of their CV.
PAGE_OF_CV = re.compile(
    r"(?:^|/)(?:content/(?:[a-z]{2}(?:-[a-z]{2,4})?/)?_index|_data/(?:cv|resume)"
    r"|(?:content|_pages|_projects|_teachings?|_talks)"
    r"/(?!(?:.*/)?(?:posts?|blog|authors?)/)(?:.*/)?_?(?:experience|education|accomplish|award"
    r"|skill|teach|course|project|talk|event|service|funding|grant|media).*)"
    r"\.(?:md|markdown|ya?ml|json)$"
    r"|(?:^|/)_(?:projects|teachings?|talks)/.*\.(?:md|markdown)$"
    r"|(?:^|/)publications?\.markdown$",
    re.IGNORECASE,
)
FILE_FIELDS = ("pdf", "slides", "poster", "video")


class Contact(NamedTuple):
    """An email address or phone number in the CV at `path`."""

    field: str
    value: str
    path: str
    is_public: bool

    def message(self, site: Path) -> str:
        where = f"write in {site / self.path}: {self.field}:"
        if self.is_public:
            return (
                f"{self.value} is shown on the page, as on the imported site. To hide it, {where} "
                f"{self.value}"
            )
        return (
            f"{self.value} is not shown on the page. To show it, {where} "
            f"{{value: {self.value}, visibility: public}}"
        )


@dataclass
class Imported:
    """The result of an import: texts of files to write, by path, and a report."""

    texts: dict[str, str] = field(default_factory=dict)
    read: list[tuple[str, str]] = field(default_factory=list)  # (file, title of its format)
    unread: list[str] = field(default_factory=list)  # messages about skipped files
    left: list[Unplaced] = field(default_factory=list)
    placed: int = 0
    entries: dict[str, int] = field(default_factory=dict)  # numbers of entries by section
    differences: list[tuple[Place, str]] = field(
        default_factory=list
    )  # where the author's value was kept
    is_update: bool = False  # whether the files were imported before
    contacts: list[Contact] = field(default_factory=list)  # of new CVs

    @property
    def shown(self) -> dict[str, str]:
        """The texts without the records in `data/.imported/`."""
        return {path: text for path, text in self.texts.items() if not path.startswith(RECORDS)}


def import_files(
    paths: Iterable[Path | str],
    site: Path,
    format_name: str = "",
    person: str = "",
    today: str = "",
    request: Request | None = None,
) -> Imported:
    """Computes what files add to a new or existing site, without writing anything. A `str` is an
    identifier, which is fetched as `request` says.

    Without `today`, no date counts as future.
    """
    imported = Imported()
    files, request = list(paths), request or Request(today)
    drafts = [
        draft
        for path in files
        for draft in (
            fetch(path, request, imported)
            if isinstance(path, str)
            else read_path(path, format_name, imported)
        )
    ]
    drafts = of_person(drafts, slugify(person), imported)
    for draft in drafts:
        place_studies(draft)
    drafts.sort(key=lambda each: not each.name)
    name = next((each.name for each in drafts), "")
    begun = unedited_files(site) if name else {}
    owners, people = ({}, {}) if begun else people_of(site)
    key = owner_of(drafts, owners, slugify(person), people, site)
    basics = owners.get(key, {})
    leave_works_of_others(drafts, basics)
    known, default = known_organizations(site), language_of_site(site)
    for each in drafts:
        tidy_organizations(each, known)
        add_language(each, default)
    record = ImportRecord.of(site, key)
    before, imported.is_update = record.joined(key), record.add(drafts)
    now = record.joined(key) or Draft()
    draft, change = prepare_change(now, basics, key, site, today, before=before)
    imported.placed = sum(map(is_new, values_in([draft.cv, draft.entries])))
    for section, entries in draft.cv.items():
        is_list = isinstance(entries, list)
        if number := is_list and sum(any(map(is_new, values_in(each))) for each in entries):
            imported.entries[section] = number
    imported.left = [each for each in (*draft.left, *change.left) if is_new(each.value)]
    imported.texts = {**change.texts, **record.text()}
    imported.differences = change.differences
    path = f"{CVS}{key}.yaml"
    if path in change.texts and not (site / path).exists():
        found = contacts(draft, path)
        imported.contacts = [each for each in found if each.value in change.texts[path]]
    if imported.shown and (begun or not (site / SITE).exists()):
        own = {path: text for path, text in new_site(name).items() if not path.startswith(CVS)}
        if not begun:  # only the author can give a licence
            own[SITE] = own[SITE].replace("\nlicense:", "\n# license:")
        wanted = {path: text for path, text in own.items() if not (site / path).exists()}
        # The placeholder CV gets an empty text, which deletes it.
        imported.texts = {**wanted, **{path: own.get(path, "") for path in begun}, **imported.texts}
    imported.texts = dict(sorted(imported.texts.items(), key=write_order))
    return imported


def prepare_change(
    read: Draft,
    basics: Mapping[str, Any],
    key: str,
    site: Path,
    today: str,
    edit: Edit | None = None,
    before: Draft | None = None,
) -> tuple[Draft, Change]:
    """Removes invalid values from a draft and merges it into the site. `before` is the draft of
    the last import of this person.

    In an existing site, the merged result is checked first. Only if that has errors, the draft is
    also fully checked alone, which finds the invalid values.
    """
    for is_checked in (False, True) if (site / SITE).exists() else (True,):
        draft, old = read.copy(), before.copy() if before else None
        for each in (draft, old) if old else (draft,):
            with with_owner_names(each, basics):
                add_own_names(each)
                set_expected_ends(each, today)
                drop_invalid(each, today, in_full=is_checked)
        change = changes(draft, key, site, old, is_checked, edit)
        if not change.is_refused:
            break
    return draft, change


def contacts(draft: Draft, path: str) -> Iterator[Contact]:
    for name in ("email", "phone"):
        found = draft.cv.get("basics", {}).get(name, [])
        for each in found if isinstance(found, list) else [found]:
            fields = each if isinstance(each, dict) else {"value": each}
            if "value" in fields:
                is_public = fields.get("visibility") == "public"
                yield Contact(name, str(fields["value"]), path, is_public)


def write_order(item: tuple[str, str]) -> tuple[bool, ...]:
    """Sort key for an order in which a killed import can be repeated.

    A CV comes after the entries it refers to, `site.yaml` after the other files of a new site, then
    the removal of the placeholder CV, and last the record of the import.
    """
    path, text = item
    return path.startswith(RECORDS), path.startswith(CVS), path == SITE, bool(text)


def fetch(identifier: str, request: Request, imported: Imported) -> list[Draft]:
    """Asks a service for what an identifier names: `orcid:0000-0002-1825-0097`."""
    scheme, _, rest = identifier.partition(":")
    known = scheme_named(scheme, identifier)
    if known.fetch is None:
        raise NotImported(f"'{scheme}' cannot be fetched. Give a file.")
    found = known.fetch(rest, request)
    for draft in found.drafts:
        draft.source = identifier
        tidy_works(draft, "")
    imported.read.append((identifier, known.title))
    imported.unread += found.notes
    return found.drafts


def read_path(path: Path, format_name: str, imported: Imported) -> list[Draft]:
    """Reads a file, or all files of a folder or zip file that have a known format."""
    drafts, found, failed = list[Draft](), [*sources(path)], list[str]()
    checkout = None if format_name else checkout_in(found)
    addresses = checkout.addresses if checkout else None
    unknown, pages = list[str](), dict[str, list[Draft]]()
    owner, cv, keys = "", "", set[str]()  # `keys` are what works call the owner
    for source in checkout.files if checkout else found:
        try:
            known = format_named(format_name) if format_name else detect_format(source)
            if known is None or (len(found) > 1 and not known.matches(source)):
                unknown.append(source.name)
                continue
            read = [*known.read(source)]
            if checkout:
                name = next((draft.name for draft in read if draft.name), "")
                if why := reason_to_skip(checkout, source, read, (owner, name, cv)):
                    imported.unread.append(f"{source.name}: skipped, because {why}.")
                    continue
                is_cv = source in checkout.cvs
                cv, keys = (source.name, keys | hugo_blox.keys_of(source)) if is_cv else (cv, keys)
                owner = name if name and is_cv and not name.isupper() else owner or name
            for draft in read:
                fill_in_owner(draft, OWNER, keys)
                tidy(draft, source, addresses)
                folder = path.resolve().name
                is_alone = source.name == str(path)
                draft.source = folder if is_alone else f"{folder}{IN_FOLDER}{source.path}"
                forget_first_days(draft, source, known.name if not checkout else FIRST_DAYS[0])
            if checkout:
                folder, _, file = source.path.rpartition("/")
                hugo_blox.join_citation(read, pages.get(folder, []), owner)
                pages |= {folder: read} if file == "index.md" else {}
            drafts += read
            if sum(draft.size for draft in drafts) > MOST_ENTRIES:
                raise TooManyEntries
            imported.read.append((source.name, known.title))
        except TooManyEntries as error:  # a partial import would lose entries
            raise TooManyEntries(source.name) from error
        except NotImported as error:
            if len(found) == 1:
                raise
            failed.append(str(error))
    move_to_alternate_names(drafts, owner)
    imported.unread += [*failed, *skipped(unknown)]
    if checkout:
        rest = [each.path for each in found if each not in checkout.files]
        imported.unread += unread_of_site(f"{path}: {checkout.title} site.", rest, drafts)
    if not drafts:
        why = "\n".join(failed[:MOST_NAMED])
        raise NotImported(why or unknown_format(path, len(found)))
    return drafts


def tidy(draft: Draft, source: SourceFile, addresses: Mapping[str, str] | None) -> None:
    """Leaves out samples and notices, and normalises works, notations and addresses in place."""
    if not is_sample_person(draft.name):
        leave_samples(draft)
    leave_notices(draft)
    tidy_works(draft, source.text)
    tidy_notation(draft)
    use_addresses(draft, addresses)


def forget_first_days(draft: Draft, source: SourceFile, name: str) -> None:
    """Keeps only the year or month of dates on a first day, in formats that need a day; not the
    days of news, and those of a bibliography beside the pages.
    """
    if name in FIRST_DAYS and not source.path.endswith(".bib"):
        draft.cv = {
            section: value if section == "news" else with_leaves(value, without_first_day)
            for section, value in draft.cv.items()
        }


def leave_notices(draft: Draft) -> None:
    """Lists lines of the summary that are about the page: its languages, its last change."""
    basics = draft.cv.get("basics", {})
    if isinstance(text := basics.get("summary"), Value):
        lines = [text.with_text(line) for line in text.split("\n")]
        shown = [line for line in lines if not is_notice(plain_text(line))]
        shown = [line for line in shown if not is_language_switch(plain_text(line))]
        draft.leave([line for line in lines if line not in shown], "notice of the page")
        if len(shown) < len(lines):
            basics["summary"] = text.with_text("\n".join(shown).strip())
            draft.cv["basics"] = without_empty(basics)


def reason_to_skip(
    checkout: Checkout, source: SourceFile, read: list[Draft], names: tuple[str, str, str]
) -> str:
    """Why a file of an imported site is not used. `names` has the name of its owner, the one in
    this file, and the file that is the CV.
    """
    owner, name, cv = names
    if owner and name and not is_same_person(owner, name):
        return f"it names {name}, not {owner}"
    is_cv = checkout.has_sample_cv and source in checkout.cvs
    if is_cv and not all(map(leave_samples, read)) and (not name or is_sample_person(name)):
        return "it is the sample CV of the theme"
    return f"{cv} is the CV" if source in checkout.cvs and cv else ""


def skipped(names: list[str]) -> list[str]:
    """Messages about files of unknown format: one for each, or one for all if there are many."""
    if len(names) > MOST_NAMED:
        names = [f"{names[0]} and {len(names) - 1} other files"]
    return [f"{name}: skipped, because the format is unknown." for name in names]


def unread_of_site(site: str, paths: list[str], drafts: list[Draft]) -> Iterator[str]:
    """Messages about the files of a site that are not read; those that may belong to the CV are
    named; and about people whom no work names, who are removed from `drafts`.
    """
    named = [each for each in paths if PAGE_OF_CV.search(each)]
    if named:
        more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        shown = ", ".join(named[:MOST_NAMED])
        yield f"{site} Not read: {shown}{more}. Copy what belongs to the CV."
    if rest := len(paths) - len(named):
        others = counted(rest, "file that is", "files that are")
        yield f"{site} Skipped {others} not part of a CV."
    if people := drop_strangers(drafts):
        who = counted(people, "person whom", "people whom")
        yield f"{site} Skipped {who} no work names."


def drop_strangers(drafts: list[Draft]) -> int:
    """Removes the people of a site whom no work names, by name or key; returns their number."""
    works = (work for each in drafts for work in works_in(each))
    called = {slugify(name) for work in works for name in signatures(work)}
    strangers = [
        each
        for each in drafts
        for key, person in each.entries.get("people", {}).items()
        if not called & {key, slugify(person["name"])}
    ]
    drafts[:] = [each for each in drafts if each not in strangers]
    return len(strangers)


def use_addresses(draft: Draft, addresses: Mapping[str, str] | None) -> None:
    """Replaces names of files of an imported site by their addresses; lists files it does not have.

    `addresses` is None if no site is imported.
    """
    if addresses is None:
        return
    basics = draft.cv.get("basics", {})
    for entry in (basics, *draft.cv.get("publications", ())):
        for name in ("image", *FILE_FIELDS) if isinstance(entry, dict) else ():
            value = entry.get(name)
            if not isinstance(value, Value) or is_web_address(value):
                continue
            if found := addresses.get(value.removeprefix("/")):
                entry[name] = value.with_text(found)
            else:
                draft.leave([entry.pop(name)], "file that is not in the imported site")


def file_addresses(drafts: Iterable[Draft]) -> dict[str, str]:
    """The addresses of files in drafts of an imported site, by the ends of their paths."""
    entries = (entry for each in drafts for entry in each.cv.get("publications", ()))
    urls = (entry[name] for entry in entries for name in FILE_FIELDS if name in entry)
    found = dict[str, str]()
    for url in map(str, urls):
        parts = url.split("/")
        found |= {unquote("/".join(parts[-number:])): url for number in range(1, len(parts))}
    return found


def move_to_alternate_names(drafts: list[Draft], owner: str) -> None:
    """Moves other spellings of the name of a site's owner to `alternateNames`. One in another order
    says which part of the name is the family name: `Cheng Wang` of `Wang Cheng`.
    """
    for draft in drafts:
        if owner and draft.name and draft.name != owner:
            basics = draft.cv["basics"]
            if sorted(words(draft.name)) == sorted(words(owner)) != words(owner):
                parts = guessed(draft.name)
                basics.setdefault("familyName", basics["name"].with_text(parts.family))
                basics.setdefault("givenName", basics["name"].with_text(parts.given))
            basics["alternateNames"] = [basics["name"], *basics.get("alternateNames", ())]
            basics["name"] = basics["name"].with_text(owner)


@contextmanager
def with_owner_names(draft: Draft, basics: Mapping[str, Any]) -> Iterator[None]:
    """Temporarily gives a draft without a name the names of its CV.

    Afterwards only the names stay under which the person signed works of the draft. They stay even
    if the CV has them already, so that importing the file again yields the same draft.
    """
    if draft.name or not basics:
        yield
        return
    known = texts(basics, "alternateNames")
    lent = without_empty({"name": basics.get("name"), "alternateNames": [*known]})
    own = draft.cv.pop("basics", {})
    draft.cv = {"basics": {**lent, **own}, **draft.cv}
    yield
    signed = own_names(draft)
    found = draft.cv.pop("basics", {})
    names = texts(found, "alternateNames")
    others = [name for name in names if name not in (*known, *signed)]
    found["alternateNames"] = [*others, *(name for name in signed if name in names)]
    left = without_empty({name: value for name, value in found.items() if name != "name"})
    draft.cv = without_empty({"basics": left, **draft.cv})


def people_of(site: Path) -> tuple[dict[str, Mapping[str, Any]], Mapping[str, Mapping[str, Any]]]:
    """The `basics` of everyone with a CV in the site, and the entries of all people, by key."""
    if not (site / SITE).exists():
        return {}, {}
    facts = load(site)
    people = facts.names.people
    return {key: people.get(key, {}) for key in sorted(facts.owners)}, people


def language_of_site(site: Path) -> str:
    """The language of the CVs of a site, which they need not state."""
    found = read_site(site)[0] if (site / SITE).exists() else None
    return (found and found.language) or ENGLISH


def contact_of(site: Path) -> str:
    """The contact that a site gives in `site.yaml`; empty if there is none."""
    found = read_site(site)[0] if (site / SITE).exists() else None
    return (found and found.contact) or ""


class Identity:
    """What identifies a person: the ORCID, the names, and the addresses of mail and home page."""

    def __init__(self, basics: Mapping[str, Any]) -> None:
        profiles = basics.get("profiles")
        accounts = [
            {"orcid": each.get("username") or each.get("url")}
            for each in (profiles if isinstance(profiles, list) else ())
            if isinstance(each, Mapping) and str(each.get("network")).lower() == "orcid"
        ]
        found = (pair for each in (basics, *accounts) for pair in identifiers(each))
        self.orcids = {value for scheme, value in found if scheme == "orcid"}
        self.names = {*map(plain, names_of(basics))}
        addresses = (*texts(basics, "email"), *texts(basics, "url"))
        self.addresses = {each.lower().strip().rstrip("/") for each in addresses}

    def is_same(self, other: Identity) -> bool:
        """Whether both are one person. Names do not count if the ORCIDs differ, nor addresses with
        other names, such as those of a template.
        """
        if self.orcids and other.orcids:
            return bool(self.orcids & other.orcids)
        if self.names & other.names:
            return True
        names = ((one, two) for one in self.names for two in other.names)
        return bool(self.addresses & other.addresses) and any(
            is_same_person(*pair) for pair in names
        )


def of_person(drafts: list[Draft], person: str, imported: Imported) -> list[Draft]:
    """The drafts without those of other people in a file that has the person's, too."""
    own = {each.source for each in drafts if person and slugify(each.name) == person}
    others = [
        each for each in drafts if each.source in own and each.name and slugify(each.name) != person
    ]
    imported.unread += [f"{each.name} in {each.source}: skipped; not {person}." for each in others]
    return [each for each in drafts if each not in others]


def owner_of(
    drafts: Iterable[Draft],
    owners: Mapping[str, Mapping[str, Any]],
    person: str,
    others: Mapping[str, Mapping[str, Any]],
    site: Path,
) -> str:
    """The key of the person whose CV the drafts are.

    A draft without a name belongs to the person of the other drafts, or to the only person of the
    site. `others` are people of the site without a CV.
    """
    found: dict[str, Draft] = {}
    people = {key: [Identity(basics)] for key, basics in {**others, **owners}.items()}
    for draft in drafts:
        known = Identity(draft.cv.get("basics", {}))
        same = [key for key, each in people.items() if any(map(known.is_same, each))]
        if person or draft.name or same:
            key = person or (same[0] if len(same) == 1 else free_key(draft.name, same, people))
            people.setdefault(key, []).append(known)
            found.setdefault(key, draft)
    if len(found) > 1:
        raise NotImported(several_people(found, site))
    keys = [*found] or [*owners]
    if len(keys) != 1 or (keys[0] not in owners and not any(each.name for each in drafts)):
        raise NotImported(unknown_owner([*owners]))
    return keys[0]


def several_people(found: Mapping[str, Draft], site: Path) -> str:
    files = [f"  {each.name}: {next(values_in(each.cv)).place.file}" for each in found.values()]
    how = f"Import each CV alone: kg import FILE --into {site}"
    but = f"For one person of a file, or if all are the same, add --person {next(iter(found))}."
    return "\n".join(["The files are CVs of several people:", *files, how, but])


def leave_works_of_others(drafts: list[Draft], basics: Mapping[str, Any]) -> None:
    """Leaves out works that the person did not sign, from drafts without a name."""
    for number, draft in enumerate(drafts):
        if not draft.name:
            cvs = [each.cv for each in drafts[:number]]
            own = {**basics, **(cvs[0].get("basics", {}) if cvs else {})}
            drop_unsigned(draft, own, [work for cv in cvs for work in cv.get("publications", ())])


def free_key(name: str, same: list[str], taken: Container[str]) -> str:
    """The key of a person: with a number if somebody else has it."""
    slug, number = slugify(name), 1
    while not same and (f"{slug}-{number}" if number > 1 else slug) in taken:
        number += 1
    return f"{slug}-{number}" if number > 1 else slug


def fill_in_owner(draft: Draft, name: str, keys: Collection[str] = (OWNER,)) -> None:
    """Replaces the placeholder OWNER, or a key of the person, by the name in lists of authors."""
    own = (*keys, slugify(name))
    draft.left = [
        Unplaced(value.with_text(value.replace(OWNER, name)), why.replace(OWNER, name), section)
        for value, why, section in draft.left
    ]
    for work in draft.cv.get("publications", ()):
        written = work.get("authors") if isinstance(work, dict) else None
        authors: list[Any] = written if isinstance(written, list) else []
        for number, each in enumerate(authors):
            if each in own:
                authors[number] = each.with_text(name)
            elif isinstance(each, dict) and each.get("as") in own:
                each["as"] = each["as"].with_text(name)
            elif isinstance(each, dict) and is_same_person(str(each.get("organization")), name):
                authors[number] = each["organization"]  # a person in braces


def unknown_owner(several: list[str]) -> str:
    if several:
        return (
            f"Cannot tell whose CV this is. Use --person {' or --person '.join(sorted(several))}."
        )
    return (
        "The files do not say whose CV this is. Import them together with a CV, or into a site "
        'that has one: kg new mysite --name "Your Name", then kg import … --into mysite.'
    )


def is_new(value: Value) -> bool:
    """Whether a value was read now, and not in an earlier import."""
    return value.place.line > 0


class ImportRecord:
    """What each file contained when it was last imported for a person, in the order of the first
    imports. All of them are joined again at each import, so that a file can be imported alone.

    The name of a file in a folder is `FOLDER//PATH`.
    """

    def __init__(self, path: str, drafts: dict[str, list[Draft]], noted: str) -> None:
        self.path, self.drafts, self.noted = path, drafts, noted

    @classmethod
    def of(cls, site: Path, key: str) -> Self:
        path = f"{RECORDS}/{key}.json"
        noted = (site / path).read_text(encoding="utf-8") if (site / path).exists() else ""
        drafts = {
            name: [Draft(**with_leaves(each, partial(recorded, name))) for each in found]
            for name, found in json.loads(noted or "{}").items()
        }
        return cls(path, drafts, noted)

    def add(self, read: list[Draft]) -> bool:
        """Replaces the drafts of the files that were read now; whether any was known."""
        names = {each.source: self.known_name(each.source) for each in read}
        folders = tuple(name[: name.find(IN_FOLDER) + 2] for name in names if IN_FOLDER in name)
        gone = [
            each
            for each in self.drafts
            if folders and each.startswith(folders) and each not in names.values()
        ]
        is_known = bool(gone or self.drafts.keys() & {*names.values()})
        for name in gone:
            del self.drafts[name]
        for source, name in names.items():
            drafts = [each for each in read if each.source == source]
            if name != source:
                addresses = file_addresses(self.drafts[name])
                for each in drafts:
                    use_addresses(each, addresses)
            self.drafts[name] = drafts
        return is_known

    def known_name(self, name: str) -> str:
        """The recorded name of a file that was imported in a folder before, or without it."""
        for each in () if name in self.drafts else self.drafts:
            short, long = sorted((each, name), key=len)
            is_in_folder = IN_FOLDER in long and IN_FOLDER not in short
            if is_in_folder and long.endswith(f"/{short}"):
                return each
        return name

    def joined(self, key: str) -> Draft | None:
        """The draft of all files; None if there are none."""
        if not self.drafts:
            return None
        first, *others = (each.copy() for found in self.drafts.values() for each in found)
        for each in others:
            join(first, each)
        fill_in_owner(first, first.name or key)
        place_editions(first)
        return first

    def text(self) -> dict[str, str]:
        """The file of the record by its path, if it has changed."""
        content = {
            name: [{"cv": each.cv, "entries": each.entries} for each in found]
            for name, found in self.drafts.items()
        }
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        return {self.path: text} if text != self.noted else {}


def recorded(source: str, leaf: Any) -> Any:
    """A value of an earlier import; it has no line."""
    return Value.of(leaf, Place(source, 0, 0), "") if isinstance(leaf, str) else leaf


def join(draft: Draft, other: Draft) -> None:
    """Adds the content of another draft; where both have a value, the first is kept."""
    joining = Joining()
    show_public_addresses(draft, other)
    draft.cv = joining.fields(draft.cv, other.cv)
    draft.left += [*other.left, *joining.unplaced()]
    for kind, entries in other.entries.items():
        for key, entry in entries.items():
            draft.entries.setdefault(kind, {}).setdefault(key, entry)


def show_public_addresses(*drafts: Draft) -> None:
    """Shows an email address that one source shows, even if another does not."""
    basics = [each.cv["basics"] for each in drafts if "email" in each.cv.get("basics", {})]
    for each in basics:
        each["email"] = each["email"] if isinstance(each["email"], list) else [each["email"]]
    mails = [mail for each in basics for mail in each["email"] if isinstance(mail, dict)]
    shown = {mail["value"]: mail for mail in mails if mail.get("visibility") == "public"}
    for each in basics:
        values = [mail.get("value") if isinstance(mail, dict) else mail for mail in each["email"]]
        found = [shown.get(value, mail) for value, mail in zip(values, each["email"], strict=True)]
        each["email"] = one_or_all(found)


def unedited_files(folder: Path) -> dict[str, str]:
    """The files that are unchanged since `kg new`; empty if the CV was edited."""
    files = new_site()
    cv = next(path for path in files if path.startswith("data/cv/"))
    found = {
        path: text
        for path, text in files.items()
        if (folder / path).is_file() and (folder / path).read_bytes() == text.encode()
    }
    others = [*(folder / "data/cv").glob("[!.]*")]  # without temporary files of a killed import
    return found if cv in found and len(others) == 1 else {}
