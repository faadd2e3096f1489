"""A folder -> its graph and everything that is wrong with it: files, facts, addresses, shapes, all
at once.
"""

from __future__ import annotations

import ctypes
import datetime
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kg import memo as keep
from kg.check import addresses, shape_files, verdict_cache
from kg.check.accepted import accepted, known_rules
from kg.check.leaks import leaked, leaked_by_reasons, leaked_by_shapes
from kg.check.problems import Telling
from kg.check.verdict import Verdict, judge, reference
from kg.errors import Problem, ProblemsFound, tidy
from kg.facts import checks
from kg.graph.build import Graph, build
from kg.graph.memo import Memo
from kg.graph.parallel.executor import Crew, Workers
from kg.graph.parallel.gather import gather
from kg.settings import resources

FOLLOWS_FROM_BROKEN_ENTRIES = {"dangling", "owner", "role-start", "untyped"}


@dataclass(frozen=True)
class Checked:
    """The graph of what could be read, or None where not even the site's address could; and the
    problems.
    """

    graph: Graph | None
    problems: list[Problem]
    verdict: Verdict | None = None

    @property
    def publishable(self) -> bool:
        return self.graph is not None and not any(
            problem.severity == "error" for problem in self.problems
        )


def check(
    folder: Path,
    today: str = "",
    before: Verdict | None = None,
    plain: bool = False,
    previous: Path | None = None,
    crew: Crew | None = None,
    memo: Memo | None = None,
) -> Checked:
    """A broken entry does not hide the problems of the others: what is right is built and judged
    all the same.

    Without a day the rules about the present are left out. `before` is the verdict on an earlier
    state of the site, from which this one is found sooner; `plain` asks pyshacl alone, which takes
    long and finds the same. `previous` is the list of addresses of an earlier build, of which none
    may be missing. `crew` are those who map and judge a large site. `memo` knows what earlier
    checks read.
    """
    with (crew or Crew()).at_work() as workers:
        found = checked(folder, today, workers, before, plain, previous, memo)
    keep.forget(folder)
    return found


def checked(
    folder: Path,
    today: str,
    workers: Workers | None,
    before: Verdict | None = None,
    plain: bool = False,
    previous: Path | None = None,
    memo: Memo | None = None,
) -> Checked:
    facts, parts = gather(folder, today, memo.begin(workers) if memo else workers)
    if memo:
        memo.end()
    found = facts.problems + checks.check(
        facts, datetime.date.fromisoformat(today) if today else None
    )
    if facts.site is None:
        return Checked(None, tidy(found))
    graph = build(facts, facts.site, parts, memo.lasting if memo else None)
    if parts:
        del parts
        give_back()
    files = resources(graph.site, "shapes", "*.ttl")
    shapes = (memo.shapes if memo else shape_files).read(graph.site.base, files)
    verdict = None if plain else judge(graph, shapes, today, before, workers)
    findings = verdict.findings if verdict else reference(graph, shapes, today)
    findings.sort(
        key=lambda found: found.value or found.focus
    )  # so that the way back is unpacked once for each part of the site
    judged = (memo.telling if memo else Telling()).problems(graph, findings)
    judged += (
        leaked(graph, memo.searched if memo else None)
        + leaked_by_shapes(graph, files)
        + leaked_by_reasons(graph)
    )
    judged += addresses.problems(graph)
    if any(problem.severity == "error" for problem in facts.problems):
        judged = [problem for problem in judged if problem.rule not in FOLLOWS_FROM_BROKEN_ENTRIES]
    elif previous:  # otherwise what could not be read would count as gone
        judged += addresses.vanished(graph, previous)
    problems = accepted(
        facts.notes.accepted,
        found + graph.problems + judged,
        known_rules(shapes),
        all_asked=bool(today),
    )
    return Checked(graph, problems, verdict)


def give_back() -> None:
    """What was only needed on the way goes back to the system. It came through another thread, and
    glibc would keep it for that one.
    """
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def remembered(
    folder: Path, today: str = "", previous: Path | None = None, crew: Crew | None = None
) -> Checked:
    """The same, from what the last run has kept in the site's folder; and what is found now is kept
    for the next.
    """
    before = verdict_cache.load(folder)
    found = check(folder, today, before, previous=previous, crew=crew)
    if found.verdict and found.verdict != before:
        verdict_cache.save(folder, found.verdict)
    return found


def good(
    folder: Path,
    today: str = "",
    keep: bool = False,
    previous: Path | None = None,
    crew: Crew | None = None,
) -> Graph:
    """The graph of a folder that has no errors."""
    return good_or_warn(folder, today, keep, previous, crew)[0]


def good_or_warn(
    folder: Path,
    today: str = "",
    keep: bool = False,
    previous: Path | None = None,
    crew: Crew | None = None,
) -> tuple[Graph, list[Problem]]:
    """The graph of a folder that has no errors, and the warnings. `keep` remembers the verdict
    between runs.
    """
    found = (
        remembered(folder, today, previous, crew)
        if keep
        else check(folder, today, previous=previous, crew=crew)
    )
    if found.graph is None or not found.publishable:
        raise ProblemsFound(found.problems, folder)
    return found.graph, found.problems
