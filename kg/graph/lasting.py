"""What follows from the facts of a site, kept from graph to graph by a process that builds it again
and again.

Pages follow from what things are called; the other lines from rules, and one that looks at nothing
that changed gives what it gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from kg.check.impact.diff import Change, Since, read, texts
from kg.facts.models.base import Fact
from kg.facts.values.text import RESERVED
from kg.graph import rules
from kg.graph.names import Names, key, names_of, renewed
from kg.graph.pages import Profile, pages
from kg.graph.sorted_lines import Packed, packed, unpacked
from kg.graph.walked import Walked
from kg.graph.whole import MOST, Whole
from kg.mapping.walk import lines_of
from kg.settings import Site
from kg.store.memory import Memory
from kg.vocab import schema

AT_ONCE = 1000  # pages


class Lasting:
    """What the last graph was made of: what its pages follow from, and they; the texts its rules
    were asked of, and what each gave.

    `in_place`: who asks for the next graph has let the last one go, whose store may be changed to
    be that of the next.
    """

    def __init__(self, in_place: bool = False) -> None:
        self.in_place = in_place
        self.walked = Walked()
        self.whole: Whole | None = None
        self.names: Names = {}
        self.named: tuple[Site, Names, Mapping[str, Profile]] | None = None
        self.pages: list[Packed] = []
        self.texts: list[Packed] = []
        self.given: dict[Path, tuple[bytes, Packed]] = {}

    def graph(
        self,
        site: Site,
        asserted: Sequence[Packed],
        profiles: Mapping[str, Profile],
        files: Iterable[Path],
    ) -> tuple[Whole, Since | None]:
        """The graph in which this is asserted, and pages besides, and from which these rules derive
        more.
        """
        last, self.whole = (
            self.whole,
            None,
        )  # if anything goes wrong, it is neither the last graph nor the next
        whole = self.begun(last, asserted) if last and last.memory.base == site.base else None
        if whole is None:
            whole = Whole(Memory(site.base))
            whole.put(asserted)
            self.names = names_of(whole.memory)
        own = self.pages_of(site, self.names, profiles)
        whole.put([*asserted, *own])
        since = whole.derive(self.derived(whole, files), self.in_place)
        if self.in_place and not whole.is_stale:
            self.whole = whole
        return whole, since

    def begun(self, whole: Whole, asserted: Sequence[Packed]) -> Whole | None:
        """The last graph with what is asserted now, and the old pages still; None where it is
        better made anew.
        """
        whole.begin()
        whole.put([*asserted, *self.pages])
        changed = whole.changes
        if changed is None:
            return None
        things = sorted(
            {
                change.subject
                for change in changed
                if change.predicate == schema.name and change.subject.endswith("#it")
            }
        )
        if any(is_list(*key(whole.memory.base, thing)) for thing in things):
            return None  # which has a name in the old pages too
        whole.hide({schema.name})
        self.names = renewed(self.names, whole.memory, things)
        return whole

    def pages_of(self, site: Site, names: Names, profiles: Mapping[str, Profile]) -> list[Packed]:
        if self.named != (site, names, profiles):
            self.named, made = None, pages(site, names, profiles)
            self.pages = [packed(lines_of(some, site.base)) for some in batched(made)]
            self.named = site, names, profiles
        return self.pages

    def derived(self, whole: Whole, files: Iterable[Path]) -> list[Packed]:
        """What the rules in these files say of what is asserted."""
        changed = whole.changes if whole.is_known else self.changed(whole.asserted.texts)
        found: dict[Path, tuple[bytes, Packed]] = {}
        for file in files:
            body = file.read_bytes()
            known = self.given.get(file)
            names = rules.looks_at(body.decode(errors="replace"), whole.memory.base)
            if (
                known
                and known[0] == body
                and changed is not None
                and not any(change.concerns(names) for change in changed)
            ):
                found[file] = known
            else:
                whole.hide(names)
                found[file] = body, packed(rules.derive(whole.memory, [file]))
        self.texts, self.given = list(whole.asserted.texts), found
        return [lines for _, lines in found.values()]

    def changed(self, now: Sequence[Packed]) -> list[Change] | None:
        """What is asserted only now, or only was in the last graph; None: too much, or there was
        none.
        """
        if not self.texts:
            return None
        old, new = Counter(self.texts), Counter(now)
        gone, come = (
            {line for text in some for line in unpacked(text).splitlines()}
            for some in (old - new, new - old)
        )
        lines = gone ^ come
        return read(texts(lines)) if len(lines) <= MOST else None


def is_list(kind: str, slug: str) -> bool:
    return not slug or RESERVED.fullmatch(slug) is not None


def batched(facts: Iterator[tuple[Fact, str]]) -> Iterator[list[tuple[Fact, str]]]:
    """Some at a time, for each makes many lines."""
    while some := list(islice(facts, AT_ONCE)):
        yield some
