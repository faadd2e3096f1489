"""Field types for plain values: text, slugs, web addresses, numbers."""

from __future__ import annotations

import hashlib
import re
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, GetCoreSchemaHandler, StringConstraints
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from pyoxigraph import NamedNode

from kg.errors import Fix, fix
from kg.text.normalize import PLUS, name_key, with_words
from kg.text.transliterate import plain, romanized
from kg.vocab import Iri

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
PART = re.compile(r"page-\d+", re.ASCII)  # a page of a long list
# Slugs that documents cannot have: pages of a list, and its index file.
RESERVED = re.compile(rf"{PART.pattern}|index", re.ASCII)
MAX_SLUG_LENGTH = 80
# Only ASCII digits: \\d also matches digits of other scripts.
NUMBER = r"-?[0-9]{1,12}(\.[0-9]{1,12})?"
COUNT = r"[1-9][0-9]{0,6}"
# No user name before the host: `https://bank.example@evil.example/` looks like another host.
HTTP = re.compile(r"https?://(?![^/?#]*@)[^/?#:\s]", re.IGNORECASE)
STARTED = re.compile(r"\s*(?:www\.|https?\b|//)", re.IGNORECASE)  # certainly an address
# Includes bidirectional controls, which RFC 3987 forbids, and invisible characters: they would
# disguise an address.
INVALID_IN_IRI = re.compile(
    r"[\s\x00-\x20<>\"{}|\\^`\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff0-\uffff]"
)
# Not allowed in XML or HTML.
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@lru_cache(maxsize=65536)
def slugify(text: str) -> str:
    """`Ph.D. in Chemistry` -> `phd-in-chemistry`, `Чехов` -> `chekhov`, `C++` -> `c-plus-plus`,
    `王小明` -> `wang-xiao-ming`; empty if nothing can be transliterated.
    """
    found = plain(text)
    letters = re.sub(r"[^\x00-\x7f]|['.]", "", romanized(text) if is_foreign(found) else found)
    return re.sub(r"[^a-z0-9]+", "-", with_words(letters)).strip("-")


def is_foreign(letters: str) -> bool:
    """Whether most letters have no Latin spelling of their own."""
    return not letters.isascii() and 2 * sum(
        letter.isascii() for letter in letters if letter.isalnum()
    ) < sum(map(str.isalnum, letters))


def short_slug(text: str) -> str:
    """A slug cut at a word, so that file names with a suffix stay short enough."""
    slug = slugify(PLUS.sub("-plus", text))
    cut = slug[:MAX_SLUG_LENGTH]
    return slug if slug == cut else cut.rpartition("-")[0] or cut


