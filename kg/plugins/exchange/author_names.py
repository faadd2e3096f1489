"""Names of people as works print them.

In Martin Fenner's CV, `M. Fenner` and `Fenner MJ` are him, unless another author of the work fits
as well. They are added to `alternateNames`, where he can review them: `kg check` never matches
similar names automatically.

`A. Berg, C. Dahl` and `Ada Berg, Carl Dahl` are lists of the same people: names are compared by
position, family name and initials. The fuller name is kept, with the fields of both lists, such as
the ORCID. Lists that name different people are not merged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Any

from kg.advice.several_names import PARTICLES, is_et_al
from kg.plugins.exchange.draft import OWNER, Draft, Value
from kg.text.transliterate import plain

WORD = re.compile(r"[^\W\d_]+")
NAMES = ("name", "alternateNames", "formerNames")
SIGNED = ("authors", "editors", "translators", "contributors")  # fields with printed names
MOST_INITIALS = 3
SUFFIXES = ("jr", "sr", "ii", "iii", "iv")
# Groups whose members count their works as their own, unlike those of their employers.
COLLABORATION = re.compile(
    r"collaborat|colaboraci|consorti|konsorti|(?:study|working) group|investigators|team|network"
    r"|experiment|task force",
    re.IGNORECASE,
)
MEMBER = "Member of the collaboration"
MEMBERS_WORK = (
    "imported as a work of the collaboration, which its authors name instead of {name}. Delete it "
    "if {name} has no part in it"
)
KeyOf = Callable[[str], str]  # name -> key of the person, or ""


def add_own_names(draft: Draft) -> None:
    """Adds printed names of the person to `alternateNames`."""
    basics = draft.cv.get("basics")
    if not isinstance(basics, dict) or not draft.name:
        return
    known = {*names_in([basics.get(name) for name in NAMES])}
    own = OwnName(basics)
    for work in works_in(draft):
        move_family_name(work, own, basics)
        if known & {*(signed := signatures(work))}:
            continue
        found = [name for name in signed if own.has_words(name)]
        found = found or [name for name in signed if own.is_variant(name)]
        if len(found) == 1:
            known.add(found[0])
            basics.setdefault("alternateNames", []).append(found[0])


def move_family_name(work: Any, own: OwnName, basics: dict[str, Any]) -> None:
    """Moves the stated family name of the person from a list of authors to `basics`."""
    for part in SIGNED:
        names: Any = work.get(part, ()) if isinstance(work, Mapping) else ()
        for number, each in enumerate(names):
            if not isinstance(each, dict) or "familyName" not in each:
                continue
            if own.has_words(each["as"]) or own.is_variant(each["as"]):
                family = each.pop("familyName")
                if own.has_words(each["as"]):
                    basics.setdefault("familyName", family)
                if [*each] == ["as"]:
                    names[number] = each["as"]


def own_names(draft: Draft) -> list[Any]:
    """The distinct spellings of the person's name on the works of a draft, in order."""
    own = OwnName(draft.cv["basics"])
    names = (name for work in works_in(draft) for name in signatures(work))
    return [*dict.fromkeys(name for name in names if own.has_words(name) or own.is_variant(name))]


def works_in(draft: Draft) -> list[Any]:
    return [*draft.cv.get("publications", ()), *draft.entries.get("patents", {}).values()]


def drop_unsigned(draft: Draft, basics: Mapping[str, Any], known: Iterable[Any]) -> None:
    """Removes and lists works that the person did not sign, except works in `known`.

    `known` are works of this person from other files. Among signed works, one by a collaboration
    stays, with the person as a member of it.
    """
    own, name = OwnName(basics), str(basics.get("name") or "")
    if not name:
        return
    why = f"not imported, because {name} is not among its authors"
    patents = draft.entries.get("patents", {})
    others = {key for key, work in patents.items() if not own.signed(work)}
    titles = {title_of(each) for each in known}
    every = draft.cv.get("publications", ())
    works = [each for each in every if not own.signed(each) and title_of(each) not in titles]
    if len(works) == len(every) > 1:
        why += ". If these are the works of somebody else, name the person with --person"
    else:
        shared = [each for each in works if any(map(is_collaboration, each.get("authors", ())))]
        for work in shared:
            title = work["title"]
            member = {"as": title.with_text(name), "role": title.with_text(MEMBER)}
            work.setdefault("contributors", []).append(member)
            draft.leave([title], MEMBERS_WORK.format(name=name))
        works = [each for each in works if each not in shared]
    for work in (*works, *(patents.pop(key) for key in sorted(others))):
        draft.leave(names_in(work.get("title")), why)
    for section, left_out in (("publications", works), ("patents", others)):
        kept = [each for each in draft.cv.pop(section, ()) if each not in left_out]
        draft.cv |= {section: kept} if kept else {}


