"""What a graph holds after an edit, counted from what it held before: only what the edit touches is
looked at.

A line counts for its subject, so the subjects of the lines that came or went are counted again, as
they were and as they are. Whoever points at something that is of another class now counts otherwise
too. And a value is new, or gone, if no other line has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.graph.sorted_lines import Lines
from kg.mapping import iris
from kg.publish.about.counts import TYPE, Counts, Tally, datatype_of, iri, is_linked
from kg.store.memory import Memory
from kg.vocab import rdf

MOST = 2000  # things that are counted again; where there are more, all may as well be


class Line(NamedTuple):
    subject: bytes
    predicate: bytes
    value: bytes


def recount(
    before: Counts, memory: Memory, lines: Lines, gone: Iterable[str], come: Iterable[str]
) -> Counts | None:
    """The counts of the graph in memory, whose lines these are, from those `before` some went and
    some came. None: too many.
    """
    edit = Edit(memory, lines, list(map(read, gone)), list(map(read, come)))
    return edit.counted(before) if len(edit.subjects) <= MOST else None


class Edit:
    """What an edit changed."""

    def __init__(self, memory: Memory, lines: Lines, gone: list[Line], come: list[Line]) -> None:
        self.memory, self.lines, self.gone, self.come = memory, lines, gone, come
        self.subjects = {line.subject for line in chain(gone, come)}
        self.known: dict[bytes, tuple[str, ...]] = {}

    @cached_property
    def now(self) -> dict[bytes, list[Line]]:
        """What is said of the subjects."""
        found: dict[bytes, list[Line]] = {subject: [] for subject in self.subjects}
        for document in {document_of(subject) for subject in self.subjects}:
            for text in self.lines.of(document).splitlines():
                if text.split(b" ", 1)[0] in found:
                    line = cut(text)
                    found[line.subject].append(line)
        return found

    @cached_property
    def still(self) -> list[Line]:
        """What was said of them before, too."""
        new = set(self.come)
        return [line for lines in self.now.values() for line in lines if line not in new]

    @cached_property
    def then(self) -> dict[bytes, list[Line]]:
        found: dict[bytes, list[Line]] = {subject: [] for subject in self.subjects}
        for line in chain(self.still, self.gone):
            found[line.subject].append(line)
        return found

    def counted(self, before: Counts) -> Counts:
        counts = copied(before)
        was, are = (
            {subject: kinds(lines) for subject, lines in each.items()}
            for each in (self.then, self.now)
        )
        for sign, said, classes in ((-1, self.then, was), (1, self.now, are)):
            for subject, lines in said.items():
                self.tell(counts, sign, lines, classes[subject], classes)
        for subject in self.subjects:
            if was[subject] != are[subject]:
                self.tell_others(counts, subject, was[subject], are[subject])
        self.tell_values(counts)
        for document in {document_of(subject) for subject in self.subjects}:
            had, has = (
                any(lines for subject, lines in said.items() if document_of(subject) == document)
                for said in (self.then, self.now)
            )
            others = any(
                each.split(b" ", 1)[0] not in self.subjects
                for each in self.lines.of(document).splitlines()
            )
            counts.documents += 0 if others else has - had
        return without_nothing(counts)

    def tell(
        self,
        counts: Counts,
        sign: int,
        lines: list[Line],
        its: tuple[str, ...],
        classes: dict[bytes, tuple[str, ...]],
    ) -> None:
        """Adds what is said of one subject to the counts, or takes it off."""
        counts.subjects += sign if lines else 0
        counts.triples += sign * len(lines)
        for kind in its:
            counts.classes[kind] += sign
        for predicate in {line.predicate for line in lines}:
            for tally in (
                counts.properties.setdefault(iri(predicate), Tally()),
                *used(counts, its, predicate),
            ):
                tally.subjects += sign
        for _, predicate, value in lines:
            for tally in (counts.properties[iri(predicate)], *used(counts, its, predicate)):
                tally.triples += sign
            if not value.startswith(b"<"):
                for kind in its:
                    counts.datatypes[kind, iri(predicate), datatype_of(value).decode()] += sign
                continue
            for other in classes[value] if value in classes else self.classes(value):
                for kind in its:
                    counts.links[kind, iri(predicate), other] += sign
            if is_linked(predicate, value):
                counts.linked[iri(value)] += sign

    def tell_others(
        self, counts: Counts, thing: bytes, was: tuple[str, ...], are: tuple[str, ...]
    ) -> None:
        """The links to a thing whose classes are others now."""
        for quad in self.memory.store.quads_for_pattern(None, None, NamedNode(iri(thing))):
            subject = str(quad.subject).encode()
            for kind in self.classes(subject) if subject not in self.subjects else ():
                for sign, classes in ((-1, was), (1, are)):
                    for other in classes:
                        counts.links[kind, quad.predicate.value, other] += sign

    def classes(self, thing: bytes) -> tuple[str, ...]:
        """Those of a thing of which nothing else is said now."""
        if thing not in self.known:
            found = self.memory.store.quads_for_pattern(
                NamedNode(iri(thing)), NamedNode(rdf.type), None
            )
            self.known[thing] = tuple(
                quad.object.value for quad in found if isinstance(quad.object, NamedNode)
            )
        return self.known[thing]

    def tell_values(self, counts: Counts) -> None:
        """How many different values there are, of each property and of all."""
        for predicate in (True, False):
            gone, come, still = (
                {(line.predicate if predicate else b"", line.value) for line in lines}
                for lines in (self.gone, self.come, self.still)
            )
            for pair in (gone ^ come) - still:
                if not self.is_said_elsewhere(*pair):
                    change = 1 if pair in come else -1
                    if predicate:
                        counts.properties[iri(pair[0])].values += change
                    else:
                        counts.objects += change

    def is_said_elsewhere(self, predicate: bytes, value: bytes) -> bool:
        """Whether something else has this value. The store takes some texts for equal that are
        written otherwise, so it is asked where to look.
        """
        along = NamedNode(iri(predicate)) if predicate else None
        found = self.memory.store.quads_for_pattern(None, along, term(value))
        others = (quad for quad in found if str(quad.subject).encode() not in self.subjects)
        return any(value.startswith(b"<") or self.is_written(quad, value) for quad in others)

    def is_written(self, quad: Quad, value: bytes) -> bool:
        line = (
            f"{quad.subject} {quad.predicate} ".encode()
            + value
            + f" {quad.graph_name} .\n".encode()
        )
        return line in self.lines.of(document_of(str(quad.subject).encode()))


def read(line: str) -> Line:
    return cut(line.encode())


def cut(line: bytes) -> Line:
    subject, predicate, rest = line.split(b" ", 2)
    return Line(subject, predicate, rest[: rest.rindex(b" <")])


def term(value: bytes) -> NamedNode | Literal:
    (triple,) = parse(b"<a:a> <a:a> " + value + b" .", format=RdfFormat.N_TRIPLES, lenient=True)
    assert isinstance(triple.object, NamedNode | Literal)  # noqa: S101
    return triple.object


def document_of(subject: bytes) -> str:
    return iris.document_of(iri(subject))


def kinds(lines: list[Line]) -> tuple[str, ...]:
    return tuple(sorted(iri(line.value) for line in lines if line.predicate == TYPE))


def used(counts: Counts, kinds: Iterable[str], predicate: bytes) -> list[Tally]:
    return [counts.uses.setdefault((kind, iri(predicate)), Tally()) for kind in kinds]


def copied(counts: Counts) -> Counts:
    own = copy(counts)
    own.classes, own.linked = Counter(own.classes), Counter(own.linked)
    own.links, own.datatypes = Counter(own.links), Counter(own.datatypes)
    own.properties = {name: copy(tally) for name, tally in own.properties.items()}
    own.uses = {name: copy(tally) for name, tally in own.uses.items()}
    return own


def without_nothing(counts: Counts) -> Counts:
    for each in (counts.classes, counts.links, counts.datatypes, counts.linked):
        for name in [name for name, number in each.items() if not number]:
            del each[name]
    counts.properties = {name: tally for name, tally in counts.properties.items() if tally.triples}
    counts.uses = {name: tally for name, tally in counts.uses.items() if tally.triples}
    return counts
