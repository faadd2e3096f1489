"""Sources of `kg serve`: a site, a built folder or RDF files, and their later states.

Each source imports only what it needs: RDF files are served without YAML, a folder without checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kg.check.reloads import Reloads
from kg.errors import KgError, counted, why
from kg.sparql.answer_cache import AnswerCache
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.web.state import CurrentSite, State, build_state

if TYPE_CHECKING:
    from kg.check.watch import Seen
    from kg.graph.parallel.run import Run
    from kg.web.extensions import RemoteEndpoint

POLL_INTERVAL = 5.0  # seconds between checks of a folder for a new build


@dataclass(frozen=True)
class CheckedSource:
    """A site, checked and built at every reload. With `watched`, every save is a reload; otherwise
    reloads are requested. `clock` gives the date to check against.
    """

    site: Path
    run: Run
    clock: Callable[[], str]
    limits: Limits
    union: bool = True
    watched: bool = False

    def open(self) -> tuple[CurrentSite, str]:
        """Raises ProblemsFound if there are errors."""
        from kg.check.check import Checked, check  # noqa: PLC0415

        today = self.clock()
        found = check(self.site, replace(self.run, today=today))
        graph = found.good_graph(self.site)
        state = build_state(graph, self.limits, self.union, today)
        return CurrentSite(state, Checked(graph, found.problems), self.watched), graph.counts

    def follow(self, current: CurrentSite, reloads: Reloads) -> Iterator[Seen]:
        """Later states; the first one is skipped if it is already served."""
        from kg.check.watch import checks  # noqa: PLC0415

        states = checks(self.site, self.run, self.clock, reloads, self.watched)
        first = next(states, None)
        if first and not (self.watched and is_same(first, current.newest)):
            yield first
        del first  # free the state while waiting for the next one
        yield from states


def is_same(found: Seen, known: Seen | None) -> bool:
    from kg.check.check import Checked  # noqa: PLC0415

    if not (isinstance(found, Checked) and isinstance(known, Checked)):
        return False
    if not (found.graph and known.graph) or found.problems != known.problems:
        return False
    return found.graph.nquads == known.graph.nquads


@dataclass(frozen=True)
class FolderSource:
    """A folder written by `kg build`. Queries are answered from the dump, or by `server`. New
    builds and pushes are picked up automatically.
    """

    folder: Path
    limits: Limits
    union: bool = True
    server: RemoteEndpoint | None = None

    def open(self) -> tuple[CurrentSite, str]:
        state = self.state()
        what = counted(len(state.documents.addresses), "document")
        queries = f", queries go to {self.server.address}" if self.server else ""
        return CurrentSite(state), what + queries

    def state(self) -> State:
        from kg.publish.hosting.built_folder import BuiltFolder  # noqa: PLC0415

        documents = BuiltFolder(self.folder)
        if self.server is None:
            endpoint = Embedded(documents.base, documents.graph_lines, self.limits, self.union)
            return State(documents, AnswerCache(endpoint))
        return State(documents, AnswerCache(self.server.open(documents.base, self.limits)))

    def version(self, base: str) -> tuple[int, int, str]:
        """Changes with each build that replaces the folder, and with each push."""
        found = self.folder.stat()
        pushed = self.server.version(base) if self.server else ""
        return found.st_ino, found.st_ctime_ns, pushed

    def follow(
        self, current: CurrentSite, reloads: Reloads, every: float = POLL_INTERVAL
    ) -> Iterator[State | KgError | OSError]:
        """Each new state, also on request. Failures are retried; each one is yielded once."""
        base, failure = current.state.documents.base, ""
        known: tuple[int, int, str] | None = self.version(base)
        while not reloads.is_ended:
            wanted = reloads.wait(every)
            try:
                newest = self.version(base)
            except (
                KgError,
                OSError,
            ) as error:  # the folder is being replaced, or the server is down
                if wanted:
                    known = None
                    yield error
                continue
            if reloads.is_ended or (newest == known and not wanted):
                continue
            try:
                state = self.state()
            except (KgError, OSError) as error:
                known = None
                if wanted or why(error) != failure:
                    failure = why(error)
                    yield error
            else:
                known, failure = newest, ""
                yield state
                del state


@dataclass(frozen=True)
class FileSource:
    """RDF files: an endpoint over their merged graph. `progress` is called before long steps."""

    paths: Sequence[Path]
    base: str
    limits: Limits
    union: bool = False
    progress: Callable[[str], None] = lambda _: None

    def open(self) -> tuple[CurrentSite, str]:
        state, counts = self.state()
        return CurrentSite(state), counts

    def state(self) -> tuple[State, str]:
        """The state, and its counts in words."""
        from kg.graph.rdf_files import BIG, read  # noqa: PLC0415
        from kg.publish.hosting.query_only import QueryOnly, title  # noqa: PLC0415

        found = read(self.paths, self.base, self.progress)
        if len(found.nquads) > BIG:
            self.progress(f"Loading {found.counts}")
        endpoint = Embedded(self.base, found.nquads, self.limits, self.union)
        documents = QueryOnly(self.base, title(self.paths))
        return State(documents, AnswerCache(endpoint)), found.counts

    def follow(self, current: CurrentSite, reloads: Reloads) -> Iterator[State | KgError | OSError]:
        """The state of the files at each requested reload."""
        while not reloads.is_ended:
            if reloads.wait():
                try:
                    yield self.state()[0]
                except (KgError, OSError) as error:
                    yield error
