"""Splits personal names into parts: as the registry states them, else by a safe guess.

A name that cannot be split stays one text, which all citation styles allow. Names in scripts where
the family name may come first are never reordered.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from kg.text.transliterate import plain

MOST_LETTERS = 2  # of a monogram
SUFFIX = re.compile(r",?\s+((?:Jr|Sr)\.?|I{2,3}|IV)$")
# Particles that belong to the family name: van der Berg, de la Cruz, al-Khatib.
PARTICLES = re.compile(
    "af|al|am|ap|auf|aus|ben|bin|bint|d[aeio]?|da[ls]|de[ilnrs]|del|degli|della|dos|du|el|e|het|"
    "ibn|l[aeo]s?|op|ten?|ter|tho|'t|"
    "van(?:de[nr]?)?|vom|von|y|z|zu[mr]?"
    # In capitals only those that are hardly ever a second given name: Elena De Momi.
    "|D[aei]|De[lnrs]|Della|D[ou]s|Du|L[ae]s?|Los|Te[nr]|Van(?:de[nr]?)?|V[ao]n"
)
# Van is a given name after them: Nguyen Van Anh.
VIETNAMESE = re.compile(
    "Nguy[eễ]n|Tr[aầ]n|Ph[aạ]m|L[eê]|Ho[aà]ng|Phan|V[uũoõ]|[DĐ][aặ]ng|B[uù]i|Ng[oô]|[DĐ]inh"
)
# Words that are no family name alone: Dilton de Almeida Júnior.
AFTER_FAMILY = re.compile(r"J[uú]nior|Filho|Neto", re.IGNORECASE)
LAST_INITIALS = re.compile(r"(.*[^\W\d_]{2})((?:[\s-][^\W\d_]\.)+)")  # Muster B.

# Titles and degrees around a name; short ones only with a full stop, for they can be names.
PREFIX = re.compile(
    r"((?:(?:prof|dr|doc|mr|mrs|ms|mx)\b\.?|(?:assoc|asst|dipl|ing|mag|ir|drs|priv|doz|rev|hon|sir|"
    r"med|phil|rer|nat|habil|phdr|rndr|mudr|m\.sc|mgr)\.|(?:professor|doctor|docent)\b)"
    r"[\s-]*)+(?=\S)",
    re.IGNORECASE,
)
# A part between commas that is a degree or title; short ones can be initials, too: `Smith, MA`.
TITLE_PART = re.compile(
    r"(?:Ph\.?\s?D|D\.?Phil|M\.?Sc|B\.?Sc|M\.?Phil|MBA|MPH|FRSE?|Esq|Dr|Prof|CSc|DrSc|Dr\. ?med"
    r"|RN)\.?",
    re.IGNORECASE,
)
SHORT_TITLE_PART = re.compile(r"(?:M\.?D|M\.?A|B\.?A|M\.?S|B\.?S)\.?")
SUFFIX_PART = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV", re.IGNORECASE)
CERTAIN = re.compile(r"(?:prof(?:essor)?|dr|mrs?|ms)\b", re.IGNORECASE)
DEGREES = re.compile(
    r",?\s+(?:Ph\.?\s?D\.?|D\.?Phil\.?|M\.?Sc\.?|B\.?Sc\.?|M\.D\.|CSc\.|DrSc\.)$"
    r"|,\s*(?:(?:M\.?D|M\.?A|B\.?A|MBA|MPH|FRS|FRSE|Dr|Esq)\.?(?:,\s*|$))+$"
)

# Words that only names of organisations have.
GROUP = re.compile(
    r"\b(?:[ck]ollaborations?|collab\b\.?|collaborati(?:on|ve)s?|colaboraci[oó]n|colabora[cç][aã]o|"
    r"collaborazione|[ck]onsorti(?:um|en|a)|consorcio|cons[oó]rcio|consorzio|"
    r"committee|comit[eéè]|comitato|[ck]omitee|komitet|group|groupe|grupo|gruppo|network|"
    r"task ?force|investigators|team|society|universit\w*|institut\w*|agency|association|"
    r"department|foundation|laboratory|labs?|cent(?:er|re) (?:for|of))\b",
    re.IGNORECASE,
)
# `on behalf of the ATLAS Collaboration`
BEHALF = re.compile(
    r"\s*\((?=[^()]*(?:[ck]ollab|[ck]onsorti)[^()]*\)$)|"
    r"[\s,;(]*\b(?:(?:on|in) behalf of|im namen (?:der|des)|au nom d[eu]s?|en nombre del?|"
    r"em nome d[aeo]|a nome d[ei]l?(?:la)?|(?:for|and|für|pour|por|per)"
    rf"(?= (?:the|die|la|el|il) .*{GROUP.pattern}))\s+(?:(?:the|die|la|el|il)\s+)?",
    re.IGNORECASE,
)
ARTICLE = re.compile(r"^\s*the\s+", re.IGNORECASE)
# `North, South and East Collaborations`
SEVERAL_GROUPS = re.compile(r"(.+)\s(?:(collaboration)s|(consorti)a)", re.IGNORECASE)
COLLABORATION = re.compile(r".+\b(?:collaboration|consortium)", re.IGNORECASE)
BETWEEN_GROUPS = re.compile(r"\s*[,;]\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PersonName:
    """`given` is empty for a single word, or if the name was not split."""

    family: str
    given: str = ""
    suffix: str = ""
    is_organization: bool = False


def split(printed: str, family: str = "", given: str = "") -> PersonName:
    """Splits a printed name, with the parts that the registry states."""
    printed = " ".join(printed.split())
    return stated(printed, family, given) or (
        guessed(printed) if is_latin(printed) else PersonName(printed)
    )


def stated(printed: str, family: str, given: str = "") -> PersonName | None:
    """Splits a name at the stated family name; None if it does not occur."""
    body, suffix = without_suffix(printed)
    words, known = body.replace(",", " ").split(), family.split()
    if not known or not words:
        return None
    size = len(known)
    starts, ends = same(words[:size], known), same(words[-size:], known)
    if len(words) <= size:
        if starts:
            return PersonName(body, "", suffix)
        rest = body.removeprefix(family)  # scripts without spaces: family name first
        return PersonName(family, rest) if rest not in ("", body) and not is_latin(body) else None
    if starts and (not ends or "," in body or same(words[size:], given.split())):
        return PersonName(" ".join(words[:size]), " ".join(words[size:]), suffix)
    return PersonName(" ".join(words[-size:]), " ".join(words[:-size]), suffix) if ends else None


def guessed(printed: str) -> PersonName:
    """Guesses the family name: the last word with its particles, or the text before a comma. The
    name of a group has none.
    """
    body, suffix = without_suffix(printed)
    family, comma, given = body.partition(",")
    if comma and family.strip() and given.strip():
        return PersonName(family.strip(), given.strip(), suffix)
    if found := LAST_INITIALS.fullmatch(body):
        return PersonName(found[1], found[2].strip(), suffix)
    start = len(words := body.split()) - 1
    start -= start > 1 and bool(AFTER_FAMILY.fullmatch(words[start]))
    while start > 1 and PARTICLES.fullmatch(words[start - 1]):
        if words[start - 1] == "Van" and VIETNAMESE.fullmatch(words[0]):
            break
        start -= 1
    return (
        PersonName(" ".join(words[start:]), " ".join(words[:start]), suffix)
        if start > 0 and not is_group(printed)
        else PersonName(printed)
    )


def unusual_family(printed: str, family: str) -> str:
    """A stated family name that is not the one to guess: `Calderon Lopez` of `Juan Calderon Lopez`;
    empty for others.
    """
    found = stated(printed, family) if family and is_latin(printed) else None
    return family if found and found.given and guessed(printed).family != family else ""


def is_group(name: str) -> bool:
    """Whether a name says that it is no person's: `ATLAS Collaboration`."""
    return bool(GROUP.search(re.split("[,(]", name)[0]))


