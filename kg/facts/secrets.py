"""What must never be published: private entries and contacts, notes, rejected readings. The build searches its own output for these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from kg.errors import Place
from kg.facts.load import Loaded
from kg.facts.models.base import Entry, Fact
from kg.facts.models.people import Owner
from kg.facts.rows import Row, Rows
from kg.facts.terms import said_values

SHORTEST = 6
NEVER = ("note", "disputed")
CONTACTS = ("email", "phone", "address")


class Secret(NamedTuple):
    """A text that stays home, and where it is written."""

    text: str
    place: Place
    number: str  # its digits, where it is a number such as a telephone's
    contact: bool  # an address or number: secret even inside a public text

    def found_in(self, output: str, digits: str) -> bool:
        """Whether it stands in an output; numbers are looked for without their separators."""
        return self.number in digits if self.number else self.text in output


def digits_of(output: str) -> str:
    """An output with all that may stand between the digits of a telephone number removed."""
    return re.sub(r"(?<=\d)[\s().\-/\u00a0\u2011]+(?=\d)", "", output)


def secrets(loaded: Iterable[Loaded]) -> list[Secret]:
    """All private texts of six or more characters that are not part of a public one anywhere."""
    hidden: list[Secret] = []
    shown: set[str] = set()
    for each in loaded:
        private = isinstance(each.fact, Entry) and each.fact.visibility == "private"
        if not private:
            shown.update((each.slug, *computed(each.fact)))
        for text, steps, is_hidden in leaves(each.row, (), private):
            if is_hidden and len(text) >= SHORTEST:
                number = re.sub(r"\D", "", text)
                contact = isinstance(each.fact, Owner) and bool(steps) and steps[0] in CONTACTS
                hidden.append(
                    Secret(text, each.row.at(*steps), number if len(number) >= 7 and not re.search(r"[^\W\d_]", text) else "", contact)
                )
            elif not is_hidden:
                shown.add(text)
    public = "\n".join(sorted(shown))
    return sorted({secret for secret in hidden if secret.text not in (shown if secret.contact else public)})


def computed(fact: Fact) -> Iterator[str]:
    """Texts we make ourselves from public ones, such as `Doctoral advisor`."""
    for name in said_values(type(fact)):
        value = getattr(fact, name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield item
            elif isinstance(item, Fact):
                yield from (text for text in vars(item).values() if isinstance(text, str))


def leaves(value: Any, steps: tuple[str | int, ...], hidden: bool) -> Iterator[tuple[str, tuple[str | int, ...], bool]]:
    """Each text below a value, the steps to it, and whether it is hidden; visibility on the way down decides."""
    if isinstance(value, str):
        yield value, steps, hidden
    elif isinstance(value, Rows):
        for number, item in enumerate(value):
            yield from leaves(item, (*steps, number), hidden)
    elif isinstance(value, Row):
        stated = value.get("visibility")  # a CV's own is a mapping of sections, which their entries carry already
        hidden = stated != "public" if isinstance(stated, str) else hidden
        for key, item in value.items():
            below = key in NEVER or (hidden and key != "visibility")
            if key in CONTACTS and not steps:
                below = not (isinstance(item, Row) and (item.get("visibility") == "public" or "sha1" in item))
            yield from leaves(item, (*steps, key), below)