def is_collaboration(author: Any) -> bool:
    named = author.get("organization") if isinstance(author, Mapping) else author
    return bool(COLLABORATION.search(str(named or "")))


def title_of(work: Any) -> str:
    return " ".join(words(str(work.get("title")))) if isinstance(work, Mapping) else ""


def is_same_person(name: str, other: str) -> bool:
    """Whether two names can belong to one person: `Mira Sand`, `MIRA SAND`, `M. K. Sand`."""
    some, more = sorted(({*words(name)}, {*words(other)}), key=len)
    is_part = len(some) > 1 and some <= more
    one, two = OwnName({"name": name}), OwnName({"name": other})
    return some == more or is_part or one.is_variant(other) or two.is_variant(name)


class OwnName:
    """The names of a person, for matching against authors of works."""

    def __init__(self, basics: Mapping[str, Any]) -> None:
        names = [str(name) for name in names_in([basics.get(name) for name in NAMES])]
        self.words = {tuple(sorted(words(name))) for name in names}
        known = words(str(basics.get("familyName") or ""))
        self.parts = list[tuple[list[str], list[str]]]()  # given names and family name
        for name in filter(str.split, names):
            family = known if {*known} & {*words(name)} else words(name.split()[-1])
            self.parts.append(([word for word in words(name) if word not in family], family))
        # `A. Sand` alone would make `Anna Sand` a variant of `Ada Sand`.
        in_full = [(given, family) for given, family in self.parts if len("".join(given[:1])) > 1]
        self.parts = in_full or self.parts

    def signed(self, work: Any) -> bool:
        names = signatures(work)
        return any(name == OWNER or self.has_words(name) or self.is_variant(name) for name in names)

    def has_words(self, name: str) -> bool:
        """Whether it is one of the names, ignoring case and word order."""
        return tuple(sorted(words(name))) in self.words

    def is_variant(self, name: str) -> bool:
        return any(is_variant(name, given, family) for given, family in self.parts)


def signatures(work: Any) -> list[Any]:
    fields = work if isinstance(work, Mapping) else {}
    return names_in([fields.get(part) for part in ("authors", "editors", "translators")])


