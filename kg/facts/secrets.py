"""Private values that must never be published; `kg check` and `kg build` search their output for
them.

They are private entries, contact details, notes and rejected readings, found in any spelling. To
avoid false alarms, a value needs at least 6 characters or 7 digits, and must match whole words or a
whole number. A single word that is not a contact detail must match exactly. A value that is public
elsewhere is not a secret; a contact detail only if it is public on its own.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from kg.errors import Place
from kg.facts.loaded import Loaded
from kg.facts.models.activities import Referee
from kg.facts.models.people import Person
from kg.facts.values.dates import DaySpan
from kg.facts.values.terms import Fact, Unmapped, computed_values
from kg.facts.yaml.rows import Row, Rows
from kg.text import months
from kg.text.spellings import NUL, fold, numbers_in, numbers_of, unescaped, words_of

MIN_LENGTH = 6
NEVER_PUBLISHED = ("note", "disputed", "accept")
CONTACTS = ("email", "phone", "address", "formerNames")
# Private by default.
PERSONAL = (*CONTACTS, "birthDate", "nationality", "gender")
# Parts of a contact detail that others may share.
SHARED_PARTS = ("label", "city", "region", "country")
# The separator between two JSON values. The lookbehind comes second, which is faster.
JSON_SEPARATOR = re.compile(r'"(?<!\\")\s*[,:\]}][\s,:\]}]*(?=["\[{\d-])')
LETTER = re.compile(r"[^\W\d_]")
NUMBER = re.compile(r"[^\w@]*\d[\W\d]*")  # and nothing else
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@(?:[\w-]+\.)+[\w-]+")
DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-\d\d", re.ASCII)
STREET = re.compile(r"(?=[^,\n]*\d)(?=[^,\n]*[^\W\d_]{3})[^,\n]+")  # with a house number
Steps = tuple[str | int, ...]


class Secret(NamedTuple):
    """A private text, and where it is written."""

    text: str
    place: Place
    contact: bool  # an address or number: secret even inside public text
    former: bool = False  # a name: secret even in an author list


class PublicTexts:
    """Public texts, folded and compressed: there are many, and few are looked up."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        ordered = sorted(texts)
        numbers = sorted(
            {each for text in ordered if NUMBER.fullmatch(text) for each in numbers_in(text)}
        )
        folded = fold(unescaped(f"{NUL}{NUL.join(ordered)}{NUL}"))
        self.packed = [
            zlib.compress(
                f"{folded}{f' {NUL} '.join(numbers)} {NUL} ".encode("utf-8", "surrogatepass"), 1
            )
        ]

    def update(self, other: PublicTexts) -> None:
        self.packed += other.packed

    def says(self, words: Iterable[str], exactly: bool = False) -> bool:
        """Whether one of these texts occurs, as part of another one unless `exactly`."""
        wanted = [f" {NUL}{each}{NUL} " if exactly else each for each in words]
        return any(
            each in text
            for packed in self.packed
            for text in [zlib.decompress(packed).decode("utf-8", "surrogatepass")]
            for each in wanted
        )


@lru_cache(maxsize=1)
def mails_in(text: str) -> tuple[frozenset[str], str]:
    """The email addresses in an output, and the rest of it, folded. Cached, because it is the same
    for each secret.
    """
    return frozenset(map(words_of, EMAIL.findall(text))), fold(EMAIL.sub(NUL, text))


