"""Checks a site: builds its graph and collects all problems of files, facts, addresses and
shapes.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kg.check import addresses
from kg.check import rules as checks
from kg.check.addresses import report
from kg.check.leaks import leaked
from kg.check.own_files import own_problems
from kg.check.problems import drop_accepted, known_rules, narrowed, problems_of
from kg.check.shacl import own_shapes, shape_files
from kg.check.shacl.shapes import Finding, Shapes
from kg.check.verdict import Verdict, judge, lines_of, load_verdict, reference, save_verdict
from kg.errors import KgError, Problem, ProblemsFound, errors_in, tidy
from kg.facts.load import Facts
from kg.facts.privacy import is_root
from kg.graph.build import Graph, build, unused_entries
from kg.graph.parallel.executor import WorkerConfig
from kg.graph.parallel.run import Run
from kg.graph.parallel.shards import Mapped, gather
from kg.mapping.iris import document, document_of
from kg.settings import NOWHERE, Moved, Site, resources

# Rules in Python about what is missing. Those of shapes are found by what they negate.
ABOUT_MISSING = {
    "address-gone",
    "career-gap",
    "dead-link",
    "not-listed",
    "owner",
    "thesis-year",
    "unit-elsewhere",
    "unregistered-author",
}


@dataclass(frozen=True)
class Checked:
    """The result of a check. `graph` is built from everything that could be read; it is None if the
    base of the site is unknown.
    """

    graph: Graph | None
    problems: list[Problem]
    verdict: Verdict | None = None

    @property
    def publishable(self) -> bool:
        return self.graph is not None and not errors_in(self.problems)

    def good_graph(self, folder: Path) -> Graph:
        """The graph of a site without errors. Raises ProblemsFound if there are errors."""
        if self.graph is None or not self.publishable:
            raise ProblemsFound(self.problems, folder)
        return self.graph


def check(
    folder: Path, run: Run | None = None, before: Verdict | None = None, plain: bool = False
) -> Checked:
    """Checks a folder. Entries with errors are left out; all others are built and checked.

    `before` is the verdict on an earlier state and speeds up the check. `plain` uses only pyshacl,
    which is much slower and finds the same.
    """
    run = run or Run()
    with run.workers.at_work() as workers:
        facts, parts = gather(folder, run, checks.in_files, workers)
    run.cache.trim()
    return check_facts(facts, run, parts, before, plain)


def check_facts(
    facts: Facts,
    run: Run,
    parts: list[Mapped] | None = None,
    before: Verdict | None = None,
    plain: bool = False,
) -> Checked:
    """Checks facts that are already loaded. `parts` are the mapped shards of a large site; the list
    is emptied once the graph contains them.
    """
    parts = [] if parts is None else parts
    found = facts.problems + checks.check(facts, run.day)
    found += own_problems(facts.site or Site(facts.folder, NOWHERE, ""))
    if facts.site is None:
        return Checked(None, tidy(found))
    graph = build(facts, facts.site, parts)
    parts.clear()
    release_memory()
    site, files = graph.site, resources(graph.site, "shapes", "*.ttl")
    shapes, wrong = own_shapes.examined(shape_files.read(site.base, files, site.vocabularies))
    verdict, findings, unusable = judge_by(shapes, graph, run, before, plain)
    wrong += unusable
    is_whole = not errors_in(facts.problems + graph.by_hand.problems)
    left = findings if is_whole else [each for each in findings if shapes.is_certain(each)]
    broken = [*wrong, *problems_of(graph, left), *leaked(graph)]
    broken += unused_problems(graph, shapes, run, plain)
    broken += [*addresses.problems(graph), *addresses.missing_files(graph)]
    broken += [*addresses.dead_links(graph), *addresses.unfit_images(graph, run.cache)]
    if not is_whole:  # what leans on what could not be read is not judged
        found, broken = (
            [problem for problem in each if problem.rule not in ABOUT_MISSING]
            for each in (found, broken)
        )
    elif run.previous:  # otherwise addresses of unreadable entries would be reported as gone
        kept = tuple(addresses.previous_redirects(graph, run.previous))
        graph = with_moved(graph, kept)
        withdrawn = tuple(addresses.unused_addresses(graph, run.previous))
        graph = with_moved(graph, withdrawn)
        broken += [*map(report, kept), *addresses.report_withdrawn(graph, withdrawn)]
        broken += addresses.missing_addresses(graph, run.previous)
    everything = found + graph.problems + broken
    left_over = drop_accepted(
        facts.notes.accepted, everything, known_rules(shapes), bool(run.today)
    )
    return Checked(graph, narrowed(left_over, facts.folder), verdict)


def with_moved(graph: Graph, more: tuple[Moved, ...]) -> Graph:
    """The graph with additional redirects."""
    return replace(graph, site=replace(graph.site, moved=graph.site.moved + more))


def judge_by(
    shapes: Shapes, graph: Graph, run: Run, before: Verdict | None, plain: bool
) -> tuple[Verdict | None, list[Finding], tuple[Problem, ...]]:
    """The verdict and its findings. Shapes of the site that fail on these data are skipped and
    reported as problems.
    """
    try:
        verdict = None if plain else judge(graph, shapes, run, before)
        return verdict, verdict.findings if verdict else reference(graph, shapes, run.today), ()
    except KgError:
        faults = own_shapes.failing(shapes, lines_of(graph))
        if not faults:
            raise
        left = own_shapes.without(shapes, faults)
        verdict, findings, _ = judge_by(left, graph, run, before, plain)
        return verdict, findings, tuple(fault.problem for fault in faults)


def unused_problems(graph: Graph, shapes: Shapes, run: Run, plain: bool) -> list[Problem]:
    """Problems of registry entries that nothing refers to and that are therefore not published.
    They are checked in a graph of their own, in which their own references may be missing.
    """
    unused = unused_entries(graph)
    if not unused:
        return []
    facts = graph.facts
    shared = [each for each in facts.loaded if not is_root(each.kind, each.slug, facts.owners)]
    alone = build(replace(facts, loaded=shared), graph.site, unused=unused)
    _, found, _ = judge_by(shapes, alone, replace(run, workers=WorkerConfig(jobs=1)), None, plain)
    documents = {document(graph.site.base, *key) for key in unused}
    about = [each for each in found if document_of(each.about(graph.site.base)) in documents]
    return problems_of(alone, filter(shapes.is_certain, about))


def release_memory() -> None:
    """Returns freed memory to the system. It was allocated by another thread, and glibc would keep
    it for that thread.
    """
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def check_cached(folder: Path, run: Run) -> Checked:
    """Checks a folder, starting from the cached verdict, and caches the new one."""
    before = load_verdict(run.cache)
    found = check(folder, run, before)
    if found.verdict and found.verdict != before:
        save_verdict(run.cache, found.verdict)
    return found


def good(folder: Path, run: Run | None = None) -> Graph:
    """The graph of a folder without errors; the verdict is not cached."""
    return check(folder, run).good_graph(folder)
