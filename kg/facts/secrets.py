"""What must never be published: private entries and contacts, notes, rejected readings. The build
searches its own output for these.

Few secrets are looked for one by one; many in one pass over the output: wherever a word begins, its
first letters are looked up.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from kg.errors import Place
from kg.facts.models.activities import Referee
from kg.facts.models.base import Fact
from kg.facts.models.people import Person
from kg.facts.reading.rows import Row, Rows
from kg.facts.values.terms import Unmapped, computed_values

if TYPE_CHECKING:
    from kg.facts.load import Loaded

SHORTEST = 6
SHORTEST_NUMBER = 7
NEVER = ("note", "disputed", "accept")
CONTACTS = ("email", "phone", "address", "formerNames")
# What is private unless it says otherwise.
PERSONAL = (*CONTACTS, "birthDate", "nationality", "gender")
FEW = 500
NUL = "\0"  # stands in no text
WORD = re.compile(r"(?<!\w)\w")
BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s().\-/\u00a0\u2011]+(?=\d)")
Steps = tuple[str | int, ...]
Table = defaultdict[str, defaultdict[str, list["Secret"]]]
NONE: Mapping[str, list[Secret]] = {}


class Secret(NamedTuple):
    """A text that stays home, and where it is written."""

    text: str
    place: Place
    number: str  # its digits, where it is a number such as a telephone's
    contact: bool  # an address or number: secret even inside a public text
    former: bool = False  # a name: secret even where an author list in the files has it


class Shown:
    """Texts that are public, packed: there are many, and few are ever looked up."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.packed = [zlib.compress(f"\0{NUL.join(sorted(texts))}\0".encode(), 1)]

    def update(self, other: Shown) -> None:
        self.packed += other.packed

    def says(self, text: str, exactly: bool = False) -> bool:
        """Whether a text is among them, be it as a part of more."""
        wanted = f"\0{text}\0" if exactly else text
        return any(wanted in zlib.decompress(each).decode() for each in self.packed)


class Secrets:
    def __init__(self, hidden: Iterable[Secret], shown: Shown) -> None:
        self.shown = shown
        self.exempt: dict[tuple[str, bool], bool] = {}
        # By how they begin, and then by what they are: the same note may stand in thousands of
        # entries, and is looked for once.
        self.words: Table = defaultdict(lambda: defaultdict(list))
        self.numbers: Table = defaultdict(lambda: defaultdict(list))
        for secret in sorted(set(hidden)):
            if secret.number:
                self.numbers[secret.number[:SHORTEST_NUMBER]][secret.number].append(secret)
            elif first := WORD.search(secret.text):
                self.words[secret.text[first.start() :][:SHORTEST]][secret.text].append(secret)

    def __iter__(self) -> Iterator[Secret]:
        return (
            secret
            for table in (self.words, self.numbers)
            for alike in table.values()
            for same in alike.values()
            for secret in same
        )

    def found_in(self, output: str) -> list[Secret]:
        """The secrets in an output that are not public as well."""
        return [secret for secret in self.matches(output) if not self.is_public(secret)]

    def matches(self, output: str) -> list[Secret]:
        """All secrets in an output; numbers whatever separates their digits."""
        found: dict[Secret, None] = {}
        few = len(self.words) <= FEW
        for start in (
            self.words
            if few
            else {output[at.start() : at.start() + SHORTEST]: None for at in WORD.finditer(output)}
        ):
            for text, same in self.words.get(start, NONE).items():
                found.update(dict.fromkeys(same) if text in output else {})
        for run in re.findall(r"\d{7,}", BETWEEN_DIGITS.sub("", output)) if self.numbers else ():
            for place in range(len(run) - SHORTEST_NUMBER + 1):
                for number, same in self.numbers.get(
                    run[place : place + SHORTEST_NUMBER], NONE
                ).items():
                    found.update(dict.fromkeys(same) if number in run else {})
        return list(found)

    def is_public(self, secret: Secret) -> bool:
        """Whether the same is public somewhere, be it as a part of more; a contact must be public
        as it is.
        """
        if secret.former:
            return False
        text, exactly = secret.text, secret.contact
        if (text, exactly) not in self.exempt:
            self.exempt[text, exactly] = self.shown.says(text, exactly)
        return self.exempt[text, exactly]


