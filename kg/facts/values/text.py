"""Plain values an author writes: text, slugs, web addresses, numbers."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, GetCoreSchemaHandler, StringConstraints
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from pyoxigraph import NamedNode

from kg.text.transliterate import plain
from kg.vocab import Iri

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
PART = re.compile(r"page-\d+", re.ASCII)  # the address of a part of a long list
# And the file of a list: these are no slugs of documents.
RESERVED = re.compile(rf"{PART.pattern}|index", re.ASCII)
LONGEST_SLUG = 80
MOST_COMPARED = 8  # words, of many
# Digits are [0-9] in all that is checked here: \\d would take those of every script.
NUMBER = r"-?[0-9]{1,12}(\.[0-9]{1,12})?"
COUNT = r"[1-9][0-9]{0,6}"
# What stands before an '@' looks like the host that an address leads to.
HTTP = re.compile(r"https?://(?![^/?#]*@)[^/?#:\s]", re.IGNORECASE)
# Nor signs of direction, which RFC 3987 excludes, and others that cannot be seen: an address would
# be read other than it leads.
NOT_IN_AN_IRI = re.compile(
    r"[\s\x00-\x20<>\"{}|\\^`\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff0-\uffff]"
)
# Neither XML nor HTML can hold these.
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


# Signs that tell one name from another: C, C++, C#.
SIGNS = {"++": "-plus-plus", "#": "-sharp"}
SIGNED = re.compile(r"(?<=[a-z])(?:\+\+|#(?![a-z0-9]))")


PLUS = re.compile(r"(?<=\w)\+(?![\w+])")  # ES6+ is not ES6, and Canal+ is not Canal


@lru_cache(maxsize=65536)
def slugify(text: str) -> str:
    """`Ph.D. in Chemistry` -> `phd-in-chemistry`, `Чехов` -> `chekhov`, `C++` -> `c-plus-plus`;
    empty where no letter can be told in Latin ones.
    """
    letters = re.sub(r"[^\x00-\x7f]|['.]", "", plain(text))
    return re.sub(r"[^a-z0-9]+", "-", with_words(letters)).strip("-")


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """The same for all spellings of a name: `Node.js` and `NodeJS` -> `nodejs`. Names with equal
    keys have equal addresses. Unlike an address, a key is never cut and keeps other scripts.
    """
    letters = "".join(
        sign
        for sign in plain(PLUS.sub("-plus", name))
        if (sign not in "'." if sign.isascii() else tells_apart(sign))
    )
    key = re.sub(r"[\x00-/:-`{-\x7f]+", "-", with_words(letters))
    return key.strip("-") or squeeze(name)


def with_words(letters: str) -> str:
    """`c++` -> `c-plus-plus`."""
    return SIGNED.sub(lambda sign: SIGNS[sign[0]], letters) if {*letters} & {*"+#"} else letters


def tells_apart(sign: str) -> bool:
    """Whether a character is a letter, a mark, a digit or a sign such as `♯`, not punctuation."""
    category = unicodedata.category(sign)
    return category[0] in "LMN" or category == "Sm"


def address_slug(name: str) -> str:
    """The slug of a name that makes an address of its own: as many of its words as a file may be
    called by, beside another such and a suffix.
    """
    slug = slugify(PLUS.sub("-plus", name))
    cut = slug[:LONGEST_SLUG]
    return slug if slug == cut else cut.rpartition("-")[0] or cut


def require(holds: object, rule: str, message: str, field: str = "") -> None:
    """Refuses a value, with a message for its author; `field` is the one at fault where an entry is
    judged as a whole.
    """
    if not holds:
        raise PydanticCustomError(rule, message, {"field": field} if field else None)


def shown(value: object) -> str:
    """A value in a message: a text as it is written, all else by what it is."""
    if isinstance(value, str):
        return repr(value)
    return "a list" if isinstance(value, list) else "fields"


def number_meant(text: object, form: str) -> str:
    """`1,234 people` -> a hint how to write it, if a number is there that has the form."""
    digits = re.sub(r"(?<=\d)[ ,'\u00a0\u202f](?=\d{3}(?!\d))", "", str(text))
    found = re.findall(r"-?\d*\.?\d+", digits, re.ASCII) if isinstance(text, str) else []
    is_sure = len(found) == 1 and re.fullmatch(form, found[0])
    return f"Did you mean {found[0]}? " if is_sure else ""


def address_meant(text: object) -> str:
    """`www.example.org` or `https:/ada@example.org` -> a hint how to write it."""
    rest = (
        re.sub(r"(?i)^https?[:;]?/*([^/?#]*@)?|^//", "", text.strip())
        if isinstance(text, str)
        else ""
    )
    host = re.match(r"(?i)([a-z0-9-]+\.)+([a-z]{2,})(?=[/:?#]|$)", rest)
    is_sure = host and host[2].lower() not in ("jpg", "jpeg", "png", "gif", "svg", "pdf", "html")
    meant = f"https://{rest}" if "/" in rest else f"https://{rest}/"
    return f"Did you mean {meant}? " if is_sure and is_web_address(meant) else ""


def proposed(text: str) -> str:
    """An example of a slug to write in the place of a text."""
    slug = slugify(text)
    return (
        f"e.g. '{slug}'" if slug else "in Latin letters as its owner spells it, e.g. 'ada-lovelace'"
    )


def closest(word: str, words: Iterable[str], most: int = 3, cutoff: float = 0.5) -> list[str]:
    """The nearest of the words; a shared beginning counts too, for `osu` should find `osu-nbcl`."""
    known = [name for name in words if name]
    near = difflib.get_close_matches(word, known, n=most, cutoff=cutoff)
    alike = (name for name in known if name.startswith(word) or word.startswith(name))
    return [*dict.fromkeys([*near, *(sorted(alike) if word else ())])][:most]


class WordIndex:
    """Many words, to find those nearest to one of many others: only words that share some letters
    with it are compared.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.having: dict[str, list[str]] = defaultdict(list)
        for word in dict.fromkeys(filter(None, words)):
            for letters in triples(word):
                self.having[letters].append(word)

    def closest(self, word: str, most: int = 3) -> list[str]:
        shared = Counter(each for letters in triples(word) for each in self.having.get(letters, ()))
        return closest(word, [each for each, _ in shared.most_common(MOST_COMPARED)], most)


