"""The outcomes as text, and what they amount to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.w3c.judge import Outcome
from tests.w3c.manifest import Suite, Test

ENGINE, HTTP = "pyoxigraph", "over HTTP"


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
        way = HTTP if HTTP in self.outcomes else ENGINE
        failed = {
            name: outcome for name, outcome in self.outcomes[way].items() if not outcome.passed
        }
        yield f"\nFailed, {way}: {len(failed)}"
        for name, outcome in failed.items():
            engine = (
                ""
                if way == ENGINE
                else " [pyoxigraph passes]"
                if name in self.lost
                else " [pyoxigraph fails too]"
            )
            yield f"  {name}{engine}: {outcome.problem}"
        yield f"\nLeft out: {self.suite.left_out.total()}"
        yield from (f"  {count:4} {why}" for why, count in sorted(self.suite.left_out.items()))
        if way == HTTP:
            yield f"\n{len(self.lost)} tests fail over HTTP that pyoxigraph passes."

    def table(self) -> Iterator[str]:
        yield f"{'folder':<36}{'tests':>6}" + "".join(
            f"{way + ' passed':>20}{'failed':>8}" for way in self.outcomes
        )
        folders = list(dict.fromkeys(test.folder for test in self.tests))
        for folder in folders:
            yield self.row(folder, [test.name for test in self.tests if test.folder == folder])
        yield self.row("all", [test.name for test in self.tests])

    def row(self, title: str, names: list[str]) -> str:
        passed = [
            sum(outcomes[name].passed for name in names) for outcomes in self.outcomes.values()
        ]
        return f"{title:<36}{len(names):>6}" + "".join(
            f"{count:>20}{len(names) - count:>8}" for count in passed
        )