def on_behalf(printed: str) -> list[str]:
    """`Ada Berg on behalf of the ATLAS Collaboration` -> `Ada Berg`, `ATLAS Collaboration`"""
    first, *groups = BEHALF.split(printed, maxsplit=1)
    if not groups or GROUP.search(first):
        return [printed]
    names = (first, *(each for name in groups for each in groups_in(name.strip(" ,;){}"))))
    return [each for name in names if (each := name.strip(" ,;){}"))]


def groups_in(name: str) -> list[str]:
    """`North and South Collaborations` -> `North Collaboration`, `South Collaboration`; a name that
    may be one stays one. `on behalf of the LAMP Consortium` -> `LAMP Consortium`
    """
    name = " ".join(name.split())
    if behalf := BEHALF.match(name):
        name = name[behalf.end() :].strip(" ,;)")
    found = SEVERAL_GROUPS.fullmatch(name)
    parts = [ARTICLE.sub("", each) for each in BETWEEN_GROUPS.split(found[1] if found else name)]
    if not found:
        return parts if len(parts) > 1 and all(map(COLLABORATION.fullmatch, parts)) else [name]
    kind = found[2] or f"{found[3]}um"
    return [each if is_group(each) else f"{each} {kind}" for each in parts if each]


def without_suffix(printed: str) -> tuple[str, str]:
    """The name without titles and degrees, and `Jr.` apart."""
    printed = without_titles(printed)
    found = SUFFIX.search(printed)
    return (
        (printed[: found.start()], found[1])
        if found and " " in printed[: found.start()]
        else (printed, "")
    )


