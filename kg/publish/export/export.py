"""The site as a folder for any web host: made, proved, and only then put in the place of the one
before.

What an earlier build made is taken over where it would be the same now; the rest is made by several
processes where there is much of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.check.verdict_cache import digest as digest_of
from kg.errors import KgError, Problem, ProblemsFound, tidy
from kg.facts.secrets import Secrets
from kg.publish.about.amounts import Amounts, after, amounts
from kg.publish.document import MARKER
from kg.publish.dumps.dumping import Dumping
from kg.publish.export import crew
from kg.publish.export.folder import Folder, renewed
from kg.publish.export.leaks import search
from kg.publish.export.render import Maker, Result
from kg.publish.export.reuse import Again
from kg.publish.export.trace import Made
from kg.publish.export.trace_file import Earlier, Keeper, Kept
from kg.publish.export.tracing_store import Asked, Question, digest
from kg.publish.proof.built import Built, Prover
from kg.publish.proof.dumps import PACKED
from kg.publish.proof.prove import Proof, choose
from kg.publish.proof.source import Directory
from kg.publish.proof.together import Before, together
from kg.publish.site import Documents
from kg.store.memory import Memory

COMMON = ("static", "format", "package", "shapes", "sparql")  # what hangs on nothing that is asked
COUNTED = ("void", "completions")  # what hangs on what is counted
DUMPS = ("dump", "packed")
Counted = Callable[[int, int], None]


@dataclass(frozen=True)
class Written:
    """So many files are in the folder now, so many of them new or changed, so many documents were
    made again, and this was proved.
    """

    files: int
    changed: int
    made: int
    proof: Proof


def silent(done: int, total: int) -> None:
    """Nobody waits."""


def export(
    documents: Documents,
    target: Path,
    progress: Counted = silent,
    sample: int = 0,
    keeper: Keeper | None = None,
    jobs: int = 1,
) -> Written:
    """Writes all documents into a folder. What was there before stays whole until the end, and for
    good where the new one is not right.

    `sample` proves so many documents instead of all. `progress` is told of the files that are
    there. The `keeper` has what need not be done again. `jobs` are processes.
    """
    try:
        with renewed(
            target, resume=keeper is not None, spare=keeper.spare if keeper else None
        ) as folder:
            return Build(documents, folder, progress, sample, keeper, jobs).run()
    except OSError as error:
        at = f" ({error.filename})" if error.filename else ""
        raise KgError(
            f"{target} cannot be written: {error.strerror or error}{at}. What was there is "
            "there still."
        ) from error


class Build:
    """One build."""

    def __init__(
        self,
        documents: Documents,
        folder: Folder,
        progress: Counted,
        sample: int,
        keeper: Keeper | None,
        jobs: int,
    ) -> None:
        self.folder, self.progress, self.jobs, self.keeper = folder, progress, jobs, keeper
        self.asked = Asked(documents.store)
        self.plain, self.documents = documents, documents.asking(self.asked)
        self.graph = documents.graph
        documents.amounts = self.documents.amounts = self.counted_up
        self.amounts: Amounts | None = None
        self.kept = Kept(keeper, folder.target, documents)
        self.built = Built(
            Directory(folder.beside, Path()), documents.base, self.graph.nquads, documents.suffixes
        )
        self.proved = choose(self.built.addresses, sample)
        self.maker = Maker(self.documents, self.asked, folder, Prover(self.built), self.proved)
        self.changed: list[str] = []
        self.problems: list[Problem] = []
        self.leaks: list[Problem] = []
        self.counted = 0
        self.is_whole = len(self.proved) == len(self.built.addresses)
        self.again: list[Again] = []
        self.written: Again | None = None  # what is in the folder that is to be replaced
        self.before: dict[str, Made] = {}

    def run(self) -> Written:
        hidden = frozenset(digest([secret.text]) for secret in self.graph.secrets)
        standing = self.plain.standing
        graph = standing.graph if standing else digest_of(self.graph.nquads)
        stopped, finished = self.kept.stopped(), self.kept.finished()
        self.kept.begin(graph, hidden, self.is_whole)
        try:
            if stopped:
                self.take_over(Again(self.plain, graph, stopped, None))
            if finished:
                self.written = Again(self.plain, graph, finished, self.folder.target)
                self.take_over(self.written)
            self.make()
            self.make_others()
            return self.finish()
        finally:
            self.kept.close()

    def take_over(self, again: Again) -> None:
        """Keeps what is as it would be made now, if its files are as they were written."""
        self.again.append(again)
        self.before |= again.earlier.made
        for made in again.still(self.is_whole):
            if made.address not in self.kept.now.made:
                self.keep(made, again.secrets)

    @property
    def moved(self) -> frozenset[str] | None:
        """The documents that say something else than when others were judged that are kept; None:
        any may.
        """
        moved = [again.moved() for again in self.again]
        return None if None in moved else frozenset().union(*(each for each in moved if each))

    def keep(self, made: Made, secrets: Secrets | None = None) -> bool:
        """Whether all files are as they were written, without these secrets, which were none then;
        if so, they are taken over.
        """
        if not secrets and self.folder.is_there(made.files):
            self.note(made)
            return True
        files = {path: self.folder.found(path, stamp) for path, stamp in made.files.items()}
        found = {path: file for path, file in files.items() if file}
        plain = (path for path in found if secrets and not path.endswith(PACKED))
        if len(found) < len(files) or any(
            search(path, Path(found[path]).read_bytes(), secrets) for path in plain if secrets
        ):
            return False
        for path, file in found.items():
            self.folder.keep(path, file)
        self.note(made)
        return True

    def make(self) -> None:
        missing = [
            address
            for address in sorted(self.documents.addresses)
            if address not in self.kept.now.made
        ]
        # Made here, once, for all processes.
        assert self.documents.pages.templates and self.built.dumped.lines  # noqa: S101
        self.asked.taken()
        for result in crew.mapped(
            lambda address: self.maker.make(address, self.before.get(address)), missing, self.jobs
        ):
            self.take(result)
        self.missing = len(missing)

    def take(self, result: Result) -> None:
        self.changed += result.changed
        self.problems += result.problems
        self.leaks += result.leaks
        self.note(result.made)

    def note(self, made: Made) -> None:
        self.kept.note(made)
        for path in made.files:
            if path in self.documents.files:
                self.counted += 1
                self.progress(self.counted, len(self.documents.files))

    def make_others(self) -> None:
        """The files that are no form of a document. Those of one kind are made from the same
        answers.
        """
        before = self.written.earlier if self.written else Earlier()
        moved = self.written.moved() if self.written and not self.written.secrets else None
        dumping = Dumping(self.plain, self.folder, self.built, before.made, moved, self.is_whole)
        notes: dict[str, dict[Question, str]] = defaultdict(dict)
        for path, (origin, _) in self.documents.files.items():
            if origin in self.documents.addresses:
                continue
            name = f"={path}"
            known = (
                (again, again.earlier.made[name])
                for again in self.again
                if name in again.earlier.made
            )
            if any(
                self.keep(made, again.secrets)
                for again, made in known
                if self.is_good(again, made, origin)
            ):
                continue
            if origin in DUMPS:
                made, is_new, problems, leaks = dumping.write(path, self.jobs)
                self.take(Result(made, [path] if is_new else [], problems, leaks))
            else:
                made = Made(name)
                self.asked.taken()
                _, changed, leaks = self.maker.put(made, [path], self.before.get(name))
                notes[origin] |= self.asked.taken()
                made.notes = dict(notes[origin])
                self.take(Result(made, changed, [], leaks))

    def is_good(self, again: Again, made: Made, origin: str) -> bool:
        """Whether a file that is no form of a document would be the same."""
        if origin in COMMON or again.is_same_graph:
            return True
        if (
            origin in DUMPS
            or again.earlier.listing != self.kept.listing
            or (origin in COUNTED and not self.counts_as_before(again))
        ):
            return False
        return again.is_good(made)

    def finish(self) -> Written:
        files = list(self.files())
        marker = "".join(f"{path}\n" for path in files).encode()
        self.leaks += search(MARKER, marker, self.graph.secrets)
        if self.leaks:
            raise ProblemsFound(tidy(self.leaks), self.graph.site.folder)
        self.folder.put(MARKER, marker)
        self.built.files = files
        proof = together(
            self.built,
            self.kept.now.made,
            self.proved,
            self.problems,
            self.moved,
            self.found_right(),
        )
        if not proof.good:
            raise ProblemsFound(list(proof.problems), self.folder.target)
        changed = {*self.changed, *self.folder.changed}
        self.folder.finish({*files, MARKER}, changed)
        self.kept.finish()
        if self.keeper and self.amounts:
            self.keeper.amounts = self.amounts
        return Written(len(files), len(changed - {MARKER}), self.missing, proof)

    def found_right(self) -> Before | None:
        """The build in the place of this one, where all of it was proved, and nothing is taken over
        from another.
        """
        last = self.written
        if (
            last is None
            or len(self.again) > 1
            or not last.earlier.is_whole
            or not self.is_whole
            or last.things is None
        ):
            return None
        return Before(last.earlier.made, last.things)

    def counted_up(self) -> Amounts:
        """What is counted in the graph; from what the last build of this process counted, where
        that is known.
        """
        last, written, memory = (
            self.keeper.amounts if self.keeper else None,
            self.written,
            self.graph.memory,
        )
        if (
            not self.amounts
            and last
            and written
            and written.difference
            and isinstance(memory, Memory)
            and last.graph == written.earlier.graph
        ):
            self.amounts = after(
                last,
                self.kept.now.graph,
                memory,
                self.built.dumped.text,
                (written.gone, written.come),
            )
        self.amounts = self.amounts or amounts(self.graph, self.kept.now.graph)
        return self.amounts

    def counts_as_before(self, again: Again) -> bool:
        last, now = self.keeper.amounts if self.keeper else None, self.counted_up()
        return (
            last is not None
            and last.graph == again.earlier.graph
            and (last.counts, last.labels) == (now.counts, now.labels)
        )

    def files(self) -> Iterator[str]:
        """All that was written, each with its packed copy."""
        written = {path for made in self.kept.now.made.values() for path in made.files}
        for path in self.documents.files:
            yield path
            if path + PACKED in written and path + PACKED not in self.documents.files:
                yield path + PACKED
