"""Serves a site: it is checked and built, and so is each later state of its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.check.check import Checked, check_cached
from kg.check.reloads import Reloads
from kg.check.watch import Seen, checks
from kg.graph.parallel.executor import Crew
from kg.sparql.limits import Limits
from kg.web.serve import build_state
from kg.web.state import Stage


@dataclass(frozen=True)
class CheckedSource:
    """`watched`: every save is a new state; otherwise one is read when that is requested."""

    site: Path
    today: Callable[[], str]
    limits: Limits
    union: bool = True
    crew: Crew | None = None
    watched: bool = False

    def open(self) -> tuple[Stage, str]:
        """Raises ProblemsFound where there are errors."""
        found = check_cached(self.site, self.today(), crew=self.crew)
        graph = found.good_graph(self.site)
        state = build_state(graph, self.limits, self.union)
        return Stage(state, Checked(graph, found.problems), self.watched), graph.counts

    def follow(self, stage: Stage, reloads: Reloads) -> Iterator[Seen]:
        """Without the first state where it is the one that is served already."""
        states = checks(self.site, self.today, reloads, crew=self.crew, watched=self.watched)
        first = next(states, None)
        if first and (reloads.begun or not is_same(first, stage.newest)):
            yield first
        del first  # no state is held here until the next comes
        yield from states


def is_same(found: Seen, known: Seen | None) -> bool:
    if not (isinstance(found, Checked) and isinstance(known, Checked)):
        return False
    if not (found.graph and known.graph) or found.problems != known.problems:
        return False
    return found.graph.nquads == known.graph.nquads
