"""One address for one thing: in a draft, works that would get the same key get keys of their own,
and names that differ in signs or capitals only are of one thing, called as most often.

A bibliography that grew for years names `J. Smith` and `J Smith`, and both at `people/j-smith`.
An author stays as printed: `{as: J Smith, person: J. Smith}`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from kg.exchange.draft import Draft, Value
from kg.facts.reading.cv_works import is_listed
from kg.facts.reading.rows import Row
from kg.facts.values.naming import work_key
from kg.facts.values.text import address_slug

SIGNED = ("authors", "editors", "translators", "contributors")  # names that were printed
FIELDS = {
    **dict.fromkeys((*SIGNED, "person", "advisor", "mentors", "host", "with"), "people"),
    **dict.fromkeys(("journal", "conference", "venue"), "venues"),
    **dict.fromkeys(("organization", "institution", "publisher", "funder"), "orgs"),
    **dict.fromkeys(("awarder", "issuer", "assignee"), "orgs"),
}
NAMES = ("as", "name")  # where a thing has fields


class NameSpot(NamedTuple):
    """A name in a draft, and where it is to be replaced."""

    field: str
    text: str
    holder: Any
    step: str | int

    def call(self, usual: str) -> None:
        """Writes another spelling; a name that was printed is kept beside it."""
        if self.text == usual:
            return
        written = self.holder[self.step]
        name = written.became(usual) if isinstance(written, Value) else usual
        if self.field not in SIGNED:
            self.holder[self.step] = name
        elif self.step == "as":
            self.holder.setdefault("person", name)
        else:
            self.holder[self.step] = {"as": written, "person": name}


def make_distinct(draft: Draft) -> None:
    spell_one_way(draft)
    give_keys(draft)


def spell_one_way(draft: Draft) -> None:
    same: dict[tuple[str, str], list[NameSpot]] = defaultdict(list)
    for found in names_in(draft.cv, ""):
        same[FIELDS[found.field], address_slug(found.text)].append(found)
    own = draft.name
    for (_, slug), names in same.items():
        spellings = Counter(each.text for each in names)
        if not slug or len(spellings) == 1:
            continue
        usual = own if own in spellings else spellings.most_common(1)[0][0]
        for each in names:
            each.call(usual)


def names_in(value: Any, name: str) -> Iterator[NameSpot]:
    """The names of people, organisations and venues in a part of a CV."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in steps:
        field = step if isinstance(step, str) else name
        inner = name if step in NAMES and name in FIELDS else field
        if isinstance(item, dict | list):
            yield from names_in(item, inner)
        elif inner in FIELDS and (isinstance(value, list) or step in (*NAMES, inner)):
            yield NameSpot(inner, str(item), value, step)


def give_keys(draft: Draft) -> None:
    """Gives a key to each work that would get that of one before."""
    basics, taken = draft.cv.get("basics"), set[str]()
    for work in draft.cv.get("publications", ()):
        if not isinstance(work, dict):
            continue
        row = Row("")
        row.update(work)
        if is_listed(row):
            taken.add(str(work.get("key")))
            continue
        known = str(work.get("key") or work_key(work, basics))
        number, key = 1, known
        while key in taken:
            number += 1
            key = f"{known}-{number}"
        taken.add(key)
        if key != known:
            title = work.get("title")
            work["key"] = title.became(key) if isinstance(title, Value) else key