def triples(word: str) -> set[str]:
    """All that are three letters of a word in a row, counting two before it and one behind."""
    padded = f"  {word} "
    return {padded[at : at + 3] for at in range(len(word) + 1)}


def squeeze(text: str) -> str:
    """Text with one kind of space, as names are compared."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def check_slug(text: str) -> str:
    require(
        SLUG.fullmatch(text),
        "bad-slug",
        f"{text!r} is not a slug. Write lower-case letters and digits joined by '-', "
        f"{proposed(text)}.",
    )
    return text


def is_web_address(text: str) -> bool:
    try:
        NamedNode(text)
    except ValueError:
        return False
    return bool(HTTP.match(text)) and not NOT_IN_AN_IRI.search(text)


class WebAddress(str):
    """An absolute http(s) address that may stand in RDF as an IRI."""

    __slots__ = ()

    @classmethod
    def check(cls, value: object) -> WebAddress:
        if isinstance(value, str) and is_web_address(value):
            return cls(value)
        message = f"{shown(value)} is not a web address. {address_meant(value)}"
        raise PydanticCustomError(
            "bad-address", f"{message}Write it whole, e.g. https://example.org/page."
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.check, json_schema_input_schema=core_schema.str_schema()
        )


def mail_link(address: str) -> Iri:
    """The address of a mailbox as a link: a '?' in it would begin a subject, or another reader."""
    return Iri("mailto:" + re.sub(r"[%&/=?#;]", lambda sign: f"%{ord(sign[0]):02X}", address))


def own_file(text: str, rule: str, message: str) -> Iri:
    """A file in `static/`, by its name; files in folders below it are not published."""
    path = text.removeprefix("static/")
    require(re.fullmatch(r"\w[\w.+-]*", path, re.ASCII), rule, message)
    return Iri(f"static/{path}")


def check_file(text: str) -> Iri | WebAddress:
    """The address of a file, or its name where it lies below `static/`."""
    if "://" in text or "." not in text:
        return WebAddress.check(text)
    message = (
        f"{text!r} is no file. Write its web address, or the name of a file in static/, of "
        "letters, digits, '-' and '_', e.g. paper.pdf."
    )
    return own_file(text, "bad-address", message)


def listed(value: object) -> object:
    """One value where a list is meant is a list of one."""
    return value if isinstance(value, list) else [value]


def canonical(value: Decimal) -> Decimal:
    """4.00 -> 4, for the store would write it so."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def check_number(text: object) -> Decimal:
    if not isinstance(text, str) or not re.fullmatch(NUMBER, text):
        message = f"{shown(text)} is not a number. {number_meant(text, NUMBER)}"
        raise PydanticCustomError("bad-number", f"{message}Write digits, e.g. 3.96.")
    return canonical(Decimal(str(text))) + 0  # -0 would not stay as written


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, strict=True)]
Slug = Annotated[str, AfterValidator(check_slug)]
Number = Annotated[Decimal, BeforeValidator(check_number)]
Listed = BeforeValidator(listed)
FileAddress = Annotated[str, AfterValidator(check_file)]
