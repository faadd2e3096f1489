"""Similar names for `kg reconcile`: proposes the pairs, and writes a decision.

`H. Lind`, `Lind Hana` and `Хана Линд` may be Hana Lind. Names of people are compared within blocks
of one family name and first initial, so that the time grows with the site. People with different
ORCIDs or with a common work are two people, and so are people who both have an entry; of entries,
only those that an import has numbered (`J. Kim (2)`) are compared.

"Same" adds the name to the `alternateNames` of an entry; "different" accepts the similarity with a
reason, or gives a person an entry of their own. Both are lines in a file; delete the line to undo
the decision.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

from anyascii import anyascii

from kg.advice.likeness import LikelyPair, likely_pairs
from kg.errors import KgError, Place, counted
from kg.facts.files import Files, read_files
from kg.facts.load import Facts, SiteIndex, load
from kg.facts.models import REGISTRIES
from kg.facts.models.careers import Position
from kg.facts.models.publications import Publication
from kg.facts.site_file import read_site
from kg.facts.values.naming import TITLED, names_of
from kg.facts.values.text import address_slug
from kg.facts.yaml.rows import Row, flow
from kg.plugins.bibliography.work_records import without_marks
from kg.plugins.exchange.author_names import letter_count, parts_of
from kg.plugins.exchange.edits.into_site import errors_with, read_text
from kg.plugins.exchange.edits.splice import CannotSplice, Edits, require_unshared
from kg.plugins.exchange.yaml_text import file_text
from kg.text.normalize import letters

Decision = Literal["same", "different"]
RULE = "near-name"
NUMBERED = re.compile(r" \(\d+\)$")
CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")  # anyascii writes 王伟 as WangWei
# Letters that transliterations write differently: Müller and Mueller, Yury and Iurii, Hanna.
LETTERS = str.maketrans("yj", "ii")
SILENT = re.compile(r"(?<=[aou])e|k(?=h)|(.)(?=\1)")
MOST_NAMED = 3  # people or works that the evidence names


class PersonPair(NamedTuple):
    """A printed name that may be somebody else's, and why."""

    name: str
    place: Place
    slug: str
    other: str
    other_place: Place
    evidence: str
    entry: str = ""  # key of the numbered entry that has the name
    kind: str = "people"


@dataclass
class Printed:
    """A person as the site prints them."""

    slug: str
    name: str
    place: Place
    rank: int = 0  # 2 for an entry, 1 for a numbered one, 0 for a name alone
    orcid: str = ""
    names: set[str] = field(default_factory=set)
    works: dict[str, tuple[str, int]] = field(default_factory=dict)  # key -> title, position
    partners: set[str] = field(default_factory=set)
    organizations: dict[str, str] = field(default_factory=dict)  # key -> name


class Reading(NamedTuple):
    """A name as family name and given names or initials, in comparable letters."""

    family: str
    given: tuple[str, ...]
    is_turned: bool = False  # `Lind Hana`

    def fits(self, other: Reading) -> bool:
        """Whether given names are equal or abbreviated; `Jin` does not abbreviate `Jinho`."""
        if self.family != other.family or (self.is_turned and other.is_turned):
            return False
        if "".join(self.given) == "".join(other.given):
            return True
        pairs = (sorted(pair, key=len) for pair in zip(self.given, other.given, strict=False))
        return not (self.is_turned or other.is_turned) and all(
            short in (long, long[0]) for short, long in pairs
        )


def readings(name: str) -> set[Reading]:
    """How a name can be read: `Hana Lind` with either word as the family name."""
    text = NUMBERED.sub("", without_marks(name)[0])
    text = text if text.isascii() else CAPITAL.sub(" ", anyascii(text))
    given, family = parts_of(text)
    if not given or not family:
        return set()
    found = {Reading(fold(family), tuple(map(fold, given)))}
    if len(given) == 1 and len(given[0]) > 1 and "," not in text:
        found.add(Reading(fold(given[0]), (fold(family),), is_turned=True))
    return found