class Secrets:
    """The values that are `hidden` and not also `shown`. `addresses` are exempt, because they were
    published before.
    """

    def __init__(
        self, hidden: Iterable[Secret], shown: PublicTexts, addresses: Sequence[str] = ()
    ) -> None:
        self.shown, self.addresses = shown, addresses
        self.address = re.compile("|".join(map(re.escape, addresses)) or "(?!)")
        self.exempt: dict[tuple[str, bool], bool] = {}
        # Indexed by the longest word, which few texts contain, then by all words: one note in
        # thousands of entries is searched once.
        self.words: defaultdict[str, defaultdict[str, list[Secret]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.numbers: defaultdict[str, list[Secret]] = defaultdict(list)
        for secret in sorted(set(hidden)):
            for number in numbers(secret):
                self.numbers[number].append(secret)
            for words in spellings(secret):
                self.words[max(words.split(), key=len)][words].append(secret)

    def __iter__(self) -> Iterator[Secret]:
        in_words = (same for alike in self.words.values() for same in alike.values())
        every = (secret for same in (*in_words, *self.numbers.values()) for secret in same)
        return iter(dict.fromkeys(every))

    def found_in(self, output: str) -> list[Secret]:
        """The secrets in an output that are not public elsewhere."""
        return [secret for secret in self.matches(output) if not self.is_public(secret)]

    def matches(self, output: str) -> list[Secret]:
        """All secrets in an output, in any spelling and escaping."""
        if not (self.words or self.numbers):
            return []
        found: dict[Secret, None] = {}
        text = unescaped(JSON_SEPARATOR.sub(NUL, output))
        if self.addresses:
            text = self.address.sub(NUL, text)
        if self.words:
            folded = fold(text)
            for word in sorted(self.words.keys() & folded.split()):
                for words, same in self.words[word].items():
                    if words in folded:
                        found.update(
                            {each: None for each in same if self.is_meant(each, words, text)}
                        )
        for number in numbers_in(text) if self.numbers else ():
            found.update(dict.fromkeys(self.numbers.get(number, ())))
        return list(found)

    def is_meant(self, secret: Secret, words: str, text: str) -> bool:
        """Whether a match is the secret itself. A single word, the current name of another person,
        or the end of a longer email address may not be.
        """
        is_common = words.count(" ") == 2 and not secret.contact
        names = [words, f" people{words}"]  # current, and in a former address
        if is_common or (secret.former and self.shown.says(names, exactly=True)):
            return bool(re.search(rf"(?<!\w){re.escape(secret.text)}(?!\w)", text))
        if "@" in words:
            mails, rest = mails_in(text)
            return words in mails or words in rest
        return True

    def is_public(self, secret: Secret) -> bool:
        """Whether the same text is public elsewhere, possibly inside another; a contact detail must
        match fully.
        """
        if secret.former:
            return False
        text, exactly = secret.text, secret.contact
        if (text, exactly) not in self.exempt:
            as_number = [f" {number} " for number in numbers(secret)]
            self.exempt[text, exactly] = self.shown.says(
                [words_of(text)], exactly
            ) or self.shown.says(as_number, exactly=True)
        return self.exempt[text, exactly]


def numbers(secret: Secret) -> set[str]:
    """The normalized numbers of a secret such as a telephone number."""
    is_number = NUMBER.fullmatch(secret.text) or (secret.contact and "@" not in secret.text)
    return numbers_of(secret.text) if is_number else set()


def spellings(secret: Secret) -> Iterator[str]:
    """The words to search for; a date in the usual notations."""
    if LETTER.search(secret.text):
        yield from filter(str.strip, [words_of(secret.text)])
    elif secret.contact and DAY.fullmatch(secret.text):
        year, month, day = secret.text.split("-")
        name = months.names()[int(month) - 1][0].lower()
        for each in dict.fromkeys((day, day.lstrip("0"))):
            yield from (f" {each} {name} {year} ", f" {name} {each} {year} ")
        yield from {f" {day} {month} {year} ", f" {int(day)} {int(month)} {year} "}


def texts_of(loaded: Sequence[Loaded]) -> tuple[list[Secret], set[str]]:
    """All private texts of at least 6 characters in these documents, and all public texts."""
    hidden: list[Secret] = []
    shown: set[str] = set()
    unseen = {(each.kind, each.slug) for each in loaded if each.is_main and each.is_private}
    for each in loaded:
        if not each.is_private and (each.kind, each.slug) in unseen:
            continue  # removed with its document, so it publishes nothing
        if not each.is_private:
            shown.update((each.slug, *public_texts(each.fact)))
        is_person = isinstance(each.fact, Person | Referee)
        for text, steps, is_hidden in leaves(each.row, (), each.is_private):
            if not is_hidden:
                shown.add(text)
            elif len(text) >= MIN_LENGTH and (steps == ("name",) or text != each.row.get("name")):
                top = str(steps[0]) if steps and is_person else ""
                place = each.row.at(*steps)
                is_contact = (top in CONTACTS and steps[-1] not in SHARED_PARTS) or (
                    top == "birthDate" and DAY.fullmatch(text) is not None
                )
                former = top == "formerNames" and steps[-1] != "visibility"
                hidden.append(Secret(text, place, is_contact, former))
                if top == "address" and is_contact:
                    hidden += [
                        Secret(part, place, True)
                        for part in map(str.strip, STREET.findall(text))
                        if part != text and len(part) >= MIN_LENGTH
                    ]
    return hidden, shown


def constants(model: type[Fact]) -> Iterator[str]:
    """The constant texts of a model and its subclasses."""
    yield from own_constants(model)
    for each in model.__subclasses__():
        yield from constants(each)


@cache
def own_constants(model: type[Fact]) -> frozenset[str]:
    """Constants such as `Author`, and the choices of its fields."""
    fields = model.model_fields.values()
    return frozenset(model.fixed.values()).union(*(choices(each.annotation) for each in fields))


def choices(annotation: Any) -> Iterator[str]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for argument in get_args(annotation):
            yield from choices(argument)


@cache
def unpublished(model: type[Fact]) -> frozenset[str]:
    """The fields that are never published."""
    return frozenset(NEVER_PUBLISHED) | {
        name
        for name, info in model.model_fields.items()
        if any(isinstance(mark, Unmapped) and mark.is_withheld for mark in info.metadata)
    }


def public_texts(fact: Fact) -> list[str]:
    """The texts in the fields of a fact, including defaults and computed values such as `Doctoral
    advisor`.
    """
    unsaid = unpublished(type(fact))
    found = [value for name, value in vars(fact).items() if name not in unsaid]
    for name in computed_values(type(fact)):
        value = getattr(fact, name)
        for item in value if isinstance(value, list) else [value]:
            parts = vars(item).values() if isinstance(item, Fact) else [item]
            found += item[:2] if isinstance(item, DaySpan) else parts  # 2012 starts on 2012-01-01
    return [text for text in found if isinstance(text, str)]


def leaves(value: Any, steps: Steps, hidden: bool) -> Iterator[tuple[str, Steps, bool]]:
    """Each line of text in a value, the steps to it, and whether it is hidden. Everything below a
    private value is hidden.
    """
    if isinstance(value, str):
        yield from ((line.strip(), steps, hidden) for line in value.splitlines())
    elif isinstance(value, Rows):
        for number, item in enumerate(value):
            yield from leaves(item, (*steps, number), hidden)
    elif isinstance(value, Row):
        # The `visibility` of a CV maps sections, and is already set on their entries.
        stated = value.get("visibility")
        hidden = hidden or (isinstance(stated, str) and stated != "public")
        for key, item in value.items():
            below = key in NEVER_PUBLISHED or (hidden and key != "visibility")
            if key in PERSONAL and not steps:
                for number, each in enumerate(item if isinstance(item, Rows) else [item]):
                    place = (key, number) if isinstance(item, Rows) else (key,)
                    yield from leaves(each, place, hidden or not is_open(each))
            else:
                yield from leaves(item, (*steps, key), below)


def is_open(value: Any) -> bool:
    """Whether a value that is private by default is public; for an email address, its hash."""
    return isinstance(value, Row) and (value.get("visibility") == "public" or "sha1" in value)