def without_titles(name: str) -> str:
    """`Prof. Dr. Ada Berg, PhD` -> `Ada Berg`; a word that may be a name stays before one."""
    bare = name
    while degrees := DEGREES.search(bare):
        bare = bare[: degrees.start()]
    titles = PREFIX.match(bare)
    bare = bare[titles.end() :] if titles else bare
    return bare if " " in bare or CERTAIN.match(name) else name


def in_order(parts: list[str]) -> str:
    """The name with these parts between commas, as printed: `King`, `Jr.`, `Martin` is
    `Martin King Jr.`, and so are `King`, `Martin`, `Jr.` and `Martin King`, `Jr.`
    """
    suffixes = [part for part in parts if SUFFIX_PART.fullmatch(part)]
    names = [part for part in parts if part not in suffixes and not TITLE_PART.fullmatch(part)]
    *others, last = names or [*parts[:1], ""][:1]
    if " ".join(others).count(" ") + len(others) > 1 and SHORT_TITLE_PART.fullmatch(last):
        names = others
    family, *rest = [DEGREES.sub("", each) for each in names] or [*parts[:1], ""][:1]
    given = rest[-1] if rest else ""
    if given and (found := SUFFIX.search(given)):
        given, suffixes = given[: found.start()], [*suffixes, found[1]]
    order = (given, family, *rest[:-1], *suffixes)
    return without_titles(" ".join(part for part in order if part))


def same(words: list[str], others: list[str]) -> bool:
    return [plain(word) for word in words] == [plain(word) for word in others]


def is_latin(text: str) -> bool:
    return all(
        unicodedata.name(letter, "").startswith("LATIN ") for letter in text if letter.isalpha()
    )


def tidied(name: str) -> tuple[str, str]:
    """A full name as it is printed, and what was wrong with it: titles, order, or case."""
    if titles := PREFIX.match(name):
        return name[titles.end() :], "begins with a title, which goes into 'honorific'"
    if degrees := DEGREES.search(name):
        return name[: degrees.start()], "ends with a degree, which goes into 'honorificSuffix'"
    family, comma, given = name.partition(", ")
    if comma and given and "," not in given and not SUFFIX.search(name):
        return f"{given} {family}", "begins with the family name"
    has_one_case = name.islower() or name.isupper()
    is_name = has_one_case and len(name.split()) > 1 and len(max(name.split(), key=len)) > 3
    if is_name and is_latin(name):
        words = (
            word if PARTICLES.fullmatch(word) else word.title() for word in name.lower().split()
        )
        return " ".join(words), f"is in {'lower case' if name.islower() else 'capitals'}"
    return name, ""


def initials(name: str) -> str:
    """`Minjia Zhang` -> `MZ`, `Juan de la Cruz` -> `JC`; a script without capitals gives its first
    character.
    """
    words = ["".join(filter(str.isalpha, word)) for word in name.partition(",")[0].split()]
    words = [word for word in words if word]
    capital = [word for word in words if word[0].isupper()] or words[:1]
    chosen = capital if len(capital) < MOST_LETTERS else [capital[0], capital[-1]]
    return "".join(word[0] for word in chosen)
