"""`make w3c SUITE=dir`: exit 0 if all that pyoxigraph passes also passes over HTTP, or all shapes
find by the quick way what they find by plain pyshacl; 1 if something is lost, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.w3c import manifest, rdf, shacl
from tests.w3c.ask import in_process, over_http
from tests.w3c.judge import run
from tests.w3c.manifest import Suite
from tests.w3c.report import ENGINE, HTTP, Drafts, Report


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.w3c",
        description="The W3C's tests of SPARQL queries, over HTTP; or of SHACL.",
    )
    parser.add_argument(
        "suite",
        type=Path,
        help="a checkout of https://github.com/w3c/rdf-tests, or https://github.com/w3c/data-shapes",
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="PATTERN",
        help="only the tests whose name (sparql11/bind/bind01) matches",
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="ask only pyoxigraph, not the endpoint; exit 1 if it fails a test",
    )
    options = parser.parse_args(arguments)
    if (options.suite / shacl.FOLDER).is_dir():
        judged = [
            shacl.run(test)
            for test in shacl.tests(options.suite)
            if re.search(options.only, test.name)
        ]
        sys.stdout.write("".join(f"{line}\n" for line in shacl.lines(judged)))
        return int(not all(each.is_equal for each in judged))
    try:
        suite = manifest.read(options.suite)
    except FileNotFoundError as error:
        parser.error(str(error))
    chosen = Chosen(options.only, options.in_process)
    report = chosen.report(suite)
    drafts = chosen.drafts(options.suite)
    if not report.tests and not (drafts and (drafts.sparql.tests or drafts.rdf)):
        parser.error(f"No test matches {options.only!r}.")
    lines = [*report.lines(), *(drafts.lines() if drafts else ())]
    lost = bool(report.lost or (drafts and drafts.sparql.lost))
    if options.in_process:
        lost = not all(outcome.passed for outcome in report.outcomes[ENGINE].values())
    else:
        lines.append(report.verdict)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return int(lost)


@dataclass(frozen=True)
class Chosen:
    """Which tests are run, and how."""

    only: str
    in_process: bool

    def report(self, suite: Suite) -> Report:
        tests = [test for test in suite.tests if re.search(self.only, test.name)]
        outcomes = {ENGINE: run(suite, tests, in_process)}
        if not self.in_process:
            outcomes[HTTP] = run(suite, tests, over_http, at_once=2)
        return Report(suite, tests, outcomes)

    def drafts(self, folder: Path) -> Drafts | None:
        """None if the checkout has none."""
        if not all((folder / name).is_file() for name in manifest.DRAFTS):
            return None
        named = {test.name: test for test in rdf.tests(folder) if re.search(self.only, test.name)}
        read = {name: rdf.run(test) for name, test in named.items()}
        return Drafts(self.report(manifest.read(folder, manifest.DRAFTS)), read)


if __name__ == "__main__":
    sys.exit(main())
