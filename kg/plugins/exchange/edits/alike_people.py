"""Finds people who may be one person under two names, with the evidence, for `kg reconcile`.

`H. Lind`, `Lind Hana` and `Хана Линд` may be Hana Lind. Names are compared within blocks of one
family name and first initial, so that the time grows with the site. People with different ORCIDs or
with a common work are two people, and so are people who both have an entry; of entries, only those
that an import has numbered (`J. Kim (2)`) are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from anyascii import anyascii

from kg.errors import Place, counted
from kg.facts.load import Facts
from kg.facts.models.careers import Position
from kg.facts.models.publications import Publication
from kg.facts.values.naming import names_of
from kg.facts.yaml.rows import Row
from kg.plugins.bibliography.work_records import without_marks
from kg.plugins.exchange.author_names import letter_count, parts_of
from kg.text.normalize import letters

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
            slug = each.person.slug
            new = Printed(slug, each.printed, loaded.row.at("authors", number), 0, each.orcid or "")
            found.setdefault(slug, new).names.add(each.printed)
            here.setdefault(slug, number)
        title = letters(str(work.title))
        for slug, number in here.items():
            found[slug].works[loaded.slug] = title, number
            found[slug].partners.update(here.keys() - {slug})
    return found


def likely_people(facts: Facts) -> list[PersonPair]:
    """The pairs of a site, those with the most evidence first; each name once."""
    people = printed_people(facts)
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
    scored = [best(people, slug, others) for slug, others in fitting.items()]
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
