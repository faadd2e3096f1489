"""What of an earlier build is still as it would be made now."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from kg.check.impact.diff import apart
from kg.check.impact.impact import Difference
from kg.facts.secrets import Secrets
from kg.publish.export.on_disk import stamp_of
from kg.publish.export.trace import Made
from kg.publish.export.trace_file import Earlier
from kg.publish.export.tracing_store import Asking, Question, digest, is_answered_as_before
from kg.publish.proof.listing import DUMP
from kg.publish.site import Documents
from kg.store.memory import Memory

ABOUT_THINGS = ("quads", "labels")  # that they are asked about


class Again:
    """Compares an earlier build with the graph that is to be published. `folder` is where that
    build was written: its dump tells which graph it was made from. Where it does not, everything is
    asked again, and compared by the answers.
    """

    def __init__(
        self, documents: Documents, graph: str, earlier: Earlier, folder: Path | None
    ) -> None:
        """`graph` is the digest of the graph now."""
        self.documents, self.earlier = documents, earlier
        self.store = documents.store
        self.secrets = newly_private(documents.graph.secrets, earlier)
        self.judged: dict[
            frozenset[tuple[Question, str]], bool
        ] = {}  # answers that several files were made from
        self.gone: list[str] = []
        self.come: list[str] = []
        self.is_same_graph = earlier.graph == graph
        self.difference = None if self.is_same_graph else self.compared(folder)

    def compared(self, folder: Path | None) -> Difference | None:
        graph, made = self.documents.graph, self.earlier.made.get(f"={DUMP}")
        if (
            folder
            and self.documents.standing
            and (edit := self.documents.standing.before(graph, self.earlier.graph))
        ):
            self.gone, self.come = edit.gone, edit.come
            return edit.difference
        if (
            not folder
            or not made
            or not isinstance(graph.memory, Memory)
            or stamp_of(folder / DUMP) != made.files.get(DUMP)
        ):
            return None
        try:
            old = (folder / DUMP).read_bytes()
        except OSError:
            return None
        self.gone, self.come = apart(old, graph.nquads)
        return Difference(graph.memory, [*self.gone, *self.come])

    def is_good(self, made: Made) -> bool:
        """Whether the files of a document would be the same."""
        if self.is_same_graph or (self.difference and self.is_untouched(made)):
            return True
        doubtful = {
            question: answer for question, answer in made.notes.items() if self.may_differ(question)
        }
        if not made.is_of_many:
            return not doubtful or is_answered_as_before(self.store, doubtful)
        key = frozenset(doubtful.items())
        if key not in self.judged:
            self.judged[key] = is_answered_as_before(self.store, doubtful)
        return self.judged[key]

    def is_untouched(self, made: Made) -> bool:
        """Whether plainly nothing that it was made from may have changed; most documents are."""
        patterns, things, others = self.touched
        return (
            made.patterns.isdisjoint(patterns)
            and things.isdisjoint(made.asked_about)
            and others.isdisjoint(made.mentioned)
        )

    @cached_property
    def touched(self) -> tuple[set[Asking], set[str], set[str]]:
        """What may have another answer whatever it was asked about, the things about which any
        query may have, and those of which something else is said.
        """
        difference = self.difference
        assert difference is not None  # noqa: S101
        patterns: set[Asking] = set()
        things: set[str] = set()
        for each in frozenset[Asking]().union(
            *(made.patterns for made in self.earlier.made.values())
        ):
            found = difference.touched(each.query, each.name) if each.name else frozenset()
            if found is None or (
                not each.name
                and each.kind not in ABOUT_THINGS
                and self.may_differ(Question(each.kind, each.query, ()))
            ):
                patterns.add(each)
            things |= found or set()
        return patterns, things, {*difference.documents, *difference.named}

    def may_differ(self, question: Question) -> bool:
        difference = self.difference
        if difference is None:
            return True
        kind, query, about = question
        if kind == "select":
            if (asked := question.asked_about) is None:
                return difference.concerns(query)
            name, things = asked
            touched = difference.touched(query, name)
            return touched is None or (bool(touched) and not touched.isdisjoint(things))
        if kind == "quads":
            return about[0][1][0] in difference.documents
        if kind == "size":
            return len(self.gone) != len(self.come)
        return kind != "labels" or not difference.named.isdisjoint(about[0][1])

    def moved(self) -> frozenset[str] | None:
        """The documents that say something else now; None where that is not known."""
        return (
            frozenset()
            if self.is_same_graph
            else self.difference.documents
            if self.difference
            else None
        )

    @property
    def things(self) -> frozenset[str] | None:
        """The things that are described otherwise now; None where that is not known."""
        if self.difference is None:
            return frozenset() if self.is_same_graph else None
        return frozenset(change.subject for change in self.difference.changes)

    def still(self, is_whole: bool) -> Iterator[Made]:
        """What can be kept, as far as that is told by what it was made from. `is_whole`: what is
        not proved is made again.
        """
        expected = files_of(self.documents)
        for address, made in self.earlier.made.items():
            is_here = address in expected and expected[address] <= made.files.keys()
            if is_here and (made.is_proved or not is_whole) and self.is_good(made):
                yield made


def files_of(documents: Documents) -> dict[str, set[str]]:
    """The files of each document."""
    found: dict[str, set[str]] = {address: set() for address in documents.addresses}
    for path, (origin, _) in documents.files.items():
        if origin in found:
            found[origin].add(path)
    return found


def newly_private(secrets: Secrets, earlier: Earlier) -> Secrets | None:
    """The secrets that an earlier build did not look for in vain: new ones, and those that were
    public then, being said elsewhere too.
    """
    public = {each for made in earlier.made.values() for each in made.secrets}
    found = [
        secret
        for secret in secrets
        if ((name := digest([secret.text])) not in earlier.secrets or name in public)
        and not secrets.is_public(secret)
    ]
    return Secrets(found, secrets.shown) if found else None
