"""`make w3c SUITE=dir`: exit 0 if all that pyoxigraph passes also passes over HTTP, or all shapes
find by the quick way what they find by plain pyshacl; 1 if something is lost, 2 for wrong use.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.w3c import manifest, shacl
from tests.w3c.ask import in_process, over_http
from tests.w3c.judge import run
from tests.w3c.report import ENGINE, HTTP, Report


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
    tests = [test for test in suite.tests if re.search(options.only, test.name)]
    if not tests:
        parser.error(f"No test matches {options.only!r}.")
    outcomes = {ENGINE: run(suite, tests, in_process)}
    if not options.in_process:
        outcomes[HTTP] = run(suite, tests, over_http, at_once=2)
    report = Report(suite, tests, outcomes)
    sys.stdout.write("".join(f"{line}\n" for line in report.lines()))
    return int(
        bool(report.lost)
        if HTTP in outcomes
        else not all(outcome.passed for outcome in outcomes[ENGINE].values())
    )


if __name__ == "__main__":
    sys.exit(main())