def texts_of(loaded: Sequence[Loaded]) -> tuple[list[Secret], set[str]]:
    """All private texts of six or more characters in these documents, and all public ones."""
    hidden: list[Secret] = []
    shown: set[str] = set()
    unseen = {(each.kind, each.slug) for each in loaded if each.is_main and each.is_private}
    for each in loaded:
        if not each.is_private and (each.kind, each.slug) in unseen:
            continue  # left out with the document it belongs to, so it makes nothing public
        if not each.is_private:
            shown.update((each.slug, *public_texts(each.fact)))
        for text, steps, is_hidden in leaves(each.row, (), each.is_private):
            if not is_hidden:
                shown.add(text)
            elif len(text) >= SHORTEST:
                digits = re.sub(r"\D", "", text)
                number = (
                    digits
                    if len(digits) >= SHORTEST_NUMBER and not re.search(r"[^\W\d_]", text)
                    else ""
                )
                top = steps[0] if steps and isinstance(each.fact, Person | Referee) else ""
                former = top == "formerNames" and steps[-1] != "visibility"
                place = each.row.at(*steps)
                hidden.append(Secret(text, place, number, top in CONTACTS, former))
    return hidden, shown


def constants(model: type[Fact]) -> Iterator[str]:
    """The constant texts of a class and all below it, such as `Author`, and the words that a field
    lets choose from.
    """
    yield from model.fixed.values()
    for info in model.model_fields.values():
        yield from choices(info.annotation)
    for each in model.__subclasses__():
        yield from constants(each)


def choices(annotation: Any) -> Iterator[str]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for argument in get_args(annotation):
            yield from choices(argument)


@cache
def unpublished(model: type[Fact]) -> frozenset[str]:
    """The fields that nothing published says."""
    return frozenset(NEVER) | {
        name
        for name, info in model.model_fields.items()
        if any(isinstance(mark, Unmapped) and mark.is_withheld for mark in info.metadata)
    }


def public_texts(fact: Fact) -> list[str]:
    """What the fields of a fact hold, also where the author leaves one out, and what we compute
    from them, such as `Doctoral advisor`.
    """
    unsaid = unpublished(type(fact))
    found = [value for name, value in vars(fact).items() if name not in unsaid]
    for name in computed_values(type(fact)):
        value = getattr(fact, name)
        for item in value if isinstance(value, list) else [value]:
            found += vars(item).values() if isinstance(item, Fact) else [item]
    return [text for text in found if isinstance(text, str)]


def leaves(value: Any, steps: Steps, hidden: bool) -> Iterator[tuple[str, Steps, bool]]:
    """Each line of text below a value, the steps to it, and whether it is hidden; what is private
    on the way down stays private.
    """
    if isinstance(value, str):
        yield from ((line.strip(), steps, hidden) for line in value.splitlines())
    elif isinstance(value, Rows):
        for number, item in enumerate(value):
            yield from leaves(item, (*steps, number), hidden)
    elif isinstance(value, Row):
        # A CV's own is a mapping of sections, which their entries carry already.
        stated = value.get("visibility")
        hidden = hidden or (isinstance(stated, str) and stated != "public")
        for key, item in value.items():
            below = key in NEVER or (hidden and key != "visibility")
            if key in PERSONAL and not steps:
                for number, each in enumerate(item if isinstance(item, Rows) else [item]):
                    place = (key, number) if isinstance(item, Rows) else (key,)
                    yield from leaves(each, place, hidden or not is_open(each))
            else:
                yield from leaves(item, (*steps, key), below)


def is_open(value: Any) -> bool:
    """Whether what is private by itself says that it is public; of an e-mail address, a hash."""
    return isinstance(value, Row) and (value.get("visibility") == "public" or "sha1" in value)