def fold(word: str) -> str:
    return SILENT.sub("", word.translate(LETTERS))


def printed_people(facts: Facts) -> dict[str, Printed]:
    """Everyone who has an entry or is an author, by slug."""
    found: dict[str, Printed] = {}
    for slug, row in facts.names.people.items():
        name = str(row.get("name") or slug)
        place = row.at("name") if isinstance(row, Row) and "name" in row else Place("")
        rank, orcid = 1 if NUMBERED.search(name) else 2, str(row.get("orcid") or "")
        found[slug] = Printed(slug, name, place, rank, orcid, {*names_of(row)})
    for loaded, job in facts.of(Position):
        if loaded.slug in found:
            found[loaded.slug].organizations[job.organization.slug] = job.organization.name
    for loaded, work in facts.of(Publication):
        here = dict[str, int]()
        for number, each in enumerate(work.authors):
            if not (slug := each.signer):
                continue
            new = Printed(slug, each.printed, loaded.row.at("authors", number), 0, each.orcid or "")
            found.setdefault(slug, new).names.add(each.printed)
            here.setdefault(slug, number)
        title = letters(str(work.title))
        for slug, number in here.items():
            found[slug].works[loaded.slug] = title, number
            found[slug].partners.update(here.keys() - {slug})
    return found


def fitting_people(people: dict[str, Printed]) -> dict[str, dict[str, bool]]:
    """Slug -> slugs of those whom it may be -> whether a full name fits."""
    blocks: dict[tuple[str, str], set[str]] = defaultdict(set)
    read = {
        slug: {each for name in one.names for each in readings(name)}
        for slug, one in people.items()
    }
    for slug, found in read.items():
        for each in found:
            blocks[each.family, each.given[0][:1]].add(slug)
    fitting: dict[str, dict[str, bool]] = defaultdict(dict)  # slug -> slug -> is the full name
    for block in blocks.values():
        for pair in combinations(sorted(block), 2):
            lower, upper = sorted(map(people.__getitem__, pair), key=prominence)
            is_two = lower.rank == 2 or not lower.works.keys().isdisjoint(upper.works)
            if is_two or len({lower.orcid, upper.orcid} - {""}) > 1:
                continue
            same = [
                min(len(one.given[0]), len(two.given[0])) > 1
                for one in read[lower.slug]
                for two in read[upper.slug]
                if one.fits(two)
            ]
            if same:
                fitting[lower.slug][upper.slug] = any(same)
    return fitting


def likely_people(facts: Facts) -> list[PersonPair]:
    """The pairs of a site, those with the most evidence first; each name once."""
    people = printed_people(facts)
    scored = [best(people, slug, others) for slug, others in fitting_people(people).items()]
    likely = sorted(filter(None, scored), key=lambda each: (-each[0], each[1].name))
    return [pair for _, pair in likely]


def prominence(one: Printed) -> tuple[int, int, int, str]:
    """Sort key: an entry comes last, then the fullest name, then the most works."""
    return one.rank, letter_count(one.name), len(one.works), one.slug


def best(
    people: dict[str, Printed], slug: str, others: dict[str, bool]
) -> tuple[int, PersonPair] | None:
    """The likeliest of several people. Initials without evidence need to fit only one."""
    one, scored = people[slug], list[tuple[int, str, list[str]]]()
    for other, is_full in others.items():
        reasons = [*evidence(people, one, people[other])]
        score = sum(weight for weight, _ in reasons) + is_full
        scored.append((score, other, [text for _, text in reasons]))
    score, other, found = max(scored, key=lambda each: (each[0], prominence(people[each[1]])))
    if not score and len(scored) > 1:
        return None
    two, entry = people[other], slug if one.rank else ""
    why = "; ".join(found) or ("the same words" if score else "the only name that fits")
    name = NUMBERED.sub("", one.name)
    return score, PersonPair(name, one.place, other, two.name, two.place, why, entry)


