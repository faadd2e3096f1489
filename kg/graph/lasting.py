"""What follows from the facts of a site, kept from graph to graph by a process that builds it again and again.

Pages follow from what things are called; the other lines from rules, and one that looks at nothing that changed gives what it gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from kg.engine.memory import Memory
from kg.facts.models.base import Fact
from kg.graph import rules
from kg.graph.changes import Change, read
from kg.graph.merge import Packed, packed, unpacked
from kg.graph.pages import Profile, pages
from kg.graph.patterns import names_in
from kg.mapping.walk import lines_of
from kg.settings import Site

AT_ONCE = 1000  # pages
MOST = 20_000  # lines that changed; where there are more, all rules may as well be asked
Names = Mapping[tuple[str, str], str]


class Lasting:
    """What the last graph was made of: what its pages follow from, and they; the texts its rules were asked of, and what each gave."""

    def __init__(self) -> None:
        self.named: tuple[Site, Names, Mapping[str, Profile]] | None = None
        self.pages: list[Packed] = []
        self.texts: list[Packed] = []
        self.given: dict[Path, tuple[bytes, Packed]] = {}

    def pages_of(self, site: Site, names: Names, profiles: Mapping[str, Profile]) -> list[Packed]:
        if self.named != (site, names, profiles):
            self.named, made = None, pages(site, names, profiles)
            self.pages = [packed(lines_of(some, site.base)) for some in batched(made)]
            self.named = site, names, profiles
        return self.pages

    def derived(self, memory: Memory, texts: Sequence[Packed], files: Iterable[Path]) -> list[Packed]:
        """What the rules in these files say of a graph, which has these texts and no other."""
        changed = self.changed(texts)
        found: dict[Path, tuple[bytes, Packed]] = {}
        for file in files:
            body = file.read_bytes()
            known = self.given.get(file)
            is_known = known and known[0] == body and changed is not None
            names = names_in(body.decode(), memory.base) if is_known else None
            if known and is_known and changed is not None and not any(change.concerns(names) for change in changed):
                found[file] = known
            else:
                found[file] = body, packed(rules.derive(memory, [file]))
        self.texts, self.given = list(texts), found
        return [lines for _, lines in found.values()]

    def changed(self, texts: Sequence[Packed]) -> list[Change] | None:
        """The lines that only this graph has, or only the last one; None: too many, or there was none."""
        if not self.texts:
            return None
        old, new = ({id(text): text for text in some} for some in (self.texts, texts))
        gone, come = ([text for number, text in one.items() if number not in other] for one, other in ((old, new), (new, old)))
        before, after = ({line for text in some for line in unpacked(text).splitlines()} for some in (gone, come))
        lines = before ^ after
        return read(line.decode() for line in lines) if len(lines) <= MOST else None


def batched(facts: Iterator[tuple[Fact, str]]) -> Iterator[list[tuple[Fact, str]]]:
    """Some at a time, for each makes many lines."""
    while some := list(islice(facts, AT_ONCE)):
        yield some
