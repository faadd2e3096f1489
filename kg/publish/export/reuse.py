"""Which traces of an earlier build are up to date, after a diff of its graph with the new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from kg.check.impact.diff import changes
from kg.check.impact.impact import Difference
from kg.facts.secrets import Secrets
from kg.publish.export.folder import stamp_of
from kg.publish.export.trace import SiteAnswers, Trace, Traces
from kg.publish.export.tracing_store import SITE_WIDE, Question, TracingStore, digest
from kg.publish.proof.dumps import PACKED
from kg.publish.proof.listing import DUMP
from kg.publish.site import Documents
from kg.store.memory import Memory


class Reuse:
    """Compares an earlier build with the graph that is to be published. The dump of that build, in
    its `folder`, is the earlier graph; where it is not as it was written, and the graph is another
    now, nothing is up to date.
    """

    def __init__(
        self, documents: Documents, site: SiteAnswers, earlier: Traces, folder: Path
    ) -> None:
        self.documents, self.site, self.earlier, self.folder = documents, site, earlier, folder
        self.store = TracingStore(documents.store)
        self.is_same_graph = earlier.graph == site.of("graph")
        self.known: dict[Question, str] = {}

    @cached_property
    def difference(self) -> Difference | None:
        trace, memory = self.earlier.traces.get(f"={DUMP}"), self.documents.graph.memory
        if (
            not trace
            or not isinstance(memory, Memory)
            or stamp_of(self.folder / DUMP) != trace.files[DUMP]
        ):
            return None
        old, new = (self.folder / DUMP).read_bytes(), self.documents.graph.nquads
        return Difference(memory, changes(old, new))

    @property
    def changed_documents(self) -> frozenset[str] | None:
        """The documents that say something else now; None where that is not known."""
        if self.is_same_graph:
            return frozenset()
        return self.difference.documents if self.difference else None

    def up_to_date(
        self, expected: Mapping[str, Sequence[str]], is_complete: bool
    ) -> Iterator[Trace]:
        """`expected` are the files that there should be, by the names of their traces. For a build
        that `is_complete`, what was not proved is not up to date.
        """
        for name, trace in self.earlier.traces.items():
            paths = expected.get(name, ())
            copies = trace.files.keys() - paths
            if (
                paths
                and trace.files.keys() >= {*paths}
                and all(path.endswith(PACKED) for path in copies)
                and (trace.is_proved or not is_complete)
                and self.is_up_to_date(trace)
            ):
                yield trace

    def is_up_to_date(self, trace: Trace) -> bool:
        if self.is_same_graph:
            return True
        if self.difference is None:
            return False
        return all(
            self.ask(question) == answer
            for question, answer in trace.answers.items()
            if self.may_differ(question, self.difference)
        )

    def ask(self, question: Question) -> str:
        if question not in self.known:
            self.known[question] = (
                self.site.of(question.kind)
                if question.kind in SITE_WIDE
                else self.store.ask(question)
            )
        return self.known[question]

    def may_differ(self, question: Question, difference: Difference) -> bool:
        kind, query, about = question
        match kind:
            case "select":
                if (subject := question.subject) is None:
                    return difference.concerns(query)
                affected = difference.affected(query, subject[0])
                return affected is None or not affected.isdisjoint(subject[1])
            case "quads":
                return about[0][1][0] in difference.documents
            case "labels":
                return not difference.named.isdisjoint(about[0][1])
        return True


def newly_private(secrets: Secrets, earlier: Traces) -> Secrets | None:
    """The secrets that an earlier build did not search for in vain: new ones, and those that were
    public then, being said elsewhere too.
    """
    public = {each for trace in earlier.traces.values() for each in trace.secrets}
    found = [
        secret
        for secret in secrets
        if ((name := digest([secret.text])) not in earlier.secrets or name in public)
        and not secrets.is_public(secret)
    ]
    return Secrets(found, secrets.shown) if found else None