def evidence(people: dict[str, Printed], one: Printed, other: Printed) -> Iterator[tuple[int, str]]:
    """Reasons why two are one person, each with its weight."""
    titles = {*one.works.values()} & {*other.works.values()}
    if titles:
        yield 4 * len(titles), f"the same position in {counted(len(titles), 'work')} with one title"
    if partners := sorted(one.partners & other.partners):
        names = ", ".join(people[each].name for each in partners[:MOST_NAMED])
        yield 1 + len(partners), f"{counted(len(partners), 'co-author')} in common ({names})"
    theirs = {
        key: name for each in one.partners for key, name in people[each].organizations.items()
    }
    mine = {**one.organizations, **theirs}
    if places := [name for key, name in other.organizations.items() if key in mine]:
        yield 2, f"{places[0]} in common"


class NotReconciled(KgError):
    """The decision cannot be written."""


def pairs(site: Path) -> list[LikelyPair]:
    """The pairs of similar names in a site that are still undecided."""
    facts = load(site)
    shown = {each.place for each in facts.problems if each.rule == RULE}
    index = SiteIndex(read_files(site), read_site(site)[0])
    accepted = facts.notes.accepted
    return [
        pair
        for pair in likely_pairs(index.gathered, index.index)
        if pair.place in shown
        and not any(each.rule == RULE and each.holds(pair.problem) for each in accepted)
    ]


def proposals(site: Path) -> list[LikelyPair | PersonPair]:
    """People who may be one person, the likeliest first, then other similar names."""
    return [*likely_people(load(site)), *pairs(site)]


def named_pair(site: Path, name: str, slug: str) -> LikelyPair | PersonPair | None:
    """The pair of a name and a key. Of people any two that fit, either way round: after a decision,
    the likeliest pair may be another than it was.
    """
    for pair in proposals(site):
        if (pair.name, pair.slug) == (name, slug):
            return pair
    people = printed_people(load(site))
    for one, others in fitting_people(people).items():
        for other, is_full in others.items():
            turned = ((one, other), (other, one))
            if any((NUMBERED.sub("", people[a].name), b) == (name, slug) for a, b in turned):
                found = best(people, one, {other: is_full})
                return found[1] if found else None
    return None


def texts_with_person(
    site: Path, pair: PersonPair, decision: Decision, reason: str
) -> dict[str, str]:
    """The texts of the changed files with a decision about people, by path."""
    files, path = read_files(site), REGISTRIES["people"].path
    entry = files.registries["people"].get(pair.slug)
    remark = reason or f"{pair.name} is {'' if decision == 'same' else 'not '}{pair.other}"
    if decision == "different" and pair.entry:
        row = files.registries["people"][pair.entry]
        raise NotReconciled(f"Write the full name of '{pair.entry}' in {row.place}.")
    is_new = entry is None and pair.slug not in files.cvs
    if decision == "different" or is_new:
        others = {"alternateNames": [pair.name]} if decision == "same" else {}
        new: dict[str, Any] = {pair.slug: {"name": pair.other, **others}} if is_new else {}
        if decision == "different":
            new[address_slug(pair.name)] = {"name": pair.name}
        texts = {path: with_entries(site / path, "people", new, remark)}
    elif pair.entry:
        texts = without_entry(site, files, pair)
    else:
        path = entry.file if entry is not None else files.cvs[pair.slug].file
        text, key = read_text(site / path), pair.slug if entry is not None else "basics"
        changed = with_field(text, key, "alternateNames", [pair.name])
        texts = {path: with_comment(text, changed, remark)}
    require_no_errors(site, texts, pair)
    return texts