def names_in(value: Any) -> list[Any]:
    """The names in a nested list of strings and author mappings."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return names_in(value.get("as") or value.get("name") or value.get("organization") or "")
    return [name for item in value or () for name in names_in(item)]


def words(name: str) -> list[str]:
    return WORD.findall(plain(name))


def is_variant(name: str | Value, given: list[str], family: list[str]) -> bool:
    """Whether a name starts or ends with the family name, and the rest fits the given names.

    The rest must begin with the first given name, its beginning, or its initial.
    """
    found, size = words(name), len(family)
    if not family or not given or len(found) <= size:
        return False
    if found[-size:] == family:
        rest = found[:-size]
    elif found[:size] == family:
        rest = found[size:]
    else:
        return False
    first = rest[0]
    is_initials = len(first) <= MOST_INITIALS and first.upper() in name.replace(".", "")
    is_start = given[0].startswith(first) or first.startswith(given[0])
    return is_start or (is_initials and first[0] == given[0][0])


def no_key(name: str) -> str:
    return ""


def join_authors(mine: list[Any], other: list[Any], key_of: KeyOf = no_key) -> list[Any] | None:
    """The merged list, or None if the lists name different people.

    A list that is the beginning of the other, or a single name that occurs in it (also as a part,
    such as one of two family names), counts as the same list cut short.
    """
    ends = [[each for each in names if is_et_al(each)] for names in (mine, other)]
    left, right = ([each for each in names if not is_et_al(each)] for names in (mine, other))
    short, long = sorted((left, right), key=len)
    starts = range(len(long)) if len(short) == 1 else (0,)
    for start in starts:
        pad = [None] * start
        pairs = zip_longest(
            *((pad + names if names is short else names) for names in (left, right))
        )
        found = [*pairs]
        match = is_same_loosely if len(short) == 1 < len(long) else is_same
        if all(a is None or b is None or match(a, b, key_of) for a, b in found):
            return [join_name(a, b, key_of) for a, b in found] + (ends[0] if all(ends) else [])
    return None


def name_of(item: Any) -> str:
    fields = item if isinstance(item, dict) else {"as": item}
    return str(fields.get("as") or fields.get("person") or fields.get("organization") or "")


def is_same(one: Any, other: Any, key_of: KeyOf = no_key) -> bool:
    orcids = {each["orcid"] for each in (one, other) if isinstance(each, dict) and "orcid" in each}
    keys = [key_of(name_of(each)) for each in (one, other)]
    if len(orcids) > 1:
        return False
    return keys[0] == keys[1] if all(keys) else is_same_name(name_of(one), name_of(other))


def is_same_loosely(one: Any, other: Any, key_of: KeyOf) -> bool:
    """Whether a name alone is in a list: also without one of two family names."""
    is_plain = all(isinstance(each, str) and not key_of(each) for each in (one, other))
    return is_same(one, other, key_of) or (is_plain and is_same_person(one, other))


def is_same_name(one: str, other: str) -> bool:
    """Whether two names have the same family name and compatible given names or initials."""
    if sorted(words(one)) == sorted(words(other)):
        return True
    (given, family), (others, other_family) = parts_of(one), parts_of(other)
    return (
        family == other_family
        and bool(given and others)
        and all(a.startswith(b) or b.startswith(a) for a, b in zip(given, others, strict=False))
    )


def parts_of(name: str) -> tuple[list[str], str]:
    """Splits a name into given names or initials and the last word of the family name.

    Handles `Ada van der Berg`, `van der Berg, A.` and `Berg AK`.
    """
    last, comma, first = name.partition(",")
    spelt = [each for each in f"{first} {last}".split() if plain_word(each) not in SUFFIXES]
    if not comma and len(spelt) > 1 and is_initials(spelt[-1]) and not is_initials(spelt[0]):
        spelt = [spelt[-1], *spelt[:-1]]
    found = [
        letters
        for each in spelt
        for letters in ([*plain_word(each)] if is_initials(each) else words(each))
        if letters not in PARTICLES
    ]
    return found[:-1], found[-1] if found else ""


def plain_word(word: str) -> str:
    return "".join(words(word))


def is_initials(word: str) -> bool:
    """Whether a word is initials without full stops: `A`, `AK`."""
    return word.isalpha() and word.isupper() and len(word) <= MOST_INITIALS


def join_name(mine: Any, other: Any, key_of: KeyOf) -> Any:
    """Merges two authors: the fuller name, with the fields of both."""
    if mine is None or other is None:
        return other if mine is None else mine
    ours, theirs = ({**each} if isinstance(each, dict) else {"as": each} for each in (mine, other))
    name, more = name_of(mine), name_of(other)
    is_settled = "person" in ours or (key_of(name) and not key_of(more))
    if not is_settled and letter_count(more) > letter_count(name):
        ours["as"] = theirs.get("as", more)
    else:
        theirs = {field: theirs[field] for field in theirs if field not in ("as", "person")}
    joined = {**ours, **{field: theirs[field] for field in theirs if field not in ours}}
    return joined["as"] if [*joined] == ["as"] else joined


def letter_count(name: str) -> int:
    """The number of letters in a name; the fuller of two names has more."""
    return sum(map(len, words(name)))


def format_names(names: Iterable[Any]) -> str:
    """Formats a list of names for a message."""
    return ", ".join(map(name_of, names))
