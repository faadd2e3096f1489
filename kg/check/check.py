"""Checks a site: builds its graph and collects all problems of files, facts, addresses and
shapes.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kg.check import addresses, shapes
from kg.check import rules as checks
from kg.check.leaks import leaked
from kg.check.own_files import own_problems
from kg.check.problems import drop_accepted, known_rules, narrowed, problems_of
from kg.check.shapes import Shapes
from kg.errors import Problem, ProblemsFound, errors_in, tidy
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

    @property
    def publishable(self) -> bool:
        return self.graph is not None and not errors_in(self.problems)

    def good_graph(self, folder: Path) -> Graph:
        """The graph of a site without errors. Raises ProblemsFound if there are errors."""
        if self.graph is None or not self.publishable:
            raise ProblemsFound(self.problems, folder)
        return self.graph


def check(folder: Path, run: Run | None = None) -> Checked:
    """Checks a folder. Entries with errors are left out; all others are built and checked."""
    run = run or Run()
    with run.workers.at_work() as workers:
        facts, parts = gather(folder, run, checks.in_files, workers)
    run.cache.trim()
    return check_facts(facts, run, parts)


def check_facts(facts: Facts, run: Run, parts: list[Mapped] | None = None) -> Checked:
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
    site = graph.site
    rules = shapes.read(site.base, resources(site, "shapes", "*.ttl"), site.vocabularies)
    is_whole = not errors_in(facts.problems + graph.by_hand.problems)
    broken = [*rules.problems, *broken_rules(rules, graph, run, is_whole), *leaked(graph)]
    broken += unused_problems(graph, rules, run)
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
        broken += [*addresses.report_previous(kept)]
        broken += addresses.missing_addresses(graph, run.previous)
    everything = found + graph.problems + broken
    left_over = drop_accepted(facts.notes.accepted, everything, known_rules(rules), bool(run.today))
    return Checked(graph, narrowed(left_over, facts.folder))


def with_moved(graph: Graph, more: tuple[Moved, ...]) -> Graph:
    """The graph with additional redirects."""
    return replace(graph, site=replace(graph.site, moved=graph.site.moved + more))


def broken_rules(rules: Shapes, graph: Graph, run: Run, is_whole: bool) -> list[Problem]:
    """The problems that our rules and the own shapes of a site find. Unless the graph `is_whole`,
    rules about what is missing are skipped, and own shapes, which can be about anything.
    """
    found, wrong = rules.find(graph.memory, run), list[Problem]()
    if not is_whole:
        found = [each for each in found if each.rule not in rules.negating]
    elif rules.own:
        from kg.check import own_shapes  # noqa: PLC0415  few sites have any

        own = own_shapes.find(rules, graph.memory.store, run.today)
        wrong, found = ([own], found) if isinstance(own, Problem) else ([], found + own)
    return wrong + problems_of(graph, found)


def unused_problems(graph: Graph, rules: Shapes, run: Run) -> list[Problem]:
    """Problems of registry entries that nothing refers to and that are therefore not published.
    They are checked in a graph of their own, in which their own references may be missing.
    """
    unused = unused_entries(graph)
    if not unused:
        return []
    facts = graph.facts
    shared = [each for each in facts.loaded if not is_root(each.kind, each.slug, facts.owners)]
    alone = build(replace(facts, loaded=shared), graph.site, unused=unused)
    documents = {document(graph.site.base, *key) for key in unused}
    found = rules.find(alone.memory, replace(run, workers=WorkerConfig(jobs=1)))
    about = [each for each in found if document_of(each.about(graph.site.base)) in documents]
    return problems_of(alone, [each for each in about if each.rule not in rules.negating])


def release_memory() -> None:
    """Returns freed memory to the system. It was allocated by another thread, and glibc would keep
    it for that thread.
    """
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def good(folder: Path, run: Run | None = None) -> Graph:
    """The graph of a folder without errors."""
    return check(folder, run).good_graph(folder)