def without_entry(site: Path, files: Files, pair: PersonPair) -> dict[str, str]:
    """Replaces the key of a numbered entry by that of the person, and removes the entry."""
    own = files.registries["people"][pair.entry].file
    edits = Edits(read_text(site / own))
    edits.remove_field(edits.root, pair.entry)
    texts = {own: edits.result()[0]}
    key = re.compile(rf"(\bperson: ){pair.entry}\b(?!-)")
    for path in {
        row.file for row in (*files.cvs.values(), *files.registries["publications"].values())
    }:
        text = texts.get(path) or read_text(site / path)
        if key.search(text):
            texts[path] = key.sub(rf"\g<1>{pair.slug}", text)
    return texts


def texts_with_decision(
    site: Path, pair: LikelyPair | PersonPair, decision: Decision, reason: str
) -> dict[str, str]:
    """The registry text with the decision, by path; nothing is written."""
    if isinstance(pair, PersonPair):
        return texts_with_person(site, pair, decision, reason)
    registry = REGISTRIES[pair.kind]
    row = read_files(site).registries[pair.kind].get(pair.slug)
    path = row.file if row is not None else registry.path
    is_same = decision == "same"
    accepted = {RULE: reason or f"{pair.name} is not {pair.other}"}
    field = "alternateNames" if is_same else "accept"
    value: Any = [pair.name] if is_same else accepted
    remark = (reason or f"{pair.name} is {pair.other}") if is_same else ""
    if row is not None:
        text = read_text(site / path)
        changed = with_comment(text, with_field(text, pair.slug, field, value), remark)
    else:
        name = TITLED.get(pair.kind, "name")
        entry: dict[str, Any] = {name: pair.other, field: value}
        if mention := load(site).inline.get((pair.kind, pair.slug)):
            entry |= {"kind": mention.row["kind"]} if "kind" in mention.row else {}
        if pair.whole:
            entry["parent"] = pair.whole
        changed = with_entries(site / path, registry.file, {pair.slug: entry}, remark)
    require_no_errors(site, {path: changed}, pair)
    return {path: changed}


def with_entries(path: Path, kind: str, entries: dict[str, Any], comment: str) -> str:
    """The text of a registry with new entries, one line each."""
    text = read_text(path) if path.exists() else file_text(kind, {})
    remark = f"  # {' '.join(comment.split())}" if comment else ""
    lines = [f"{key}: {flow(fields)}{remark}" for key, fields in entries.items()]
    return "\n".join([text.rstrip().removesuffix("{}").rstrip(), *lines, ""])


def with_field(text: str, key: str, field: str, value: Any) -> str:
    """Adds a field to an entry of a registry, or more values to that field."""
    edits = Edits(text)
    entry = edits.root.fields.get(key)
    if entry is None:
        raise NotReconciled(f"Cannot edit the entry '{key}'. Add to it: {field}: {flow(value)}")
    try:
        there = entry.fields.get(field)
        if there is None and not entry.is_flow:
            require_unshared(entry)
            line = f"{field}: {flow(value)}"  # one line, so that it is easy to delete
            edits.insert_lines(entry.end, [line], entry.column)
        elif there is None:
            edits.put(entry, field, value)
        elif isinstance(value, list):
            edits.append(there, value)
        else:
            for name, item in value.items():
                edits.put(there, name, item)
    except CannotSplice as error:
        raise NotReconciled(f"{key}: {error} Add manually: {field}: {flow(value)}") from error
    return edits.result()[0]


def with_comment(before: str, after: str, comment: str) -> str:
    """Appends a comment to the only new or changed line."""
    if not comment:
        return after
    old = set(before.splitlines())
    changed = [line for line in after.splitlines() if line not in old]
    if len(changed) != 1 or "#" in changed[0]:
        return after
    return after.replace(changed[0], f"{changed[0]}  # {' '.join(comment.split())}", 1)


def require_no_errors(site: Path, texts: dict[str, str], pair: LikelyPair | PersonPair) -> None:
    """Raises NotReconciled if the decision would cause an error."""
    known = {each.message for each in errors_with(site, {}, in_full=False)}
    for problem in errors_with(site, texts, in_full=False):
        if problem.message not in known:
            raise NotReconciled(f"{pair.name}: {problem.message}")