def address_slug(name: str) -> str:
    """The slug of an inline entity. If other names can have the same Latin spelling (李伟, 李薇),
    it ends with a digest of the name.
    """
    slug = short_slug(name)
    if not is_foreign(plain(name)):
        return slug
    digest = hashlib.sha256(name_key(name).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{slug}-{digest}".strip("-")


def require(
    holds: object,
    rule: str,
    message: str,
    field: str = "",
    fix: Fix | None = None,
    part: str = "",
) -> None:
    """Rejects a value with a message for its author. `field` is the field at fault when a whole
    entry is validated; `part` are the words at fault in a longer text.
    """
    if not holds:
        raise PydanticCustomError(rule, message, {"field": field, "fix": fix, "part": part})


def shown(value: object) -> str:
    """A value for a message: text as repr, everything else by its type."""
    if isinstance(value, str):
        return repr(value)
    return "a list" if isinstance(value, list) else "fields"


def number_hint(text: object, form: str) -> str:
    """Suggests a number: `1,234 people` -> `Did you mean 1234?`. Empty unless exactly one matches
    `form`.
    """
    digits = re.sub(r"(?<=\d)[ ,'\u00a0\u202f](?=\d{3}(?!\d))", "", str(text))
    found = re.findall(r"-?\d*\.?\d+", digits, re.ASCII) if isinstance(text, str) else []
    is_sure = len(found) == 1 and re.fullmatch(form, found[0])
    return f"Did you mean {found[0]}? " if is_sure else ""


def address_meant(text: object) -> str:
    """The address that is meant: `www.example.org` -> `https://www.example.org/`; empty if
    unknown.
    """
    rest = (
        re.sub(r"(?i)^https?[:;]?/*([^/?#]*@)?|^//", "", text.strip())
        if isinstance(text, str)
        else ""
    )
    host = re.match(r"(?i)([a-z0-9-]+\.)+([a-z]{2,})(?=[/:?#]|$)", rest)
    is_sure = host and host[2].lower() not in ("jpg", "jpeg", "png", "gif", "svg", "pdf", "html")
    meant = f"https://{rest}" if "/" in rest else f"https://{rest}/"
    return meant if is_sure and is_web_address(meant) else ""


def slug_hint(text: str) -> str:
    """A suggestion for a slug, for messages."""
    slug = slugify(text)
    return f"e.g. '{slug}'" if slug else "in Latin letters, e.g. 'ada-lovelace'"


def check_slug(text: str) -> str:
    require(
        SLUG.fullmatch(text),
        "bad-slug",
        f"{text!r} is not a slug. Write lower-case letters and digits joined by '-', "
        f"{slug_hint(text)}.",
    )
    return text


def is_web_address(text: str) -> bool:
    try:
        NamedNode(text)
    except ValueError:
        return False
    return bool(HTTP.match(text)) and not INVALID_IN_IRI.search(text)


class WebAddress(str):
    """An absolute http(s) address that is a valid IRI."""

    __slots__ = ()

    @classmethod
    def check(cls, value: object) -> WebAddress:
        if isinstance(value, str) and is_web_address(value):
            return cls(value)
        meant = address_meant(value)
        hint = f"Did you mean {meant}? " if meant else ""
        message = f"{shown(value)} is not a web address. {hint}"
        raise PydanticCustomError(
            "bad-address",
            f"{message}Write the full address, e.g. https://example.org/page.",
            {"fix": fix(value, meant, certain=bool(STARTED.match(str(value)))) if meant else None},
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.check, json_schema_input_schema=core_schema.str_schema()
        )


def mail_link(address: str) -> Iri:
    """A `mailto:` link; escapes characters that would start a subject or another recipient."""
    return Iri("mailto:" + re.sub(r"[%&/=?#;]", lambda sign: f"%{ord(sign[0]):02X}", address))


def own_file(text: str, rule: str, message: str) -> Iri:
    """The address of a file in `static/`. Files in subfolders are not published."""
    path = text.removeprefix("static/")
    require(re.fullmatch(r"\w[\w.+-]*", path, re.ASCII), rule, message)
    return Iri(f"static/{path}")


def check_file(text: str) -> Iri | WebAddress:
    """A web address, or the name of a file in `static/`."""
    if "://" in text or "." not in text:
        return WebAddress.check(text)
    message = (
        f"{text!r} is not a file. Write its web address, or the name of a file in static/ with "
        "letters, digits, '-' and '_', e.g. paper.pdf."
    )
    return own_file(text, "bad-address", message)


def listed(value: object) -> object:
    """Wraps a single value in a list."""
    return value if isinstance(value, list) else [value]


def canonical(value: Decimal) -> Decimal:
    """4.00 -> 4, which is how the store writes it."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def check_number(text: object) -> Decimal:
    if not isinstance(text, str) or not re.fullmatch(NUMBER, text):
        message = f"{shown(text)} is not a number. {number_hint(text, NUMBER)}"
        raise PydanticCustomError("bad-number", f"{message}Write digits, e.g. 3.96.")
    return canonical(Decimal(str(text))) + 0  # turns -0 into 0


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, strict=True)]
Slug = Annotated[str, AfterValidator(check_slug)]
Number = Annotated[Decimal, BeforeValidator(check_number)]
Listed = BeforeValidator(listed)
FileAddress = Annotated[str, AfterValidator(check_file)]
