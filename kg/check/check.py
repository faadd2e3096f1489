"""A folder -> its graph and everything that is wrong with it: files, facts, addresses, shapes, all
at once.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kg.check import addresses
from kg.check import rules as checks
from kg.check.addresses import corrections, report
from kg.check.leaks import leaked
from kg.check.own.own_files import own_problems
from kg.check.problems import drop_accepted, known_rules, problems_of
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

# Rules about what is absent, which is not judged while some entry or file could not be read.
FOLLOWS_FROM_BROKEN_ENTRIES = {
    "address-gone",
    "dangling",
    "dead-link",
    "event-place",
    "not-listed",
    "owner",
    "publication-award",
    "publication-container",
    "role-start",
    "thesis-year",
    "topic-name",
    "unit-elsewhere",
    "unregistered-author",
    "untyped",
}


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
        return self.graph is not None and not errors_in(self.problems)

    def good_graph(self, folder: Path) -> Graph:
        """The graph of a folder that has no errors. Raises ProblemsFound for any other."""
        if self.graph is None or not self.publishable:
            raise ProblemsFound(self.problems, folder)
        return self.graph


def check(
    folder: Path, run: Run | None = None, before: Verdict | None = None, plain: bool = False
) -> Checked:
    """A broken entry does not hide the problems of the others: what is right is built and judged
    all the same.

    `before` is the verdict on an earlier state of the site, from which this one is found sooner;
    `plain` uses pyshacl alone, which takes long and finds the same.
    """
    run = run or Run()
    with run.workers.at_work() as workers:
        facts, parts = gather(folder, run, checks.FileRules(), workers)
    run.cache.trim()
    return check_facts(facts, run, parts, before, plain)


def check_facts(
    facts: Facts,
    run: Run,
    parts: list[Mapped] | None = None,
    before: Verdict | None = None,
    plain: bool = False,
) -> Checked:
    """Everything that is wrong with facts that were loaded, and their graph. `parts` are those of a
    large site that were mapped already; the list is emptied when the graph has them.
    """
    parts = [] if parts is None else parts
    found = facts.problems + checks.check(facts, run.day)
    found += own_problems(facts.site or Site(facts.folder, NOWHERE, ""))
    if facts.site is None:
        return Checked(None, tidy(found))
    graph = build(facts, facts.site, parts)
    parts.clear()
    give_back()
    site, files = graph.site, resources(graph.site, "shapes", "*.ttl")
    shapes, wrong = own_shapes.examined(shape_files.read(site.base, files, site.vocabularies))
    verdict, findings, unusable = judge_by(shapes, graph, run, before, plain)
    wrong += unusable
    broken = [*wrong, *problems_of(graph, findings), *leaked(graph)]
    broken += unused_problems(graph, shapes, run, plain)
    broken += [*addresses.problems(graph), *addresses.missing_files(graph)]
    broken += [*addresses.dead_links(graph), *addresses.unfit_images(graph, run.cache)]
    if errors_in(facts.problems + graph.by_hand.problems):
        found, broken = (
            [problem for problem in each if problem.rule not in FOLLOWS_FROM_BROKEN_ENTRIES]
            for each in (found, broken)
        )
    elif run.previous:  # otherwise what could not be read would count as gone
        found_again = tuple(corrections(graph, run.previous))
        graph = with_moved(graph, found_again)
        withdrawn = tuple(addresses.no_longer_named(graph, run.previous))
        graph = with_moved(graph, withdrawn)
        broken += [*map(report, found_again), *addresses.report_withdrawn(graph, withdrawn)]
        broken += addresses.vanished(graph, run.previous)
    everything = found + graph.problems + broken
    left = drop_accepted(facts.notes.accepted, everything, known_rules(shapes), bool(run.today))
    return Checked(graph, left, verdict)


def with_moved(graph: Graph, more: tuple[Moved, ...]) -> Graph:
    """The graph with more old addresses that lead on."""
    return replace(graph, site=replace(graph.site, moved=graph.site.moved + more))


def judge_by(
    shapes: Shapes, graph: Graph, run: Run, before: Verdict | None, plain: bool
) -> tuple[Verdict | None, list[Finding], tuple[Problem, ...]]:
    """The verdict and what is found; without those of the site's own shapes that cannot be applied
    to these data, which are problems.
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
    """What is wrong with entries that are not published, for nothing refers to them: by a graph of
    their own, in which what they refer to themselves may be missing.
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
    problems = problems_of(alone, about)
    return [each for each in problems if each.rule not in FOLLOWS_FROM_BROKEN_ENTRIES]


def give_back() -> None:
    """Memory that was only needed on the way goes back to the system. It came through another
    thread, and glibc would hold it for that one.
    """
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def check_cached(folder: Path, run: Run) -> Checked:
    """The same, from the verdict in the site's cache, where the new one is saved for the next
    run.
    """
    before = load_verdict(run.cache)
    found = check(folder, run, before)
    if found.verdict and found.verdict != before:
        save_verdict(run.cache, found.verdict)
    return found


def good(folder: Path, run: Run | None = None) -> Graph:
    """The graph of a folder that has no errors; no verdict is cached."""
    return check(folder, run).good_graph(folder)
