"""The outcomes as text, and what they amount to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.w3c.judge import Outcome
from tests.w3c.manifest import Suite, Test

ENGINE, HTTP = "pyoxigraph", "over HTTP"


@dataclass(frozen=True)
class Drafts:
    """The drafts that the engine knows in part: SPARQL 1.2, asked like the recommendation, and the
    files of RDF 1.2, read as `kg serve FILE` reads them.
    """

    sparql: Report
    rdf: Mapping[str, Outcome]

    def lines(self) -> Iterator[str]:
        yield "\nDrafts of W3C"
        yield from self.sparql.table("SPARQL 1.2, all")
        passed = sum(outcome.passed for outcome in self.rdf.values())
        yield f"{'RDF 1.2, all':<36}{len(self.rdf):>6}{passed:>20}{len(self.rdf) - passed:>8}"
        yield from self.sparql.failures("Failed, SPARQL 1.2")
        yield from failures("Failed, RDF 1.2", self.rdf)


@dataclass(frozen=True)
class Report:
    suite: Suite
    tests: list[Test]
    outcomes: Mapping[str, Mapping[str, Outcome]]  # by way, then by test

    @property
    def lost(self) -> list[str]:
        """What the engine passes and the endpoint does not."""
        return [
            name
            for name, outcome in self.outcomes.get(HTTP, {}).items()
            if self.outcomes[ENGINE][name].passed and not outcome.passed
        ]

    def lines(self) -> Iterator[str]:
        yield from self.table()
        for way, outcomes in self.outcomes.items():
            valued = [name for name, outcome in outcomes.items() if outcome.by_value]
            yield (
                f"\nPassed only by value, {way}: {len(valued)} (a number, truth or date is "
                "written otherwise than expected)"
            )
            yield from (f"  {name}" for name in valued)
        yield from self.failures("Failed")
        yield f"\nLeft out: {self.suite.left_out.total()}"
        yield from (f"  {count:4} {why}" for why, count in sorted(self.suite.left_out.items()))

    @property
    def verdict(self) -> str:
        return f"\n{len(self.lost)} tests fail over HTTP that pyoxigraph passes."

    def failures(self, title: str) -> Iterator[str]:
        way = HTTP if HTTP in self.outcomes else ENGINE
        engine = {name: f"{name} [pyoxigraph fails too]" for name in self.outcomes[ENGINE]}
        engine |= {name: f"{name} [pyoxigraph passes]" for name in self.lost}
        outcomes = self.outcomes[way]
        named = {engine[name] if way == HTTP else name: each for name, each in outcomes.items()}
        yield from failures(f"{title}, {way}", named)

    def table(self, title: str = "all") -> Iterator[str]:
        yield f"{'folder':<36}{'tests':>6}" + "".join(
            f"{way + ' passed':>20}{'failed':>8}" for way in self.outcomes
        )
        folders = list(dict.fromkeys(test.folder for test in self.tests))
        for folder in folders:
            yield self.row(folder, [test.name for test in self.tests if test.folder == folder])
        yield self.row(title, [test.name for test in self.tests])

    def row(self, title: str, names: list[str]) -> str:
        passed = [
            sum(outcomes[name].passed for name in names) for outcomes in self.outcomes.values()
        ]
        return f"{title:<36}{len(names):>6}" + "".join(
            f"{count:>20}{len(names) - count:>8}" for count in passed
        )


def failures(title: str, outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    failed = {name: outcome for name, outcome in outcomes.items() if not outcome.passed}
    yield f"\n{title}: {len(failed)}"
    yield from (f"  {name}: {outcome.problem}" for name, outcome in failed.items())
