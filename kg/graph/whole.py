"""The lines of a graph and a store of them, which who builds it again and again changes only where
it differs from the last.

A graph has two layers: what is asserted, and what rules derive from that. Rules look at the first
alone, so whatever is derived that a rule would see is out of the store while it is asked. A line
may stand in several texts of a layer, and in both layers; it is gone when it stands in none any
more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from kg.check.impact.diff import Change, Since, Version, read
from kg.check.impact.diff import texts as as_texts
from kg.check.local_shapes import lines_with
from kg.graph.sorted_lines import Packed, blocks, merged, unpacked
from kg.graph.spliced import beginning, holds, spliced
from kg.store.memory import Memory
from kg.vocab import rdf

MOST = 20_000  # lines that changed; where there are more, all may as well be made anew
# a store keeps the room of what was removed from it, and is made anew when that is such a part of
# it
STALE = 4


class Layer:
    """Texts, the few lines that stand in more than one of them, and the lines by which the next
    graph differs from the last.
    """

    def __init__(self) -> None:
        self.texts: list[Packed] = []
        self.repeated: dict[bytes, int] = {}
        self.gone: set[bytes] = set()
        self.come: set[bytes] = set()

    def change(
        self, texts: Sequence[Packed], was_here: Callable[[bytes], bool]
    ) -> tuple[set[bytes], set[bytes]]:
        """Takes these texts for the ones before: the lines that no text has any more, and those
        that none had.
        """
        old, new = Counter(self.texts), Counter(texts)
        numbers: Counter[bytes] = Counter()
        for text in (new - old).elements():
            numbers.update(unpacked(text).splitlines(keepends=True))
        for text in (old - new).elements():
            numbers.subtract(unpacked(text).splitlines(keepends=True))
        gone, come = set(), set()
        for line, number in numbers.items():
            if number:
                before = 1 + self.repeated.pop(line, 0) if self.has(line, was_here) else 0
                if before + number > 1:
                    self.repeated[line] = before + number - 1
                if not before:
                    come.add(line)
                elif not before + number:
                    gone.add(line)
        self.texts = list(texts)
        self.gone, self.come = (
            (self.gone - come) | (gone - self.come),
            (self.come - gone) | (come - self.gone),
        )
        return gone, come

    def has(self, line: bytes, was_here: Callable[[bytes], bool]) -> bool:
        return line in self.come or (line not in self.gone and was_here(line))


class Whole:
    """`is_known` tells whether there was a graph before, from which the next is made."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.is_known = memory, False
        self.asserted, self.derived = Layer(), Layer()
        self.nquads: bytes = b""
        self.version = Version()
        self.lines = b""  # those that are derived
        self.given: set[str] = (
            set()
        )  # the predicates of those, and perhaps of earlier ones; and the classes
        self.both: set[bytes] = set()  # those that are asserted too
        self.out: set[bytes] = set()  # of the last graph's derived lines, those that are hidden
        self.absent: set[bytes] = set()  # of all its lines, those that are not in the store now
        self.added: set[bytes] = set()
        self.removed = 0  # bytes of lines

    def begin(self) -> None:
        """Before each graph. What was found out about the last one is not true of it."""
        self.memory = Memory(self.memory.base, store=self.memory.store)
        for layer in (self.asserted, self.derived):
            layer.gone, layer.come = set(), set()
        self.out, self.absent, self.added = set(), set(), set()

    def put(self, texts: Sequence[Packed]) -> None:
        """These are asserted."""
        if self.is_known:
            gone, come = self.asserted.change(texts, self.was_asserted)
            self.change(
                {line for line in gone if line in self.out or not holds(self.lines, line)}, come
            )
            return
        self.load((Counter(texts) - Counter(self.asserted.texts)).elements())
        self.asserted.texts = list(texts)

    @property
    def changes(self) -> list[Change] | None:
        """What was asserted and is not any more, or only now; None: all, or too much."""
        lines = self.asserted.gone | self.asserted.come
        return read(as_texts(lines)) if self.is_known and len(lines) <= MOST else None

    def hide(self, names: Set[str] | None) -> None:
        """Takes out of the store what is only derived, if who looks at these predicates and classes
        would see it.
        """
        found = (
            set(seen_by(None if names is None else names & self.given, self.lines))
            - self.out
            - self.asserted.come
            - (self.both - self.asserted.gone)
        )
        self.change(found, set())
        self.out |= found

    def load(self, texts: Iterable[Packed]) -> None:
        self.memory.load_all(block for text in texts for block in blocks(text))

    def derive(self, texts: Sequence[Packed], lasts: bool) -> Since | None:
        """And these are derived, which makes it whole: in what it differs from the last, if that is
        known.
        """
        if self.is_known:
            return self.renew(texts)
        self.load(texts)
        self.derived.texts = list(texts)
        if not lasts:
            self.nquads = merged([*self.asserted.texts, *texts])
        else:
            repeated: Counter[bytes] = Counter()
            self.nquads = merged([*self.asserted.texts, *texts], repeated)
            self.count(repeated)
        return None

    def count(self, repeated: Counter[bytes]) -> None:
        """Which layer the lines are of that stand in more than one text."""
        again: Counter[bytes] = Counter()
        self.lines = merged(self.derived.texts, again)
        self.derived.repeated = dict(again)
        self.given = names_in(self.lines.splitlines())
        for line, more in repeated.items():
            derived = 1 + again[line] if holds(self.lines, line) else 0
            asserted = 1 + more - derived
            if asserted > 1:
                self.asserted.repeated[line] = asserted - 1
            if asserted and derived:
                self.both.add(line)
        self.is_known = True

    def renew(self, derived: Sequence[Packed]) -> Since:
        gone, come = self.derived.change(derived, self.was_derived)
        self.change(
            {line for line in gone - self.out if not self.asserted.has(line, self.was_asserted)},
            come | (self.out - gone),
        )
        less, more, both = set(), set(), set(self.both)
        for line in self.asserted.gone | self.asserted.come | gone | come:
            layers = self.asserted.has(line, self.was_asserted) + self.derived.has(
                line, self.was_derived
            )
            if holds(self.nquads, line) > bool(layers):
                less.add(line)
            elif holds(self.nquads, line) < bool(layers):
                more.add(line)
            (both.add if layers > 1 else both.discard)(line)
        self.given |= names_in(come)
        since = Since(self.version, as_texts(sorted(less)), as_texts(sorted(more)))
        self.nquads, self.lines, self.both = (
            spliced(self.nquads, less, more),
            spliced(self.lines, gone, come),
            both,
        )
        self.version = Version()
        return since

    def was_asserted(self, line: bytes) -> bool:
        return holds(self.nquads, line) and (line in self.both or not holds(self.lines, line))

    def was_derived(self, line: bytes) -> bool:
        return holds(self.lines, line)

    def change(self, gone: set[bytes], come: set[bytes]) -> None:
        """In the store; which takes `1.50` and `1.5` for one, so what begins like a value that is
        gone is put there again.
        """
        self.absent, self.added = (self.absent | gone) - come, (self.added | come) - gone
        self.removed += sum(map(len, gone))
        begun = {begin(line) for line in gone if b'"^^<' in line or b'"@' in line}
        alike = {line for words in begun for line in beginning(self.nquads, words)} - self.absent
        alike |= {line for line in self.added if begin(line) in begun}
        self.memory.change(b"".join(gone), b"".join(come | alike))

    @property
    def is_stale(self) -> bool:
        return self.removed * STALE > len(self.nquads)


def begin(line: bytes) -> bytes:
    """Subject and predicate, in which there are no spaces."""
    subject, predicate, _ = line.split(b" ", 2)
    return b"%b %b " % (subject, predicate)


def names_in(lines: Iterable[bytes]) -> set[str]:
    """The predicates of lines, and the classes that they tell."""
    changes = {change[1:] for change in read(as_texts(lines))}
    return {predicate for predicate, _ in changes} | {
        value for predicate, value in changes if predicate == rdf.type
    }


def seen_by(names: Set[str] | None, nquads: bytes) -> Iterator[bytes]:
    """The lines of which something is seen by who looks at these predicates and classes; None looks
    at everything.
    """
    if names is None:
        yield from nquads.splitlines(keepends=True)
        return
    for name in names:
        for line in lines_with(f" <{name}> ", nquads):
            if read([line])[0].concerns(names):
                yield f"{line}\n".encode()
