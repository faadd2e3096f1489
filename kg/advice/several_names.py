"""Recognises several people in one text: `Ada Berg, Bo Ek`, `A. Berg and B. Ek`, `Berg, A.; Ek, B.`

One name can contain a comma (`van der Berg, Jan`), and that of a group an "and" (`Smith and Sons`),
so a text is split only if each part is written like the name of a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kg.facts.values.text import require
from kg.facts.yaml.rows import flow
from kg.text.person_names import GROUP, SUFFIX, on_behalf

MAY_BE_SEVERAL = re.compile(
    r"[;,&/|、，]"
    r"|\b(?:and|und|et|og|och|al|others|behalf|namen|nom|nombre|nome|for|für|pour|por|per)\b"
)
OTHERS = re.compile(
    r"(?:[\s,;&]|\band\b)*(?:\b(?:et\.? al|others)\b\.?|\.\.\.|…)\s*$", re.IGNORECASE
)
SEPARATOR = re.compile(r"\s*[;、，]\s*")  # never part of a name
AND = re.compile(r",?\s+(?:and|und|et|og|och)\s+|,?\s*&\s*|\s*[/|]\s*")
# After a comma, but of the name before it: `Sammy Davis, Jr.`, `Ada Berg, PhD`
OF_ONE_NAME = re.compile(
    r",\s*(?:((?:Jr|Sr)\b\.?|I{2,3}\b|IV\b)|(?:Ph\.?\s?D|M\.?Sc|Prof|Dr)\.?)"
    r"(?=\s*(?:[,;&]|and\b|$))"
)
INITIALS = r"(?:[^\W\d_]\.[ -]?)+"
ONLY_INITIALS = re.compile(INITIALS)
INITIALS_FIRST = re.compile(rf"{INITIALS}\s*\S.*")
INITIALS_LAST = re.compile(r"[^\W\d_][^\W\d_'’-]+(?:[ -][^\W\d_'’-]+)? [A-Z]{1,3}")  # Berg AB
PARTICLES = {
    *("van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le", "el"),
    *("al", "bin", "ibn", "ter", "ten", "zu", "zur", "af", "av"),
}
NAME_SUFFIXES = {
    *("jr", "sr", "ii", "iii", "iv", "phd", "md", "msc", "bsc", "ma", "ba", "mba", "ms", "dphil"),
    *("dr", "prof", "esq", "frs", "ieee", "acm", "fellow", "eds", "ed"),
}
OF_GROUPS = {
    *("the", "of", "for", "collaboration", "consortium", "team", "group", "network", "committee"),
    *("council", "association", "society", "foundation", "institute", "institut", "university"),
    *("department", "centre", "center", "laboratory", "lab", "labs"),
    *("office", "ministry", "agency"),
    *("company", "co", "corp", "inc", "ltd", "llc", "llp", "gmbh", "ag", "as", "ab", "sons"),
    *("brothers", "partners", "associates", "press", "studio", "bank", "organization", "project"),
}
MAX_WORDS = 5  # words in a name


def refuse_several(text: str, is_known: Callable[[str], object], one: str) -> None:
    """Refuses a text that names several people, or nobody. `one` is the field that accepts it as a
    single name.
    """
    if not MAY_BE_SEVERAL.search(text):  # the usual case
        return
    names, wrong = names_in(text, is_known), ""
    if names:
        each = flow(names)[1:-1]
        alone = f"or {flow({one: text})} if it is one"
        wrong = f"is more than one name. Write each separately: {each}; {alone}."
    elif is_et_al(text):
        more = " and add 'moreAuthors: true'" if one == "as" else ""
        wrong = f"is not a name. Write the name, or remove it{more}."
    require(not wrong, "several-names", f"{text!r} {wrong}")


def names_in(text: str, is_known: Callable[[str], object]) -> list[str]:
    """The names in a text with several names; empty if it is, or may be, a single one. `is_known`
    says whether somebody has this name.
    """
    if not MAY_BE_SEVERAL.search(text) or is_known(text):  # the usual case
        return []
    text = OF_ONE_NAME.sub(lambda found: f" {found[1]}" if found[1] else "", text)
    first, *groups = on_behalf(OTHERS.sub("", text.strip())) or [""]
    if groups or first != text.strip():
        return [*(names_in(first, is_known) or filter(None, [first])), *groups]
    parts = [part for part in SEPARATOR.split(text.strip()) if part]
    joined = [part for part in AND.split(text.strip()) if part]
    listed = [name.strip() for part in joined for name in part.split(",")]
    if len(parts) > 1:
        return parts
    if len(joined) > 1:
        found = listed if are_names(listed, is_full) else joined
        return found if are_names(found, lambda name: is_full(name) or is_inverted(name)) else []
    if len(listed) > 2 and len(listed) % 2 == 0 and all(map(ONLY_INITIALS.fullmatch, listed[1::2])):
        return [", ".join(pair) for pair in zip(listed[::2], listed[1::2], strict=True)]
    is_sure = (
        len(listed) > 2
        or all(map(INITIALS_FIRST.fullmatch, listed))
        or all(map(INITIALS_LAST.fullmatch, listed))
        or any(map(is_known, listed))
    )
    return listed if len(listed) > 1 and is_sure and are_names(listed, is_full) else []


def are_names(parts: list[str], is_person: Callable[[str], bool]) -> bool:
    """Whether all parts are people or organisations, and one is a person."""
    people = [*map(is_person, parts)]
    pairs = zip(parts, people, strict=True)
    return any(people) and all(person or GROUP.search(each) for each, person in pairs)


def is_et_al(item: object) -> bool:
    """Whether a text stands for unnamed people: `et al.`, `others`, `...`"""
    return isinstance(item, str) and not OTHERS.sub("", item.strip())


def is_full(name: str) -> bool:
    """Whether it is written like the name of a person: two words or more, capitalised."""
    words = re.findall(r"[^\s.]+\.?", SUFFIX.sub("", name))
    return 1 < len(words) <= MAX_WORDS and not is_group(name) and all(map(is_of_a_name, words))


def is_of_a_name(word: str) -> bool:
    plain = word.rstrip(".").lower()
    return plain in PARTICLES or (word[0].isupper() and plain not in NAME_SUFFIXES)


def is_inverted(name: str) -> bool:
    """`Berg, Ada`, `van der Berg, J.`"""
    last, comma, first = name.partition(",")
    return bool(comma and last.strip() and first.strip()) and not is_group(name)


def is_group(name: str) -> bool:
    return any(word in OF_GROUPS for word in re.findall(r"\w+", name.lower()))
